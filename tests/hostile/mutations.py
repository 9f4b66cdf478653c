"""Files of noise and sound files that were spoilt: spliced, flipped, doubled, cut, put together, packed and cut again."""

from __future__ import annotations

import struct
from typing import NamedTuple

from hypothesis import strategies as st
from tests.hostile.case import IDS, lines, row
from tests.hostile.case import sound as json_rows
from tests.hostile.containers import gz, zst
from tests.hostile.corpus import CASES
from tests.hostile.csv_files import HEAD
from tests.hostile.csv_files import file as csv_file
from tests.hostile.csv_files import sound as csv_rows
from tests.hostile.parquet_files import sound as parquet_file


class Upload(NamedTuple):
    """A file as it would be sent."""

    suffix: str
    data: bytes


SOUND = {
    ".jsonl": (
        lines('{"earmark":{"judge":{"name":"J","decoding":{"temperature":0.5}}}}', *json_rows()),
        lines(*(row(n, probability=0.5, run=1, evidence=["a", 'é "b"'], latency_s=1.5) for n in range(len(IDS)))),
        lines(row(0, choice=None, response='{"choice": "P"}'), *json_rows(1), end="\r\n"),
    ),
    ".csv": (
        csv_file(HEAD, *csv_rows()),
        csv_file(f"{HEAD},response,evidence,run", *(f'{id},,,"a ""{{}}""\nb","[""x""]",2' for id in IDS), end="\r\n"),
    ),
    ".parquet": (
        parquet_file(),
        parquet_file(probability=[0.5, 0.25, 1.0, 0.0], evidence=[["a"], None, [], ["b", "c"]], run=[0, 1, 2, 3]),
    ),
}
"""Files without a finding, by their suffix."""

PIECES = [
    b'"', b"\\", b"{", b"}", b"[", b"]", b",", b":", b"\n", b"\r", b"\r\n", b" ", b"\t", b"\0", b"\x0b", b"\xff", b"\xc3",
    b"\xef\xbb\xbf", b"\xed\xa0\x80", b"\xe2\x80\xa8", b"\xc2\x85", b"\\u0000", b"\\ud800", b"\\u0063hoice", b"NaN",
    b"-Infinity", b"1e999", b"-0", b"9" * 25, b"true", b"null", b'"run":1,', b'"choice":"N",', b"[" * 70, b'{"a":' * 70,
    b'{"earmark":{}}\n', b"=1+1", b'""', b";", b"PAR1", b"PARE", b"\x1f\x8b\x08\0", b"\x28\xb5\x2f\xfd", b"PK\x03\x04",
    IDS[0].encode(), IDS[1].encode(), "\u0440".encode(), "\u200b".encode(),
]  # fmt: skip
"""What is put into a file."""

_NUMBERS = st.sampled_from([0, 1, 2, 127, 128, 255, (1 << 31) - 1, (1 << 32) - 1]) | st.integers(0, (1 << 32) - 1)


@st.composite
def spoilt(draw: st.DrawFn, data: bytes, most: int = 4) -> bytes:
    """The bytes with up to `most` changes."""
    for _ in range(draw(st.integers(1, most))):
        start = draw(st.integers(0, len(data)))
        end = min(len(data), start + draw(st.integers(0, 40)))
        match draw(st.sampled_from(["insert", "flip", "double", "cut", "end", "begin", "number", "splice", "repeat"])):
            case "insert":
                data = data[:start] + draw(st.sampled_from(PIECES)) + data[start:]
            case "flip" if start < len(data):
                data = data[:start] + bytes([data[start] ^ 1 << draw(st.integers(0, 7))]) + data[start + 1 :]
            case "double":
                data = data[:end] + data[start:end] + data[end:]
            case "cut":
                data = data[:start] + data[end:]
            case "end":
                data = data[:start]
            case "begin":
                data = data[start:]
            case "number":
                data = data[:start] + struct.pack("<I", draw(_NUMBERS)) + data[start + 4 :]
            case "splice":
                other = draw(st.sampled_from(SOUND[draw(st.sampled_from(sorted(SOUND)))]))
                at = draw(st.integers(0, len(other)))
                data = data[:start] + other[at : at + 200] + data[end:]
            case "repeat" if start < end:
                data = data[:start] + data[start:end] * draw(st.integers(2, 50)) + data[end:]
    return data


@st.composite
def uploads(draw: st.DrawFn) -> Upload:
    """Noise, spoilt sound files, spoilt hostile ones, rows of several kinds in one file; packed at times, and spoilt again."""
    suffix = draw(st.sampled_from(sorted(SOUND)))
    kind = draw(st.sampled_from(["noise", "spoilt", "spoilt", "spoilt", "hostile", "mixed"]))
    if kind == "noise":
        data = draw(st.binary(max_size=300) | st.lists(st.sampled_from(PIECES), max_size=30).map(b"".join))
    elif kind == "hostile":
        case = draw(st.sampled_from([case for case in CASES if case.suffix in SOUND and len(case.data) < 5000]))
        suffix, data = case.suffix, draw(spoilt(case.data, 2))
    elif kind == "mixed":
        suffix = ".jsonl"
        rows = [
            line for case in CASES if case.suffix == suffix and len(case.data) < 1000 for line in case.data.split(b"\n")
        ]
        data = b"\n".join(draw(st.lists(st.sampled_from(rows), max_size=12)))
    else:
        data = draw(spoilt(draw(st.sampled_from(SOUND[suffix]))))
    packed = draw(st.sampled_from(["", "", "", "gzip", "zstd", "gzip gzip"]))
    if packed.startswith("gzip"):
        data, suffix = gz(data), draw(st.sampled_from([suffix, f"{suffix}.gz"]))
    if packed == "zstd":
        data, suffix = zst(data), draw(st.sampled_from([suffix, f"{suffix}.zst"]))
    if packed and draw(st.booleans()):
        data = draw(spoilt(data, 2))
    if packed == "gzip gzip":
        data = gz(data)
    return Upload(suffix, data)
