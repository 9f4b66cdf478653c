"""Synthesised speech: what ships is copied; what does not is told to be in no corpus, and cut from its work folder."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
from tests.support.miniature import files_of, quiet
from tests.support.publishable import publishable
from tests.support.voiced import CORPUS, release_of, voiced

from earmark.builders.materializing.materialize import Order, materialize
from earmark.builders.publishing.policy import shipping
from earmark.builders.synthesised import synthesised
from earmark.manifests.errors import EarmarkError
from earmark.manifests.findings import Findings
from earmark.manifests.release import Release, open_release


@pytest.fixture(scope="module")
def spoken(tmp_path_factory: pytest.TempPathFactory) -> Release:
    """A release with its audio, called as the corpus that its speech is; the clips it is cut from lie in `work/clips`."""
    base = tmp_path_factory.mktemp("spoken")
    made = release_of(voiced(1, base / "work/clips"), base / "release", chains=("direct",), modalities=("audio",))
    named(made, CORPUS)
    return open_release(made.path)


def named(release: Release, name: str) -> None:
    file = release.path / "release.json"
    text = file.read_text(encoding="utf-8").replace(f'"{release.manifest.name}"', f'"{name}"')
    file.write_text(text, encoding="utf-8", newline="\n")


@pytest.fixture
def silent(spoken: Release, tmp_path: Path) -> Release:
    """The same without its audio."""
    shutil.copytree(spoken.path, tmp_path / "silent", ignore=shutil.ignore_patterns("audio"))
    return open_release(tmp_path / "silent")


def test_nothing_is_cut_where_the_audio_ships(spoken: Release, tmp_path: Path) -> None:
    made = materialize(Order(release=spoken, out=tmp_path / "out"), quiet)
    assert made.clips == {"clips": 8, "copied": 8, "cut": 0, "resumed": 0}
    assert files_of(tmp_path / "out") == files_of(spoken.path)


def test_what_no_corpus_has_is_told_in_one_line(silent: Release, tmp_path: Path) -> None:
    with pytest.raises(EarmarkError) as caught:
        materialize(Order(release=silent, out=tmp_path / "out"), quiet)
    said = str(caught.value)
    assert "speech that was synthesised for it, so no corpus has it" in said
    assert "get a copy with audio from its publisher" in said
    assert said.endswith(f"--corpus {CORPUS}=WORK/clips")
    assert "\n" not in said
    assert not list(tmp_path.glob("out*"))


def test_the_work_folder_of_the_build_gives_it_back(spoken: Release, silent: Release, tmp_path: Path) -> None:
    work = spoken.path.parent / "work"
    with pytest.raises(EarmarkError, match=r"did you mean toy-voices=\S+clips\?"):
        materialize(Order(release=silent, out=tmp_path / "out", roots={CORPUS: work}), quiet)
    materialize(Order(release=silent, out=tmp_path / "out", roots={CORPUS: work / "clips"}), quiet)
    assert files_of(tmp_path / "out") == files_of(spoken.path)


@pytest.mark.parametrize(
    ("recipes", "media"),
    [(False, True), (True, True), (True, False)],
    ids=["audio-that-may-not-ship", "recipes-in-its-place", "recipes-without-audio"],
)
def test_it_is_never_published_as_recipes(tmp_path: Path, *, recipes: bool, media: bool) -> None:
    """Under no licence of its own that keeps its audio back, nor without any audio."""
    own = {"published": "2026-03-31", "creators": ["A"], "url": "https://example.org", "licence": "CC-BY-ND-4.0"}
    made = publishable(tmp_path / "made", "dialogues", licences={CORPUS: "CC-BY-ND-4.0"}, own=own, media=media)
    release = replace(made, manifest=msgspec.structs.replace(made.manifest, name=CORPUS))
    findings = Findings()
    assert not shipping(release, recipes=recipes, findings=findings).recipes
    assert findings.counts == {"publish.synthesised": made.table("clips").num_rows}
    expected = "a licence of the release that lets clips be shared" if media else "a release built with --media"
    assert all(str(one.expected).startswith(expected) for one in findings)


def test_dialogues_that_others_made_are_a_corpus(spoken: Release) -> None:
    assert synthesised(spoken) == {CORPUS}
    recipe = {**spoken.manifest.recipe, "adopted": {}}
    assert not synthesised(replace(spoken, manifest=msgspec.structs.replace(spoken.manifest, recipe=recipe)))
    assert not synthesised(replace(spoken, manifest=msgspec.structs.replace(spoken.manifest, name="other")))
