"""What a baseline is, and the rules that need nothing but the protocol."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

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


Knowledge: TypeAlias = Literal["nothing", "answers", "gold"]
"""What a rule knows of answers: none; those of other items, or what is right most often; what is right of the very item."""


@dataclass(frozen=True)
class Baseline:
    """A rule that does not listen.

    Args:
        name: Name in reports.
        means: One sentence for people.
        guess: Answers every presentation, or says in words why it cannot.
        knows: What it knows of answers; with hidden gold only the predictions of one that knows nothing are published.
    """

    name: str
    means: str
    guess: Callable[[Release, Owed], Guesses | str]
    knows: Knowledge = "nothing"

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
