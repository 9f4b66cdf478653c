"""Versions: metadata that say something else than the release's are named, and what cannot be told is not."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from tests.support.golden import GOLDENS
from tests.support.miniature import Miniature, quiet

from earmark.builders.materializing.versions import other_metadata, other_version
from earmark.builders.miniatures.expresso import make_expresso
from earmark.builders.miniatures.libritts import make_libritts
from earmark.builders.miniatures.svc import make_svc
from earmark.manifests.findings import Findings
from earmark.manifests.release import Release, open_release


@pytest.fixture(scope="module")
def pairs() -> Release:
    return open_release(GOLDENS["pairs"].path / "release")


def differing(release: Release, corpus: str, root: Path) -> tuple[list[str], Findings]:
    findings = Findings()
    return other_metadata(release, corpus, root, findings, quiet), findings


def test_another_list_of_a_split_is_named(pairs: Release, tmp_path: Path) -> None:
    root = tmp_path / "expresso"
    make_expresso(root, flaws=False)
    assert differing(pairs, "expresso", root)[0] == []
    with (root / "splits/test.txt").open("a", encoding="utf-8") as file:
        file.write("ex01_confused_00001\n")
    names, findings = differing(pairs, "expresso", root)
    assert names == ["splits/test.txt"]
    (finding,) = findings
    assert (finding.code.name, finding.file) == ("materialize.other-metadata", "expresso/splits/test.txt")
    assert finding.found != finding.expected


def test_audio_that_is_not_there_is_no_other_version(pairs: Release, tmp_path: Path) -> None:
    make_svc(tmp_path, flaws=False)
    for path in tmp_path.rglob("*.wav"):
        path.unlink()
    assert differing(pairs, "svc", tmp_path)[0] == []


def test_what_is_no_such_corpus_is_not_compared(pairs: Release, tmp_path: Path) -> None:
    for corpus in ("ears", "expresso", "svc", "libritts", "unknown"):
        names, findings = differing(pairs, corpus, tmp_path)
        assert (names, list(findings)) == ([], [])


def test_a_restored_libritts_is_no_libritts(pairs: Release, tmp_path: Path) -> None:
    make_libritts(tmp_path / "LibriTTS", flaws=False)
    findings = Findings()
    assert other_version(pairs, "libritts", tmp_path / "LibriTTS", findings, quiet) is None
    (tmp_path / "LibriTTS/README_libritts_r.txt").touch()
    why = other_version(pairs, "libritts", tmp_path / "LibriTTS", findings, quiet)
    assert why == "this is LibriTTS-R, whose files are called as those of LibriTTS and sound otherwise"
    assert list(findings) == []


def test_the_tables_of_seamless_are_compared_where_they_are(
    miniature: Miniature, miniature_release: Release, tmp_path: Path
) -> None:
    for name in ("filelist.csv", "interactions.csv"):
        shutil.copyfile(miniature.corpus.root / name, tmp_path / name)
    assert differing(miniature_release, "seamless-interaction", tmp_path)[0] == []
    lines = (tmp_path / "filelist.csv").read_text(encoding="utf-8").splitlines(keepends=True)
    (tmp_path / "filelist.csv").write_text("".join(lines[:-1]), encoding="utf-8")
    (tmp_path / "interactions.csv").unlink()
    assert differing(miniature_release, "seamless-interaction", tmp_path)[0] == ["filelist"]
