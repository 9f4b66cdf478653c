"""The experts' panel: whole dialogues under exact quotas, a form beside the choices, and nothing of the gold on any sheet."""

from __future__ import annotations

import csv
import json
import re
import shutil
import tomllib
from collections import Counter
from pathlib import Path

import pytest
from tests.support.dialogue_panels import FORM, draw, write_release
from tests.support.miniature import quiet

from earmark.builders.panels.draw import Draw, draw_panel
from earmark.builders.panels.recipe import panel_recipe, preset
from earmark.builders.panels.sheets import write_sheets
from earmark.manifests.canonical import Json
from earmark.manifests.eqi import SUBSCALES
from earmark.manifests.errors import Refused, ReleaseError
from earmark.manifests.families.dialogues import SEQUENTIAL_2
from earmark.manifests.findings import Findings
from earmark.manifests.panels import Panel, read_panel
from earmark.manifests.release import Release, open_release


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Release:
    return write_release(tmp_path_factory.mktemp("experts") / "release", 105)


@pytest.fixture(scope="module")
def experts(release: Release) -> Draw:
    """The panel of the preset."""
    findings = Findings()
    drawn = draw_panel(release, panel_recipe(tomllib.loads(preset("speecheq-experts"))), findings)
    assert len(findings) == 0  # not a warning either
    return drawn


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Release:
    return write_release(tmp_path_factory.mktemp("experts") / "small", 4, audio=True)


def within_one(counts: Counter[str]) -> bool:
    return max(counts.values()) - min(counts.values()) <= 1


def test_whole_dialogues_under_exact_quotas(release: Release, experts: Draw) -> None:
    panel = experts.panel
    items = {row["item_id"]: row for row in release.table("items").to_pylist()}
    shown = {row["presentation_id"]: row for row in release.table("presentations").to_pylist()}
    assert len(panel.raters) == 2
    assert len(panel.units) == 75
    facets = Counter(items[entries[0].item]["facet"] for entries in panel.units.values())
    assert facets == {subscale.slug: 5 for subscale in SUBSCALES}
    for group, entries in panel.units.items():
        assert [items[entry.item]["target"] for entry in entries] == ["turn 4", "turn 6"]
        assert {items[entry.item]["group"] for entry in entries} == {group}
        for entry in entries:
            assert shown[entry.presentation]["item_id"] == entry.item
            assert shown[entry.presentation]["after"] is None


def test_spread_over_valence_failure_and_position(release: Release, experts: Draw) -> None:
    answers = {row["item_id"]: row for row in release.table("answers").to_pylist()}
    items = {row["item_id"]: row for row in release.table("items").to_pylist()}
    orders = {row["presentation_id"]: row["order"] for row in release.table("presentations").to_pylist()}
    valences: dict[str, Counter[str]] = {subscale.slug: Counter() for subscale in SUBSCALES}
    positions, failures = Counter[str](), (Counter[str](), Counter[str]())
    for entries in experts.panel.units.values():
        valences[items[entries[0].item]["facet"]][answers[entries[0].item]["valence"]] += 1
        for turn, entry in enumerate(entries):
            failures[turn][answers[entry.item]["failure"]] += 1
        right = ((answers[e.item]["gold"] == "first") == (orders[e.presentation] == "12") for e in entries)
        positions[" ".join("1" if first else "2" for first in right)] += 1
    assert sum(valences.values(), Counter()) == {"Positive": 25, "Negative": 25, "Conflict": 25}
    assert all(within_one(counts) for counts in valences.values())
    assert within_one(positions)
    # No failure is drawn twice as often as another, at either turn: it comes after valence, and cells are small.
    assert all(max(counts.values()) < 2 * min(counts.values()) for counts in failures)


def test_drawn_again_it_is_the_same_and_a_dialogue_more_only_pushes_out(experts: Draw, tmp_path: Path) -> None:
    recipe = panel_recipe(tomllib.loads(preset("speecheq-experts")))
    again = write_release(tmp_path / "again", 105)
    assert draw_panel(again, recipe, Findings()).panel == experts.panel
    more = draw_panel(write_release(tmp_path / "more", 108), recipe, Findings()).panel
    assert len(set(more.units) & set(experts.panel.units)) >= 66
    assert len(more.units) == 75


def test_what_runs_short_is_counted_in_groups(tmp_path: Path) -> None:
    sections = {"quotas": {"groups": 4}, "balance": {"columns": ["failure"]}}
    findings = Findings()
    recipe = panel_recipe({**tomllib.loads(preset("speecheq-experts")), **sections})
    draw_panel(write_release(tmp_path / "scarce", 75), recipe, findings)
    uneven = [found.found or "" for found in findings if found.code.name in ("panel.short-cell", "panel.absent-cell")]
    assert uneven
    assert all(found.endswith(" groups") for found in uneven)


def test_raters_have_ids_and_orders_of_their_own(experts: Draw) -> None:
    panel = experts.panel
    first, second = (panel.questions(rater) for rater in panel.raters)
    assert len(first) == len(second) == 75 * 6
    ids = [asked.id for asked in (*first, *second)]
    assert len(set(ids)) == len(ids)
    assert [asked.unit for asked in first] != [asked.unit for asked in second]
    topics = ["turn 4", "turn 6", *(criterion.slug for criterion in panel.criteria)]
    for questions in (first, second):
        for start in range(0, len(questions), 6):
            of_unit = questions[start : start + 6]
            assert {asked.unit for asked in of_unit} == {of_unit[0].unit}
            assert [asked.entry for asked in of_unit[:2]] == list(panel.units[of_unit[0].unit])
            assert [asked.topic for asked in of_unit[2:]] == topics[2:]


