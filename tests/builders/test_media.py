"""Media: what is cut is what the recipe says; what cannot be cut goes with its items, and is counted."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import soundfile
from tests.support.miniature import RATE, Miniature, files_of, quiet

from earmark.audio.hashes import samples_hash
from earmark.builders.making import make
from earmark.builders.miniatures.seamless import SeamlessMiniature, make_seamless
from earmark.manifests.errors import Refused
from earmark.manifests.release import Release
from earmark.validation.invariants import validate


def sources(release: Release) -> dict[str, Mapping[str, object]]:
    return {row["clip_id"]: row for row in release.table("sources").to_pylist()}


def joined(root: Path, row: Mapping[str, object]) -> np.ndarray:
    """The clip by its recipe, the slow and plain way."""
    samples, _ = soundfile.read(root / str(row["path"]), dtype="int16")
    silence = np.zeros(int(str(row["joining_silence"])), np.int16)
    parts: list[np.ndarray] = []
    starts, ends = row["starts"], row["ends"]
    assert isinstance(starts, list)
    assert isinstance(ends, list)
    for start, end in zip(starts, ends, strict=True):
        parts += [silence, samples[start:end]]
    return np.concatenate(parts[1:])


def test_native_clips_are_the_corpuss_samples(miniature: Miniature, tmp_path: Path) -> None:
    order = replace(miniature.order(tmp_path / "release", media=True), media_rate=None)
    release = make(order, quiet).release
    assert release is not None
    assert release.manifest.media is not None
    assert release.manifest.media.rate is None
    lengths = {row["clip_id"]: row["duration"] for row in release.table("clips").to_pylist()}
    for clip, row in sources(release).items():
        wanted = joined(miniature.corpus.root, row)
        cut, rate = soundfile.read(release.audio_file(clip), dtype="int16")
        assert rate == 48_000
        np.testing.assert_array_equal(cut, wanted)
        assert lengths[clip] == len(wanted) / 48_000
        assert row["pcm_hash"] == samples_hash(wanted, 48_000)
        rms = 20 * np.log10(np.sqrt(np.mean((wanted / 32_768) ** 2)))
        assert row["level"] == pytest.approx(rms, abs=0.0051)


def test_resampled_clips_keep_length_and_level_and_hash(miniature: Miniature, miniature_release: Release) -> None:
    native = {clip: joined(miniature.corpus.root, row) for clip, row in sources(miniature_release).items()}
    for clip, row in sources(miniature_release).items():
        cut, rate = soundfile.read(miniature_release.audio_file(clip), dtype="int16")
        assert rate == RATE
        assert len(cut) == pytest.approx(len(native[clip]) / 3, abs=1)
        assert row["pcm_hash"] == samples_hash(native[clip], 48_000), (
            "the hash is of native samples, never of resampled"
        )


@pytest.fixture
def own(tmp_path: Path, miniature: Miniature) -> Miniature:
    """A corpus that a test may damage."""
    base = tmp_path / "own"
    base.mkdir()
    shutil.copy(miniature.key, base / "line.key")
    shutil.copytree(miniature.corpus.root, base / "corpus")
    tables = (base / "corpus" / name for name in ("interactions.csv", "filelist.csv", "assignment.csv"))
    return Miniature(base, SeamlessMiniature(base / "corpus", *tables, miniature.corpus.conversations))


def test_what_is_damaged_after_planning_is_dropped_and_counted(own: Miniature, tmp_path: Path) -> None:
    whole = own.build(tmp_path / "whole").release
    assert whole is not None
    rows = sources(whole)
    victim = str(next(iter(rows.values()))["path"])

    def progress(doing: str, done: int, _total: int) -> None:
        if doing == "cutting clips" and done == 0:
            (own.corpus.root / victim).write_bytes(b"RIFF")

    made = own.build(tmp_path / "release", media=True, progress=progress)
    release = made.release
    assert release is not None
    gone = {clip for clip, row in rows.items() if row["path"] == victim}
    items = {row["item_id"] for row in whole.table("item_clips").to_pylist() if row["clip_id"] in gone}
    assert made.findings.counts["media.uncuttable"] == len(gone) > 0
    assert {finding.id for finding in made.findings if finding.code.name == "media.uncuttable"} == gone
    assert all(finding.file == victim for finding in made.findings if finding.code.name == "media.uncuttable")
    assert made.findings.exit_code == 1
    left = set(release.table("items")["item_id"].to_pylist())
    assert left == set(whole.table("items")["item_id"].to_pylist()) - items
    assert made.report["media"] == {
        "clips": release.table("clips").num_rows,
        "lost_clips": len(gone),
        "lost_items": len(items),
    }
    assert list(validate(release)) == []
    assert {path.stem for path in (release.path / "public" / "audio").iterdir()} == set(
        release.table("clips")["clip_id"].to_pylist()
    )


def test_strict_stops_at_the_first_clip_that_cannot_be_cut(own: Miniature, tmp_path: Path) -> None:
    def progress(doing: str, done: int, _total: int) -> None:
        if doing == "cutting clips" and done == 0:
            for path in own.corpus.root.rglob("*.wav"):
                path.write_bytes(b"RIFF")

    order = replace(own.order(tmp_path / "release", media=True), strict=True)
    with pytest.raises(Refused) as refused:
        make(order, progress)
    assert refused.value.findings.counts == {**refused.value.findings.counts, "media.uncuttable": 1}


def test_all_lost_is_refused(own: Miniature, tmp_path: Path) -> None:
    def progress(doing: str, done: int, _total: int) -> None:
        if doing == "cutting clips" and done == 0:
            for path in own.corpus.root.rglob("*.wav"):
                path.unlink()

    with pytest.raises(Refused) as refused:
        own.build(tmp_path / "release", media=True, progress=progress)
    assert refused.value.findings.counts["build.empty"] == 1
    assert not (tmp_path / "release.partial").exists(), "nothing was done that could be gone on with"


def test_silence_where_speech_should_be_is_told(own: Miniature, tmp_path: Path) -> None:
    path = sorted(own.corpus.root.rglob("*.wav"))[0]
    content = path.read_bytes()
    path.write_bytes(content[:44] + bytes(len(content) - 44))
    made = own.build(tmp_path / "release", media=True)
    assert made.release is not None
    silent = {clip for clip, row in sources(made.release).items() if str(row["path"]).endswith(path.name)}
    assert silent
    assert made.findings.counts["media.silent"] == len(silent)
    assert all(sources(made.release)[clip]["level"] is None for clip in silent)
    assert not made.findings.failed, "silence is a warning: the corpus may be so"


def test_nan_in_the_audio_is_dropped(tmp_path: Path, miniature: Miniature) -> None:
    base = tmp_path / "nan"
    base.mkdir()
    shutil.copy(miniature.key, base / "line.key")
    corpus = make_seamless(base / "corpus", seed=1, dyads=2, speech=False, scale=0.6, flaws=["nan_samples"])
    made = Miniature(base, corpus).build(tmp_path / "release", media=True)
    assert made.release is not None
    (flaw,) = corpus.flaws
    assert flaw.where in " ".join(finding.text() for finding in made.findings)
    assert made.findings.exit_code == 1
    assert not any(flaw.where in str(row["path"]) for row in sources(made.release).values())


def test_full_scale_that_resampling_would_exceed_is_told(own: Miniature, tmp_path: Path) -> None:
    """A square wave at full scale overshoots when it is band-limited; samples are held there and that is said."""
    for path in own.corpus.root.rglob("*.wav"):
        content = path.read_bytes()
        wave = np.where(np.arange((len(content) - 44) // 2) // 40 % 2, 32_767, -32_768).astype("<i2")
        path.write_bytes(content[:44] + wave.tobytes())
    made = own.build(tmp_path / "release", media=True)
    assert made.findings.counts["media.clipped"] > 0
    assert not made.findings.failed


def test_more_jobs_change_nothing_but_the_time(
    miniature: Miniature, miniature_release: Release, tmp_path: Path
) -> None:
    made = make(replace(miniature.order(tmp_path / "release", media=True), jobs=4), quiet)
    assert made.release is not None
    assert files_of(made.release.path) == files_of(miniature_release.path)


def test_another_rate_does_not_take_an_interrupted_runs_clips(
    miniature: Miniature, miniature_release: Release, tmp_path: Path
) -> None:
    class Killed(BaseException):
        pass

    def progress(doing: str, done: int, _total: int) -> None:
        if doing == "cutting clips" and done == 5:
            raise Killed

    other = replace(miniature.order(tmp_path / "release", media=True), media_rate=8_000)
    with pytest.raises(Killed):
        make(other, progress)
    made = make(replace(miniature.order(tmp_path / "release", media=True), resume=True), quiet)
    assert made.release is not None
    assert files_of(made.release.path) == files_of(miniature_release.path)
