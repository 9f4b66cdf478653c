"""Licences against what Creative Commons says of its own in words, and in whatever way people spell them."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from earmark.builders.corpora.speecheq.names import LICENCE as SPEECHEQ
from earmark.builders.dialogues.voiced import NOT_STATED
from earmark.manifests.licences import LICENCES, SVC_TERMS, USUAL, Licence, licence, stated, valid_licences

ALL = st.sampled_from(list(LICENCES.values()))

NO, YES = False, True

BY_CLAUSES = {
    # Attribution, non-commercial, share-alike, adapted copies may be shared.
    "CC0": (NO, NO, NO, YES),
    "CC-BY": (YES, NO, NO, YES),
    "CC-BY-SA": (YES, NO, YES, YES),
    "CC-BY-NC": (YES, YES, NO, YES),
    "CC-BY-NC-SA": (YES, YES, YES, YES),
    "CC-BY-ND": (YES, NO, NO, NO),
    "CC-BY-NC-ND": (YES, YES, NO, NO),
}


def test_the_table_says_what_the_clauses_say() -> None:
    creative = [entry for entry in LICENCES.values() if entry.id.startswith("CC")]
    assert {entry.id.rpartition("-")[0] for entry in creative} == BY_CLAUSES.keys()
    for entry in creative:
        clauses = entry.id.rpartition("-")[0]
        said = (entry.attribution, entry.non_commercial, entry.share_alike, entry.modified_allowed)
        assert said == BY_CLAUSES[clauses], entry.id
        assert entry.share
        assert entry.spdx


def test_every_licence_has_a_name_and_an_address_of_its_own() -> None:
    for names in ([one.name for one in LICENCES.values()], [one.url for one in LICENCES.values()]):
        assert len(set(names)) == len(LICENCES)
    for id, entry in LICENCES.items():
        assert entry.id == id
        assert re.fullmatch(r"[A-Za-z0-9.-]+", id)
        assert entry.spdx is not id.startswith("LicenseRef-"), "as SPDX has names of licences that it does not list"
        assert entry.url.startswith("https://")
        assert entry.modified_allowed <= entry.share, "who may share nothing may share no adapted copy"


@pytest.mark.parametrize(
    ("text", "id"),
    [
        ("CC0", "CC0-1.0"),
        ("cc0 1.0", "CC0-1.0"),
        ("CC BY 4.0", "CC-BY-4.0"),
        ("  cc_by_sa_3.0\n", "CC-BY-SA-3.0"),
        ("Creative Commons Attribution-NonCommercial 4.0 International", "CC-BY-NC-4.0"),
        ("Creative Commons Attribution-NonCommercial 4.0", "CC-BY-NC-4.0"),
        ("Attribution NonCommercial ShareAlike 4.0 International", "CC-BY-NC-SA-4.0"),
        ("https://creativecommons.org/licenses/by-nd/4.0/", "CC-BY-ND-4.0"),
        ("http://www.creativecommons.org/licenses/by-nc/4.0/legalcode.en", "CC-BY-NC-4.0"),
        ("https://creativecommons.org/licenses/by/2.0/deed.pt-br", "CC-BY-2.0"),
        ("https://creativecommons.org/publicdomain/zero/1.0/", "CC0-1.0"),
        ("MIT", "MIT"),
        ("Apache License 2.0", "Apache-2.0"),
        ("Sonos Crowdsourced Data License Terms", "LicenseRef-Sonos-Crowdsourced-Data"),
        ("all rights reserved", "LicenseRef-All-Rights-Reserved"),
    ],
)
def test_spellings_that_people_use(text: str, id: str) -> None:
    found = licence(text)
    assert found is not None
    assert found.id == id


@given(ALL, st.sampled_from([" ", "-", "_", "  "]), st.sampled_from([str.upper, str.lower, str.title, str]))
def test_case_and_spacing_change_nothing(entry: Licence, between: str, cased: type[str]) -> None:
    for name in (entry.id, entry.name):
        assert licence(cased(re.sub("[ -]", between, name))) == entry
    assert licence(entry.url) == licence(entry.url.rstrip("/")) == entry


@pytest.mark.parametrize("text", [None, "", "  ", NOT_STATED, SPEECHEQ, "none", "License pending"])
def test_a_licence_that_is_not_stated_is_none(text: str | None) -> None:
    assert licence(text) is None
    assert not stated(text)


@pytest.mark.parametrize("text", ["CC BY", "CC-BY-5.0", "CC-NC-4.0", "GPL-3.0", "free", "research only", "x" * 10**6])
def test_a_licence_that_is_not_known_is_none_though_stated(text: str) -> None:
    assert licence(text) is None
    assert stated(text)
    assert re.match("(did you mean|one of) ", valid_licences(text))
    assert len(valid_licences(text)) < 400


def test_what_is_nearly_right_is_told() -> None:
    assert valid_licences("CC-BY-NC-40").startswith("did you mean CC-BY-NC-4.0 or ")


@given(st.text(max_size=400))
def test_no_text_raises_and_what_is_known_is_stated(text: str) -> None:
    assert licence(text) is None or stated(text)


def test_the_usual_licences_of_corpora_are_known_and_bind() -> None:
    known = {corpus: licence(text) for corpus, text in USUAL.items()}
    assert None not in known.values()
    assert {corpus for corpus, found in known.items() if found and found.non_commercial} == USUAL.keys() - {"libritts"}
    assert [corpus for corpus, found in known.items() if found and not found.modified_allowed] == ["svc"]
    assert USUAL["svc"] == SVC_TERMS


@given(ALL, ALL, ALL)
def test_looser_is_what_lacks_a_condition(one: Licence, other: Licence, third: Licence) -> None:
    assert not one.looser_than(one)
    assert one.looser_than(other) == any(condition not in one.conditions for condition in other.conditions)
    if not one.looser_than(other) and not other.looser_than(third):
        assert not one.looser_than(third)
