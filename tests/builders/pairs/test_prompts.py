"""Prompts: favouring no place, offering what is recorded, and the user's own words if wanted."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from earmark.builders.pairs.prompts import LABELS, Templates, offered, prompt_id, read_templates, render
from earmark.manifests.declarations import NAME_PATTERN
from earmark.manifests.errors import Refused
from earmark.manifests.families.pairs import CRITERIA, PAIRS
from earmark.manifests.findings import Findings

OWN = read_templates(None, Findings())


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def file_text() -> str:
    from importlib.resources import files

    return files("earmark.builders.pairs").joinpath("templates.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize("modality", LABELS)
@pytest.mark.parametrize("criterion", CRITERIA)
def test_nothing_favours_a_place(criterion: str, modality: str) -> None:
    """With A and B exchanged the text has the same lines."""
    prompt = render(OWN, criterion, "target", modality)
    for part in ("system", "user"):
        text = str(prompt[part])
        swapped = re.sub(r"\b[AB]\b", lambda match: "B" if match[0] == "A" else "A", text)
        order = sorted(
            text.replace("Audio A and Audio B", "").replace("Transcript A and Transcript B", "").splitlines()
        )
        other = swapped.replace("Audio B and Audio A", "").replace("Transcript B and Transcript A", "").splitlines()
        assert sorted(other) == order


@pytest.mark.parametrize("criterion", CRITERIA)
def test_what_is_offered_is_recorded_and_said(criterion: str) -> None:
    prompt = render(OWN, criterion, "target", "audio")
    marks = json.loads(str(prompt["answer"]))["marks"]
    assert list(marks.values()) == (["A", "B"] if criterion == "rate" else ["A", "B", "Tie"])
    assert ("[[Tie]]" in str(prompt["system"])) == (criterion != "rate")
    assert ("both fit" in str(prompt["system"])) == (criterion != "rate"), (
        "a tie that cannot be answered is not put in mind"
    )
    assert all(mark in str(prompt["system"]) for mark in marks)


def test_what_is_offered_is_read_by_the_family() -> None:
    assert offered(tie=True) == PAIRS.grammar.describe()


def test_targets_are_called_what_the_template_calls_them() -> None:
    assert "55 years old or older" in str(render(OWN, "age", "55-100", "audio")["user"])
    assert "“keys”" in str(render(OWN, "emphasis", "keys", "audio")["user"])
    assert "sarcastic" in str(render(OWN, "style", "sarcastic", "audio")["user"])


@given(st.text(min_size=1), st.text(min_size=1))
def test_names_are_safe_and_distinct(one: str, other: str) -> None:
    names = [prompt_id("emphasis", target, "audio") for target in (one, other)]
    assert all(re.fullmatch(NAME_PATTERN, name) for name in names)
    assert (names[0] == names[1]) == (one == other)


def test_a_file_of_ones_own_words_is_used(tmp_path: Path) -> None:
    text = file_text().replace("Which of the two is spoken $target?", "Who speaks $target?", 1)
    findings = Findings()
    templates = read_templates(write(tmp_path / "t.toml", text), findings)
    assert not len(findings)
    assert render(templates, "style", "sad", "audio")["user"] == "Who speaks in a sad way?"


@pytest.mark.parametrize(
    ("before", "after", "id"),
    [
        ("Which of the two is spoken $target?", "Which is it?", "style.question"),
        ("Which of the two is spoken $target?", "Which is $target or $other?", "style.question"),
        ("Which of the two is spoken $target?", "Which costs $ 5 and is $target?", "style.question"),
        ("\n$answers", "\nanswer", "system.audio"),
    ],
)
def test_a_placeholder_that_is_missing_or_unknown_is_named(tmp_path: Path, before: str, after: str, id: str) -> None:
    findings = Findings()
    read_templates(write(tmp_path / "t.toml", file_text().replace(before, after, 1)), findings)
    found = {finding.id for finding in findings if finding.code.name == "pairs.template"}
    assert id in found


@pytest.mark.parametrize(("name", "targets"), [(" ", {"sad"}), ("In a  HAPPY way", {"sad", "happy"})])
def test_targets_have_names_of_their_own(tmp_path: Path, name: str, targets: set[str]) -> None:
    findings = Findings()
    read_templates(write(tmp_path / "t.toml", file_text().replace("in a sad way", name, 1)), findings)
    assert {finding.id for finding in findings} == {f"style.targets.{target}" for target in targets}
    assert findings.counts == {"pairs.template": len(targets)}


def test_sections_that_a_file_does_not_have_are_earmarks_own(tmp_path: Path) -> None:
    findings = Findings()
    text = '[rate]\nquestion = "Who speaks $target?"\n'
    templates = read_templates(write(tmp_path / "t.toml", text), findings)
    assert not len(findings)
    assert render(templates, "rate", "fast", "audio")["user"] == "Who speaks fast?"
    assert templates.rate.tie  # a section stands as it is, and this one says nothing of Tie
    assert templates.system == OWN.system
    assert templates.age == OWN.age


def test_a_section_that_is_unknown_or_wrong_is_named(tmp_path: Path) -> None:
    text = '[old.targets]\na = "b"\n[age]\ntie = "yes"\n'
    with pytest.raises(Refused) as refused:
        read_templates(write(tmp_path / "t.toml", text), Findings())
    assert {finding.id for finding in refused.value.findings} == {"[age]", "[old]"}


def test_templates_are_kept_whole() -> None:
    import msgspec

    assert msgspec.convert(OWN.as_recipe(), Templates) == OWN


def test_every_modality_of_the_family_has_names_for_the_clips() -> None:
    assert tuple(LABELS) == tuple(protocol.modality for protocol in PAIRS.protocols)
