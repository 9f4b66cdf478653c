"""Findings for people: each kind once, its first places, and exact counts."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from earmark.cli.findings_text import MOST_ERRORS, MOST_OTHERS, findings_text
from earmark.manifests.findings import Code, Findings, Severity, declare

BAD = declare("test-cli.bad", Severity.ERROR, "something is bad")
ODD = declare("test-cli.odd", Severity.WARNING, "something is odd")
SAID = declare("test-cli.said", Severity.NOTE, "something is worth saying")
CODES = (BAD, ODD, SAID)


def of(code: Code, count: int, *, cap: int = 50) -> Findings:
    findings = Findings(cap=cap)
    for row in range(1, count + 1):
        findings.add(code, file="a.csv", row=row, found="x y", expected="z")
    return findings


def test_one_of_a_kind_is_one_line() -> None:
    assert findings_text(of(BAD, 1)).splitlines() == [
        "error test-cli.bad a.csv:1: something is bad; found 'x y'; expected z",
        "1 error",
    ]


def test_many_of_a_kind_are_named_once_with_their_first_places() -> None:
    lines = findings_text(of(ODD, 60), about="a.csv").splitlines()
    assert lines == [
        "warning test-cli.odd, 60 times: something is odd",
        "    a.csv:1: found 'x y'; expected z",
        "    a.csv:2: found 'x y'; expected z",
        "    a.csv:3: found 'x y'; expected z",
        "    … and 57 more of test-cli.odd",
        "a.csv: 60 warnings",
    ]


def test_more_errors_than_warnings_are_named() -> None:
    assert len(findings_text(of(BAD, 60)).splitlines()) == 1 + MOST_ERRORS + 2
    assert len(findings_text(of(SAID, 60)).splitlines()) == 1 + MOST_OTHERS + 2


def test_no_line_says_that_there_is_one_more_where_it_could_be_said() -> None:
    lines = findings_text(of(ODD, MOST_OTHERS + 1)).splitlines()
    assert "more" not in "".join(lines)
    assert len(lines) == 1 + MOST_OTHERS + 1 + 1


def test_fewer_kept_than_could_be_named() -> None:
    lines = findings_text(of(BAD, 9, cap=2)).splitlines()
    assert lines[1:] == [
        "    a.csv:1: found 'x y'; expected z",
        "    a.csv:2: found 'x y'; expected z",
        "    … and 7 more of test-cli.bad",
        "9 errors",
    ]


def test_nothing_found() -> None:
    assert findings_text(Findings()) == "no findings"
    assert findings_text(Findings(), about="here") == "here: no findings"


def test_what_a_stranger_wrote_stays_on_its_line_and_is_bounded() -> None:
    findings = Findings()
    for id in ("a\nerror forged.code: all is lost", "\x1b[2J", "b" * 5000):
        findings.add(BAD, id=id, file="f\r.csv", expected="\u202egnihton")
    lines = findings_text(findings).splitlines()
    assert len(lines) == 1 + 3 + 1
    assert all(line.isprintable() and len(line) < 500 for line in lines)


@given(st.lists(st.tuples(st.sampled_from(CODES), st.integers(1, 40))), st.integers(1, 30))
def test_every_finding_is_shown_or_counted(added: list[tuple[Code, int]], cap: int) -> None:
    findings = Findings(cap=cap)
    for code, row in added:
        findings.add(code, row=row, file="a")
    lines = findings_text(findings).splitlines()[:-1]
    told: Counter[str] = Counter()
    current = ""
    for line in lines:
        if line.startswith("    … and "):
            told[current] += int(line.split()[2])
        elif line.startswith("    "):
            told[current] += 1
        else:
            current = line.split()[1].rstrip(",")
            told[current] += "times: " not in line
    assert dict(told) == findings.counts
    ranks = [list(Severity).index(Severity(line.split()[0])) for line in lines if not line.startswith(" ")]
    assert ranks == sorted(ranks)


def test_the_name_of_a_file_forges_no_line() -> None:
    said = findings_text(of(BAD, 1), about="a\nb.csv: no findings\n\x1b[31m")
    assert said.splitlines()[1:] == ["a\\nb.csv: no findings\\n\\x1b[31m: 1 error"]
