"""AudioJudge's results of pairs: who played first and second is told by the paths, and which was preferred by the response.

Two layouts are read, in JSON or JSON Lines. A result of the package has `audio1_path` and `audio2_path` as they were played. A
record of its experiments has them under `data` as they were stored, and the name of the file, which ends in `_BA` where they were
played the other way round, tells the order. A presentation is found by the clips it plays, in the order it plays them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, NamedTuple

import msgspec
from msgspec import Meta

from earmark.builders.converting.clips import Clips
from earmark.builders.converting.conversion import NOT_IN_RELEASE, Account, Conversion, Row, Wanted, judge_name
from earmark.builders.converting.presented import ID
from earmark.builders.converting.reading import BAD_LINE, Line, converted, json_value, read_json, read_lines
from earmark.builders.converting.saying import Said, evidence_of, kept_response, said_in
from earmark.manifests.canonical import Json
from earmark.manifests.families.pairs import EQUAL, REVERSED, STORED, A, B
from earmark.manifests.findings import Findings, Severity, declare
from earmark.manifests.grammars import Answer, Grammar
from earmark.manifests.release import Release
from earmark.manifests.rows import text, texts

BAD_RESULT = declare("convert.bad-result", Severity.ERROR, "a result of a pair cannot be read; it is left out")
UNKNOWN_CLIP = declare(
    "convert.unknown-clip", Severity.WARNING, "a path is that of no clip of the release, or of several; it is left out"
)
AMBIGUOUS = declare(
    "convert.ambiguous", Severity.ERROR, "several presentations play these clips in this order; the answer is left out"
)

SWAPPED = "_BA"
"""What the name of a file of swapped pairs ends in."""

LABELS = {"1": A, "2": B, "tie": EQUAL}
"""AudioJudge's own labels, and what they are here: 1 is the clip that was played first."""

_Path = Annotated[str, Meta(min_length=1, max_length=4096)]


class Clip(msgspec.Struct, frozen=True):
    """An entry of `data`."""

    path: _Path


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """A result; what is not named here is let be.

    Args:
        success: Whether the call came to something.
        response: What was said.
        error: Why nothing was.
        model: Who judged.
        audio1_path: Played first.
        audio2_path: Played second.
        data: The pair as it was stored, in records of experiments.
        presentation_id: What was presented, where whoever ran it wrote that down.
        metadata: The same, one level down.
    """

    success: bool | None = None
    response: str | dict[str, object] | None = None
    error: str | None = None
    model: str | None = None
    audio1_path: _Path | None = None
    audio2_path: _Path | None = None
    data: Annotated[list[Clip], Meta(min_length=2, max_length=2)] | None = None
    presentation_id: str | None = None
    metadata: dict[str, object] | None = None


class Played(NamedTuple):
    """What a release plays: a presentation and its order."""

    presentation: str
    item: str
    order: str


def read(files: Sequence[Path], release: Release, wanted: Wanted, findings: Findings) -> Conversion:
    """Read the results of one judge, both orders of a pair in files of their own or in one.

    Args:
        files: The files.
        release: The release; its public side is enough where files are named after clips as `earmark present` names them, else
            the private side says which path a clip is.
        wanted: What the user settles.
        findings: Told of everything that is wrong.

    Raises:
        Refused: If a file is of no use.
        UnknownName: If the release does not offer the protocol that is named.
    """
    account, protocol = Account(findings), release.protocol(wanted.protocol)
    reader = _Reader(release, protocol.name, account)
    for file in files:
        for line in _records(file, findings):
            reader.take(line, file.name, swapped=file.stem.upper().endswith(SWAPPED))
    judge = judge_name(wanted, reader.model)
    return Conversion(account, protocol, {"name": judge, "modality": protocol.modality, "template": "the authors' own"})


def _records(file: Path, findings: Findings) -> Iterator[Line]:
    if file.suffix.lower() != ".json":
        yield from read_lines(file, findings)
        return
    value = read_json(file, findings)
    if isinstance(value, dict) and isinstance(value.get("results"), list):
        value = value["results"]
    for number, entry in enumerate(value if isinstance(value, list) else [value], 1):
        yield Line(number, entry, None if isinstance(entry, dict) else "no object")


