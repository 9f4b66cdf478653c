"""Causes: each kind of damage is called by its name, and what is sure is told from what is likely."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest
import soundfile
import soxr
from numpy.typing import NDArray
from tests.builders.materializing.toy import RATE, Spec, noise, publish_by_hand, write
from tests.support.miniature import Miniature, files_of, quiet

from earmark.builders.materializing import causes, inverses
from earmark.builders.materializing.materialize import Materialized, Order, materialize
from earmark.manifests.release import Release, open_release

PATH = "rec/one.wav"
FRAMES = 16_000
SPECS = [Spec(PATH, [(400, 9_000), (9_500, 15_900)], channel=1, silence=200)]


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A corpus of one file of two channels, and a recipe release of one clip; read them, never change them."""
    base = tmp_path_factory.mktemp("toy")
    write(base / "corpus" / PATH, noise(FRAMES, 2))
    publish_by_hand(base / "corpus", SPECS, base / "release")
    return base


def samples() -> NDArray[np.int16]:
    """What the file holds."""
    held: NDArray[np.int16] = (noise(FRAMES, 2) >> 16).astype(np.int16)
    return held


def put(root: Path, data: NDArray[np.generic], *, rate: int = RATE, subtype: str = "PCM_16", path: str = PATH) -> None:
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    soundfile.write(root / path, data, rate, subtype=subtype)


def scaled(factor: float, *, cut: bool = False) -> NDArray[np.int16]:
    products = samples() * factor
    rounded = np.trunc(products) if cut else np.rint(products)
    held: NDArray[np.int16] = np.clip(rounded, -32_768, 32_767).astype(np.int16)
    return held


@dataclass(frozen=True)
class Damage:
    """Something that was done to a copy.

    Args:
        name: Its name.
        write: Writes the copy.
        code: What must be said.
        found: What must be said to have been found.
        expected: What must be said to be right.
    """

    name: str
    write: Callable[[Path], None]
    code: str
    found: str | None = None
    expected: str | None = None

    def __str__(self) -> str:
        return self.name


def resample(root: Path) -> None:
    put(root, soxr.resample(samples(), RATE, 8_000), rate=8_000)


def drop(_root: Path) -> None:
    """Write nothing."""


def garble(root: Path) -> None:
    put(root, samples())
    (root / PATH).write_bytes((root / PATH).read_bytes()[:2_000])


def instead(content: bytes) -> Callable[[Path], None]:
    def write_it(root: Path) -> None:
        (root / PATH).parent.mkdir(parents=True)
        (root / PATH).write_bytes(content)

    return write_it


def link_out(root: Path) -> None:
    put(root.with_name("theirs"), samples())
    (root / PATH).parent.mkdir(parents=True)
    (root / PATH).symlink_to(root.with_name("theirs") / PATH)


def compress(root: Path) -> None:
    path = root / PATH
    path.parent.mkdir(parents=True)
    soundfile.write(path, samples(), RATE, format="OGG", subtype="VORBIS")


def beside(
    path: str, data: Callable[[], NDArray[np.generic]] = samples, *, own: bool = False
) -> Callable[[Path], None]:
    def write_both(root: Path) -> None:
        put(root, data(), path=path)
        if own:
            put(root, (noise(FRAMES, 2, seed=5) >> 16).astype(np.int16))

    return write_both


