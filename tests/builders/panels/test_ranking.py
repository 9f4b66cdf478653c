"""The ranking panel: one dialogue of each subscale, what each system said to it, and nothing that tells who or what is right."""

from __future__ import annotations

import json
import re
import tomllib
from collections import Counter
from pathlib import Path

import pytest
from tests.support.dialogue_panels import FORM, write_release
from tests.support.miniature import quiet

from earmark.builders.panels.draw import draw_panel
from earmark.builders.panels.recipe import panel_recipe, preset
from earmark.builders.panels.screens import NO_ANSWER, NO_REASONS
from earmark.builders.panels.sheets import write_sheets
from earmark.manifests.canonical import Json
from earmark.manifests.eqi import SUBSCALES
from earmark.manifests.errors import Refused
from earmark.manifests.families.dialogues import DIRECT
from earmark.manifests.findings import Findings
from earmark.manifests.panel_forms import Said, System
from earmark.manifests.panels import Panel, read_panel
from earmark.manifests.release import Release

NAMES = ("Alpha-7B", "Beta-Omni", "Gamma", "Delta", "Epsilon", "Zeta")


def systems_of(release: Release) -> list[System]:
    """Six systems that answer everything, each in its own words, but for the last, which answers nothing."""
    ids = sorted(row["presentation_id"] for row in release.table("presentations").to_pylist())
    return [
        System(
            name=name,
            file=f"{n}" * 64,
            said=tuple(
                Said(presentation=id, choice=None)
                if n == 5
                else Said(presentation=id, choice="12"[(k + n) % 2], reasons=f"says {n} of {k}" if n else "")
                for k, id in enumerate(ids)
            ),
        )
        for n, name in enumerate(NAMES)
    ]


def draw(release: Release, **sections: Json) -> Panel:
    recipe = panel_recipe({**tomllib.loads(preset("speecheq-ranking")), **sections})
    return draw_panel(release, recipe, Findings(), systems_of(release)).panel


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Release:
    return write_release(tmp_path_factory.mktemp("ranking") / "release", 30, audio=True)


@pytest.fixture(scope="module")
def panel(release: Release) -> Panel:
    return draw(release)


