"""The same reports in any order are the same tables; what cannot be compared is never in one of them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.leaderboards import HASH, OTHER_HASH, RULES, outcomes, report, write
from tests.support.tiny import write_tiny_release

from earmark.manifests.canonical import Json
from earmark.manifests.findings import Findings
from earmark.manifests.hashes import json_hash
from earmark.manifests.leaderboard import Kind, Leaderboard
from earmark.manifests.report import OVERALL, Report, UseEntry
from earmark.scoring.baselines import UNIFORM, always, write_predictions
from earmark.scoring.decisions import owed_presentations
from earmark.scoring.face import score
from earmark.scoring.leaderboard import Reported, merge, read_reports
from earmark.scoring.measuring import Options


def reported(*reports: Report) -> list[Reported]:
    return [Reported(f"{n}.json", one, json_hash(one.as_json())) for n, one in enumerate(reports)]


def merged(*reports: Report, separate: bool = False) -> tuple[Leaderboard, Findings]:
    findings = Findings()
    return merge(reported(*reports), findings, separate=separate), findings


def names(board: Leaderboard) -> list[list[str]]:
    return [[one.name for one in table.standings] for table in board.boards]


VALUES = st.none() | st.integers(0, 20).map(lambda twentieths: twentieths / 20)
SEVERAL = st.lists(VALUES, min_size=1, max_size=6)


@settings(max_examples=25)
@given(SEVERAL, st.randoms(use_true_random=False))
def test_order_and_repetition_change_nothing(values: list[float | None], random: object) -> None:
    reports = [report(f"judge {n % 4}", value, judge={"revision": str(n)}) for n, value in enumerate(values)]
    shuffled = [*reports, *reports[:2]]
    random.shuffle(shuffled)  # type: ignore[attr-defined]  # Hypothesis types it as Random
    first, found = merged(*reports)
    again, found_again = merged(*shuffled)
    assert len(found) == 0
    assert first.text() == again.text()
    assert found_again.counts == {"leaderboard.repeated": len(reports[:2])}


@settings(max_examples=25)
@given(SEVERAL)
def test_the_best_stands_first_and_the_undefined_last(values: list[float | None]) -> None:
    board, _ = merged(*(report(f"judge {n}", value) for n, value in enumerate(values)))
    found = [entry.value if (entry := one.find("balanced_accuracy")) else None for one in board.boards[0].standings]
    known = sorted((value for value in values if value is not None), reverse=True)
    assert found == [*known, *[None] * values.count(None)]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("release", "mini@1.0.1"),
        ("content_hash", OTHER_HASH),
        ("answers_hash", OTHER_HASH),
        ("scorer", "earmark 0.1.1"),
        ("level", 0.9),
        ("interval", "bca"),
        ("norms", [{"norm": "ours@1.0.0 (abc)", "facet": "overall"}]),
    ],
)
def test_another_ground_is_an_error_unless_tables_apart_are_asked_for(field: str, value: object) -> None:
    odd = report("c", 0.9, signature={field: value})  # type: ignore[dict-item]  # JSON, all of it
    reports = [report("a"), report("b"), odd]
    for order in (reports, reports[::-1]):
        _, found = merged(*order)
        assert found.counts == {"leaderboard.not-comparable": 1}
        (finding,) = found
        assert (finding.file, finding.column) == (f"{order.index(odd)}.json", f"signature.{field}")
        assert "as 2 reports have it" in (finding.expected or "")
        board, found = merged(*order, separate=True)
        assert not found.failed
        assert sorted(names(board)) == [["a", "b"], ["c"]]


def on_common(name: str, *versions: str, items: int = 31, **more: Json) -> Report:
    """A report of what two versions of a release have in common."""
    hash = json_hash([*versions, items])
    between: list[Json] = [{"version": version, "content_hash": json_hash(version)} for version in versions]
    common: Json = {"items": items, "versions": between}
    ground = {"release": f"mini@{'&'.join(versions)}", "content_hash": hash, "answers_hash": hash, "common": common}
    return report(name, signature={**ground, **more})


def test_reports_on_other_common_subsets_say_by_which_flag() -> None:
    first, second = on_common("a", "1.0.0", "2.0.0"), on_common("b", "1.0.0", "2.0.0")
    other = on_common("c", "2.0.0", "3.0.0", items=28)
    board, found = merged(first, second)
    assert (len(found), names(board)) == (0, [["a", "b"]])
    for order in ([first, second, other], [other, second, first]):
        _, found = merged(*order)
        (finding,) = found
        assert (finding.code.name, finding.column) == ("leaderboard.not-comparable", "signature.common")
        assert finding.file == f"{order.index(other)}.json"
        assert finding.found == "--common: the 28 items of 2.0.0 and 3.0.0"
        expected = finding.expected or ""
        assert expected.startswith("--common: the 31 items of 1.0.0 and 2.0.0, as 2 reports have it; mark all files on")
        assert finding.text().endswith("or ask for tables apart (--separate)"), "none of it is cut"
        board, found = merged(*order, separate=True)
        assert (found.counts, sorted(names(board))) == ({"leaderboard.separate": 1}, [["a", "b"], ["c"]])
        (finding,) = found
        assert "mark all files" not in (finding.expected or "")


def test_a_report_on_a_common_subset_beside_whole_ones() -> None:
    odd = on_common("c", "1.0.0", "2.0.0", level=0.9)
    _, found = merged(report("a"), report("b"), odd)
    assert {(one.column, one.found) for one in found} == {
        ("signature.common", "--common: the 31 items of 1.0.0 and 2.0.0"),
        ("signature.level", "0.9"),
    }
    assert "all of mini@1.0.0, as 2 reports have it; mark all files on" in " ".join(one.text() for one in found)
    # Of another release it is no matter of flags, and what is no such entry says nothing.
    _, found = merged(report("a"), report("b"), on_common("c", "1.0.0", "2.0.0", release="other@1.0.0&2.0.0"))
    assert {one.column for one in found} == {"signature.release", "signature.content_hash", "signature.answers_hash"}
    _, found = merged(report("a"), report("b"), on_common("c", "1.0.0", "2.0.0", common={"items": "31"}))
    assert "signature.common" not in {one.column for one in found}


def test_a_report_on_a_common_subset_is_not_of_the_release_at_hand(tmp_path: Path) -> None:
    findings = Findings()
    release = write_tiny_release(tmp_path / "release")
    merge(reported(on_common("c", "1.0.0", "2.0.0")), findings, release=release)
    (finding,) = findings
    assert (finding.code.name, finding.column) == ("leaderboard.other-release", "signature.common")
    assert "without --common, or leave --release out" in (finding.expected or "")


def test_what_is_found_does_not_hang_on_the_order_either() -> None:
    reports = [report("a"), report("a", 0.8), report(None), report("c", signature={"level": 0.9}), report("a")]
    read = [Reported(f"{n}.json", one, json_hash(one.as_json())) for n, one in enumerate(reports)]
    said = []
    for order in (read, read[::-1], read[2:] + read[:2]):
        findings = Findings()
        merge(order, findings)
        said.append([finding.text() for finding in findings])
    assert len(said[0]) == 4
    assert said[0] == said[1] == said[2]


def test_a_table_repeats_what_its_reports_say_of_their_use() -> None:
    use = UseEntry("For judges.", "No hiring.")
    board, found = merged(report("a"), replace(report("b"), use=use), report("c"))
    assert len(found) == 0, "reports of before it stand beside newer ones"
    (table,) = json.loads(board.text())["boards"]
    assert table["use"] == {"intended": "For judges.", "out_of_scope": "No hiring."}
    board, _ = merged(report("a"), report("b"))
    assert "use" not in json.loads(board.text())["boards"][0]
    other = replace(report("c"), use=UseEntry("For judges.", "Nothing is out of scope."))
    _, found = merged(replace(report("a"), use=use), other, replace(report("b"), use=use))
    assert [(finding.file, finding.column) for finding in found] == [("1.json", "use")]
    assert found.counts == {"leaderboard.disagrees": 1}


def test_chance_in_the_draws_keeps_nobody_apart() -> None:
    board, found = merged(report("a"), report("b", signature={"resamples": 2000, "seed": 7, "paper": "stancebench"}))
    assert (names(board), len(found)) == ([["a", "b"]], 0)
    assert [one.draws["resamples"] for one in board.boards[0].standings] == [200, 2000]


def test_modalities_and_protocols_have_tables_of_their_own() -> None:
    words = report("a", judge={"modality": "transcript"}, signature={"protocol": "both-orders-transcript"})
    own_words = report("b", judge={"modality": "transcript"})
    board, found = merged(report("a"), words, own_words, report("c", judge={"modality": "audio"}))
    assert [(one.protocol, one.modality) for one in board.boards] == [
        ("both-orders", "audio"),
        ("both-orders", "transcript"),
        ("both-orders-transcript", "transcript"),
    ]
    assert names(board) == [["a", "c"], ["b"], ["a"]]
    assert found.counts == {"leaderboard.other-modality": 1}
    strange, _ = merged(report(signature={"family": "elsewhere"}))
    assert strange.boards[0].modality == "undeclared"


def test_two_reports_of_one_judge_and_run_must_be_one() -> None:
    for other in (report("a", 0.8), report("a", signature={"seed": 2})):
        _, found = merged(report("a"), other, report("b"))
        assert found.counts == {"leaderboard.conflicting": 1}
    board, found = merged(report("a"), report("a", 0.8, judge={"persona": "nurse"}))
    assert len(found) == 0
    assert len(board.boards[0].standings) == 2


def test_a_judge_without_a_name_is_called_by_its_report() -> None:
    board, found = merged(report(None, 0.6), report(None, 0.7), report("  ", 0.8))
    assert found.counts == {"leaderboard.unnamed": 3}
    called = names(board)[0]
    assert len(set(called)) == 3
    assert all(name.startswith("unnamed judge ") for name in called)


def test_what_is_the_releases_must_be_said_by_all(tmp_path: Path) -> None:
    less = replace(
        report("c"), counts={facet: outcomes(38, 38) for facet in ("S0", "S1")} | {OVERALL: outcomes(76, 76)}
    )
    other_rules = replace(report("c"), baselines=(replace(RULES[0], value=0.6), RULES[1]))
    other_words = replace(report("c"), label_source="Ours.")
    for odd, column in ((less, "counts.*.owed"), (other_rules, "baselines"), (other_words, "label_source")):
        _, found = merged(report("a"), odd, report("b"))
        assert found.counts == {"leaderboard.disagrees": 1}
        assert [(finding.file, finding.column) for finding in found] == [("1.json", column)]
    _, found = merged(report("a"), report("b", None))
    assert len(found) == 0, "an undefined headline has no chance, and that is no disagreement"


def test_kinds_are_told_apart() -> None:
    board, _ = merged(
        report("r", 0.5, judge={"architecture": "rule"}), report("p", 0.9, judge={"architecture": "human"}), report("j")
    )
    assert {one.name: one.kind for one in board.boards[0].standings} == {
        "r": Kind.RULE,
        "p": Kind.PEOPLE,
        "j": Kind.JUDGE,
    }


def test_reports_of_a_tiny_release_merge_and_must_be_of_it(tmp_path: Path) -> None:
    release, other = (write_tiny_release(tmp_path / name, items=items) for name, items in (("one", 4), ("two", 6)))
    owed = owed_presentations(release, release.protocol())
    reports: Sequence[Report] = []
    for baseline in (UNIFORM, always("P")):
        write_predictions(baseline, release, owed, tmp_path / "predictions.jsonl")
        reports = [*reports, score(release, tmp_path / "predictions.jsonl", options=Options(resamples=100)).report]
    findings = Findings()
    read = read_reports(write(tmp_path, *reports), findings)
    board = merge(read, findings, release=release)
    assert len(findings) == 0
    assert sorted(names(board)[0]) == ["always P", "uniform"]
    assert board.boards[0].facets == ("S0",)
    assert board.boards[0].ground["content_hash"] == release.manifest.content_hash != HASH
    merge(read, findings, release=other)
    assert findings.counts == {"leaderboard.other-release": 4}
    assert json_hash(board.as_json()) == json_hash(merge(read[::-1], Findings()).as_json())
