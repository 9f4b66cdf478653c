"""Templates: what a user may replace, and everything that is wrong with what they give."""

from __future__ import annotations

import tomllib
from pathlib import Path
from string import Template

import pytest

from earmark.builders.dialogues.stages import Templates, read_writing_templates
from earmark.builders.dialogues.stages.templates import AGAIN, DEFAULT_TEMPLATES, FIELDS
from earmark.manifests.errors import EarmarkError, Refused
from earmark.manifests.findings import Findings


def own() -> Templates:
    return read_writing_templates(None, Findings(strict=True))


def given(path: Path, text: str) -> tuple[Templates, Findings]:
    path.write_text(text, encoding="utf-8")
    findings = Findings()
    return read_writing_templates(path, findings), findings


def test_earmarks_own_use_every_field_there_is_and_say_who_answers_in_which_form() -> None:
    templates = own()
    assert list(templates.stages) == list(FIELDS)
    for name, stage in templates.stages.items():
        used = {*Template(stage.system).get_identifiers(), *Template(stage.user).get_identifiers()}
        known = FIELDS[name].required | FIELDS[name].optional
        assert FIELDS[name].required <= used <= known
        assert known - used <= {"turn"}, name


def test_a_file_of_ones_own_replaces_the_texts_that_it_has(tmp_path: Path) -> None:
    text = 'system = "Schreib."\nuser = "$line / $candidates / $$5"'
    templates, findings = given(tmp_path / "mine.toml", f"[selection]\n{text}\n[again]\nuser = '$reasons'\n")
    assert len(findings) == 0
    prompt = templates.prompt("selection", {"line": "So.", "candidates": "1. $line"})
    assert (prompt.system, prompt.user) == ("Schreib.", "So. / 1. $line / $5")
    assert templates.stages["script"] == own().stages["script"]
    assert templates.hash != own().hash == own().hash
    assert templates.hash.startswith("blake2b-256:")


def test_all_that_is_wrong_is_said_at_once(tmp_path: Path) -> None:
    text = """
scenery = 1
script = "text"
[scenario]
user = "$scale $valence $type.name $failures $moood"
[context_tones]
user = 3
sytem = "x"
[selection]
user = "$line"
[target_tones]
user = "50 $ and $"
[senario]
user = "x"
"""
    _, findings = given(tmp_path / "mine.toml", text)
    assert findings.counts == {"dialogues.template": 8}
    said = {finding.id: finding for finding in findings}
    assert said.keys() == {
        "[scenery]",
        "script",
        "scenario.user",
        "context_tones.user",
        "context_tones.sytem",
        "selection",
        "target_tones.user",
        "[senario]",
    }
    assert said["scenario.user"].found == "$moood"
    assert said["selection"].expected == "$candidates"
    assert said["[senario]"].expected == "did you mean scenario?"
    assert said["context_tones.user"].expected == "a text"
    assert all(finding.file == "mine.toml" for finding in findings)


@pytest.mark.parametrize("name", sorted(FIELDS))
def test_each_field_that_is_required_is_missed(name: str, tmp_path: Path) -> None:
    _, findings = given(tmp_path / "mine.toml", f'[{name}]\nsystem = ""\nuser = "Write."\n')
    assert {finding.expected for finding in findings} == {f"${field}" for field in FIELDS[name].required}


def test_only_plain_names_are_filled_in() -> None:
    templates = Templates({**own().stages, "script": own().stages["selection"]})
    values = dict.fromkeys(FIELDS["selection"].required | FIELDS["selection"].optional, "{line.__class__} $intent")
    assert templates.prompt("script", values).user.count("{line.__class__} $intent") >= 4


def test_a_file_that_is_none_is_said(tmp_path: Path) -> None:
    with pytest.raises(EarmarkError, match=r"gone\.toml"):
        read_writing_templates(tmp_path / "gone.toml", Findings())
    (tmp_path / "bad.toml").write_text("[scenario", encoding="utf-8")
    with pytest.raises(Refused):
        read_writing_templates(tmp_path / "bad.toml", Findings())


def test_what_was_wrong_stands_behind_the_question() -> None:
    templates = own()
    values = dict.fromkeys(FIELDS["script"].required | FIELDS["script"].optional, "x")
    first = templates.prompt("script", values)
    again = templates.again(first, "- turn 4 shouts", '{"lines": []}')
    assert again.system == first.system
    assert again.user.startswith(first.user)
    assert "- turn 4 shouts" in again.user
    assert '{"lines": []}' in again.user


def test_the_default_file_holds_texts_for_every_stage() -> None:
    assert set(tomllib.loads(DEFAULT_TEMPLATES)) == set(FIELDS)
    assert AGAIN in FIELDS
