"""LICENSE, whatever corpora are called."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.facts import golden_facts, with_names

from earmark.builders.publishing.texts.licence_file import licence_file


def test_it_says_the_licence_of_the_release_and_of_every_corpus() -> None:
    facts = golden_facts("pairs")
    said = licence_file(facts)
    assert "SPDX-License-Identifier: CC-BY-NC-4.0\n" in said
    assert facts.licence.url in said
    for corpus in facts.corpora:
        assert f"- {corpus.name} {corpus.version}: {corpus.licence}" in said
    for share in facts.licences:
        assert f"- {share.licence}: {share.clips} with audio\n" in said
    assert "as recipes" in licence_file(golden_facts("pairs", audio=False))


@given(st.text(max_size=30))
@settings(max_examples=25)
def test_whatever_things_are_called_every_line_says_what_it_should(text: str) -> None:
    plain, called = licence_file(golden_facts("pairs")), licence_file(with_names(golden_facts("pairs"), text))
    assert len(plain.splitlines()) == len(called.splitlines())
    called.encode()
