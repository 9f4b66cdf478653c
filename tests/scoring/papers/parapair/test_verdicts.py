"""Every verdict against somebody else's figures, and what Holm's method leaves of them."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from tests.scoring.papers.parapair.printed import TABLES, known_cells, sizes

from earmark.manifests.families.pairs import CRITERIA, NON_TIE, TIE
from earmark.manifests.report import ALL, OVERALL
from earmark.scoring.papers.parapair.verdicts import (
    ABOVE,
    BELOW,
    NEITHER,
    chance_of,
    constant_answers,
    verdicts,
    z_score,
)

VERDICTS = {one.cell.place: one for one in verdicts(sizes())}
HALF_A_HUNDREDTH = 0.005 + 1e-9  # one z is half-way to the bit
SPELT = {"above": ABOVE, "below": BELOW, "ns": NEITHER}


def test_every_cell_is_as_somebody_else_computed_it(shared_data: Path) -> None:
    known = known_cells(shared_data)
    assert known.keys() == VERDICTS.keys()
    assert len(known) == 102
    for place, row in known.items():
        found, shown = VERDICTS[place], TABLES.shown(place[0])
        assert found.cell.table == int(row["table"])
        assert found.cell.text == row["printed_pct"]
        assert found.n == int(row["n_pairs"])
        assert f"{float(100 * found.chance):.1f}" == row["chance_pct"]
        assert abs(found.z - float(row["z_pairs"])) <= HALF_A_HUNDREDTH, place
        assert found.verdict == SPELT[row["verdict_pairs"]]
        # With every answer counted instead of every pair, no verdict changes.
        assert shown * found.n == int(row["n_2x"])
        z = z_score(Fraction(found.cell.tenths, 1000), found.chance, shown * found.n)
        assert abs(z - float(row["z_2x"])) <= HALF_A_HUNDREDTH
        assert SPELT[row["verdict_2x"]] == found.verdict


def test_recomputed_figures_are_as_somebody_else_has_them(shared_data: Path) -> None:
    known = {place: row for place, row in known_cells(shared_data).items() if row["recomputed_pct"]}
    assert len(known) == 24
    for (judge, criterion, part), row in known.items():
        assert part == ALL
        recomputed, above = deviation(judge, criterion)
        assert f"{float(recomputed):.3f}" == row["recomputed_pct"]
        assert f"{float(above):+.3f}" == row["deviation_pp"]


Z = {
    ("style", "all"): (7.86, 12.21, 2.47, -0.59, 10.12, 1.99),
    ("rate", "all"): (5.80, 15.07, 10.69, -0.77, 10.07, 4.61),
    ("emphasis", "all"): (7.86, 10.18, 6.51, -0.27, 5.95, 2.09),
    ("age", "all"): (2.91, 19.03, 1.29, -6.19, -4.79, 3.92),
    ("gender", "all"): (7.11, 20.71, 4.00, -2.30, 16.95, 9.44),
    ("style", "non_tie"): (5.59, 25.99, 20.30, 17.11, 27.13, 11.76),
    ("style", "tie"): (5.51, -8.73, -16.81, -18.01, -12.88, -8.96),
    ("emphasis", "non_tie"): (6.57, 21.16, 17.79, 12.82, 19.86, 13.73),
    ("emphasis", "tie"): (4.53, -6.28, -8.07, -12.81, -10.89, -10.35),
    ("age", "non_tie"): (3.54, 25.66, 16.07, 8.35, -4.09, 2.71),
    ("age", "tie"): (0.57, 1.26, -14.31, -17.10, -2.69, 2.83),
    ("gender", "non_tie"): (5.59, 24.46, 15.16, 11.80, 15.83, 3.11),
    ("gender", "tie"): (4.45, 4.78, -9.55, -15.05, 8.10, 10.23),
    ("style", "same"): (5.59, 20.37, 13.27, 13.02, 20.29, 4.55),
    ("style", "cross"): (5.51, 2.28, -4.83, -8.24, -0.09, -0.30),
    ("emphasis", "same"): (5.72, 4.55, 0.70, -1.13, 3.34, 2.63),
    ("emphasis", "cross"): (5.37, 9.97, 8.67, 0.76, 5.13, 0.29),
}  # fmt: skip
"""z of every row, people first, by criterion and part."""


@pytest.mark.parametrize(("criterion", "part"), Z)
def test_z_and_verdict_by_column(criterion: str, part: str) -> None:
    for judge, z in zip(TABLES.judges, Z[criterion, part], strict=True):
        found = VERDICTS[judge, criterion, part]
        assert abs(found.z - z) <= HALF_A_HUNDREDTH
        assert found.verdict == (NEITHER if abs(z) <= 1.96 else ABOVE if z > 0 else BELOW)


def test_every_cell_has_a_z() -> None:
    assert sum(map(len, Z.values())) == len(VERDICTS) == 102
    verdicts_of_age_ties = [VERDICTS[judge, "age", "tie"].verdict for judge in TABLES.judges]
    assert verdicts_of_age_ties == [NEITHER, NEITHER, BELOW, BELOW, BELOW, ABOVE]
    assert (VERDICTS["Human", "style", "same"].n, VERDICTS["GPT-4o Audio", "style", "cross"].n) == (25, 1078)


DEVIATIONS = {
    "style": (-0.050, +0.000, +0.000, -0.050, -0.050, +0.000),
    "emphasis": (-0.050, +0.001, +0.067, -0.067, +0.024, -0.008),
    "age": (+0.000, +0.000, -0.050, +0.000, +0.000, +0.000),
    "gender": (-0.050, -0.050, -0.050, +0.000, -0.050, +0.000),
}  # fmt: skip
"""Overall figure recomputed from the rounded ones of non-ties and ties, less the printed one, in points; people first."""


def deviation(judge: str, criterion: str) -> tuple[Fraction, Fraction]:
    """The overall figure recomputed, in percent, and by how much it is above the printed one."""
    n = sizes().pairs(judge, criterion, ALL)
    recomputed = sum(
        Fraction(sizes().pairs(judge, criterion, part) * TABLES.by_place[judge, criterion, part].tenths, 10 * n)
        for part in (NON_TIE, TIE)
    )
    return Fraction(recomputed), recomputed - Fraction(TABLES.by_place[judge, criterion, ALL].tenths, 10)


@pytest.mark.parametrize("criterion", DEVIATIONS)
def test_overall_follows_from_non_ties_and_ties(criterion: str) -> None:
    for judge, expected in zip(TABLES.judges, DEVIATIONS[criterion], strict=True):
        _, found = deviation(judge, criterion)
        assert f"{float(found):+.3f}" == f"{expected:+.3f}"
        assert abs(found) <= Fraction(1, 10)


def test_nine_verdicts_are_lost_under_holm() -> None:
    fragile = sorted((one for one in VERDICTS.values() if one.fragile), key=lambda one: -abs(one.z))
    assert [(one.cell.judge.split("-")[0], *one.cell.place[1:], round(one.z, 2)) for one in fragile] == [
        ("Qwen2.5", "age", "tie", 2.83),
        ("Qwen2.5", "age", "non_tie", 2.71),
        ("Kimi", "age", "tie", -2.69),
        ("Qwen2.5", "emphasis", "same", 2.63),
        ("GPT", "style", "all", 2.47),
        ("SpeechJudge", "gender", "all", -2.30),
        ("Gemini 2.5 Flash", "style", "cross", 2.28),
        ("Qwen2.5", "emphasis", "all", 2.09),
        ("Qwen2.5", "style", "all", 1.99),
    ]


def test_holm_is_over_the_85_cells_of_models_as_statsmodels_has_it() -> None:
    multitest = pytest.importorskip("statsmodels.stats.multitest")
    models = [one for one in VERDICTS.values() if one.p_adjusted is not None]
    assert len(models) == 85
    assert {one.cell.judge for one in VERDICTS.values()} - {one.cell.judge for one in models} == {"Human"}
    _, expected, _, _ = multitest.multipletests([one.p for one in models], method="holm")
    assert [one.p_adjusted for one in models] == pytest.approx(expected.tolist())


def test_p_is_that_of_a_normal() -> None:
    from scipy.stats import norm

    for one in VERDICTS.values():
        assert one.p == pytest.approx(2 * norm.sf(abs(one.z)), rel=1e-9)


def test_answers_that_need_no_ears() -> None:
    found = {
        name: [round(100 * float(share), 1) for share in row]
        for name, row in constant_answers(sizes(), CRITERIA).items()
    }
    assert list(found.values()) == [
        [33.3, 50.0, 33.3, 33.3, 33.3, 36.7],
        [50.0, 0.0, 51.7, 50.0, 50.0, 40.3],
        [25.0, 50.0, 24.1, 25.0, 25.0, 29.8],
        [50.0, 50.0, 51.7, 50.0, 50.0, 50.3],
        [50.0, 100.0, 48.3, 50.0, 50.0, 59.7],
    ]
    tie_and_coin = found["Tie, and a coin where there are no ties"][-1]
    better = [judge for judge in TABLES.models if TABLES.by_place[judge, OVERALL, ALL].tenths / 10 > tie_and_coin]
    assert better == ["Gemini 2.5 Flash"]


def test_chance_is_a_half_only_without_ties() -> None:
    assert [chance_of(sizes(), criterion) for criterion in CRITERIA] == [
        Fraction(1, 2) if criterion == "rate" else Fraction(1, 3) for criterion in CRITERIA
    ]
