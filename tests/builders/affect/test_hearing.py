"""Every clip once, killed or not; the model here is a function, as what it hears is another module's affair."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import filelock
import numpy as np
import pytest
import soundfile
from numpy.typing import NDArray
from tests.support.copies import as_published

from earmark.audio.affect import AffectModel
from earmark.builders.affect.hearing import Clips, clips_of, hear_clips
from earmark.builders.affect.table import read_affect
from earmark.manifests.errors import Busy, DestinationExists, EarmarkError
from earmark.manifests.findings import Findings
from earmark.manifests.release import Release, open_release

RATE = 8_000


class Killed(BaseException):
    """Stands for a signal."""


class Hearing:
    """A model that remembers what it heard, and may die."""

    def __init__(self, *, dies_at: int | None = None, hash: str = "sha256:one") -> None:
        self.heard: list[float] = []
        self.dies_at = dies_at
        self.model = AffectModel(
            name="toy",
            hash=hash,
            rate=RATE,
            least=100,
            normalize=False,
            labels=("arousal", "dominance", "valence"),
            hear=self.hear,
        )

    def hear(self, samples: NDArray[np.float32]) -> list[float]:
        if len(self.heard) == self.dies_at:
            raise Killed
        level = float(np.abs(samples).max())
        self.heard.append(level)
        return [level, 0.5, 1 - level]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "clips"
    (made / "deep").mkdir(parents=True)
    for n, name in enumerate(("a.wav", "b.wav", "deep/c.flac", "deep/d.wav")):
        soundfile.write(made / name, np.full(400, 0.125 * (n + 1)), RATE, subtype="PCM_16")
    (made / "copy.wav").write_bytes((made / "a.wav").read_bytes())
    (made / "notes.txt").write_text("no audio", encoding="utf-8")
    return made


def hear(clips: Clips, hearing: Hearing, out: Path) -> tuple[dict[str, object], Findings]:
    findings = Findings()
    said = hear_clips(clips, hearing.model, out, findings=findings, progress=lambda *_: None)
    return dict(said), findings


def test_every_file_of_a_folder_is_heard_and_a_copy_is_not(folder: Path, tmp_path: Path) -> None:
    hearing, out = Hearing(), tmp_path / "affect.parquet"
    said, findings = hear(clips_of(folder), hearing, out)
    table = read_affect(out)
    assert (table.key, table.model) == ("path", "toy")
    assert list(table.heard) == ["a.wav", "b.wav", "copy.wav", "deep/c.flac", "deep/d.wav"]
    assert table.heard["copy.wav"] == table.heard["a.wav"] == pytest.approx((0.875, 0.125, 0.5), abs=1e-4)
    assert len(hearing.heard) == 4
    assert (said["clips"], said["heard"], findings.counts) == (5, 5, {})
    assert {path.name for path in tmp_path.iterdir()} == {"clips", "affect.parquet"}


def test_a_run_that_was_killed_goes_on(folder: Path, tmp_path: Path) -> None:
    whole, out = tmp_path / "whole.parquet", tmp_path / "affect.parquet"
    hear(clips_of(folder), Hearing(), whole)
    for dies_at in (1, 0, 2):
        with pytest.raises(Killed):
            hear(clips_of(folder), Hearing(dies_at=dies_at), out)
    assert not out.exists()
    partial = tmp_path / "affect.parquet.partial"
    partial.write_bytes(partial.read_bytes() + b'{"file":"sha256:torn')
    last = Hearing()
    said, _ = hear(clips_of(folder), last, out)
    assert (len(last.heard), said["kept_from_before"]) == (1, 3)
    assert out.read_bytes() == whole.read_bytes()


def test_what_another_model_heard_is_not_used(folder: Path, tmp_path: Path) -> None:
    out, other = tmp_path / "affect.parquet", Hearing(hash="sha256:other")
    with pytest.raises(Killed):
        hear(clips_of(folder), Hearing(dies_at=2), out)
    hear(clips_of(folder), other, out)
    assert len(other.heard) == 4


def broken(path: Path) -> None:
    path.write_bytes(b"<html>")


def short(path: Path) -> None:
    soundfile.write(path, np.full(50, 0.5), RATE)


@pytest.mark.parametrize("spoil", [broken, short])
def test_a_clip_that_cannot_be_heard_is_null_and_named(
    spoil: Callable[[Path], None], folder: Path, tmp_path: Path
) -> None:
    spoil(folder / "b.wav")
    said, findings = hear(clips_of(folder), Hearing(), tmp_path / "out")
    assert read_affect(tmp_path / "out").heard["b.wav"] is None
    assert said["unheard"] == 1
    assert [finding.id for finding in findings] == ["b.wav"]
    assert findings.counts == {"affect.unheard": 1}


def test_a_table_that_is_there_is_not_written_over(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "out").write_text("mine", encoding="utf-8")
    with pytest.raises(DestinationExists):
        hear(clips_of(folder), Hearing(), tmp_path / "out")
    assert (tmp_path / "out").read_text(encoding="utf-8") == "mine"


def test_one_process_at_a_time_makes_a_table(folder: Path, tmp_path: Path) -> None:
    with filelock.FileLock(tmp_path / "out.partial.lock"), pytest.raises(Busy):
        hear(clips_of(folder), Hearing(), tmp_path / "out")


def test_a_published_copy_is_heard_as_its_release_is(toy_dialogues: Release, tmp_path: Path) -> None:
    shutil.copytree(toy_dialogues.path, tmp_path / "copy")
    heard = []
    for folder in (toy_dialogues.path, as_published(open_release(tmp_path / "copy")).path):
        out = tmp_path / f"{len(heard)}.parquet"
        said, findings = hear(clips_of(folder), Hearing(), out)
        assert not findings
        assert said["unheard"] == 0
        heard.append(out.read_bytes())
    assert heard[0] == heard[1]
    clips = clips_of(tmp_path / "copy")
    few = Clips("clip_id", clips.files, clips.audio, dict.fromkeys(clips.files, 10))
    said, _ = hear(few, Hearing(), tmp_path / "few.parquet")
    assert said["heard"] == 0


def test_clips_of_a_release_go_by_their_ids(toy_dialogues: Release) -> None:
    clips = clips_of(toy_dialogues.path)
    assert clips.key == "clip_id"
    assert set(clips.files) == set(toy_dialogues.table("clips").column("clip_id").to_pylist())
    assert all(path.is_file() for path in clips.files.values())


def test_what_holds_no_audio_is_refused(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for path, said in ((tmp_path / "empty", "no audio file"), (tmp_path / "absent", "no folder")):
        with pytest.raises(EarmarkError, match=said):
            clips_of(path)
