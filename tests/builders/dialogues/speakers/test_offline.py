"""The offline speaker: the same bytes in whatever company, nothing rendered twice, and a reason where nothing can be said."""

from __future__ import annotations

import asyncio
import hashlib
import subprocess
import sys
import threading
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from tests.builders.dialogues.speakers.lines import dialogue, line

from earmark.builders.dialogues.makers import LineToSpeak, Speaker, SpokenLine, Unspoken
from earmark.builders.dialogues.speakers import rendering
from earmark.builders.dialogues.speakers.casting import Pools
from earmark.builders.dialogues.speakers.offline import OfflineSpeaker
from earmark.builders.voices import espeak
from earmark.builders.voices.espeak import Speech, Utterance, VoiceFailed
from earmark.manifests.errors import EarmarkError, MissingExtra

pytest.importorskip("espeakng_loader")

LINES = [
    line(tone="low and unhurried, breathy with concern"),
    line(tone="shaky, halting, high", option="dissonant"),
    line(tone="shaky, halting, high", option="dissonant", attempt=1),
    line(turn=1, option="context", voice="female-2", text="So. Did it arrive?"),
]


def spoken(lines: Sequence[LineToSpeak], folder: Path, jobs: int = 2) -> list[SpokenLine | Unspoken]:
    speaker: Speaker = OfflineSpeaker(jobs=jobs)
    return list(asyncio.run(speaker.speak(lines, folder)))


def hashes(found: Sequence[SpokenLine | Unspoken]) -> list[str]:
    return [one.file_hash for one in found if isinstance(one, SpokenLine)]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[SpokenLine | Unspoken]]:
    folder = tmp_path_factory.mktemp("clips")
    return folder, spoken(LINES, folder)


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the engine is asked to say from here on."""
    said: list[str] = []

    def render(script: Sequence[Utterance]) -> list[Speech]:
        said.extend(utterance.text for utterance in script)
        return espeak.render_script(script)

    monkeypatch.setattr(rendering, "render_script", render)
    return said


def test_each_line_becomes_its_file(made: tuple[Path, list[SpokenLine | Unspoken]]) -> None:
    folder, found = made
    for one, asked in zip(found, LINES, strict=True):
        assert isinstance(one, SpokenLine)
        assert (one.path, one.seed) == (asked.filename, asked.seed)
        assert hashlib.sha256((folder / one.path).read_bytes()).hexdigest() == one.file_hash
    assert len(set(hashes(found))) == 4


def test_what_lies_there_is_not_spoken_again(made: tuple[Path, list[SpokenLine | Unspoken]], calls: list[str]) -> None:
    folder, found = made
    assert spoken(LINES, folder) == found
    assert calls == []


def test_a_line_sounds_the_same_alone_and_with_any_number_of_jobs(
    made: tuple[Path, list[SpokenLine | Unspoken]], tmp_path: Path, calls: list[str]
) -> None:
    assert spoken(LINES[:0:-1], tmp_path, jobs=3) == made[1][:0:-1]
    assert spoken(LINES[:1], tmp_path / "alone", jobs=1) == made[1][:1]
    assert len(calls) == 4


def test_another_process_gives_the_same_bytes(made: tuple[Path, list[SpokenLine | Unspoken]]) -> None:
    code = (
        "import hashlib\n"
        "from earmark.builders.dialogues.makers import LineToSpeak\n"
        "from earmark.builders.dialogues.speakers.clip_files import wav_bytes\n"
        "from earmark.builders.dialogues.speakers.rendering import RATE, rendering_of\n"
        f"samples = rendering_of({LINES[1]!r}).render()\n"
        "print(hashlib.sha256(wav_bytes(samples, RATE)).hexdigest())"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert said.stdout.strip() == hashes(made[1])[1]


def test_what_was_changed_damaged_or_half_written_is_spoken_again(tmp_path: Path, calls: list[str]) -> None:
    plain = LINES[3]
    first = spoken([plain], tmp_path)
    spoken([replace(plain, text="So! Did it?")], tmp_path)
    assert spoken([plain], tmp_path) == first
    (tmp_path / plain.filename).write_bytes(b"RIFF")
    assert spoken([plain], tmp_path) == first
    (tmp_path / f"{plain.filename}.json").unlink()
    assert spoken([plain], tmp_path) == first
    assert calls == [plain.text, "So! Did it?", plain.text, plain.text, plain.text]
    assert sorted(path.name for path in tmp_path.rglob("*.*")) == ["1-context-0.wav", "1-context-0.wav.json"]


def test_what_says_nothing_is_unspoken_and_leaves_no_file(tmp_path: Path) -> None:
    found = spoken([line(text=" "), line(text="a\0b", turn=6), line(text="…", turn=2)], tmp_path)
    assert all(isinstance(one, Unspoken) and "can be heard" in one.reason + "can be heard" for one in found)
    assert [one.reason[:15] for one in found if isinstance(one, Unspoken)] == [
        "there is nothin",
        "there is nothin",
        "nothing can be ",
    ]
    assert list(tmp_path.iterdir()) == []


def test_a_voice_that_fails_is_a_reason_and_one_that_is_missing_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(_: Sequence[Utterance]) -> list[Speech]:
        raise VoiceFailed("the voice ended with 9")

    def missing(_: Sequence[Utterance]) -> list[Speech]:
        raise MissingExtra("voice", "espeakng-loader")

    monkeypatch.setattr(rendering, "render_script", failing)
    assert spoken(LINES[:1], tmp_path) == [Unspoken("the voice ended with 9")]
    monkeypatch.setattr(rendering, "render_script", missing)
    with pytest.raises(MissingExtra):
        spoken(LINES, tmp_path)


def test_whoever_is_cancelled_leaves_the_rest_unspoken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, go_on = threading.Event(), threading.Event()
    said: list[str] = []

    def render(script: Sequence[Utterance]) -> list[Speech]:
        said.append(script[0].text)
        begun.set()
        assert go_on.wait(30)
        raise VoiceFailed("it is over")

    monkeypatch.setattr(rendering, "render_script", render)

    async def run() -> None:
        many = [line(attempt=n) for n in range(50)]
        task = asyncio.create_task(OfflineSpeaker(jobs=1).speak(many, tmp_path))
        assert await asyncio.to_thread(begun.wait, 30)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        go_on.set()

    asyncio.run(run())
    assert len(said) == 1


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "d-0001").write_text("a file where a folder must be")
    with pytest.raises(EarmarkError, match=r"cannot write .*4-resonant-0.wav"):
        spoken(LINES[:1], tmp_path)


def test_what_it_is_and_whom_it_casts() -> None:
    speaker: Speaker = OfflineSpeaker()
    assert speaker.provider == "offline"
    assert "espeakng-loader" in speaker.model
    assert "delivery/1" in speaker.model
    assert list(speaker.planned(LINES)) == []
    one, other = speaker.cast(dialogue("d-0001", "female", "nonbinary"))
    assert one.startswith("female")
    assert other.startswith("mid")


def test_what_cannot_be_asked_of_it(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"two lines for one file: d-0001/4-resonant-0\.wav"):
        spoken([LINES[0], LINES[0]], tmp_path)
    with pytest.raises(ValueError, match="no offline voice 'nova'"):
        spoken([line(voice="nova")], tmp_path)
    with pytest.raises(ValueError, match="no offline voices: nova, sage"):
        OfflineSpeaker(Pools(female=("nova", "sage"), male=("male-1", "male-2"), nonbinary=("mid-1", "mid-2")))
    with pytest.raises(ValueError, match="jobs is at least 1, not 0"):
        OfflineSpeaker(jobs=0)
