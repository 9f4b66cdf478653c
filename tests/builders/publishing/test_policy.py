"""What of each clip may be published, against verdicts written down by hand for what corpora and releases are under."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from dataclasses import replace

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.golden import GOLDENS

from earmark.builders.dialogues.voiced import NOT_STATED
from earmark.builders.publishing.policy import Shipping, refusal, release_licence, shipping
from earmark.manifests.findings import Findings, Severity
from earmark.manifests.licences import LICENCES, SVC_TERMS, Licence
from earmark.manifests.release import MediaEntry, Release, SourceEntry, open_release

AUDIO, CUT, NEVER = "audio", "cut", "never"
"""What may be given of a clip: its audio, how it is cut, nothing."""

RELEASES = ("CC0-1.0", "CC-BY-4.0", "CC-BY-SA-4.0", "CC-BY-NC-4.0", "CC-BY-NC-SA-4.0", "CC-BY-ND-4.0")
VERDICTS: Mapping[str, tuple[str, ...]] = {
    # In a release under      CC0    BY     BY-SA  BY-NC  BY-NC-SA BY-ND
    "CC0-1.0":               (AUDIO, AUDIO, AUDIO, AUDIO, AUDIO, AUDIO),
    "CC-BY-4.0":             (CUT,   AUDIO, AUDIO, AUDIO, AUDIO, AUDIO),
    "CC BY 3.0":             (CUT,   AUDIO, AUDIO, AUDIO, AUDIO, AUDIO),
    "MIT":                   (CUT,   AUDIO, AUDIO, AUDIO, AUDIO, AUDIO),
    "CC-BY-SA-4.0":          (CUT,   CUT,   AUDIO, CUT,   CUT,   CUT),
    "CC-BY-SA-3.0":          (CUT,   CUT,   AUDIO, CUT,   CUT,   CUT),
    "CC-BY-NC-4.0":          (CUT,   CUT,   CUT,   AUDIO, AUDIO, CUT),
    "CC-BY-NC-SA-4.0":       (CUT,   CUT,   CUT,   CUT,   AUDIO, CUT),
    "CC-BY-ND-4.0":          (CUT,   CUT,   CUT,   CUT,   CUT,   CUT),
    "CC-BY-NC-ND-4.0":       (CUT,   CUT,   CUT,   CUT,   CUT,   CUT),
    SVC_TERMS:               (CUT,   CUT,   CUT,   CUT,   CUT,   CUT),
    "all rights reserved":   (NEVER, NEVER, NEVER, NEVER, NEVER, NEVER),
    NOT_STATED:              (NEVER, NEVER, NEVER, NEVER, NEVER, NEVER),
    "research only":         (NEVER, NEVER, NEVER, NEVER, NEVER, NEVER),
}  # fmt: skip

Make = Callable[..., Release]


@pytest.fixture(scope="module")
def make(tmp_path_factory: pytest.TempPathFactory) -> Make:
    """Makes the golden stance release anew, with other licences of its clips, each that of a corpus of its own."""
    folder = tmp_path_factory.mktemp("policy") / "release"
    shutil.copytree(GOLDENS["stance"].path / "release", folder)
    opened = open_release(folder)
    table = opened.table("clips")

    def made(own: object, texts: list[str], *, audio: bool = True, stated: list[str] | None = None) -> Release:
        column = pa.array([texts[n % len(texts)] for n in range(table.num_rows)])
        pq.write_table(table.set_column(table.column_names.index("licence"), "licence", column), opened.file("clips"))
        sources = [
            SourceEntry(corpus=f"corpus {n}", version="1", licence=text, metadata={})
            for n, text in enumerate(texts if stated is None else stated)
        ]
        manifest = msgspec.structs.replace(
            opened.manifest,
            recipe={"release": {"licence": own}},
            sources=sources,
            media=MediaEntry(rate=None, files=table.num_rows, hash="blake2b-256:0") if audio else None,
        )
        return replace(opened, manifest=manifest)

    return made


def of_licence(release: Release, text: str) -> frozenset[str]:
    rows = release.table("clips").to_pylist()
    return frozenset(row["clip_id"] for row in rows if row["licence"] == text)


@pytest.mark.parametrize("own", RELEASES)
def test_what_may_be_published(make: Make, own: str) -> None:
    release = make(own, list(VERDICTS))
    findings = Findings()
    found = shipping(release, recipes=True, findings=findings)
    for text, verdicts in VERDICTS.items():
        verdict, clips = verdicts[RELEASES.index(own)], of_licence(release, text)
        assert clips
        assert (clips <= found.audio, clips <= found.recipes) == (verdict == AUDIO, verdict == CUT), text
        assert clips <= found.sources if verdict == AUDIO else not clips & found.sources
    assert not found.audio & found.recipes
    never = {text for text, verdicts in VERDICTS.items() if NEVER in verdicts}
    assert {finding.found for finding in findings} == never, "how a clip without a licence is cut is not told either"
    without = sum(len(of_licence(release, text)) for text in ("all rights reserved", NOT_STATED))
    assert findings.counts == {
        "publish.licence-none": without,
        "publish.licence-unknown": len(of_licence(release, "research only")),
    }


@settings(max_examples=25, deadline=None)
@given(
    st.sampled_from(RELEASES),
    st.lists(st.sampled_from(list(VERDICTS)), min_size=1, max_size=5, unique=True),
    st.booleans(),
)
def test_every_clip_that_is_not_shipped_is_an_error_unless_it_is_described(
    make: Make, own: str, texts: list[str], audio: bool
) -> None:
    release = make(own, texts, audio=audio)
    clips = frozenset(release.table("clips")["clip_id"].to_pylist())
    findings, described = Findings(cap=10**6), Findings(cap=10**6)
    found = shipping(release, recipes=False, findings=findings)
    instead = shipping(release, recipes=True, findings=described)
    refused = {finding.id for finding in findings if finding.code.severity is Severity.ERROR}
    never = {finding.id for finding in described if finding.code.severity is Severity.ERROR}
    assert not found.recipes
    assert found.audio == instead.audio
    assert found.sources == instead.sources
    assert instead.audio | instead.recipes | never == clips
    assert never <= refused
    assert not never & (instead.audio | instead.recipes)
    if audio:
        assert found.audio | refused == clips
        assert not found.audio & refused
        assert found.audio == found.sources
    else:
        assert not found.audio, "there is none"
        assert refused == never, "and what is not there need not be refused"


@pytest.mark.parametrize(
    ("own", "text", "code", "expected"),
    [
        ("CC-BY-4.0", "CC-BY-NC-4.0", "non-commercial", "give the release the licence CC-BY-NC-4.0, or publish how"),
        ("CC-BY-4.0", "CC-BY-SA-4.0", "share-alike", "give the release the licence CC-BY-SA-4.0, or publish how"),
        ("CC0-1.0", "CC-BY-4.0", "attribution", "give the release the licence CC-BY-4.0, or publish how"),
        ("CC-BY-NC-4.0", SVC_TERMS, "unmodified", "publish how its clips are cut in place of their audio (--recipes)"),
        ("CC-BY-NC-4.0", "CC-BY-4", "unknown", "did you mean CC-BY-4.0"),
        ("CC-BY-NC-4.0", NOT_STATED, "none", "a licence stated by the corpus"),
    ],
)
def test_each_refusal_says_what_would_be_right(make: Make, own: str, text: str, code: str, expected: str) -> None:
    release, findings = make(own, ["CC0-1.0", text]), Findings(cap=3)
    shipping(release, recipes=False, findings=findings)
    clips = of_licence(release, text)
    assert findings.counts == {f"publish.licence-{code}": len(clips)}, "counted, all of them"
    for finding, clip in zip(findings, sorted(clips)[:3], strict=True):
        assert (finding.id, finding.found) == (clip, text)
        assert finding.expected is not None
        assert finding.expected.startswith(expected)


def test_what_no_licence_suits_is_said(make: Make) -> None:
    findings = Findings()
    shipping(make("CC-BY-SA-4.0", ["CC-BY-SA-4.0", "CC-BY-NC-4.0"]), recipes=False, findings=findings)
    assert {str(finding.expected).partition(",")[0] for finding in findings} == {"leave clips out"}


def test_of_unlike_corpora_the_loosest_licence_that_suits_all_is_named(make: Make) -> None:
    texts = ["CC-BY-NC-4.0", "CC-BY-4.0", "CC0-1.0", SVC_TERMS]
    findings = Findings()
    shipping(make("CC0-1.0", texts), recipes=False, findings=findings)
    named = {finding.expected for finding in findings if finding.code.name != "publish.licence-unmodified"}
    assert len(named) == 1
    assert "CC-BY-NC-4.0" in str(named)


@pytest.mark.parametrize("own", [None, "", NOT_STATED, "GPL-3.0", 4, ["CC0-1.0"], SVC_TERMS, "all rights reserved"])
def test_nothing_of_a_release_without_a_licence_is_published(make: Make, own: object) -> None:
    release = make(own, ["CC0-1.0"])
    assert release_licence(release) is None
    assert shipping(release, recipes=True, findings=Findings()) == Shipping(frozenset(), frozenset())


def test_a_recipe_without_such_a_section_has_no_licence(make: Make) -> None:
    release = make("CC0-1.0", ["CC0-1.0"])
    for recipe in ({}, {"release": None}, {"release": "CC0-1.0"}):
        assert (
            release_licence(replace(release, manifest=msgspec.structs.replace(release.manifest, recipe=recipe))) is None
        )


def test_a_clip_may_not_have_a_licence_that_no_corpus_has(make: Make) -> None:
    release = make("CC0-1.0", ["CC0-1.0", "CC-BY-4.0"], stated=["CC-BY-4.0"])
    findings = Findings()
    found = shipping(release, recipes=True, findings=findings)
    loosened = of_licence(release, "CC0-1.0")
    assert findings.counts == {"publish.licence-other": len(loosened)}
    assert not loosened & (found.audio | found.recipes | found.sources)


@pytest.mark.parametrize(
    ("corpus", "text", "warned"),
    [
        ("expresso", "CC0-1.0", True),
        ("EARS", "CC-BY-4.0", True),
        ("ears", "cc by-nc 4.0", False),
        ("svc", "CC-BY-NC-4.0", True),
        ("svc", SVC_TERMS, False),
        ("seamless-interaction", "CC-BY-4.0", True),
        ("libritts", "CC-BY-4.0", False),
        ("libritts", "CC-BY-NC-SA-4.0", False),
        ("libritts", "CC0-1.0", True),
        ("mine", "CC0-1.0", False),
    ],
)
def test_a_looser_licence_than_a_corpus_has_must_be_vouched_for(
    make: Make, corpus: str, text: str, warned: bool
) -> None:
    release = make(text if text != SVC_TERMS else "CC0-1.0", [text], audio=False)
    sources = [SourceEntry(corpus=corpus, version="synthetic miniature", licence=text, metadata={})]
    release = replace(release, manifest=msgspec.structs.replace(release.manifest, sources=sources))
    findings, vouched = Findings(), Findings()
    shipping(release, recipes=True, findings=findings)
    shipping(release, recipes=True, findings=vouched, as_stated=(corpus,))
    assert findings.counts == ({"publish.licence-unusual": 1} if warned else {})
    assert vouched.counts == ({"publish.licence-as-stated": 1} if warned else {})
    assert (findings.failed, vouched.failed) == (warned, False)
    for finding in (*findings, *vouched):
        assert (finding.id, finding.found) == (corpus, text)


OF_CLIPS = st.sampled_from(list(LICENCES.values()))
OWN = st.sampled_from([entry for entry in LICENCES.values() if entry.spdx])


@given(OF_CLIPS, OF_CLIPS, OWN)
def test_a_stricter_licence_never_ships_more(one: Licence, other: Licence, own: Licence) -> None:
    """Who shares alike is bound to one release's licence, so that nothing follows from it for others."""
    if one.looser_than(other) or other.share_alike:
        return
    assert refusal(one, own) is not None or refusal(other, own) is None


