"""`earmark materialize`: what was made is said, and what a copy of a corpus does not give, by cause."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.builders.materializing.toy import Spec, noise, publish_by_hand, write
from tests.cli.conftest import Earmark

from earmark.cli.console import COULD_NOT_RUN, FINE, FOUND
from earmark.manifests.release import open_release


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A corpus of two files, and a release of three clips of it, one of which is shipped."""
    base = tmp_path_factory.mktemp("toy")
    for n in range(2):
        write(base / "corpus" / f"{n}.wav", noise(2_000, seed=n))
    specs = [Spec("0.wav", [(0, 1_000)]), Spec("0.wav", [(500, 2_000)]), Spec("1.wav", [(0, 900)])]
    publish_by_hand(base / "corpus", specs, base / "release", shipped=[0])
    return base


def test_what_was_made_is_said(earmark: Earmark, toy: Path, tmp_path: Path) -> None:
    out = tmp_path / "below" / "out"
    said = earmark("materialize", toy / "release", "--corpus", f"Toy={toy / 'corpus'}", "--out", out, "--jobs", 2)
    assert (said.code, said.err) == (FINE, "")
    first, cut, copied, _, last = said.out.splitlines()
    assert first.startswith(f"{out}: tiny 1.0.0, 3 items")
    assert (cut, copied) == (
        "  cut     2 clips, 0 of them by an earlier run",
        "  copied  1 clips, whose audio the release has",
    )
    assert last == f"{out}: no findings"
    assert (out / "public" / "recipes.parquet").is_file()


def test_machines_are_told_the_same(earmark: Earmark, toy: Path, tmp_path: Path) -> None:
    words = ("materialize", toy / "release", "--corpus", f"Toy={toy / 'corpus'}", "--out", tmp_path / "out")
    told = json.loads(earmark(*words, "--json").out)
    assert told["clips"] == {"clips": 3, "copied": 1, "cut": 2, "resumed": 0}
    assert (told["causes"], told["findings"]) == ({}, [])
    assert told["release"]["content_hash"] == open_release(toy / "release").manifest.content_hash
    assert earmark(*words, "--force", "--quiet") == (FINE, "", "")


def test_causes_are_counted_and_what_is_left_is_named(earmark: Earmark, toy: Path, tmp_path: Path) -> None:
    write(tmp_path / "copy" / "0.wav", noise(2_000, seed=0))
    write(tmp_path / "copy" / "packed" / "1.flac", noise(2_000, seed=1))
    words = ("materialize", toy / "release", "--corpus", f"Toy={tmp_path / 'copy'}", "--out", tmp_path / "out")
    said = earmark(*words)
    assert (said.code, said.out) == (FOUND, "")
    lines = said.err.splitlines()
    assert (
        lines[0]
        == f"{tmp_path / 'out.partial'} holds the clips that are as they should be; --resume continues with the others"
    )
    assert lines[2].split()[:3] == ["Toy", "1", "materialize.misplaced"]
    assert "found packed/1.flac" in lines[4]
    assert lines[-1] == f"{tmp_path / 'out'}: 1 error"
    told = json.loads(earmark(*words, "--resume", "--json").out)
    assert (told["causes"], told["release"]) == ({"Toy": {"materialize.misplaced": 1}}, None)
    said = earmark(*words, "--resume", "--elsewhere")
    assert said.code == FINE
    assert "  cut     2 clips, 1 of them by an earlier run" in said.out
    assert "note materialize.elsewhere Toy/packed/1.flac" in said.out


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ([], "lacks audio that is cut from corpora; say where yours lie: --corpus Toy=DIR"),
        (["--corpus", "Toy"], "--corpus 'Toy' is not NAME=DIR"),
        (["--corpus", "Other=x"], "no corpus of the release named 'Other'; there is Toy"),
        (["--corpus", "Toy=absent"], "no such folder"),
    ],
)
def test_what_cannot_be_done_is_one_line(
    earmark: Earmark, toy: Path, tmp_path: Path, words: list[str], why: str
) -> None:
    said = earmark("materialize", toy / "release", *words, "--out", tmp_path / "out")
    assert (said.code, said.out) == (COULD_NOT_RUN, "")
    assert why in said.err
    assert said.err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []
