"""A stranger's recipes: whatever they say, nothing outside the corpus is read, no memory is taken, and all is told at once."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.builders.materializing.toy import Spec, noise, publish_by_hand, with_recipes, write
from tests.support.miniature import quiet

from earmark.builders.materializing.folders import CorpusFolder, OutsideCorpus
from earmark.builders.materializing.materialize import Materialized, Order, materialize
from earmark.builders.materializing.recipes import MOST_SAMPLES, unsafe
from earmark.manifests.declarations import RECIPES
from earmark.manifests.errors import Refused, ReleaseError
from earmark.manifests.findings import Findings
from earmark.manifests.release import Release, open_release

HUGE = 2**62


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    base = tmp_path_factory.mktemp("toy")
    write(base / "corpus" / "one.wav", noise(4_000))
    publish_by_hand(base / "corpus", [Spec("one.wav", [(0, 900), (1_000, 2_000)], silence=5)], base / "release")
    return base


def run(toy: Path, release: Release, out: Path) -> Materialized:
    return materialize(Order(release=release, out=out, roots={"Toy": toy / "corpus"}), quiet)


def refused(toy: Path, release: Release, tmp_path: Path) -> Findings:
    """What is found; nothing may have been begun."""
    with pytest.raises(Refused) as caught:
        run(toy, release, tmp_path / "out")
    assert not list(tmp_path.glob("out*"))
    return caught.value.findings


CHANGES: list[tuple[Mapping[str, object], set[str]]] = [
    ({"path": "../one.wav"}, {"recipes.path"}),
    ({"path": "a/../../one.wav"}, {"recipes.path"}),
    ({"path": "/etc/passwd"}, {"recipes.path", "table.value"}),
    ({"path": "C:one.wav"}, {"recipes.path"}),
    ({"path": "a\\..\\one.wav"}, {"recipes.path"}),
    ({"path": "a\0b.wav"}, {"recipes.path"}),
    ({"path": "a/" * 5_000 + "one.wav"}, {"recipes.path"}),
    ({"path": ""}, {"table.value"}),
    ({"joining_silence": HUGE}, {"recipes.too-long"}),
    ({"joining_silence": -1}, {"table.value"}),
    ({"starts": [0], "ends": [HUGE]}, {"recipes.too-long"}),
    ({"starts": [0] * 300, "ends": [1_000_000] * 300}, {"recipes.too-long"}),
    ({"starts": [0] * 5_000, "ends": [1] * 5_000}, {"recipes.spans"}),
    ({"starts": [], "ends": []}, {"recipes.spans"}),
    ({"starts": [0, 5], "ends": [10]}, {"recipes.spans"}),
    ({"starts": [10], "ends": [10]}, {"recipes.spans"}),
    ({"starts": [-5], "ends": [10]}, {"table.value"}),
    ({"starts": [0], "ends": [4_000_000], "joining_silence": 0}, {"recipes.disagrees"}),
    ({"rate": 0}, {"table.value"}),
    ({"rate": HUGE}, {"recipes.disagrees"}),
    ({"channel": -1}, {"table.value"}),
    ({"gain": 20.0}, {"table.value"}),
    ({"pcm_hash": "md5:0"}, {"table.value"}),
    ({"corpus": "Other"}, {"recipes.disagrees"}),
    ({"corpus_version": "2.0"}, {"recipes.disagrees"}),
    ({"clip_id": "../../x"}, {"table.value", "recipes.absent"}),
    ({"clip_id": "c" + "a" * 26}, {"recipes.absent"}),
]


@pytest.mark.parametrize(
    ("change", "codes"), CHANGES, ids=lambda value: str(sorted(value) if isinstance(value, set) else value)[:40]
)
def test_what_cannot_be_is_refused_before_a_file_is_opened(
    toy: Path, tmp_path: Path, change: dict[str, object], codes: set[str]
) -> None:
    release = with_recipes(open_release(toy / "release"), change, tmp_path / "release")
    found = refused(toy, release, tmp_path)
    assert found.counts.keys() & codes
    assert found.counts.keys() <= codes
    assert len(json.dumps(found.as_json())) < 20_000


def test_a_channel_or_a_span_that_the_file_lacks_is_a_difference(toy: Path, tmp_path: Path) -> None:
    release = with_recipes(open_release(toy / "release"), {"channel": 2**40}, tmp_path / "release")
    found = run(toy, release, tmp_path / "out").findings
    assert found.counts == {"materialize.channel": 1}, "its only channel has the samples"
    change: dict[str, object] = {"starts": [HUGE], "ends": [HUGE + 1_905], "joining_silence": 0}
    release = with_recipes(open_release(toy / "release"), change, tmp_path / "far")
    assert run(toy, release, tmp_path / "out").findings.counts == {"materialize.short": 1}


@pytest.mark.parametrize("rate", [0, -1, 1, 999, 655_351, HUGE])
def test_a_rate_that_flac_has_not_is_refused(toy: Path, tmp_path: Path, rate: int) -> None:
    release = open_release(toy / "release")
    media = msgspec.structs.replace(release.manifest.media, rate=rate)  # type: ignore[type-var]  # it has media
    changed = replace(release, manifest=msgspec.structs.replace(release.manifest, media=media))
    assert refused(toy, changed, tmp_path).counts == {"recipes.media-rate": 1}


def test_a_clip_that_resampling_would_make_huge_is_refused(toy: Path, tmp_path: Path) -> None:
    write(tmp_path / "slow" / "one.wav", noise(1_000), rate=2)
    release = publish_by_hand(tmp_path / "slow", [Spec("one.wav", [(0, 900)])], tmp_path / "release")
    media = msgspec.structs.replace(release.manifest.media, rate=192_000)  # type: ignore[type-var]  # it has media
    changed = replace(release, manifest=msgspec.structs.replace(release.manifest, media=media))
    found = refused(toy, changed, tmp_path)
    assert found.counts == {"recipes.too-long": 1}
    assert f"at most {MOST_SAMPLES}" in next(iter(found)).text()


def test_a_table_that_is_not_the_manifests_is_refused(toy: Path, tmp_path: Path) -> None:
    release = with_recipes(open_release(toy / "release"), {"path": "two.wav"}, tmp_path / "release")
    changed = replace(release, manifest=open_release(toy / "release").manifest)
    assert refused(toy, changed, tmp_path).counts == {"recipes.hash": 1}


@pytest.mark.parametrize("table", [b"", b"PAR1" + bytes(50) + b"PAR1", None])
def test_a_table_that_is_none_is_told(toy: Path, tmp_path: Path, table: bytes | None) -> None:
    shutil.copytree(toy / "release", tmp_path / "release")
    file = tmp_path / "release" / "public" / "recipes.parquet"
    file.unlink() if table is None else file.write_bytes(table)
    found = refused(toy, open_release(tmp_path / "release"), tmp_path)
    assert found.counts == {"recipes.unreadable": 1}


def test_a_gain_that_is_no_number_is_told(toy: Path, tmp_path: Path) -> None:
    shutil.copytree(toy / "release", tmp_path / "release")
    file = tmp_path / "release" / "public" / "recipes.parquet"
    rows = [{**row, "gain": float("nan")} for row in pq.read_table(file).to_pylist()]
    pq.write_table(RECIPES.from_rows(rows), file)
    assert "table.not-finite" in refused(toy, open_release(tmp_path / "release"), tmp_path).counts


def test_a_table_of_other_columns_is_told(toy: Path, tmp_path: Path) -> None:
    shutil.copytree(toy / "release", tmp_path / "release")
    pq.write_table(pa.table({"clip_id": ["x"]}), tmp_path / "release" / "public" / "recipes.parquet")
    assert refused(toy, open_release(tmp_path / "release"), tmp_path).counts == {"table.columns": 1}


def test_a_public_table_that_was_tampered_with_is_told(toy: Path, tmp_path: Path) -> None:
    shutil.copytree(toy / "release", tmp_path / "release")
    with (tmp_path / "release/public/items.parquet").open("ab") as file:
        file.write(b"x")
    assert refused(toy, open_release(tmp_path / "release"), tmp_path).counts == {"release.file-hash": 1}


@pytest.mark.parametrize("leads_to", ["/dev/zero", "items.parquet", "nowhere"])
@pytest.mark.parametrize("table", ["items", "prompts"])
def test_a_table_that_is_a_link_is_told_before_it_is_copied(
    toy: Path, tmp_path: Path, table: str, leads_to: str
) -> None:
    shutil.copytree(toy / "release", tmp_path / "release")
    link = tmp_path / "release/public" / f"{table}.parquet"
    shutil.move(link, tmp_path / "items.parquet")
    link.symlink_to(tmp_path / leads_to)
    with pytest.raises(ReleaseError, match=r"a link or no file"):
        run(toy, open_release(tmp_path / "release"), tmp_path / "out")
    assert not (tmp_path / "out").exists()


@given(st.lists(st.sampled_from(["a", "..", ".", "", "C:", "b.wav", "\\", "é", "\n", "…"]), max_size=5).map("/".join))
@example("a/b.wav")
def test_no_path_leads_out(path: str) -> None:
    """What is let through stays in the folder on a system of either kind."""
    import ntpath
    import posixpath

    if unsafe(path) is not None:
        with pytest.raises(OutsideCorpus):
            CorpusFolder(Path("/corpus")).file(path)
        return
    assert posixpath.normpath(posixpath.join("/corpus", path)).startswith("/corpus/")
    assert ntpath.normpath(ntpath.join(r"Z:\corpus", *path.split("/"))).startswith("Z:\\corpus\\")
    assert CorpusFolder(Path("/corpus")).file(path) == Path("/corpus", *path.split("/"))
