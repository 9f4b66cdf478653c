"""`earmark build pairs`: its flags, what it refuses, and what it writes."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest
from tests.cli.conftest import Earmark

from earmark.builders.miniatures.ears import make_ears
from earmark.builders.pairs import DEFAULT_RECIPE, DEFAULT_TEMPLATES
from earmark.builders.pairs.prompts import read_templates
from earmark.cli.console import FINE, FOUND
from earmark.manifests.findings import Findings
from earmark.manifests.release import open_release
from earmark.validation.invariants import validate

RECIPE = """\
[release]
name = "rates"
version = "1.0.0"
[corpora.ears]
root = "EARS"
[pairing]
blocks = ["rate"]
measure = false
[blocks.rate]
non_tie = { same = 12 }
total = 36
"""


@pytest.fixture
def recipe(tmp_path: Path) -> Path:
    """36 unordered pairs of one speaker and text: exactly what the miniature has."""
    make_ears(tmp_path / "EARS", flaws=False)
    path = tmp_path / "recipe.toml"
    path.write_text(RECIPE, encoding="utf-8")
    return path


def test_the_printed_recipe_can_be_typed_by_every_console(earmark: Earmark) -> None:
    said = earmark("build", "pairs", "--print-recipe")
    assert said == (FINE, DEFAULT_RECIPE, "")
    assert said.out.isascii()
    assert set(tomllib.loads(said.out)["corpora"]) == {"expresso", "ears", "svc", "libritts"}


def test_a_build_is_written_sound_and_told(earmark: Earmark, recipe: Path, tmp_path: Path) -> None:
    out = tmp_path / "release"
    said = earmark("build", "pairs", "--recipe", recipe, "--out", out, "--rate", 8000)
    assert (said.code, said.err) == (FINE, "")
    assert "36 items of 1 facet" in said.out.splitlines()[0]
    release = open_release(out)
    assert not len(validate(release))
    assert json.loads((out / "private" / "build.json").read_text(encoding="utf-8"))["summary"]["cells"]["short"] == 0


def test_a_shortfall_is_refused_unless_allowed(earmark: Earmark, recipe: Path, tmp_path: Path) -> None:
    words = ("build", "pairs", "--recipe", recipe, "--out", tmp_path / "release", "--preset", "crossed")
    recipe.write_text(RECIPE.replace("{ same = 12 }", "{ same = 13 }").replace("36", "39"), encoding="utf-8")
    said = earmark(*words)
    assert said.code == FOUND
    assert "pairs.shortfall" in said.out + said.err

    assert not list(tmp_path.glob("release*"))
    allowed = earmark(*words, "--allow-shortfall")
    assert allowed.code == FINE
    assert "shortfall-allowed" in allowed.out + allowed.err
    section = open_release(tmp_path / "release").manifest.recipe["pairing"]
    assert isinstance(section, dict)
    assert sum(cell["filled"] for cell in section["cells"]) == 36
    assert all(cell["binding"] for cell in section["cells"] if cell["filled"] < cell["demand"])


def test_ones_own_templates_are_asked(earmark: Earmark, recipe: Path, tmp_path: Path) -> None:
    from importlib.resources import files

    own = files("earmark.builders.pairs").joinpath("templates.toml").read_text(encoding="utf-8")
    (tmp_path / "own.toml").write_text(own.replace("Which of the two is spoken", "Who speaks"), encoding="utf-8")
    out = tmp_path / "release"
    said = earmark("build", "pairs", "--recipe", recipe, "--out", out, "--templates", tmp_path / "own.toml", "--quiet")
    assert said == (FINE, "", "")
    prompts = open_release(out).table("prompts")["user"].to_pylist()
    assert {prompt.split()[0] for prompt in prompts} == {"Who"}


def test_a_preset_that_does_not_exist_is_named(earmark: Earmark, recipe: Path, tmp_path: Path) -> None:
    said = earmark("build", "pairs", "--recipe", recipe, "--out", tmp_path / "release", "--preset", "crosed")
    assert said.code == FOUND
    assert "crosed" in said.out + said.err
    assert not list(tmp_path.glob("release*"))


def test_templates_are_printed_to_start_from(earmark: Earmark, tmp_path: Path) -> None:
    said = earmark("build", "pairs", "--print-templates")
    assert said == (FINE, DEFAULT_TEMPLATES, "")
    assert json.loads(earmark("build", "pairs", "--print-templates", "--json").out) == {"templates": DEFAULT_TEMPLATES}
    (tmp_path / "templates.toml").write_text(said.out, encoding="utf-8")
    findings = Findings()
    assert read_templates(tmp_path / "templates.toml", findings) == read_templates(None, findings)
    assert not len(findings)
    assert earmark("build", "stance", "--print-templates") == (2, "", "earmark: stance has no templates to print\n")
