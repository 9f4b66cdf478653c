"""Tables of judges in a paper's form: marks that need no colour, the best in bold, people underlined, gaps apart."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from decimal import ROUND_HALF_UP, Decimal
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from earmark.manifests.report import ALL, OVERALL, MetricEntry, Report
from earmark.pages.paper_tables import (
    Accuracy,
    FurtherTable,
    Group,
    JudgeRow,
    ShownTable,
    paper_tables,
    row_of_report,
    tables_page,
)
from earmark.pages.svg import Table

HOSTILE = "<script>alert(1)</script>\"'> &amp; {{ 7*7 }} \u202e\x00\ud800"
THIRD = 1 / 3


def row(judge: str, *, people: bool = False, **cells: float | None) -> JudgeRow:
    """Cells named as in style_tie, each plainly above or below a third."""
    found = {}
    for name, value in cells.items():
        facet, _, part = name.partition("_")
        found[facet, part or ALL] = Accuracy(value, 100, THIRD, 0.001, 0.002)
    return JudgeRow(judge, found, people)


def table(tables: tuple[ShownTable, ...], begin: str) -> ShownTable:
    return next(one for one in tables if one.caption.startswith(begin))


def texts(of: ShownTable) -> Mapping[str, list[str]]:
    return {judge: [cell.text for cell in cells] for judge, cells in of.rows}


@settings(max_examples=50)
@given(st.integers(1, 3000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_percent_is_rounded_half_up(share: tuple[int, int]) -> None:
    right, n = share
    exact = (Decimal(100 * right) / Decimal(n)).quantize(Decimal("0.1"), ROUND_HALF_UP)
    assert Accuracy(right / n, n).percent == float(exact)


@pytest.mark.parametrize(
    ("cell", "side", "lasting"),
    [
        (Accuracy(0.5, 9, THIRD, 0.01, 0.02), "above", True),
        (Accuracy(0.5, 9, THIRD, 0.01, 0.06), "above", False),
        (Accuracy(0.2, 9, THIRD, 0.01, None), "below", True),
        (Accuracy(0.5, 9, THIRD, 0.05, 0.05), "", False),
        (Accuracy(0.5, 9, None, 0.01), "", True),
        (Accuracy(0.5, 9, THIRD, None), "", True),
        (Accuracy(None, 0, THIRD, None), "", True),
    ],
)
def test_verdicts(cell: Accuracy, side: str, lasting: bool) -> None:
    assert (cell.side, cell.lasting) == (side, lasting)


def test_every_verdict_has_a_sign_and_words_besides_its_colour() -> None:
    cells = {
        ("style", ALL): Accuracy(0.5, 9, THIRD, 0.01, 0.02),
        ("rate", ALL): Accuracy(0.7, 9, 0.5, 0.01, 0.06),
        ("emphasis", ALL): Accuracy(0.1, 9, THIRD, 0.01, 0.02),
        ("age", ALL): Accuracy(0.2, 9, THIRD, 0.01, 0.06),
        ("gender", ALL): Accuracy(0.3, 9, THIRD, 0.5, 1.0),
    }
    ((_, found),) = paper_tables([JudgeRow("a", cells)])[0].rows
    assert [(cell.mark, cell.says) for cell in found] == [
        ("▲", "above chance"),
        ("△", "above chance, not after Holm"),
        ("▼", "below chance"),
        ("▽", "below chance, not after Holm"),
        ("", ""),
    ]


def test_best_model_is_bold_and_people_are_not_in_the_running() -> None:
    rows = [
        row("people", people=True, style=0.9, age=0.5),
        row("a", style=0.7, age=0.6),
        row("b", style=0.7004, age=0.4),  # the same, as far as the table shows
        row("c", style=0.2, age=None),
        row("d", style=0.1, age=0.5),  # as good as people is not above them
    ]
    by_judge = dict(paper_tables(rows)[0].rows)
    assert [[cell.best for cell in by_judge[judge]] for judge in ("people", "a", "b", "c", "d")] == [
        [False, False], [True, True], [True, False], [False, False], [False, False]
    ]  # fmt: skip
    assert [[cell.over_people for cell in by_judge[judge]] for judge in ("people", "a", "b", "c", "d")] == [
        [False, False], [False, True], [False, False], [False, False], [False, False]
    ]  # fmt: skip


def test_gaps_to_people_and_between_kinds() -> None:
    rows = [
        row("people", people=True, style=0.9, style_tie=0.8, style_non_tie=0.95, overall=0.85),
        row("a", style=0.652, style_tie=0.1, style_non_tie=0.2, overall=0.9),
    ]
    tables = paper_tables(rows)
    assert texts(table(tables, "By how much people")) == {"a": ["+24.8", "−5.0"]}
    assert texts(table(tables, "Non-tie less")) == {"people": ["+15.0"], "a": ["+10.0"]}
    assert table(tables, "By how much people").groups == (("style", 1), ("mean", 1))


def test_means_over_other_criteria_are_not_held_against_each_other() -> None:
    rows = [
        row("people", people=True, style=0.9, age=0.5, overall=0.7),
        row("a", style=0.6, age=0.4, overall=0.5),
        row("b", style=0.8, overall=0.8),  # one criterion, and so no better than a
    ]
    tables = paper_tables(rows)
    means = {judge: cells[-1] for judge, cells in tables[0].rows}
    assert {judge: (cell.text, cell.best, cell.over_people) for judge, cell in means.items()} == {
        "people": ("70.0", False, False),
        "a": ("50.0", True, False),
        "b": ("80.0", False, False),
    }
    assert texts(table(tables, "By how much people")) == {"a": ["+30.0", "+10.0", "+20.0"], "b": ["+10.0", "—", "—"]}


def test_without_people_nobody_is_underlined_and_there_is_no_gap() -> None:
    tables = paper_tables([row("a", style=0.5), row("b", style=0.6)])
    assert [one.caption for one in tables] == ["Accuracy by criterion, in percent"]
    assert not any(cell.over_people for _, cells in tables[0].rows for cell in cells)


def test_a_part_alone_is_no_comparison() -> None:
    """Rate has no ties: its non-ties are all of it."""
    tables = paper_tables([row("a", rate=0.5, rate_non_tie=0.5, style=0.4, style_non_tie=0.6, style_tie=0.2)])
    assert table(tables, "Accuracy on non-ties").groups == (("style", 2),)
    assert table(tables, "Accuracy on non-ties").head == ("non-tie", "tie")


def test_criteria_stand_in_the_family_s_order_and_others_behind() -> None:
    found = paper_tables([row("a", overall=0.1, zeal=0.2, gender=0.3, style=0.4)], {"style": "Style"})[0]
    assert found.groups == (("Style", 1), ("gender", 1), ("zeal", 1), ("mean", 1))


def test_nothing_at_all_gives_no_table() -> None:
    assert paper_tables([]) == ()
    assert paper_tables([row("a", style=None)]) == ()


def entry(metric: str, facet: str, value: float, **further: object) -> MetricEntry:
    made = MetricEntry(metric=metric, facet=facet, value=value, n=7, chance=THIRD, p=0.01, p_adjusted=0.2)
    return replace(made, **further)  # type: ignore[arg-type]  # kinds differ


def test_a_report_becomes_a_row() -> None:
    report = Report(
        signature={},
        submission={"judge": {"name": "x", "architecture": "human"}},
        label_source="",
        headline="accuracy",
        counts={},
        metrics=(
            entry("accuracy", "style", 0.5),
            entry("accuracy", "style", 0.1, slice="sex:female"),
            entry("accuracy_tie", "style", 0.25),
            entry("accuracy", OVERALL, 0.6),
            entry("accuracy", "control", 1.0),
            entry("consistency", "style", 0.9),
        ),
    )
    found = row_of_report("Owl", report)
    assert (found.judge, found.people) == ("Owl", True)
    assert {place: cell.value for place, cell in found.cells.items()} == {
        ("style", ALL): 0.5, ("style", "tie"): 0.25, (OVERALL, ALL): 0.6
    }  # fmt: skip
    assert found.cells["style", ALL] == Accuracy(0.5, 7, THIRD, 0.01, 0.2)
    assert not row_of_report("Owl", replace(report, submission={"judge": "x"})).people


def parsed(page: str) -> ET.Element:
    return ET.fromstring(page.removeprefix("<!DOCTYPE html>\n"))  # noqa: S314 - our own page


@pytest.fixture(scope="module")
def hostile() -> str:
    rows = (row(HOSTILE, people=True, style=0.5, style_tie=0.4, style_non_tie=0.6), row("b", style=0.6))
    further = FurtherTable(HOSTILE, Table((HOSTILE, "n"), ((HOSTILE, "1"),)), HOSTILE)
    return tables_page(
        [Group(HOSTILE, rows, HOSTILE)],
        title=HOSTILE,
        facet_names={"style": HOSTILE},
        further=[further],
        notes=[HOSTILE],
    )


def test_page_is_well_formed_escaped_and_loads_nothing(hostile: str) -> None:
    root = parsed(hostile)
    assert "<script>alert" not in hostile
    assert "\u202e" not in hostile
    assert "\\ud800" in hostile
    assert not [one for one in root.iter() if one.tag in {"script", "link", "img"} or "src" in one.attrib]
    assert "alert(1)" in "".join(root.itertext())


def test_page_says_marks_to_those_who_do_not_see_them(hostile: str) -> None:
    root = parsed(hostile)
    coloured = [cell for cell in root.iter("td") if cell.get("class") in {"above", "below"}]
    assert coloured
    for cell in coloured:
        unseen = [one.text for one in cell.iter("span") if one.get("class") == "unseen"]
        assert unseen in (["above chance"], ["below chance"])
    bold = [one.text for one in root.iter("strong") if one.text != "bold"]
    assert bold == [None]  # of an underlined figure the text stands inside
    assert [one.text for one in root.iter("u") if one.text != "underlined"] == ["60.0"]


def test_equal_input_is_equal_bytes(hostile: str) -> None:
    group = [Group("a", (row("b", style=0.5),))]
    assert tables_page(group, title="t") == tables_page(group, title="t")
