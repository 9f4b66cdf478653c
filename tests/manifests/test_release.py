"""A release on disk: opened lazily, and never with a traceback."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.support.tiny import TINY_KEY, tiny_rows, write_tiny_release

import earmark
from earmark.manifests.canonical import Json
from earmark.manifests.errors import EarmarkError, PrivateSideMissing, ReleaseError, UnknownName
from earmark.manifests.hashes import content_hash, file_hash
from earmark.manifests.release import Manifest, TableEntry, canary, open_release
from earmark.manifests.tables import Side


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    return write_tiny_release(tmp_path / "tiny").path


def edit(release: Path, **changed: object) -> None:
    """Change what the manifest says; `...` takes a field away."""
    file = release / "release.json"
    said = {**json.loads(file.read_text()), **changed}
    file.write_text(json.dumps({name: value for name, value in said.items() if value is not ...}))


@pytest.mark.parametrize(
    "said",
    [
        {"version": "1.0.0\n"},
        {"version": "1.0"},
        {"version": "１.0.0"},
        {"name": "../../x"},
        {"name": "a\nb"},
        {"name": ""},
    ],
    ids=str,
)
def test_a_name_that_leads_elsewhere_and_a_version_that_is_none_are_refused(tiny: Path, said: dict[str, str]) -> None:
    edit(tiny, **said)
    with pytest.raises(ReleaseError, match="one matches"):
        open_release(tiny)


def test_what_was_written_is_read(tiny: Path) -> None:
    release = earmark.open_release(str(tiny))
    rows = tiny_rows()
    assert release.family.name == "stance"
    assert release.has_private_side
    assert release.key == TINY_KEY
    for name, table in release.family.tables().items():
        read = release.table(name)
        entry = release.manifest.tables[name]
        for field, column in zip(read.schema, table.columns, strict=True):
            assert (field.name, field.nullable) == (column.name, column.nullable)
            assert field.metadata[b"means"] == column.means.encode()
        assert read.cast(table.arrow_schema()).to_pylist() == table.from_rows(rows[name]).to_pylist()
        assert read.num_rows == entry.rows == len(rows[name])
        public = table.side is Side.PUBLIC
        assert content_hash(table, read, salt=b"" if public else TINY_KEY) == entry.content_hash
        assert entry.file_hash == (file_hash(release.file(name)) if public else None)
        assert release.file(name).is_relative_to(tiny / table.side)
    clip = release.table("clips")["clip_id"][0].as_py()
    assert release.audio_file(clip) == tiny / "public" / "audio" / f"{clip}.flac"
    for name in ("cabc", "../../" + clip, "/" + clip, clip + "/", ""):
        with pytest.raises(ReleaseError, match="is no id of a clip"):
            release.audio_file(name)
    assert release.manifest.answers_hash == release.manifest.tables["answers"].content_hash


def test_the_tiny_release_has_all_sizes(tmp_path: Path) -> None:
    release = write_tiny_release(tmp_path / "large", items=12, facets=3, transcripts=True)
    assert [facet.items for facet in release.manifest.facets] == [4, 4, 4]
    assert [entry.presentations for entry in release.manifest.protocols] == [24, 24]
    golds = release.table("answers")["gold"].to_pylist()
    assert golds.count("P") == golds.count("N") == 6


def test_the_public_side_stands_alone(tiny: Path) -> None:
    shutil.rmtree(tiny / "private")
    release = open_release(tiny)
    assert not release.has_private_side
    assert release.table("items").num_rows == 3
    with pytest.raises(PrivateSideMissing, match=r"lacks private/answers\.parquet"):
        release.table("answers")
    with pytest.raises(PrivateSideMissing, match="has no private side, so no key"):
        _ = release.key


def test_a_private_side_that_is_named_wrongly_is_said_as_it_was_named(tiny: Path, tmp_path: Path) -> None:
    """A folder of answers, as it is published for a host, holds the private side and is none."""
    host = tmp_path / "host"
    shutil.copytree(tiny / "private", host / "private")
    shutil.rmtree(tiny / "private")
    for named, hint in ((host, f"; {host / 'private'} has it"), (tmp_path / "absent", "")):
        with pytest.raises(PrivateSideMissing) as raised:
            open_release(tiny, private=named).table("answers")
        assert str(raised.value) == f"{named} lacks answers.parquet{hint}"
    assert open_release(tiny, private=host / "private").table("answers").num_rows == 3


def test_protocols(tiny: Path) -> None:
    release = open_release(tiny)
    assert release.protocol() == release.protocol("both-orders") == release.family.protocol("both-orders")
    with pytest.raises(UnknownName, match=r"no protocol named 'both-orders-transcript'; there is both-orders$"):
        release.protocol("both-orders-transcript")


def test_tables_that_cannot_be_read(tiny: Path) -> None:
    release = open_release(tiny)
    whole = release.file("items").read_bytes()
    release.file("items").write_bytes(whole[:-20])
    with pytest.raises(
        ReleaseError, match=r"public/items\.parquet is no readable Parquet file: [^\n]*; earmark validate"
    ):
        release.table("items")
    release.file("items").unlink()
    with pytest.raises(ReleaseError, match=r"lacks public/items\.parquet"):
        release.table("items")


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda table: table.drop_columns(["facet"]), "it has no column facet"),
        (
            lambda table: table.set_column(0, "item_id", pa.array(range(len(table)))),
            "item_id is of type int64, not string",
        ),
        (lambda table: table.set_column(0, "item_id", pa.nulls(len(table), pa.string())), "item_id is null in 3 of 3"),
    ],
)
def test_tables_that_are_damaged_say_what_to_do(tiny: Path, change: Callable[[pa.Table], pa.Table], says: str) -> None:
    release = open_release(tiny)
    table = release.table("items")
    pq.write_table(change(table), release.file("items"))
    assert release.stored_table("items").num_rows == 3
    with pytest.raises(
        ReleaseError, match=f"table items of .* is damaged: .*{says}.*; earmark validate .* says all"
    ) as error:
        release.table("items")
    assert "\n" not in str(error.value)
    pq.write_table(table.append_column("more", table["facet"]), release.file("items"))
    assert release.table("items").num_rows == 3


def test_ids_that_lead_nowhere_are_damage(tiny: Path) -> None:
    release = open_release(tiny)
    with pytest.raises(ReleaseError, match=r"is damaged, found out when counting: 'x'; earmark validate"):  # noqa: SIM117
        with release.trusted("counting"):
            _ = {"y": 1}["x"]
    with pytest.raises(PrivateSideMissing), release.trusted("counting"):
        raise PrivateSideMissing("not damage")


def test_a_manifest_that_is_no_file_or_too_large(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from earmark.manifests import release as module

    size = (tiny / "release.json").stat().st_size
    monkeypatch.setattr(module, "_MOST_MANIFEST", size)
    assert open_release(tiny).manifest.name == "tiny"
    monkeypatch.setattr(module, "_MOST_MANIFEST", size - 1)
    with pytest.raises(ReleaseError, match="larger than"):
        open_release(tiny)
    (tiny / "release.json").unlink()
    if hasattr(os, "mkfifo"):
        os.mkfifo(tiny / "release.json")
    else:
        (tiny / "release.json").mkdir()
    with pytest.raises(ReleaseError, match=r"release\.json is no file"):
        open_release(tiny)


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"format": 2}, "has release format 2; this version of Earmark reads 1 up to 1"),
        ({"format": 0}, "has release format 0"),
        ({"format": True}, "no release manifest: Expected `int`"),
        ({"name": ...}, "no release manifest: .*missing required field `name`"),
        ({"surprise": 1}, "no release manifest: .*unknown field `surprise`"),
        ({"gold": "maybe"}, "no release manifest: Invalid enum value 'maybe'"),
        ({"protocols": []}, "offers no protocol"),
        ({"tables": {}}, "do not have the same tables: answers, clips"),
        ({"family": "stunce"}, "no family named 'stunce'"),
    ],
)
def test_manifests_that_are_none(tiny: Path, changed: dict[str, object], says: str) -> None:
    edit(tiny, **changed)
    with pytest.raises(EarmarkError, match=says):
        open_release(tiny)


@pytest.mark.parametrize("data", [b"", b"[]", b"\xff", b'{"format":1,"format":1}', b"[" * 100_000])
def test_files_that_are_no_manifest(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "release.json").write_bytes(data)
    with pytest.raises(ReleaseError, match="is no release manifest"):
        open_release(tmp_path)


def test_folders_that_are_no_release(tmp_path: Path) -> None:
    with pytest.raises(ReleaseError, match=r"is no release: cannot read release\.json"):
        open_release(tmp_path)
    with pytest.raises(ReleaseError, match="is no release"):
        open_release(tmp_path / "absent")


def test_the_content_hash_is_of_the_public_side(tiny: Path) -> None:
    manifest = open_release(tiny).manifest

    def hashed(name: str, entry: TableEntry) -> str:
        return msgspec.structs.replace(manifest, tables={**manifest.tables, name: entry}).content_hash

    for name, entry in manifest.tables.items():
        other = msgspec.structs.replace(entry, content_hash="blake2b-256:0")
        assert (hashed(name, other) == manifest.content_hash) == (entry.side is Side.PRIVATE)
        assert hashed(name, msgspec.structs.replace(entry, file_hash="sha256:0")) == manifest.content_hash
    for changed in ({"name": "x"}, {"version": "2.0.0"}, {"family": "x"}, {"format": 2}):
        assert msgspec.structs.replace(manifest, **changed).content_hash != manifest.content_hash
    assert msgspec.structs.replace(manifest, recipe={"other": 1}, seed=9).content_hash == manifest.content_hash


def test_the_manifest_is_plain_json(tiny: Path) -> None:
    manifest = open_release(tiny).manifest
    said: Json = json.loads(json.dumps(manifest.as_json()))
    assert msgspec.convert(said, Manifest) == manifest


def test_canaries() -> None:
    assert canary("toy", "1.2.0") == canary("toy", "1.9.3")
    assert len({canary("toy", "1.0.0"), canary("toy", "2.0.0"), canary("toys", "1.0.0")}) == 3


def test_parquet_of_equal_rows_is_equal_bytes(tmp_path: Path) -> None:
    one, other = write_tiny_release(tmp_path / "one"), write_tiny_release(tmp_path / "other")
    names = sorted(path.relative_to(one.path) for path in one.path.rglob("*"))
    assert names == sorted(path.relative_to(other.path) for path in other.path.rglob("*"))
    assert all((one.path / name).read_bytes() == (other.path / name).read_bytes() for name in names if name.suffix)
    assert pq.read_metadata(one.file("items")).row_group(0).column(0).compression == "ZSTD"
