"""What the texts say, and what they must not."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from tests.support.facts import gathered, golden_facts
from tests.support.golden import GOLDENS

from earmark.builders.publishing.texts.card import card
from earmark.builders.publishing.texts.citation import citation
from earmark.builders.publishing.texts.datasheet import datasheet
from earmark.builders.publishing.texts.eval_file import eval_yaml
from earmark.builders.publishing.texts.facts import Facts, audit_facts
from earmark.builders.publishing.texts.licence_file import licence_file
from earmark.manifests.findings import Findings, Severity, declare
from earmark.manifests.release import WithdrawnEntry, open_release

FAMILIES = sorted(GOLDENS)

TEXTS = {
    "README.md": card,
    "CITATION.cff": citation,
    "DATASHEET.md": datasheet,
    "eval.yaml": eval_yaml,
    "LICENSE": licence_file,
}

COUNTED = {"one": ("test.facts-one", Severity.WARNING), "two": ("test.facts-two", Severity.ERROR)}


def texts(facts: Facts) -> dict[str, str]:
    return {name: write(facts) for name, write in TEXTS.items()}


@pytest.mark.parametrize("family", FAMILIES)
def test_counts_are_those_of_the_tables(family: str) -> None:
    facts, release = golden_facts(family), open_release(GOLDENS[family].path / "release")
    items, clips = release.table("items").to_pylist(), release.table("clips").to_pylist()
    assert facts.items == len(items) == sum(facet.items for facet in facts.facets)
    assert facts.groups == len({row["group"] for row in items if row["group"]})
    assert facts.presentations == release.table("presentations").num_rows
    assert facts.clips == len(clips) == sum(share.clips for share in facts.licences) == facts.shipped
    assert facts.seconds == pytest.approx(sum(row["duration"] for row in clips), abs=1e-3)
    assert {share.licence for share in facts.licences} == {row["licence"] for row in clips}
    assert golden_facts(family, audio=False).cut == len(clips)


def test_a_release_is_as_large_as_what_it_asks() -> None:
    assert golden_facts("pairs").size_category == "n<1K"


@pytest.mark.parametrize("family", FAMILIES)
def test_with_hidden_gold_nothing_is_said_that_the_private_side_alone_knows(family: str, tmp_path: Path) -> None:
    whole = open_release(GOLDENS[family].path / "release")
    shutil.copytree(whole.path, tmp_path / "public only", ignore=shutil.ignore_patterns("private"))
    assert texts(gathered(whole)) == texts(golden_facts(family))
    public = gathered(open_release(tmp_path / "public only"))
    hidden = golden_facts(family)
    assert {name: getattr(public, name) for name in _SAID} == {name: getattr(hidden, name) for name in _SAID}
    secrets = {
        str(row[column])
        for row in whole.table("sources").to_pylist()
        for column in ("path", "speaker", "conversation", "prompt", "text", "tone_text", "pcm_hash")
        if row.get(column) is not None
    }
    secrets = {secret for secret in secrets if len(secret) > 6}
    assert secrets
    for name, text in texts(hidden).items():
        assert not [secret for secret in secrets if secret in text], name
        assert str(whole.path) not in text


_SAID = [
    name for name in Facts.__dataclass_fields__ if name != "audit"
]  # what validation finds hangs on what it can see


def test_how_many_clips_are_from_a_corpus_is_told_where_it_tells_nothing() -> None:
    hidden = {corpus.name: corpus.clips for corpus in golden_facts("pairs").corpora}
    opened = {corpus.name: corpus.clips for corpus in golden_facts("pairs", gold="open").corpora}
    assert hidden["ears"] is hidden["expresso"] is None  # they share a licence
    assert None not in opened.values()
    assert hidden["svc"] == opened["svc"]
    assert sum(filter(None, opened.values())) == golden_facts("pairs").clips


@pytest.mark.parametrize("family", FAMILIES)
def test_the_canary_stands_in_every_text(family: str) -> None:
    facts = golden_facts(family)
    for name, text in texts(facts).items():
        assert facts.canary in text, name
        assert text.endswith("\n"), name
        assert not text.endswith("\n\n"), name
        assert "\r" not in text, name


def test_findings_are_counted_by_code_the_gravest_first_without_where() -> None:
    findings = Findings(cap=1)
    one, two = (declare(name, severity, f"means {name}") for name, severity in COUNTED.values())
    for n in range(3):
        findings.add(one, id=f"secret-{n}", found="private")
    findings.add(two)
    said = audit_facts(findings)
    assert [(entry.code, entry.severity, entry.count) for entry in said] == [
        ("test.facts-two", "error", 1),
        ("test.facts-one", "warning", 3),
    ]
    assert "secret" not in repr(said)


def test_what_the_copy_says_goes_before_what_the_release_says() -> None:
    release = open_release(GOLDENS["stance"].path / "release")
    facts = gathered(release, gold="open", withdrawn=WithdrawnEntry(items=3, file_hash="sha256:0"))
    assert (facts.gold, facts.withdrawn) == ("open", 3)
    assert any(config.name == "answers" for config in facts.configs)
    assert facts.content_hash == release.manifest.content_hash
    assert "3 items of earlier versions were withdrawn" in card(facts)
