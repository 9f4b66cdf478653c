"""The cache: what goes in comes out, by samples and settings, and what is damaged is absent."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from earmark.audio.acoustics.measures import Acoustics
from earmark.builders.measuring_cache import VARIABLE, Cache, cache_folder

SOME = Acoustics(seconds=1.5, speech=1.1, clipped=0.0, loudness=-23.456789012345678, mfcc=(-1.25, 1 / 3))


@given(
    st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=13, max_size=13),
    st.none() | st.floats(allow_nan=False, allow_infinity=False),
)
def test_figures_come_back_to_the_last_bit(mfcc: list[float], loudness: float | None) -> None:
    kept = replace(SOME, mfcc=tuple(mfcc), loudness=loudness)
    store = Cache.__new__(Cache)
    store._settings, store._database = "s", sqlite3.connect(":memory:")
    store._database.execute("CREATE TABLE acoustics (pcm_hash, settings, measured, PRIMARY KEY (pcm_hash, settings))")
    with store:
        store.put([("a", kept)])
        assert store.get("a") == kept


def test_samples_and_settings_are_the_key(tmp_path: Path) -> None:
    with Cache(tmp_path / "deep" / "down", "one") as store:
        store.put([("a", SOME), ("b", replace(SOME, seconds=2.0))])
    with Cache(tmp_path / "deep" / "down", "one") as again, Cache(tmp_path / "deep" / "down", "two") as other:
        assert again.known() == {"a": SOME, "b": replace(SOME, seconds=2.0)}
        assert (again.get("c"), other.get("a"), other.known()) == (None, None, {})
        other.put([("a", replace(SOME, seconds=3.0))])
        assert again.get("a") == SOME


def test_another_process_may_write_between(tmp_path: Path) -> None:
    with Cache(tmp_path, "s") as one, Cache(tmp_path, "s") as two:
        one.put([("a", SOME)])
        assert two.get("a") == SOME
        two.put([("a", SOME), ("b", SOME)])
        assert one.known().keys() == {"a", "b"}


@pytest.mark.parametrize("damage", [b"{", b"[]", b"\xff\xfe", b'{"seconds": "x"}', b'{"clipped": 0}', 7, None])
def test_a_damaged_row_is_absent_and_can_be_written_anew(damage: bytes | int | None, tmp_path: Path) -> None:
    with Cache(tmp_path, "s") as store:
        store.put([("a", SOME)])
        with store._database:
            store._database.execute("UPDATE acoustics SET measured = ?", (b"" if damage is None else damage,))
        assert store.get("a") is None
        assert store.known() == {}
        store.put([("a", SOME)])
        assert store.get("a") == SOME


def test_nothing_to_keep_is_no_transaction(tmp_path: Path) -> None:
    with Cache(tmp_path, "s") as store:
        store.put([])
        assert store.known() == {}


def test_what_is_no_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / "acoustics.sqlite").write_bytes(b"no database" * 1000)
    with pytest.raises(sqlite3.Error):
        Cache(tmp_path, "s")


def test_the_folder_is_named_by_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    assert cache_folder() == tmp_path
    for nothing in ("", "  "):
        monkeypatch.setenv(VARIABLE, nothing)
        assert cache_folder() is None
    monkeypatch.delenv(VARIABLE)
    assert cache_folder() is None
