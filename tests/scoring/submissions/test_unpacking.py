"""gzip and zstd: the same rows as without them, what stands before damage, and an end to what expands without one."""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Callable, Iterator
from typing import BinaryIO

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.predictions import rows_of

from earmark.manifests.findings import Findings
from earmark.scoring.submissions import unpacking, zstd_frames
from earmark.scoring.submissions.collecting import Collector
from earmark.scoring.submissions.containers import Packing
from earmark.scoring.submissions.csv_file import read_csv
from earmark.scoring.submissions.lines import read_lines
from earmark.scoring.submissions.rows import Limits, Rules
from earmark.scoring.submissions.unpacking import Damaged, Piece, Unpacking, gunzipped, unframed

TEXT = b"".join(b'{"presentation_id":"p%d","choice":"%s"}\n' % (n * n, b"PN"[n % 2 : n % 2 + 1]) for n in range(6000))


def zstd(data: bytes) -> bytes:
    return bytes(pa.compress(data, "zstd", asbytes=True))


WAYS = {Packing.GZIP: (gzip.compress, gunzipped), Packing.ZSTD: (zstd, unframed)}
Way = tuple[Callable[[bytes], bytes], Callable[[BinaryIO], Iterator[Piece]]]


@pytest.fixture(params=list(WAYS))
def way(request: pytest.FixtureRequest) -> Way:
    return WAYS[request.param]


def unpacked(way: Way, data: bytes) -> tuple[bytes, str | None]:
    """What comes out, and what is said where it cannot be read on."""
    given: list[bytes] = []
    try:
        given += (piece.data for piece in way[1](io.BytesIO(data)))
    except Damaged as error:
        return b"".join(given), str(error)
    return b"".join(given), None


def test_several_in_a_row_are_one_text(way: Way) -> None:
    pack = way[0]
    assert unpacked(way, pack(TEXT)) == (TEXT, None)
    assert unpacked(way, pack(TEXT[:9]) + pack(b"") + pack(TEXT[9:])) == (TEXT, None)


def test_zeros_behind_gzip_are_padding_and_nothing_else_is() -> None:
    way: Way = WAYS[Packing.GZIP]
    assert unpacked(way, gzip.compress(TEXT) + bytes(70_000)) == (TEXT, None)
    assert unpacked(way, gzip.compress(TEXT) + b"more") == (TEXT, "bytes that are no gzip stand behind it")


def test_skippable_frames_are_skipped_and_nothing_else_is() -> None:
    way: Way = WAYS[Packing.ZSTD]
    skipped = b"\x53\x2a\x4d\x18\x03\0\0\0abc"
    assert unpacked(way, skipped + zstd(TEXT) + skipped * 2) == (TEXT, None)
    assert unpacked(way, zstd(TEXT) + b"more") == (TEXT, "bytes that are no zstd stand behind it")


@pytest.mark.parametrize("length", [4, (1 << 32) - 1])
def test_a_skippable_frame_ends_with_the_file_at_the_latest(length: int) -> None:
    way: Way = WAYS[Packing.ZSTD]
    longer = b"\x50\x2a\x4d\x18" + length.to_bytes(4, "little") + b"abc"
    said = f"cut off in a skipped frame of {length} bytes"
    assert unpacked(way, zstd(TEXT) + longer) == (TEXT, said)
    assert unpacked(way, longer) == (b"", said)
    assert unpacked(way, zstd(TEXT) + longer[:6]) == (TEXT, f"cut off after {len(zstd(TEXT)) + 6} bytes")


@settings(max_examples=25)
@given(st.sampled_from(list(WAYS)), st.data())
def test_a_file_that_was_cut_gives_what_it_has(packing: Packing, data: st.DataObject) -> None:
    way: Way = WAYS[packing]
    packed = way[0](TEXT)
    text, said = unpacked(way, packed[: data.draw(st.integers(1, len(packed) - 1))])
    assert TEXT.startswith(text)
    assert said is not None
    assert said.startswith("cut off")


@settings(max_examples=25)
@given(st.sampled_from(list(WAYS)), st.data())
def test_damage_is_found_or_changes_the_text(packing: Packing, data: st.DataObject) -> None:
    way: Way = WAYS[packing]
    packed = bytearray(way[0](TEXT))
    at = data.draw(st.integers(4, len(packed) - 1))
    packed[at] ^= data.draw(st.integers(1, 255))
    text, said = unpacked(way, bytes(packed))
    assert said is not None or packing is Packing.ZSTD or text == TEXT  # a byte of a gzip header that says nothing
    assert len(text) <= len(TEXT) * 1100


def test_what_stands_before_damage_is_given_to_the_byte() -> None:
    packed = gzip.compress(TEXT)
    assert unpacked(WAYS[Packing.GZIP], packed[:-8] + b"\0" * 8) == (TEXT, "incorrect data check")
    two = zstd(TEXT) + zstd(TEXT)[:5]
    assert unpacked(WAYS[Packing.ZSTD], two)[0] == TEXT


def frame(window: int, *blocks: tuple[int, bytes]) -> bytes:
    """A zstd frame with a window of 2 ** (10 + window) bytes, of raw or repeated (type, content) blocks."""
    heads = [len(data) << 3 | kind << 1 | (n == len(blocks) - 1) for n, (kind, data) in enumerate(blocks)]
    parts = [head.to_bytes(3, "little") + data for head, (_, data) in zip(heads, blocks, strict=True)]
    return b"\x28\xb5\x2f\xfd\x00" + bytes([window << 3]) + b"".join(parts)


