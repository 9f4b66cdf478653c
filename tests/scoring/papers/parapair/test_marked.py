"""The scorer prints the tables from constructed answers, and a digit that is changed is a difference."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest
from tests.scoring.papers.parapair.printed import TABLES, sizes

from earmark.manifests.report import ALL, OVERALL, MetricEntry
from earmark.pages.paper_tables import METRICS
from earmark.scoring.measuring import Options
from earmark.scoring.pairs import evaluate_marked
from earmark.scoring.pairs.gold import read_gold
from earmark.scoring.pairs.marks import mark
from earmark.scoring.papers.parapair.constructed import answer, construct
from earmark.scoring.papers.parapair.counts import SLIPS, oracle, solve
from earmark.scoring.papers.parapair.marked import paper_values, scored, worked_values
from earmark.scoring.papers.parapair.study import study
from earmark.scoring.papers.parapair.tables import Tables
from earmark.scoring.papers.parapair.verdicts import verdicts


@cache
def entries(judge: str) -> dict[tuple[str, str], MetricEntry]:
    """Every figure of a judge's constructed answers, with exact tests and hardly an interval."""
    pairs = study(sizes(), {judge: solve(sizes(), judge)})
    marks = mark(read_gold(construct(pairs)), answer(pairs, judge))
    return {(e.facet, e.metric): e for e in evaluate_marked(marks, Options(resamples=1)) if e.slice == ALL}


def test_scorer_and_counts_agree_on_all_108_figures() -> None:
    solved = {judge: solve(sizes(), judge) for judge in TABLES.judges}
    counted = {}
    for judge in TABLES.judges:
        counted.update(oracle(sizes(), judge, solved[judge]))
    found = dict(scored(sizes(), solved))
    assert found == counted
    assert len(found) == 108
    differing = {cell.place for cell in TABLES.cells if found[cell.place] != cell.tenths}
    assert differing == set(SLIPS)


def test_cells_are_the_printed_ones_and_only_the_slips_are_explained() -> None:
    cells = paper_values()
    assert [cell.printed for cell in cells] == [cell.text for cell in TABLES.cells]
    assert [cell.problem for cell in cells] == [None] * 108
    explained = [(cell.case, cell.quantity, cell.printed, cell.paper, cell.default) for cell in cells if cell.why]
    assert explained == [
        ("Table 2, Human", "mean", "79.2", 79.1, 79.1),
        ("Table 2, SpeechJudge-7B", "emphasis", "32.9", 32.8, 32.8),
    ]


@pytest.mark.parametrize("judge", ["Human", "Kimi-Audio-7B"])
def test_a_whole_report_has_the_sizes_the_chances_and_the_verdicts(judge: str) -> None:
    """n, chance and z are the scorer's own; z is of the exact figure, not of the printed one."""
    checked = 0
    for one in verdicts(sizes()):
        if one.cell.judge == judge:
            entry, z = (entries(judge)[one.cell.criterion, METRICS[one.cell.part] + end] for end in ("", "_z"))
            assert entry.n == one.n
            assert entry.chance == pytest.approx(float(one.chance), abs=1e-12)
            assert z.value == pytest.approx(
                one.z, abs=0.005 / 0.0086
            )  # a printed figure is rounded by up to 0.05 points
            assert (abs(z.value or 0) > 1.96) == (abs(one.z) > 1.96)
            checked += 1
    assert checked == 17


def test_within_non_ties_the_scorer_has_the_other_effect() -> None:
    """What the effect section says of Kimi: 50.4 points over all pairs, 5.1 within non-ties."""
    found = entries("Kimi-Audio-7B")
    assert found["style", "transcript_gap"].value == pytest.approx(605 / 724 - 716 / 2156)
    assert found["style", "transcript_gap_non_tie"].value == pytest.approx(605 / 724 - (1167 - 605) / 716)
    assert found["style", "accuracy_tie_same"].value is None


def test_the_construction_depends_on_nothing_but_order() -> None:
    judge = "GPT-4o Audio"
    pairs = study(sizes(), {judge: solve(sizes(), judge)})
    once, again = answer(pairs, judge), answer(pairs, judge)
    assert once.owed == again.owed
    assert once.choice.tolist() == again.choice.tolist()
    assert once.owed.ids == tuple(sorted(once.owed.ids))
    tables = construct(pairs)
    assert tables.table("items").num_rows == 5175
    assert tables.table("presentations").num_rows == len(once.owed.ids) == 10350
    assert set(tables.table("presentations")["presentation_id"].to_pylist()) == set(once.owed.ids)


def changed(judge: str, criterion: str, part: str, by: int) -> Tables:
    place = (judge, criterion, part)
    assert place in TABLES.by_place
    cells = (replace(cell, tenths=cell.tenths + by) if cell.place == place else cell for cell in TABLES.cells)
    return replace(TABLES, cells=tuple(cells))


@pytest.mark.parametrize(
    ("judge", "criterion", "part", "by"),
    [
        ("Gemini 2.5 Flash", "style", "all", 1),
        ("SpeechJudge-7B", "emphasis", "all", 1),
        ("Human", OVERALL, "all", 1),
    ],
)
def test_a_changed_digit_is_an_unexplained_difference(judge: str, criterion: str, part: str, by: int) -> None:
    problems = [
        (cell.case, cell.problem) for cell in worked_values(changed(judge, criterion, part, by)) if cell.problem
    ]
    assert problems
    assert {case.partition(", ")[2] for case, _ in problems} == {judge}
