"""The rules of a row, one by one."""

from __future__ import annotations

import json
import math
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.predictions import GOOD, ODD, SMALL

from earmark.manifests.findings import Findings
from earmark.scoring.submissions import collecting
from earmark.scoring.submissions.collecting import Collector
from earmark.scoring.submissions.rows import FIELDS, MOST_COST, MOST_RUN, NO_ID, Limits, Problem, Row, Rules

RULES = Rules(("P", "N"), probability=True, limits=SMALL)
NUMBERED = Rules(("1", "2", "Tie", "01"), probability=False, limits=SMALL)


@given(GOOD)
def test_good_rows(row: dict[str, object]) -> None:
    read = RULES.check(row, 7)  # type: ignore[arg-type]  # JSON
    assert isinstance(read, Row)
    assert read.line == 7
    assert read.problem is None
    assert RULES.identify(row) == (row["presentation_id"], row.get("run") or 0)  # type: ignore[arg-type]  # JSON


@given(ODD | st.recursive(st.none() | st.integers() | st.text(max_size=3), lambda inner: st.lists(inner, max_size=2)))
def test_any_value_is_a_row_or_has_problems(value: object) -> None:
    read = RULES.check(value, 1)  # type: ignore[arg-type]  # JSON
    if isinstance(read, Row):
        assert set(value) <= set(FIELDS)  # type: ignore[call-overload]  # an object
    else:
        assert read
        assert all(problem.code.name.startswith("submission.") for problem in read)
        json.dumps([str(problem.found) for problem in read])


@pytest.mark.parametrize(
    ("changed", "problems"),
    [
        ({}, []),
        ({"presentation_id": None}, [("no-id", "presentation_id")]),
        ({"presentation_id": ""}, [("no-id", "presentation_id")]),
        ({"presentation_id": 3}, [("wrong-type", "presentation_id")]),
        ({"presentation_id": "p" * 30}, []),
        ({"presentation_id": "p" * 31}, [("too-long", "presentation_id")]),
        ({"presentation_id": "p\0"}, [("nul", "presentation_id")]),
        ({"run": MOST_RUN}, []),
        ({"run": MOST_RUN + 1}, [("out-of-range", "run")]),
        ({"run": -1}, [("out-of-range", "run")]),
        ({"run": 1.0}, [("wrong-type", "run")]),
        ({"run": True}, [("bool-as-number", "run")]),
        ({"run": "1"}, [("wrong-type", "run")]),
        ({"status": "OK"}, [("unknown-value", "status")]),
        ({"status": 1}, [("wrong-type", "status")]),
        ({"choice": "p"}, [("unknown-value", "choice")]),
        ({"choice": "None"}, [("unknown-value", "choice")]),
        ({"choice": ["P"]}, [("wrong-type", "choice")]),
        ({"choice": 1}, [("wrong-type", "choice")]),
        ({"choice": False}, [("wrong-type", "choice")]),
        ({"choice": None}, [("no-answer", "choice")]),
        ({"response": "x"}, [("two-answers", "choice")]),
        ({"response": "x" * 60, "choice": None}, []),
        ({"response": "x" * 61, "choice": None}, [("too-long", "response")]),
        ({"response": "", "choice": None}, []),
        ({"status": "failed"}, [("answer-not-ok", "choice")]),
        ({"status": "abstained", "choice": None}, []),
        ({"status": "abstained", "choice": None, "response": "I cannot say."}, []),
        ({"status": "failed", "choice": None, "probability": 0.5}, [("lone-probability", "probability")]),
        ({"response": "x", "choice": None, "probability": 0.5}, [("lone-probability", "probability")]),
        ({"probability": 0}, []),
        ({"probability": 1.0000001}, [("out-of-range", "probability")]),
        ({"probability": -1e-300}, [("out-of-range", "probability")]),
        ({"probability": math.nan}, [("nan", "probability")]),
        ({"probability": "0.5"}, [("wrong-type", "probability")]),
        ({"probability": True}, [("bool-as-number", "probability")]),
        ({"latency_s": math.inf}, [("infinity", "latency_s")]),
        ({"latency_s": -0.1}, [("out-of-range", "latency_s")]),
        ({"cost_usd": MOST_COST * 2}, [("out-of-range", "cost_usd")]),
        ({"input_tokens": MOST_COST + 1}, [("out-of-range", "input_tokens")]),
        ({"output_tokens": 0.5}, [("wrong-type", "output_tokens")]),
        ({"evidence": ["a"] * 4}, []),
        ({"evidence": ["a"] * 5}, [("too-long", "evidence")]),
        ({"evidence": ["a", "x" * 21]}, [("too-long", "evidence")]),
        ({"evidence": ["a", None]}, [("wrong-type", "evidence")]),
        ({"evidence": ["a\0"]}, [("nul", "evidence")]),
        ({"evidence": "a"}, [("wrong-type", "evidence")]),
        ({"probabilty": 0.5}, [("unknown-field", "probabilty")]),
        ({"earmark": {}}, [("header-misplaced", "earmark")]),
        (
            {"run": "x", "cost_usd": {}, "z": 1},
            [("unknown-field", "z"), ("wrong-type", "run"), ("wrong-type", "cost_usd")],
        ),
        ({"line": 3}, [("unknown-field", "line")]),
        ({"problem": "x"}, [("unknown-field", "problem")]),
    ],
    ids=lambda part: repr(part)[:50],
)
def test_problems(changed: dict[str, object], problems: list[tuple[str, str]]) -> None:
    read = RULES.check({"presentation_id": "p", "choice": "P", **changed}, 1)  # type: ignore[dict-item]  # JSON
    found = [] if isinstance(read, Row) else [(problem.code.name, problem.column) for problem in read]
    assert found == [(f"submission.{code}", column) for code, column in problems]


