"""What croissant.json says, whatever a stranger called things."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.support.facts import golden_facts, with_names
from tests.support.golden import GOLDENS
from tests.support.published_copies import Copy

import earmark
from earmark.builders.publishing.croissant import DataFile, croissant
from earmark.builders.publishing.data.configs import configs_of
from earmark.builders.publishing.texts.facts import Facts
from earmark.manifests.canonical import Json
from earmark.manifests.licences import LICENCES
from earmark.manifests.registry import family
from earmark.manifests.release import FacetEntry, Gold, SourceEntry, open_release
from earmark.manifests.tables import Column

MINIMAL = (
    *("rai:dataLimitations", "rai:dataBiases", "rai:personalSensitiveInformation", "rai:dataUseCases"),
    *("rai:dataSocialImpact", "rai:hasSyntheticData", "prov:wasDerivedFrom", "prov:wasGeneratedBy"),
)
"""What the Evaluations and Datasets track of NeurIPS 2026 wants every file to say."""

RAI = (
    *("dataCollection", "dataCollectionType", "dataCollectionMissingData", "dataCollectionRawData", "dataUseCases"),
    *("dataCollectionTimeframe", "dataImputationProtocol", "dataManipulationProtocol", "dataPreprocessingProtocol"),
    *("dataAnnotationProtocol", "dataAnnotationPlatform", "dataAnnotationAnalysis", "dataReleaseMaintenancePlan"),
    *("personalSensitiveInformation", "dataSocialImpact", "dataBiases", "dataLimitations", "annotationsPerItem"),
    *("annotatorDemographics", "machineAnnotationTools"),
)
"""The twenty properties of Croissant RAI 1.0."""

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20)

SCHEMA_ORG = {
    *("name", "description", "version", "license", "url", "creator", "datePublished", "identifier", "inLanguage"),
    *(
        "keywords",
        "usageInfo",
        "distribution",
        "contentUrl",
        "contentSize",
        "encodingFormat",
        "sha256",
        "email",
        "sameAs",
    ),
    *("familyName", "givenName", "termCode"),
}
"""The words that are schema.org's own."""


def files_of(facts: Facts) -> list[DataFile]:
    """A file for each that a config wants, and a second shard of clips."""
    paths = [file for config in facts.configs for file in config.files if "*" not in file and config.name != "items"]
    clips = [f"data/clips/test-0000{number}-of-00002.parquet" for number in range(2)]
    public = ["public/clips.parquet", "public/item_clips.parquet", "public/recipes.parquet", "release.json"]
    return [
        DataFile(path, f"sha256:{number:064x}", number)
        for number, path in enumerate(dict.fromkeys([*paths, *clips, *public]))
    ]


def said(facts: Facts) -> dict[str, Json]:
    """What is written of some facts."""
    document: dict[str, Json] = json.loads(croissant(facts, files_of(facts)))
    return document


def nodes(value: Json) -> Iterator[Mapping[str, Json]]:
    """Every object in a document but the context and embedded data."""
    match value:
        case Mapping():
            yield value
            for name, entry in value.items():
                if name not in ("@context", "data"):
                    yield from nodes(entry)
        case list():
            for entry in value:
                yield from nodes(entry)


@pytest.mark.parametrize("name", GOLDENS)
def test_it_says_what_the_specification_and_a_conference_ask_for(name: str) -> None:
    facts = golden_facts(name)
    document = said(facts)
    assert document["conformsTo"] == ["http://mlcommons.org/croissant/1.1", "http://mlcommons.org/croissant/RAI/1.0"]
    assert document["license"] == ["https://spdx.org/licenses/CC-BY-NC-4.0"]
    assert document["isLiveDataset"] is False
    assert document["inLanguage"] == ["en"]
    assert (document["version"], document["datePublished"], document["url"]) == (
        *(facts.version, facts.published, facts.url),
    )
    assert document["creator"] == [
        {
            "@type": "sc:Person",
            "name": "Lovelace, Ada",
            "familyName": "Lovelace",
            "givenName": "Ada",
            "email": "ada@example.org",
            "sameAs": "https://orcid.org/0000-0002-1825-0097",
        },
        {"@type": "sc:Organization", "name": "The Miniature Makers"},
    ]
    assert all(document[word] or document[word] is False for word in MINIMAL)
    assert {word for word in document if word.startswith("rai:")} <= {
        *(f"rai:{word}" for word in RAI),
        "rai:hasSyntheticData",
    }
    assert document["rai:hasSyntheticData"] is (name == "dialogues")
    assert facts.intended_use in str(document["rai:dataUseCases"])
    assert {facts.limits, facts.out_of_scope} <= {*map(str, _list(document["rai:dataLimitations"]))}
    assert facts.label_source in _list(document["rai:dataBiases"])
    assert facts.canary in str(document["description"])
    assert [entry["@type"] for entry in _list(document["prov:wasDerivedFrom"])] == ["prov:Entity"] * len(facts.sources)


