"""Sheets: what stands on them, that nothing on them depends on the gold, and where their audio is."""

from __future__ import annotations

import base64
import csv
import json
import re
import shutil
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
from tests.support.golden import GOLDEN
from tests.support.miniature import quiet
from tests.support.panel_releases import write_pairs_release

from earmark.builders.panels.draw import draw_panel
from earmark.builders.panels.recipe import panel_recipe
from earmark.builders.panels.sheets import Audio, Sheets, write_sheets
from earmark.builders.panels.wording import choices, paragraphs
from earmark.manifests.canonical import Json
from earmark.manifests.errors import DestinationExists, EarmarkError, ReleaseError
from earmark.manifests.findings import Findings
from earmark.manifests.panels import Entry, Panel
from earmark.manifests.release import Release, open_release

CELLS = {("style", "non_tie", "same"): 3, ("style", "both_bad", "cross"): 2, ("rate", "non_tie", "same"): 2}


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Release:
    return write_pairs_release(tmp_path_factory.mktemp("sheets") / "release", CELLS, audio=True)


@pytest.fixture(scope="module")
def panel(release: Release) -> Panel:
    recipe = {"panel": {"name": "p", "raters": ["ann", "ben"]}, "quotas": {"facets": {"style": 4, "rate": 2}}}
    return draw_panel(release, panel_recipe({**recipe, "page": {"instructions": "Sit <still>."}}), Findings()).panel


def write(release: Release, panel: Panel, out: Path, audio: Audio = "auto") -> Sheets:
    return write_sheets(release, panel, out, audio=audio, roots={}, progress=quiet)


def sheet_of(page: Path) -> dict[str, Json]:
    found = re.search(r'id="sheet">(.*)</script>', page.read_text(encoding="utf-8"))
    assert found is not None
    value: dict[str, Json] = json.loads(found[1])
    return value


def test_what_stands_on_a_sheet(release: Release, panel: Panel, tmp_path: Path) -> None:
    assert write(release, panel, tmp_path / "s") == Sheets(("ann", "ben"), 6, 12, embedded=True)
    assert sorted(path.name for path in (tmp_path / "s").iterdir()) == ["ann.csv", "ann.html", "ben.csv", "ben.html"]
    shown = {row["presentation_id"]: row for row in release.table("presentations").to_pylist()}
    for rater in panel.raters:
        sheet = sheet_of(tmp_path / "s" / f"{rater}.html")
        audio = sheet["audio"]
        screens = sheet["screens"]
        assert isinstance(audio, list)
        assert isinstance(screens, list)
        assert [screen["unit"] for screen in screens] == list(range(6))
        for screen, (id, entry) in zip(screens, panel.sheet(rater), strict=True):
            row = shown[entry.presentation]
            facet = row["prompt_id"]
            assert screen["asks"] == [f"Which of the two is more {facet}?"]
            assert screen["about"] == ["You compare two recordings."]
            offered = [["A", "if A fits"], ["B", "if B fits"], ["Tie", ""]]
            choices = offered[:2] if facet == "rate" else offered
            assert screen["questions"] == [{"id": id, "asks": [], "choices": choices}]
            played = [audio[n] for _, n in screen["clips"]]
            files = [release.audio_file(clip).read_bytes() for clip in row["clips"]]
            assert [label for label, _ in screen["clips"]] == row["labels"]
            for uri, data in zip(played, files, strict=True):
                assert uri == "data:audio/flac;base64," + base64.b64encode(data).decode()
        with (tmp_path / "s" / f"{rater}.csv").open(newline="") as stream:
            rows = list(csv.reader(stream))
        assert rows == [["presentation_id", "choice"], *([id, ""] for id, _ in panel.sheet(rater))]
        assert "Sit &lt;still&gt;." in (tmp_path / "s" / f"{rater}.html").read_text(encoding="utf-8")


def test_nothing_depends_on_the_gold(release: Release, panel: Panel, tmp_path: Path) -> None:
    write(release, panel, tmp_path / "as-it-is")
    swapped = write_pairs_release(tmp_path / "swapped", CELLS, audio=True, swap_golds=True)
    assert swapped.table("answers") != release.table("answers")
    write(swapped, panel, tmp_path / "other-golds")
    shutil.copytree(release.path, tmp_path / "public")
    shutil.rmtree(tmp_path / "public" / "private")
    write(open_release(tmp_path / "public"), panel, tmp_path / "without")
    for path in (tmp_path / "as-it-is").iterdir():
        for other in ("other-golds", "without"):
            assert (tmp_path / other / path.name).read_bytes() == path.read_bytes()


def test_nothing_names_an_item_or_an_answer(release: Release, panel: Panel, tmp_path: Path) -> None:
    write(release, panel, tmp_path / "s", "beside")
    page = (tmp_path / "s" / "ann.html").read_text(encoding="utf-8")
    for entry in panel.entries:
        assert entry.item not in page
        assert entry.presentation not in page
    assert not [word for word in ("non_tie", "both_bad", "gold", panel.secret) if word in page]


def test_audio_beside_the_page(release: Release, panel: Panel, tmp_path: Path) -> None:
    small = msgspec.structs.replace(panel, embed_most_mb=0.001)
    assert not write(release, small, tmp_path / "auto").embedded
    assert write(release, small, tmp_path / "embed", "embed").embedded
    assert not write(release, panel, tmp_path / "beside", "beside").embedded
    audio = sheet_of(tmp_path / "beside" / "ben.html")["audio"]
    assert isinstance(audio, list)
    files = sorted(path.name for path in (tmp_path / "beside" / "audio").iterdir())
    assert sorted(str(name) for name in audio) == [f"audio/{name}" for name in files]
    assert not (tmp_path / "embed" / "audio").exists()


def test_a_stance_release_is_asked_without_its_json(tmp_path: Path) -> None:
    golden = open_release(GOLDEN / "release")
    recipe = panel_recipe({"panel": {"name": "s", "raters": 2}, "quotas": {"items": 1}})
    panel = draw_panel(golden, recipe, Findings()).panel
    with pytest.raises(EarmarkError, match="holds no audio"):
        write(golden, panel, tmp_path / "s")
    assert list(tmp_path.iterdir()) == []
    for row in golden.table("prompts").to_pylist():
        about, asks = (paragraphs(row[name], row["answer"]) for name in ("system", "user"))
        assert len(about) == 3
        assert len(asks) == 2
        assert not [part for part in (*about, *asks) if "JSON" in part or "{" in part]
        assert choices(golden.family, row["user"], row["answer"]) == tuple(
            (pole, "") for pole in row["prompt_id"].split("-")[1]
        )


def test_what_cannot_be_written(release: Release, panel: Panel, tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    with pytest.raises(DestinationExists):
        write(release, panel, tmp_path / "there")
    stray = msgspec.structs.replace(panel, entries=(Entry(item="i", presentation="p-elsewhere"),))
    with pytest.raises(ReleaseError, match="has no presentation p-elsewhere, which the panel p names"):
        write(release, stray, tmp_path / "out")
    other = replace(release, manifest=msgspec.structs.replace(release.manifest, version="2.0.0"))
    with pytest.raises(ReleaseError, match="was drawn from hand@1"):
        write(other, panel, tmp_path / "out")
    assert [path.name for path in tmp_path.iterdir()] == ["there"]