def test_a_written_panel_is_read_back_and_tells_no_gold(experts: Draw, tmp_path: Path) -> None:
    (tmp_path / "panel.json").write_text(experts.panel.text(), encoding="utf-8")
    assert read_panel(tmp_path) == experts.panel
    value = json.loads(experts.panel.text())
    assert set(value["entries"][0]) == {"item", "presentation", "check", "group"}


def write(release: Release, panel: Panel, out: Path) -> Path:
    write_sheets(release, panel, out, audio="beside", roots={}, progress=quiet)
    return out


def screens_of(page: Path) -> list[dict[str, Json]]:
    found = re.search(r'id="sheet">(.*)</script>', page.read_text(encoding="utf-8"))
    assert found is not None
    screens: list[dict[str, Json]] = json.loads(found[1])["screens"]
    return screens


def test_choices_first_and_then_the_form_over_all_recordings(small: Release, tmp_path: Path) -> None:
    panel = draw(small).panel
    sheets = write(small, panel, tmp_path / "s")
    names = {facet.id: facet.name for facet in small.manifest.facets}
    facets = {row["group"]: names[row["facet"]] for row in small.table("items").to_pylist()}
    for rater in panel.raters:
        questions = panel.questions(rater)
        screens = screens_of(sheets / f"{rater}.html")
        assert len(screens) == 3 * len(panel.units)
        ids = [question["id"] for screen in screens for question in screen["questions"]]  # type: ignore[union-attr,index]
        assert ids == [asked.id for asked in questions]
        for n, (four, six, form) in enumerate(zip(screens[::3], screens[1::3], screens[2::3], strict=True)):
            assert {four["unit"], six["unit"], form["unit"]} == {n}
            heard = [[label for label, _ in screen["clips"]] for screen in (four, six, form)]  # type: ignore[union-attr]
            assert heard[0] == ["Turn 1", "Turn 2", "Turn 3", "Option 1", "Option 2"]
            assert heard[1] == ["Turn 1", "Turn 2", "Turn 3", "Turn 5", "Option 1", "Option 2"]
            options = [f"Option {n}, turn {turn}" for turn in (4, 6) for n in (1, 2)]
            assert heard[2] == ["Turn 1", "Turn 2", "Turn 3", *options[:2], "Turn 5", *options[2:]]
            for screen in (four, six):
                (question,) = screen["questions"]  # type: ignore[misc]
                assert question["choices"] == [["1", "Option 1"], ["2", "Option 2"]]  # type: ignore[index,call-overload]
            asked = [(q["asks"], q["choices"]) for q in form["questions"]]  # type: ignore[union-attr,index,call-overload]
            facet = facets[questions[4 * n].unit]
            assert asked == [
                (["Do the words do?"], [["pass", ""], ["fail", ""]]),
                ([f"Is it {facet}?"], [["pass", ""], ["fail", ""]]),
            ]
        with (sheets / f"{rater}.csv").open(newline="") as stream:
            assert list(csv.reader(stream)) == [["presentation_id", "choice"], *([asked.id, ""] for asked in questions)]


def test_nothing_on_a_sheet_depends_on_the_gold(small: Release, tmp_path: Path) -> None:
    panel = draw(small).panel
    sheets = write(small, panel, tmp_path / "as-it-is")
    swapped = write_release(tmp_path / "swapped", 4, swap_golds=True, audio=True)
    assert swapped.table("answers") != small.table("answers")
    shutil.copytree(small.path, tmp_path / "public")
    shutil.rmtree(tmp_path / "public" / "private")
    others = [
        write(swapped, panel, tmp_path / "golds"),
        write(open_release(tmp_path / "public"), panel, tmp_path / "no"),
    ]
    for file in (path for path in sheets.rglob("*") if path.is_file()):
        for other in others:
            assert (other / file.relative_to(sheets)).read_bytes() == file.read_bytes()
    page = (sheets / "ann.html").read_text(encoding="utf-8")
    words = [panel.secret, "resonant", "dissonant", "gold", *panel.units, *(entry.item for entry in panel.entries)]
    assert not [word for word in words if word in page]


def test_a_second_round_has_some_questions_alone(small: Release, tmp_path: Path) -> None:
    panel = draw(small).panel
    wanted = [asked.id for asked in panel.questions("ann")][1:4]
    written = write_sheets(
        small, panel, tmp_path / "s", audio="embed", roots={}, progress=quiet, only=frozenset(wanted)
    )
    assert (written.raters, written.items) == (("ann",), 3)
    assert not (tmp_path / "s" / "ben.html").exists()
    screens = screens_of(tmp_path / "s" / "ann.html")
    assert [q["id"] for screen in screens for q in screen["questions"]] == wanted  # type: ignore[union-attr,index]
    assert len(screens) == 2
    with pytest.raises(ReleaseError, match="has none of the questions"):
        write_sheets(small, panel, tmp_path / "t", audio="embed", roots={}, progress=quiet, only=frozenset({"p"}))


def refused(release: Release, groups: int = 1, form: Json = FORM, **sections: Json) -> list[tuple[str, str | None]]:
    with pytest.raises(Refused) as caught:
        draw(release, groups, form, **sections)
    return [(finding.code.name, finding.found) for finding in caught.value.findings]


def test_what_cannot_be_drawn(small: Release) -> None:
    assert refused(small, 2) == [("panel.too-few", "1 groups")] * 4
    assert refused(small, form={"ranks": "Which?"}) == [("panel.systems", "0 submissions")]
    # In a sequential protocol turn 6 follows on somebody's own answer, so nobody can be asked about it by itself.
    panel: Json = {"name": "p", "protocol": SEQUENTIAL_2}
    assert refused(small, panel=panel) == [("panel.nothing", None)]
