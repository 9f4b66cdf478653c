"""Rankings against walks, scipy, and the ranks and counts of the paper's Table 4."""

from __future__ import annotations

import json
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import friedmanchisquare, rankdata, spearmanr
from tests.support.dialogue_panels import write_release, write_submission

from earmark.builders.panels.draw import draw_panel
from earmark.builders.panels.recipe import panel_recipe
from earmark.manifests.families.dialogues import SEQUENTIAL_2
from earmark.manifests.findings import Findings
from earmark.manifests.panels import Panel
from earmark.manifests.release import Release
from earmark.scoring.face import score
from earmark.scoring.measuring import Options
from earmark.scoring.panels.rankings import NO_RANKING, Ranking, average_ranks, measure_ranking
from earmark.scoring.panels.sheets import Labels, Rated
from earmark.scoring.panels.systems import systems_of
from earmark.scoring.papers.speecheq.tables import read_counts, read_tables
from earmark.statistics.kappa import MISSING

FEW = Options(resamples=100)
RATERS = ("a", "b", "c")
COUNTS = read_counts().table_4
HUMAN = read_tables().table_4["human"].ranks


def right_of(groups: list[str], right_4: int, right_6: int, both: int) -> dict[str, tuple[bool, bool]]:
    """Which turns of 15 dialogues somebody gets right who has so many of each, and of both."""
    at_4, at_6 = set(groups[:right_4]), {*groups[:both], *groups[right_4 : right_4 + right_6 - both]}
    return {group: (group in at_4, group in at_6) for group in groups}


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Release:
    return write_release(tmp_path_factory.mktemp("rankings") / "release", 30)


@pytest.fixture(scope="module")
def ranked(release: Release, tmp_path_factory: pytest.TempPathFactory) -> tuple[Panel, list[Path]]:
    """The six models of the public predictions, by their counts of right answers on 15 dialogues; elsewhere all are wrong."""
    recipe = panel_recipe(
        {
            "panel": {"name": "r", "raters": list(RATERS), "protocol": SEQUENTIAL_2},
            "quotas": {"groups": 1},
            "form": {"choose": False, "ranks": "Which place?"},
        }
    )
    folder = tmp_path_factory.mktemp("submissions")
    every = sorted({str(row["group"]) for row in release.table("items").to_pylist()})
    stub = write_submission(folder / "stub.jsonl", release, dict.fromkeys(every, (False, False)))
    two = systems_of(release, [stub, stub], SEQUENTIAL_2, Findings())
    drawn = sorted(draw_panel(release, recipe, Findings(), two).panel.units)
    nothing = dict.fromkeys(every, (False, False))
    columns = (COUNTS[name].right for name in ("acc_1", "acc_2", "seq"))
    files = [
        write_submission(folder / f"{name}.jsonl", release, nothing | right_of(drawn, *counts))
        for name, *counts in zip("ABCDEF", *columns, strict=True)
    ]
    systems = systems_of(release, files, SEQUENTIAL_2, Findings())
    return draw_panel(release, recipe, Findings(), systems).panel, files


def rated_of(panel: Panel, places: Labels) -> Rated:
    """What raters said; `places` is (raters, units, systems) from 1, or 0 where nothing was said."""
    answers = np.where(places == 0, MISSING, places - 1)
    labels = np.full((len(places), len(panel.entries)), MISSING)
    return Rated(RATERS[: len(places)], panel.entries, labels, {}, tuple(panel.units), tuple(panel.topics), answers)


def measured(release: Release, panel: Panel, places: Labels, files: list[Path] | None = None) -> Ranking:
    return measure_ranking(release, panel, rated_of(panel, places), files or [], Findings(), FEW)


def test_table_4_with_its_ties(release: Release, ranked: tuple[Panel, list[Path]]) -> None:
    panel, files = ranked
    places = np.broadcast_to(np.array(HUMAN, np.int64), (3, 15, 6)).copy()
    found = measured(release, panel, places, files[::-1])
    by_metric = {correlation.metric: correlation for correlation in found.correlations}
    names = {"acc_1": "acc_1", "acc_2": "acc_2", "acc_all": "acc_all", "acc_traj": "seq"}
    assert set(names) <= set(by_metric)
    for metric, column in names.items():
        counts = COUNTS[column]
        assert by_metric[metric].values == pytest.approx([right / counts.total for right in counts.right])
        right = spearmanr(HUMAN, [-count for count in counts.right])
        assert by_metric[metric].rho == pytest.approx(right.statistic)
        assert by_metric[metric].p_t == pytest.approx(right.pvalue)
        ranks = rankdata(counts.right)
        every = np.array([np.corrcoef(order, ranks)[0, 1] for order in permutations(HUMAN)])
        assert by_metric[metric].p == pytest.approx(np.mean(np.abs(every) >= abs(right.statistic) - 1e-9))
        assert by_metric[f"{metric}_vote"].rho == by_metric[metric].rho  # both orders alike, so votes are too
    # With ties left as they are the trajectories go with people less than both turns together.
    rhos = {metric: by_metric[metric].rho for metric in names}
    assert max(rhos, key=lambda metric: rhos[metric] or 0) == "acc_all"
    assert found.overall.value == 1
    assert [entry.w for entry in found.units] == [1] * 15


