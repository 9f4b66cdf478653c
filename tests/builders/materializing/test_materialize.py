"""Materialising: what is cut from the published corpus is what was published, byte for byte, whatever was shipped already."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import textwrap
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
import soundfile
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.builders.materializing.toy import RATE, Spec, noise, publish_by_hand, write
from tests.support.miniature import Miniature, files_of, quiet

from earmark.builders.materializing.materialize import Order, materialize
from earmark.builders.publishing.data.recipes import recipe_rows, write_recipes
from earmark.manifests.canonical import json_text
from earmark.manifests.errors import DestinationExists, EarmarkError, UnknownName
from earmark.manifests.release import MANIFEST, Release, open_release
from earmark.validation.invariants import validate

SPECS = [
    Spec("a/one.wav", [(0, 9_000)]),
    Spec("a/one.wav", [(100, 4_000), (5_000, 6_000)], silence=800),
    Spec("b/two.wav", [(7, 8_000)], channel=1),
    Spec("b/two.wav", [(7, 8_000)], channel=1, gain=-12.0),
    Spec("b/deep.wav", [(10, 700), (900, 5_000)], silence=3),
]


def write_toy(root: Path) -> Path:
    write(root / "a/one.wav", noise(9_000, seed=1))
    write(root / "b/two.wav", noise(9_000, 2, seed=2))
    write(root / "b/deep.wav", noise(6_000, seed=3, bits=24), rate=24_000, subtype="PCM_24")
    return root


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A corpus and a recipe release of it, `release`; read them, never change them."""
    base = tmp_path_factory.mktemp("toy")
    publish_by_hand(write_toy(base / "corpus"), SPECS, base / "release")
    return base


def order(toy: Path, out: Path, **changes: object) -> Order:
    made = Order(release=open_release(toy / "release"), out=out, roots={"Toy": toy / "corpus"})
    return replace(made, **changes)  # type: ignore[arg-type]  # of whatever kind


@st.composite
def corpora(draw: st.DrawFn) -> tuple[dict[str, tuple[int, int, int]], list[Spec], list[int]]:
    """Files (channels, rate, bits), clips of them, and which are shipped."""
    kinds = st.tuples(st.integers(1, 3), st.sampled_from([8_000, RATE, 48_000]), st.sampled_from([16, 24]))
    files = draw(st.dictionaries(st.sampled_from(["x.wav", "é/y.wav", "d/x.flac"]), kinds, min_size=1))
    ends = st.lists(st.integers(1, 900), min_size=2, max_size=7, unique=True).map(sorted)
    specs = []
    for _ in range(draw(st.integers(1, 5))):
        path, cuts = draw(st.sampled_from(sorted(files))), draw(ends)
        spans = list(zip(cuts[::2], cuts[1::2], strict=False))
        gain = draw(st.none() | st.sampled_from([-200.0, -12.0, 0.0]))
        specs.append(Spec(path, spans, draw(st.integers(0, files[path][0] - 1)), draw(st.integers(0, 50)), gain))
    shipped = draw(st.lists(st.sampled_from(range(len(specs))), unique=True))
    return files, specs, shipped


@settings(max_examples=12)
@given(corpora(), st.integers(1, 4))
def test_every_clip_is_what_the_publisher_cut(
    drawn: tuple[dict[str, tuple[int, int, int]], list[Spec], list[int]], jobs: int
) -> None:
    files, specs, shipped = drawn
    with tempfile.TemporaryDirectory() as scratch:
        base = Path(scratch)
        for n, (path, (channels, rate, bits)) in enumerate(files.items()):
            write(base / "corpus" / path, noise(900, channels, seed=n, bits=bits), rate=rate, subtype=f"PCM_{bits}")
        release = publish_by_hand(base / "corpus", specs, base / "release", shipped=shipped)
        made = materialize(order(base, base / "out", jobs=jobs), quiet)
        assert made.release is not None
        assert list(made.findings) == []
        assert files_of(base / "out" / "public" / "audio") == files_of(base / "release.audio")
        tables = {name: data for name, data in files_of(release.path).items() if not name.startswith("public/audio/")}
        assert tables.items() <= files_of(base / "out").items()
        assert made.clips == {
            "clips": len(specs),
            "copied": len(shipped),
            "cut": len(specs) - len(shipped),
            "resumed": 0,
        }


def published(release: Release, out: Path, *, without: int = 0) -> Release:
    """A copy of a release that says how its clips are cut in place of all but some of its audio, as is published."""
    clips = sorted(path.stem for path in (release.path / "public" / "audio").iterdir())
    private = shutil.ignore_patterns("private")
    shutil.copytree(release.path, out, ignore=private)
    for clip in clips[without:]:
        (out / "public" / "audio" / f"{clip}.flac").unlink()
    entry = write_recipes(recipe_rows(release, clips[without:]), out / "public" / "recipes.parquet")
    manifest = msgspec.structs.replace(release.manifest, recipes=entry, gold="derivable")
    (out / MANIFEST).write_text(json_text(manifest.as_json()), encoding="utf-8", newline="\n")
    return open_release(out)


def test_a_release_of_the_miniature_is_what_its_builder_shipped(
    miniature: Miniature, miniature_release: Release, tmp_path: Path
) -> None:
    """Resampled, and some of it shipped: the media hash of the manifest holds, so each FLAC file is the same."""
    copy = published(miniature_release, tmp_path / "copy", without=3)
    roots = {"seamless-interaction": miniature.corpus.root}
    made = materialize(Order(release=copy, out=tmp_path / "out", roots=roots, jobs=2), quiet)
    assert made.release is not None
    assert list(made.findings) == []
    assert made.release.manifest == copy.manifest
    assert validate(made.release).counts == {"release.no-private-side": 1}
    assert files_of(tmp_path / "out/public/audio") == files_of(miniature_release.path / "public/audio")


