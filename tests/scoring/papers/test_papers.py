"""The registry, and paper mode on a release."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import pytest
from tests.support.tiny import write_tiny_release

from earmark.manifests.errors import EarmarkError, UnknownName
from earmark.manifests.release import Release
from earmark.manifests.report import OVERALL
from earmark.scoring.baselines import Guess
from earmark.scoring.decisions import owed_presentations
from earmark.scoring.guesses import guessed
from earmark.scoring.measuring import Options
from earmark.scoring.papers import PAPERS, apply_paper, paper_named, require_family

FEW = Options(resamples=20)


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Release:
    return write_tiny_release(tmp_path_factory.mktemp("papers") / "release", items=12, facets=2, transcripts=True)


def test_unknown_names_are_told_the_valid_ones() -> None:
    assert set(PAPERS) == {"stancebench", "parapair", "speecheq"}
    with pytest.raises(UnknownName, match="no paper named 'stancbench'; there is stancebench, parapair, speecheq"):
        paper_named("stancbench")


def test_unknown_name_is_refused_before_anything_is_read() -> None:
    with pytest.raises(UnknownName, match="stancebench"):
        apply_paper("parapair?", cast("Release", None), cast("object", None), [], FEW)  # type: ignore[arg-type]  # unused


def test_another_family_is_refused() -> None:
    other = cast("Release", SimpleNamespace(family=SimpleNamespace(name="toy")))
    with pytest.raises(EarmarkError, match="paper stancebench marks releases of family stance, not toy"):
        require_family(paper_named("stancebench"), other)


def test_figures_of_a_release(release: Release) -> None:
    owed = owed_presentations(release, release.protocol())
    answers = {row["item_id"]: row["gold"] for row in release.table("answers").to_pylist()}
    right = {id: Guess(answers[item], 0.9) for id, item in zip(owed.ids, owed.item, strict=True)}
    entries = apply_paper("stancebench", release, guessed(owed, right, ("P", "N")), [], FEW)
    found = {(entry.metric, entry.facet): entry for entry in entries}
    assert {entry.slice for entry in entries} == {PAPERS["stancebench"].slice} == {"paper:stancebench"}
    assert {facet for _, facet in found} == {"S0", "S1", OVERALL}
    for metric, value in {
        "auroc": 1.0,
        "pole_consistency": 1.0,
        "eer_nearest_vertex": 0.0,
        "failure_rate": 0.0,
    }.items():
        assert found[metric, OVERALL].value == value
    wrong = guessed(
        owed, {id: Guess("NP"["NP".index(guess.choice) - 1], 0.9) for id, guess in right.items()}, ("P", "N")
    )
    worst = {(entry.metric, entry.facet): entry for entry in apply_paper("stancebench", release, wrong, [], FEW)}
    assert worst["auroc", "S0"].value == 0.0


def test_others_may_follow_another_protocol(release: Release) -> None:
    """The transcript-only ablation: other presentations of the same items."""
    decisions = []
    for protocol in ("both-orders", "both-orders-transcript"):
        owed = owed_presentations(release, release.protocol(protocol))
        decisions.append(guessed(owed, dict.fromkeys(owed.ids, Guess("P")), ("P", "N")))
    entries = apply_paper("stancebench", release, decisions[0], decisions[1:], FEW)
    found = {(entry.metric, entry.facet): entry.value for entry in entries}
    assert found["submissions_intersected", OVERALL] == 2
    assert found["units_removed_row_intersection", OVERALL] == 0
