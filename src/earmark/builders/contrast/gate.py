"""What to do with a turn after each attempt: it has passed, one of its two clips is made again, or the dialogue is given up.

Every attempt is kept, and a new clip is compared with all attempts of the other option: what was paid for once may pair up later.
A decision depends on the attempts and the profile alone, so that it can be stored, and made again from what is stored.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import product
from math import fsum
from typing import Literal, TypeAlias

from earmark.builders.contrast.features import Features
from earmark.builders.contrast.points import Contrast, contrast
from earmark.builders.contrast.profile import Profile

RESONANT, DISSONANT = "resonant", "dissonant"
OPTIONS = (RESONANT, DISSONANT)

Verdict: TypeAlias = Literal["passed", "regenerate", "discard"]

PASSED: Verdict = "passed"
REGENERATE: Verdict = "regenerate"
DISCARD: Verdict = "discard"

REGENERATIONS = 3
"""As many as the paper allows a turn."""

MISSING = "missing"
UNDEFINED = "undefined"
NEARER = "nearer-to-neutral"
FEWER = "fewer-attempts"
FIRST = "dissonant-first"
REASONS = {
    MISSING: "the option has no clip that can be used",
    UNDEFINED: "more of its features are undefined than of the other's",
    NEARER: "it is the nearer one to how the voice speaks otherwise, so the other has moved further already",
    FEWER: "both are as near, and it was tried less often",
    FIRST: "nothing tells the two apart, and the dissonant one is what must depart",
}
"""Why a clip is the one to be made again, by its stable name."""


@dataclass(frozen=True, kw_only=True)
class Attempt:
    """A clip that was made for an option.

    Args:
        option: resonant or dissonant.
        number: From 0, per option.
        features: By the profile's front end.
        seed: What it was drawn with; None where the voice has none.
        file_hash: Of its file.
        rejected: Why it may not be used, for instance that it does not say the words; it counts as an attempt all the same.
    """

    option: str
    number: int
    features: Features
    seed: int | None = None
    file_hash: str | None = None
    rejected: str | None = None

    def __post_init__(self) -> None:
        if self.option not in OPTIONS or self.number < 0:
            raise ValueError(f"attempt {self.number} of option {self.option!r}; from 0, of {' or '.join(OPTIONS)}")

    def as_row(self) -> dict[str, object]:
        """The attempt as columns, its features among them."""
        rest = {name: value for name, value in asdict(self).items() if name != "features"}
        return {**rest, **self.features.as_row()}


@dataclass(frozen=True, kw_only=True)
class Pair:
    """An attempt of each option beside each other.

    Args:
        resonant: Number of the resonant attempt.
        dissonant: Number of the dissonant one.
        contrast: How far they are apart.
    """

    resonant: int
    dissonant: int
    contrast: Contrast


@dataclass(frozen=True, kw_only=True)
class Decision:
    """What to do with a turn, and why.

    Args:
        verdict: passed, regenerate or discard.
        profile: Name of the profile.
        regenerations: Clips made beyond the first of each option.
        points: Points of the best pair so far; None where there is none.
        resonant: Number of its resonant attempt.
        dissonant: Number of its dissonant attempt.
        option: Which clip to make again; None unless the verdict is regenerate.
        reason: A key of `REASONS`; None where `option` is.
    """

    verdict: Verdict
    profile: str
    regenerations: int
    points: float | None = None
    resonant: int | None = None
    dissonant: int | None = None
    option: str | None = None
    reason: str | None = None

    def as_row(self) -> dict[str, object]:
        """The decision as columns."""
        return asdict(self)


def pairs(attempts: Sequence[Attempt], profile: Profile) -> Iterator[Pair]:
    """Every resonant attempt that can be used beside every dissonant one, in the order of their numbers.

    Raises:
        ValueError: Two attempts of an option have one number.
    """
    for one, other in product(*(_usable(attempts, option) for option in OPTIONS)):
        yield Pair(
            resonant=one.number, dissonant=other.number, contrast=contrast(one.features, other.features, profile)
        )


def decide(
    attempts: Sequence[Attempt], profile: Profile, *, neutral: Features | None = None, most: int = REGENERATIONS
) -> Decision:
    """What to do next.

    Args:
        attempts: all clips made for the turn so far, of both options, in any order.
        profile: what differences are worth.
        neutral: features of another line of the same voice, such as the speaker's turn 2; None where there is none.
        most: regenerations that a turn may have, >= 0.

    Raises:
        ValueError: two attempts of an option have one number, or `most` is negative.
    """
    if most < 0:
        raise ValueError(f"a turn has 0 or more regenerations, not {most}")
    resonant, dissonant = (_of(attempts, option) for option in OPTIONS)
    spent = max(0, len(resonant) - 1) + max(0, len(dissonant) - 1)
    best = max(pairs(attempts, profile), key=_rank, default=None)
    if best is None:
        lacking = next(option for option in OPTIONS if not _usable(attempts, option))
        again = spent < most or not _of(attempts, lacking)
        return Decision(
            verdict=REGENERATE if again else DISCARD,
            profile=profile.name,
            regenerations=spent,
            option=lacking if again else None,
            reason=MISSING if again else None,
        )
    option = reason = None
    if not best.contrast.passed and spent < most:
        clips = {
            RESONANT: next(attempt for attempt in resonant if attempt.number == best.resonant),
            DISSONANT: next(attempt for attempt in dissonant if attempt.number == best.dissonant),
        }
        tries = {RESONANT: len(resonant), DISSONANT: len(dissonant)}
        option, reason = _which(clips, tries, neutral, profile)
    return Decision(
        verdict=PASSED if best.contrast.passed else REGENERATE if option else DISCARD,
        profile=profile.name,
        points=best.contrast.total,
        resonant=best.resonant,
        dissonant=best.dissonant,
        regenerations=spent,
        option=option,
        reason=reason,
    )


def _which(
    clips: dict[str, Attempt], tries: dict[str, int], neutral: Features | None, profile: Profile
) -> tuple[str, str]:
    """Which clip of the best pair to make again, and why: the first reason that tells the two apart."""
    measures = {dimension.measure for dimension in profile.dimensions().values()}
    undefined = {
        option: sum(getattr(clip.features, measure) is None for measure in measures) for option, clip in clips.items()
    }
    if undefined[RESONANT] != undefined[DISSONANT]:
        return max(OPTIONS, key=undefined.__getitem__), UNDEFINED
    if neutral is not None:
        moved = {option: _moved(clip.features, neutral, profile) for option, clip in clips.items()}
        if moved[RESONANT] != moved[DISSONANT]:
            return min(OPTIONS, key=moved.__getitem__), NEARER
    if tries[RESONANT] != tries[DISSONANT]:
        return min(OPTIONS, key=tries.__getitem__), FEWER
    return DISSONANT, FIRST


def _moved(clip: Features, neutral: Features, profile: Profile) -> float:
    """How far a clip is from another line of the voice; their durations are not compared, as their words differ."""
    differences = contrast(clip, neutral, profile).differences
    return round(fsum(difference.points for difference in differences if difference.dimension != "duration"), 9)


def _rank(pair: Pair) -> tuple[bool, float, int, int]:
    """The best pair passes, has most points, and of equal ones the latest attempts."""
    return pair.contrast.passed, pair.contrast.total, pair.resonant + pair.dissonant, pair.resonant


def _usable(attempts: Sequence[Attempt], option: str) -> list[Attempt]:
    return [attempt for attempt in _of(attempts, option) if attempt.rejected is None]


def _of(attempts: Sequence[Attempt], option: str) -> list[Attempt]:
    found = sorted((attempt for attempt in attempts if attempt.option == option), key=lambda attempt: attempt.number)
    numbers = [attempt.number for attempt in found]
    if len(set(numbers)) < len(numbers):
        raise ValueError(f"two {option} attempts have one number: {numbers}")
    return found
