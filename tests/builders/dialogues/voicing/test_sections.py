"""`[gate]` and `[words]`: what they default to, what they read, and what is wrong in them is said."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import msgspec
import pytest

from earmark.builders.contrast.profile import shipped, source
from earmark.builders.dialogues.voicing.listeners import NoListener
from earmark.builders.dialogues.voicing.sections import GateSection, WordsSection
from earmark.builders.recipes import check_recipe
from earmark.manifests.canonical import Json
from earmark.manifests.errors import EarmarkError, Refused


class Recipe(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    gate: GateSection = GateSection()
    words: WordsSection = WordsSection()


def read(**sections: Mapping[str, Json]) -> Recipe:
    return check_recipe(sections, Recipe)


def test_without_sections_the_default_profile_and_nobody_listens(tmp_path: Path) -> None:
    recipe = read()
    gate = recipe.gate.gate(tmp_path)
    assert (gate.profile, gate.most) == (shipped("default"), 3)
    assert recipe.words.check(tmp_path) is None


def test_a_profile_of_ones_own_is_read_from_beside_the_recipe(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(source("default").replace("pass_at = 4.0", "pass_at = 5.0"), encoding="utf-8")
    gate = read(gate={"profile": "mine.toml", "most": 0}).gate.gate(tmp_path)
    assert (gate.profile.pass_at, gate.most) == (5.0, 0)
    with pytest.raises(EarmarkError, match=r"other\.toml"):
        read(gate={"profile": "other.toml"}).gate.gate(tmp_path)


def test_a_tracker_replaces_that_of_a_profile_which_allows_it(tmp_path: Path) -> None:
    section = {"profile": "paper", "tracker": "pyin"}
    assert read(gate=section).gate.gate(tmp_path).profile.tracker == "pyin"
    with pytest.raises(Refused) as refused:
        read(gate={"profile": "default", "tracker": "pyin"}).gate.gate(tmp_path)
    [finding] = refused.value.findings
    assert finding.id == "[gate]"
    assert "praat" in str(finding.found)


def test_weights_are_looked_for_beside_the_recipe(tmp_path: Path) -> None:
    folder = tmp_path / "tiny"
    folder.mkdir()
    words = {"engine": "faster-whisper", "weights": "tiny", "limit": 0.3}
    with pytest.raises(NoListener, match="tiny"):
        read(words=words).words.check(tmp_path)
    for name in ("model.bin", "config.json", "tokenizer.json"):
        (folder / name).write_bytes(b"x")
    fixed = read(words=words).words.check(tmp_path)
    assert fixed is not None
    assert (fixed.limit, "tiny" in fixed.listener.name) == (0.3, True)
    own = read(words={**words, "limit": "calibrated", "acceptance": 0.8}).words.check(tmp_path)
    assert own is not None
    assert (own.limit, own.acceptance) == (None, 0.8)


@pytest.mark.parametrize(
    ("section", "value", "said"),
    [
        ("gate", {"profile": "papre"}, "did you mean paper"),
        ("gate", {"profile": "x.yaml"}, "ends in .toml"),
        ("gate", {"most": -1}, "0 … 20"),
        ("gate", {"tracker": "pyinn"}, "did you mean pyin"),
        ("gate", {"mots": 3}, "unknown field"),
        ("words", {"engine": "faster-whisper"}, "needs a path"),
        ("words", {"weights": "x"}, "faster-whisper or openai-whisper"),
        ("words", {"engine": "whisper", "weights": "x"}, "Invalid enum value"),
        ("words", {"engine": "faster-whisper", "weights": "x", "limit": 1.5}, "0 … 1"),
        ("words", {"engine": "faster-whisper", "weights": "x", "limit": "tight"}, "limit"),
        ("words", {"engine": "faster-whisper", "weights": "x", "acceptance": 0.0}, "above 0"),
        ("words", {"engine": "faster-whisper", "weights": "x\0"}, "NUL"),
    ],
)
def test_what_is_wrong_is_said(section: str, value: Mapping[str, Json], said: str) -> None:
    with pytest.raises(Refused) as refused:
        read(**{section: value})
    [finding] = refused.value.findings
    assert finding.id == f"[{section}]"
    assert re.search(re.escape(said), str(finding.found))
