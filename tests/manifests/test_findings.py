"""Findings: kept by place, counted exactly, written anywhere."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from earmark.manifests.errors import Refused
from earmark.manifests.findings import Code, Finding, Findings, Severity, declare, declared_codes, nearest

BAD = declare("tests.bad", Severity.ERROR, "this is bad")
ODD = declare("tests.odd", Severity.WARNING, "this is odd")
FYI = declare("tests.fyi", Severity.NOTE, "this is so")

PLACES = st.fixed_dictionaries(
    {},
    optional={
        "file": st.sampled_from(["a.csv", "b.csv"]),
        "row": st.integers(1, 9),
        "column": st.sampled_from(["x", "y"]),
        "id": st.sampled_from(["i1", "i2"]),
        "found": st.integers(0, 3),
        "expected": st.sampled_from(["more", "less"]),
    },
)
ADDED = st.lists(st.tuples(st.sampled_from([BAD, ODD, FYI]), PLACES), max_size=30)


def collected(added: list[tuple[Code, dict[str, object]]], cap: int) -> Findings:
    findings = Findings(cap=cap)
    for code, place in added:
        findings.add(code, **place)  # type: ignore[arg-type]  # drawn by the right types
    return findings


@given(ADDED, st.integers(0, 5))
def test_counts_are_exact_and_lists_capped(added: list[tuple[Code, dict[str, object]]], cap: int) -> None:
    findings = collected(added, cap)
    counts = Counter(code.name for code, _ in added)
    assert findings.counts == dict(sorted(counts.items()))
    assert len(findings) == len(added)
    assert Counter(finding.code.name for finding in findings) == {
        name: min(n, cap) for name, n in counts.items() if cap
    }
    assert findings.exit_code == int(counts[BAD.name] > 0) == int(findings.failed)
    assert [findings.count(severity) for severity in Severity] == [counts[code.name] for code in (BAD, ODD, FYI)]


@given(ADDED, st.integers(0, 5), st.randoms(use_true_random=False))
def test_order_of_finding_leaves_no_trace(
    added: list[tuple[Code, dict[str, object]]], cap: int, random: object
) -> None:
    later = list(added)
    random.shuffle(later)  # type: ignore[attr-defined]  # a random.Random
    assert collected(added, cap).as_json() == collected(later, cap).as_json()


@given(ADDED, st.integers(0, 5), st.integers(0, 30))
def test_two_checks_extended_are_one(added: list[tuple[Code, dict[str, object]]], cap: int, cut: int) -> None:
    both = collected(added[:cut], cap)
    both.extend(collected(added[cut:], cap))
    assert both.as_json() == collected(added, cap).as_json()


def test_gravest_first_then_by_place() -> None:
    findings = Findings()
    findings.add(FYI)
    findings.add(ODD, file="a", row=2)
    findings.add(BAD, file="b")
    findings.add(BAD, file="a", row=10)
    findings.add(BAD, file="a", row=9)
    assert [(finding.code.name, finding.file, finding.row) for finding in findings] == [
        ("tests.bad", "a", 9),
        ("tests.bad", "a", 10),
        ("tests.bad", "b", None),
        ("tests.odd", "a", 2),
        ("tests.fyi", None, None),
    ]


def test_strict_stops_at_the_first_error() -> None:
    findings = Findings(strict=True)
    findings.add(ODD)
    with pytest.raises(Refused, match="1 error, 1 warning") as refused:
        findings.add(BAD)
    assert refused.value.findings is findings
    other = Findings()
    other.add(ODD)
    findings = Findings(strict=True)
    findings.extend(other)
    assert findings.exit_code == 0
    other.add(BAD)
    with pytest.raises(Refused):
        findings.extend(other)


def test_require_none() -> None:
    findings = Findings()
    findings.add(ODD)
    findings.require_none()
    findings.add(BAD)
    with pytest.raises(Refused):
        findings.require_none()


def test_summary() -> None:
    findings = Findings()
    assert findings.summary() == "no findings"
    for code, times in ((BAD, 1), (ODD, 2), (FYI, 1)):
        for _ in range(times):
            findings.add(code)
    assert findings.summary() == "1 error, 2 warnings, 1 note"


def test_text_and_json_of_one_finding() -> None:
    full = Finding(BAD, "a.csv", 3, "pole", "i1", "X", "one of P, N")
    assert full.text() == "error tests.bad a.csv:3 [pole] i1: this is bad; found X; one of P, N"
    assert Finding(BAD, found="X", expected="P").detail() == "found X; expected P"
    assert Finding(ODD).text() == "warning tests.odd: this is odd"
    assert Finding(ODD, row=4, found="").text() == "warning tests.odd :4: this is odd; found ''"
    assert Finding(ODD, found="two words").text().endswith("found 'two words'")
    assert full.as_json() == {
        "code": "tests.bad",
        "severity": "error",
        "means": "this is bad",
        "file": "a.csv",
        "row": 3,
        "character": None,
        "column": "pole",
        "id": "i1",
        "found": "X",
        "expected": "one of P, N",
    }


@given(st.text(st.characters(), max_size=2000))
def test_whatever_was_found_can_be_shown_and_written(found: str) -> None:
    findings = Findings()
    findings.add(BAD, file=found, id=found, found=found)
    json.dumps(findings.as_json(), ensure_ascii=False).encode()
    text = next(iter(findings)).text()
    assert len(text) < 6000
    shown = text.partition("; found ")[2] if "\n" not in found else ""
    assert "\x1b" not in shown


def test_control_characters_are_made_visible() -> None:
    findings = Findings()
    findings.add(BAD, found="\x1b[31m" + "x" * 200)
    assert next(iter(findings)).text().endswith("; found '\\x1b[31m" + "x" * 115 + "… (205 characters)'")


def test_a_code_has_one_meaning() -> None:
    assert declare("tests.bad", Severity.ERROR, "this is bad") == BAD
    with pytest.raises(ValueError, match="declared twice"):
        declare("tests.bad", Severity.ERROR, "this is worse")
    names = [code.name for code in declared_codes()]
    assert names == sorted(names)
    assert BAD in declared_codes()


def test_nearest() -> None:
    many = [f"name-{n}" for n in range(20)]
    assert nearest("zzz", many).endswith("name-11, …")
    assert nearest("NAME-3", many, most=1) == "did you mean name-3?"
    longer = [f"the_long_beginning_of_{name}" for name in many]
    assert nearest("Name-19", longer) == "did you mean the_long_beginning_of_name-19?"
    assert nearest("name", longer).startswith("one of "), "too many have it"
    assert nearest("19", longer).startswith("one of "), "too short to mean one"
    assert nearest("colour", ["color", "colours"]) == "did you mean colours or color?"


def test_findings_that_were_not_added_are_counted_and_change_nothing_kept() -> None:
    findings, whole = Findings(cap=2), Findings(cap=2)
    for row in (1, 2):
        findings.add(BAD, row=row)
    findings.count_more(BAD, 3)
    findings.count_more(BAD, 0)
    for row in (1, 2, 3, 4, 5):
        whole.add(BAD, row=row)
    assert list(findings) == list(whole)
    assert findings.counts == whole.counts
    assert findings.as_json() == whole.as_json()


def test_counting_none_more_makes_no_entry() -> None:
    findings = Findings()
    findings.count_more(BAD, 0)
    assert (findings.counts, len(findings), list(findings)) == ({}, 0, [])


def test_a_cap_of_none_counts_and_is_taken_over() -> None:
    counted, whole = Findings(cap=0), Findings()
    counted.count_more(BAD, 4)
    whole.extend(counted)
    assert (whole.counts, list(whole)) == ({"tests.bad": 4}, [])
    assert whole.failed


def test_findings_say_what_they_are() -> None:
    findings = Findings()
    assert repr(findings) == "<Findings: no findings>"
    findings.add(declare("test.said-in-a-repr", Severity.WARNING, "something"))
    assert repr(findings) == "<Findings: 1 warning>"