class _Reader:
    def __init__(self, release: Release, protocol: str, account: Account) -> None:
        self._clips, self._grammar, self._account = Clips(release), release.family.grammar, account
        self._played: dict[tuple[str, ...], list[Played]] = {}
        self._known: set[str] = set()
        self.model: str | None = None
        for row in release.table("presentations").to_pylist():
            if protocol in texts(row, "protocols"):
                played = Played(text(row, ID), text(row, "item_id"), text(row, "order"))
                self._played.setdefault(tuple(texts(row, "clips")), []).append(played)
                self._known.add(played.presentation)

    def take(self, line: Line, file: str, *, swapped: bool) -> None:
        """Take a record, or leave it out and say why."""
        if line.problem is not None:
            self._account.leave(BAD_LINE, file=file, row=line.number, found=line.problem)
            return
        try:
            result = converted(line.value, Result)
        except msgspec.ValidationError as error:
            expected = "audio1_path and audio2_path, or data of two paths, and a response"
            self._account.leave(BAD_RESULT, file=file, row=line.number, found=error, expected=expected)
            return
        presentation = self._presentation(result, file, line.number, swapped)
        if presentation is None:
            return
        self.model = self.model or result.model
        said = _said(result, self._grammar, self._account.findings, file=file, place=f"entry {line.number}")
        self._account.take(Row(presentation, 0, said, f"{file} entry {line.number}"))

    def _presentation(self, result: Result, file: str, row: int, swapped: bool) -> str | None:
        named = result.presentation_id or (result.metadata or {}).get(ID)
        if isinstance(named, str):
            if named in self._known:
                return named
            self._account.leave(NOT_IN_RELEASE, file=file, row=row, id=named, expected=f"a {ID} of the protocol")
            return None
        if result.data is not None:
            paths = [clip.path for clip in result.data][:: -1 if swapped else 1]
        elif result.audio1_path is not None and result.audio2_path is not None:
            paths = [result.audio1_path, result.audio2_path]
        else:
            self._account.leave(BAD_RESULT, file=file, row=row, expected="the paths of two clips")
            return None
        clips = [self._clips.of(path) for path in paths]
        for path, clip in zip(paths, clips, strict=True):
            if clip is None:
                self._account.leave(UNKNOWN_CLIP, file=file, row=row, found=path, expected=self._clips.expected)
                return None
        found = self._played.get(tuple(str(clip) for clip in clips), [])
        if len({played.item for played in found}) == 1 < len(found):
            # One clip twice: both orders sound alike, so that only the name of the file can tell them apart.
            found = [played for played in found if played.order == (REVERSED if swapped else STORED)]
        if len(found) == 1:
            return found[0].presentation
        pair = " then ".join(str(clip) for clip in clips)
        if found:
            self._account.leave(AMBIGUOUS, file=file, row=row, found=pair, expected=f"a {ID} beside the response")
        else:
            self._account.leave(NOT_IN_RELEASE, file=file, row=row, found=pair, expected="a pair of the protocol")
        return None


def _said(result: Result, grammar: Grammar, findings: Findings, *, file: str, place: str) -> Said:
    """What a result says: the response where our grammar reads it, else AudioJudge's own label, else the response even so."""
    response = result.response
    words = json.dumps(response, ensure_ascii=False) if isinstance(response, dict) else response
    if result.success is False or result.error or words is None or not words.strip():
        return Said(status="failed", response=kept_response(words))
    if not isinstance(grammar.parse(words), Answer):
        labelled = response if isinstance(response, dict) else _object_in(words)
        label = labelled.get("label") if labelled is not None else None
        choice = LABELS.get(str(label).strip().lower()) if isinstance(label, str | int) else None
        if choice is not None and labelled is not None:
            return Said(choice=choice, evidence=evidence_of([labelled.get("reasoning")]))
    return said_in(words, grammar, findings, file=file, place=place)


def _object_in(words: str) -> Mapping[str, object] | None:
    """The object that a response is, with or without a fence around it; none where there is anything else."""
    bare = words.strip()
    if bare.startswith("```") and bare.endswith("```"):
        bare = bare.removeprefix("```").removesuffix("```").strip().removeprefix("json")
    try:
        value: Json = json_value(bare)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None
