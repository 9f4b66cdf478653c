"""Sheets as they come back: whose they are, what counts, and what is wrong with them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.support.panel_releases import write_pairs_release

from earmark.manifests.errors import EarmarkError
from earmark.manifests.findings import Findings
from earmark.manifests.panels import Entry, Panel, panel_secret
from earmark.manifests.release import Release
from earmark.scoring.panels.sheets import Rated, read_sheets
from earmark.statistics.kappa import MISSING

CELLS = {("style", "non_tie", "same"): 4, ("rate", "non_tie", "same"): 2}
RATERS = ("ann", "ben", "cyd")


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Release:
    return write_pairs_release(tmp_path_factory.mktemp("read") / "release", CELLS)


@pytest.fixture(scope="module")
def panel(release: Release) -> Panel:
    """Every item, by turns in the stored order and in the other one."""
    shown = sorted(
        (row["item_id"], row["order"], row["presentation_id"]) for row in release.table("presentations").to_pylist()
    )
    entries = [Entry(item=item, presentation=id) for n, (item, _, id) in enumerate(shown) if n % 4 in (0, 3)]
    return Panel(
        format=1,
        name="p",
        release="hand@1.0.0",
        content_hash=release.manifest.content_hash,
        protocol="both-orders",
        raters=RATERS,
        secret=panel_secret(bytes(32), "p", 1),
        entries=tuple(entries),
    )


def facet_of(release: Release) -> dict[str, str]:
    return {row["item_id"]: row["facet"] for row in release.table("items").to_pylist()}


def fill(path: Path, panel: Panel, rater: str, *lines: str, choice: str = "A") -> Path:
    """A sheet that says one thing throughout, with further lines."""
    rows = [f"{id},{choice}" for id, _ in panel.sheet(rater)]
    path.write_text("\r\n".join(["presentation_id,choice", *rows, *lines, ""]), encoding="utf-8", newline="")
    return path


def read(release: Release, panel: Panel, *files: Path) -> tuple[Rated, list[tuple[str, str | None, str | None]]]:
    findings = Findings()
    rated = read_sheets(release, panel, files, findings)
    return rated, [(finding.code.name, finding.id, finding.found) for finding in findings]


def test_letters_become_clips(release: Release, panel: Panel, tmp_path: Path) -> None:
    files = [
        fill(tmp_path / f"{rater}.csv", panel, rater, choice=said) for rater, said in zip(RATERS, "ABA", strict=True)
    ]
    rated, found = read(release, panel, *files)
    assert found == []
    assert rated.raters == RATERS
    orders = {row["presentation_id"]: row["order"] for row in release.table("presentations").to_pylist()}
    first = np.array([0 if orders[entry.presentation] == "12" else 1 for entry in panel.entries])
    assert len(set(first.tolist())) == 2
    assert rated.labels.tolist() == [first.tolist(), (1 - first).tolist(), first.tolist()]
    assert rated.outcomes["ben"] == {
        "owed": 6,
        "ok": 6,
        "abstained": 0,
        "failed": 0,
        "unparsable": 0,
        "conflicting": 0,
        "missing": 0,
    }


def test_ties_are_read_and_a_tie_that_is_not_offered_is_not(release: Release, panel: Panel, tmp_path: Path) -> None:
    rated, found = read(release, panel, fill(tmp_path / "ann.csv", panel, "ann", choice="Tie"))
    rate = [facet_of(release)[entry.item] == "rate" for entry in panel.entries]
    assert rated.labels.tolist() == [[MISSING if of_rate else 2 for of_rate in rate]]
    assert sorted(name for name, _, _ in found) == ["panel.no-sheet"] * 2 + ["panel.not-offered"] * 2
    assert (rated.outcomes["ann"]["ok"], rated.outcomes["ann"]["unparsable"]) == (4, 2)


def test_whose_sheet_it_is_the_ids_say(release: Release, panel: Panel, tmp_path: Path) -> None:
    rated, found = read(release, panel, fill(tmp_path / "answers (1).csv", panel, "cyd"))
    assert rated.raters == ("cyd",)
    assert found == [("panel.no-sheet", "ann", None), ("panel.no-sheet", "ben", None)]
    _, found = read(release, panel, fill(tmp_path / "Ben.csv", panel, "cyd"))
    assert ("panel.other-name", None, "ben") in found


def test_what_is_wrong_with_a_sheet(release: Release, panel: Panel, tmp_path: Path) -> None:
    own, others = panel.sheet("ann"), panel.sheet("ben")
    ids = [id for id, _ in own]
    lines = [
        f"{ids[0]},B",  # differs from the first row
        f"{ids[1]},A",  # says the same again
        f"{others[0][0]},A",
        "pzzzzzzzzzzzzzzzzzzzzzzzzzz,A",
        f"{ids[2]},C",
        f"{ids[3]},",
    ]
    rated, found = read(release, panel, fill(tmp_path / "ann.csv", panel, "ann", *lines))
    assert ("panel.other-rater", others[0][0], "ben") in found
    kinds = {name: id for name, id, _ in found}
    assert sum(name == "submission.unknown-id" for name, _, _ in found) == 1
    # A row that cannot be read differs from the good one before it.
    assert {id for name, id, _ in found if name == "submission.conflicting"} == {ids[0], ids[2], ids[3]}
    assert kinds["submission.repeated"] == ids[1]
    assert kinds["submission.unknown-id"] == "pzzzzzzzzzzzzzzzzzzzzzzzzzz"
    assert kinds["submission.unknown-value"] == ids[2]
    assert kinds["submission.no-answer"] == ids[3]
    place = {entry.item: n for n, entry in enumerate(panel.entries)}
    spoilt = {place[own[n][1].item] for n in (0, 2, 3)}
    assert {n for n, label in enumerate(rated.labels[0]) if label == MISSING} == spoilt


def test_a_second_sheet_of_one_rater_does_not_count(release: Release, panel: Panel, tmp_path: Path) -> None:
    first = fill(tmp_path / "a.csv", panel, "ann", choice="A")
    rated, found = read(release, panel, first, fill(tmp_path / "b.csv", panel, "ann", choice="B"))
    assert ("panel.rater-twice", None, "ann") in found
    alone, _ = read(release, panel, first)
    assert rated.labels.tolist() == alone.labels.tolist()


def test_a_second_run_does_not_count(release: Release, panel: Panel, tmp_path: Path) -> None:
    id = panel.sheet("ann")[0][0]
    (tmp_path / "ann.csv").write_text(f"presentation_id,choice,run\n{id},A,0\n{id},B,1\n", encoding="utf-8")
    rated, found = read(release, panel, tmp_path / "ann.csv")
    assert ("panel.run", id, "1") in found
    (tmp_path / "once.csv").write_text(f"presentation_id,choice\n{id},A\n", encoding="utf-8")
    once, _ = read(release, panel, tmp_path / "once.csv")
    assert rated.labels.tolist() == once.labels.tolist()
    assert (rated.labels != MISSING).sum() == 1
    assert rated.outcomes["ann"]["missing"] == 5


def test_files_of_no_sheet(release: Release, panel: Panel, tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("presentation_id,choice\np1,A\n", encoding="utf-8")
    (tmp_path / "y.csv").write_text("item,choice\n", encoding="utf-8")
    (tmp_path / "z.txt").write_text("A", encoding="utf-8")
    rated, found = read(release, panel, *(tmp_path / name for name in ("x.csv", "y.csv", "z.txt")))
    assert rated.labels.shape == (0, 6)
    assert {name for name, _, _ in found} == {
        "panel.no-rater",
        "panel.no-sheet",
        "submission.bad-columns",
        "submission.unknown-suffix",
    }
    with pytest.raises(EarmarkError, match="no such file"):
        read(release, panel, tmp_path / "nowhere.csv")
