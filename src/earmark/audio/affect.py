"""Valence, arousal and dominance of a voice, by a wav2vec2 checkpoint in audEERING's layout.

The layout is that of `audeering/wav2vec2-large-robust-12-ft-emotion-msp-dim` (Wagner et al. 2023, "Dawn of the transformer era in
speech emotion recognition"): the last hidden states are averaged over time, and a head of two layers with a tanh between them
gives one number for each label, about 0 to 1. A clip is read by itself: padding one beside a longer one would change what the
model hears.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, TypeVar

import msgspec
import numpy as np

from earmark.audio.resample import resample
from earmark.manifests.errors import EarmarkError, MissingExtra

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from earmark.audio.decode import Samples

    Hear: TypeAlias = Callable[[NDArray[np.float32]], list[float]]

LABELS = ("arousal", "dominance", "valence")
"""The order of the model's numbers where its configuration names none."""

CONFIG = "config.json"
PREPROCESSOR = "preprocessor_config.json"
WEIGHTS = ("model.safetensors", "pytorch_model.bin")
"""Files of a checkpoint; of the weights the first that is there is read."""

_ShapeT = TypeVar("_ShapeT", bound=msgspec.Struct)
_LEAST_VARIANCE = 1e-7  # as the model's own feature extractor has it
_NAMELESS = "LABEL_"


class Affect(NamedTuple):
    """What a model hears in a voice, each 0 to 1.

    Attributes:
        valence: From unpleasant to pleasant.
        arousal: From calm to excited.
        dominance: From weak to strong.
    """

    valence: float
    arousal: float
    dominance: float


class CheckpointError(EarmarkError):
    """A folder is no checkpoint in audEERING's layout."""


class _Config(msgspec.Struct, frozen=True):
    model_type: str = ""
    conv_kernel: list[int] = []
    conv_stride: list[int] = []
    id2label: dict[str, str] = {}


class _Preprocessor(msgspec.Struct, frozen=True):
    do_normalize: bool = True
    sampling_rate: int = 16_000


@dataclass(frozen=True)
class AffectModel:
    """A model that is loaded.

    Attributes:
        name: Its folder's name and the beginning of its hash.
        hash: `sha256:` over its configuration and weights.
        rate: Sampling rate that it hears at, Hz.
        least: Fewest samples at that rate of which it can say anything.
        normalize: Whether it hears clips at mean 0 and variance 1.
        labels: What its numbers are, in their order.
        hear: Gives its numbers for samples at its rate.
    """

    name: str
    hash: str
    rate: int
    least: int
    normalize: bool
    labels: tuple[str, ...]
    hear: Hear

    def __call__(self, samples: Samples, rate: int) -> Affect:
        """What it hears in a clip; numbers beyond 0 or 1 are held there.

        Args:
            samples: One channel, (n,).
            rate: Its sampling rate, Hz.

        Raises:
            ValueError: If the clip is shorter than the model can hear, or the model gives something that is no number.
        """
        heard = resample(samples, rate, self.rate)
        if heard.size < self.least:
            raise ValueError(f"{heard.size} samples at {self.rate} Hz; the model needs {self.least}")
        if self.normalize:
            heard = (heard - heard.mean()) / np.sqrt(heard.var() + _LEAST_VARIANCE)
        numbers = dict(zip(self.labels, self.hear(heard.astype(np.float32)), strict=True))
        if not all(np.isfinite(number) for number in numbers.values()):
            raise ValueError(f"the model gives {numbers}")
        held = {label: min(1.0, max(0.0, number)) for label, number in numbers.items()}
        return Affect(**held)


def load_affect_model(folder: Path, *, threads: int = 1) -> AffectModel:
    """Load a checkpoint; nothing is fetched from anywhere.

    Args:
        folder: Holds `config.json`, weights, and `preprocessor_config.json` where clips are not to be heard as is usual.
        threads: Threads that the model computes with.

    Raises:
        CheckpointError: If a file is missing or cannot be read, or holds another kind of model.
        MissingExtra: If torch or transformers is not installed.
    """
    config = _read(folder / CONFIG, _Config)
    preprocessor = _read(folder / PREPROCESSOR, _Preprocessor) if (folder / PREPROCESSOR).exists() else _Preprocessor()
    weights = next((folder / name for name in WEIGHTS if (folder / name).is_file()), None)
    if config.model_type != "wav2vec2":
        raise CheckpointError(f"{folder / CONFIG} is of a model of type {config.model_type!r}; wav2vec2 is needed")
    if weights is None:
        raise CheckpointError(f"{folder} has no weights; {' or '.join(WEIGHTS)} is needed")
    labels = _labels(config.id2label, folder)
    read = [folder / CONFIG, *([folder / PREPROCESSOR] if (folder / PREPROCESSOR).exists() else []), weights]
    whole = _hash(read)
    return AffectModel(
        name=f"{folder.resolve().name} {whole[7:15]}",
        hash=whole,
        rate=preprocessor.sampling_rate,
        least=_least(config),
        normalize=preprocessor.do_normalize,
        labels=labels,
        hear=_hearing(folder, threads),
    )