DAMAGES = [
    Damage("missing", drop, "materialize.missing"),
    Damage(
        "another folder", beside("a/b/c/rec/one.wav"), "materialize.misplaced", "a/b/c/rec/one.wav", f"a file {PATH}"
    ),
    Damage("another ending", beside("rec/One.flac"), "materialize.misplaced", "rec/One.flac", "or --elsewhere"),
    Damage(
        "another folder and file",
        beside("x/one.wav", lambda: samples()[::-1]),
        "materialize.missing",
        "x/one.wav, of which this is so: the samples are others",
    ),
    Damage("another file of the name", beside("x/one.wav", own=True), "materialize.misplaced", "x/one.wav"),
    Damage(
        "other samples",
        lambda root: put(root, samples()[::-1]),
        "materialize.differs",
        None,
        "the samples as they were",
    ),
    Damage("resampled", resample, "materialize.rate", "8000 Hz", "16000 Hz"),
    Damage("truncated", garble, "materialize.unreadable", "truncated"),
    Damage(
        "a pointer in its place",
        instead(b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n"),
        "materialize.unreadable",
        "it is text: version https://git-lfs.github.com/spec/v1",
        "the file as it was published",
    ),
    Damage("an empty file", instead(b""), "materialize.unreadable", "it is empty"),
    Damage("bytes of no kind", instead(b"\xff\xfe\n"), "materialize.unreadable", "Format not recognised)"),
    Damage("lossy", compress, "materialize.lossy", "VORBIS"),
    Damage(
        "trimmed end",
        lambda root: put(root, samples()[:15_000]),
        "materialize.short",
        "15000 samples",
        "at least 15900",
    ),
    Damage(
        "trimmed start", lambda root: put(root, samples()[300:15_900]), "materialize.shifted", "300 samples earlier"
    ),
    Damage(
        "one sample late",
        lambda root: put(root, np.pad(samples(), ((1, 0), (0, 0)))),
        "materialize.shifted",
        "1 samples later",
    ),
    Damage(
        "channels swapped", lambda root: put(root, samples()[:, ::-1]), "materialize.channel", "channel 0", "channel 1"
    ),
    Damage("that channel alone", lambda root: put(root, samples()[:, 1]), "materialize.channel", "the only channel"),
    Damage(
        "the other channel alone", lambda root: put(root, samples()[:, 0]), "materialize.channels", "1", "at least 2"
    ),
    Damage("the other sign", lambda root: put(root, -samples()), "materialize.polarity"),
    Damage("louder", lambda root: put(root, scaled(1.3)), "materialize.gain", "2.28 dB louder"),
    Damage("louder, cut off", lambda root: put(root, scaled(1.05, cut=True)), "materialize.gain", "0.42 dB louder"),
    Damage(
        "softer in floats",
        lambda root: put(root, samples() * np.float32(0.7 / 32_768), subtype="FLOAT"),
        "materialize.gain",
        "3.10 dB softer",
    ),
    Damage("softer", lambda root: put(root, scaled(0.5)), "materialize.differs"),
    Damage(
        "of 24 bits, which were rounded",
        lambda root: put(root, (samples().astype(np.int32) << 16) + 30_000, subtype="PCM_24"),
        "materialize.depth",
        "samples as PCM_24",
        "samples of 16 bits",
    ),
]


def tried(toy: Path, root: Path, out: Path) -> Materialized:
    return materialize(Order(release=open_release(toy / "release"), out=out, roots={"Toy": root}), quiet)


@pytest.mark.parametrize("damage", DAMAGES, ids=str)
def test_damage_is_called_by_its_name(toy: Path, tmp_path: Path, damage: Damage) -> None:
    root = tmp_path / "copy"
    root.mkdir()
    damage.write(root)
    made = tried(toy, root, tmp_path / "out")
    assert made.release is None
    assert made.findings.counts == {damage.code: 1}
    assert made.causes == {"Toy": {damage.code: 1}}
    (finding,) = made.findings
    assert (finding.file, finding.id) == (
        f"Toy/{PATH}",
        str(open_release(toy / "release").table("clips")["clip_id"][0]),
    )
    assert damage.found is None or damage.found in str(finding.found)
    assert damage.expected is None or damage.expected in str(finding.expected)
    assert str(tmp_path) not in finding.text()
    assert not list(tmp_path.glob("out*")), "nothing was done that another run could go on with"


@pytest.mark.skipif(os.name != "posix", reason="links")
def test_a_link_out_of_the_corpus_is_not_followed(toy: Path, tmp_path: Path) -> None:
    (tmp_path / "copy").mkdir()
    link_out(tmp_path / "copy")
    assert tried(toy, tmp_path / "copy", tmp_path / "out").findings.counts == {"materialize.outside": 1}
    (tmp_path / "copy" / PATH).unlink()
    (tmp_path / "copy" / PATH).symlink_to(PATH.rpartition("/")[2])
    assert tried(toy, tmp_path / "copy", tmp_path / "out").findings.counts == {"materialize.missing": 1}


@pytest.mark.skipif(os.name != "posix", reason="links")
def test_a_corpus_may_be_a_link_and_have_links_within_it(toy: Path, tmp_path: Path) -> None:
    put(tmp_path / "real", samples(), path="store/1.wav")
    (tmp_path / "real" / PATH).parent.mkdir()
    (tmp_path / "real" / PATH).symlink_to("../store/1.wav")
    (tmp_path / "copy").symlink_to(tmp_path / "real")
    assert tried(toy, tmp_path / "copy", tmp_path / "out").release is not None


def test_floats_of_another_full_scale_are_of_another_depth(tmp_path: Path) -> None:
    """Many divide by 32767, which only loud samples show."""
    loud = np.linspace(-32_768, 32_767, 2_000).astype(np.int16)
    put(tmp_path / "corpus", loud)
    publish_by_hand(tmp_path / "corpus", [Spec(PATH, [(0, 2_000)])], tmp_path / "release")
    put(tmp_path / "copy", loud / 32_767, subtype="DOUBLE")
    made = tried(tmp_path, tmp_path / "copy", tmp_path / "out")
    (finding,) = made.findings
    assert finding.code.name == "materialize.depth"
    assert (finding.found, finding.expected) == ("samples as DOUBLE", "samples of 16 bits")


def test_another_file_is_taken_where_that_is_asked_for(toy: Path, tmp_path: Path) -> None:
    """A copy that was packed as FLAC, in other folders: the samples are right, and that is all that counts."""
    put(tmp_path / "copy", samples(), path="packed/ONE.flac")
    order = Order(
        release=open_release(toy / "release"), out=tmp_path / "out", roots={"Toy": tmp_path / "copy"}, elsewhere=True
    )
    made = materialize(order, quiet)
    assert made.findings.counts == {"materialize.elsewhere": 1}
    assert "Toy/packed/ONE.flac" in next(iter(made.findings)).text()
    assert files_of(tmp_path / "out/public/audio") == files_of(toy / "release.audio")
    put(tmp_path / "copy", samples()[::-1], path="packed/ONE.flac")
    assert materialize(replace(order, out=tmp_path / "no"), quiet).findings.counts == {"materialize.missing": 1}


@pytest.mark.parametrize("subtype", ["PCM_24", "PCM_32", "FLOAT"])
def test_samples_of_16_bits_stored_in_more_are_written_as_16(toy: Path, tmp_path: Path, subtype: str) -> None:
    """The copy holds the same samples, so the hash is right; so are the files, though the copy's depth is another."""
    put(tmp_path / "copy", samples() / np.float64(32_768), subtype=subtype)
    made = tried(toy, tmp_path / "copy", tmp_path / "out")
    assert made.findings.counts == {"materialize.narrowed": 1}
    assert files_of(tmp_path / "out/public/audio") == files_of(toy / "release.audio")


def test_other_bytes_of_the_same_samples_are_told(toy: Path, tmp_path: Path) -> None:
    """Another encoder wrote the published files: each hash of samples holds, and the manifest says what lies there now."""
    release = tmp_path / "release"
    shutil.copytree(toy / "release", release)
    said = (release / "release.json").read_text(encoding="utf-8")
    hash = open_release(release).manifest.media.hash  # type: ignore[union-attr]  # it has media
    (release / "release.json").write_text(said.replace(hash, f"sha256:{'0' * 64}"), encoding="utf-8", newline="\n")
    made = materialize(Order(release=open_release(release), out=tmp_path / "out", roots={"Toy": toy / "corpus"}), quiet)
    assert made.findings.counts == {"materialize.other-bytes": 1}
    assert made.release is not None
    assert made.release.manifest.media is not None
    assert made.release.manifest.media.hash == hash
    assert made.release.manifest.content_hash == open_release(release).manifest.content_hash


def test_neither_order_nor_jobs_change_what_is_said(toy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of many clips only the first are looked into for every cause; those are the same however the work is shared."""
    monkeypatch.setattr(causes, "MOST_LOOKED_INTO", 3)
    specs = [Spec(f"{n}.wav", [(0, 2_000)]) for n in range(8)]
    for n in range(8):
        write(tmp_path / "corpus" / f"{n}.wav", noise(2_000, seed=n))
        damaged = -noise(2_000, seed=n) if n % 3 else noise(2_000, seed=n)[::-1]
        write(tmp_path / "copy" / f"{n}.wav", damaged)
    release = publish_by_hand(tmp_path / "corpus", specs, tmp_path / "release")
    said = []
    for jobs in (1, 3):
        order = Order(release=release, out=tmp_path / "out", roots={"Toy": tmp_path / "copy"}, jobs=jobs)
        made = materialize(order, quiet)
        said.append((made.findings.as_json(), made.causes))
    assert said[0] == said[1]
    assert said[0][1] == {"Toy": {"materialize.differs": 3, "materialize.polarity": 5}}


@pytest.mark.parametrize(("gain", "searched"), [(1.3, 6), (None, 2)], ids=["found-in-the-first", "not-found"])
def test_gains_are_searched_on_only_where_one_was_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, gain: float | None, searched: int
) -> None:
    calls = []
    search = inverses._scalings

    def counting(*words: object) -> object:
        calls.append(words)
        return search(*words)  # type: ignore[arg-type]  # as they came

    monkeypatch.setattr(inverses, "_scalings", counting)
    monkeypatch.setattr(causes, "MOST_SCALED", 2)
    (tmp_path / "copy").mkdir()
    for n in range(6):
        write(tmp_path / "corpus" / f"{n}.wav", noise(4_000, seed=n))
        held = (noise(4_000, seed=n) >> 16).astype(np.int16)
        put(tmp_path / "copy", held[::-1] if gain is None else np.rint(held * gain).astype(np.int16), path=f"{n}.wav")
    specs = [Spec(f"{n}.wav", [(0, 4_000)]) for n in range(6)]
    release = publish_by_hand(tmp_path / "corpus", specs, tmp_path / "release")
    made = materialize(Order(release=release, out=tmp_path / "out", roots={"Toy": tmp_path / "copy"}), quiet)
    assert made.causes == {"Toy": {"materialize.differs" if gain is None else "materialize.gain": 6}}
    assert len(calls) == searched


@pytest.mark.slow
def test_what_nothing_explains_is_put_down_to_another_version(
    miniature: Miniature, miniature_release: Release, tmp_path: Path
) -> None:
    root = tmp_path / "corpus"
    shutil.copytree(miniature.corpus.root, root)
    lines = (root / "filelist.csv").read_text(encoding="utf-8").splitlines(keepends=True)
    (root / "filelist.csv").write_text("".join(lines[:-1]), encoding="utf-8")
    source = miniature_release.table("sources").to_pylist()[0]
    wav = root / str(source["path"])
    data, rate = soundfile.read(wav, dtype="int16")
    soundfile.write(wav, data[::-1], rate)
    shutil.copytree(miniature_release.path, tmp_path / "plain", ignore=shutil.ignore_patterns("audio"))
    roots = {"seamless-interaction": root}
    made = materialize(Order(release=open_release(tmp_path / "plain"), out=tmp_path / "out", roots=roots), quiet)
    assert made.findings.counts.keys() == {"materialize.differs", "materialize.other-metadata"}
    differing = [finding for finding in made.findings if finding.code.name == "materialize.differs"]
    assert all("likely another version, since it differs in filelist too" in str(one.expected) for one in differing)