def test_speech_is_synthetic_where_its_corpus_says_so() -> None:
    facts = golden_facts("pairs")
    files = files_of(facts)
    first, *others = facts.corpora
    every = replace(facts, corpora=tuple(replace(one, version="Synthetic miniature") for one in facts.corpora))
    document = json.loads(croissant(every, files))
    assert document["rai:hasSyntheticData"] is True
    assert document["rai:personalSensitiveInformation"][0] == "The speech is synthetic."
    assert document["rai:dataCollection"].startswith("The speech was synthesised.")
    assert "rai:dataCollectionType" not in document
    one = replace(facts, corpora=(replace(first, version="synthetic miniature"), *others))
    document = json.loads(croissant(one, files))
    assert document["rai:hasSyntheticData"] is True
    voices = document["rai:personalSensitiveInformation"][0]
    assert voices.startswith(
        f"The speech of {first.name} synthetic miniature is synthetic; the other clips are recordings"
    )
    assert "synthesised" not in document["rai:dataCollection"]
    assert "rai:dataCollectionType" in document
    neither = replace(facts, corpora=(replace(first, version="photosynthetic"), *others))
    assert json.loads(croissant(neither, files))["rai:hasSyntheticData"] is False
    assert json.loads(croissant(replace(facts, corpora=()), files))["rai:hasSyntheticData"] is False


def test_every_word_is_one_that_the_context_explains() -> None:
    document = said(golden_facts("dialogues", gold="open"))
    context = document["@context"]
    assert isinstance(context, Mapping)
    prefixes = {name for name, meant in context.items() if str(meant).startswith("http") and not name.startswith("@")}
    for node in nodes({name: value for name, value in document.items() if name != "@context"}):
        for word in node:
            prefix, colon, _ = word.partition(":")
            assert word.startswith("@") or word in context or word in SCHEMA_ORG or (colon and prefix in prefixes), word
        for kind in _list(node.get("@type", [])):
            prefix, colon, _ = str(kind).partition(":")
            assert prefix in prefixes if colon else kind in ("DefinedTerm", "CreativeWork")


@pytest.mark.parametrize("gold", ["hidden", "open", "derivable"])
def test_what_is_referred_to_is_there_and_ids_are_given_out_once(gold: Gold) -> None:
    facts = golden_facts("pairs", gold=gold)
    document = said(facts)
    assert_ids(document)
    names = {entry["name"] for entry in _list(document["recordSet"])}
    assert ("answers" in names) is (gold == "open")
    answers = [node for node in nodes(document) if node.get("@id") == "answers/gold"]
    assert [node["dataType"] for node in answers] == ([["sc:Text", "cr:Label"]] if gold == "open" else [])
    referring = {node["@id"]: node["references"]["field"]["@id"] for node in nodes(document) if "references" in node}
    assert referring["presentations/item_id"] == "items/item_id"
    assert referring["presentations/prompt_id"] == "prompts/prompt_id"
    assert referring["items/clips/clip_id"] == "clips/clip_id"


def test_recipes_are_described_where_there_are_any() -> None:
    facts = golden_facts("pairs", gold="derivable", audio=False)
    sets = {entry["name"]: entry for entry in _list(said(replace(facts, has_recipes=True))["recordSet"])}
    assert sets["recipes"]["key"] == [{"@id": "recipes/clip_id"}]
    assert "recipes" not in {entry["name"] for entry in _list(said(facts)["recordSet"])}
    missing = said(facts)["rai:dataCollectionMissingData"]
    assert missing == (
        "The audio of 61 of 61 clips is not in the copy. public/recipes.parquet says how 61 of them are cut from the corpora."
    )


@pytest.mark.parametrize("name", GOLDENS)
def test_with_hidden_gold_nothing_of_the_private_side_is_told(name: str) -> None:
    release = open_release(GOLDENS[name].path / "release")
    text = croissant(golden_facts(name), files_of(golden_facts(name)))
    for row in release.table("sources").to_pylist():
        assert row["path"] not in text
        assert f'"{row["speaker"]}"' not in text
        assert row["text"] is None or row["text"] not in text


def test_every_file_stands_with_its_hash_and_size() -> None:
    facts = golden_facts("stance")
    files = [
        *files_of(facts),
        DataFile("baselines/a b.jsonl", "0" * 64, 1),
        DataFile("baselines/a-b.jsonl", "1" * 64, 2),
    ]
    assert_ids(json.loads(croissant(facts, files)))
    listed = {
        node["contentUrl"]: (node["sha256"], node["contentSize"], node["encodingFormat"])
        for node in nodes(json.loads(croissant(facts, files)))
        if node.get("@type") == "cr:FileObject"
    }
    assert listed.keys() == {file.path for file in files}
    for file in files:
        hash, size, formats = listed[file.path]
        assert (hash, size) == (file.sha256.removeprefix("sha256:"), f"{file.size} B")
        assert ("application/vnd.apache.parquet" in _list(formats)) is file.path.endswith(".parquet")


def test_equal_input_is_equal_text_in_whatever_order_files_come() -> None:
    facts = golden_facts("stance")
    files = files_of(facts)
    assert croissant(facts, files) == croissant(golden_facts("stance"), reversed(files))


