"""Prediction rows: what each field may hold, checked field by field so that everything wrong with a row is said at once."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple, TypeAlias, cast

from earmark.manifests.canonical import Json
from earmark.manifests.findings import Code, Severity, declare, nearest
from earmark.manifests.grammars import MOST_EVIDENCE

NOT_AN_OBJECT = declare("submission.not-an-object", Severity.ERROR, "a row is a JSON object")
NO_ID = declare("submission.no-id", Severity.ERROR, "a row must name its presentation")
UNKNOWN_FIELD = declare("submission.unknown-field", Severity.ERROR, "rows have no such field")
WRONG_TYPE = declare("submission.wrong-type", Severity.ERROR, "the value is of another type than its field")
OUT_OF_RANGE = declare("submission.out-of-range", Severity.ERROR, "the value lies outside the range of its field")
BOOL_AS_NUMBER = declare("submission.bool-as-number", Severity.ERROR, "a truth value stands where a number belongs")
NAN = declare("submission.nan", Severity.ERROR, "NaN is no number")
INFINITY = declare("submission.infinity", Severity.ERROR, "an infinite number is none")
NUMBER_OVERFLOW = declare("submission.number-overflow", Severity.ERROR, "a number is too large for 64 bits")
UNKNOWN_VALUE = declare(
    "submission.unknown-value", Severity.ERROR, "the value is none of those that the field may have"
)
TOO_LONG = declare("submission.too-long", Severity.ERROR, "the value is longer than its field may be")
NUL = declare("submission.nul", Severity.ERROR, "a text holds the character U+0000")
NO_ANSWER = declare("submission.no-answer", Severity.ERROR, "a row that is ok has neither a response nor a choice")
TWO_ANSWERS = declare("submission.two-answers", Severity.ERROR, "a row has both a response and a choice")
ANSWER_NOT_OK = declare("submission.answer-not-ok", Severity.ERROR, "a row that failed or abstained has a choice")
LONE_PROBABILITY = declare("submission.lone-probability", Severity.ERROR, "a row has a probability and no choice")
HEADER_MISPLACED = declare("submission.header-misplaced", Severity.ERROR, "only the first line may describe the run")

FIELDS = (
    "presentation_id",
    "run",
    "status",
    "response",
    "choice",
    "probability",
    "evidence",
    "latency_s",
    "input_tokens",
    "output_tokens",
    "cost_usd",
)
"""The fields of a row; all but the first may be absent or null."""

STATUSES = ("ok", "failed", "abstained")
"""What a row may say became of its presentation; the first is meant where none is given."""

MOST_RUN = (1 << 31) - 1
"""Highest number of a run."""

MOST_COST = 10**12
"""Highest number of tokens, seconds or dollars."""


MOST_ROWS_OWED = 64
"""Rows that are read at most for each presentation owed: so many runs are marked."""


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
        """The limits for a protocol: 64 KiB and 64 rows per owed presentation, at most 1 GiB and ten million."""
        owed = max(1, presentations)
        return cls(bytes=min(1 << 30, owed << 16), rows=min(10_000_000, 1024 + owed * MOST_ROWS_OWED))


class Row(NamedTuple):
    """One row as it was given; `problem` says why nothing else in it counts."""

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
    """One thing that is wrong with a row; `character` says where in its line, from 1, if it is no matter of a field.

    What would be right is worked out when it is asked for, where that takes long: most of many problems are only counted.
    One problem may stand for the last of several of its kind: `times` says of how many.
    """

    code: Code
    column: str | None = None
    found: object = None
    expected: str | Callable[[], str] | None = None
    character: int | None = None
    times: int = 1

    def right(self) -> str | None:
        """What would be right, in words."""
        return self.expected if isinstance(self.expected, str | None) else self.expected()


TOO_LARGE_A_NUMBER = 1 << 64
"""Stands for a number that a table format could only write as an infinite one."""

Check: TypeAlias = "Callable[[str, object], Problem | None]"


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
        self.whole_choices = {
            int(choice): choice for choice in choices if choice.isdecimal() and str(int(choice)) == choice
        }
        self._checks: Mapping[str, Check] = {
            "presentation_id": _text(limits.id),
            "run": _whole(MOST_RUN),
            "status": _one_of(STATUSES),
            "response": _text(limits.response),
            "choice": _one_of(self.choices, self.whole_choices),
            "probability": _real(1),
            "evidence": _texts(limits.evidence),
            "latency_s": _real(MOST_COST),
            "input_tokens": _whole(MOST_COST),
            "output_tokens": _whole(MOST_COST),
            "cost_usd": _real(MOST_COST),
        }

    def check(self, value: Json, line: int) -> Row | list[Problem]:
        """A row, or all that is wrong with it."""
        if not isinstance(value, Mapping):
            listed = "one object a line, with no list around them" if isinstance(value, list) else None
            return [Problem(NOT_AN_OBJECT, found=type(value).__name__, expected=listed)]
        problems = self.problems(value)
        if problems:
            return problems
        cells: dict[str, object] = {name: value[name] for name in self.fields if value.get(name) is not None}
        for name, cell in cells.items():
            match name:
                case "choice" if not isinstance(cell, str):
                    cells[name] = self.whole_choices[cast(int, cell)]
                case "probability" | "latency_s" | "cost_usd":
                    cells[name] = float(cast(float, cell)) + 0.0
                case "evidence":
                    cells[name] = tuple(cast(list[str], cell))
        return Row(**cells, line=line)  # type: ignore[arg-type]  # each was found to be of its field's type

    def identify(self, value: Json) -> tuple[str | None, int]:
        """Which presentation and run a bad row is about, as far as it can be read."""
        if not isinstance(value, Mapping):
            return None, 0
        id, run = value.get("presentation_id"), value.get("run")
        named = id if isinstance(id, str) and id and self._checks["presentation_id"]("", id) is None else None
        return named, run if type(run) is int and 0 <= run <= MOST_RUN else 0

    def problems(self, value: Mapping[str, Json], *, known: Collection[str] = ()) -> list[Problem]:
        """All that is wrong with a row besides what is known to be wrong with the values of some of its fields."""
        found = list(self._problems(value)) or ([] if known else list(_contradictions(value)))
        return [problem for problem in found if problem.column not in known or problem.code in _OF_NAMES]

    def _problems(self, value: Mapping[str, Json]) -> Iterator[Problem]:
        if "earmark" in value:
            yield Problem(HEADER_MISPLACED, "earmark")
        # A line has room for a hundred thousand fields that there are not: the first are told, and all are counted.
        unknown = len(value) - sum(map(value.__contains__, (*self.fields, "earmark")))
        told = 0
        for name in value if unknown else ():
            if name not in self.fields and name != "earmark":
                told += 1
                times = unknown - told + 1 if told == _MOST_TOLD else 1
                yield Problem(UNKNOWN_FIELD, name, expected=partial(nearest, name[:40], self.fields), times=times)
                if told == _MOST_TOLD:
                    break
        if value.get("presentation_id") in (None, ""):
            yield Problem(NO_ID, "presentation_id", expected="the id that the requests give it")
        for name in self.fields:
            if value.get(name) is not None and (problem := self._checks[name](name, value[name])) is not None:
                yield problem


_MOST_TOLD = 50
_OF_NAMES = frozenset({UNKNOWN_FIELD, HEADER_MISPLACED})


def _contradictions(value: Mapping[str, Json]) -> Iterator[Problem]:
    """What is wrong between the fields of a row whose fields are sound by themselves."""
    answered, chosen = value.get("response") is not None, value.get("choice") is not None
    if value.get("status") not in (None, "ok"):
        if chosen:
            yield Problem(ANSWER_NOT_OK, "choice", value["choice"], f"no choice beside status {value['status']!r}")
    elif answered and chosen:
        yield Problem(TWO_ANSWERS, "choice", value["choice"], "either of them")
    elif not answered and not chosen:
        yield Problem(NO_ANSWER, "choice", expected='a response or a choice, or status "failed" or "abstained"')
    if value.get("probability") is not None and not chosen:
        yield Problem(LONE_PROBABILITY, "probability", value["probability"], "a choice that it is the probability of")


def _mistyped(name: str, cell: object, expected: str) -> Problem:
    return Problem(WRONG_TYPE, name, f"{_kind(cell)} {cell!r}"[:80], expected)


def _kind(cell: object) -> str:
    names = {bool: "truth value", int: "whole number", float: "number", str: "text", list: "list", dict: "object"}
    return names.get(type(cell), type(cell).__name__)


def _text(most: int) -> Check:
    def check(name: str, cell: object) -> Problem | None:
        if not isinstance(cell, str):
            return _mistyped(name, cell, "a text")
        if len(cell) > most:
            return Problem(TOO_LONG, name, f"{len(cell)} characters", f"at most {most}")
        return Problem(NUL, name, cell, "a text without it") if "\0" in cell else None

    return check


def _texts(most: int) -> Check:
    text = _text(most)

    def check(name: str, cell: object) -> Problem | None:
        if not isinstance(cell, list):
            return _mistyped(name, cell, f"a list of up to {MOST_EVIDENCE} texts")
        if len(cell) > MOST_EVIDENCE:
            return Problem(TOO_LONG, name, f"{len(cell)} entries", f"at most {MOST_EVIDENCE}")
        return next((problem for entry in cell if (problem := text(name, entry)) is not None), None)

    return check


def _whole(most: int) -> Check:
    expected = f"a whole number from 0 to {most}"

    def check(name: str, cell: object) -> Problem | None:
        if type(cell) is not int:
            return _no_number(name, cell, expected)
        if not _in_64_bits(cell):
            return Problem(NUMBER_OVERFLOW, name, expected=f"{expected}, or null")
        return None if 0 <= cell <= most else Problem(OUT_OF_RANGE, name, cell, f"from 0 to {most}")

    return check


def _real(most: int) -> Check:
    expected = f"a number from 0 to {most}"

    def check(name: str, cell: object) -> Problem | None:
        if type(cell) not in (int, float):
            return _no_number(name, cell, expected)
        number = cast(float, cell)
        if type(cell) is int and not _in_64_bits(cell):
            return Problem(NUMBER_OVERFLOW, name, expected=f"{expected}, or null")
        if not math.isfinite(number):
            return _no_number(name, cell, expected)
        return None if 0 <= number <= most else Problem(OUT_OF_RANGE, name, cell, f"from 0 to {most}")

    return check


def _in_64_bits(number: int) -> bool:
    return -(1 << 63) <= number < 1 << 63


def _no_number(name: str, cell: object, expected: str) -> Problem:
    if type(cell) is bool:
        return Problem(BOOL_AS_NUMBER, name, str(cell).lower(), expected)
    if isinstance(cell, float) and not math.isfinite(cell):
        return Problem(NAN if math.isnan(cell) else INFINITY, name, cell, f"{expected}, or null")
    return _mistyped(name, cell, expected)


def _one_of(valid: Sequence[str], numbers: Mapping[int, str] = {}) -> Check:
    expected = f"one of {', '.join(valid)}"

    def check(name: str, cell: object) -> Problem | None:
        if numbers and type(cell) is bool:
            return _no_number(name, cell, expected)
        if not isinstance(cell, str) and not (numbers and type(cell) is int):
            return _mistyped(name, cell, expected)
        return None if cell in valid or cell in numbers else Problem(UNKNOWN_VALUE, name, cell, expected)

    return check
