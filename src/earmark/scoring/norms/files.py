"""Norm files: strict JSON of a cohort's rows, with the hash that says they are still those."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from earmark.manifests.canonical import json_text
from earmark.manifests.errors import DestinationExists, UnknownName
from earmark.manifests.findings import Findings, Severity, declare
from earmark.manifests.strict import NotStrictJson, read_strict_json, strict_json
from earmark.scoring.norms.freezing import check_norm
from earmark.scoring.norms.norm import FORMAT, Norm, System

if TYPE_CHECKING:
    from earmark.manifests.canonical import Json

UNREADABLE = declare("norm.unreadable", Severity.ERROR, "a file is no norm")
CHANGED = declare("norm.changed", Severity.ERROR, "a norm's rows are not those that were frozen")

SHIPPED = ("speecheq-table3",)
"""Norms that come with Earmark: the eleven rows of SpeechEQ's Table 3, its random row among them."""

_MOST_BYTES = 1 << 20


class _Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    system: str
    correct: int
    total: int


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    format: int
    norm: str
    version: str
    metric: str
    facet: str
    note: str
    systems: list[_Row]
    hash: str


def write_norm(norm: Norm, path: Path) -> None:
    """Write a norm; equal norms are equal bytes.

    Raises:
        DestinationExists: If there is a file: what is frozen is not written over.
    """
    if path.exists():
        raise DestinationExists(f"{path} exists; a frozen norm is not written over: give it another version and file")
    rows: list[Json] = [
        {"system": system.name, "correct": system.correct, "total": system.total}
        for system in sorted(norm.systems, key=lambda system: system.name)
    ]
    value: dict[str, Json] = {
        "format": FORMAT,
        "norm": norm.name,
        "version": norm.version,
        "metric": norm.metric,
        "facet": norm.facet,
        "note": norm.note,
        "systems": rows,
        "hash": norm.hash,
    }
    path.write_text(json_text(value), encoding="utf-8", newline="\n")


def read_norm(path: Path) -> Norm:
    """Read a norm back.

    Raises:
        Refused: If it is none, is of a newer format, or its rows are not those of its hash; with everything that is wrong.
        OSError: If the file cannot be read.
    """
    findings = Findings()
    try:
        value = read_strict_json(path, most_bytes=_MOST_BYTES)
    except NotStrictJson as error:
        findings.add(UNREADABLE, file=str(path), found=str(error), expected="strict JSON")
        value = None
    findings.require_none()
    return _norm(value, str(path))


def shipped_norm(name: str = SHIPPED[0]) -> Norm:
    """A norm that comes with Earmark.

    Raises:
        UnknownName: If there is none of this name.

    >>> from fractions import Fraction
    >>> norm = shipped_norm()
    >>> norm.median, norm.mad == Fraction(129, 2265)
    (Fraction(718, 2265), True)
    >>> norm.limits.text
    '40 is out of reach, a share of 0 having 43.69; 160 is reached at a share of 0.6548'
    """
    if name not in SHIPPED:
        raise UnknownName("norm", name, SHIPPED)
    return _norm(strict_json(files(__package__).joinpath(f"{name}.json").read_bytes()), f"{name}.json")


def _norm(value: Json, file: str) -> Norm:
    findings = Findings()
    try:
        read = msgspec.convert(value, _File)
    except msgspec.ValidationError as error:
        findings.add(UNREADABLE, file=file, found=str(error), expected="the fields of a norm")
        findings.require_none()
        raise
    systems = tuple(System(row.system, row.correct, row.total) for row in read.systems)
    norm = Norm(read.norm, read.version, systems, read.metric, read.facet, read.note)
    if read.format != FORMAT:
        findings.add(UNREADABLE, file=file, column="format", found=read.format, expected=str(FORMAT))
    check_norm(norm, findings, file=file)
    if read.hash != norm.hash:
        findings.add(CHANGED, file=file, column="hash", found=read.hash, expected=norm.hash)
    findings.require_none()
    return norm
