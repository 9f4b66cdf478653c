"""How many units a release needs: from its own speakers, from two files or from what is assumed."""

from __future__ import annotations

import json
from math import ceil
from pathlib import Path

import numpy as np
import pytest
from tests.support.golden import FOLDER

from earmark.manifests.errors import EarmarkError
from earmark.manifests.findings import Findings
from earmark.manifests.release import Release, open_release
from earmark.scoring.baselines import UNIFORM, always, write_predictions
from earmark.scoring.decisions import owed_presentations
from earmark.scoring.face import read
from earmark.scoring.families import family_marks
from earmark.scoring.ladder.credit import CreditedMarks
from earmark.scoring.power.dependence import facets_of, speakers_of
from earmark.scoring.power.units_needed import GRID_DISCORDANCE, GRID_ICC, NEVER_APART, TOO_ALIKE, power
from earmark.statistics.power import detectable_difference, pairs_needed


@pytest.fixture(scope="module", params=["stance", "pairs", "dialogues"])
def release(request: pytest.FixtureRequest) -> Release:
    return open_release(FOLDER / str(request.param) / "release")


def test_needed_is_mcnemar_s_number_times_the_design_effect_of_the_speakers(release: Release) -> None:
    found = power(release, 0.1, discordance=0.4, icc=0.2)
    assert found.assumed == ("discordance", "icc")
    entries = {entry.id: entry for entry in release.manifest.facets}
    for cell in found.cells:
        assert cell.facet in entries
        assert cell.design_effect == pytest.approx(1 + 0.2 * cell.shared)
        assert cell.needed == ceil(pairs_needed(0.1, 0.4) * cell.design_effect)
        assert cell.detectable == detectable_difference(max(1, int(cell.units / cell.design_effect)), 0.4)
    assert set(found.grid) == {(psi, icc) for psi in GRID_DISCORDANCE for icc in GRID_ICC}
    shared = np.mean([cell.shared for cell in found.cells])
    assert found.grid[0.2, 0.3] == ceil(pairs_needed(0.1, 0.2) * (1 + 0.3 * shared))
    assert json.loads(json.dumps(found.as_json()))["cells"][0]["facet"] == found.cells[0].facet


def test_units_and_speakers_are_those_of_the_release() -> None:
    """Counted from the tables, pair by pair: how many others have one of its two speakers."""
    release = open_release(FOLDER / "pairs" / "release")
    speaker = {row["clip_id"]: row["speaker"] for row in release.table("sources").to_pylist()}
    who: dict[str, set[str]] = {}
    for row in release.table("item_clips").to_pylist():
        who.setdefault(row["item_id"], set()).add(speaker[row["clip_id"]])
    facet = {row["item_id"]: row["facet"] for row in release.table("items").to_pylist()}
    for cell in power(release, 0.1).cells:
        here = [who[item] for item in who if facet[item] == cell.facet]
        assert (cell.units, cell.speakers) == (len(here), len(set().union(*here)))
        others = [sum(bool(one & other) for other in here) - 1 for one in here]
        assert cell.shared == pytest.approx(np.mean(others))


def test_dialogues_do_not_depend_on_each_other_and_are_counted_as_one() -> None:
    release = open_release(FOLDER / "dialogues" / "release")
    groups = {row["group"] for row in release.table("items").to_pylist()}
    cells = power(release, 0.1).cells
    assert sum(cell.units for cell in cells) == len(groups)
    assert {cell.design_effect for cell in cells} == {1.0}
    assert {cell.speakers for cell in cells} == {None}


def test_two_files_say_how_often_they_differ(release: Release, tmp_path: Path) -> None:
    owed = owed_presentations(release, release.protocol())
    files = [tmp_path / "a.jsonl", tmp_path / "b.jsonl"]
    for file, baseline in zip(files, (always(release.family.choices[0]), UNIFORM), strict=True):
        write_predictions(baseline, release, owed, file)
    found = power(release, 0.01, files=files)
    assert (found.assumed, found.grid) == ((), {})
    assert 0 <= found.icc <= 1
    marks: object = family_marks(release)
    assert isinstance(marks, CreditedMarks)
    one, other = (marks.credited(release, read(release, file, None, Findings())[1]) for file in files)
    assert one is not None
    assert other is not None
    total = sum(cell.discordance * cell.units for cell in found.cells)
    assert total == pytest.approx(((one.credit - other.credit) ** 2).sum())
    assert total > 0
    same = power(release, 0.1, files=[files[0], files[0]])
    assert {(cell.discordance, cell.needed, cell.reason) for cell in same.cells} == {(0.0, None, NEVER_APART)}
    assert power(release, 0.1, files=files, icc=0.5).assumed == ("icc",)


def test_overall_is_the_variance_of_the_headline_s_difference(release: Release, tmp_path: Path) -> None:
    """Two by two over all units: who shares a speaker with whom, whatever facet they are of."""
    owed = owed_presentations(release, release.protocol())
    files = [tmp_path / "a.jsonl", tmp_path / "b.jsonl"]
    for file, baseline in zip(files, (always(release.family.choices[0]), UNIFORM), strict=True):
        write_predictions(baseline, release, owed, file)
    found = power(release, 0.01, files=files, icc=0.3)
    marks: object = family_marks(release)
    assert isinstance(marks, CreditedMarks)
    credits = marks.credited(release, read(release, files[0], None, Findings())[1])
    assert credits is not None
    facet, members = facets_of(release, credits.units), speakers_of(release, credits.units).tolist()
    psi = {cell.facet: cell.discordance for cell in found.cells}
    of_unit = [psi[name] for name in facet.tolist()]
    variance = 0.0
    for i, one in enumerate(members):
        for j, other in enumerate(members):
            alike = 1.0 if i == j else 0.3 if set(one) & set(other) else 0.0
            variance += credits.weight[i] * credits.weight[j] * alike * (of_unit[i] * of_unit[j]) ** 0.5
    overall = found.overall
    assert (overall.facet, overall.units, overall.icc) == ("overall", len(credits.units), 0.3)
    assert overall.discordance == pytest.approx(credits.weight @ np.array(of_unit))
    assert overall.design_effect == pytest.approx(variance * len(members) / overall.discordance)
    assert overall.needed == ceil(pairs_needed(0.01, overall.discordance) * overall.design_effect - 1e-9)


def test_what_cannot_be_told_apart_and_what_cannot_be_asked(tmp_path: Path) -> None:
    release = open_release(FOLDER / "stance" / "release")
    alike = power(release, 0.5, discordance=0.2).cells[0]
    assert (alike.needed, alike.reason) == (None, TOO_ALIKE)
    with pytest.raises(EarmarkError, match="1 prediction file named"):
        power(release, 0.1, files=[tmp_path / "a.jsonl"])
    with pytest.raises(EarmarkError, match="no such file"):
        power(release, 0.1, files=[tmp_path / "a.jsonl"] * 2)
