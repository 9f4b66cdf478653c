"""Strict JSON: what two readers could read differently is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from earmark.manifests.strict import (
    MOST_NESTING,
    Fault,
    Noted,
    NotStrictJson,
    examined_json,
    read_strict_json,
    strict_json,
)

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(1 << 63), (1 << 63) - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=12,
)
PIECES = st.lists(
    st.sampled_from([*'{}[],:"\\ 1e+-.', '"a"', "null", "NaN", "\\ud800", "9" * 20, "e999", "é"]), max_size=14
)


@given(VALUES, st.booleans(), st.sampled_from([None, 1]))
def test_good_json_is_read_as_the_standard_library_reads_it(value: object, ascii: bool, indent: int | None) -> None:
    text = json.dumps(value, ensure_ascii=ascii, indent=indent)
    assert repr(strict_json(text.encode())) == repr(json.loads(text)) == repr(value)


@given(PIECES.map("".join).map(str.encode) | st.binary(max_size=12))
def test_anything_is_read_or_refused(data: bytes) -> None:
    try:
        value = strict_json(data)
    except NotStrictJson as error:
        assert str(error)  # noqa: PT017 - the other branch asserts too
    else:
        assert repr(value) == repr(json.loads(data.decode()))
        json.dumps(value, ensure_ascii=False, allow_nan=False).encode()


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "Expecting value at line 1, column 1"),
        (b"{", "Expecting property name"),
        (b"[1,]", "column 3|column 4"),
        (b"1 2", "Extra data at line 1, column 3"),
        (b'"a\nb"', "Invalid control character"),
        (b"\xff", "not UTF-8: invalid start byte at byte 0"),
        (b"\xef\xbb\xbf1", "BOM"),
        (b'"\xed\xa0\x80"', "not UTF-8"),
        (b'{"a":1,"b":{"c":1,"c":1}}', "the key 'c' stands twice in one object"),
        (b'{"a":1,"\\u0061":1}', "the key 'a' stands twice"),
        (b"[NaN]", "NaN is not a JSON number"),
        (b"-Infinity", "-Infinity is not a JSON number"),
        (b"[1e999]", "the number 1e999 is not finite"),
        (b"9223372036854775808", "needs more than 64 bits"),
        (b"-9223372036854775809", "needs more than 64 bits"),
        (b"1" * 10_000, "the number 11111111111111111111… needs more than 64 bits"),
        (b'"\\ud800"', r"a lone surrogate, U\+D800"),
        (b'{"a":["\\udc00x"]}', r"a lone surrogate, U\+DC00"),
        (b'{"\\ud83d":1}', r"a lone surrogate, U\+D83D"),
        (b"[" * 65 + b"]" * 65, "nested deeper than 64"),
        (b'{"a":' * 100_000, "nested deeper than 64"),
        (b"[" * 100_000, "nested deeper than 64"),
    ],
    ids=lambda part: repr(part[:20]),
)
def test_each_bad_thing_is_refused(data: bytes, says: str) -> None:
    with pytest.raises(NotStrictJson, match=says) as refused:
        strict_json(data)
    assert len(str(refused.value)) < 200


def test_the_edges_that_are_good() -> None:
    assert strict_json(b"9223372036854775807") == 2**63 - 1
    assert strict_json(b"-9223372036854775808") == -(2**63)
    assert strict_json(b'"\\ud83d\\ude00 \\\\ud800"') == "😀 \\ud800"
    assert strict_json(b'{"\\u00e9":["\\u0041",null]}') == {"é": ["A", None]}
    deep: object = strict_json(b"[" * MOST_NESTING + b"]" * MOST_NESTING)
    for _ in range(MOST_NESTING - 1):
        assert isinstance(deep, list)
        deep = deep[0]
    assert deep == []


def test_many_keys_of_which_the_last_stands_twice() -> None:
    # 10¹⁰ comparisons if each key were counted by itself: this would not end.
    names = ",".join(f'"{n}":0' for n in range(200_000))
    with pytest.raises(NotStrictJson, match="'199999' stands twice"):
        strict_json(f'{{{names},"199999":0}}'.encode())


def test_files(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(b'{"a": 1}')
    assert read_strict_json(path) == {"a": 1}
    assert read_strict_json(path, most_bytes=8) == {"a": 1}
    with pytest.raises(NotStrictJson, match="larger than 7 bytes"):
        read_strict_json(path, most_bytes=7)


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        (b"\xff", Fault.ENCODING),
        (b"[", Fault.SYNTAX),
        (b"[" * 65 + b"]" * 65, Fault.NESTING),
        (b"[" * 100_000, Fault.NESTING),
        (b'{"a":1,"a":1}', Fault.REPEATED_KEY),
        (b"NaN", Fault.NAN),
        (b"-Infinity", Fault.INFINITY),
        (b"1e999", Fault.OVERFLOW),
        (b"9223372036854775808", Fault.OVERFLOW),
        (b'"\\ud800"', Fault.SURROGATE),
    ],
    ids=lambda part: repr(part[:20]),
)
def test_the_kind_of_fault_is_named(data: bytes, fault: Fault) -> None:
    with pytest.raises(NotStrictJson) as refused:
        strict_json(data)
    assert refused.value.fault is fault


@given(PIECES.map("".join).map(str.encode) | st.binary(max_size=12))
def test_what_is_examined_is_what_is_read_and_faults_are_why_it_is_not(data: bytes) -> None:
    try:
        value = strict_json(data)
    except NotStrictJson as error:
        if error.fault in (Fault.ENCODING, Fault.SYNTAX, Fault.NESTING):
            with pytest.raises(NotStrictJson) as refused:
                examined_json(data)
            assert refused.value.fault in (Fault.ENCODING, Fault.SYNTAX, Fault.NESTING)
        else:
            try:
                assert error.fault in {noted.fault for noted in examined_json(data).faults}  # noqa: PT017
            except NotStrictJson as later:
                assert later.fault is Fault.SYNTAX  # noqa: PT017 - which stands behind what stopped the other
    else:
        assert examined_json(data) == (value, ())


def test_every_fault_is_noted_with_its_field() -> None:
    examined = examined_json(
        b'{"a":NaN,"b":[1e999,{"c":1,"c":2}],"d":"\\ud800","a":[-Infinity,NaN,NaN],"e":9223372036854775808,"\\udc00":1,"f":1}'
    )
    assert examined.value == {"a": [None] * 3, "b": [None, {"c": 2}], "d": "\ud800", "e": None, "\udc00": 1, "f": 1}
    assert sorted((noted.fault.name, noted.field) for noted in examined.faults) == [
        ("INFINITY", "a"),
        ("NAN", "a"),
        ("OVERFLOW", "b"),
        ("OVERFLOW", "e"),
        ("REPEATED_KEY", "a"),
        ("REPEATED_KEY", "b"),
        ("SURROGATE", "d"),
        ("SURROGATE", "\udc00"),
    ]
    assert examined_json(b"[NaN]") == ([None], (Noted(Fault.NAN, None, "NaN is not a JSON number"),))


def test_a_line_of_nothing_but_faults_has_one_of_each_kind() -> None:
    assert len(examined_json(b'{"a":[' + b'{"b":1,"b":NaN},' * 50_000 + b"1]}").faults) == 2


@pytest.mark.parametrize(
    ("data", "character"),
    [
        (b'{"a":1,}', 8),
        ('{"é":"ü" x}'.encode(), 10),
        ('"é\xff'.encode("latin-1"), 2),
        ('{"é":"'.encode() + b"\xff", 7),
        (b'{"a":"[[[[","b":' + b"[" * 64 + b"]" * 64 + b"}", 80),
        (b"[" * 100_000, 65),
        (b'["\\\\[[","[",' + b"[" * 100 + b"]" * 101, 76),
    ],
)
def test_where_a_text_cannot_be_read_on(data: bytes, character: int) -> None:
    with pytest.raises(NotStrictJson) as refused:
        examined_json(data)
    assert refused.value.character == character


@pytest.mark.parametrize("cell", ["NaN", "1e999", "[NaN]", '{"b":1,"b":1}', '"\\ud800"'])
def test_faults_are_noted_in_so_many_fields_and_no_more(cell: str) -> None:
    line = ("{" + ",".join(f'"k{n}":{cell},"s{n}":"x"' for n in range(60)) + "}").encode()
    assert [noted.field for noted in examined_json(line).faults] == [f"k{n}" for n in range(50)]
