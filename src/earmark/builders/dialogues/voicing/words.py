"""Do two clips say the script? Word error rates of what a listener wrote down, and the limit above which a clip is rejected.

Texts are compared as `earmark.manifests.text.normalise_text` spells them, numbers in words: a recogniser writes "3rd" where
the script has "third". A rate is edits over the words of the script, so it may be above 1; between two transcripts, neither of
which is the script, it is edits over the words of the longer one.

A limit is a voice's own. Of synthetic speech a recogniser mishears much that is said as written, so a limit that suits people
would reject half of it; `calibrate` takes the limit that a stated share of clips known to say their text would pass.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import ceil
from typing import TYPE_CHECKING

import numpy as np

from earmark.manifests.errors import MissingExtra
from earmark.manifests.text import normalise_text

if TYPE_CHECKING:
    import inflect

ACCEPTANCE = 0.95
FLOOR = 0.1
"""No limit is lower: one word in ten, which in a line of a dozen words is one that was misheard."""

LEAST_CLIPS = 20
"""Fewer clips have no 0.95 quantile to speak of."""

LOOSE = 0.5
"""A limit above says that the listener does not understand the voice, and so that the check rejects next to nothing."""

_STEP = 10_000  # rates are compared and stored to a ten-thousandth
_CLOCK = re.compile(r"\b([01]?\d|2[0-3]):([0-5]\d)\b")
_NUMBER = re.compile(r"(?<![\w.,])([$£€]?)(\d{1,3}(?:,\d{3})+|\d{1,9})(st|nd|rd|th|%)?(?![\d,.]*\d)", re.IGNORECASE)
_MONEY = {"$": "dollars", "£": "pounds", "€": "euros"}


@dataclass(frozen=True)
class Limits:
    """Rates above which a clip is rejected.

    Args:
        each: Of a clip against the script.
        between: Of the two options' transcripts against each other.
    """

    each: float
    between: float


@dataclass(frozen=True)
class CalibratedLimit:
    """A limit, and what it was taken from.

    Args:
        limit: The rate.
        acceptance: Share of clips that it was to let pass.
        clips: Clips, or pairs of them, that it was taken from.
        quantile: Their rate at that share; the limit is the floor where this is lower. None of no clip.
        rejects: Share of them that the limit rejects; None of no clip.
    """

    limit: float
    acceptance: float
    clips: int
    quantile: float | None
    rejects: float | None


def spoken_words(text: str) -> list[str]:
    """The words of a text as they are spoken: normalised, its whole numbers, ordinals, clock times and amounts in words.

    Decimals, dates and years stay as they are written, since people say them in more than one way.

    Raises:
        MissingExtra: inflect is not installed.

    >>> spoken_words("On the 3rd, at 10:30, she’d paid $1,200!")
    ['on', 'the', 'third', 'at', 'ten', 'thirty', "she'd", 'paid', 'one', 'thousand', 'two', 'hundred', 'dollars']
    """
    if any(letter.isdigit() for letter in text):
        text = _NUMBER.sub(_said, _CLOCK.sub(_time, text))
    return normalise_text(text).split()


def word_error_rate(script: str, heard: str) -> float:
    """Substitutions, deletions and insertions over the words of the script, to a ten-thousandth.

    Args:
        script: what should be said; a script without a word is met by a transcript without one, and by no other (rate 1).
        heard: what the listener wrote.

    Raises:
        MissingExtra: jiwer or inflect is not installed.
    """
    expected = spoken_words(script)
    said = spoken_words(heard)
    return _rate(_edits(expected, said), len(expected) or len(said))


def rate_between(one: str, other: str) -> float:
    """Edits between two transcripts over the words of the longer one, 0 to 1; which comes first makes no difference.

    Raises:
        MissingExtra: jiwer or inflect is not installed.
    """
    a, b = spoken_words(one), spoken_words(other)
    return _rate(_edits(a, b), max(len(a), len(b)))


def calibrate(rates: Sequence[float], *, acceptance: float = ACCEPTANCE, floor: float = FLOOR) -> CalibratedLimit:
    """The limit that a share of clips would pass of which it is known that they say their text.

    It is the least of their rates that at least this share does not exceed, and never below the floor.

    Args:
        rates: of clips that say their text, or between pairs of clips that say the same; any order.
        acceptance: share to be let pass, in (0, 1].
        floor: least limit, >= 0.

    Raises:
        ValueError: the acceptance or the floor is out of range.

    >>> calibrate([0.0] * 18 + [0.25, 0.5], acceptance=0.95)
    CalibratedLimit(limit=0.25, acceptance=0.95, clips=20, quantile=0.25, rejects=0.05)
    """
    if not 0 < acceptance <= 1 or floor < 0:
        raise ValueError(f"acceptance {acceptance:g} and floor {floor:g}; they must be in (0, 1] and at least 0")
    if not rates:
        return CalibratedLimit(floor, acceptance, 0, None, None)
    ordered = sorted(rates)
    quantile = ordered[ceil(round(acceptance * len(ordered), 9)) - 1]
    limit = max(floor, quantile)
    rejects = float(np.mean([rate > limit for rate in ordered]))
    return CalibratedLimit(limit, acceptance, len(ordered), quantile, rejects)


def _edits(one: Sequence[str], other: Sequence[str]) -> int:
    if not one or not other:
        return max(len(one), len(other))
    try:
        import jiwer
    except ImportError as error:
        raise MissingExtra("asr", "jiwer") from error
    found = jiwer.process_words(" ".join(one), " ".join(other))
    return int(found.substitutions + found.deletions + found.insertions)


def _rate(edits: int, words: int) -> float:
    return round(edits / words * _STEP) / _STEP if words else 0.0


def _time(match: re.Match[str]) -> str:
    hour, minute = match[1], match[2]
    if minute == "00":
        return f"{_cardinal(hour)} o'clock"
    return f"{_cardinal(hour)} {'oh ' if minute[0] == '0' else ''}{_cardinal(str(int(minute)))}"


def _said(match: re.Match[str]) -> str:
    money, digits, tail = match[1], match[2].replace(",", ""), (match[3] or "").casefold()
    if tail in {"st", "nd", "rd", "th"}:
        return str(_inflect().ordinal(_cardinal(digits)))
    words = _cardinal(digits) if len(digits) != 4 or "," in match[2] or money else digits
    return f"{words}{' percent' if tail == '%' else ''}{f' {_MONEY[money]}' if money else ''}"


def _cardinal(digits: str) -> str:
    return str(_inflect().number_to_words(digits, andword="")).replace("-", " ").replace(",", "")


@cache
def _inflect() -> inflect.engine:
    try:
        from inflect import engine
    except ImportError as error:
        raise MissingExtra("asr", "inflect") from error
    return engine()
