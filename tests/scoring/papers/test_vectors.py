"""The values that the released functions gave, and that a difference would be seen."""

from __future__ import annotations

from dataclasses import replace

import pytest

from earmark.manifests.findings import Findings
from earmark.scoring.papers.beside import DIFFERENCE, report_differences
from earmark.scoring.papers.records import Cell
from earmark.scoring.papers.stancebench import STANCEBENCH
from earmark.scoring.papers.stancebench.vectors import worked_values

CELLS = worked_values()


@pytest.mark.parametrize("cell", CELLS, ids=lambda cell: f"{cell.case}: {cell.quantity}")
def test_worked_value_comes_out(cell: Cell) -> None:
    assert cell.problem is None
    assert cell.paper == pytest.approx(float(cell.printed), abs=0.5 * 10**-cell.places)


def test_all_that_was_measured_is_there() -> None:
    measured = [(cell.quantity, cell.printed) for cell in CELLS]
    assert measured == [
        ("average", ".5"), ("flips", "1"), ("disagreement", "1"), ("score", ".1"), ("excluded", "1"),
        ("average", "0"), ("flips", "0"), ("disagreement", "1"), ("score", "0"),
        ("average", "1.5"), ("score", ".8"),
        ("disagreement", ".1667"), ("average", "1.5833"), ("score", ".64167"), ("excluded", "0"),
        ("disagreement", ".2"), ("excluded", "1"),
        ("pole_consistency", ".6667"), ("eer_nearest_vertex", ".3333"), ("auroc", ".8889"), ("oracle_f1", ".8571"),
        ("pole_consistency", ".6667"), ("eer_nearest_vertex", ".5"), ("auroc", ".5625"), ("oracle_f1", ".75"),
        ("pole_consistency", ".625"), ("eer_nearest_vertex", ".5"), ("auroc", ".75"), ("oracle_f1", ".6667"),
    ]  # fmt: skip


def test_every_explanation_is_of_a_difference() -> None:
    explained = [cell for cell in CELLS if cell.why]
    assert explained
    for cell in explained:
        assert cell.default is not None
        assert abs(cell.default - float(cell.printed)) > 0.01
        assert cell.known is not None


CELL = Cell(case="a", quantity="b", printed=".5", paper=0.5, default=0.5)


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"paper": 0.5001}, "paper mode gives 0.5001, not .5"),
        ({"paper": None}, "paper mode gives undefined, not .5"),
        ({"default": 0.6}, "the default gives 0.6000, not 0.5000"),
        ({"default": 0.6, "known": 0.7, "why": "known"}, "the default gives 0.6000, not 0.7000"),
        ({"default": 0.5, "known": 0.7, "why": "known"}, "the default gives 0.5000, not 0.7000"),
        ({"printed": ".66667", "paper": 0.6667}, "paper mode gives 0.66670, not .66667"),
    ],
)
def test_a_difference_without_an_explanation_is_a_finding(changes: dict[str, object], says: str) -> None:
    cell = replace(CELL, **changes)  # type: ignore[arg-type]  # kinds differ
    assert cell.problem == says
    findings = Findings()
    report_differences(STANCEBENCH, [CELL, cell], findings)
    assert findings.counts == {DIFFERENCE.name: 1}
    assert findings.failed


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"paper": 0.50004},
        {"default": None},
        {"default": 0.7, "known": 0.7, "why": "known"},
        {"printed": "0", "paper": -0.0, "default": None},
    ],
)
def test_no_difference_is_none(changes: dict[str, object]) -> None:
    assert replace(CELL, **changes).problem is None  # type: ignore[arg-type]  # kinds differ
