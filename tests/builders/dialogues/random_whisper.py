"""Whisper checkpoints that nobody trained, in the layouts of both engines: small enough to be made in a test."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

_WIDTH, _HEADS, _LAYERS, _MELS = 16, 2, 1, 80
_AUDIO, _TEXT = 1500, 448
_SPECIAL = (
    "<|endoftext|>",
    "<|startoftranscript|>",
    "<|translate|>",
    "<|transcribe|>",
    "<|startoflm|>",
    "<|startofprev|>",
    "<|nospeech|>",
    "<|notimestamps|>",
    *(f"<|{step * 0.02:.2f}|>" for step in range(1501)),
)


def write_for_faster_whisper(folder: Path, seed: int = 0) -> Path:
    """A folder with `model.bin`, `config.json` and `tokenizer.json`; its words are single bytes.

    Args:
        folder: Is made.
        seed: Of the weights.
    """
    from ctranslate2.specs import whisper_spec
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers

    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    tokenizer = Tokenizer(models.BPE(vocab={letter: place for place, letter in enumerate(letters)}, merges=[]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens(list(_SPECIAL))
    vocabulary = [*letters, *_SPECIAL]

    rng = np.random.default_rng(seed)

    def random(*shape: int) -> np.ndarray[Any, np.dtype[np.float32]]:
        return rng.standard_normal(shape).astype(np.float32) / 2

    def norm(spec: Any) -> None:
        spec.gamma, spec.beta = np.ones(_WIDTH, np.float32), np.zeros(_WIDTH, np.float32)

    def linear(spec: Any, out: int, into: int) -> None:
        spec.weight, spec.bias = random(out, into), np.zeros(out, np.float32)

    spec = whisper_spec.WhisperSpec(_LAYERS, _HEADS, _LAYERS, _HEADS)
    for conv, into in ((spec.encoder.conv1, _MELS), (spec.encoder.conv2, _WIDTH)):
        conv.weight, conv.bias = random(_WIDTH, into, 3), np.zeros(_WIDTH, np.float32)
    spec.encoder.position_encodings.encodings = random(_AUDIO, _WIDTH)
    spec.decoder.position_encodings.encodings = random(_TEXT, _WIDTH)
    spec.decoder.embeddings.weight = random(len(vocabulary), _WIDTH)
    spec.decoder.projection.weight = spec.decoder.embeddings.weight
    norm(spec.encoder.layer_norm)
    norm(spec.decoder.layer_norm)
    for layer in (*spec.encoder.layer, *spec.decoder.layer):
        linear(layer.self_attention.linear[0], 3 * _WIDTH, _WIDTH)
        linear(layer.self_attention.linear[1], _WIDTH, _WIDTH)
        linear(layer.ffn.linear_0, 4 * _WIDTH, _WIDTH)
        linear(layer.ffn.linear_1, _WIDTH, 4 * _WIDTH)
        norm(layer.self_attention.layer_norm)
        norm(layer.ffn.layer_norm)
    for layer in spec.decoder.layer:
        for place, out in enumerate((_WIDTH, 2 * _WIDTH, _WIDTH)):
            linear(layer.attention.linear[place], out, _WIDTH)
        norm(layer.attention.layer_norm)
    spec.register_vocabulary(vocabulary)
    spec.config.suppress_ids = []
    spec.config.suppress_ids_begin = []
    spec.config.lang_ids = []
    spec.config.alignment_heads = [(0, 0)]
    spec.validate()
    spec.optimize(quantization="int8")
    folder.mkdir(parents=True)
    spec.save(str(folder))
    tokenizer.save(str(folder / "tokenizer.json"))
    return folder


def write_for_openai_whisper(path: Path, seed: int = 0) -> Path:
    """A `.pt` file with the vocabulary of the English models."""
    import torch
    from whisper.model import ModelDimensions, Whisper

    torch.manual_seed(seed)
    dims = ModelDimensions(
        n_mels=_MELS,
        n_audio_ctx=_AUDIO,
        n_audio_state=_WIDTH,
        n_audio_head=_HEADS,
        n_audio_layer=_LAYERS,
        n_vocab=51_864,
        n_text_ctx=_TEXT,
        n_text_state=_WIDTH,
        n_text_head=_HEADS,
        n_text_layer=_LAYERS,
    )
    model = Whisper(dims)
    for parameter in model.parameters():
        if parameter.dim() > 1:
            torch.nn.init.normal_(parameter, std=0.5)
        elif not parameter.requires_grad or bool(torch.isnan(parameter).any()):
            torch.nn.init.zeros_(parameter)
    torch.nn.init.normal_(model.decoder.positional_embedding, std=0.5)
    torch.save({"dims": vars(dims), "model_state_dict": model.state_dict()}, path)
    return path