def test_a_record_set_without_its_file_is_not_written() -> None:
    facts = golden_facts("stance")
    files = [file for file in files_of(facts) if "prompts" not in file.path and "clips" not in file.path]
    document = json.loads(croissant(facts, files))
    assert {"clips", "prompts"}.isdisjoint(entry["name"] for entry in document["recordSet"])
    assert_ids(document)


@pytest.mark.parametrize("audio", [True, False])
def test_no_reference_that_readers_follow_leads_to_audio(audio: bool) -> None:
    facts = golden_facts("pairs", audio=audio)
    clip = Column(name="clip", type=pa.string(), means="A clip.", refers_to="clips.clip_id")
    prompts = next(config for config in facts.configs if config.name == "prompts")
    widened = replace(prompts, columns=(*prompts.columns, clip))
    document = said(replace(facts, configs=(*(each for each in facts.configs if each != prompts), widened)))
    field = next(node for node in nodes(document) if node.get("@id") == "prompts/clip")
    assert ("references" in field) is not audio
    assert field["description"] == "A clip. Refers to clips/clip_id."


@pytest.mark.parametrize(("id", "limited"), [("CC-BY-NC-SA-4.0", True), ("CC-BY-4.0", False), ("CC0-1.0", False)])
def test_only_a_non_commercial_licence_limits_use(id: str, limited: bool) -> None:
    document = said(replace(golden_facts("stance"), licence=LICENCES[id]))
    assert document["license"] == [f"https://spdx.org/licenses/{id}"]
    assert ("DUO_0000046" in str(document.get("usageInfo"))) is limited
    assert ("odrl:Offer" in str(document.get("usageInfo"))) is limited


HOSTILE = ('{"@id": "x"}', "cr:Field", "../..", "a b\n\t", "</script>\u202e", "https://example.org/#a")


@given(TEXTS)
@settings(max_examples=25)
@example("cr:Field")
@example('"}]\n')
@example("..")
def test_whatever_things_are_called_ids_are_safe_and_texts_are_kept(text: str) -> None:
    facts = renamed(golden_facts("pairs"), text)
    document = said(facts)
    assert_ids(document)
    kept = json.loads(json.dumps(_composed(text)))
    assert document["name"] == kept
    data = next(entry["data"] for entry in _list(document["recordSet"]) if entry["name"] == "facets")
    assert [row["facets/name"] for row in data] == [kept] * len(facts.facets)
    assert sum(entry["name"].startswith("items-") for entry in _list(document["recordSet"])) == len(facts.facets)


@pytest.mark.usefixtures("fenced")
@pytest.mark.filterwarnings("ignore:ConjunctiveGraph is deprecated:DeprecationWarning")
@pytest.mark.parametrize("text", HOSTILE)
def test_whatever_things_are_called_mlcroissant_reads_it(text: str, tmp_path: Path) -> None:
    facts = replace(renamed(golden_facts("pairs"), text), version="1.0.0", facets=golden_facts("pairs").facets[:1])
    facts = replace(facts, configs=tuple(config for config in facts.configs if config.name in ("clips", "prompts")))
    (tmp_path / "croissant.json").write_text(croissant(facts, files_of(facts)), encoding="utf-8")
    metadata = Copy(tmp_path, facts).opened().metadata
    assert (metadata.ctx.issues.errors, metadata.ctx.issues.warnings) == (set(), set())
    assert metadata.name == _composed(text)


def test_nothing_of_earmark_needs_the_library() -> None:
    for path in Path(earmark.__file__).parent.rglob("*.py"):
        assert not re.search(r"^\s*(import|from) mlcroissant", path.read_text(encoding="utf-8"), re.MULTILINE), path


def renamed(facts: Facts, text: str) -> Facts:
    """The same facts, the facets' ids being a stranger's too, and so the names of their configs, and the corpora's names."""
    facets = tuple(FacetEntry(id=f"{text}{'!' * n}", name=text, items=1) for n in range(2))
    configs = configs_of(family(facts.family), facets, gold=facts.gold, audio=True)
    sources = tuple(SourceEntry(corpus=text, version=text, licence=text, metadata={text: text}) for _ in facts.sources)
    return replace(with_names(facts, text), facets=facets, configs=configs, sources=sources)


def assert_ids(document: Mapping[str, Json]) -> None:
    """Every part has an id of its own that an IRI can hold, and what is referred to is one of them."""
    inside = [node for name in ("distribution", "recordSet", "prov:wasDerivedFrom") for node in nodes(document[name])]
    defined = Counter(str(node["@id"]) for node in inside if node.keys() > {"@id"})
    assert set(defined.values()) == {1}
    assert all(re.fullmatch(r"[A-Za-z0-9_.+-]+(/[A-Za-z0-9_.+-]+)*", id) for id in defined)
    assert not any(part.strip(".") == "" for id in defined for part in id.split("/"))
    assert {str(node["@id"]) for node in inside if node.keys() == {"@id"}} <= defined.keys()


def _composed(text: str) -> str:
    import unicodedata

    return unicodedata.normalize("NFC", text)


def _list(value: Json) -> list[Json]:
    return value if isinstance(value, list) else [value]
