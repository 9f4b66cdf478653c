"""Facts of the golden releases, as a publisher would gather them, for tests of what is made of them."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

from tests.support.golden import GOLDENS

from earmark.builders.publishing.policy import Shipping
from earmark.builders.publishing.readiness import Creator, Publication
from earmark.builders.publishing.texts.facts import BaselineFacts, Facts, facts_of
from earmark.manifests.findings import Findings
from earmark.manifests.licences import LICENCES
from earmark.manifests.release import Gold, Manifest, Release, open_release
from earmark.validation.invariants import validate

CREATORS = (
    Creator(name="Lovelace, Ada", email="ada@example.org", orcid="0000-0002-1825-0097"),
    Creator(name="The Miniature Makers"),
)

BASELINES = (
    BaselineFacts(
        name="uniform", means="Draws.", protocol="both-orders", metric="accuracy", value=0.5, interval="0.41 to 0.59"
    ),
    BaselineFacts(
        name="longer",
        means="Takes the longer.",
        protocol="both-orders",
        metric="accuracy",
        value=None,
        reason="no audio",
    ),
)


def publication(release: Release) -> Publication:
    """What a recipe would say of a golden release, which says nothing of itself."""
    return Publication(
        name=release.manifest.name,
        version=release.manifest.version,
        published="2026-03-31",
        creators=CREATORS,
        url="https://example.org/mini",
        licence=LICENCES["CC-BY-NC-4.0"],
        intended_use=release.family.intended_use,
        out_of_scope=release.family.out_of_scope,
    )


def gathered(release: Release, *, gold: Gold = "hidden", audio: bool = True, **said: object) -> Facts:
    """The facts of a release, all of its clips shipped or all of them told how to cut."""
    ids = frozenset(release.table("clips")["clip_id"].to_pylist())
    none: frozenset[str] = frozenset()
    fields = {name: getattr(release.manifest, name) for name in Manifest.__struct_fields__}
    return facts_of(
        release,
        publication(release),
        Shipping(audio=ids if audio else none, recipes=none if audio else ids),
        _audit(release.path),
        BASELINES,
        manifest=Manifest(**{**fields, "gold": gold, **said}),
        previous="0.9.0",
    )


@cache
def golden_facts(family: str, *, gold: Gold = "hidden", audio: bool = True) -> Facts:
    """The facts of a golden release."""
    return gathered(open_release(GOLDENS[family].path / "release"), gold=gold, audio=audio)


@cache
def _audit(path: Path) -> Findings:
    return validate(open_release(path))


def with_names(facts: Facts, text: str) -> Facts:
    """The same facts where a stranger called everything by one text that they could choose."""
    return replace(
        facts,
        name=text,
        version=text,
        url=text,
        title=text,
        builder=text,
        previous=text,
        creators=(Creator(name=text), Creator(name=f"{text}, {text}")),
        facets=tuple(replace_struct(facet, id=f"{text}{facet.id}", name=text) for facet in facts.facets),
        protocols=tuple(replace(protocol, means=text) for protocol in facts.protocols),
        corpora=tuple(replace(corpus, name=text, version=text, licence=text) for corpus in facts.corpora),
        licences=tuple(replace(share, licence=text) for share in facts.licences),
        baselines=tuple(replace(entry, name=text, means=text, interval=text) for entry in facts.baselines),
        recipe={text: {text: text, "list": [text, text]}},
        intended_use=text,
        out_of_scope=text,
        limits=text,
        label_source=text,
    )


def replace_struct(entry: object, **fields: object) -> object:
    """A record of a manifest with other fields."""
    import msgspec

    return msgspec.structs.replace(entry, **fields)
