"""Files of templates: one's own sections in place of Earmark's, and every placeholder that is missing or not known."""

from __future__ import annotations

from pathlib import Path
from string import Template

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from earmark.builders.recipes import SECTION
from earmark.builders.templates import check_placeholders, read_template_file
from earmark.manifests.errors import Refused
from earmark.manifests.findings import Findings

NAMES = st.sets(st.sampled_from(["first", "second", "place", "answer"]))


class Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`[asked]` and `[told]` of a toy."""

    text: str


class Whole(msgspec.Struct, frozen=True):
    """A file of a toy."""

    asked: Part
    told: Part


OWN = '[asked]\ntext = "what"\n[told]\ntext = "that"\n'


def found_in(text: str, needed: set[str]) -> Findings:
    findings = Findings()
    check_placeholders(text, needed, SECTION, id="asked.text", file=Path("some/words.toml"), findings=findings)
    return findings


@given(has=NAMES, needed=NAMES, twice=st.booleans())
def test_a_text_has_what_is_needed_and_no_other(has: set[str], needed: set[str], twice: bool) -> None:
    text = "A price of $$5. " + " ".join(f"${name} ${{{name}}}" if twice else f"${name}" for name in sorted(has))
    findings = found_in(text, needed)
    assert findings.failed == (has != needed)
    for entry in findings:
        assert (entry.code, entry.file, entry.id) == (SECTION, "words.toml", "asked.text")
        assert {name for name in has if f"${name}" in str(entry.found)} == has
        assert {name for name in needed if f"${name}" in str(entry.expected)} == needed
    if not findings.failed:
        Template(text).substitute(dict.fromkeys(needed, "x"))  # raises where something is missing


def test_a_dollar_that_begins_nothing_is_told_how_it_is_written() -> None:
    (entry,) = found_in("It costs $5: $first", {"first"})
    assert "$$" in str(entry.expected)


def test_a_section_of_ones_own_takes_the_place_of_earmarks(tmp_path: Path) -> None:
    assert read_template_file(None, OWN, Whole) == Whole(Part("what"), Part("that"))
    path = tmp_path / "words.toml"
    path.write_text('[told]\ntext = "this"\n', encoding="utf-8")
    assert read_template_file(path, OWN, Whole) == Whole(Part("what"), Part("this"))


@pytest.mark.parametrize("text", ["[other]\n", "[told]\n", "[told]\ntext = 1\n", "["])
def test_a_file_that_is_none_is_refused_by_its_name(text: str, tmp_path: Path) -> None:
    path = tmp_path / "words.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(Refused) as raised:
        read_template_file(path, OWN, Whole)
    assert [finding.file for finding in raised.value.findings] == [str(path)]
