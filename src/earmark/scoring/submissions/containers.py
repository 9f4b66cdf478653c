"""What a file is by its first bytes, whatever its name: rows, perhaps compressed, or something that is not opened.

Nothing inside an archive is looked at, and nothing that could run is loaded.
"""

from __future__ import annotations

import os
import re
import stat
from enum import StrEnum
from os import open as open_descriptor
from pathlib import Path, PurePath
from typing import BinaryIO, NamedTuple

from earmark.manifests.findings import Code, Severity, declare

ARCHIVE = declare("submission.archive", Severity.ERROR, "the file is an archive; nothing in it is opened")
OTHER_FORMAT = declare("submission.other-format", Severity.ERROR, "the file is in another format than predictions are")
BAD_COMPRESSION = declare(
    "submission.bad-compression", Severity.ERROR, "the compressed file is damaged or cut off; what came before is read"
)
EXPANDS_TOO_MUCH = declare(
    "submission.expands-too-much", Severity.ERROR, "the compressed file expands to far more than predictions do"
)
UNKNOWN_SUFFIX = declare(
    "submission.unknown-suffix", Severity.ERROR, "neither the name nor the content says how the file is to be read"
)

ENOUGH = 1 << 12
"""Bytes from the beginning of a file that tell what it is."""


class Packing(StrEnum):
    """How the bytes of rows are packed."""

    PLAIN = "plain"
    GZIP = "gzip"
    ZSTD = "zstd"


class Format(StrEnum):
    """How rows are written."""

    LINES = ".jsonl"
    CSV = ".csv"
    PARQUET = ".parquet"


class Refusal(NamedTuple):
    """Why a file is not read.

    Args:
        code: Its code.
        found: What the file is.
        expected: What would be right.
    """

    code: Code
    found: str
    expected: str


_UNPACKED = "the prediction file itself, plain or compressed with gzip or zstd"
_ROWS = "JSON Lines, CSV or Parquet"
_TEXT = "the same text in UTF-8"

_ARCHIVES = (
    (rb"PK(?:\x03\x04|\x05\x06|\x07\x08)", "zip"),
    (rb"7z\xbc\xaf\x27\x1c", "7z"),
    (rb"Rar!\x1a\x07", "rar"),
    (rb"\xfd7zXZ\0", "xz"),
    (rb"\x5d\0\0[\x00-\x80][\x00-\xff]{8}", "lzma"),
    (rb"BZh[1-9](?:1AY&SY|\x17rE8P\x90)", "bzip2"),
    (rb"LZIP\x01", "lzip"),
    (rb"\x04\x22\x4d\x18|\x02\x21\x4c\x18", "lz4"),
    (rb"\xff\x06\0\0sNaPpY", "snappy"),
    (rb"\x1f[\x9d\xa0]", "compress"),
    (rb"MSCF\0\0\0\0", "cabinet"),
    (rb"!<arch>\n", "ar"),
    (rb"0707(?:0[127])[0-9A-Fa-f]{10}|\xc7\x71", "cpio"),
    (rb"(?s:.{257})ustar(?:\0| )", "tar"),
)
"""Beginnings of what holds other files, or packs one in a way that is not read."""

_PICKLE = (
    rb"\x80[\x00-\x05][\x95\]\}\(cKMJXC\x8c\x88\x89NG)q]"  # protocol 2 and later
    rb"|[(](?:[dl]p[0-9]+\n|i[A-Za-z_][\w.]*\n)|c[A-Za-z_][\w.]*\n[A-Za-z_]\w*\n[(pq]|[\]}]q\x00"
)

_OTHERS = (
    (rb"\xff\xfe\0\0|\0\0\xfe\xff", "UTF-32 text", _TEXT),
    (rb"\xff\xfe|\xfe\xff", "UTF-16 text", _TEXT),
    (rb"(?:[\x09\x0a\x0d\x20-\x7e]\0){2}|(?:\0[\x09\x0a\x0d\x20-\x7e]){2}", "UTF-16 text", _TEXT),
    (_PICKLE, "a Python pickle, which could run anything", _ROWS),
    (rb"\x93NUMPY", "a NumPy array", _ROWS),
    (rb"\x89HDF\r\n\x1a\n", "HDF5", _ROWS),
    (rb"SQLite format 3\0", "a SQLite database", _ROWS),
    (rb"ARROW1\0\0|\xff\xff\xff\xff[\x00-\xff]{2}\0\0", "Arrow IPC", "Parquet"),
    (rb"PARE", "encrypted Parquet", "Parquet that is not encrypted"),
    (rb"ORC", "ORC", "Parquet"),
    (rb"Obj\x01", "Avro", "Parquet"),
    (rb"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an Office document", "the sheet saved as CSV (UTF-8)"),
    (rb"%PDF-", "PDF", _ROWS),
    (rb"%!PS|\{\\rtf", "a document", _ROWS),
    (rb"(?i:\xef?\xbb?\xbf?\s*<(?:!doctype|html|\?xml|svg|head|body)\b)", "a page of HTML or XML", _ROWS),
    (
        rb"(?:\xef\xbb\xbf)?\s*\[[ \t]*\r?\n",
        "one JSON list over many lines",
        "JSON Lines: one object a line, with no list around them",
    ),
    (rb"%YAML|---(?:\r?\n| )", "YAML", _ROWS),
    (rb"#!", "a script", _ROWS),
    (rb"\x7fELF|MZ[\x00-\xff]{2}|\xcf\xfa\xed\xfe|\xca\xfe\xba\xbe", "a program", _ROWS),
    (rb"\0asm", "a program", _ROWS),
    (rb"\x89PNG|\xff\xd8\xff|GIF8[79]a|BM[\x00-\xff]{4}\0\0\0\0", "an image", _ROWS),
    (rb"RIFF|fLaC|OggS|ID3|\xff[\xf2\xf3\xfb]", "sound", _ROWS),
    (rb"MATLAB 5\.0|RD[AX][23]\n", "a data file of MATLAB or R", _ROWS),
)
"""Beginnings of other formats, what they are called, and what would be right."""

