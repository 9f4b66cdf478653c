"""The longest text of a dictionary is told from its page, and taken to be the whole page where it cannot be told."""

from __future__ import annotations

import io

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from earmark.manifests.parquet import dictionaries
from earmark.manifests.parquet.dictionaries import Dictionaries, Dictionary
from earmark.manifests.parquet.pages import held

CODECS = {0: None, 1: "snappy", 2: "gzip", 4: "brotli", 6: "zstd", 7: "lz4_raw"}
TEXTS = st.lists(st.binary(max_size=12), max_size=9)


def page(texts: list[bytes]) -> bytes:
    """A page of a dictionary, unpacked."""
    return b"".join(len(text).to_bytes(4, "little") + text for text in texts)


def longest(data: bytes, entries: int, *, codec: int = 0, unpacked: int | None = None) -> int:
    described = Dictionary(3, len(data), len(data) if unpacked is None else unpacked, entries, codec)
    return Dictionaries(io.BytesIO(b"PAR" + data + b"1")).longest(described)


@given(TEXTS, st.sampled_from(list(CODECS)))
def test_it_is_told_however_the_page_is_packed(texts: list[bytes], codec: int) -> None:
    data = page(texts)
    packed = data if codec == 0 else pa.Codec(CODECS[codec]).compress(data, asbytes=True)
    assert longest(packed, len(texts), codec=codec, unpacked=len(data)) == max(map(len, texts), default=0)


@given(TEXTS, st.integers(0, 12), st.integers(0, 255), st.integers(1, 9))
def test_a_page_that_ends_too_early_counts_as_a_whole(texts: list[bytes], at: int, byte: int, more: int) -> None:
    data = bytearray(page([b"text", *texts]))
    assert longest(bytes(data), len(texts) + 1 + more) == len(data)
    data[at % len(data)] = byte
    assert 0 <= longest(bytes(data), len(texts) + 1) <= len(data)


@pytest.mark.parametrize(
    ("codec", "data", "unpacked"),
    [
        (1, b"\xff\xff\xff", 4),  # no snappy
        (2, page([b"a"]), 5),  # no gzip
        (0, page([b"a"]), 9),
        (3, page([b"a"]), 5),  # LZO, which Arrow cannot unpack
        (5, page([b"a"]), 5),  # LZ4 as Hadoop frames it
        (99, page([b"a"]), 5),
        (0, b"\xff\xff\xff\xff", 4),  # a length below 0
    ],
)
def test_what_cannot_be_unpacked_counts_as_a_whole(codec: int, data: bytes, unpacked: int) -> None:
    assert longest(data, 1, codec=codec, unpacked=unpacked) == unpacked


def test_only_so_much_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    data = page([b"ab", b"c"])
    monkeypatch.setattr(dictionaries, "MOST_DICTIONARY", len(data))
    kept = Dictionaries(io.BytesIO(data + b" "), 5)
    described = Dictionary(0, len(data), len(data), 2, 0)
    assert kept.longest(described._replace(packed=len(data) + 1)) == len(data)
    assert kept.longest(described._replace(unpacked=len(data) + 1)) == len(data) + 1
    assert [kept.longest(described) for _ in range(3)] == [2, 2, len(data)]


@pytest.mark.parametrize("compression", ["none", "snappy", "gzip", "brotli", "zstd", "lz4"])
@pytest.mark.parametrize("version", ["1.0", "2.0"])
def test_unique_texts_come_to_little_more_than_their_pages(compression: str, version: str) -> None:
    # The first of them stand in a dictionary, until the writer sees that it is of no use.
    ids = [f"p{n:026}" for n in range(2_000)]
    sink = io.BytesIO()
    options = {"compression": compression, "data_page_version": version}
    pq.write_table(pa.table({"id": ids}), sink, dictionary_pagesize_limit=1 << 12, data_page_size=1 << 12, **options)
    metadata = pq.read_metadata(sink).row_group(0).column(0)
    assert {"RLE_DICTIONARY", "PLAIN"} <= set(metadata.encodings)
    (column,) = held(sink, 1 << 30).columns
    assert 27 * len(ids) <= column.written_out <= column.bytes + (1 << 14)
