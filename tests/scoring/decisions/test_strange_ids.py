"""Ids that name nothing: what only looks like a valid one is told from what is near one and from what is neither."""

from __future__ import annotations

import base64
import hashlib
import unicodedata

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from earmark.scoring.decisions import strange_ids
from earmark.scoring.decisions.strange_ids import look_alike, look_alikes, nearest_ids, skeleton


def made(number: int) -> str:
    digest = hashlib.blake2b(str(number).encode(), digest_size=17).digest()
    return "p" + base64.b32encode(digest).decode().lower()[:26]


VALID = sorted(made(n) for n in range(1000))
IDS = pa.array(VALID, pa.string())
DISGUISES = {
    "a": "аαɑＡáȧ",
    "c": "сϲＣ",
    "e": "еΕé",
    "i": "іιıⅰI1lӀ",
    "l": "I1iⅼ",
    "o": "оοօO0Ο",
    "p": "рρР",
    "x": "хχⅹ",
    "k": "кΚK",
}


@settings(max_examples=50)
@given(st.integers(0, 999), st.data())
def test_a_disguised_id_is_known_and_the_letter_named(n: int, data: st.DataObject) -> None:
    right = VALID[n]
    at = data.draw(st.sampled_from([k for k, letter in enumerate(right) if letter in DISGUISES]))
    letter = data.draw(st.sampled_from(DISGUISES[right[at]]))
    given = right[:at] + letter + right[at + 1 :]
    assert look_alikes(pa.array([given, "p" * 27]), IDS).tolist() == [n, -1]
    alike = look_alike(given, right)
    assert alike.right == right
    assert (
        alike.where
        == f"U+{ord(letter):04X} {unicodedata.name(letter)} as character {at + 1}, where {right[at]} belongs"
    )


@pytest.mark.parametrize("unseen", [" ", "\u200b", "\u00a0", "\ufeff", "\u2060", "\u00ad", "\u0301", "\t", "\u202e"])
@given(n=st.integers(0, 999), at=st.integers(0, 27))
@settings(max_examples=10)
def test_what_is_not_seen_is_named(n: int, at: int, unseen: str) -> None:
    given = VALID[n][:at] + unseen + VALID[n][at:]
    assert look_alikes(pa.array([given]), IDS).tolist() == [n]
    assert look_alike(given, VALID[n]).where.startswith(f"U+{ord(unseen):04X} ")
    assert look_alike(given, VALID[n]).where.endswith(f"as character {at + 1}, where nothing belongs")


@given(st.integers(0, 999))
@settings(max_examples=20)
def test_cases_and_widths(n: int) -> None:
    right = VALID[n]
    wide = "".join(chr(ord(letter) + 0xFEE0) for letter in right)
    assert look_alikes(pa.array([right.upper(), wide, wide.upper(), f" {right}\r"]), IDS).tolist() == [n] * 4


@given(st.lists(st.text(max_size=30), max_size=8))
def test_both_ways_make_the_same_skeletons(ids: list[str]) -> None:
    sayable = [id for id in ids if id.isascii() or id.encode(errors="replace").decode() == id]
    assert strange_ids._skeletons(pa.array(sayable, pa.string())).to_pylist() == [skeleton(id) for id in sayable]


def test_no_two_ids_of_a_release_look_alike() -> None:
    assert len({skeleton(id) for id in VALID}) == len(VALID)


def slips(right: str, data: st.DataObject) -> str:
    """An id in which one letter was lost, put in, or taken for another, or whose end is missing."""
    at, letter = data.draw(st.integers(0, 26)), data.draw(st.sampled_from("abz27X"))
    return data.draw(
        st.sampled_from(
            [right[:at] + right[at + 1 :], right[:at] + letter + right[at:], right[:at] + letter + right[at + 1 :]]
        )
        | st.integers(18, 26).map(lambda end: right[:end])
        | st.just(right + ".wav")
        | st.just(f"id={right}")
    )


@settings(max_examples=50)
@given(st.integers(0, 999), st.data())
def test_the_nearest_id_is_the_one_that_was_meant(n: int, data: st.DataObject) -> None:
    for valid in (IDS, pa.array(VALID[max(0, n - 20) : n + 1])):
        assert nearest_ids([slips(VALID[n], data), "nothing", ""], valid) == [VALID[n], None, None]


def test_where_nothing_is_valid_or_all_ids_are_alike() -> None:
    assert nearest_ids(["a"], pa.array([], pa.string())) == [None]
    assert look_alikes(pa.array(["a"]), pa.array([], pa.string())).tolist() == [-1]
    assert look_alikes(pa.array([], pa.string()), IDS).tolist() == []
    numbered = pa.array([f"item-{n:06d}" for n in range(2000)])
    assert nearest_ids(["item-", "stem-0000"], numbered) == [None, None]
    assert nearest_ids(["a"], pa.array([str(n) for n in range(300)])) == [None]


def test_an_id_that_grows_into_phrases_is_not_looked_through(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[str] = []
    category = unicodedata.category
    monkeypatch.setattr(unicodedata, "category", lambda letter: looked.append(letter) or category(letter))
    id = "p" + "\ufdfa" * 63
    assert look_alikes(pa.array([id, "\u0440" + "a" * 26]), pa.array(["p" + "a" * 26])).tolist() == [-1, 0]
    assert 0 < len(looked) <= 2 * len(id)
