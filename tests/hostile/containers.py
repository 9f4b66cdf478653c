"""Hostile containers and formats: gzip and zstd that are cut, damaged or bombs, archives, pickles, and names that mislead."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import pickle
import sqlite3
import struct
import tarfile
import zipfile
from collections.abc import Mapping

import numpy as np
import pyarrow as pa
from tests.hostile.case import MOST_BYTES, Case, lines, sound
from tests.hostile.csv_files import HEAD
from tests.hostile.csv_files import file as csv_file
from tests.hostile.csv_files import sound as csv_rows
from tests.hostile.parquet_files import sound as parquet_file

_ROWS = lines(*sound())


def gz(data: bytes) -> bytes:
    """Bytes as gzip has them, without a time."""
    return gzip.compress(data, mtime=0)


def zst(data: bytes) -> bytes:
    """Bytes as zstd has them."""
    return bytes(pa.compress(data, codec="zstd", asbytes=True))


def _case(name: str, suffix: str, data: bytes, codes: Mapping[str, int], why: str, *, exit: int = 1) -> Case:
    return Case(name, suffix, data, codes, exit, why)


def _bad(name: str, suffix: str, data: bytes, why: str, *, lost: int = 4) -> Case:
    return _case(name, suffix, data, {"bad-compression": 1, **({"missing": lost} if lost else {})}, why)


_GZ, _ZST = gz(_ROWS), zst(_ROWS)
_BOMB = b" " * (4 * MOST_BYTES)
_GZ_HEAD = b"\x1f\x8b\x08"

COMPRESSED = (
    _case("gzip-sound", ".jsonl.gz", _GZ, {}, "as it should be", exit=0),
    _case("zstd-sound", ".jsonl.zst", _ZST, {}, "as it should be", exit=0),
    _case("gzip-by-content", ".jsonl", _GZ, {}, "the name does not say it", exit=0),
    _case("zstd-by-content", ".jsonl", _ZST, {}, "the name does not say it", exit=0),
    _case("gzip-csv", ".csv.gz", gz(csv_file(HEAD, *csv_rows())), {}, "as it should be", exit=0),
    _case("zstd-csv", ".csv.zst", zst(csv_file(HEAD, *csv_rows())), {}, "as it should be", exit=0),
    _case("gzip-parquet", ".parquet.gz", gz(parquet_file()), {"other-format": 1, "missing": 4}, "compressed twice"),
    _case(
        "gzip-two-members",
        ".jsonl.gz",
        gz(lines(*sound()[:2])) + gz(lines(*sound(2))),
        {},
        "some read the first only",
        exit=0,
    ),
    _case(
        "zstd-two-frames",
        ".jsonl.zst",
        zst(lines(*sound()[:2])) + zst(lines(*sound(2))),
        {},
        "some read the first only",
        exit=0,
    ),
    _case("gzip-of-nothing", ".jsonl.gz", gz(b""), {"empty": 1, "missing": 4}, "no byte"),
    _case("zstd-of-nothing", ".jsonl.zst", zst(b""), {"empty": 1, "missing": 4}, "no byte"),
    _case("gz-name-only", ".jsonl.gz", _ROWS, {}, "named so and plain", exit=0),
    _bad("gzip-truncated", ".jsonl.gz", gzip.compress(_ROWS, 0, mtime=0)[:-20], "an upload broke off", lost=1),
    _bad("gzip-no-trailer", ".jsonl.gz", _GZ[:-8], "no checksum to hold it against", lost=0),
    _bad("gzip-head-only", ".jsonl.gz", _GZ[:10], "a head and nothing else"),
    _bad("gzip-magic-only", ".jsonl.gz", b"\x1f\x8b", "two bytes"),
    _bad("gzip-checksum", ".jsonl.gz", _GZ[:-8] + b"\0\0\0\0" + _GZ[-4:], "one bit may have turned an answer", lost=0),
    _bad("gzip-length", ".jsonl.gz", _GZ[:-4] + b"\1\0\0\0", "it says another length", lost=0),
    _bad("gzip-method", ".jsonl.gz", b"\x1f\x8b\x07" + _GZ[3:], "no method that there is"),
    _bad("gzip-noise", ".jsonl.gz", _GZ[:10] + b"\xff" * 40, "no deflate"),
    _bad("gzip-rest", ".jsonl.gz", _GZ + b"not gzip", "bytes after the end", lost=0),
    _bad("zstd-truncated", ".jsonl.zst", _ZST[:-10], "an upload broke off"),
    _bad("zstd-magic-only", ".jsonl.zst", b"\x28\xb5\x2f\xfd", "four bytes"),
    _bad("zstd-noise", ".jsonl.zst", _ZST[:6] + b"\xff" * 40, "no block that there is"),
    _bad("zstd-rest", ".jsonl.zst", _ZST + b"not zstd", "bytes after the end", lost=0),
    _case("gzip-bomb", ".jsonl.gz", gz(_BOMB), {"expands-too-much": 1, "missing": 4}, "a thousand times as large"),
    _case("zstd-bomb", ".jsonl.zst", zst(_BOMB), {"expands-too-much": 1, "missing": 4}, "ten thousand times as large"),
    _case(
        "gzip-bomb-csv",
        ".csv.gz",
        gz(csv_file(HEAD) + _BOMB),
        {"expands-too-much": 1, "missing": 4},
        "the same in a cell",
    ),
    _case("gzip-bomb-parquet", ".parquet.gz", gz(_BOMB), {"other-format": 1, "missing": 4}, "to a file of any size"),
    _case(
        "gzip-bomb-many",
        ".jsonl.gz",
        gz(b" " * 1000) * 4000,
        {"too-large": 1, "missing": 4},
        "members, each small",
    ),
    _case("gzip-in-gzip", ".jsonl.gz", gz(_GZ), {"other-format": 1, "missing": 4}, "and so on without end"),
    _case("gzip-of-zip", ".jsonl.gz", gz(b"PK\x03\x04" + bytes(60)), {"archive": 1, "missing": 4}, "an archive within"),
    _case(
        "gzip-of-pickle", ".jsonl.gz", gz(pickle.dumps([1, 2, 3])), {"other-format": 1, "missing": 4}, "a pickle within"
    ),
    _case(
        "gzip-name-within",
        ".jsonl.gz",
        _GZ_HEAD + b"\x08" + bytes(6) + b"../../x.jsonl\0" + _GZ[10:],
        {},
        "gunzip -N follows it",
        exit=0,
    ),
    _case(
        "zlib", ".jsonl", b"\x78\x9c" + bytes(range(128, 256)), {"not-utf8": 1, "missing": 4}, "no gzip, though deflate"
    ),
)


def _tar() -> bytes:
    sink = io.BytesIO()
    with tarfile.open(fileobj=sink, mode="w") as archive:
        link = tarfile.TarInfo("answers.parquet")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        archive.addfile(link)
        entry = tarfile.TarInfo("../../predictions.jsonl")
        entry.size = len(_ROWS)
        archive.addfile(entry, io.BytesIO(_ROWS))
    return sink.getvalue()


def _zip(name: str = "../../predictions.jsonl", data: bytes = _ROWS) -> bytes:
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
    return sink.getvalue()


def _npy(array: np.ndarray, *, pickled: bool = False) -> bytes:
    sink = io.BytesIO()
    np.save(sink, array, allow_pickle=pickled)
    return sink.getvalue()


def _npz() -> bytes:
    sink = io.BytesIO()
    np.savez(sink, choice=np.array(["P"]))
    return sink.getvalue()


def _sqlite() -> bytes:
    with sqlite3.connect(":memory:") as base:
        base.execute("create table predictions (presentation_id text)")
        data = base.serialize()
    base.close()
    return bytes(data)


def _feather() -> bytes:
    sink = io.BytesIO()
    table = pa.table({"presentation_id": ["p"]})
    with pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table)
    return sink.getvalue()


class Callable:
    """What a pickle would call as it is read."""

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return print, ("a pickle was read",)


def _archive(name: str, suffix: str, data: bytes, why: str) -> Case:
    return _case(name, suffix, data, {"archive": 1, "missing": 4}, why)


def _format(name: str, suffix: str, data: bytes, why: str) -> Case:
    return _case(name, suffix, data, {"other-format": 1, "missing": 4}, why)


_PCM = struct.pack("<4sI4s4sIHHIIHH4sI", b"RIFF", 36, b"WAVE", b"fmt ", 16, 1, 1, 8000, 16000, 2, 16, b"data", 0)

ARCHIVES = (
    _archive("zip", ".jsonl", _zip(), "an entry climbs out of the folder"),
    _archive("zip-bomb", ".csv", _zip(data=bytes(1 << 20)), "a thousand times as large"),
    _archive("zip-empty", ".jsonl", b"PK\x05\x06" + bytes(18), "an archive of nothing"),
    _archive("npz", ".jsonl", _npz(), "a zip of arrays, pickles among them"),
    _archive("tar", ".jsonl", _tar(), "a link to elsewhere"),
    _case("tar-gz", ".jsonl.gz", gz(_tar()), {"archive": 1, "missing": 4}, "the same, compressed"),
    _archive("xz", ".jsonl", lzma.compress(_ROWS), "another compression"),
    _archive("bz2", ".jsonl", bz2.compress(_ROWS), "another compression"),
    _archive("7z", ".jsonl", b"7z\xbc\xaf\x27\x1c" + bytes(26), "another archive"),
    _archive("rar", ".jsonl", b"Rar!\x1a\x07\x01\x00" + bytes(26), "another archive"),
    _archive("parquet-zip", ".parquet", _zip("x.parquet"), "an archive under another name"),
)

FORMATS = (
    _format("pickle", ".jsonl", pickle.dumps(Callable(), 4), "reading it runs it"),
    _format("pickle-5", ".csv", pickle.dumps({"presentation_id": ["p"]}, 5), "a data frame's pickle"),
    _format("pickle-parquet", ".parquet", pickle.dumps(Callable(), 2), "reading it runs it"),
    _format("npy", ".jsonl", _npy(np.zeros(4)), "an array"),
    _format("npy-object", ".csv", _npy(np.array([Callable()], dtype=object), pickled=True), "a pickle within"),
    _format("hdf5", ".jsonl", b"\x89HDF\r\n\x1a\n" + bytes(88), "other files by links"),
    _format("sqlite", ".jsonl", _sqlite(), "a data base"),
    _format("pdf", ".csv", b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", "a page"),
    _format("feather", ".parquet", _feather(), "Arrow's own file"),
    _format("wav", ".jsonl", _PCM, "sound in place of what was heard"),
    _format("png", ".csv", b"\x89PNG\r\n\x1a\n" + bytes(25), "a picture of a table"),
    _format("parquet-as-lines", ".jsonl", parquet_file(), "Parquet under another name"),
    _format("parquet-as-csv", ".csv", parquet_file(), "Parquet under another name"),
    _format("pickle-0", ".jsonl", pickle.dumps([1], 0), "a pickle in ASCII"),
    _format("html", ".jsonl", b"<!DOCTYPE html>\n<script>1</script>\n", "an error page"),
    _case("lines-as-parquet", ".parquet", _ROWS, {"not-parquet": 1, "missing": 4}, "JSON Lines under another name"),
    _case(
        "csv-as-lines", ".jsonl", csv_file(HEAD, *csv_rows()), {"not-json": 5, "missing": 4}, "CSV under another name"
    ),
    _case("lines-as-csv", ".csv", _ROWS, {"not-csv": 1, "missing": 4}, "JSON Lines under another name"),
)


def _named(file: str, codes: Mapping[str, int], why: str, *, exit: int = 0) -> Case:
    return Case(f"name {file!r}", "", _ROWS, codes, exit, why, file=file)


NAMES = (
    _named("..\\..\\x.jsonl", {}, "another system's path"),
    _named("-rf.jsonl", {}, "an option"),
    _named("<img src=x onerror=alert(1)>.jsonl", {}, "markup"),
    _named("=cmd|calc!A0.jsonl", {}, "a formula"),
    _named("\x1b[2J\n.jsonl", {}, "it clears the screen"),
    _named("\u202elnosj.x.jsonl", {}, "shown reversed"),
    _named("answers.parquet -> x.jsonl", {}, "it looks like a link"),
    _named("%s%n{0}$(id)`id`.jsonl", {}, "a template and a command"),
    _named("X.JSONL", {}, "upper case"),
    _named("x.json", {}, "nearly right, and its content is clear"),
    _named("x.jsonl.exe", {}, "two suffixes; it is read and not run"),
    _named("x.pkl", {}, "a pickle by name, rows by content"),
    _named("jsonl", {}, "no suffix"),
    _named(".jsonl", {}, "a hidden file without one"),
    Case("name-unknown", ".txt", b"p 1\np 2\n", {"unknown-suffix": 1, "missing": 4}, 1, "neither name nor content"),
    Case("name-empty", ".bin", b"", {"unknown-suffix": 1, "missing": 4}, 1, "neither name nor content"),
)

CASES: tuple[Case, ...] = (*COMPRESSED, *ARCHIVES, *FORMATS, *NAMES)
