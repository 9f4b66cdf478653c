"""Pauses: as the server asks, else doubling between bounds, the same for the same call."""

from __future__ import annotations

from datetime import UTC, datetime

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from earmark.builders.ledger.retries import RetriesSection, asked_to_wait

NOW = datetime(2026, 11, 30, 12, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "2"}, 2.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5),
        ({"retry-after": "Mon, 30 Nov 2026 12:00:30 GMT"}, 30.0),
        ({"retry-after": "Mon, 30 Nov 2026 11:00:00 GMT"}, 0.0),
        ({"retry-after": "Mon, 30 Nov 2026 12:00:30 -0000"}, 30.0),
        ({"retry-after": "-3"}, 0.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after-ms": "soon", "retry-after": "4"}, 4.0),
    ],
)
def test_what_a_server_asks_for_is_understood(headers: dict[str, str], seconds: float | None) -> None:
    assert asked_to_wait(headers, NOW) == seconds


@given(st.text(max_size=40))
def test_nothing_that_a_server_says_crashes(said: str) -> None:
    seconds = asked_to_wait({"retry-after": said}, NOW)
    assert seconds is None or seconds >= 0


@given(st.text("0123456789abcdef", min_size=1, max_size=8), st.integers(1, 2000))
def test_pauses_double_up_to_the_longest(key: str, failures: int) -> None:
    section = RetriesSection(first_s=0.5, most_s=60.0)
    whole = min(60.0, 0.5 * 2 ** min(failures - 1, 20))
    assert whole / 2 <= section.pause(key, failures) <= whole
    assert section.pause(key, failures) == section.pause(key, failures)


def test_calls_that_failed_together_come_back_apart() -> None:
    section = RetriesSection()
    assert len({section.pause(str(call), 1) for call in range(50)}) == 50


@pytest.mark.parametrize("section", [{"tries": 0}, {"tries": 101}, {"first_s": 0}, {"first_s": 5, "most_s": 4}])
def test_the_section_is_checked(section: dict[str, float]) -> None:
    with pytest.raises(msgspec.ValidationError, match=next(iter(section))):
        msgspec.convert(section, RetriesSection)
