"""Levels: a folder that was named one too high or too low is told in one line, and every other one is left as it is."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from tests.builders.materializing.toy import Spec, noise, publish_by_hand, write
from tests.support.miniature import quiet

from earmark.builders.materializing.materialize import Order, materialize
from earmark.manifests.errors import EarmarkError
from earmark.manifests.release import open_release

PATHS = ("wav/a/one.wav", "wav/b/two.wav")


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A corpus in `in/corpus`, and a recipe release of two clips; read them, never change them."""
    base = tmp_path_factory.mktemp("toy")
    for n, path in enumerate(PATHS):
        write(base / "in/corpus" / path, noise(900, seed=n))
    publish_by_hand(base / "in/corpus", [Spec(path, [(0, 900)]) for path in PATHS], base / "release")
    return base


def order(toy: Path, root: Path, out: Path, *, elsewhere: bool = False) -> Order:
    return Order(release=open_release(toy / "release"), out=out, roots={"Toy": root}, elsewhere=elsewhere)


@pytest.mark.parametrize("named", [".", "in", "in/corpus/wav", "in/corpus/wav/a"])
def test_the_folder_that_was_meant_is_named(toy: Path, tmp_path: Path, named: str) -> None:
    with pytest.raises(EarmarkError) as caught:
        materialize(order(toy, toy / named, tmp_path / "out"), quiet)
    meant = toy / "in/corpus"
    assert str(caught.value) == (f"--corpus Toy={toy / named} has none of the 2 files, did you mean Toy={meant}?")
    assert list(tmp_path.iterdir()) == []
    assert materialize(order(toy, meant, tmp_path / "out"), quiet).release is not None


def test_whoever_takes_files_from_elsewhere_may_name_any_level(toy: Path, tmp_path: Path) -> None:
    made = materialize(order(toy, toy / "in", tmp_path / "out", elsewhere=True), quiet)
    assert made.findings.counts == {"materialize.elsewhere": 2}


def test_one_file_in_its_place_is_enough(toy: Path, tmp_path: Path) -> None:
    shutil.copytree(toy / "in/corpus", tmp_path / "copy/inner")
    (tmp_path / "copy/wav").mkdir()
    (tmp_path / "copy/inner/wav/a").rename(tmp_path / "copy/wav/a")
    made = materialize(order(toy, tmp_path / "copy", tmp_path / "out"), quiet)
    assert made.causes == {"Toy": {"materialize.misplaced": 1}}


def test_what_is_not_near_is_told_clip_by_clip(toy: Path, tmp_path: Path) -> None:
    (tmp_path / "copy").mkdir()
    made = materialize(order(toy, tmp_path / "copy", tmp_path / "out"), quiet)
    assert made.causes == {"Toy": {"materialize.missing": 2}}
