"""Tones go where they are meant to go, as the offline voice reads them, and candidates are of three kinds."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import pytest

from earmark.builders.dialogues.checks import DEFAULT_WORDS, word_count
from earmark.builders.dialogues.checks.word_lists import found_in
from earmark.builders.dialogues.makers import Cell
from earmark.builders.dialogues.offline.deliveries import draw_targets, failure_pairs, selection_of
from earmark.builders.dialogues.offline.draws import Draws
from earmark.builders.dialogues.offline.material import plots_of, tone_material
from earmark.builders.voices.delivery import read_tone
from earmark.manifests.eqi import FAILURES, SUBSCALES, VALENCES, failure_of

DELIVERIES = tone_material().deliveries
BORROWED = [(failure, name) for failure, own in tone_material().failures.items() for name in own]


def check_voice(tones: Sequence[str], delivery: str) -> None:
    """The offline voice, which knows nothing of deliveries, must go where each word of a tone was meant to send it."""
    rate, pitch, level = DELIVERIES[delivery].signs
    for tone in tones:
        assert 8 <= word_count(tone) <= 15, tone
        assert found_in(tone, DEFAULT_WORDS.bland) == (), tone
        heard = read_tone(tone)
        assert rate * (heard.rate - 1) > 0.02, tone
        assert pitch * heard.pitch > 0.3, tone
        assert level * heard.level > 0.3, tone


@pytest.mark.parametrize("delivery", DELIVERIES)
def test_resonant_tones_move_pace_pitch_and_force(delivery: str) -> None:
    tones = tone_material().resonant(delivery)
    assert len(set(tones)) == len(tones) >= 30
    check_voice(tones, delivery)
    assert not any(found_in(tone, DEFAULT_WORDS.monotone) for tone in tones)


@pytest.mark.parametrize(("failure", "delivery"), BORROWED)
def test_dissonant_tones_move_them_as_the_delivery_they_borrow(failure: str, delivery: str) -> None:
    tones = tone_material().dissonant(failure, delivery)
    assert len(set(tones)) == len(tones) >= 9
    check_voice(tones, delivery)
    assert all(bool(found_in(tone, DEFAULT_WORDS.monotone)) <= failure_of(failure).seldom for tone in tones)


@pytest.mark.parametrize("valence", VALENCES)
def test_context_tones_follow_the_arc(valence: str) -> None:
    context = tone_material().context[valence]
    for wording in (context.first, context.second, context.third, context.fifth):
        assert all(8 <= word_count(tone) <= 15 for tone in wording.sentences())
    away = {
        name: sum(abs(read_tone(t).level) for t in getattr(context, name).sentences()) for name in ("second", "third")
    }
    assert away["third"] > away["second"]


def test_there_are_failures_for_any_two_deliveries_of_a_cell() -> None:
    for subscale, valence in product(SUBSCALES, VALENCES):
        own = plots_of(subscale.slug).deliveries[valence]
        for four, six in product(own, own):
            plain = [pair for pair in failure_pairs((four, six)) if not any(failure_of(f).seldom for f in pair)]
            assert plain, (subscale.slug, valence, four, six)


def test_a_pair_fits_both_turns() -> None:
    """By its definition, asked of every pair of failures."""
    material = tone_material()

    def turned(failure: str, resonant: str) -> list[int]:
        signs = DELIVERIES[resonant].signs
        return [
            sum(a != b for a, b in zip(signs, DELIVERIES[name].signs, strict=True))
            for name in material.failures[failure]
        ]

    for resonant in product(DELIVERIES, DELIVERIES):
        expected = {
            (one.slug, other.slug)
            for at, one in enumerate(FAILURES)
            for other in FAILURES[at + 1 :]
            if all(any(3 in turned(f.slug, name) and not f.seldom for f in (one, other)) for name in resonant)
            and all(2 in turned(f.slug, name) for f in (one, other) for name in resonant)
        }
        assert set(failure_pairs(resonant)) == expected


def test_the_selected_one_is_the_opposite_and_the_other_one_is_not() -> None:
    numbers = set()
    for n, (subscale, valence) in enumerate(product(SUBSCALES, VALENCES)):
        cell = Cell(subscale.slug, valence, "family")
        for apathetic in (False, True):
            targets = draw_targets(cell, Draws(f"{subscale.slug}-{n:04d}"), apathetic=apathetic)
            assert set(targets[0].failures) == set(targets[1].failures)
            seldom = [slug for slug in targets[0].failures if failure_of(slug).seldom]
            assert not seldom or apathetic
            for target in targets:
                chosen, other = target.dissonant[:: 1 if target.selected == 2 else -1]
                assert chosen[1] == DELIVERIES[target.resonant].opposite
                assert other[1] not in (chosen[1], target.resonant)
                assert chosen[0] not in seldom
                numbers.add(target.selected)
    assert numbers == {2, 3}


def test_a_selection_says_how_the_two_differ() -> None:
    cell = Cell("interpersonal_empathy", "Negative", "family")
    target, _ = draw_targets(cell, Draws("interpersonal_empathy-0001"), apathetic=False)
    signs = DELIVERIES[target.resonant].signs
    reasoning = selection_of(target, "Stay near.").reasoning
    for sign, (plus, minus) in zip(
        signs, (("quicker", "slower"), ("higher", "lower"), ("louder", "quieter")), strict=True
    ):
        assert (minus if sign > 0 else plus) in reasoning
        assert (plus if sign > 0 else minus) not in reasoning
    assert "(stay near)" in reasoning
    assert failure_of(target.failures[target.selected - 2]).name in reasoning
