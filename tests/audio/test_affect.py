"""A tiny random checkpoint in audEERING's layout, heard by Earmark and by hand; without torch these are skipped."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from earmark.audio.affect import Affect, AffectModel, CheckpointError, load_affect_model
from earmark.manifests.errors import MissingExtra

CONFIG = {
    "model_type": "wav2vec2",
    "architectures": ["Wav2Vec2ForSpeechClassification"],
    "hidden_size": 16,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "intermediate_size": 16,
    "conv_dim": [8, 8, 8],
    "conv_stride": [5, 4, 4],
    "conv_kernel": [10, 8, 4],
    "num_feat_extract_layers": 3,
    "num_conv_pos_embeddings": 8,
    "num_conv_pos_embedding_groups": 2,
    "do_stable_layer_norm": True,
    "feat_extract_norm": "layer",
    "id2label": {"0": "arousal", "1": "dominance", "2": "valence"},
    "label2id": {"arousal": 0, "dominance": 1, "valence": 2},
}
RATE = 16_000
NOISE = np.random.default_rng(7).uniform(-0.3, 0.3, 4000)


def with_config(folder: Path, **changed: object) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.json").write_text(json.dumps({**CONFIG, **changed}), encoding="utf-8")
    return folder


def fake(
    numbers: list[float], *, normalize: bool = True, least: int = 4
) -> tuple[AffectModel, list[NDArray[np.float32]]]:
    heard: list[NDArray[np.float32]] = []

    def hear(samples: NDArray[np.float32]) -> list[float]:
        heard.append(samples)
        return numbers

    labels = ("arousal", "dominance", "valence")
    model = AffectModel(
        name="toy 0", hash="sha256:0", rate=RATE, least=least, normalize=normalize, labels=labels, hear=hear
    )
    return model, heard


def test_labels_keep_their_numbers_and_numbers_their_range() -> None:
    model, _ = fake([0.25, 1.5, -0.5])
    assert model(NOISE, RATE) == Affect(valence=0.0, arousal=0.25, dominance=1.0)


@pytest.mark.parametrize("normalize", [True, False])
def test_a_clip_is_brought_to_the_models_rate_and_level(normalize: bool) -> None:
    model, heard = fake([0.5, 0.5, 0.5], normalize=normalize)
    model(NOISE + 0.1, 8_000)
    (samples,) = heard
    assert samples.dtype == np.float32
    assert samples.size == pytest.approx(2 * NOISE.size, abs=1)
    level = abs(float(samples.mean())) < 1e-3 and abs(float(samples.std()) - 1) < 1e-3
    assert level is normalize


def test_a_clip_that_is_too_short_and_a_number_that_is_none_are_refused() -> None:
    with pytest.raises(ValueError, match="needs 5000"):
        fake([0.5] * 3, least=5000)[0](NOISE, RATE)
    with pytest.raises(ValueError, match="nan"):
        fake([float("nan"), 0.5, 0.5])[0](NOISE, RATE)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"model_type": "hubert"}, "hubert"),
        ({"id2label": {"0": "anger", "1": "joy"}}, "anger, joy"),
        ({}, "no weights"),
    ],
)
def test_a_folder_that_is_no_checkpoint_says_why(changed: dict[str, object], said: str, tmp_path: Path) -> None:
    folder = with_config(tmp_path / "model", **changed)
    if changed:
        (folder / "pytorch_model.bin").write_bytes(b"")
    with pytest.raises(CheckpointError, match=said):
        load_affect_model(folder)


def test_an_absent_or_broken_configuration_says_why(tmp_path: Path) -> None:
    with pytest.raises(CheckpointError, match=r"config\.json"):
        load_affect_model(tmp_path)
    (tmp_path / "config.json").write_text("<html>", encoding="utf-8")
    with pytest.raises(CheckpointError, match="no configuration"):
        load_affect_model(tmp_path)


def test_without_torch_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "torch", None)
    folder = with_config(tmp_path / "model")
    (folder / "pytorch_model.bin").write_bytes(b"")
    with pytest.raises(MissingExtra, match=r"earmark\[affect\]"):
        load_affect_model(folder)


def checkpoint(folder: Path, form: str, **changed: object) -> Path:
    """Random weights under the names of the published checkpoint, whose weight norm has its old ones."""
    torch = pytest.importorskip("torch", reason="torch is not installed")
    transformers = pytest.importorskip("transformers", reason="transformers is not installed")
    torch.manual_seed(3)
    with_config(folder, **changed)
    weights = {
        f"wav2vec2.{name}".replace("parametrizations.weight.original0", "weight_g").replace(
            "parametrizations.weight.original1", "weight_v"
        ): value
        for name, value in transformers.Wav2Vec2Model(transformers.Wav2Vec2Config(**CONFIG)).state_dict().items()
    }
    weights |= {
        "classifier.dense.weight": torch.randn(16, 16),
        "classifier.dense.bias": torch.randn(16),
        "classifier.out_proj.weight": torch.randn(3, 16) / 8,
        "classifier.out_proj.bias": torch.full((3,), 0.5),
    }
    if form == "bin":
        torch.save(weights, folder / "pytorch_model.bin")
    else:
        from safetensors.torch import save_file

        save_file({name: value.contiguous() for name, value in weights.items()}, folder / "model.safetensors")
    return folder


def by_hand(folder: Path, samples: NDArray[np.float64]) -> dict[str, float]:
    """The published formula, the network's body by transformers and its head in NumPy."""
    torch = pytest.importorskip("torch", reason="torch is not installed")
    transformers = pytest.importorskip("transformers", reason="transformers is not installed")
    weights = torch.load(folder / "pytorch_model.bin", weights_only=True)
    body = transformers.Wav2Vec2Model(transformers.Wav2Vec2Config(**CONFIG)).eval()
    own = {name.removeprefix("wav2vec2."): value for name, value in weights.items() if name.startswith("wav2vec2.")}
    renamed = {
        name.replace("conv.weight_g", "conv.parametrizations.weight.original0").replace(
            "conv.weight_v", "conv.parametrizations.weight.original1"
        ): value
        for name, value in own.items()
    }
    body.load_state_dict(renamed)
    extractor = transformers.Wav2Vec2FeatureExtractor(do_normalize=True)
    values = extractor(samples.astype(np.float32), sampling_rate=RATE, return_tensors="pt").input_values
    with torch.no_grad():
        pooled = body(values).last_hidden_state[0].double().numpy().mean(axis=0)
    head = {name: weights[f"classifier.{name}"].double().numpy() for name in HEAD}
    hidden = np.tanh(head["dense.weight"] @ pooled + head["dense.bias"])
    return dict(
        zip(
            ("arousal", "dominance", "valence"),
            (head["out_proj.weight"] @ hidden + head["out_proj.bias"]).tolist(),
            strict=True,
        )
    )