@given(OF_CLIPS, OWN, OWN)
def test_a_release_may_always_be_stricter(clip: Licence, one: Licence, other: Licence) -> None:
    if one.looser_than(other) or clip.share_alike:
        return
    assert refusal(clip, other) is not None or refusal(clip, one) is None


@given(OF_CLIPS, OWN)
def test_no_release_is_looser_than_what_is_in_it(clip: Licence, own: Licence) -> None:
    if refusal(clip, own) is None:
        assert not own.looser_than(clip)


def test_corpora_as_they_are_given_out() -> None:
    """The golden pairs have Expresso and EARS, which are non-commercial, and SVC, of which nothing is published but cuts."""
    pairs = open_release(GOLDENS["pairs"].path / "release")
    corpus = {row["clip_id"]: row["corpus"] for row in pairs.table("sources").to_pylist()}
    manifest = msgspec.structs.replace(
        pairs.manifest,
        recipe={"release": {"licence": "CC-BY-NC-4.0"}},
        media=MediaEntry(rate=None, files=len(corpus), hash="blake2b-256:0"),
    )
    found = shipping(replace(pairs, manifest=manifest), recipes=True, findings=(findings := Findings()))
    assert len(findings) == 0
    assert {corpus[id] for id in found.audio} == {corpus[id] for id in found.sources} == {"ears", "expresso"}
    assert {corpus[id] for id in found.recipes} == {"svc"}
