"""Prediction rows: what each field may hold, and a reader that says everything that is wrong with a row.

The rules are stated twice on purpose: as a msgspec structure, which takes good rows at full speed and only says no to bad ones, and
field by field in `Rules.check`, which names every problem. A row is good if the second says so; the first must never take more.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal, NamedTuple, cast

import msgspec
import numpy as np
import pyarrow as pa
from msgspec import UNSET, Meta, UnsetType

from earmark.manifests.canonical import Json
from earmark.manifests.findings import Code, Severity, declare, nearest
from earmark.manifests.grammars import MOST_EVIDENCE

NOT_AN_OBJECT = declare("submission.not-an-object", Severity.ERROR, "a row is a JSON object")
NO_ID = declare("submission.no-id", Severity.ERROR, "a row must name its presentation")
UNKNOWN_FIELD = declare("submission.unknown-field", Severity.ERROR, "rows have no such field")
WRONG_TYPE = declare("submission.wrong-type", Severity.ERROR, "the value is of another type than its field")
OUT_OF_RANGE = declare("submission.out-of-range", Severity.ERROR, "the value lies outside the range of its field")
NOT_FINITE = declare("submission.not-finite", Severity.ERROR, "a number is NaN, infinite or beyond 64 bits")
UNKNOWN_VALUE = declare("submission.unknown-value", Severity.ERROR, "the value is none of those that the field may have")
TOO_LONG = declare("submission.too-long", Severity.ERROR, "the value is longer than its field may be")
NUL = declare("submission.nul", Severity.ERROR, "a text holds the character U+0000")
NO_ANSWER = declare("submission.no-answer", Severity.ERROR, "a row that is ok has neither a response nor a choice")
TWO_ANSWERS = declare("submission.two-answers", Severity.ERROR, "a row has both a response and a choice")
ANSWER_NOT_OK = declare("submission.answer-not-ok", Severity.ERROR, "a row that failed or abstained has a choice")
LONE_PROBABILITY = declare("submission.lone-probability", Severity.ERROR, "a row has a probability and no choice")
HEADER_MISPLACED = declare("submission.header-misplaced", Severity.ERROR, "only the first line may describe the run")

STATUSES = ("ok", "failed", "abstained")
"""What a row may say became of its presentation; the first is meant where none is given."""

MOST_RUN = (1 << 31) - 1
MOST_COUNT = 10**12

COLUMNS = pa.schema(
    [
        pa.field("presentation_id", pa.string(), nullable=False),
        pa.field("run", pa.int64(), nullable=False),
        pa.field("status", pa.string(), nullable=False),
        pa.field("response", pa.large_string()),
        pa.field("choice", pa.string()),
        pa.field("probability", pa.float64()),
        pa.field("evidence", pa.list_(pa.string())),
        pa.field("latency_s", pa.float64()),
        pa.field("input_tokens", pa.int64()),
        pa.field("output_tokens", pa.int64()),
        pa.field("cost_usd", pa.float64()),
        pa.field("line", pa.int64(), nullable=False),
    ]
)
"""The columns that rows are kept in; null where a field was absent or null."""

FIELDS = tuple(COLUMNS.names[:-1])
"""The fields of a row, in order."""


@dataclass(frozen=True, kw_only=True)
class Limits:
    """What is read at most, so that no file can take memory or time without bound.

    Args:
        bytes: Of the whole file, decompressed.
        rows: Rows, good and bad.
        line: Bytes of one line or CSV record.
        id: Characters of a presentation id.
        response: Characters of a response.
        evidence: Characters of one string of evidence.
    """

    bytes: int = 1 << 30
    rows: int = 10_000_000
    line: int = 1 << 20
    id: int = 64
    response: int = 1 << 16
    evidence: int = 4096

    @classmethod
    def owing(cls, presentations: int) -> Limits:
        """The limits for a protocol: 64 KiB per owed presentation, at most 1 GiB."""
        return cls(bytes=min(cls.bytes, max(1, presentations) << 16))


class Row(NamedTuple):
    """One row as a submission gave it; `problem` says why nothing else in it counts."""

    presentation_id: str
    run: int = 0
    status: str = STATUSES[0]
    response: str | None = None
    choice: str | None = None
    probability: float | None = None
    evidence: tuple[str, ...] = ()
    latency_s: float | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    cost_usd: float | None = None
    line: int = 0
    problem: str | None = None


class Problem(NamedTuple):
    """One thing that is wrong with a row."""

    code: Code
    column: str | None = None
    found: object = None
    expected: str | None = None


Cell = str | int | float | list[str] | None


class Rules:
    """What rows of one family may say.

    Args:
        choices: The family's choices; a whole number written without quotes stands for its digits.
        probability: Whether rows may have a probability.
        limits: How long a value may be.
    """

    def __init__(self, choices: Sequence[str], *, probability: bool, limits: Limits) -> None:
        self.choices = tuple(choices)
        self.limits = limits
        self.fields = tuple(name for name in FIELDS if probability or name != "probability")
        self.whole_choices = {int(choice): choice for choice in choices if choice.isdecimal() and str(int(choice)) == choice}
        self.struct = self._struct()
        self._checks: Mapping[str, Callable[[str, object], Problem | None]] = {
            "presentation_id": _text(limits.id),
            "run": _whole(MOST_RUN),
            "status": _one_of(STATUSES),
            "response": _text(limits.response),
            "choice": self._choice,
            "probability": _real(1.0),
            "evidence": _texts(limits.evidence),
            "latency_s": _real(float(MOST_COUNT)),
            "input_tokens": _whole(MOST_COUNT),
            "output_tokens": _whole(MOST_COUNT),
            "cost_usd": _real(float(MOST_COUNT)),
        }

    def _struct(self) -> type[msgspec.Struct]:
        """The same rules as a structure; every optional field may be absent or null."""
        limits = self.limits
        types: dict[str, object] = {
            "run": Annotated[int, Meta(ge=0, le=MOST_RUN)],
            "status": Literal[STATUSES],  # type: ignore[valid-type]  # the same names as above
            "response": Annotated[str, Meta(max_length=limits.response)],
            "choice": Literal[(*self.choices, *self.whole_choices)],  # type: ignore[valid-type]  # known at run time
            "probability": Annotated[float, Meta(ge=0.0, le=1.0)],
            "evidence": Annotated[
                list[Annotated[str, Meta(max_length=limits.evidence)]], Meta(max_length=MOST_EVIDENCE)
            ],
            "latency_s": Annotated[float, Meta(ge=0.0, le=float(MOST_COUNT))],
            "input_tokens": Annotated[int, Meta(ge=0, le=MOST_COUNT)],
            "output_tokens": Annotated[int, Meta(ge=0, le=MOST_COUNT)],
            "cost_usd": Annotated[float, Meta(ge=0.0, le=float(MOST_COUNT))],
        }
        id_type = Annotated[str, Meta(min_length=1, max_length=limits.id)]
        optional = [(name, types[name] | None | UnsetType, UNSET) for name in self.fields[1:]]  # type: ignore[operator]
        return msgspec.defstruct(
            "PredictionRow", [(FIELDS[0], id_type), *optional], forbid_unknown_fields=True, gc=False
        )

    def check(self, value: Json) -> Row | list[Problem]:
        """A row without its line, or all that is wrong with it."""
        if not isinstance(value, Mapping):
            return [Problem(NOT_AN_OBJECT, found=type(value).__name__)]
        problems = list(self._problems(value))
        if problems:
            return problems
        cells = {name: value[name] for name in self.fields if value.get(name) is not None}
        if cells.get("choice") in self.whole_choices:
            cells["choice"] = self.whole_choices[cast(int, cells["choice"])]
        for name in ("probability", "latency_s", "cost_usd"):
            if name in cells:
                cells[name] = float(cast(float, cells[name])) + 0.0
        if "evidence" in cells:
            cells["evidence"] = tuple(cast(list[str], cells["evidence"]))
        return Row(**cells)  # type: ignore[arg-type]  # each was checked to be of its field's type

    def _problems(self, value: Mapping[str, Json]) -> Iterator[Problem]:
        if "earmark" in value:
            yield Problem(HEADER_MISPLACED, "earmark")
        for name in value:
            if name not in self.fields and name != "earmark":
                yield Problem(UNKNOWN_FIELD, name, expected=nearest(name[:40], self.fields))
        if value.get(FIELDS[0]) in (None, ""):
            yield Problem(NO_ID, FIELDS[0], expected="the id of a presentation, as the requests name it")
        sound = True
        for name in self.fields:
            cell = value.get(name)
            problem = None if cell is None else self._checks[name](name, cell)
            if problem is not None:
                sound = False
                yield problem
        if sound:
            yield from _contradictions(value)

    def _choice(self, name: str, cell: object) -> Problem | None:
        if isinstance(cell, bool) or not isinstance(cell, str | int):
            return _mistyped(name, cell, f"one of {', '.join(self.choices)}")
        if cell in self.choices or cell in self.whole_choices:
            return None
        return Problem(UNKNOWN_VALUE, name, cell, f"one of {', '.join(self.choices)}")

    def identify(self, value: Json) -> tuple[str | None, int]:
        """Which presentation and run a bad row is about, as far as it can be read."""
        if not isinstance(value, Mapping):
            return None, 0
        id, run = value.get("presentation_id"), value.get("run")
        named = isinstance(id, str) and 0 < len(id) <= self.limits.id and "\0" not in id
        return (cast(str, id) if named else None), (run if type(run) is int and 0 <= run <= MOST_RUN else 0)

    def table(self, rows: Sequence[msgspec.Struct], lines: pa.Array) -> tuple[pa.Table, Keys] | None:
        """Structures as columns, or None where one of them contradicts itself.

        Args:
            rows: Structures of `struct`.
            lines: (n,) int64 line of each.
        """
        arrays: list[pa.Array] = []
        keys = Keys(len(rows), 0)
        for field in COLUMNS:
            if field.name == "line":
                arrays.append(lines)
                continue
            if field.name not in self.fields:
                arrays.append(pa.nulls(len(rows), field.type))
                continue
            cells = [getattr(row, field.name) for row in rows]
            absent = cells.count(UNSET) if field.name != FIELDS[0] else 0
            keys.present += len(rows) - absent
            if absent == len(rows):
                arrays.append(_DEFAULTS.get(field.name, lambda n, type=field.type: pa.nulls(n, type))(len(rows)))
                continue
            if absent:
                cells = [None if cell is UNSET else cell for cell in cells]
            if field.name == "choice" and self.whole_choices:
                keys.numbers += sum(type(cell) is int for cell in cells)
                cells = [self.whole_choices.get(cell, cell) if type(cell) is int else cell for cell in cells]
            arrays.append(_array(field, cells))
        return None