HEAD = ("dense.weight", "dense.bias", "out_proj.weight", "out_proj.bias")


def test_a_checkpoint_is_heard_as_its_authors_hear_it(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    checkpoint(tmp_path / "model", "bin")
    capfd.readouterr()
    model = load_affect_model(tmp_path / "model")
    assert capfd.readouterr() == ("", "")
    expected = by_hand(tmp_path / "model", NOISE)
    assert model(NOISE, RATE)._asdict() == pytest.approx(expected, abs=1e-5)
    assert len({round(value, 3) for value in expected.values()}) == 3
    assert model(NOISE, RATE) == model(NOISE, RATE)
    assert model.least == 10 + 5 * (8 + 4 * (4 - 1) - 1)
    model(NOISE[: model.least], RATE)
    with pytest.raises(ValueError, match="needs"):
        model(NOISE[: model.least - 1], RATE)


def test_both_forms_of_weights_say_the_same(tmp_path: Path) -> None:
    a = load_affect_model(checkpoint(tmp_path / "a", "bin"))
    b = load_affect_model(checkpoint(tmp_path / "b", "safetensors"), threads=2)
    assert a(NOISE, RATE) == pytest.approx(b(NOISE, RATE), abs=1e-5)
    assert a.hash != b.hash


def test_a_head_that_is_missing_is_not_drawn_at_random(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch", reason="torch is not installed")
    folder = checkpoint(tmp_path / "model", "bin")
    weights = torch.load(folder / "pytorch_model.bin", weights_only=True)
    torch.save(
        {name: value for name, value in weights.items() if "classifier" not in name}, folder / "pytorch_model.bin"
    )
    with pytest.raises(CheckpointError, match=r"lack 4 .* classifier\.dense\.bias"):
        load_affect_model(folder)


def test_weights_that_cannot_be_read_say_why(tmp_path: Path) -> None:
    folder = checkpoint(tmp_path / "model", "bin")
    (folder / "pytorch_model.bin").write_bytes(b"<html>no such file</html>")
    with pytest.raises(CheckpointError, match="cannot be read"):
        load_affect_model(folder)


def test_weights_that_run_code_are_not_run(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="torch is not installed")
    import pickle

    folder = checkpoint(tmp_path / "model", "bin")
    (folder / "pytorch_model.bin").write_bytes(pickle.dumps(Runs(tmp_path / "ran")))
    with pytest.raises(CheckpointError, match="cannot be read"):
        load_affect_model(folder)
    assert not (tmp_path / "ran").exists()


class Runs:
    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[object, tuple[Path]]:
        return Path.touch, (self.path,)
