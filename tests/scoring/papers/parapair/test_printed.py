"""The printed figures as reports are held against them, and the page in the paper's form."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from tests.scoring.papers.parapair.printed import TABLES, sizes

from earmark.manifests.report import ALL, OVERALL, MetricEntry, Report, read_report
from earmark.pages.paper_tables import METRICS
from earmark.scoring.measuring import Options
from earmark.scoring.papers import PAPERS
from earmark.scoring.papers.beside import beside, read_reports
from earmark.scoring.papers.parapair.constructed import answer, construct
from earmark.scoring.papers.parapair.counts import solve
from earmark.scoring.papers.parapair.figures import SLICE, paper_metrics
from earmark.scoring.papers.parapair.printed import page, printed_figures, printed_rows
from earmark.scoring.papers.parapair.study import study
from earmark.scoring.papers.parapair.verdicts import verdicts

JUDGE = "Kimi-Audio-7B"
PARAPAIR = PAPERS["parapair"]


@pytest.fixture(scope="module")
def kimi(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of constructed answers, in paper mode."""
    pairs = study(sizes(), {JUDGE: solve(sizes(), JUDGE)})
    metrics = paper_metrics(construct(pairs), answer(pairs, JUDGE), [], Options(resamples=2))
    path = tmp_path_factory.mktemp("parapair") / "kimi.json"
    Report(
        signature={"family": "pairs"},
        submission={"judge": {"name": "Kimi again"}},
        label_source="constructed",
        headline="accuracy",
        counts={},
        metrics=tuple(metrics),
    ).write(path)
    return path


def test_all_figures_are_printed_once_as_shares() -> None:
    figures = printed_figures()
    assert len(figures) == 109
    by_place = {(one.judge, one.facet, one.metric): one.low for one in figures}
    assert len(by_place) == 109
    for cell in TABLES.cells:
        assert by_place[cell.judge, cell.criterion, METRICS[cell.part]] == pytest.approx(cell.tenths / 1000)
    assert by_place["SpeechJudge-7B", OVERALL, "position_gap"] == -0.294


def test_paper_mode_gives_the_printed_figures_of_its_own_judge(kimi: Path) -> None:
    """Read back from a report, each is within half a tenth of a percent of the print."""
    checked = 0
    for one in beside(PARAPAIR, read_reports(PARAPAIR, [kimi])):
        (found,) = one.found
        if one.printed.judge == JUDGE:
            assert found is not None
            assert found.paper_mode
            assert found.low == pytest.approx(one.printed.low, abs=0.0005 + 1e-6)
            checked += 1
    assert checked == 18


def test_paper_mode_tests_as_the_paper_does(kimi: Path) -> None:
    entries = {(entry.facet, entry.metric): entry for entry in read_report(kimi).metrics}
    for one in verdicts(sizes()):
        if one.cell.judge == JUDGE:
            entry = entries[one.cell.criterion, METRICS[one.cell.part]]
            assert (entry.slice, entry.n, entry.p_adjusted) == (SLICE, one.n, None)
            assert entry.p is not None
            assert (entry.p < 0.05) == (one.p < 0.05)
            if one.p > 1e-4:  # the printed figure is rounded
                assert entry.p == pytest.approx(one.p, rel=0.4)
    assert entries[OVERALL, "accuracy"].p is None
    assert entries["rate", "accuracy_tie"].p is None


def test_rows_have_every_cell_and_the_paper_s_verdicts() -> None:
    rows = printed_rows()
    assert [row.judge for row in rows] == list(TABLES.judges)
    assert [row.people for row in rows] == [True, *[False] * 5]
    assert sum(len(row.cells) for row in rows) == 108
    by_judge = {row.judge: row.cells for row in rows}
    for one in verdicts(sizes()):
        cell = by_judge[one.cell.judge][one.cell.criterion, one.cell.part]
        assert cell.side == ("" if one.verdict == "not significant" else one.verdict)
        assert cell.lasting != one.fragile or not cell.side
    assert by_judge[JUDGE][OVERALL, ALL].n == 5175
    assert by_judge["Human"][OVERALL, ALL].n == 250


