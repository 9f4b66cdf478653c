"""Every owed presentation comes to one outcome: against a plain loop, and whatever the order of the rows."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.tiny import write_tiny_release

from earmark.manifests.families.stance import STANCE
from earmark.manifests.findings import Finding, Findings, Severity
from earmark.manifests.grammars import Answer, MarksGrammar
from earmark.manifests.release import Release
from earmark.scoring.decisions import Decisions, Outcome, Owed, check_declared_release, decide, owed_presentations
from earmark.scoring.submissions import BadRow, Header, Row, Submission
from earmark.scoring.submissions.columns import row_table

OWED = Owed("both-orders", ("p0", "p1", "p2", "p3"), ("i0", "i0", "i1", "i1"), ("PN", "NP") * 2)
ELSEWHERE = frozenset({"e0", "e1"})
CHOICES = ("P", "N")
RESPONSES = ('{"choice": "P", "probability": 0.8}', 'So: {"choice": "N"}', "no idea", '{"choice": "None"}', "")


@dataclass(frozen=True)
class File:
    """The rows of a prediction file, good and bad, by line."""

    rows: tuple[Row | BadRow, ...]

    def submission(self) -> Submission:
        lines = enumerate(self.rows, 1)
        numbered = [row._replace(line=n) if isinstance(row, Row) else replace(row, line=n) for n, row in lines]
        good = [row for row in numbered if isinstance(row, Row)]
        bad = tuple(row for row in numbered if isinstance(row, BadRow))
        table = row_table(good) if good else row_table([Row("x")]).slice(0, 0)
        return Submission("some.jsonl", Header(), table, bad)

    def decide(self, findings: Findings | None = None, owed: Owed = OWED) -> Decisions:
        given = findings if findings is not None else Findings()
        return decide(owed, self.submission(), STANCE.grammar, CHOICES, given, elsewhere=ELSEWHERE)


IDS = st.sampled_from([*OWED.ids, *OWED.ids, "e0", "e1", "unknown"])
RUNS = st.integers(0, 2)


def good(id: str, run: int, said: Row) -> Row:
    return said._replace(presentation_id=id, run=run)


ROWS = st.builds(
    good,
    IDS,
    RUNS,
    st.builds(
        lambda choice, p: Row("", choice=choice, probability=p),
        st.sampled_from(CHOICES),
        st.sampled_from([None, 0.5, 1.0]),
    )
    | st.builds(lambda response: Row("", response=response), st.sampled_from(RESPONSES))
    | st.builds(lambda status: Row("", status=status), st.sampled_from(["failed", "abstained"])),
) | st.builds(
    lambda id, run, reason: BadRow(0, id, run, "submission.wrong-type", reason),
    IDS | st.none(),
    RUNS,
    st.sampled_from(["it is wrong", "it is worse"]),
)
FILES = st.lists(ROWS, max_size=24).map(lambda rows: File(tuple(rows)))


def reading(row: Row | BadRow) -> tuple[Outcome, str | None, float | None, str | None]:
    """What one row says, without what is only shown."""
    if isinstance(row, BadRow):
        return Outcome.UNPARSABLE, None, None, row.reason
    if row.status != "ok":
        return {"failed": Outcome.FAILED, "abstained": Outcome.ABSTAINED}[row.status], None, None, None
    if row.response is None:
        return Outcome.OK, row.choice, row.probability, None
    answer = STANCE.grammar.parse(row.response)
    if isinstance(answer, Answer):
        return Outcome.OK, answer.choice, answer.probability, None
    return Outcome.UNPARSABLE, None, None, answer.reason


def listed(decisions: Decisions) -> dict[tuple[str, int], tuple[Outcome, str | None, float | None]]:
    """Decisions as plain values, by presentation and run."""
    assert len({*zip(decisions.presentation.tolist(), decisions.run.tolist(), strict=True)}) == len(decisions.run)
    return {
        (decisions.owed.ids[at], run): (
            Outcome(outcome),
            decisions.choices[choice] if choice >= 0 else None,
            None if np.isnan(p) else p,
        )
        for at, run, outcome, choice, p in zip(
            decisions.presentation.tolist(),
            decisions.run.tolist(),
            decisions.outcome.tolist(),
            decisions.choice.tolist(),
            decisions.probability.tolist(),
            strict=True,
        )
    }


@given(FILES)
def test_decisions_are_those_of_a_plain_loop(file: File) -> None:
    findings = Findings(cap=1000)
    decisions = file.decide(findings)
    groups: dict[tuple[str, int], list[tuple[object, ...]]] = defaultdict(list)
    counts: Counter[str] = Counter()
    for row in file.rows:
        if row.presentation_id is None:
            continue
        if row.presentation_id not in OWED.ids:
            counts["submission.not-owed" if row.presentation_id in ELSEWHERE else "submission.unknown-id"] += 1
            continue
        groups[row.presentation_id, row.run].append(reading(row))
    right: dict[tuple[str, int], tuple[object, ...]] = {}
    for place, readings in groups.items():
        if len(set(readings)) > 1:
            right[place] = (Outcome.CONFLICTING, None, None)
            counts["submission.conflicting"] += 1
        else:
            right[place] = readings[0][:3]
            counts["submission.repeated"] += len(readings) - 1
    for id in OWED.ids:
        if not any(place[0] == id for place in groups):
            right[id, 0] = (Outcome.MISSING, None, None)
            counts["submission.missing"] += 1
    counts["submission.unparsable"] = len(decisions.unparsed)
    assert listed(decisions) == right
    assert findings.counts == {name: count for name, count in counts.items() if count}
    assert decisions.repeated == counts["submission.repeated"]
    assert decisions.unknown == counts["submission.unknown-id"]
    assert decisions.not_owed == counts["submission.not-owed"]
    # What is unparsable is kept, but for rows that no reader took.
    unread = {(u.presentation, u.run) for u in decisions.unparsed}
    assert unread == {
        (row.presentation_id, row.run)
        for row in file.rows
        if isinstance(row, Row)
        and listed(decisions).get((row.presentation_id, row.run), [None])[0] == Outcome.UNPARSABLE
    }
    for kept in decisions.unparsed:
        assert kept.response in RESPONSES
        assert kept.reason == reading(Row(kept.presentation, response=kept.response))[3]


@given(FILES, st.randoms())
def test_the_order_of_rows_does_not_matter(file: File, random: object) -> None:
    rows = list(file.rows)
    random.shuffle(rows)  # type: ignore[attr-defined]  # Hypothesis's own Random
    shuffled = File(tuple(rows))
    one, other = Findings(), Findings()
    assert listed(file.decide(one)) == listed(shuffled.decide(other))
    assert one.counts == other.counts


@given(FILES)
def test_every_owed_presentation_has_one_outcome(file: File) -> None:
    decisions = file.decide()
    outcomes = decisions.outcomes()
    assert outcomes.shape == (len(OWED.ids),)
    by_presentation = defaultdict(list)
    for (id, _), (outcome, *_) in listed(decisions).items():
        by_presentation[id].append(outcome)
    assert outcomes.tolist() == [max(by_presentation[id]) for id in OWED.ids]
    places = list(zip(decisions.presentation.tolist(), decisions.run.tolist(), strict=True))
    assert places == sorted(places)


@given(FILES)
def test_only_what_is_ok_carries_a_choice(file: File) -> None:
    decisions = file.decide()
    ok = decisions.outcome == Outcome.OK
    assert (decisions.choice[ok] >= 0).all()
    assert (decisions.choice[~ok] == -1).all()
    assert np.isnan(decisions.probability[~ok]).all()


@given(FILES)
def test_duplicates_and_strangers_change_nothing_but_their_counts(file: File) -> None:
    bare = [row for row in file.rows if row.presentation_id in OWED.ids]
    before, doubled = File(tuple(bare)).decide(), File((*file.rows, *bare)).decide()
    assert listed(before) == listed(doubled)
    conflicting = {(row.presentation_id, row.run) for row in bare} & {
        place for place, (outcome, *_) in listed(before).items() if outcome == Outcome.CONFLICTING
    }
    more = sum((row.presentation_id, row.run) not in conflicting for row in bare)
    assert doubled.repeated == before.repeated + more


@given(FILES, st.integers(1, 3))
def test_a_cap_keeps_the_first_by_line_and_counts_all(file: File, cap: int) -> None:
    every, few = Findings(cap=1000), Findings(cap=cap)
    file.decide(every)
    file.decide(few)
    assert few.counts == every.counts
    by_code: dict[str, list[Finding]] = defaultdict(list)
    for finding in every:
        by_code[finding.code.name].append(finding)
    assert list(few) == [finding for findings in by_code.values() for finding in findings[:cap]]


def findings_of(*rows: Row | BadRow) -> list[Finding]:
    findings = Findings()
    File(rows).decide(findings, Owed("both-orders", ("p0", "p1"), ("i0", "i0"), ("PN", "NP")))
    return list(findings)


def test_findings_name_the_place_and_what_would_be_right() -> None:
    p1 = Row("p1", choice="N")
    [unknown] = findings_of(Row("p0", choice="P"), p1, Row("nobody", choice="P"))
    assert (unknown.code.name, unknown.file, unknown.row, unknown.id) == (
        "submission.unknown-id",
        "some.jsonl",
        3,
        "nobody",
    )
    assert unknown.expected == "a presentation_id of protocol both-orders"
    assert unknown.code.severity is Severity.ERROR
    [elsewhere] = findings_of(Row("e0", choice="P"), Row("p0", choice="P"), p1)
    assert (elsewhere.code.name, elsewhere.row, elsewhere.id) == ("submission.not-owed", 1, "e0")
    assert elsewhere.expected is not None
    assert elsewhere.expected.endswith(", or a first line that names the protocol that was asked")
    [missing] = findings_of(p1)
    assert (missing.code.name, missing.id, missing.row) == ("submission.missing", "p0", None)
    assert missing.code.severity is Severity.WARNING
    said = Row("p0", choice="P", probability=0.8)
    [repeated] = findings_of(said, p1, said, p1._replace(run=1))
    assert (repeated.code.name, repeated.row, repeated.id) == ("submission.repeated", 3, "p0")
    assert (repeated.found, repeated.expected) == ("P 0.8", "once, as in line 1")
    [conflicting] = findings_of(said, said, p1, said._replace(probability=0.7), Row("p0", status="failed"))
    assert (conflicting.code.name, conflicting.row, conflicting.id) == ("submission.conflicting", 4, "p0")
    assert (conflicting.found, conflicting.expected) == ("P 0.7", "P 0.8, as in line 1")
    [unparsable] = findings_of(Row("p0", response='{"choice": "None"}'), p1)
    assert (unparsable.code.name, unparsable.row, unparsable.id) == ("submission.unparsable", 1, "p0")
    assert (unparsable.found, unparsable.expected) == ("choice is 'None', not one of P, N", "one of P, N")


def test_of_many_rows_the_first_in_the_file_stands() -> None:
    said = [Row("p0", choice="P"), Row("p1", choice="N")]
    found = findings_of(*said * 400)
    assert {(f.code.name, f.id, f.expected) for f in found} == {
        ("submission.repeated", "p0", "once, as in line 1"),
        ("submission.repeated", "p1", "once, as in line 2"),
    }
    assert [f.row for f in found] == list(range(3, 53))


def test_a_conflict_says_what_either_row_says() -> None:
    pairs: list[tuple[Row, Row | BadRow, str, str]] = [
        (Row("p0", status="failed"), Row("p0", choice="P"), "P", "failed"),
        (Row("p0", choice="N"), Row("p0", response="hm"), "no JSON object with the key 'choice'", "N"),
        (
            Row("p0", choice="N"),
            BadRow(0, "p0", 0, "x", "a number is NaN (probability)"),
            "a number is NaN (probability)",
            "N",
        ),
        (Row("p0", choice="N"), Row("p0", choice="N", probability=1.0), "N 1", "N"),
    ]
    for first, second, found, right in pairs:
        finding = findings_of(first, second, Row("p1", choice="P"))[0]
        assert (finding.code.name, finding.found, finding.expected) == (
            "submission.conflicting",
            found,
            f"{right}, as in line 1",
        )


def test_a_bad_row_is_about_its_presentation_and_told_by_its_reader_alone() -> None:
    findings = Findings()
    decisions = File((BadRow(0, "p0", 1, "x", "wrong"), BadRow(0, None, 0, "x", "wrong"))).decide(findings)
    assert listed(decisions)["p0", 1] == (Outcome.UNPARSABLE, None, None)
    assert decisions.unparsed == ()
    assert findings.counts == {"submission.missing": 3}


def test_the_response_of_a_run_that_failed_is_not_read() -> None:
    decisions = File((Row("p0", status="failed", response="out of mem"),)).decide()
    assert listed(decisions)["p0", 0] == (Outcome.FAILED, None, None)
    assert decisions.unparsed == ()


def test_large_files_are_read_chunk_by_chunk() -> None:
    ids = tuple(f"p{n:05d}" for n in range(9000))
    owed = Owed("both-orders", ids, ids, ("PN",) * len(ids))
    rows = [Row(id, response=f'{{"choice": "{"PN"[n % 3 == 0]}"}}') for n, id in enumerate(ids)]
    table = row_table(rows)
    chunked = pa.concat_tables([table.slice(0, 10), row_table([Row("x", choice="P")]), table.slice(10)])
    decisions = decide(owed, Submission("f", Header(), chunked), STANCE.grammar, CHOICES, Findings())
    wrong = np.flatnonzero(decisions.choice != np.array([int(n % 3 == 0) for n in range(9000)]))
    assert wrong.tolist()[:3] == []  # a difference of thousands takes minutes to be shown
    assert decisions.unknown == 1


def test_marks_are_read_too() -> None:
    grammar = MarksGrammar((("[[A]]", "A"), ("[[Tie]]", "Tie")))
    rows = row_table(
        [Row("p0", response="[[A]]"), Row("p1", response="\n[[Tie]]"), Row("p2", response="[[A]] [[Tie]]")]
    )
    decisions = decide(OWED, Submission("f", Header(), rows), grammar, ("Tie", "A"), Findings())
    assert decisions.choice.tolist() == [1, 0, -1, -1]
    assert decisions.outcome.tolist() == [Outcome.OK, Outcome.OK, Outcome.UNPARSABLE, Outcome.MISSING]
    assert np.isnan(decisions.probability).all()


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Release:
    return write_tiny_release(tmp_path_factory.mktemp("releases") / "tiny", items=4, transcripts=True)


def test_a_protocol_owes_its_own_presentations(release: Release) -> None:
    by_name = {
        name: owed_presentations(release, STANCE.protocol(name)) for name in ("both-orders", "both-orders-transcript")
    }
    rows = {row["presentation_id"]: row for row in release.table("presentations").to_pylist()}
    for name, owed in by_name.items():
        assert owed.protocol == name
        assert list(owed.ids) == sorted(id for id, row in rows.items() if name in row["protocols"])
        assert len(owed.ids) == 8
        for id, item, order in zip(owed.ids, owed.item, owed.order, strict=True):
            assert (rows[id]["item_id"], rows[id]["order"]) == (item, order)
    assert owed_presentations(release, replace(STANCE.protocol(), name="none")) == Owed("none", (), (), ())


def test_nothing_owed_and_nothing_said() -> None:
    decisions = File(()).decide(owed=Owed("none", (), (), ()))
    assert decisions.outcomes().tolist() == []
    assert listed(decisions) == {}


def test_a_file_names_this_release_or_another(release: Release) -> None:
    def wrong(**declared: str) -> list[tuple[str | None, ...]]:
        findings = Findings()
        check_declared_release(release, declared, "some.jsonl", findings)
        assert all((f.file, f.row, f.code.name) == ("some.jsonl", 1, "submission.other-release") for f in findings)
        return [(f.column, f.found, f.expected) for f in findings]

    assert wrong() == []
    assert wrong(release="tiny") == []
    assert wrong(release="tiny@1.0.0", content_hash=release.manifest.content_hash, protocol="whatever") == []
    assert wrong(release="tiny@1.0.1") == [("release", "tiny@1.0.1", "tiny@1.0.0")]
    assert wrong(release="huge", content_hash="tiny") == [
        ("content_hash", "tiny", release.manifest.content_hash),
        ("release", "huge", "tiny@1.0.0"),
    ]
    assert re.fullmatch("blake2b-256:[0-9a-f]{64}", release.manifest.content_hash)


def test_an_id_that_only_looks_right_is_told_from_one_that_is_near() -> None:
    grammar, choices = STANCE.grammar, STANCE.choices
    right = ["p" + letter * 26 for letter in "abcd"]
    owed = Owed("toy", tuple(right), tuple("wxyz"), ("PN",) * 4)
    given = [right[0].replace("a", "\u0430", 1), right[1].upper(), right[2][:-1], "something", right[3]]
    rows = [Row(id, choice="P", line=line) for line, id in enumerate(given, 1)]
    findings = Findings()
    decisions = decide(owed, Submission("f", Header(), row_table(rows)), grammar, choices, findings)
    assert decisions.unknown == 4
    told = [(finding.code.name, finding.row, finding.column, finding.expected) for finding in findings]
    assert told[:4] == [
        ("submission.homoglyph-id", 1, "presentation_id", right[0]),
        ("submission.homoglyph-id", 2, "presentation_id", right[1]),
        ("submission.unknown-id", 3, "presentation_id", f"did you mean {right[2]}?"),
        ("submission.unknown-id", 4, "presentation_id", "a presentation_id of protocol toy"),
    ]
    first = next(iter(findings))
    assert first.found == "U+0430 CYRILLIC SMALL LETTER A as character 2, where a belongs"
