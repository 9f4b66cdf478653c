"""What people look at in a report on dialogues, with and without other submissions."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from tests.scoring.dialogues.studies import Study, decisions_of, mistaken, perfect
from tests.support.dialogue_releases import dialogue_rows, in_memory, some_dialogues

from earmark.manifests.eqi import COMPOSITES, SUBSCALES
from earmark.manifests.release import Release
from earmark.manifests.report import Report
from earmark.scoring.against import Judged
from earmark.scoring.decisions import Decisions
from earmark.scoring.decisions.counts import counts
from earmark.scoring.dialogues import BASELINES, draw, evaluate, evaluate_against, settled, standardise
from earmark.scoring.dialogues.drawing import drawn_against
from earmark.scoring.guesses import baseline_entries
from earmark.scoring.measuring import Options
from earmark.scoring.norms import shipped_norm

FEW = Options(resamples=30)
STUDY = Study(some_dialogues(30)).saying(lambda s, e, run: (perfect if e.dialogue % 3 else mistaken)(s, e, run))


@pytest.fixture(scope="module")
def release() -> Release:
    return in_memory(dialogue_rows(STUDY.dialogues, ("sequential-2",), ("audio", "oracle")))


@pytest.fixture(scope="module")
def decisions() -> Decisions:
    return decisions_of(STUDY)


@pytest.fixture(scope="module")
def report(release: Release, decisions: Decisions) -> Report:
    from earmark.scoring import dialogues as family

    return Report(
        signature={"resamples": 30},
        submission={"judge": {"name": "Owl"}},
        label_source="made up",
        headline="acc_traj",
        counts=counts(release, decisions),
        metrics=tuple(evaluate(release, decisions, FEW)),
        baselines=baseline_entries(release, decisions.owed, family),
    )


def test_every_picture_has_the_subscales(release: Release, decisions: Decisions, report: Report) -> None:
    captions, figures = zip(*draw(release, decisions, report), strict=True)
    assert len(set(captions)) == len(figures) == 7
    names = [subscale.name for subscale in SUBSCALES]
    for figure in figures:
        assert [row[0] for row in figure.table.rows if row[0] in names] == names
    forest, grid, radar, dots, turns, history, swaps = figures
    assert len([row for row in forest.table.rows if row[0].startswith("rule: ")]) == len(BASELINES)
    assert [row[0] for row in grid.table.rows][15:] == [*(c.name.upper() for c in COMPOSITES), "all facets"]
    assert radar.table == dots.table
    assert len(radar.panels) == len(dots.panels) == 3
    assert [row[1] for row in radar.table.rows][::3] == [composite.name for composite in COMPOSITES]
    for figure in (turns, history, swaps):
        assert figure.table.rows[0][0] == "all facets"
    found = report.find("context_loss")
    assert found is not None
    assert float(turns.table.rows[0][5].replace("−", "-")) == pytest.approx(found.value, abs=5e-4)


def test_other_submissions_are_drawn_where_there_are_any(
    release: Release, decisions: Decisions, report: Report
) -> None:
    this = Judged("Owl", {"name": "Owl"}, decisions)
    others = [
        Judged("Owl, Deficit", {"name": "Owl", "persona": "Deficit"}, decisions_of(STUDY.saying(mistaken))),
        Judged("Owl, oracle", {"name": "Owl"}, decisions_of(replace(STUDY, modality="oracle").saying(perfect))),
        Judged("Lark", {"name": "Lark"}, decisions_of(STUDY.saying(perfect))),
    ]
    entries = evaluate_against(release, this, others, FEW)
    (_, contrasts), (_, bars) = drawn_against(replace(report, metrics=(*report.metrics, *entries)))
    assert [row[:2] for row in contrasts.table.rows] == [
        ("this − Deficit", "0.667"),
        ("oracle − audio", "0.333"),
        ("this − Lark", "−0.333"),
    ]
    assert [row[0] for row in bars.table.rows] == ["this one", "Deficit"]
    assert bars.table.rows[1][1::2] == ("0.000", "0.000", "0.000", "30")
    both = (*report.metrics, *entries)
    seq = standardise(both, settled(()))
    (_, bars) = drawn_against(replace(report, metrics=(*both, *seq)))[-1]
    least = shipped_norm().score(Fraction(0)).value
    assert least is not None
    assert [row[0] for row in bars.table.rows] == ["this one, 160.0", f"Deficit, {float(least):.3f}"]
    lark = [entry for entry in both if entry.slice != others[0].slice]
    assert len(drawn_against(replace(report, metrics=tuple(lark)))) == 1  # no persona, no bars
    assert drawn_against(report) == []


def test_a_picture_without_figures_still_stands(release: Release, decisions: Decisions) -> None:
    bare = Report(
        signature={}, submission={}, label_source="", headline="acc_traj", counts={}, metrics=(), baselines=()
    )
    drawn = draw(release, decisions, bare)
    assert len(drawn) == 7
    assert {cell for _, figure in drawn for row in figure.table.rows for cell in row[1:]} == {"—"}
