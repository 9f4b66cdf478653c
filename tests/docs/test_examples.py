"""The files that the how-tos show are files that the program reads."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from tests.docs.following import blocks
from tests.docs.reading import DOCS, ROOT

from earmark.builders.dialogues.recipe import check_dialogues_recipe
from earmark.builders.stance.mapping import read_mapping
from earmark.manifests.findings import Findings


def shown_toml(page: str) -> list[str]:
    text = (DOCS / "how-to" / page).read_text(encoding="utf-8")
    return [block.text for block in blocks(text) if block.language == "toml"]


def test_mapping_of_the_how_to_is_read_without_a_finding(tmp_path: Path) -> None:
    shown, *_ = shown_toml("own-mapping.md")
    path = tmp_path / "mapping.toml"
    path.write_text(shown, encoding="utf-8")
    findings = Findings()
    mapping = read_mapping(path, findings)
    assert [finding.text() for finding in findings] == []
    assert mapping is not None
    assert [(entry.id, entry.mode) for entry in mapping.dimensions] == [("D0", "single"), ("D1", "interaction")]


def test_a_family_of_ones_own_is_registered_in_the_groups_that_the_program_asks_for() -> None:
    (shown,) = shown_toml("own-family.md")
    theirs = tomllib.loads(shown)["project"]["entry-points"]
    ours = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["entry-points"]
    assert theirs.keys() == {group for group in ours if group.startswith("earmark.")}
    assert all(list(group) == ["sarcasm"] for group in theirs.values())


@pytest.mark.parametrize(
    "page", ["build-dialogues.md", "compare-judges.md", "present-dialogues.md", "speecheq-files.md"]
)
def test_recipes_of_dialogues_are_recipes(page: str) -> None:
    """A section alone stands in the recipe of some release."""
    shown = [tomllib.loads(text) for text in shown_toml(page)]
    assert shown
    for value in shown:
        recipe = check_dialogues_recipe({"release": {"name": "x", "version": "1.0.0"}, **value})
        assert all(getattr(recipe, section) is not None for section in value)
