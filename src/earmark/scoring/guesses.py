"""The guesses of baselines, marked as a submission is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING
from weakref import ref

import numpy as np

from earmark.manifests.report import BaselineEntry
from earmark.scoring.decisions import Decisions

if TYPE_CHECKING:
    from earmark.manifests.release import Release
    from earmark.scoring.baselines import Baseline, Guess
    from earmark.scoring.decisions import Owed
    from earmark.scoring.families import Marks


def baseline_entries(release: Release, owed: Owed, marks: Marks) -> tuple[BaselineEntry, ...]:
    """The headline of every baseline."""
    return tuple(_entry(rule, release, owed, marks) for rule in marks.BASELINES)


@dataclass(frozen=True)
class _Last:
    """What was computed last."""

    release: ref[Release]
    protocol: str
    rules: tuple[Baseline, ...]
    entries: tuple[BaselineEntry, ...]


_last: list[_Last] = []


def remembered_entries(release: Release, owed: Owed, marks: Marks) -> tuple[BaselineEntry, ...]:
    """The same, computed once for many files of an opened release.

    Args:
        release: The release; its tables are still those that its manifest names, as `score` makes sure of.
        owed: All that one of its protocols owes.
        marks: The family's module.
    """
    rules = tuple(marks.BASELINES)
    for known in _last:
        if known.release() is release and (known.protocol, known.rules) == (owed.protocol, rules):
            return known.entries
    entries = baseline_entries(release, owed, marks)
    _last[:] = [_Last(ref(release), owed.protocol, rules, entries)]
    return entries


def _entry(rule: Baseline, release: Release, owed: Owed, marks: Marks) -> BaselineEntry:
    guesses = rule.guess(release, owed)
    if isinstance(guesses, str):
        return BaselineEntry(name=rule.name, value=None, reason=guesses)
    value = marks.headline(release, guessed(owed, guesses, release.family.choices))
    return BaselineEntry(name=rule.name, value=value)


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
