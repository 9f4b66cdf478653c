"""The files that stand around the code agree with it."""

from __future__ import annotations

import re
import tomllib
from importlib.metadata import PackageNotFoundError, distribution

import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from tests.docs.reading import ROOT

from earmark import __version__


def pins() -> dict[str, str]:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    return dict(line.split("==") for line in lines if line and not line.startswith("#"))


def test_constraints_are_plain_pins_sorted_by_name() -> None:
    assert list(pins()) == sorted(pins())
    assert all(re.fullmatch(r"[a-z0-9-]+", name) for name in pins())
    assert all(re.fullmatch(r"[0-9][0-9a-z.]*", version) for version in pins().values())


WITH_TORCH = {"affect", "whisper"}
"""Extras that nobody installs to work on Earmark, so that no version of theirs is pinned."""


def test_constraints_satisfy_every_bound_and_pin_what_is_asked_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    assert not any(name in line for name in WITH_TORCH for line in (*extras["all"], *extras["dev"]))
    asked = [*project["dependencies"], *(line for name in extras.keys() - WITH_TORCH for line in extras[name])]
    requirements = [requirement for line in asked if (requirement := Requirement(line)).name != "earmark"]
    assert [r.name for r in requirements if r.name not in pins()] == []
    assert [str(r) for r in requirements if not r.specifier.contains(pins()[r.name])] == []


def test_pinned_versions_install_on_the_oldest_python_promised() -> None:
    """Debian 12 has 3.11.2; a pin that wants a later patch would break the first command of the README there."""
    too_new = {}
    for name, version in pins().items():
        try:
            installed = distribution(name)
        except PackageNotFoundError:
            continue
        wanted = installed.metadata["Requires-Python"]
        if installed.version == version and wanted and not SpecifierSet(wanted).contains("3.11.0"):
            too_new[name] = wanted
    assert too_new == {}


def test_citation_and_changelog_know_the_version() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert citation["version"] == __version__
    assert {"cff-version", "message", "title", "authors", "license"} <= citation.keys()
    assert "## [Unreleased]" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_workflow_may_only_read_and_runs_what_the_makefile_runs() -> None:
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8"))
    assert workflow["permissions"] == {"contents": "read"}
    matrix = workflow["jobs"]["test"]["strategy"]["matrix"]
    assert matrix["os"] == ["ubuntu", "macos", "windows"]
    assert matrix["python"] == ["3.11", "3.12", "3.13"]

    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    recipe = re.findall(r"^\t\$\(BIN\)/(ruff.*|mypy|lint-imports)$", makefile, re.MULTILINE)
    steps = [step.get("run", "").removeprefix("python -m ") for step in workflow["jobs"]["test"]["steps"]]
    assert recipe
    assert [command for command in recipe if command not in steps] == []


def test_links_of_the_readme_lead_somewhere() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    links = [link for link in re.findall(r"(?<!!)\[[^\]]+\]\(([^)]+)\)", text) if "://" not in link]
    assert links
    assert [link for link in links if not (ROOT / link.partition("#")[0]).exists()] == []
