"""What people look at in a report on pairs, and the whole page."""

from __future__ import annotations

import re

import pytest
from tests.pages.samples import parsed
from tests.scoring.pairs.studies import Pair, Study, decisions_of, release_of, right_letter

from earmark.manifests.report import Report
from earmark.pages.report_page import report_html
from earmark.pages.summary import report_table
from earmark.scoring import pairs as family
from earmark.scoring.decisions.counts import counts
from earmark.scoring.families import HumanMarks
from earmark.scoring.guesses import baseline_entries
from earmark.scoring.measuring import Options
from earmark.scoring.pairs import BASELINES, GLOSSARY, NOTES, draw, evaluate

KINDS = ("non_tie", "both_good", "both_bad")


@pytest.fixture(scope="module")
def study() -> Study:
    """A judge that is right about style where the preferred clip is first, and about rate always; a control; ties."""
    asked = [
        Pair(
            facet,
            ((n % 5, n), (n % 7 + 5, n + 1)),
            ("first", "second")[n % 2] if kind == "non_tie" else "tie",
            kind,
            ("same", "cross")[n % 2],
            ties=facet == "style",
        )
        for facet in ("style", "rate")
        for n in range(12)
        for kind in (KINDS[n % 3] if facet == "style" else "non_tie",)
    ]
    asked.append(Pair("control", ((0, 0), (0, 0)), "tie", "both_bad", variant="identical"))
    return Study(tuple(asked)).saying(lambda p, order, _: "A" if p.facet == "style" else right_letter(p, order))


@pytest.fixture(scope="module")
def report(study: Study) -> Report:
    release, decisions = release_of(study), decisions_of(study)
    return Report(
        signature={"resamples": 50},
        submission={},
        label_source="made up",
        headline="accuracy",
        counts=counts(release, decisions),
        metrics=tuple(evaluate(release, decisions, Options(resamples=50))),
        baselines=baseline_entries(release, decisions.owed, family),
    )


def test_every_picture_has_the_criteria_and_no_control(study: Study, report: Report) -> None:
    captions, figures = zip(*draw(release_of(study), decisions_of(study), report), strict=True)
    assert len(set(captions)) == 5
    for figure in figures:
        names = [row[0] for row in figure.table.rows]
        assert "Control" not in names
        assert [name for name in names if name in ("Style", "Rate")] == ["Style", "Rate"]
    forest, grid, dots, bars, slopes = figures
    assert len([row for row in forest.table.rows if row[0].startswith("rule: ")]) == len(BASELINES)
    assert [row[0] for row in dots.table.rows] == [row[0] for row in bars.table.rows] == ["all facets", "Style", "Rate"]
    assert [row[0] for row in grid.table.rows] == ["Style", "Rate", "all facets"]
    assert grid.table.rows[1][1] == "1.000, above chance"
    assert grid.table.rows[1][3] == "—"
    [style] = [row for row in dots.table.rows if row[0] == "Style"]
    found = {(e.metric, e.facet): e for e in report.metrics if e.slice == "all"}
    assert style[1] == f"{found['accuracy_a', 'style'].value:.3f}"
    assert style[5] == f"+{found['position_gap', 'style'].value:.3f}"
    [rate] = [row for row in slopes.table.rows if row[0] == "Rate"]
    assert rate[4] == "— no such pairs"


def test_the_page_is_whole(study: Study, report: Report) -> None:
    release = release_of(study)
    page = report_html(
        report,
        title="toy",
        figures=draw(release, decisions_of(study), report),
        facet_names={"style": "Style", "rate": "Rate"},
        notes=NOTES,
        glossary=GLOSSARY,
        findings=None,
        unparsed=(),
    )
    parsed(page)
    assert page.count("<svg") == 5
    assert all(note in page for note in NOTES)
    text = re.sub(r"<[^>]*>", " ", page)
    for words in ("perfect, never Tie", "letter stickiness", "position gap", "variant:identical", "accuracy non tie z"):
        assert words in text, words
    lines = report_table(report).splitlines()
    assert lines[0].split()[:3] == ["facet", "n", "accuracy"]


def test_the_family_provides_what_the_face_asks_for() -> None:
    module: object = family
    assert isinstance(module, HumanMarks)
    for name in ("BASELINES", "GLOSSARY", "NOTES", "draw", "evaluate", "evaluate_human", "headline"):
        assert hasattr(family, name), name


def test_a_picture_without_figures_still_stands(study: Study, report: Report) -> None:
    bare = Report(
        signature={}, submission={}, label_source="", headline="accuracy", counts={}, metrics=(), baselines=()
    )
    for _, figure in draw(release_of(study), decisions_of(study), bare):
        assert all(set(row[1:]) == {"—"} for row in figure.table.rows)
