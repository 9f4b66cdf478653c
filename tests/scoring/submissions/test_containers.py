"""What a file is by its first bytes: what holds other files, or could run, is named and never opened."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import os
import pickle
import sqlite3
import tarfile
import zipfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from tests.support.predictions import LINES

from earmark.manifests.findings import Findings
from earmark.scoring.submissions import Submission, read_submission
from earmark.scoring.submissions.containers import ENOUGH, Format, Packing, Refusal, format_of, opened, packing_of

ROW = b'{"presentation_id":"p1","choice":"P"}\n'
SHEET = b"presentation_id,choice\np1,P\n"


def zipped() -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("../f.jsonl", ROW)
    return stream.getvalue()


def tarred() -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as archive:
        entry = tarfile.TarInfo("f.jsonl")
        entry.size = len(ROW)
        archive.addfile(entry, io.BytesIO(ROW))
    return stream.getvalue()


def saved(array: object) -> bytes:
    stream = io.BytesIO()
    np.save(stream, array)  # type: ignore[arg-type]  # whatever NumPy takes
    return stream.getvalue()


def table() -> bytes:
    stream = io.BytesIO()
    pq.write_table(pa.table({"presentation_id": ["p1"], "choice": ["P"]}), stream)
    return stream.getvalue()


def feather() -> bytes:
    stream = io.BytesIO()
    with pa.ipc.new_file(stream, pa.schema([("presentation_id", pa.string())])):
        pass
    return stream.getvalue()


ARCHIVES = {
    "zip": zipped(),
    "empty zip": b"PK\x05\x06" + bytes(18),
    "tar": tarred(),
    "xz": lzma.compress(ROW),
    "lzma": lzma.compress(ROW, lzma.FORMAT_ALONE),
    "bzip2": bz2.compress(ROW),
    "bzip2 of nothing": bz2.compress(b""),
    "7z": b"7z\xbc\xaf\x27\x1c\0\4" + bytes(24),
    "rar": b"Rar!\x1a\x07\x01\0",
    "lz4": b"\x04\x22\x4d\x18\x60\x40\x82" + ROW,
    "cpio": b"070701" + b"0" * 104,
    "ar": b"!<arch>\n",
    "compress": b"\x1f\x9d\x90",
}
OTHERS = {
    "list": b'[\n {"presentation_id": "p1", "choice": "P"}\n]\n',
    **{f"pickle {n}": pickle.dumps([json.loads(ROW)], protocol=n) for n in range(6)},
    "pickle that runs": b"cos\nsystem\n(S'true'\ntR.",
    "npy": saved(np.zeros(3)),
    "npy of objects": saved(np.array([{}], object)),
    "hdf5": b"\x89HDF\r\n\x1a\n\0",
    "utf-16": ROW.decode().encode("utf-16"),
    "utf-16-le": ROW.decode().encode("utf-16-le"),
    "utf-16-be": SHEET.decode().encode("utf-16-be"),
    "utf-32": ROW.decode().encode("utf-32"),
    "feather": feather(),
    "pdf": b"%PDF-1.7\n",
    "xls": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
    "html": b"\n<!DOCTYPE html><html>",
    "xml": b"\xef\xbb\xbf<?xml version='1.0'?>",
    "yaml": b"--- !!python/object/apply:os.system ['true']\n",
    "script": b"#!/bin/sh\n",
    "elf": b"\x7fELF\x02\x01\x01",
    "png": b"\x89PNG\r\n\x1a\n",
    "wav": b"RIFF\x24\0\0\0WAVE",
}


def read(path: Path) -> tuple[Submission, Findings]:
    findings = Findings()
    return read_submission(path, choices=("P", "N"), probability=True, findings=findings), findings


@pytest.mark.parametrize(
    ("data", "code"),
    [(data, "archive") for data in ARCHIVES.values()] + [(data, "other-format") for data in OTHERS.values()],
    ids=[*ARCHIVES, *OTHERS],
)
def test_what_is_not_opened_has_one_finding(tmp_path: Path, data: bytes, code: str) -> None:
    for name in ("f.jsonl", "f.csv", "f.parquet", "f"):
        for packed in (data, gzip.compress(data)):
            (tmp_path / name).write_bytes(packed)
            submission, findings = read(tmp_path / name)
            assert findings.counts == {f"submission.{code}": 1}
            (finding,) = findings
            assert finding.found
            assert finding.expected
            assert submission.table.num_rows == 0
    assert [entry.name for entry in tmp_path.parent.iterdir() if entry.name.startswith("f.")] == []


def test_a_database_is_not_opened(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "f.jsonl") as database:
        database.execute("CREATE TABLE rows (presentation_id TEXT)")
    database.close()
    assert read(tmp_path / "f.jsonl")[1].counts == {"submission.other-format": 1}


@given(LINES)
def test_rows_are_taken_for_nothing_else(lines: list[bytes]) -> None:
    text = b"\n".join(lines)
    if text.lstrip().startswith(b"{"):
        assert packing_of(text[:ENOUGH]) is Packing.PLAIN
    assert packing_of(SHEET + text) is Packing.PLAIN


@pytest.mark.parametrize("pack", [gzip.compress, lambda data: bytes(pa.compress(data, "zstd", asbytes=True))])
@pytest.mark.parametrize("name", ["f.jsonl", "f.jsonl.gz", "f.jsonl.zst", "F.JSONL.GZ", "f.gz", "f.dat", "upload"])
@pytest.mark.parametrize("data", [ROW, SHEET], ids=["lines", "csv"])
def test_what_is_packed_is_known_by_its_bytes(tmp_path: Path, pack: object, name: str, data: bytes) -> None:
    path = tmp_path / (name if data == ROW else name.replace("jsonl", "csv").replace("JSONL", "CSV"))
    path.write_bytes(pack(data))  # type: ignore[operator]  # bytes to bytes
    submission, findings = read(path)
    assert [(row.presentation_id, row.choice) for row in submission.rows] == [("p1", "P")]
    assert findings.counts == {}


@pytest.mark.parametrize("name", ["f.parquet", "f.parquet.gz", "f.gz", "f.jsonl.gz"])
def test_parquet_in_gzip_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(gzip.compress(table()))
    (finding,) = read(tmp_path / name)[1]
    assert (finding.code.name, finding.found) == ("submission.other-format", "Parquet in gzip")
    assert finding.expected is not None
    assert "the Parquet file itself" in finding.expected


def test_a_name_that_says_otherwise() -> None:
    assert format_of("f.jsonl", table(), Packing.PLAIN) == Refusal(
        format_of("f.csv", table(), Packing.PLAIN).code,  # type: ignore[union-attr]  # a refusal too
        "Parquet",
        "a name that ends in .parquet",
    )
    assert format_of("f.parquet", ROW, Packing.PLAIN) is Format.PARQUET  # whose reader says what is wrong
    assert format_of("f", table(), Packing.PLAIN) is Format.PARQUET
    assert isinstance(format_of("f.parquet.gz", ROW, Packing.GZIP), Refusal)


def test_text_is_packed_once(tmp_path: Path) -> None:
    (tmp_path / "f.jsonl").write_bytes(gzip.compress(gzip.compress(ROW)))
    (finding,) = read(tmp_path / "f.jsonl")[1]
    assert (finding.code.name, finding.found) == ("submission.other-format", "gzip in gzip")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
@pytest.mark.parametrize("suffix", ["jsonl", "csv", "parquet", "gz"])
def test_only_regular_files_are_opened(tmp_path: Path, suffix: str) -> None:
    pipe, loop, folder = (tmp_path / f"{name}.{suffix}" for name in ("pipe", "loop", "folder"))
    os.mkfifo(pipe)
    loop.symlink_to(loop)
    folder.mkdir()
    for path in (pipe, loop, folder, Path("/dev/zero"), Path("/dev/null")):
        assert read(path)[1].counts == {"submission.unreadable": 1}
        with pytest.raises(OSError):  # noqa: PT011 - of several kinds
            opened(path)


def test_a_file_that_changes_while_it_is_read_is_said_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from earmark.scoring.submissions import submission as module

    path = tmp_path / "f.jsonl"
    path.write_bytes(ROW * 3)
    assert read(path)[1].counts == {}
    reader = module.read_lines

    def shrinking(stream: object, collector: object) -> object:
        os.truncate(path, len(ROW))
        return reader(stream, collector)  # type: ignore[arg-type]  # passed on

    monkeypatch.setattr(module, "read_lines", shrinking)
    monkeypatch.setattr(module, "_head", lambda stream: (ROW, stream.seek(0))[0])
    submission, findings = read(path)
    assert submission.table.num_rows == 1
    assert findings.counts == {"submission.unreadable": 1}