def test_what_would_be_right_is_said() -> None:
    def said(**changed: object) -> list[tuple[object, str | None]]:
        read = RULES.check({"presentation_id": "p", "choice": "P", **changed}, 1)  # type: ignore[dict-item]  # JSON
        assert isinstance(read, list)
        return [(problem.found, problem.right()) for problem in read]

    assert said(probabilty=1) == [(None, "did you mean probability?")]
    assert said(run=True) == [("true", f"a whole number from 0 to {MOST_RUN}")]
    assert said(choice="X") == [("X", "one of P, N")]
    assert said(status="done") == [("done", "one of ok, failed, abstained")]
    assert said(presentation_id="p" * 31) == [("31 characters", "at most 30")]
    assert said(probability=2) == [(2, "from 0 to 1")]
    assert said(presentation_id=(1,))[0][0] == "tuple (1,)"


def test_whole_numbers_stand_for_choices_that_are_digits() -> None:
    for given_choice, choice in ((1, "1"), (2, "2"), ("2", "2"), ("Tie", "Tie"), ("01", "01")):
        read = NUMBERED.check({"presentation_id": "p", "choice": given_choice}, 1)
        assert isinstance(read, Row)
        assert read.choice == choice
    for bad in (3, True, 1.0, -1):
        assert isinstance(NUMBERED.check({"presentation_id": "p", "choice": bad}, 1), list)


def test_a_family_without_probabilities_has_no_such_field() -> None:
    read = NUMBERED.check({"presentation_id": "p", "choice": 1, "probability": 0.5}, 1)
    assert isinstance(read, list)
    assert [(code.name, column) for code, column, *_ in read] == [("submission.unknown-field", "probability")]


@pytest.mark.parametrize(
    ("value", "place"),
    [
        ([], (None, 0)),
        ({"presentation_id": 3, "run": 2}, (None, 2)),
        ({"presentation_id": ""}, (None, 0)),
        ({"presentation_id": "p" * 31}, (None, 0)),
        ({"presentation_id": "p\0"}, (None, 0)),
        ({"presentation_id": "p", "run": True}, ("p", 0)),
        ({"presentation_id": "p", "run": -1}, ("p", 0)),
        ({"presentation_id": "p", "run": 4, "choice": 9}, ("p", 4)),
    ],
)
def test_the_place_of_a_bad_row(value: object, place: tuple[str | None, int]) -> None:
    assert RULES.identify(value) == place  # type: ignore[arg-type]  # JSON


def test_limits_for_a_protocol() -> None:
    assert Limits.owing(10).bytes == 10 * 65_536
    assert Limits.owing(0).bytes == 65_536
    assert Limits.owing(10**9).bytes == 1 << 30


@given(st.integers(0, 130), st.lists(st.sampled_from(["run", "choice", "earmark"]), unique=True), st.randoms())
def test_of_many_fields_that_there_are_not_the_first_are_told_and_all_are_counted(
    unknown: int, known: list[str], random: Random
) -> None:
    names = [*(f"k{n}" for n in range(unknown)), *known, "presentation_id"]
    random.shuffle(names)
    findings = Findings()
    collector = Collector("f.jsonl", RULES, findings)
    value = {name: {"presentation_id": "p", "choice": "P", "run": 1}.get(name) for name in names}
    problems = RULES.problems(value)
    told = [problem for problem in problems if problem.code.name == "submission.unknown-field"]
    assert [problem.column for problem in told] == [name for name in names if name.startswith("k")][:50]
    assert sum(problem.times for problem in told) == unknown
    if problems:
        for line in (1, 2):
            collector.refuse(line, problems, "p", 0)
    assert findings.counts.get("submission.unknown-field", 0) == (2 * unknown if problems else 0)


def test_bad_rows_that_name_nothing_are_counted_and_not_all_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(collecting, "_MOST_UNNAMED", 3)
    collector = Collector("f.jsonl", RULES, Findings())
    for line in range(1, 21):
        collector.refuse(line, [Problem(NO_ID)], "p" if line % 2 else None, 0)
    assert collector.rows == 20
    assert collector.findings.counts == {"submission.no-id": 20}
    assert [bad.line for bad in collector.bad_rows()] == [1, 2, 3, 4, 5, 6, *range(7, 21, 2)]
