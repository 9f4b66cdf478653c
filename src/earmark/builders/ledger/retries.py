"""When a call is sent again: as the server asks, else later and later, and not for ever."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

import msgspec

MOST_TRIES = 100
"""Most tries that a recipe can ask for."""


class RetriesSection(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[retries]`: how often and when a call is sent again.

    Args:
        tries: Most tries of a call in one run, the first among them.
        first_s: Pause after the first failure, s; it doubles with each.
        most_s: Longest pause, s. A server that asks for more is not waited for.

    Raises:
        ValueError: If a value is out of its range.
    """

    tries: int = 6
    first_s: float = 1.0
    most_s: float = 120.0

    def __post_init__(self) -> None:
        if not 1 <= self.tries <= MOST_TRIES:
            raise ValueError(f"tries {self.tries} must be 1 to {MOST_TRIES}")
        if not 0 < self.first_s <= self.most_s <= 86_400:
            raise ValueError(f"first_s {self.first_s} and most_s {self.most_s} must be 0 < first_s ≤ most_s ≤ 86400")

    def pause(self, key: str, failures: int) -> float:
        """Pause before the next try where the server names none, s.

        Between half of the doubled pause and all of it, by a hash of the call, so that calls that failed together do not
        come back together.

        Args:
            key: The call's key.
            failures: How often it has failed in this run, at least 1.
        """
        whole = min(self.most_s, self.first_s * 2.0 ** min(failures - 1, 60))
        drawn = hashlib.blake2b(f"{key} {failures}".encode(), digest_size=4).digest()
        return whole * (0.5 + int.from_bytes(drawn, "big") / 2**33)


def asked_to_wait(headers: Mapping[str, str], now: datetime | None = None) -> float | None:
    """How long a server asks to wait, s: its `retry-after-ms`, or `retry-after` as seconds or as a date.

    Args:
        headers: The answer's headers, their names in lower case or a mapping that does not mind.
        now: The present time; the clock's without.

    Returns:
        0 or more; None where it asks for nothing, or for nothing that can be read.
    """
    for name, divisor in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        if (said := headers.get(name)) is not None:
            try:
                seconds = float(said) / divisor
            except ValueError:
                seconds = _until(said, now)
            if math.isfinite(seconds):
                return max(0.0, seconds)
    return None


def _until(said: str, now: datetime | None) -> float:
    try:
        then = parsedate_to_datetime(said)
    except (ValueError, TypeError, IndexError, OverflowError):  # all of them happen to odd dates
        return math.nan
    if then.tzinfo is None:  # "-0000", a time of no known zone
        then = then.replace(tzinfo=UTC)
    return (then - (now or datetime.now(UTC))).total_seconds()
