"""From attempts to a release: only pairs that pass, whole dialogues, and no rule that finds the resonant option."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from tests.builders.contrast.strategies import PLAIN

from earmark.builders.contrast.choosing import TurnKey, choose
from earmark.builders.contrast.features import Features
from earmark.builders.contrast.gate import DISSONANT, RESONANT, Attempt, pairs
from earmark.builders.contrast.profile import shipped
from earmark.builders.contrast.shortcuts import RULES, Chosen, rule_marks, shortcuts
from earmark.builders.contrast.signs import signed, signs_of

DEFAULT = shipped("default")
KEY = bytes(range(32))


def louder_dissonance(seed: int, dialogues: int) -> dict[TurnKey, list[Attempt]]:
    """Two takes of each option; dissonant ones tend to be louder, higher, shorter, faster and brighter."""
    rng = np.random.default_rng(seed)

    def take(lean: float) -> Features:
        level, pitch, length, pace, bright = rng.standard_normal(5) + lean
        return replace(
            PLAIN,
            level=-20 + 2 * level,
            f0=200 * np.exp(0.15 * pitch),
            seconds=3 * np.exp(-0.15 * length),
            syllables_per_second=4 * np.exp(0.15 * pace),
            centroid=1500 * np.exp(0.1 * bright),
            mfcc=(0.0, *(3 * rng.standard_normal(12)).tolist()),
        )

    return {
        (f"d{dialogue:03}", turn): [
            Attempt(option=option, number=number, features=take(lean))
            for option, lean in ((RESONANT, -0.4), (DISSONANT, 0.4))
            for number in (0, 1)
        ]
        for dialogue in range(dialogues)
        for turn in (4, 6)
    }


def test_a_voice_that_shouts_its_dissonance_is_balanced_by_choice() -> None:
    attempts = louder_dissonance(0, 60)
    choice = choose(attempts, DEFAULT, key=KEY, seed=1)
    kept = {dialogue for dialogue, _ in choice.pairs}
    assert kept | set(choice.discarded) == {dialogue for dialogue, _ in attempts}
    assert not kept & set(choice.discarded)
    assert len(kept) > 40
    first = [
        Chosen(dialogue, turn, signed(made[0].features, made[2].features))
        for (dialogue, turn), made in attempts.items()
        if dialogue in kept
    ]
    before = {rule: rule_marks(first, rule).mean() for rule in RULES}
    after = {found.rule: found.turns for found in shortcuts(choice.rows, replicates=300)}
    for rule in ("quieter", "lower", "longer", "slower"):
        value, low, high = after[rule].value, after[rule].low, after[rule].high
        assert value is not None
        assert low is not None
        assert high is not None
        assert before[rule] > 0.62
        assert abs(value - 0.5) < (before[rule] - 0.5) / 2
        assert low <= 0.5 <= high
    assert choice.balance.gap == 0
    assert choice.balance.imbalance < choice.balance.before


def test_what_is_chosen_passed_and_is_what_it_says() -> None:
    attempts = louder_dissonance(1, 12)
    attempts["d003", 6] = [
        Attempt(option=option, number=0, features=PLAIN) for option in (RESONANT, DISSONANT)
    ]  # alike: fails, and takes turn 4 along
    choice = choose(attempts, DEFAULT, key=KEY, seed=1)
    assert "d003" in choice.discarded
    for turn, pair in choice.pairs.items():
        assert pair in list(pairs(attempts[turn], DEFAULT))
        assert pair.contrast.passed
    excess = np.sum([signs_of(row.differences) for row in choice.rows], axis=0)
    assert tuple(excess.tolist()) == choice.balance.excess
    backwards = dict(reversed(attempts.items()))
    assert choose(backwards, DEFAULT, key=KEY, seed=1) == choice


def test_nothing_to_choose_from() -> None:
    choice = choose({("a", 4): []}, DEFAULT, key=KEY, seed=0)
    assert (dict(choice.pairs), choice.rows, choice.discarded) == ({}, (), ("a",))
