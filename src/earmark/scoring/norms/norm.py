"""SEQ: where a share of right answers stands in a frozen cohort, robustly standardised (SpeechEQ, section 2.5).

SEQ = 100 + 15 (X - median) / (1.4826 MAD), held within 40 and 160, where median and median absolute deviation (MAD) are those of
the cohort's shares. All of it is worked out in fractions, so that a score is exact until somebody prints it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from earmark.manifests.hashes import CONTENT_PREFIX, json_hash
from earmark.manifests.report import OVERALL

FORMAT = 1
"""Of norm files."""

CENTRE, SPREAD = 100, 15
FLOOR, CEILING = 40, 160
"""Four spreads below and above the centre: what no score is beyond."""

SCALE = Fraction("1.4826")
"""What makes the MAD of a normal distribution its standard deviation: 1 / Φ⁻¹(3/4), to the four decimals that the paper has."""

FEWEST = 2
"""Systems that a cohort has at least."""

TRAJECTORY = "acc_traj"
"""The share of dialogues in which both choices are right."""


@dataclass(frozen=True)
class System:
    """One member of a cohort.

    Args:
        name: What it is called.
        correct: Right answers, in [0, total].
        total: Out of how many, at least 1.
    """

    name: str
    correct: int
    total: int

    @property
    def share(self) -> Fraction:
        """Of answers that are right."""
        return Fraction(self.correct, self.total)


@dataclass(frozen=True)
class Score:
    """A share against a norm.

    Args:
        value: SEQ in [40, 160]; None where the norm gives none.
        held: "floor" or "ceiling" where the score would lie beyond 40 or 160; empty elsewhere.
        reason: Why there is none; None where there is one.
    """

    value: Fraction | None
    held: str = ""
    reason: str | None = None


@dataclass(frozen=True)
class Limits:
    """Where scores saturate.

    Args:
        floor_at: The share at which 40 is reached; below 0 where it never is.
        ceiling_at: The share at which 160 is reached; above 1 where it never is.
        least: The score of a share of 0.
        most: The score of a share of 1.
    """

    floor_at: Fraction
    ceiling_at: Fraction
    least: Fraction
    most: Fraction

    @property
    def text(self) -> str:
        """Both ends, for people."""
        low = f"{FLOOR} is reached at a share of {float(self.floor_at):.4f}"
        if self.floor_at < 0:
            low = f"{FLOOR} is out of reach, a share of 0 having {float(self.least):.2f}"
        high = f"{CEILING} is reached at a share of {float(self.ceiling_at):.4f}"
        if self.ceiling_at > 1:
            high = f"{CEILING} is out of reach, a share of 1 having {float(self.most):.2f}"
        return f"{low}; {high}"


@dataclass(frozen=True)
class Norm:
    """A frozen cohort. Made by `freeze` or `read_norm`, which check it.

    Args:
        name: What it is called: lower case, digits and hyphens.
        version: Of the cohort, as 1.0.0: other systems are another version.
        systems: Its members, whatever their order.
        metric: The share that is standardised.
        facet: What it is over: "overall", or one subscale.
        note: Where the numbers are from. No score depends on it, and so neither does the hash.
    """

    name: str
    version: str
    systems: tuple[System, ...]
    metric: str = TRAJECTORY
    facet: str = OVERALL
    note: str = ""

    @cached_property
    def median(self) -> Fraction | None:
        """Of the members' shares; None without members."""
        return _median([system.share for system in self.systems])

    @cached_property
    def mad(self) -> Fraction | None:
        """The median of the absolute deviations from it; None without members."""
        middle = self.median
        return None if middle is None else _median([abs(system.share - middle) for system in self.systems])

    @cached_property
    def reason(self) -> str | None:
        """Why nothing has a score against this norm; None where everything has."""
        if len(self.systems) < FEWEST:
            return f"the norm has fewer than {FEWEST} systems ({len(self.systems)})"
        if not self.mad:
            return "the norm's MAD is 0: half of its systems or more have one and the same share"
        return None

    @cached_property
    def hash(self) -> str:
        """Of all that a score depends on: "blake2b-256:" and 64 hex digits; the order of systems does not matter."""
        return json_hash(
            {
                "norm": self.name,
                "version": self.version,
                "metric": self.metric,
                "facet": self.facet,
                "systems": sorted([system.name, system.correct, system.total] for system in self.systems),
            }
        )

    @property
    def id(self) -> str:
        """What is printed beside every score: name, version, and the first digits of the hash."""
        return f"{self.name}@{self.version} ({self.hash.removeprefix(CONTENT_PREFIX)[:12]})"

    @property
    def limits(self) -> Limits | None:
        """Where scores saturate; None where the norm gives none."""
        if self.reason is not None or self.median is None or self.mad is None:
            return None
        reach = Fraction(CEILING - CENTRE, SPREAD) * SCALE * self.mad
        ends = [self.score(share).value for share in (Fraction(0), Fraction(1))]
        return Limits(self.median - reach, self.median + reach, *(end for end in ends if end is not None))

    def score(self, share: Fraction) -> Score:
        """SEQ of a share.

        Args:
            share: In [0, 1]; exact, as `Fraction(right, total)`.

        Raises:
            ValueError: If it is no share.

        >>> cohort = Norm("two", "1.0.0", (System("a", 1, 4), System("b", 3, 4)))
        >>> cohort.score(Fraction(1, 2)).value, cohort.score(Fraction(3, 4)).value == 100 + 15 / SCALE
        (Fraction(100, 1), True)
        """
        if not 0 <= share <= 1:
            raise ValueError(f"{share} is no share: it is not in [0, 1]")
        if self.reason is not None or self.median is None or self.mad is None:
            return Score(None, reason=self.reason)
        free = CENTRE + SPREAD * (share - self.median) / (SCALE * self.mad)
        held = "floor" if free < FLOOR else "ceiling" if free > CEILING else ""
        return Score(min(Fraction(CEILING), max(Fraction(FLOOR), free)), held)


def _median(values: Sequence[Fraction]) -> Fraction | None:
    """The middle value, or the mean of the two middle ones."""
    ranked, middle = sorted(values), len(values) // 2
    if not ranked:
        return None
    return ranked[middle] if len(ranked) % 2 else (ranked[middle - 1] + ranked[middle]) / 2
