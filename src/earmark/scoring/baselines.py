"""Baselines: what rules get that do not listen to how something was said.

Each rule answers every owed presentation. The common ones need nothing but the protocol; a family adds its own (`BASELINES` in
its module of this room). They stand beside the headline of every report, and `earmark baseline` writes them as prediction files.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from earmark.manifests.keys import rank
from earmark.manifests.release import Release

if TYPE_CHECKING:
    from earmark.scoring.decisions import Owed


@dataclass(frozen=True)
class Guess:
    """What a rule says of one presentation.

    Args:
        choice: One of the family's choices.
        probability: Probability that it is right, None if the rule has none.
    """

    choice: str
    probability: float | None = None


Guesses = Mapping[str, Guess]
"""Presentation id → guess."""


@dataclass(frozen=True)
class Baseline:
    """A rule that does not listen.

    Args:
        name: Name in reports.
        means: One sentence for people.
        guess: Answers every presentation, or says in words why it cannot.
    """

    name: str
    means: str
    guess: Callable[[Release, Owed], Guesses | str]

    @property
    def stem(self) -> str:
        """Its name as the beginning of a file's.

        >>> Baseline("perfect, never Tie", "", lambda *_: {}).stem
        'perfect-never-Tie'
        """
        return re.sub(r"\W+", "-", self.name)


def uniform(release: Release, owed: Owed) -> Guesses:
    """Every choice with the same chance, drawn by hash with the release's public seed.

    Where the family has probabilities they are drawn too, evenly between one half and one. Without them two orders of an item
    that come out differently would be a tie, and a guesser would lie below chance wherever ties are wrong.
    """
    choices, seed = release.family.choices, release.manifest.seed
    guesses = {}
    for id in owed.ids:
        choice = choices[rank(b"", seed, "baseline uniform", id) % len(choices)]
        share = rank(b"", seed, "baseline uniform, how sure", id) / 2**64
        guesses[id] = Guess(choice, round((1 + share) / 2, 6) if release.family.probability else None)
    return guesses


def always(choice: str) -> Baseline:
    """One choice for everything."""

    def guess(_: Release, owed: Owed) -> Guesses:
        return dict.fromkeys(owed.ids, Guess(choice))

    return Baseline(f"always {choice}", f"Says {choice} to everything.", guess)


UNIFORM = Baseline("uniform", "Draws every choice with the same chance, and how sure it is of it.", uniform)


def write_predictions(baseline: Baseline, release: Release, owed: Owed, path: Path) -> str | None:
    """Write a baseline as a prediction file.

    Returns:
        None, or why the rule cannot answer and nothing was written.
    """
    guesses = baseline.guess(release, owed)
    if isinstance(guesses, str):
        return guesses
    manifest = release.manifest
    header: dict[str, object] = {
        "release": f"{manifest.name}@{manifest.version}",
        "content_hash": manifest.content_hash,
        "protocol": owed.protocol,
        "judge": {"name": baseline.name, "architecture": "rule"},
    }
    rows: list[dict[str, object]] = [{"earmark": header}]
    for id in owed.ids:
        guess = guesses[id]
        stated = {} if guess.probability is None else {"probability": guess.probability}
        rows.append({"presentation_id": id, "choice": guess.choice, **stated})
    text = "".join(json.dumps(row, ensure_ascii=False, allow_nan=False) + "\n" for row in rows)
    path.write_text(text, encoding="utf-8", newline="\n")
    return None