@settings(max_examples=25)
@given(st.integers(0, 10**6), st.sampled_from([0.0, 0.02, 0.3, 1.0]), st.integers(1, 6))
def test_ranks_and_concordance_are_those_of_a_walk(
    release: Release, ranked: tuple[Panel, list[Path]], seed: int, missing: float, spread: int
) -> None:
    panel = ranked[0]
    rng = np.random.default_rng(seed)
    places = rng.integers(1, spread + 1, (3, 15, 6))
    places[rng.random(places.shape) < missing] = 0
    found = measured(release, panel, places)
    rankings: dict[tuple[int, int], list[float]] = {
        (r, u): [float(rank) for rank in rankdata(places[r, u])]
        for r in range(3)
        for u in range(15)
        if places[r, u].all()
    }
    assert found.correlations == ()
    for n, system in enumerate(found.systems):
        entry = found.mean_rank(system)
        assert entry is not None
        assert entry.n == len(rankings)
        if rankings:
            assert entry.value == pytest.approx(np.mean([ranks[n] for ranks in rankings.values()]))
        else:
            assert (entry.value, entry.reason) == (None, "no rows")
    for u, entry_ in enumerate(found.units):
        here = [ranks for (_, unit), ranks in rankings.items() if unit == u]
        assert (entry_.unit, entry_.raters) == (list(panel.units)[u], len(here))
        assert entry_.w == slow_w(here)
        assert (entry_.w is None) == (entry_.reason is not None)
    own = [
        np.mean([ranks for (rater, _), ranks in rankings.items() if rater == r], axis=0).tolist()
        for r in range(3)
        if any(rater == r for rater, _ in rankings)
    ]
    assert found.overall.value == slow_w(own)
    each = next(entry for entry in found.metrics if entry.metric == "kendall_w_mean")
    defined = [entry.w for entry in found.units if entry.w is not None]
    assert each.value == (pytest.approx(np.mean(defined)) if defined else None)


def slow_w(rankings: list[list[float]]) -> object:
    """Kendall's W by Friedman's statistic, which is raters × (items − 1) × W."""
    if len(rankings) < 2 or all(len(set(ranks)) == 1 for ranks in rankings):
        return None
    return pytest.approx(friedmanchisquare(*np.array(rankings).T).statistic / (len(rankings) * 5))


@settings(max_examples=25)
@given(st.lists(st.lists(st.integers(1, 6), min_size=6, max_size=6), min_size=1, max_size=4))
def test_shared_places_share_ranks(places: list[list[int]]) -> None:
    ranks = average_ranks(places)
    assert ranks.sum(axis=1).tolist() == [21] * len(places)
    closed_up = [[sorted(set(row)).index(place) + 1 for place in row] for row in places]
    assert average_ranks(closed_up).tolist() == ranks.tolist()


def test_metrics_are_over_the_ranked_dialogues_alone(release: Release, ranked: tuple[Panel, list[Path]]) -> None:
    panel, files = ranked
    whole = score(release, files[0], protocol=SEQUENTIAL_2, options=Options(resamples=5)).report.find("acc_traj")
    found = measured(release, panel, np.ones((3, 15, 6), np.int64), files)
    of_panel = next(each for each in found.correlations if each.metric == "acc_traj")
    assert whole is not None
    assert whole.value == pytest.approx(6 / 30)
    assert of_panel.values[0] == pytest.approx(6 / 15)
    # All raters call all systems level: there is nothing to correlate with.
    assert of_panel.rho is None
    assert of_panel.reason == "fewer than two rows, or a constant column"


def test_files_are_told_by_what_is_in_them(release: Release, ranked: tuple[Panel, list[Path]], tmp_path: Path) -> None:
    panel, files = ranked
    findings = Findings()
    other = tmp_path / "A.jsonl"
    other.write_text(files[0].read_text(encoding="utf-8") + "\n", encoding="utf-8")
    rated = rated_of(panel, np.ones((3, 15, 6), np.int64))
    found = measure_ranking(release, panel, rated, [other, *files[1:]], findings, FEW)
    assert [(finding.code.name, finding.file) for finding in findings] == [("panel.other-submission", "A.jsonl")]
    assert found.correlations == ()
    public = Release(release.path, release.manifest, tmp_path / "nowhere")
    assert measure_ranking(public, panel, rated, files, Findings(), FEW).correlations == ()


def test_nobody_ranked(release: Release, ranked: tuple[Panel, list[Path]]) -> None:
    panel, files = ranked
    found = measured(release, panel, np.zeros((0, 15, 6), np.int64), files)
    assert {(each.rho, each.reason) for each in found.correlations} == {(None, NO_RANKING)}
    assert found.overall.value is None
    value = json.loads(json.dumps(found.as_json(), allow_nan=False))
    assert value.keys() == {"systems", "metrics", "overall", "units", "correlations"}
    assert value["overall"] == {"value": None, "p": None, "reason": "fewer than two raters or two items"}
