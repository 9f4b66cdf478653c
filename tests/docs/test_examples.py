"""The files that the how-tos show are files that the program reads."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from tests.docs.reading import DOCS, ROOT

from earmark.builders.stance.mapping import read_mapping
from earmark.manifests.findings import Findings


def blocks(page: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


def test_mapping_of_the_how_to_is_read_without_a_finding(tmp_path: Path) -> None:
    (shown,) = blocks(DOCS / "how-to" / "own-mapping.md", "toml")
    path = tmp_path / "mapping.toml"
    path.write_text(shown, encoding="utf-8")
    findings = Findings()
    mapping = read_mapping(path, findings)
    assert [finding.text() for finding in findings] == []
    assert mapping is not None
    assert [(entry.id, entry.mode) for entry in mapping.dimensions] == [("D0", "single"), ("D1", "interaction")]


def test_a_family_of_ones_own_is_registered_in_the_groups_that_the_program_asks_for() -> None:
    (shown,) = blocks(DOCS / "how-to" / "own-family.md", "toml")
    theirs = tomllib.loads(shown)["project"]["entry-points"]
    ours = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["entry-points"]
    assert theirs.keys() == ours.keys()
    assert all(list(group) == ["sarcasm"] for group in theirs.values())
