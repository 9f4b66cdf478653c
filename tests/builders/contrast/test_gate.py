"""Decisions of the gate: what passes, which clip is made again and why, and when it gives up."""

from __future__ import annotations

from dataclasses import replace

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.builders.contrast.strategies import PLAIN, features

from earmark.builders.contrast.features import Features
from earmark.builders.contrast.gate import (
    DISCARD,
    DISSONANT,
    FEWER,
    FIRST,
    MISSING,
    NEARER,
    OPTIONS,
    PASSED,
    REASONS,
    REGENERATE,
    REGENERATIONS,
    RESONANT,
    UNDEFINED,
    Attempt,
    Decision,
    decide,
    pairs,
)
from earmark.builders.contrast.profile import shipped

DEFAULT = shipped("default")
LIVELY = replace(PLAIN, f0=300.0, syllables_per_second=6.0)


def tries(option: str, *made: Features, rejected: str | None = None) -> list[Attempt]:
    return [Attempt(option=option, number=n, features=clip, rejected=rejected) for n, clip in enumerate(made)]


def test_a_pair_that_differs_passes() -> None:
    decision = decide(tries(RESONANT, LIVELY) + tries(DISSONANT, PLAIN), DEFAULT)
    assert decision == Decision(verdict=PASSED, profile="default", regenerations=0, points=4, resonant=0, dissonant=0)


def test_a_new_clip_is_compared_with_all_of_the_other_option() -> None:
    dull = replace(PLAIN, f0=280.0)
    attempts = tries(RESONANT, PLAIN, dull) + tries(DISSONANT, dull, LIVELY)
    decision = decide(attempts, DEFAULT)
    assert (decision.verdict, decision.resonant, decision.dissonant, decision.regenerations) == (PASSED, 0, 1, 2)
    assert len(list(pairs(attempts, DEFAULT))) == 4


def test_which_clip_is_made_again_and_why() -> None:
    alike = tries(RESONANT, PLAIN) + tries(DISSONANT, PLAIN)
    assert (decide(alike, DEFAULT).option, decide(alike, DEFAULT).reason) == (DISSONANT, FIRST)
    fewer = tries(RESONANT, PLAIN) + tries(DISSONANT, PLAIN, PLAIN)
    assert (decide(fewer, DEFAULT).option, decide(fewer, DEFAULT).reason) == (RESONANT, FEWER)
    higher = replace(PLAIN, f0=300.0)
    near = tries(RESONANT, PLAIN) + tries(DISSONANT, higher, higher)
    assert decide(near, DEFAULT, neutral=replace(PLAIN, seconds=9.0)).reason == NEARER
    assert decide(near, DEFAULT, neutral=replace(PLAIN, seconds=9.0)).option == RESONANT
    assert decide(near, DEFAULT, neutral=higher).option == DISSONANT
    silent = tries(RESONANT, PLAIN) + tries(DISSONANT, Features(), Features())
    assert (decide(silent, DEFAULT).option, decide(silent, DEFAULT).reason) == (DISSONANT, UNDEFINED)
    wrong = tries(RESONANT, LIVELY, rejected="says something else") + tries(DISSONANT, PLAIN)
    assert (decide(wrong, DEFAULT).option, decide(wrong, DEFAULT).reason) == (RESONANT, MISSING)


def test_it_gives_up_after_three_regenerations() -> None:
    alike = tries(RESONANT, PLAIN, PLAIN) + tries(DISSONANT, PLAIN, PLAIN, PLAIN)
    assert decide(alike, DEFAULT).verdict == DISCARD
    assert decide(alike, DEFAULT, most=4).verdict == REGENERATE
    wrong = tries(RESONANT, *[PLAIN] * 4, rejected="says something else") + tries(DISSONANT, LIVELY)
    assert decide(wrong, DEFAULT) == Decision(verdict=DISCARD, profile="default", regenerations=3)
    last = tries(RESONANT, PLAIN, PLAIN) + tries(DISSONANT, PLAIN, PLAIN, LIVELY)
    assert decide(last, DEFAULT).verdict == PASSED


@settings(max_examples=30)
@given(stream=st.lists(features, min_size=5, max_size=5), neutral=st.none() | features)
def test_following_it_ends_after_at_most_five_clips(stream: list[Features], neutral: Features | None) -> None:
    attempts: list[Attempt] = []
    for n, clip in enumerate(stream):
        decision = decide(attempts, DEFAULT, neutral=neutral)
        assert (decision.option is None) == (decision.reason is None) == (decision.verdict != REGENERATE)
        if decision.option is None:
            break
        assert decision.reason in REASONS
        assert decision.reason == MISSING or n >= len(OPTIONS)
        count = sum(attempt.option == decision.option for attempt in attempts)
        attempts.append(Attempt(option=decision.option, number=count, features=clip))
    decision = decide(attempts, DEFAULT, neutral=neutral)
    assert decision.verdict in {PASSED, DISCARD}
    assert decision.regenerations <= REGENERATIONS
    assert decide(attempts[::-1], DEFAULT, neutral=neutral) == decision
    assert (decision.verdict == PASSED) == any(pair.contrast.passed for pair in pairs(attempts, DEFAULT))


def test_what_is_stored_is_the_same_decision_again() -> None:
    attempts = tries(RESONANT, LIVELY) + tries(DISSONANT, PLAIN, LIVELY)
    stored = msgspec.json.encode((attempts, decide(attempts, DEFAULT)))
    again, decision = msgspec.json.decode(stored, type=tuple[list[Attempt], Decision])
    assert decide(again, DEFAULT) == decision
    row = attempts[0].as_row()
    assert (row["option"], row["f0"], row["rejected"]) == (RESONANT, 300.0, None)
    assert decision.as_row()["verdict"] == PASSED


def test_what_cannot_be() -> None:
    with pytest.raises(ValueError, match="resonant or dissonant"):
        Attempt(option="high", number=0, features=PLAIN)
    with pytest.raises(ValueError, match="one number"):
        decide(tries(RESONANT, PLAIN) * 2, DEFAULT)
    with pytest.raises(ValueError, match="0 or more"):
        decide([], DEFAULT, most=-1)
