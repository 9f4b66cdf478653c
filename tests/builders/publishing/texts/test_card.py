"""The card: metadata that the hub's client and `datasets` read, and a body whose parts no name can change."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from tests.support.facts import golden_facts, replace_struct, with_names
from tests.support.golden import GOLDENS

from earmark.builders.publishing.data.configs import AUDIO, Config, configs_of
from earmark.builders.publishing.texts.card import card, metadata
from earmark.manifests.licences import LICENCES
from earmark.manifests.registry import family as family_of

if TYPE_CHECKING:
    from earmark.builders.publishing.texts.facts import Facts

READER = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=30) | st.text(
    "a\n#|`<>-[]()", min_size=1
)

PARTS = [
    *("Intended use", "Out of scope", "What is in it", "Licences", "How it was made", "Where the answers are from"),
    *(
        "Known limits",
        "What validation found",
        "What rules get that do not listen",
        "How to load it",
        "How to take part",
    ),
    "How to cite it",
]


def parted(text: str) -> tuple[dict[str, object], str]:
    """Metadata and body."""
    begin, front, body = text.split("---\n", 2)
    assert begin == ""
    return yaml.load(front, Loader=yaml.CSafeLoader), body  # a safe loader, and ten times as fast


def write_data(folder: Path, facts: Facts) -> dict[str, pa.Table]:
    """The card and, for each config, files with two rows of its columns; what stands in each config."""
    (folder / "README.md").write_text(card(facts), encoding="utf-8", newline="\n")
    held: dict[str, pa.Table] = {}
    for config in sorted(facts.configs, key=lambda config: config.name == "items"):
        files = [file.replace("*", "00000-of-00001") for file in config.files]
        if config.name != "items":
            (file,) = files
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            held[config.name] = rows(config)
            pq.write_table(held[config.name], folder / file)
        else:
            held["items"] = pa.concat_tables(pq.read_table(folder / file) for file in files)
    return held


def rows(config: Config) -> pa.Table:
    """Two rows, their cells made from the names of their columns."""

    def cell(kind: pa.DataType, said: str) -> object:
        if kind == AUDIO:
            return {"bytes": b"fLaC\x00\xff" + said.encode(), "path": f"{said}.flac"}
        if pa.types.is_list(kind):
            return [cell(kind.value_type, f"{said}{n}") for n in range(2)]
        if pa.types.is_struct(kind):
            return {field.name: cell(field.type, f"{said}.{field.name}") for field in kind}
        return said if pa.types.is_string(kind) else len(said)

    schema = pa.schema([(column.name, column.type) for column in config.columns])
    made = [
        {column.name: cell(column.type, f"{config.name}-{column.name}-{n}") for column in config.columns}
        for n in (1, 2)
    ]
    return pa.Table.from_pylist(made, schema=schema)


def assert_loads(folder: Path, facts: Facts, cache: Path) -> None:
    """`datasets` opens every config offline, with just its columns and what stands in them."""
    from datasets import Audio, get_dataset_config_names, load_dataset

    held = write_data(folder, facts)
    assert sorted(get_dataset_config_names(str(folder))) == sorted(config.name for config in facts.configs)
    for config in facts.configs:
        loaded = load_dataset(str(folder), config.name, split="test", cache_dir=str(cache))
        if "audio" in loaded.column_names:
            assert isinstance(loaded.features["audio"], Audio)
            loaded = loaded.cast_column("audio", Audio(decode=False))
        assert loaded.column_names == [column.name for column in config.columns]
        assert loaded.to_list() == held[config.name].to_pylist()
    default = load_dataset(str(folder), split="test", cache_dir=str(cache))
    assert default.column_names == [column.name for column in facts.configs[0].columns]


def with_facets(facts: Facts, ids: list[str]) -> Facts:
    """The same facts with facets of these ids, whose configs are named for them."""
    facets = tuple(replace_struct(facts.facets[0], id=id, name=id) for id in ids)
    configs = configs_of(family_of(facts.family), facets, gold=facts.gold, audio=True)  # type: ignore[arg-type]
    return replace(facts, facets=facets, configs=configs)  # type: ignore[arg-type]


def test_datasets_opens_every_config_offline_whatever_facets_are_called(tmp_path: Path) -> None:
    facts = with_facets(golden_facts("pairs", gold="open"), ["Clips", "a: *b", "../[x]?", "1.0"])
    (tmp_path / "copy").mkdir()
    assert_loads(tmp_path / "copy", facts, tmp_path / "cache")


@pytest.mark.slow
@pytest.mark.parametrize("family", sorted(GOLDENS))
@pytest.mark.parametrize("audio", [True, False])
def test_datasets_opens_every_config_of_every_family(family: str, audio: bool, tmp_path: Path) -> None:
    (tmp_path / "copy").mkdir()
    assert_loads(tmp_path / "copy", golden_facts(family, gold="open", audio=audio), tmp_path / "cache")


@pytest.mark.parametrize("family", sorted(GOLDENS))
def test_the_hubs_client_reads_what_the_card_says_of_itself(family: str, tmp_path: Path) -> None:
    from huggingface_hub import DatasetCard, DatasetCardData

    facts = golden_facts(family)
    (tmp_path / "README.md").write_text(card(facts), encoding="utf-8")
    read = DatasetCard.load(tmp_path / "README.md")
    assert isinstance(read.data, DatasetCardData)
    assert read.data.to_dict() == metadata(facts)
    assert read.data.license == "cc-by-nc-4.0"
    assert read.data.language == ["en"]
    assert read.data.size_categories == ["n<1K"]
    assert [config["config_name"] for config in metadata(facts)["configs"] if config.get("default")] == ["clips"]  # type: ignore[union-attr,index]


@pytest.mark.parametrize("family", sorted(GOLDENS))
def test_columns_are_described_in_the_words_of_datasets(family: str) -> None:
    from datasets import Audio, Features

    facts = golden_facts(family, gold="open")
    for config, said in zip(facts.configs, metadata(facts)["dataset_info"], strict=True):  # type: ignore[arg-type]
        schema = pa.schema([(column.name, column.type) for column in config.columns])
        expected = Features.from_arrow_schema(schema)
        expected |= {"audio": Audio()} if "audio" in expected else {}
        assert Features._from_yaml_list(said["features"]) == expected, config.name  # type: ignore[index,call-overload]


@pytest.mark.parametrize(
    ("id", "said"),
    [
        ("CC0-1.0", {"license": "cc0-1.0"}),
        ("ODC-By-1.0", {"license": "odc-by"}),
        ("CC-BY-NC-SA-4.0", {"license": "cc-by-nc-sa-4.0"}),
        ("CC-BY-NC-2.5", {"license": "other", "license_name": "cc-by-nc-2.5", "license_link": "LICENSE"}),
    ],
)
def test_a_licence_that_the_hub_does_not_know_is_named(id: str, said: dict[str, str]) -> None:
    facts = replace(golden_facts("stance"), licence=LICENCES[id])
    assert {name: text for name, text in metadata(facts).items() if name.startswith("license")} == said


@pytest.mark.parametrize("family", sorted(GOLDENS))
def test_the_body_has_every_part_and_every_number(family: str) -> None:
    facts = golden_facts(family)
    body = parted(card(facts))[1]
    assert headings(body) == PARTS
    tables = [[cell.content for cell in row] for row in table_rows(body)]
    for facet in facts.facets:
        assert [f"`{facet.id}`", facet.name, f"{facet.items:,}"] in tables
    for protocol in facts.protocols:
        assert any(row[:2] == [f"`{protocol.name}`", f"{protocol.presentations:,}"] for row in tables)
    for entry in facts.audit:
        assert any(row[:3] == [f"`{entry.code}`", entry.severity, f"{entry.count:,}"] for row in tables)
    assert any(row[0].startswith("uniform") and row[3] == "0.50" for row in tables)
    assert any(row[0].startswith("longer") and "no audio" in row[3] for row in tables)
    assert f"@misc{{{facts.name}" in body
    assert "}\n```\n" in body
    for wrong in ("None", "Undefined", "Facts(", "&lt;"):
        assert wrong not in body


def test_what_stands_in_it_hangs_on_what_the_copy_holds() -> None:
    hidden, opened, recipes = (
        card(golden_facts("pairs", **how))  # type: ignore[arg-type]
        for how in ({}, {"gold": "open"}, {"gold": "derivable", "audio": False})
    )
    assert "The answers are hidden" in hidden
    assert "earmark score" in opened
    assert [text.count("what the oracle says") for text in (hidden, opened, recipes)] == [0, 1, 0]
    assert "oracle" not in card(replace(golden_facts("pairs", gold="open"), baselines=()))
    assert "earmark score" not in hidden + recipes
    assert "whoever has the corpora" in recipes
    assert 'load_dataset("FOLDER", "clips"' in hidden
    assert 'load_dataset("FOLDER", "clips"' not in recipes
    cut = replace(golden_facts("pairs", gold="derivable", audio=False), has_recipes=True)
    assert "earmark materialize" in card(cut)
    assert "earmark materialize" not in hidden


@cache
def plain_card() -> tuple[dict[str, object], str]:
    return parted(card(with_names(golden_facts("pairs"), "plain")))


@given(TEXTS)
@example("---\nlicense: mit\n---")
@example("```\n# heading")
@example("</table><script>alert(1)</script>")
@example('"\n- a: !!python/object/apply:os.system [ls]')
@settings(max_examples=20)
def test_whatever_things_are_called_the_card_has_the_same_parts(text: str) -> None:
    front, body = parted(card(with_names(golden_facts("pairs"), text)))
    plain, plain_body = plain_card()
    assert front == {**plain, "pretty_name": f"{text} ({text} {text})", "source_datasets": [text] * 3}
    kinds, plain_kinds = (
        [(token.type, token.tag, token.level) for token in READER.parse(one)] for one in (body, plain_body)
    )
    assert kinds == plain_kinds
    inline = {child.type for token in READER.parse(body) for child in token.children or []}
    assert "html_inline" not in inline
    assert "image" not in inline


def test_a_card_with_very_many_facets_says_how_many_it_leaves_out() -> None:
    text = card(with_facets(golden_facts("stance"), [f"f{n}" for n in range(1000)]))
    assert "| … | 700 more in `release.json` | |" in text
    assert text.count("- config_name: ") == 2 * (1000 + 4)


def headings(body: str) -> list[str]:
    tokens = READER.parse(body)
    return [
        tokens[n + 1].content for n, token in enumerate(tokens) if token.type == "heading_open" and token.tag == "h2"
    ]


def table_rows(body: str) -> list[list[object]]:
    made: list[list[object]] = []
    for token in READER.parse(body):
        if token.type == "tr_open":
            made.append([])
        elif token.type == "inline" and token.level > 3:
            made[-1].append(token)
    return made
