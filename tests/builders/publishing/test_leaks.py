"""The last look: whatever file a secret stands in, it is found; and what everybody may know is not."""

from __future__ import annotations

import io
import tarfile
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.support.golden import GOLDENS

from earmark.builders.publishing.leaks import Secrets, find_leaks, secrets_of
from earmark.manifests.findings import Findings
from earmark.manifests.release import open_release

PATH = "happy/ex03_happy_00379.wav"
SECRETS = Secrets(frozenset({PATH, "These are the words of it."}), frozenset({"gold"}), ("/srv/of mine",), "mmuster")


def in_text(folder: Path, said: str) -> None:
    (folder / "README.md").write_text(f"# A card\n\n| clip | {said} |\n", encoding="utf-8")


def in_json(folder: Path, said: str) -> None:
    (folder / "deep").mkdir()
    (folder / "deep" / "facts.json").write_text(f'{{"a": ["{said}"]}}', encoding="utf-8")


def in_cell(folder: Path, said: str) -> None:
    pq.write_table(pa.table({"id": ["a", None], "clips": [[{"role": "x", "path": said}], None]}), folder / "t.parquet")


def in_metadata(folder: Path, said: str) -> None:
    schema = pa.schema([pa.field("a", pa.int64(), metadata={"from": said})])
    pq.write_table(pa.table({"a": [1]}, schema=schema), folder / "t.parquet")


def in_shard(folder: Path, said: str) -> None:
    (folder / "data" / "clips").mkdir(parents=True)
    audio = [{"bytes": b"\0/home/x", "path": said}]
    pq.write_table(pa.table({"audio": audio}), folder / "data" / "clips" / "test-0.parquet")


def in_archive(folder: Path, said: str) -> None:
    with tarfile.open(folder / "test.tar", "w") as archive:
        content = f'{{"path": "{said}"}}\n'.encode()
        member = tarfile.TarInfo("a.json")
        member.size = len(content)
        archive.addfile(member, io.BytesIO(content))


def leaks(folder: Path, secrets: Secrets = SECRETS) -> list[str | None]:
    findings = Findings()
    find_leaks(folder, secrets, findings)
    return [finding.found for finding in findings]


@pytest.mark.parametrize("place", [in_text, in_json, in_cell, in_metadata, in_shard, in_archive])
@pytest.mark.parametrize(
    ("said", "tells"),
    [
        (PATH, True),
        ("/home/ada/corpus/a.wav", True),
        ("file:///Users/ada/a.wav", True),
        (r"C:\\corpus\\a.wav", True),
        ("D:/corpora/a.wav", True),
        ("/srv/of mine/a.wav", True),
        ("by mmuster@host", True),
        ("D:/corpora/mmuster", True),
        ("made by mmuster today", False),
        ("https://example.org/srv/of mine/a.wav", False),
        ("https://example.org/home/ada/a", False),
        ("public/items.parquet", False),
        ("mmustermann", False),
        ("c36x7ffertajwvpp3r2kgv5rhgm.flac", False),
    ],
)
def test_a_secret_is_found_wherever_it_stands(
    tmp_path: Path, place: Callable[[Path, str], None], said: str, tells: bool
) -> None:
    place(tmp_path, said)
    assert bool(leaks(tmp_path)) is tells


def test_words_and_private_columns_are_found(tmp_path: Path) -> None:
    pq.write_table(pa.table({"text": ["These are the words of it."], "gold": ["P"]}), tmp_path / "t.parquet")
    (tmp_path / "a.json").write_text('{"text": "These are the words of it."}')
    assert leaks(tmp_path) == ["These are the words of it.", None, "These are the words of it."]


def test_recipes_may_say_where_clips_are_from_but_not_where_they_lie(tmp_path: Path) -> None:
    (tmp_path / "public").mkdir()
    recipes = tmp_path / "public" / "recipes.parquet"
    secrets = Secrets(frozenset({PATH}), frozenset({"path", "corpus", "speaker"}))
    pq.write_table(pa.table({"path": [PATH], "corpus": ["ears"]}), recipes)
    assert leaks(tmp_path, secrets) == []
    pq.write_table(pa.table({"path": ["/home/ada/a.wav"], "speaker": ["p001"]}), recipes)
    assert leaks(tmp_path, secrets) == ["/home/ada/a.wav", None] or leaks(tmp_path, secrets) == [
        None,
        "/home/ada/a.wav",
    ]


def test_secrets_are_those_of_the_release() -> None:
    release = open_release(GOLDENS["pairs"].path / "release")
    secrets = secrets_of(release, folders=[Path("/")], user="root")
    rows = release.table("sources").to_pylist()
    assert {row["path"] for row in rows} <= secrets.values
    assert all(len(value) >= 6 for value in secrets.values)
    assert {"gold", "speaker", "pcm_hash", "level"} <= secrets.columns
    assert not {"item_id", "clip_id", "rate", "duration"} & secrets.columns
    assert (secrets.folders, secrets.user) == ((), None)
    assert secrets_of(release, folders=[Path("/home/ada")], user="mmuster").user == "mmuster"
