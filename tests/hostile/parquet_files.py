"""Hostile Parquet files: types, nesting, dictionaries, groups, metadata that lie, bytes that are damaged or encrypted."""

from __future__ import annotations

import io
from collections.abc import Mapping

import pyarrow as pa
import pyarrow.parquet as pq
from tests.hostile.case import IDS, MOST_BYTES, MOST_ROWS, SOME, Case
from tests.support.thrift import changed_footer

_N = len(IDS)
_P = ["P"] * _N


def written(columns: Mapping[str, pa.Array | list[object]], **options: object) -> bytes:
    """A table as the bytes of a Parquet file."""
    sink = io.BytesIO()
    pq.write_table(pa.table(dict(columns)), sink, **options)  # type: ignore[arg-type]  # passed on
    return sink.getvalue()


def sound(**columns: pa.Array | list[object]) -> bytes:
    """Sound rows for all presentations, with columns changed or added."""
    return written({"presentation_id": pa.array(IDS), "choice": pa.array(_P), **columns})


def _case(name: str, data: bytes, codes: Mapping[str, int], why: str, *, exit: int = 1) -> Case:
    return Case(f"parquet-{name}", ".parquet", data, codes, exit, why)


def _typed(name: str, data: bytes, why: str, *, codes: Mapping[str, int] = {"column-type": 1}) -> Case:
    return _case(f"type-{name}", data, {**codes, "missing": 4}, why)


def _footer(data: bytes, length: int) -> bytes:
    """The file with another length of its footer."""
    return data[:-8] + length.to_bytes(4, "little") + data[-4:]


def _flipped(data: bytes, at: int) -> bytes:
    return data[:at] + bytes([data[at] ^ 0xFF]) + data[at + 1 :]


def _groups(*sizes: int) -> bytes:
    """Row groups of as many rows, empty ones among them."""
    sink, start = io.BytesIO(), 0
    schema = pa.schema([("presentation_id", pa.string()), ("choice", pa.string())])
    with pq.ParquetWriter(sink, schema) as writer:
        for size in sizes:
            part = list(IDS[start : start + size])
            writer.write_table(pa.table([part, ["P"] * size], schema=schema))
            start += size
    return sink.getvalue()


_SOUND = sound()
_DICTIONARY = pa.DictionaryArray.from_arrays(pa.array([0, None, 1, 0], pa.int32()), pa.array(["P", "N"]))
_LONG = "x" * 60_000
_UUID = pa.ExtensionArray.from_storage(pa.uuid(), pa.array([bytes(16)] * _N, pa.binary(16)))

TYPES = (
    _typed("binary-id", sound(presentation_id=pa.array([id.encode() for id in IDS])), "bytes, perhaps no text"),
    _typed("struct-choice", sound(choice=[{"pole": "P"}] * _N), "a nested type"),
    _typed("list-choice", sound(choice=[["P"]] * _N), "a list for a text"),
    _typed(
        "map", sound(evidence=pa.array([[("a", "b")]] * _N, pa.map_(pa.string(), pa.string()))), "a mapping for a list"
    ),
    _typed("deep-list", sound(evidence=[[[["a"]]]] * _N), "lists in lists"),
    _typed("list-of-numbers", sound(evidence=[[0.5]] * _N), "a list of numbers for one of texts"),
    _typed("uuid", sound(presentation_id=_UUID), "an extension type"),
    _typed("bool-run", sound(run=pa.array([True] * _N)), "truth for a number"),
    _typed("bool-probability", sound(probability=pa.array([True] * _N)), "truth for a number"),
    _typed("decimal", sound(probability=pa.array([0, 0, 0, 0], pa.decimal128(5, 2))), "another kind of number"),
    _typed("date", sound(latency_s=pa.array([0] * _N, pa.date32())), "a date for seconds"),
    _typed("timestamp", sound(latency_s=pa.array([0] * _N, pa.timestamp("ns", "UTC"))), "a time for seconds"),
    _typed("duration", sound(latency_s=pa.array([0] * _N, pa.duration("s"))), "a duration for seconds"),
    _typed("text-number", sound(probability=["0.5"] * _N), "digits for a number"),
    _typed("two-wrong", sound(run=["0"] * _N, status=[b"ok"] * _N), "both at once", codes={"column-type": 2}),
    _typed("unknown-column", sound(gold=_P), "a column of answers", codes={"bad-columns": 1}),
    _typed("no-id", written({"choice": _P}), "aligned by order", codes={"bad-columns": 1}),
    _typed("no-column", written({}), "no column", codes={"bad-columns": 1}),
)

