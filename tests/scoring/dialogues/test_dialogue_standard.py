"""SEQ in a report: the norm's own score, its interval's ends, and what each norm is of."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.scoring.norms.cohorts import by_numpy, cohort, cohorts

from earmark.manifests.errors import EarmarkError
from earmark.manifests.report import IntervalEntry, MetricEntry
from earmark.scoring.dialogues.standard import settled, standardise
from earmark.scoring.norms import Norm, shipped_norm


def accuracy(value: float | None, facet: str = "overall", low: float = 0.1, high: float = 0.9) -> MetricEntry:
    interval = IntervalEntry(by="dialogue", clusters=30, method="percentile", level=0.95, low=low, high=high)
    reason = None if value is not None else "no such dialogues"
    return MetricEntry(
        metric="acc_traj", facet=facet, value=value, n=30, chance=0.25, p=0.5, reason=reason, intervals=(interval,)
    )


@settings(max_examples=25)
@given(cohorts(2), st.integers(0, 40), st.data())
def test_seq_is_numpy_s_and_so_are_its_ends(norm: Norm, right: int, data: st.DataObject) -> None:
    ends = sorted(data.draw(st.lists(st.integers(0, 40), min_size=2, max_size=2)))
    [found] = standardise([accuracy(right / 40, low=ends[0] / 40, high=ends[1] / 40)], [norm])
    [interval] = found.intervals
    shares = (right, *ends)
    if norm.reason is not None:
        assert (found.value, interval.low, interval.high, found.chance) == (None,) * 4
        assert found.reason == interval.reason == norm.reason
    else:
        assert [found.value, interval.low, interval.high] == [
            pytest.approx(by_numpy(norm, Fraction(share, 40))) for share in shares
        ]
        assert (found.reason, found.p) == (None, None)
    assert (found.metric, found.n, interval.by) == ("seq", 30, "dialogue")


@pytest.mark.parametrize(("right", "total", "seq"), [(718, 2265, 100), (570, 2265, 88.39), (1320, 2264, 147.26)])
def test_rows_of_table_3_come_out(right: int, total: int, seq: float) -> None:
    [found] = standardise([accuracy(right / total)], settled(()))
    assert found.value == pytest.approx(seq, abs=0.005)


def test_a_subscale_has_seq_only_where_a_norm_is_of_it() -> None:
    entries = [accuracy(0.5), accuracy(0.75, "interpersonal_empathy"), accuracy(0.25, "self_perception_self_regard")]
    ours = replace(cohort([(1, 4), (3, 4)]), facet="interpersonal_empathy")
    found = {entry.facet: entry.value for entry in standardise(entries, settled([ours]))}
    assert found.keys() == {"overall", "interpersonal_empathy"}
    assert found["interpersonal_empathy"] == pytest.approx(100 + 15 / 1.4826)
    whole = cohort([(1, 4), (3, 4)])
    assert settled([whole]) == (whole,)
    assert settled(()) == (shipped_norm(),)


def test_what_a_norm_cannot_be_held_against_is_said() -> None:
    with pytest.raises(EarmarkError, match="two norms are of overall"):
        settled([cohort([(1, 4)]), cohort([(2, 4)])])
    absent = replace(cohort([(1, 4), (3, 4)]), facet="interpersonal_empaty")
    with pytest.raises(
        EarmarkError, match="acc_traj of interpersonal_empaty, which the report does not have; it has it of"
    ):
        standardise([accuracy(0.5)], [absent])
    with pytest.raises(EarmarkError, match=r"-0\.5 is no share"):
        standardise([accuracy(-0.5)], [cohort([(1, 4), (3, 4)])])
    [undefined] = standardise([accuracy(None)], settled(()))
    assert (undefined.value, undefined.reason) == (None, "no such dialogues")
