"""CITATION.cff and BibTeX as their readers take them."""

from __future__ import annotations

from dataclasses import replace

import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.support.facts import golden_facts, with_names

from earmark.builders.publishing.texts.citation import bibtex, citation, person
from earmark.manifests.licences import LICENCES

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=30) | st.text("a {}\\%,&`\n", min_size=1)


def test_it_says_what_the_schema_asks_for() -> None:
    facts = golden_facts("stance")
    said = yaml.safe_load(citation(facts))
    assert (said["cff-version"], said["type"], said["version"]) == ("1.2.0", "dataset", facts.version)
    assert said["authors"] == [
        {
            "family-names": "Lovelace",
            "given-names": "Ada",
            "email": "ada@example.org",
            "orcid": "https://orcid.org/0000-0002-1825-0097",
        },
        {"name": "The Miniature Makers"},
    ]
    assert said["license"] == "CC-BY-NC-4.0"
    assert "license-url" not in said
    assert said["date-released"] == "2026-03-31"
    assert said["url"] == "https://example.org/mini"
    assert facts.content_hash in str(said["identifiers"])


@pytest.mark.parametrize("id", ["CDLA-Permissive-2.0", "LicenseRef-Sonos-Crowdsourced-Data"])
def test_a_licence_that_the_schema_does_not_know_is_said_by_its_address(id: str) -> None:
    said = yaml.safe_load(citation(replace(golden_facts("stance"), licence=LICENCES[id])))
    assert "license" not in said
    assert said["license-url"] == LICENCES[id].url


@given(TEXTS)
@settings(max_examples=25)
def test_whatever_things_are_called_it_says_just_that(text: str) -> None:
    said = yaml.safe_load(citation(with_names(golden_facts("pairs"), text)))
    assert said["version"] == said["url"] == said["abstract"] == text
    assert said["title"] == f"{text}: {text}"
    assert set(said) <= {
        *("cff-version", "message", "type", "title", "abstract", "authors", "version", "date-released", "url"),
        *("license", "keywords", "identifiers"),
    }


@pytest.mark.parametrize(
    "name", ["Ada Lovelace", "Acme, Inc.", "A, B, C", "X University, Lab", ", Ada", "Lovelace,", "a b c d e, f"]
)
def test_a_name_is_parted_only_where_it_is_written_so(name: str) -> None:
    assert person(name) is None


@given(TEXTS)
@example("}}, title = {x")
@example("a and b")
@example("\\")
@settings(max_examples=25)
def test_an_entry_for_bibtex_ends_where_it_should(text: str) -> None:
    entry = bibtex(with_names(golden_facts("stance"), text))
    lines = entry.splitlines()
    assert lines[0].startswith("@misc{")
    assert [line.split(" = ")[0].strip() for line in lines[1:-1]] == [
        "title",
        "author",
        "year",
        "version",
        "url",
        "note",
    ]
    assert lines[-1] == "}"
    for line in lines[1:-1]:
        value = line.split(" = ", 1)[1]
        assert _depths(value[:-1])[-1] == 0
        assert all(depth > 0 for depth in _depths(value[:-1])[:-1])
        assert value.endswith("},")
    assert not any(line.startswith("```") for line in lines)


def _depths(text: str) -> list[int]:
    depth, depths = 0, []
    for letter in text:
        depth += {"{": 1, "}": -1}.get(letter, 0)
        depths.append(depth)
    return depths