VALUES = (
    _case("sound", _SOUND, {}, "as it should be", exit=0),
    _case("dictionary-nulls", sound(choice=_DICTIONARY), {"no-answer": 1}, "a null index"),
    _case("null-ids", sound(presentation_id=pa.array([None, *IDS[1:]])), {"no-id": 1, "missing": 1}, "an outer join"),
    _case("all-null", sound(presentation_id=pa.nulls(_N)), {"no-id": 4, "missing": 4}, "a column of nothing"),
    _case("null-choice", sound(choice=pa.nulls(_N)), {"no-answer": 4}, "a column of nothing"),
    _case("nan", sound(probability=[float("nan"), 0.5, 0.5, 0.5]), {"nan": 1}, "a data frame's absent value"),
    _case("infinity", sound(probability=[float("inf"), float("-inf"), 0.5, 0.5]), {"infinity": 2}, "beyond all"),
    _case("minus-zero", sound(probability=[-0.0, 0.0, 0.5, 0.5]), {}, "equal, with other bytes", exit=0),
    _case("half-float", sound(probability=pa.array([0.5] * _N, pa.float16())), {}, "narrow, and exact here", exit=0),
    _case("run-float", sound(run=[0.0, 0.0, 0.0, 0.0]), {}, "a data frame's whole numbers", exit=0),
    _case("run-half", sound(run=[0.5, 0.0, 0.0, 0.0]), {"wrong-type": 1}, "int() makes 0 of it"),
    _case(
        "run-huge", sound(run=pa.array([(1 << 64) - 1, 0, 0, 0], pa.uint64())), {"number-overflow": 1}, "−1 in 64 bits"
    ),
    _case("run-negative", sound(run=[-1, 0, 0, 0]), {"out-of-range": 1}, "an index from the end"),
    _case(
        "nul",
        sound(choice=[None] * _N, response=["a\0b"] + ['{"choice":"P"}'] * 3),
        {"nul": 1},
        "C ends the text there",
    ),
    _case("choice-space", sound(choice=["P ", "P", "P", "P"]), {"unknown-value": 1}, "a space after"),
    _case(
        "homoglyph",
        sound(presentation_id=["\u0440" + IDS[0][1:], *IDS[1:]]),
        {"homoglyph-id": 1, "missing": 1},
        "it looks right",
    ),
    _case("evidence-five", sound(evidence=[list("abcde")] + [["a"]] * 3), {"too-long": 1}, "one more than allowed"),
    _case("evidence-null-entry", sound(evidence=[[None], ["a"], ["a"], ["a"]]), {"wrong-type": 1}, "nothing in a list"),
    _case(
        "repeated",
        written({"presentation_id": [*IDS, IDS[0]], "choice": ["P"] * 5}),
        {"repeated": 1},
        "counted twice",
        exit=0,
    ),
    _case(
        "conflicting",
        written({"presentation_id": [*IDS, IDS[0]], "choice": [*_P, "N"]}),
        {"conflicting": 1},
        "the last wins",
    ),
    _case(
        "metadata",
        written({"presentation_id": list(IDS), "choice": _P}, store_schema=False),
        {},
        "no Arrow schema",
        exit=0,
    ),
    _case(
        "long-list",
        sound(evidence=pa.array([[None] * 50_000, [], [], []], pa.list_(pa.string()))),
        {"too-long": 1, "missing": 4},
        "a few bytes for many nulls",
    ),
    _case(
        "long-texts",
        written({"presentation_id": [IDS[0]] * 1000, "choice": [None] * 1000, "response": [_LONG] * 1000}),
        {"too-large": 1, "missing": 4},
        "one text a thousand times is a dictionary of one",
    ),
    _case(
        "many-rows",
        written(
            {
                "presentation_id": [IDS[0]] * (MOST_ROWS + 5),
                "run": range(MOST_ROWS + 5),
                "choice": ["P"] * (MOST_ROWS + 5),
            }
        ),
        {"too-many-rows": 1, "missing": 3},
        "a run each",
    ),
    _case("empty-groups", _groups(0, 2, 0, 2, 0), {}, "groups without rows", exit=0),
    _case("no-groups", _groups(), {"empty": 1, "missing": 4}, "no group at all"),
    _case("only-empty-groups", _groups(0, 0), {"empty": 1, "missing": 4}, "no row at all"),
)


