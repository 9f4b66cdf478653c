"""What people look at in a stance report: the numbers behind the pictures."""

from __future__ import annotations

from dataclasses import replace

import msgspec
import numpy as np
import pytest
from tests.support.tiny import write_tiny_release

from earmark.manifests.families.stance_recipe import Dimension, Mapping, Pole, Sample, Segments, StoredRecipe
from earmark.manifests.release import Release
from earmark.manifests.report import BaselineEntry, Report
from earmark.scoring.baselines import Guess
from earmark.scoring.decisions import Decisions, owed_presentations
from earmark.scoring.guesses import guessed
from earmark.scoring.measuring import Options
from earmark.scoring.stance import evaluate
from earmark.scoring.stance.drawing import draw, violins

RECIPE = StoredRecipe(
    mapping=Mapping(
        dimension=[
            Dimension("S0", "single", Pole([], ["Calm", "Mild"]), Pole([], ["Angry"])),
            Dimension("S1", "single", Pole([], []), Pole([], [])),
        ]
    ),
    sample=Sample("hash", 1.0, 0),
    segments=Segments(30.0, 45.0, 15.0, 1.0, 10.0, 2.0, 15.0),
)


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Release:
    return write_tiny_release(tmp_path_factory.mktemp("releases") / "tiny", items=8, facets=2)


@pytest.fixture(scope="module")
def decisions(release: Release) -> Decisions:
    """P with a certainty that grows along the ids."""
    owed = owed_presentations(release, release.protocol())
    sure = np.linspace(0.5, 1, len(owed.ids)).tolist()
    return guessed(owed, {id: Guess("P", p) for id, p in zip(owed.ids, sure, strict=True)}, ("P", "N"))


@pytest.fixture(scope="module")
def report(release: Release, decisions: Decisions) -> Report:
    return Report(
        signature={},
        submission={},
        label_source="",
        headline="balanced_accuracy",
        counts={},
        metrics=tuple(evaluate(release, decisions, Options(resamples=50))),
        baselines=(BaselineEntry(name="always P", value=0.5),),
    )


def test_violins_hold_the_score_of_every_unit_by_role(release: Release, decisions: Decisions) -> None:
    groups = violins(release, decisions)
    assert [(group.facet, group.name, group.positive, group.negative) for group in groups] == [
        ("S0", "Facet S0", "P", "N"),
        ("S1", "Facet S1", "P", "N"),
    ]
    gold = {row["item_id"]: row for row in release.table("answers").to_pylist()}
    facets = {row["item_id"]: row["facet"] for row in release.table("items").to_pylist()}
    expected: dict[tuple[str, str, str], list[float]] = {}
    for item, facet in facets.items():
        said = [n for n, of in enumerate(decisions.owed.item) if of == item]
        score = np.mean([2 * decisions.probability[n] - 1 for n in said])
        expected.setdefault((facet, gold[item]["role"], gold[item]["gold"]), []).append(float(score))
    found = {(g.facet, role, pole): list(scores) for g in groups for role, (pole, scores) in g.scores.items()}
    assert found.keys() == expected.keys()
    for place, scores in expected.items():
        assert sorted(found[place]) == pytest.approx(sorted(scores))


def test_poles_have_the_names_that_the_recipe_gives_them(release: Release, decisions: Decisions) -> None:
    named = Release(release.path, msgspec.structs.replace(release.manifest, recipe=msgspec.to_builtins(RECIPE)))
    groups = violins(named, decisions)
    assert [(group.positive, group.negative) for group in groups] == [("Calm + Mild", "Angry"), ("P", "N")]


def test_pictures_say_what_they_show(release: Release, decisions: Decisions, report: Report) -> None:
    captions, figures = zip(*draw(release, decisions, report), strict=True)
    assert len(set(captions)) == 3
    forest, plane, violin = ("".join("".join(figure.panels).split()) for figure in figures)
    assert "allfacets" in forest
    assert "S1FacetS1" in forest
    assert "Supportivefriend" in violin
    assert "S0" in plane


def test_what_a_report_lacks_is_not_drawn(release: Release, decisions: Decisions, report: Report) -> None:
    bare = replace(report, metrics=tuple(m for m in report.metrics if m.facet == "S0" and m.metric != "auroc"))
    (_, forest), (_, plane), _ = draw(release, decisions, bare)
    assert "S0 Facet S0" in forest.svg
    assert "all facets" not in forest.svg
    assert "S1" not in forest.svg
    assert "S0" not in plane.svg


def test_facets_of_which_nothing_is_owed_have_no_violin(release: Release, decisions: Decisions) -> None:
    facets = {row["item_id"]: row["facet"] for row in release.table("items").to_pylist()}
    kept = np.array([facets[item] == "S1" for item in decisions.owed.item])
    owed = decisions.owed
    fewer = replace(
        decisions,
        owed=replace(
            owed,
            ids=tuple(np.array(owed.ids)[kept].tolist()),
            item=tuple(np.array(owed.item)[kept].tolist()),
            order=tuple(np.array(owed.order)[kept].tolist()),
        ),
        presentation=np.arange(int(kept.sum())),
        run=decisions.run[kept],
        outcome=decisions.outcome[kept],
        choice=decisions.choice[kept],
        probability=decisions.probability[kept],
    )
    assert [group.facet for group in violins(release, fewer)] == ["S1"]