def test_sources_serve_where_no_recipe_was_published(
    miniature: Miniature, miniature_release: Release, tmp_path: Path
) -> None:
    """A host's own release without its audio: the private side says all, and comes along."""
    shutil.copytree(miniature_release.path, tmp_path / "plain", ignore=shutil.ignore_patterns("audio"))
    plain = open_release(tmp_path / "plain")
    roots = {"seamless-interaction": miniature.corpus.root}
    made = materialize(Order(release=plain, out=tmp_path / "out", roots=roots), quiet)
    assert made.release is not None
    assert files_of(tmp_path / "out") == files_of(miniature_release.path)
    if os.name == "posix":
        assert (tmp_path / "out" / "private" / "key").stat().st_mode & 0o077 == 0


@pytest.mark.slow
def test_clips_that_nobody_has_hashed_are_cut_and_that_is_said(miniature: Miniature, tmp_path: Path) -> None:
    plain = miniature.build(tmp_path / "plain").release
    assert plain is not None
    roots = {"seamless-interaction": miniature.corpus.root}
    made = materialize(Order(release=plain, out=tmp_path / "out", roots=roots), quiet)
    assert made.findings.counts == {"materialize.unverified": 1}
    assert made.release is not None
    assert made.release.manifest.content_hash == plain.manifest.content_hash
    media = made.release.manifest.media
    assert media is not None
    assert (media.rate, media.files) == (None, plain.table("clips").num_rows)
    rates = {soundfile.info(path).samplerate for path in (tmp_path / "out/public/audio").iterdir()}
    assert rates == {48_000}


def test_a_killed_run_goes_on(toy: Path, tmp_path: Path) -> None:
    script = textwrap.dedent(
        """
        import os, signal, sys
        from pathlib import Path
        from earmark.builders.materializing.materialize import Order, materialize
        from earmark.manifests.building import WorkFolder
        from earmark.manifests.release import open_release

        note, noted = WorkFolder.note_done, []

        def note_three(work, entry, *, sync):
            note(work, entry, sync=sync)
            noted.append(entry)
            if len(noted) == 3:
                os.kill(os.getpid(), signal.SIGKILL)

        WorkFolder.note_done = note_three
        toy, out = map(Path, sys.argv[1:])
        order = Order(release=open_release(toy / "release"), out=out, roots={"Toy": toy / "corpus"})
        materialize(order, lambda *_: None)
        """
    )
    out = tmp_path / "out"
    killed = subprocess.run([sys.executable, "-c", script, str(toy), str(out)], check=False)
    assert killed.returncode == -signal.SIGKILL
    assert not out.exists()
    (tmp_path / "out.partial/public/audio/.x.flac.1.2.partial").touch()  # what a writer leaves
    with pytest.raises(DestinationExists, match="continue it with --resume"):
        materialize(order(toy, out), quiet)
    made = materialize(order(toy, out, resume=True), quiet)
    assert (made.clips["resumed"], made.clips["cut"]) == (3, 2)
    assert files_of(out / "public/audio") == files_of(toy / "release.audio")
    assert not (tmp_path / "out.partial").exists()


def test_a_finished_clip_whose_file_was_changed_is_cut_again(toy: Path, tmp_path: Path) -> None:
    class Killed(BaseException):
        pass

    def stop(what: str, done: int, _total: int) -> None:
        if (what, done) == ("cutting clips", 4):
            raise Killed

    with pytest.raises(Killed):
        materialize(order(toy, tmp_path / "out"), stop)
    first, *others = sorted((tmp_path / "out.partial/public/audio").glob("c*.flac"))
    first.write_bytes(b"fLaC")
    made = materialize(order(toy, tmp_path / "out", resume=True), quiet)
    assert made.clips["resumed"] == len(others) >= 3
    assert files_of(tmp_path / "out" / "public/audio") == files_of(toy / "release.audio")


def test_only_what_is_missing_is_cut_once_the_copy_is_mended(toy: Path, tmp_path: Path) -> None:
    own = tmp_path / "own"
    shutil.copytree(toy / "corpus", own)
    (own / "b/two.wav").rename(tmp_path / "two.wav")
    made = materialize(order(toy, tmp_path / "out", roots={"Toy": own}), quiet)
    assert made.release is None
    assert made.causes == {"Toy": {"materialize.missing": 2}}
    assert not (tmp_path / "out").exists()
    (tmp_path / "two.wav").rename(own / "b/two.wav")
    made = materialize(order(toy, tmp_path / "out", roots={"Toy": own}, resume=True), quiet)
    assert (made.clips["resumed"], made.clips["cut"]) == (3, 2)
    assert files_of(tmp_path / "out/public/audio") == files_of(toy / "release.audio")


def test_corpora_are_asked_for_by_name(toy: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    with pytest.raises(EarmarkError, match="say where yours lie: --corpus Toy=DIR"):
        materialize(order(toy, out, roots={}), quiet)
    with pytest.raises(UnknownName, match="no corpus of the release named 'toy'; there is Toy"):
        materialize(order(toy, out, roots={"toy": toy}), quiet)
    with pytest.raises(EarmarkError, match="no such folder"):
        materialize(order(toy, out, roots={"Toy": toy / "absent"}), quiet)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_there_stays(toy: Path, tmp_path: Path) -> None:
    with pytest.raises(DestinationExists):
        materialize(order(toy, tmp_path), quiet)
    assert list(tmp_path.iterdir()) == []
