"""What a submission says of itself in the optional first line of its JSON Lines file: release, judge and run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, TypeVar

import msgspec

from earmark.manifests.canonical import Json
from earmark.manifests.declarations import MODALITIES
from earmark.manifests.findings import Findings, Severity, declare, nearest

BAD_HEADER = declare("submission.bad-header", Severity.ERROR, "the first line describes the run in another form")

Words = Annotated[str, msgspec.Meta(max_length=4096)]
Settings = Annotated[dict[Words, bool | int | float | Words | None], msgspec.Meta(max_length=64)]

Access = Literal["open_weights", "commercial"]
Architecture = Literal["end_to_end", "cascaded", "text_only", "human", "rule"]
Modality = Literal["audio", "audio-text-history", "transcript", "oracle", "cascade-numbers", "cascade-words"]
Serving = Literal["single_stream", "batched"]
assert Modality.__args__ == MODALITIES  # type: ignore[attr-defined]  # noqa: S101 - one list, spelt out for type checkers


class Judge(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who judged.

    Args:
        name: Name of the model or of the people.
        revision: Revision of the weights.
        api_date: Date on which an API was asked, where it names no revision.
        access: Whether the weights are open.
        architecture: What kind of judge it is.
        modality: What it was given in place of a clip.
        persona: Persona that it was told to take.
        decoding: How text was sampled, in words or as settings.
        template: The prompt, where it was not the release's own.
    """

    name: Words | None = None
    revision: Words | None = None
    api_date: Words | None = None
    access: Access | None = None
    architecture: Architecture | None = None
    modality: Modality | None = None
    persona: Words | None = None
    decoding: Words | Settings | None = None
    template: Words | None = None


class Run(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """On what it ran.

    Args:
        hardware: Processor and how many.
        serving: One request at a time, or many.
        price: What a unit cost, in words or as numbers.
    """

    hardware: Words | None = None
    serving: Serving | None = None
    price: Words | Settings | None = None


class Header(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The first line.

    Args:
        release: Name, or name@version, of the release that was judged.
        content_hash: Its content hash.
        protocol: The protocol that was followed.
        canary: UUID of the release line, in files that are published with it.
        judge: Who judged.
        run: On what it ran.
    """

    release: Words | None = None
    content_hash: Words | None = None
    protocol: Words | None = None
    canary: Words | None = None
    judge: Judge = Judge()
    run: Run = Run()


_Record = TypeVar("_Record", Judge, Run, Header)


def read_header(value: Json, file: str, findings: Findings) -> Header:
    """What the object under "earmark" says; what is wrong in it is found and left out.

    Args:
        value: The object.
        file: Name for findings.
        findings: Where problems go.
    """
    parts = dict(value) if isinstance(value, Mapping) else value
    judge, run = Judge(), Run()
    if isinstance(parts, dict):
        if parts.get("judge") is not None:
            judge = _record(Judge, parts["judge"], "earmark.judge", file, findings)
        if parts.get("run") is not None:
            run = _record(Run, parts["run"], "earmark.run", file, findings)
        parts.pop("judge", None)
        parts.pop("run", None)
    header = _record(Header, parts, "earmark", file, findings)
    return msgspec.structs.replace(header, judge=judge, run=run)


def _record(kind: type[_Record], value: Json, place: str, file: str, findings: Findings) -> _Record:
    """One record, each field judged by itself so that all that is wrong is said at once."""
    if not isinstance(value, Mapping):
        findings.add(BAD_HEADER, file=file, row=1, column=place, found=value, expected="an object")
        return kind()
    types = {field.name: field.type for field in msgspec.structs.fields(kind)}
    good: dict[str, object] = {}
    for name, entry in value.items():
        column = f"{place}.{name}"
        if name not in types:
            findings.add(BAD_HEADER, file=file, row=1, column=column, expected=nearest(name[:40], types))
            continue
        try:
            good[name] = msgspec.convert(entry, types[name])
        except msgspec.ValidationError as error:
            findings.add(BAD_HEADER, file=file, row=1, column=column, found=entry, expected=str(error))
    return msgspec.convert(good, kind)
