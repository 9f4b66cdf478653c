"""LibriTTS: where even attribution is too much to ask, its clips are published as recipes and cut from a copy again."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
import soundfile
from tests.support.miniature import MINIATURE_KEY, files_of, quiet

from earmark.builders.making import Order as Build
from earmark.builders.making import make
from earmark.builders.materializing import causes
from earmark.builders.materializing.materialize import Materialized, Order, materialize
from earmark.builders.miniatures.libritts import make_libritts
from earmark.builders.publishing.looking_over import Wanted
from earmark.builders.publishing.publish import publish
from earmark.manifests.canonical import Json
from earmark.manifests.errors import EarmarkError
from earmark.manifests.findings import Findings
from earmark.manifests.release import open_release

pytestmark = pytest.mark.slow

RECIPE: dict[str, Json] = {
    "release": {
        "name": "books",
        "version": "1.0.0",
        "seed": 4,
        "published": "2026-12-01",
        "creators": ["Ada Lovelace"],
        "url": "https://example.org/books",
        "licence": "CC0-1.0",
    },
    "corpora": {"libritts": {"root": "LibriTTS"}},
    "pairing": {"measure": False, "blocks": ["books"]},
    "blocks": {
        "books": {
            "criterion": "gender",
            "corpora": ["libritts"],
            "speakers": "any",
            "non_tie": {"cross": 2},
            "both_good": {"cross": 1},
            "both_bad": {"cross": 1},
        }
    },
}
"""Pairs of its readers, in a release that asks nothing of anybody."""


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The corpus, a release of it at 16 kHz, `release`, and the published copy, `copy`; read them, never change them."""
    base = tmp_path_factory.mktemp("libritts")
    make_libritts(base / "LibriTTS", flaws=False)
    (base / "line.key").write_bytes(MINIATURE_KEY)
    build = Build(
        family="pairs",
        recipe=RECIPE,
        base=base,
        out=base / "release",
        key=base / "line.key",
        media=True,
        media_rate=16_000,
    )
    release = make(build, quiet).release
    assert release is not None
    publish(release, Wanted(to=base / "copy", recipes=True), Findings(), quiet)
    return base


def completed(base: Path, root: Path, out: Path) -> Materialized:
    return materialize(Order(release=open_release(base / "copy"), out=out, roots={"libritts": root}, jobs=2), quiet)


def own(base: Path, to: Path) -> Path:
    shutil.copytree(base / "LibriTTS", to)
    return to


def test_every_clip_is_cut_to_what_was_built(base: Path, tmp_path: Path) -> None:
    copy, built = open_release(base / "copy"), open_release(base / "release")
    assert copy.manifest.gold == "derivable"
    made = completed(base, base / "LibriTTS", tmp_path / "out")
    assert list(made.findings) == []
    assert made.clips["cut"] == made.clips["clips"] == copy.table("clips").num_rows > 0
    assert files_of(tmp_path / "out/public/audio") == files_of(built.path / "public/audio")
    assert (tmp_path / "out/release.json").read_bytes() == (base / "copy/release.json").read_bytes()


def test_a_subset_is_no_corpus(base: Path, tmp_path: Path) -> None:
    for named in (base, base / "LibriTTS/test-clean"):
        with pytest.raises(EarmarkError, match=r"did you mean libritts=\S*LibriTTS\?"):
            completed(base, named, tmp_path / "out")


def test_the_restored_corpus_is_told_by_its_name(base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(causes, "MOST_SCALED", 1)  # which takes its time
    root = own(base, tmp_path / "LibriTTS_R")
    for path in root.rglob("*.wav"):
        samples, rate = soundfile.read(path, dtype="int16")
        soundfile.write(path, samples[::-1], rate)
    made = completed(base, root, tmp_path / "out")
    assert made.findings.counts == {"materialize.differs": made.clips["clips"]}
    assert all("this is LibriTTS-R" in str(one.expected) for one in made.findings)


def test_what_a_copy_lacks_is_told_once_for_each_clip(base: Path, tmp_path: Path) -> None:
    """A copy with one subset, and one whose names a system wrote in capitals."""
    root = own(base, tmp_path / "LibriTTS")
    shutil.rmtree(root / "test-other")
    made = completed(base, root, tmp_path / "out")
    lacking = {str(one.file) for one in made.findings}
    assert made.findings.counts.keys() == {"materialize.missing"}
    assert all(file.startswith("libritts/test-other/") for file in lacking)
    for path in list(root.rglob("*.wav")):
        path.rename(path.with_name(path.name.upper()))
    made = completed(base, root, tmp_path / "again")
    assert made.findings.counts.keys() == {"materialize.missing", "materialize.misplaced"}
