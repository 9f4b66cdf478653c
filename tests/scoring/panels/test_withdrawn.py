"""Sheets of a panel that was drawn before something was withdrawn: what is left is read as if nothing else had been asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import msgspec
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.support.editions import FOLDER, next_version

from earmark.manifests.errors import ReleaseError
from earmark.manifests.findings import Findings
from earmark.manifests.panel_forms import Criterion
from earmark.manifests.panels import Entry, Panel, panel_secret
from earmark.manifests.release import Release, open_release
from earmark.scoring.panels.agreement import ratings_csv
from earmark.scoring.panels.rounds import disputed
from earmark.scoring.panels.sheets import Rated, read_sheets
from earmark.statistics.kappa import MISSING

RATERS = ("ann", "ben")


@pytest.fixture(scope="module", params=["pairs", "dialogues"])
def old(request: pytest.FixtureRequest) -> Release:
    return open_release(FOLDER / request.param / "release")


@pytest.fixture(scope="module")
def panel(old: Release) -> Panel:
    """Every item in one presentation; with their groups, where they have any, and then with a criterion."""
    groups = {row["item_id"]: row["group"] for row in old.table("items").to_pylist()}
    shown = {row["item_id"]: row["presentation_id"] for row in old.table("presentations").to_pylist()}
    entries = [Entry(item=item, presentation=id, group=groups[item]) for item, id in sorted(shown.items())]
    return Panel(
        format=2,
        name="p",
        release=f"{old.manifest.name}@{old.manifest.version}",
        content_hash=old.manifest.content_hash,
        protocol=old.manifest.protocols[0].name,
        raters=RATERS,
        secret=panel_secret(bytes(32), "p", 1),
        entries=tuple(sorted(entries, key=lambda entry: (entry.unit, entry.item))),
        criteria=(Criterion(slug="words", asks="Do the words do?"),) if any(groups.values()) else (),
    )


def write(path: Path, answers: Mapping[str, str]) -> Path:
    lines = ["presentation_id,choice", *(f"{id},{said}" for id, said in answers.items())]
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def read(release: Release, panel: Panel, *files: Path) -> tuple[Rated, Findings]:
    findings = Findings(cap=10_000)
    return read_sheets(release, panel, files, findings), findings


def filled(panel: Panel, release: Release, seed: int) -> dict[str, dict[str, str]]:
    offered, draw = release.family.choices[:2], np.random.default_rng(seed)
    return {
        rater: {
            asked.id: str(draw.choice(offered if asked.entry else ("pass", "fail"))) for asked in panel.questions(rater)
        }
        for rater in panel.raters
    }


@settings(max_examples=2, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 1 << 30))
def test_what_was_withdrawn_is_left_out_with_a_note(old: Release, panel: Panel, tmp_path: Path, seed: int) -> None:
    new = next_version(old.manifest.family)
    left = panel.left_in(new)
    items = set(new.table("items")["item_id"].to_pylist())
    assert [entry for entry in panel.entries if entry.item in items] == list(left.entries)
    assert 0 < len(left.entries) < len(panel.entries)
    said = filled(panel, old, seed)
    ids = {rater: [asked.id for asked in left.questions(rater)] for rater in RATERS}
    for rater in RATERS:  # what is left stands in the same order under the same ids
        assert ids[rater] == [id for id in said[rater] if id in ids[rater]]

    whole = [write(tmp_path / f"{rater}.csv", said[rater]) for rater in RATERS]
    (tmp_path / "few").mkdir(exist_ok=True)
    few = [write(tmp_path / "few" / f"{rater}.csv", {id: said[rater][id] for id in ids[rater]}) for rater in RATERS]
    rated, findings = read(new, panel, *whole)
    expected, told = read(new, left, *few)
    gone = sum(len(said[rater]) - len(ids[rater]) for rater in RATERS)
    assert findings.counts == {"panel.earlier-release": 1, "submission.withdrawn": gone}
    assert not findings.failed
    assert told.counts == Counter()
    for name in ("labels", "answers"):
        assert np.array_equal(getattr(rated, name), getattr(expected, name))
    assert MISSING not in rated.labels
    before, _ = read(old, panel, *whole)
    kept = [n for n, entry in enumerate(panel.entries) if entry.item in items]
    assert np.array_equal(rated.labels, before.labels[:, kept])
    assert rated.entries == expected.entries == left.entries
    assert rated.outcomes == expected.outcomes
    assert disputed(left, rated) == disputed(panel, before) & {id for each in ids.values() for id in each}
    assert ratings_csv(rated) == ratings_csv(expected)


def test_another_s_row_about_something_withdrawn_is_still_another_s(old: Release, panel: Panel, tmp_path: Path) -> None:
    new = next_version(old.manifest.family)
    left = panel.left_in(new)
    gone = {rater: [id for id, entry in panel.sheet(rater) if entry not in left.entries] for rater in RATERS}
    choice = old.family.choices[0]
    own = {id: choice for id, _ in left.sheet("ann")}
    file = write(tmp_path / "ann.csv", {**own, gone["ann"][0]: choice, gone["ben"][0]: choice, "p" + "z" * 26: choice})
    _, findings = read(new, panel, file)
    counted = {name: count for name, count in findings.counts.items() if name != "submission.missing"}
    assert counted == {
        "panel.earlier-release": 1,
        "panel.no-sheet": 1,
        "panel.other-rater": 1,
        "submission.withdrawn": 1,
        "submission.unknown-id": 1,
    }


def test_another_release_is_refused_and_so_is_one_with_nothing_left(old: Release, panel: Panel) -> None:
    new = next_version(old.manifest.family)
    other = msgspec.structs.replace(new.manifest, withdrawn=None)
    with pytest.raises(ReleaseError, match="the panel p was drawn from"):
        panel.left_in(replace(new, manifest=other))
    left = panel.left_in(new)
    assert left.left_in(new) == left
    gone = msgspec.structs.replace(panel, entries=tuple(one for one in panel.entries if one not in left.entries))
    with pytest.raises(ReleaseError, match="all that the panel p asks about was withdrawn"):
        gone.left_in(new)