_REFUSED = tuple(
    (re.compile(pattern), code, found, expected)
    for pattern, code, found, expected in (
        *((pattern, ARCHIVE, found, _UNPACKED) for pattern, found in _ARCHIVES),
        *((pattern, OTHER_FORMAT, found, expected) for pattern, found, expected in _OTHERS),
    )
)
_PARQUET = b"PAR1"
_BOM = b"\xef\xbb\xbf"
_COLUMN = re.compile(rb'(?:\A|,)"?presentation_id"?(?:,|\r|\Z)')
_ZSTD = re.compile(rb"\x28\xb5\x2f\xfd|[\x50-\x5f]\x2a\x4d\x18")


def packing_of(head: bytes) -> Packing | Refusal:
    r"""How the rows of a file are packed, or why it is not read.

    Args:
        head: Its first `ENOUGH` bytes, or all of it.

    >>> packing_of(b"PK\x03\x04").found
    'zip'
    """
    if head.startswith(b"\x1f\x8b"):
        return Packing.GZIP
    if _ZSTD.match(head):
        return Packing.ZSTD
    for pattern, code, found, expected in _REFUSED:
        if pattern.match(head):
            return Refusal(code, found, expected)
    return Packing.PLAIN


def format_of(name: str, head: bytes, packing: Packing) -> Format | Refusal:
    r"""How rows are written: as the name says, or else as their first bytes do.

    Args:
        name: The name of the file.
        head: The first bytes of what it holds, unpacked.
        packing: How they were packed.

    >>> format_of("rows.csv.gz", b"presentation_id,choice\n", Packing.GZIP)
    <Format.CSV: '.csv'>
    >>> format_of("upload", b'{"presentation_id":', Packing.PLAIN)
    <Format.LINES: '.jsonl'>
    """
    if packing is not Packing.PLAIN:
        within = packing_of(head)
        if isinstance(within, Refusal):
            return within._replace(found=f"{within.found} in {packing}")
        if within is not Packing.PLAIN:
            return Refusal(OTHER_FORMAT, f"{within} in {packing}", "text that is packed once")
        if head.startswith(_PARQUET):
            return Refusal(OTHER_FORMAT, f"Parquet in {packing}", "the Parquet file itself, packed within if at all")
    parts = name.lower().removesuffix(".gz").removesuffix(".gzip").removesuffix(".zst").removesuffix(".zstd")
    said = next((entry for entry in Format if entry == PurePath(parts).suffix), None)
    if said is None:
        said = _format_of(head)
        if said is None:
            found = PurePath(name).suffix or name
            return Refusal(UNKNOWN_SUFFIX, found, f"one of {', '.join(Format)}, with .gz or .zst behind it if packed")
    if said is Format.PARQUET and packing is not Packing.PLAIN:
        return Refusal(OTHER_FORMAT, f"{packing}", "the Parquet file itself, packed within if at all")
    if said is not Format.PARQUET and head.startswith(_PARQUET):
        return Refusal(OTHER_FORMAT, "Parquet", f"a name that ends in {Format.PARQUET}")
    return said


def _format_of(head: bytes) -> Format | None:
    if head.startswith(_PARQUET):
        return Format.PARQUET
    text = head.removeprefix(_BOM).lstrip()
    if text.startswith(b"{"):
        return Format.LINES
    return Format.CSV if _COLUMN.search(text.partition(b"\n")[0]) else None


def opened(path: Path) -> BinaryIO:
    """A regular file, opened for reading without waiting for anybody.

    Raises:
        OSError: If it is none, or cannot be opened.
    """
    # Whatever it was a moment ago, opening it must not wait for the other end of a pipe, nor wake a device.
    if not stat.S_ISREG(path.stat().st_mode):
        raise OSError("no regular file")
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
    stream = os.fdopen(open_descriptor(path, flags), "rb")
    if stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
        return stream
    stream.close()
    raise OSError("no regular file")
