"""The gate and the shortcuts on twelve real dialogues, nine of the first generation and three of the second."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from tests.builders.contrast.strategies import RealTurn, real_turns

from earmark.builders.contrast.features import Features, measure_features
from earmark.builders.contrast.points import contrast
from earmark.builders.contrast.profile import shipped
from earmark.builders.contrast.shortcuts import Chosen, shortcuts
from earmark.builders.contrast.signs import signed
from earmark.manifests.findings import Findings


class Measured(NamedTuple):
    """The real turns and both clips' features by one profile's front end."""

    turns: list[RealTurn]
    clips: list[tuple[Features, Features]]


@pytest.fixture(scope="module")
def dialogues(shared_data: Path) -> list[RealTurn]:
    folder = shared_data / "speecheq"
    if not folder.is_dir():
        pytest.skip("the folder ../shared/data/speecheq with real dialogues is absent")
    return real_turns(folder)


@pytest.fixture(scope="module")
def measured(dialogues: list[RealTurn]) -> dict[str, Measured]:
    requests = [request for turn in dialogues for request in turn.requests]
    found = {}
    for name in ("default", "paper"):
        profile, findings = shipped(name), Findings()
        features = measure_features(requests, front=profile.front, tracker=profile.tracker, jobs=1, findings=findings)
        assert not list(findings)
        whole = [clip for clip in features if clip is not None]
        found[name] = Measured(dialogues, list(zip(whole[::2], whole[1::2], strict=True)))
    return found


def relative(a: float | None, b: float | None) -> float:
    assert a is not None
    assert b is not None
    return abs(a - b) / max(a, b)


# Measurements of all 120 public pairs, of which the 24 here are some: least difference, second and eighth decile, greatest.
KNOWN = {
    "f0": (0.00682, 0.0858, 0.316, 0.514),
    "seconds": (0.0, 0.0439, 0.24, 0.547),
    "zero_crossing_rate": (0.00649, 0.0524, 0.2, 0.458),
    "centroid": (0.0012, 0.0202, 0.121, 0.264),
}


def test_librosas_features_lie_within_what_was_measured_of_all_public_pairs(measured: dict[str, Measured]) -> None:
    clips = measured["paper"].clips
    assert len(clips) == 24
    for name, (least, second, eighth, most) in KNOWN.items():
        found = [relative(getattr(one, name), getattr(other, name)) for one, other in clips]
        assert least - 5e-4 <= min(found), name
        assert max(found) <= most + 5e-4, name
        assert second < np.median(found) < eighth, name
    for name, columns, (least, second, eighth, most) in (
        ("MFCC", slice(0, 13), (12.3, 25.4, 79.3, 152)),
        ("MFCC without c0", slice(1, 13), (6.63, 14.9, 27.9, 42.3)),
    ):
        found = [float(np.linalg.norm(np.subtract(one.mfcc or (), other.mfcc or ())[columns])) for one, other in clips]
        assert least * 0.995 <= min(found), name
        assert max(found) <= most * 1.005, name
        assert second < np.median(found) < eighth, name
    levels = [abs((one.level or 0) - (other.level or 0)) for one, other in clips]
    assert max(levels) <= 11.8
    assert 0.717 < np.median(levels) < 3.95


def test_most_real_pairs_pass_both_profiles(measured: dict[str, Measured]) -> None:
    for name, (_, clips) in measured.items():
        found = [contrast(one, other, shipped(name)) for one, other in clips]
        assert not any(pair.undefined for pair in found)
        assert 20 <= sum(pair.passed for pair in found) <= 24, name
        assert len({pair.total for pair in found}) > 3


def test_both_front_ends_agree_on_pitch(measured: dict[str, Measured]) -> None:
    ours, theirs = (
        np.array([clip.f0 for pair in measured[name].clips for clip in pair], float) for name in ("default", "paper")
    )
    assert np.abs(ours / theirs - 1).max() < 0.05


def test_the_low_options_of_the_first_generation_are_louder_higher_and_shorter(measured: dict[str, Measured]) -> None:
    for name, (turns, clips) in measured.items():
        rows = [
            Chosen(turn.dialogue, turn.turn, signed(*pair, front=shipped(name).front))
            for turn, pair in zip(turns, clips, strict=True)
            if turn.generation == 1
        ]
        assert len(rows) == 18
        found = {shortcut.rule: shortcut.turns for shortcut in shortcuts(rows, replicates=500)}
        for rule in ("quieter", "lower", "longer"):
            value, low = found[rule].value, found[rule].low
            assert value is not None, (name, rule)
            assert value >= 0.6, (name, rule)
            assert low is not None