def test_a_frame_is_what_the_format_says() -> None:
    assert unpacked(WAYS[Packing.ZSTD], frame(10, (0, b"one "), (0, b"two"))) == (b"one two", None)


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (frame(14, (0, b"x")), "a frame that asks for a window of 16777216 bytes"),
        (frame(31, (0, b"x")), "a frame that asks for a window of 2199023255552 bytes"),
        (b"\x28\xb5\x2f\xfd\xe0" + b"\xff" * 8, "a frame that asks for a window of 18446744073709551615 bytes"),
        (b"\x28\xb5\x2f\xfd\x01\x00\x07\0\0\0", "a frame that needs a dictionary"),
        (b"\x28\xb5\x2f\xfd\x08\x00\0\0\0", "a frame of a later format"),
        (frame(1, (3, b"x")), "a block that cannot be"),
        (b"\x28\xb5", "cut off"),
    ],
    ids=["16 MiB", "2 TiB", "16 EiB", "dictionary", "reserved bit", "reserved block", "magic"],
)
def test_a_frame_that_is_not_decoded(data: bytes, says: str) -> None:
    text, said = unpacked(WAYS[Packing.ZSTD], data)
    assert text == b""
    assert said is not None
    assert said.startswith(says)


def test_parts_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unpacking, "MOST_MEMBERS", 3)
    monkeypatch.setattr(zstd_frames, "MOST_FRAMES", 3)
    monkeypatch.setattr(zstd_frames, "MOST_BLOCKS", 5)
    assert unpacked(WAYS[Packing.GZIP], gzip.compress(b"ab") * 4) == (b"ababab", "more than 3 gzip members")
    assert unpacked(WAYS[Packing.ZSTD], zstd(b"ab") * 4) == (b"ababab", "more than 3 frames")
    assert unpacked(WAYS[Packing.ZSTD], frame(1, *[(0, b"c")] * 6)) == (b"ccccc", "more than 5 blocks")


def collected(data: bytes, packing: Packing, limits: Limits) -> Collector:
    collector = Collector("f", Rules(("P", "N"), probability=True, limits=limits), Findings())
    with io.BufferedReader(Unpacking(io.BytesIO(data), packing, collector)) as stream:
        read_lines(stream, collector)
    return collector


@pytest.mark.parametrize("packing", list(WAYS))
def test_rows_are_those_of_the_text(packing: Packing) -> None:
    plain = Collector("f", Rules(("P", "N"), probability=True, limits=Limits()), Findings())
    read_lines(io.BytesIO(TEXT), plain)
    collector = collected(WAYS[packing][0](TEXT), packing, Limits())
    assert rows_of(collector) == rows_of(plain)
    assert len(collector.findings) == 0


@pytest.mark.parametrize("packing", list(WAYS))
@pytest.mark.parametrize("most", [1 << 20, 1 << 30])
def test_what_expands_without_end_is_stopped_early(packing: Packing, most: int) -> None:
    bomb = WAYS[packing][0](bytes(1 << 26))
    collector = collected(bomb, packing, Limits(bytes=most))
    assert collector.findings.counts["submission.expands-too-much"] == 1
    assert collector.cut


@pytest.mark.parametrize("packing", list(WAYS))
def test_what_is_large_unpacked_is_too_large(packing: Packing) -> None:
    collector = collected(WAYS[packing][0](TEXT), packing, Limits(bytes=len(TEXT) - 1))
    assert collector.findings.counts == {"submission.too-large": 1}
    assert collected(WAYS[packing][0](TEXT), packing, Limits(bytes=len(TEXT))).findings.counts == {}


def test_the_line_that_was_cut_is_no_line() -> None:
    collector = collected(gzip.compress(TEXT)[:-900], Packing.GZIP, Limits())
    assert collector.findings.counts == {"submission.bad-compression": 1}
    assert 0 < collector.rows < 6000
    assert collector.bad == []


def test_the_record_that_was_cut_is_no_record() -> None:
    text = b"presentation_id,response\n" + b'"p1","I say\nP"\n' * 3000
    limits = Limits()
    for size in (len(text) - 3, len(text) - 9, 36):
        packed = gzip.compress(text[:size])[:-8]  # whole but for the checksum
        collector = Collector("f", Rules(("P", "N"), probability=True, limits=limits), Findings())
        with io.BufferedReader(Unpacking(io.BytesIO(packed), Packing.GZIP, collector)) as stream:
            read_csv(stream, collector)
        assert collector.findings.counts == {"submission.bad-compression": 1}
        assert collector.rows == (2999 if size > 36 else 0)


def test_a_gzip_header_is_read_to_its_end() -> None:
    named = b"\x1f\x8b\x08\x08" + bytes(6) + b"n" * 200_000 + b"\0"
    raw = zlib.compressobj(wbits=-15)
    body = raw.compress(TEXT) + raw.flush()
    end = zlib.crc32(TEXT).to_bytes(4, "little") + len(TEXT).to_bytes(4, "little")
    assert unpacked(WAYS[Packing.GZIP], named + body + end) == (TEXT, None)
