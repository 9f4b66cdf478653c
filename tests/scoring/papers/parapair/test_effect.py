"""The effect of the transcript within non-ties: against trying every table of counts, and what the paper's tables leave."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.scoring.papers.parapair.printed import TABLES, conflicting, sizes

from earmark.manifests.families.pairs import CROSS, NON_TIE, SAME
from earmark.scoring.papers.parapair.counts import Counts
from earmark.scoring.papers.parapair.effect import divisions, effects, right_among, shares_of_non_ties, shares_within
from earmark.scoring.papers.parapair.tables import PrintedCell, Sizes, Tables

JUDGE = "judge"


@settings(max_examples=25)
@given(st.data())
def test_what_may_be_right_is_what_trying_everything_finds(data: st.DataObject) -> None:
    non_tie, tie = data.draw(st.integers(1, 4)), data.draw(st.integers(1, 4))
    same = data.draw(st.integers(1, non_tie + tie - 1))
    division = data.draw(st.integers(0, non_tie))
    cells = (non_tie - division, same - division, tie - same + division)
    here = Sizes(Tables("nobody", {"style": non_tie}, {"style": tie}, ()), {"style": same})
    counts = Counts(
        data.draw(st.integers(0, 2 * non_tie)), data.draw(st.integers(0, 2 * tie)), data.draw(st.integers(0, 2 * same))
    )
    tried = set()
    if min(cells) >= 0:
        for both, other, ties, rest in product(*(range(2 * size + 1) for size in (division, *cells))):
            if Counts(both + other, ties + rest, both + ties) == counts:
                tried.add(both)
    assert set(right_among(here, JUDGE, "style", counts, division)) == tried


def test_most_same_transcript_style_pairs_are_non_ties() -> None:
    found = divisions(sizes(), "style")
    assert found == tuple(range(226, 363))
    shares = shares_of_non_ties(sizes(), "style")
    assert [round(100 * float(share)) for share in (*shares[SAME], *shares[CROSS])] == [62, 100, 33, 46]


def test_emphasis_is_not_identified() -> None:
    found = divisions(sizes(), "emphasis")
    assert found == tuple(range(142, 262))
    shares = shares_of_non_ties(sizes(), "emphasis")
    assert [round(100 * float(share)) for share in (*shares[SAME], *shares[CROSS])] == [32, 59, 37, 66]
    assert all(one.lowest < 0 < one.highest for one in effects(sizes(), "emphasis"))


def test_style_within_non_ties_if_all_of_one_transcript_are() -> None:
    found = {one.judge: one for one in effects(sizes(), "style")}
    assert [round(1000 * one.printed) for one in found.values()] == [472, 398, 441, 504, 117]
    # From the printed digits: 9.7, -5.6, 4.4, 5.2 and -18.9 points.
    expected = dict(zip(TABLES.models, (9.7, -5.6, 4.4, 5.2, -18.9), strict=True))
    for judge, one in found.items():
        assert abs(100 * float(one.within) - expected[judge]) < 0.15
        assert one.lowest <= one.within <= one.highest
        assert one.same == round(one.same * 724) / Fraction(724)
        # Then every tie is of two transcripts, and the printed figure of that part comes out again.
        printed = {
            part: Fraction(TABLES.by_place[judge, "style", part].tenths, 1000) for part in (SAME, CROSS, NON_TIE)
        }
        assert abs(one.same - printed[SAME]) < Fraction(1, 2000)
        assert abs(one.same * 362 + one.cross * 358 - printed[NON_TIE] * 720) < 1
    assert max(found.values(), key=lambda one: one.within).judge == "Gemini 2.5 Flash"


def test_without_a_division_there_is_no_effect() -> None:
    assert divisions(conflicting(), "style") == ()
    with pytest.raises(ValueError, match="no division of the style pairs"):
        effects(conflicting(), "style")


def test_where_all_non_ties_are_of_one_transcript_nothing_is_compared() -> None:
    """Where no non-tie is left on one side, a division says nothing of the effect and is passed over."""
    few = replace(
        TABLES,
        non_tie={"style": 3},
        tie={"style": 3},
        cells=tuple(
            PrintedCell(2, "judge", "style", part, tenths)
            for part, tenths in (("all", 500), (NON_TIE, 500), ("tie", 500), (SAME, 500), (CROSS, 500))
        ),
    )
    here = Sizes(few, {"style": 3})
    assert divisions(here, "style") == (0, 1, 2, 3)
    assert list(shares_within(here, "judge", "style", 3, [Counts(3, 3, 3)])) == []
    assert list(shares_within(here, "judge", "style", 0, [Counts(3, 3, 3)])) == []
    assert set(shares_within(here, "judge", "style", 1, [Counts(3, 3, 3)])) == {
        (Fraction(2, 2), Fraction(1, 4)), (Fraction(0, 2), Fraction(3, 4))
    }  # fmt: skip
