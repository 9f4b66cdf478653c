"""Settings: every length that decides where a clip begins and ends, in seconds, with the defaults of the stance family.

A recipe's `[segments]` table is read into `Settings`. All segmentation is done in native samples: a length is converted
once, to the nearest sample (halves up), and from there on nothing is rounded again.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import NamedTuple


@dataclass(frozen=True, slots=True)
class Settings:
    """The lengths of segmentation, in seconds. "Active" is VAD time; limits are inclusive unless it says otherwise.

    Args:
        merge_gap_s: VAD intervals closer than this (exclusive) are one inter-pausal unit (IPU).
        backchannel_s: An IPU shorter than this (exclusive) is a backchannel: never in a clip, never a turn.
        joining_silence_s: Digital silence between two spans of a clip.
        single_close_s: A single clip is closed once it has this much active speech.
        single_most_s: A single clip never has more active speech than this.
        single_tail_s: The last single clip of a speaker is kept from this much active speech.
        context_least_s: An interaction's context has at least this much active speech.
        context_most_s: … and is cut to this much.
        target_least_s: An interaction's target has at least this much active speech.
        target_most_s: … and is cut to this much.
        switch_gap_s: Longest silence between the turns of an interaction.
        switch_overlap_s: Longest overlap of the turns of an interaction; shorter than the least context and the least
            target, so that the clip that is called the earlier one always begins earlier.
        context_after: Also make interactions whose context follows the target.

    Raises:
        ValueError: If a length is negative or not finite, a least length is zero or exceeds its limit, or the overlap is too
            long.
    """

    merge_gap_s: float = 0.30
    backchannel_s: float = 0.20
    joining_silence_s: float = 0.25
    single_close_s: float = 30.0
    single_most_s: float = 45.0
    single_tail_s: float = 15.0
    context_least_s: float = 1.0
    context_most_s: float = 10.0
    target_least_s: float = 2.0
    target_most_s: float = 15.0
    switch_gap_s: float = 2.0
    switch_overlap_s: float = 0.5
    context_after: bool = False

    def __post_init__(self) -> None:
        for name in (field.name for field in fields(self) if field.name.endswith("_s")):
            value = getattr(self, name)
            if not (math.isfinite(value) and value >= 0):
                raise ValueError(f"{name} is a finite length of 0 s or more, not {value}")
        for least, most in (
            ("single_close_s", "single_most_s"),
            ("single_tail_s", "single_close_s"),
            ("context_least_s", "context_most_s"),
            ("target_least_s", "target_most_s"),
        ):
            low, high = getattr(self, least), getattr(self, most)
            if not 0 < low <= high:
                raise ValueError(f"{least} is more than 0 s and at most {most}, not {low} with {high}")
        shortest = min(self.context_least_s, self.target_least_s)
        if self.switch_overlap_s >= shortest:
            raise ValueError(
                f"switch_overlap_s is less than context_least_s and target_least_s ({shortest}), not {self.switch_overlap_s}"
            )

    def at(self, rate: int) -> Limits:
        """The same lengths in samples.

        Args:
            rate: Native sampling rate, Hz.
        """
        return Limits(*(samples(getattr(self, f"{name}_s"), rate) for name in Limits._fields))


class Limits(NamedTuple):
    """`Settings` in native samples of one rate; see there."""

    merge_gap: int
    backchannel: int
    joining_silence: int
    single_close: int
    single_most: int
    single_tail: int
    context_least: int
    context_most: int
    target_least: int
    target_most: int


def samples(seconds: float, rate: int) -> int:
    """Seconds as samples: the nearest one, halves up.

    Args:
        seconds: A time or length, >= 0.
        rate: Sampling rate, Hz.

    >>> samples(0.3, 48_000), samples(0.25, 11_025)
    (14400, 2756)
    """
    return math.floor(seconds * rate + 0.5)