def _read(path: Path, shape: type[_ShapeT]) -> _ShapeT:
    try:
        return msgspec.json.decode(path.read_bytes(), type=shape)
    except OSError as error:
        raise CheckpointError(f"cannot read {path}: {error.strerror or error}") from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise CheckpointError(f"{path} is no configuration of a model: {error}") from error


def _labels(names: Mapping[str, str], folder: Path) -> tuple[str, ...]:
    ordered = tuple(names[number].casefold() for number in sorted(names, key=lambda number: (len(number), number)))
    if not ordered or all(name.upper().startswith(_NAMELESS) for name in ordered):
        ordered = LABELS
    if sorted(ordered) != sorted(LABELS):
        said = ", ".join(ordered)
        raise CheckpointError(f"{folder / CONFIG} has the labels {said}; it needs {', '.join(LABELS)}")
    return ordered


def _least(config: _Config) -> int:
    """Samples that the convolutions need for one frame."""
    frames = 1
    for kernel, stride in reversed(list(zip(config.conv_kernel, config.conv_stride, strict=False))):
        frames = (frames - 1) * stride + kernel
    return frames


def _hash(paths: list[Path]) -> str:
    digest = hashlib.sha256()
    for path in paths:
        with path.open("rb") as stream:
            digest.update(hashlib.file_digest(stream, "sha256").digest())
    return f"sha256:{digest.hexdigest()}"


def _hearing(folder: Path, threads: int) -> Hear:
    try:
        import torch
    except ImportError as error:
        raise MissingExtra("affect", "torch") from error
    try:
        from transformers import Wav2Vec2Config, Wav2Vec2Model, Wav2Vec2PreTrainedModel
        from transformers.utils import logging
    except ImportError as error:
        raise MissingExtra("affect", "transformers") from error

    class Head(torch.nn.Module):  # type: ignore[misc]  # torch has no types here
        def __init__(self, size: int, labels: int) -> None:
            super().__init__()
            self.dense = torch.nn.Linear(size, size)
            self.out_proj = torch.nn.Linear(size, labels)

        def forward(self, pooled: torch.Tensor) -> torch.Tensor:
            return self.out_proj(torch.tanh(self.dense(pooled)))

    class Model(Wav2Vec2PreTrainedModel):  # type: ignore[misc]  # nor has transformers
        def __init__(self, config: Wav2Vec2Config) -> None:
            super().__init__(config)
            self.wav2vec2 = Wav2Vec2Model(config)
            self.classifier = Head(config.hidden_size, len(LABELS))
            self.post_init()

        def forward(self, samples: torch.Tensor) -> torch.Tensor:
            return self.classifier(self.wav2vec2(samples)[0].mean(dim=1))

    torch.set_num_threads(threads)
    logging.set_verbosity_error()
    logging.disable_progress_bar()  # it would stand in the midst of ours, and where nothing is to be said
    try:
        model, found = Model.from_pretrained(folder, local_files_only=True, output_loading_info=True)
    except Exception as error:  # of many kinds: pickle, zip, safetensors, shapes
        raise CheckpointError(f"the weights in {folder} cannot be read: {_line(error)}") from error
    if lacking := sorted(found["missing_keys"]):  # they would be drawn at random
        raise CheckpointError(f"the weights in {folder} lack {len(lacking)} of the model's, such as {lacking[0]}")
    model.eval()

    def hear(samples: NDArray[np.float32]) -> list[float]:
        with torch.inference_mode():
            numbers: list[float] = model(torch.from_numpy(samples)[None, :])[0].tolist()
        return numbers

    return hear


def _line(error: Exception) -> str:
    return " ".join(str(error).split())[:300] or type(error).__name__
