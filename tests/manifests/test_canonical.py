"""One spelling of every value."""

from __future__ import annotations

import json
import math
import unicodedata
from types import MappingProxyType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from earmark.manifests.canonical import canonical_cell, canonical_json, json_text
from earmark.manifests.tables import Side

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
NFC = TEXT.map(lambda text: unicodedata.normalize("NFC", text))
NUMBERS = st.integers(-(1 << 63), (1 << 63) - 1) | st.floats(allow_nan=False, allow_infinity=False)
SCALARS = st.none() | st.booleans() | NUMBERS | NFC
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(NFC, inner, max_size=4), max_leaves=12
)
CELLS = st.recursive(st.none() | st.booleans() | NUMBERS | NFC, lambda inner: st.lists(inner, max_size=3), max_leaves=6)


def shuffled(value: object) -> object:
    """The same value, its keys in reverse order and its strings decomposed."""
    match value:
        case str():
            return unicodedata.normalize("NFD", value)
        case dict():
            return {shuffled(name): shuffled(entry) for name, entry in reversed(value.items())}
        case list():
            return tuple(map(shuffled, value))
    return value


@given(VALUES)
def test_round_trip(value: object) -> None:
    assert json.loads(canonical_json(value)) == value
    assert json.loads(json_text(value)) == value


@given(VALUES)
def test_key_order_composition_and_sequence_type_leave_no_trace(value: object) -> None:
    assert canonical_json(shuffled(value)) == canonical_json(value)
    assert json_text(shuffled(value)) == json_text(value)


@given(VALUES)
def test_reading_and_spelling_again_changes_nothing(value: object) -> None:
    spelt = canonical_json(value)
    assert canonical_json(json.loads(spelt)) == spelt
    assert b"\n" not in spelt


@given(VALUES, VALUES)
def test_different_values_have_different_spellings(one: object, other: object) -> None:
    same = repr(one).replace("-0.0", "0.0") == repr(other).replace("-0.0", "0.0")
    if same or one != other:
        assert (canonical_json(one) == canonical_json(other)) == same


def test_examples() -> None:
    assert (
        canonical_json({"b": -0.0, "a": ["e\u0301", True, None, 1, 1e22]})
        == '{"a":["é",true,null,1,1e+22],"b":0.0}'.encode()
    )
    assert canonical_json(MappingProxyType({"a": ()})) == b'{"a":[]}'
    assert json_text({"b": 1, "a": -0.0}) == '{\n  "a": 0.0,\n  "b": 1\n}\n'


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_what_is_no_number_is_refused(number: float) -> None:
    with pytest.raises(ValueError, match="JSON compliant"):
        canonical_json({"a": [number]})
    with pytest.raises(ValueError, match="JSON compliant"):
        json_text([number])


def test_keys_that_compose_to_one_are_refused() -> None:
    with pytest.raises(ValueError, match="two keys are the same in NFC"):
        canonical_json({"é": 1, "e\u0301": 2})


def test_half_a_character_is_refused() -> None:
    with pytest.raises(ValueError, match="surrogates not allowed"):
        canonical_json("\ud800")


@given(st.lists(CELLS, max_size=5), st.lists(CELLS, max_size=5))
def test_rows_never_run_together(one: list[object], other: list[object]) -> None:
    spelt = [b"".join(map(canonical_cell, row)) for row in (one, other)]
    same = repr(one).replace("-0.0", "0.0") == repr(other).replace("-0.0", "0.0")
    assert (spelt[0] == spelt[1]) == same


@pytest.mark.parametrize(
    ("cell", "spelt"),
    [
        (None, b"-"),
        (True, b"t"),
        (False, b"f"),
        (0, b"i1:0"),
        (-12, b"i3:-12"),
        (-0.0, b"f3:0.0"),
        (0.1, b"f3:0.1"),
        (math.inf, b"f3:inf"),
        ("", b"s0:"),
        ("e\u0301", b"s2:\xc3\xa9"),
        (Side.PUBLIC, b"s6:public"),
        ([], b"[0:"),
        (["a", None], b"[2:s1:a-"),
    ],
)
def test_cells(cell: object, spelt: bytes) -> None:
    assert canonical_cell(cell) == spelt


def test_cells_without_a_form() -> None:
    with pytest.raises(ValueError, match="use null"):
        canonical_cell(math.nan)
    with pytest.raises(TypeError, match="bytes"):
        canonical_cell(b"x")