def words(element: ET.Element) -> str:
    return " ".join("".join(element.itertext()).split())


def row_of(root: ET.Element, caption: str, judge: str) -> list[str]:
    table = next(one for one in root.iter("table") if (c := one.find("caption")) is not None and words(c) == caption)
    row = next(one for one in table.iter("tr") if (head := one.find("th")) is not None and words(head) == judge)
    return [words(cell) for cell in row.iter("td")]


def test_page_shows_the_printed_digits_with_their_verdicts() -> None:
    root = ET.fromstring(page([]).replace("<!DOCTYPE html>", ""))  # noqa: S314 - our own page
    assert row_of(root, "Accuracy by criterion, in percent", "GPT-4o Audio") == [
        "36.4 △ above chance, not after Holm", "77.6 ▲ above chance", "43.8 ▲ above chance", "34.9", "39.3 ▲ above chance", "46.4"
    ]  # fmt: skip
    assert row_of(root, "By how much people are ahead, in points", "Gemini 2.5 Flash") == [
        "+37.2", "+2.1", "+36.0", "−3.8", "+16.5", "+17.7"
    ]  # fmt: skip
    text = words(root)
    assert "SpeechJudge-7B, emphasis: 32.9 is printed and 32.8 is right" in text
    assert "Human, mean: 79.2 is printed and 79.1 is right" in text
    assert row_of(root, "Non-tie less tie, in points", "SpeechJudge-7B") == ["+61.7", "+58.3", "+43.8", "+56.6"]


def test_reports_stand_first_beside_the_printed_people(kimi: Path) -> None:
    entry = MetricEntry(metric="accuracy", facet="style", value=0.9, n=100, chance=1 / 3, p=1e-9, p_adjusted=1e-8)
    ours = Report(
        signature={"family": "pairs"}, submission={}, label_source="", headline="accuracy", counts={}, metrics=(entry,)
    )
    text = page([("Owl <1>", ours)])
    root = ET.fromstring(text.replace("<!DOCTYPE html>", ""))  # noqa: S314 - our own page
    heads = [words(head) for head in root.iter("h2")]
    assert heads[:2] == ["Reports", "As printed"]
    assert row_of(root, "Accuracy by criterion, in percent", "Owl <1>")[0] == "90.0 ▲ above chance"
    assert row_of(root, "Accuracy by criterion, in percent", "Human")[0] == "85.7 ▲ above chance"
    assert "The row of people is the printed one." in text
    assert page([("Owl <1>", ours)]) == text


def test_people_among_the_reports_replace_the_printed_ones() -> None:
    entry = MetricEntry(metric="accuracy", facet="style", value=0.5, n=100, chance=1 / 3)
    raters = Report(
        signature={"family": "pairs"},
        submission={"judge": {"name": "raters", "architecture": "human"}},
        label_source="",
        headline="accuracy",
        counts={},
        metrics=(entry,),
    )
    assert "The row of people is the printed one." not in page([("raters", raters)])


def test_controls_are_in_no_figure_of_the_paper() -> None:
    pairs = study(sizes(), {"Human": solve(sizes(), "Human")})
    release = construct(pairs)
    items = release.table("items")
    facets = ["control" if facet == "gender" else facet for facet in items["facet"].to_pylist()]
    tables = {name: release.table(name) for name in ("answers", "item_clips", "sources", "presentations", "prompts")}
    tables["items"] = items.set_column(items.schema.get_field_index("facet"), "facet", [facets])
    found = paper_metrics(replace(release, tables=tables), answer(pairs, "Human"), [], Options(resamples=2))
    assert {entry.facet for entry in found} == {"style", "rate", "emphasis", "age", OVERALL}
    mean = next(entry.value for entry in found if (entry.facet, entry.metric) == (OVERALL, "accuracy"))
    assert mean == pytest.approx((257 + 273 + 257 + 158) / 4 / 300)
