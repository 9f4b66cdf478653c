"""Listeners: Whisper by faster-whisper, which needs no torch, or by OpenAI's own package; the weights lie where the user says.

Nothing is ever downloaded. Both write English without timestamps, at temperature 0 and without the text of an earlier clip, so
that the same file is always heard alike on one machine.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from functools import cached_property
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from earmark.audio.decode import probe, read_span
from earmark.audio.resample import resample
from earmark.manifests.errors import EarmarkError, MissingExtra

if TYPE_CHECKING:
    from numpy.typing import NDArray

Engine: TypeAlias = Literal["faster-whisper", "openai-whisper"]
FASTER, OPENAI = "faster-whisper", "openai-whisper"

RATE = 16_000
"""What Whisper hears, Hz."""

BEAM = 5
_LEAST = 1600  # samples: less than a tenth of a second cannot be framed
_NEEDED = ("model.bin", "config.json", "tokenizer.json")
_THREADS = 2
_Transcribe: TypeAlias = "Callable[[NDArray[np.float32]], str]"


class NoListener(EarmarkError):
    """The weights cannot be used; the message says why."""


class WhisperListener:
    """Whisper, as `earmark.builders.dialogues.makers.Listener`.

    Args:
        engine: faster-whisper or openai-whisper.
        weights: For faster-whisper a folder with `model.bin`, `config.json` and `tokenizer.json`; for openai-whisper a `.pt`
            file, or a folder with one such file.
        threads: Threads at work on a clip.

    Raises:
        NoListener: The weights are not there.
    """

    def __init__(self, engine: Engine, weights: Path, *, threads: int = _THREADS) -> None:
        self._engine = engine
        self._file = _weights_of(engine, weights)
        self._threads = threads

    @cached_property
    def name(self) -> str:
        """Engine with its version, and the weights by their name and the beginning of their sha256."""
        try:
            at = version(self._engine)
        except PackageNotFoundError:
            at = "none"
        try:
            with self._file.open("rb") as stream:
                digest = hashlib.file_digest(stream, "sha256").hexdigest()
        except OSError as error:
            raise NoListener(f"cannot read {self._file}: {error.strerror}") from error
        weights = self._file.parent.name if self._engine == FASTER else self._file.stem
        return f"{self._engine} {at}, {weights} (sha256 {digest[:16]})"

    def transcribe(self, paths: Sequence[Path]) -> Sequence[str]:
        """What each file says; its first channel is heard. Of no file nothing, but then it is known that the weights can be used.

        Raises:
            MissingExtra: The engine is not installed.
            NoListener: The weights are none that it can use.
            UndecodableAudio: A file cannot be read.
        """
        transcribe = self._transcribe
        return [transcribe(_samples(path)) for path in paths]

    @cached_property
    def _transcribe(self) -> _Transcribe:
        return {FASTER: _faster, OPENAI: _openai}[self._engine](self._file, self._threads)


def _weights_of(engine: Engine, weights: Path) -> Path:
    """The file that holds the weights, everything else that is needed being there too."""
    if engine == FASTER:
        missing = [name for name in _NEEDED if not (weights / name).is_file()]
        if missing:
            raise NoListener(f"{weights} holds no weights for {engine}: {', '.join(missing)} missing")
        return weights / _NEEDED[0]
    if weights.is_file():
        return weights
    found = sorted(weights.glob("*.pt"))
    if len(found) != 1:
        raise NoListener(f"{weights} holds {len(found)} .pt files; {engine} needs one, or the path of one")
    return found[0]


def _faster(file: Path, threads: int) -> _Transcribe:
    try:
        from faster_whisper import WhisperModel
    except ImportError as error:
        raise MissingExtra("asr", FASTER) from error
    try:
        model = WhisperModel(
            str(file.parent), device="cpu", compute_type="int8", cpu_threads=threads, local_files_only=True
        )
    except (RuntimeError, ValueError, OSError) as error:
        raise NoListener(f"{FASTER} cannot load {file.parent}: {error}") from error

    def transcribe(samples: NDArray[np.float32]) -> str:
        segments, _ = model.transcribe(
            samples,
            language="en",
            beam_size=BEAM,
            temperature=0.0,
            condition_on_previous_text=False,
            without_timestamps=True,
        )
        return " ".join(segment.text.strip() for segment in segments).strip()

    return transcribe


def _openai(file: Path, threads: int) -> _Transcribe:
    try:
        import torch
        import whisper
    except ImportError as error:
        raise MissingExtra("whisper", OPENAI) from error
    torch.set_num_threads(threads)
    try:
        model = whisper.load_model(str(file.resolve()), device="cpu")  # a bare name might be one that is downloaded
    except Exception as error:  # whatever a pickle reader meets in a file that is no checkpoint
        raise NoListener(f"{OPENAI} cannot load {file}: {error}") from error

    def transcribe(samples: NDArray[np.float32]) -> str:
        found = model.transcribe(
            samples,
            language="en",
            beam_size=BEAM,
            temperature=0.0,
            condition_on_previous_text=False,
            without_timestamps=True,
            fp16=False,
            verbose=None,
        )
        return str(found["text"]).strip()

    return transcribe


def _samples(path: Path) -> NDArray[np.float32]:
    heard = resample(read_span(path), probe(path).rate, RATE)
    return np.pad(heard, (0, max(0, _LEAST - len(heard)))).astype(np.float32)
