"""The guesses of baselines, marked as a submission is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from earmark.manifests.report import BaselineEntry
from earmark.scoring.decisions import Decisions

if TYPE_CHECKING:
    from earmark.manifests.release import Release
    from earmark.scoring.baselines import Guess
    from earmark.scoring.decisions import Owed
    from earmark.scoring.families import Marks


def baseline_entries(release: Release, owed: Owed, marks: Marks) -> tuple[BaselineEntry, ...]:
    """The headline of every baseline."""
    entries = []
    for baseline in marks.BASELINES:
        guesses = baseline.guess(release, owed)
        if isinstance(guesses, str):
            entries.append(BaselineEntry(name=baseline.name, value=None, reason=guesses))
            continue
        decisions = guessed(owed, guesses, release.family.choices)
        entries.append(BaselineEntry(name=baseline.name, value=marks.headline(release, decisions)))
    return tuple(entries)


def guessed(owed: Owed, guesses: Mapping[str, Guess], choices: Sequence[str]) -> Decisions:
    """Guesses as decisions."""
    number = {choice: n for n, choice in enumerate(choices)}
    stated = [guesses[id].probability for id in owed.ids]
    return Decisions(
        owed=owed,
        presentation=np.arange(len(owed.ids), dtype=np.int64),
        run=np.zeros(len(owed.ids), np.int64),
        outcome=np.zeros(len(owed.ids), np.int64),
        choice=np.array([number[guesses[id].choice] for id in owed.ids], np.int64),
        probability=np.array([np.nan if p is None else p for p in stated], np.float64),
        choices=tuple(choices),
    )