@pytest.fixture(scope="module")
def sheets(release: Release, panel: Panel, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("ranking") / "sheets"
    write_sheets(release, panel, out, audio="beside", roots={}, progress=quiet)
    return out


def screens_of(page: Path) -> list[dict[str, Json]]:
    found = re.search(r'id="sheet">(.*)</script>', page.read_text(encoding="utf-8"))
    assert found is not None
    screens: list[dict[str, Json]] = json.loads(found[1])["screens"]
    return screens


def test_one_conversation_of_each_subscale(release: Release, panel: Panel) -> None:
    items = {row["item_id"]: row for row in release.table("items").to_pylist()}
    shown = {row["presentation_id"]: row for row in release.table("presentations").to_pylist()}
    assert len(panel.raters) == 5
    facets = Counter(items[entries[0].item]["facet"] for entries in panel.units.values())
    assert facets == {subscale.slug: 1 for subscale in SUBSCALES}
    for four, six in panel.units.values():
        assert shown[four.presentation]["after"] is None
        assert shown[six.presentation]["after"] == four.presentation
    heard = {entry.presentation for entry in panel.entries}
    for system in panel.systems:
        assert {said.presentation for said in system.said} == heard


def test_every_system_on_one_screen_under_a_letter(release: Release, panel: Panel, sheets: Path) -> None:
    shown = {row["presentation_id"]: row for row in release.table("presentations").to_pylist()}
    said = {(s.name, each.presentation): each for s in panel.systems for each in s.said}
    for rater in panel.raters:
        questions = panel.questions(rater)
        screens = screens_of(sheets / f"{rater}.html")
        assert len(screens) == 15
        for n, screen in enumerate(screens):
            asked = questions[6 * n : 6 * n + 6]
            entries = panel.units[asked[0].unit]
            clips = {clip for entry in entries for clip in shown[entry.presentation]["clips"]}
            assert len(screen["clips"]) == len(clips) == 8  # type: ignore[arg-type]
            assert screen["asks"] == [panel.ranks]
            for question, one in zip(screen["questions"], asked, strict=True):  # type: ignore[arg-type]
                assert question["id"] == one.id
                assert question["choices"] == [[str(place), ""] for place in range(1, 7)]
                words = [f"System {one.letter}"]
                assert one.system is not None
                for target, entry in zip(("turn 4", "turn 6"), entries, strict=True):
                    answer = said[one.system.name, entry.presentation]
                    if answer.choice is None:
                        words.append(f"{target}: {NO_ANSWER}.")
                    else:
                        words += [f"{target}: Option {answer.choice}.", answer.reasons or NO_REASONS]
                assert question["asks"] == words


def test_nothing_tells_who_it_is_or_what_is_right(release: Release, panel: Panel, sheets: Path, tmp_path: Path) -> None:
    swapped = write_release(tmp_path / "swapped", 30, swap_golds=True, audio=True)
    assert swapped.table("answers") != release.table("answers")
    write_sheets(swapped, panel, tmp_path / "sheets", audio="beside", roots={}, progress=quiet)
    for file in (path for path in sheets.rglob("*") if path.is_file()):
        assert (tmp_path / "sheets" / file.relative_to(sheets)).read_bytes() == file.read_bytes()
    for rater in panel.raters:
        page = (sheets / f"{rater}.html").read_text(encoding="utf-8")
        words = ("resonant", "dissonant", "gold", "correct", *NAMES, *panel.units, *(e.item for e in panel.entries))
        assert not [word for word in words if word in page]
    # Letters are drawn anew: each system comes first about as often as another, whatever it is good for.
    first = Counter(
        asked.system.name
        for rater in panel.raters
        for asked in panel.questions(rater)
        if asked.system and asked.letter == "A"
    )
    assert first.total() == 75
    assert set(first) == set(NAMES)
    assert max(first.values()) < 30


def test_what_every_system_answered_is_shown(release: Release) -> None:
    """Where a system has answered one of the two conversations alone, it is that one; where none is left, either is."""
    shown = {row["presentation_id"]: row for row in release.table("presentations").to_pylist()}
    facet_of = {row["item_id"]: row["facet"] for row in release.table("items").to_pylist()}
    facets = sorted(set(facet_of.values()))

    def silent(id: str) -> bool:
        row = shown[id]
        facet = facet_of[row["item_id"]]
        conversation = row["order"] if row["after"] is None else shown[row["after"]]["order"]
        return facet == facets[0] or (facet in facets[:8] and conversation == "12")

    systems = [
        *systems_of(release)[:2],
        System(
            name="seldom",
            file="",
            said=tuple(Said(presentation=id, choice=None if silent(id) else "1") for id in shown),
        ),
    ]
    recipe = panel_recipe(tomllib.loads(preset("speecheq-ranking")))
    panel = draw_panel(release, recipe, Findings(), systems).panel
    quiet_ones = {facet_of[entry.item] for entry in panel.entries if silent(entry.presentation)}
    assert quiet_ones == {facets[0]}
    assert len(panel.units) == 15


def test_a_written_panel_is_read_back(panel: Panel, tmp_path: Path) -> None:
    (tmp_path / "panel.json").write_text(panel.text(), encoding="utf-8")
    assert read_panel(tmp_path) == panel


def test_a_form_and_a_ranking_are_two_screens(release: Release, tmp_path: Path) -> None:
    assert isinstance(FORM, dict)
    panel = draw(
        release,
        form={**FORM, "choose": True, "ranks": "Which place?"},
        panel={"name": "p", "raters": 1, "protocol": DIRECT},
    )
    write_sheets(release, panel, tmp_path / "s", audio="beside", roots={}, progress=quiet)
    numbers = [len(screen["questions"]) for screen in screens_of(tmp_path / "s" / "rater-1.html")[:4]]  # type: ignore[arg-type]
    assert numbers == [1, 1, 2, 6]


@pytest.mark.parametrize(
    ("count", "form", "found"),
    [
        (1, {"choose": False, "ranks": "?"}, "1 submissions"),
        (0, {"choose": False, "ranks": "?"}, "0 submissions"),
        (10, {"choose": False, "ranks": "?"}, "10 submissions"),
        (2, {}, "2 submissions"),
        (2, {"ranks": "?", "criteria": [{"slug": "b1", "asks": "?"}]}, "b1"),
    ],
)
def test_what_cannot_be_ranked(release: Release, count: int, form: Json, found: str) -> None:
    systems = [System(name=f"b{n}", file="", said=()) for n in range(count)]
    recipe = panel_recipe({"panel": {"name": "p", "protocol": DIRECT}, "quotas": {"groups": 1}, "form": form})
    with pytest.raises(Refused) as caught:
        draw_panel(release, recipe, Findings(), systems)
    assert [(finding.code.name, finding.found) for finding in caught.value.findings] == [("panel.systems", found)]
