"""The count search: against trying everything on small tables, and what it finds of the printed ones."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.scoring.papers.parapair.printed import TABLES, sizes

from earmark.manifests.families.pairs import CRITERIA, CROSS, NON_TIE, SAME, TIE
from earmark.manifests.report import ALL, OVERALL
from earmark.scoring.papers.parapair.counts import (
    SLIPS,
    Counts,
    candidates,
    macro,
    oracle,
    same_counts,
    slip_of,
    solve,
    solve_sizes,
)
from earmark.scoring.papers.parapair.rounding import reaching, rounded
from earmark.scoring.papers.parapair.tables import PrintedCell, Sizes, Tables


def test_pairs_of_one_transcript_are_solved() -> None:
    assert sizes().same == {"style": 362, "emphasis": 445}
    assert same_counts(TABLES, "style") == (362,)
    assert same_counts(TABLES, "emphasis") == (445,)


def test_shown_once_nothing_fits() -> None:
    """So the tables are averages over two orders."""
    assert same_counts(TABLES, "style", shown=1) == same_counts(TABLES, "emphasis", shown=1) == ()


def test_without_speechjudge_emphasis_is_left_with_two() -> None:
    others = [judge for judge in TABLES.models if not judge.startswith("SpeechJudge")]
    assert same_counts(TABLES, "style", judges=others) == (362,)
    assert same_counts(TABLES, "emphasis", judges=others) == (444, 445)


def test_every_figure_comes_out_but_the_two_slips() -> None:
    differing = {}
    for judge in TABLES.judges:
        for place, tenths in oracle(sizes(), judge, solve(sizes(), judge)).items():
            if tenths != TABLES.by_place[place].tenths:
                differing[place] = (TABLES.by_place[place].tenths, tenths)
    assert differing == {("SpeechJudge-7B", "emphasis", ALL): (329, 328), ("Human", OVERALL, ALL): (792, 791)}
    assert differing == {place: (slip.printed, slip.right) for place, slip in SLIPS.items()}


def test_the_slip_in_emphasis_is_reached_by_no_counts() -> None:
    assert (list(reaching(630, 830)), list(reaching(47, 890))) == ([523], [42])
    assert list(reaching(329, 1720)) == [566]
    assert rounded(523 + 42, 1720) == 328


def test_votes_and_counts_of_rate_are_the_only_ones() -> None:
    votes = {
        "style": Counts(129, 128, 129),
        "rate": Counts(273, 0),
        "emphasis": Counts(143, 114, 131),
        "age": Counts(100, 58),
        "gender": Counts(129, 113),
    }
    assert solve(sizes(), "Human") == votes
    assert all(candidates(sizes(), "Human", criterion) == [counts] for criterion, counts in votes.items())
    rate = [solve(sizes(), judge)["rate"].all for judge in TABLES.models]
    assert rate == [667, 582, 360, 570, 464]


def test_a_mean_that_is_printed_decides_between_counts() -> None:
    """61.5 is not the mean of Gemini's rounded cells, which is 61.56."""
    judge = "Gemini 2.5 Flash"
    cells = [TABLES.by_place[judge, criterion, ALL].tenths for criterion in CRITERIA]
    assert sum(cells) == 3078
    mean = macro(sizes(), judge, [solve(sizes(), judge)[criterion].all for criterion in CRITERIA])
    assert Fraction(6145, 10000) <= mean < Fraction(6155, 10000)


def toy(figures: list[dict[str, int]], non_tie: int, tie: int) -> Tables:
    """Models with one criterion, and the tenths of each part."""
    cells = tuple(
        PrintedCell(2, f"judge {n}", "style", part, tenths)
        for n, row in enumerate(figures)
        for part, tenths in row.items()
    )
    return Tables("nobody", {"style": non_tie}, {"style": tie}, cells)


@st.composite
def small_tables(draw: st.DrawFn) -> tuple[Tables, int]:
    """Tables printed of counts that there are, and the number of pairs of one transcript behind them."""
    non_tie, tie = draw(st.integers(1, 9)), draw(st.integers(1, 9))
    same = draw(st.integers(1, non_tie + tie - 1))
    figures = []
    for _ in range(draw(st.integers(1, 3))):
        right, right_ties = draw(st.integers(0, 2 * non_tie)), draw(st.integers(0, 2 * tie))
        total, cross = right + right_ties, 2 * (non_tie + tie - same)
        right_same = draw(st.integers(max(0, total - cross), min(2 * same, total)))
        figures.append(
            {
                ALL: rounded(total, 2 * (non_tie + tie)),
                NON_TIE: rounded(right, 2 * non_tie),
                TIE: rounded(right_ties, 2 * tie),
                SAME: rounded(right_same, 2 * same),
                CROSS: rounded(total - right_same, cross),
            }
        )
    return toy(figures, non_tie, tie), same


def every_solution(tables: Tables, judge: str, same: int) -> list[Counts]:
    """All counts that are printed so, by trying each."""
    non_tie, tie = 2 * tables.non_tie["style"], 2 * tables.tie["style"]
    total, printed = (
        non_tie + tie,
        {part: tables.by_place[judge, "style", part].tenths for part in (ALL, NON_TIE, TIE, SAME, CROSS)},
    )
    found = []
    for right, right_ties in product(range(non_tie + 1), range(tie + 1)):
        if (rounded(right, non_tie), rounded(right_ties, tie)) != (printed[NON_TIE], printed[TIE]):
            continue
        for right_same in range(2 * same + 1):
            cross = right + right_ties - right_same
            if not 0 <= cross <= total - 2 * same:
                continue
            parts = rounded(right + right_ties, total), rounded(right_same, 2 * same), rounded(cross, total - 2 * same)
            if parts == (printed[ALL], printed[SAME], printed[CROSS]):
                found.append(Counts(right, right_ties, right_same))
    return found


@settings(max_examples=25)
@given(small_tables())
def test_the_search_finds_what_trying_everything_finds(drawn: tuple[Tables, int]) -> None:
    tables, same = drawn
    pairs = tables.non_tie["style"] + tables.tie["style"]
    tried = [at for at in range(1, pairs) if all(every_solution(tables, judge, at) for judge in tables.models)]
    assert list(same_counts(tables, "style")) == tried
    assert same in tried
    for judge in tables.models:
        found = candidates(Sizes(tables, {"style": same}), judge, "style")
        assert sorted(found, key=str) == sorted(every_solution(tables, judge, same), key=str)


@pytest.mark.parametrize(
    ("place", "tenths"),
    [
        (("Gemini 2.5 Flash", "style", ALL), 486),
        (("Kimi-Audio-7B", "age", TIE), 290),
        (("GPT-4o Audio", "style", CROSS), 269),
        (("Qwen2.5-Omni-7B", OVERALL, ALL), 441),
        (("SpeechJudge-7B", "emphasis", ALL), 330),
        (("Human", "rate", ALL), 911),
        (("Human", OVERALL, ALL), 793),
    ],
)
def test_another_digit_is_not_reached(place: tuple[str, str, str], tenths: int) -> None:
    """And what cannot be reached is still answered by counts, so that the difference can be shown."""
    cells = tuple(replace(cell, tenths=tenths) if cell.place == place else cell for cell in TABLES.cells)
    changed = solve_sizes(replace(TABLES, cells=cells))
    found = oracle(changed, place[0], solve(changed, place[0]))
    printed = {cell.place: cell for cell in cells}
    unexplained = [at for at, value in found.items() if value != printed[at].tenths and slip_of(printed[at]) is None]
    assert unexplained