def _broken(name: str, data: bytes, why: str) -> Case:
    return _case(name, data, {"not-parquet": 1, "missing": 4}, why)


def declaring_rows(rows: int) -> bytes:
    """A file whose footer says that it holds so many rows: Thrift's field 3, a zigzag varint, follows the schema."""
    honest = sound()
    metadata = honest[-8 - int.from_bytes(honest[-8:-4], "little") : -8]
    # Field 3 of the file's metadata (delta 1, type i64) holds 4 rows, zigzag 8; the list of row groups (0x19) follows.
    at = metadata.index(b"\x16\x08\x19")
    number, varint = rows << 1, b""
    while number > 0x7F:
        varint, number = varint + bytes([number & 0x7F | 0x80]), number >> 7
    lying = metadata[: at + 1] + varint + bytes([number]) + metadata[at + 2 :]
    return honest[: len(honest) - 8 - len(metadata)] + lying + len(lying).to_bytes(4, "little") + b"PAR1"


DAMAGED = (
    _broken("empty", b"", "nothing at all"),
    _broken("magic-only", b"PAR1", "four bytes"),
    _broken("magic-twice", b"PAR1PAR1", "nothing between"),
    _broken("bad-magic", b"PAR2" + _SOUND[4:-4] + b"PAR2", "another format"),
    _broken("encrypted-footer", _SOUND[:-4] + b"PARE", "it says that a key is needed"),
    _broken("truncated", _SOUND[: len(_SOUND) // 2], "an upload broke off"),
    _broken("no-footer", _SOUND[:-8], "the end is gone"),
    _broken("footer-zero", _footer(_SOUND, 0), "a footer of nothing"),
    _broken("footer-beyond", _footer(_SOUND, 1 << 20), "it begins before the file"),
    _broken("footer-4-gigabytes", _footer(_SOUND, 0xFFFFFFFF), "memory for four gigabytes"),
    _broken("footer-noise", b"PAR1" + b"\xff" * 64 + (64).to_bytes(4, "little") + b"PAR1", "no Thrift"),
    _broken("text", b'{"presentation_id":"p","choice":"P"}\n', "JSON Lines under another name"),
    _case(
        "huge-rows", declaring_rows(1 << 40), {"not-parquet": SOME, "missing": 4}, "memory for a million million rows"
    ),
    _case("negative-rows", declaring_rows((1 << 63) - 1), {"not-parquet": SOME, "missing": 4}, "a count beyond all"),
    _case(
        "long-evidence",
        written({"presentation_id": [IDS[0]] * 1000, "evidence": [[_LONG] * 2] * 1000}),
        {"too-large": 1, "missing": 4},
        "one text a thousand times, in lists",
    ),
    _case(
        "small-by-its-footer",
        changed_footer(
            written({"presentation_id": IDS, "response": [_LONG * 2] * _N}, use_dictionary=False, compression="zstd"),
            total_byte_size=99,
            total_uncompressed_size=99,
        ),
        {"too-large": 1, "missing": 4},
        "a page that comes to what its column does not say",
    ),
    _case(
        "short-by-its-footer",
        changed_footer(sound(evidence=pa.array([[None] * 50_000, [], [], []], pa.list_(pa.string()))), num_values=4),
        {"not-parquet": 1, "missing": 4},
        "many nulls in a list that says it has none",
    ),
    _case(
        "histogram",
        changed_footer(sound(evidence=[["a"]] * _N), histogram=[1, 2]),
        {"not-parquet": 1, "missing": 4},
        "Arrow ends the process where it is asked what this says",
    ),
    _case("trailing", _SOUND + b"\0" * 16, {"not-parquet": 1, "missing": 4}, "bytes after the end"),
)

CASES: tuple[Case, ...] = (*TYPES, *VALUES, *DAMAGED)
assert 1000 * len(_LONG) > MOST_BYTES
