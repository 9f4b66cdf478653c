"""Sharing, intraclass correlation and design effect against every pair of units, and the power promised against simulation."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from earmark.statistics.clustering import design_effect, intraclass, sharing
from earmark.statistics.power import pairs_needed

UNIT = st.tuples(st.integers(0, 4), st.integers(0, 4), st.integers(-3, 3))


@settings(max_examples=40)
@given(st.lists(UNIT, min_size=1, max_size=15), st.booleans())
def test_sums_are_over_every_pair_of_units_that_share_a_member(units: list[tuple[int, int, int]], alone: bool) -> None:
    members = np.array([(a,) if alone else (a, b) for a, b, _ in units])
    value = np.array([v for *_, v in units], float)
    share = np.array([[bool(set(one) & set(other)) for other in members.tolist()] for one in members.tolist()])
    np.fill_diagonal(share, False)
    assert sharing(members) == pytest.approx(share.sum() / len(units))
    found = intraclass(value, members)
    if not share.any() or not value.any():
        assert found is None
    else:
        expected = (np.outer(value, value)[share].sum() / share.sum()) / (value**2).mean()
        assert found == pytest.approx(expected)
        # The two together are how much more the sum of all varies than units apart would.
        assert 1 + sharing(members) * found == pytest.approx(
            (np.outer(value, value)[share | np.eye(len(units), dtype=bool)].sum()) / (value**2).sum()
        )
    assert design_effect(members, -0.3) == 1
    assert design_effect(members, 0.25) == pytest.approx(1 + 0.25 * share.sum() / len(units))
    weight = 5.0 + value
    variance = (np.outer(weight, weight) * (np.eye(len(units)) + 0.25 * share)).sum() / weight.sum() ** 2
    assert design_effect(members, 0.25, weight) == pytest.approx(len(units) * variance)
    assert design_effect(members, 0.25, np.full(len(units), 0.1)) == design_effect(members, 0.25)


def test_clusters_of_known_sizes() -> None:
    sizes = [1, 2, 3, 10]
    members = np.repeat(np.arange(4), sizes)[:, None]
    assert sharing(members) == pytest.approx(sum(m * m for m in sizes) / sum(sizes) - 1)
    assert sharing(np.zeros((0, 1), int)) == 0
    same = np.repeat([1.0, -1.0, 1.0, -1.0], [4, 4, 4, 4])
    assert intraclass(same, np.repeat(np.arange(4), 4)[:, None]) == pytest.approx(1)


def test_what_are_no_members() -> None:
    for wrong in (np.zeros(3, int), np.zeros((3, 3), int), np.array([[-1]])):
        with pytest.raises(ValueError, match="members have shape"):
            sharing(wrong)


@pytest.mark.slow
@pytest.mark.parametrize("sizes", [(5,), (1, 2, 12)])
@pytest.mark.parametrize("icc", [0.0, 0.25])
def test_as_many_units_as_are_needed_have_that_power(sizes: tuple[int, ...], icc: float) -> None:
    """Differences of clusters that are drawn together with a chance of √ICC, tested with a cluster-robust standard error."""
    rng, delta, psi, studies = np.random.default_rng(0), 0.08, 0.3, 600
    one_round = np.repeat(np.arange(len(sizes)), sizes)[:, None]
    needed = pairs_needed(delta, psi) * design_effect(one_round, icc)
    rounds = round(needed / sum(sizes))
    cluster = np.repeat(np.arange(rounds * len(sizes)), np.tile(sizes, rounds))
    chances = [(psi + delta) / 2, (psi - delta) / 2, 1 - psi]
    found, alike = 0, []
    for _ in range(studies):
        common = rng.choice([1, -1, 0], p=chances, size=cluster.max() + 1)[cluster]
        own = rng.choice([1, -1, 0], p=chances, size=cluster.size)
        difference = np.where(rng.random(cluster.size) < icc**0.5, common, own).astype(float)
        away = difference - difference.mean()
        alike.append(intraclass(away, cluster[:, None]))
        error = np.sqrt((np.bincount(cluster, away) ** 2).sum()) / cluster.size
        found += abs(difference.mean()) > 1.959963984540054 * error
    assert found / studies == pytest.approx(0.8, abs=0.05)
    assert np.mean(np.array(alike, float)) == pytest.approx(icc, abs=0.02)
