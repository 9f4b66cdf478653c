"""What the author writes passes all checks, is like nothing else in a release, and gives no acoustic rule a hold."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from functools import cache
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from earmark.builders.dialogues.checks import apathetic_allowed, check_apathetic_share, check_dialogue, is_apathetic
from earmark.builders.dialogues.makers import Cell, Commission
from earmark.builders.dialogues.offline import MODEL, PROVIDER, OfflineWriter
from earmark.builders.dialogues.quotas import DialoguesSection, commissions
from earmark.builders.dialogues.records import GENDERS, TARGET_TURNS, Dialogue
from earmark.builders.voices.delivery import Delivery, read_tone
from earmark.manifests.attempts import DISSONANT, RESONANT
from earmark.manifests.eqi import SCENARIO_TYPES, SUBSCALES, VALENCES
from earmark.manifests.errors import UnknownName

CELLS = [
    Cell(subscale.slug, valence, type.slug) for subscale, valence, type in product(SUBSCALES, VALENCES, SCENARIO_TYPES)
]


@cache
def heard(instruction: str) -> Delivery:
    """What the offline voice makes of a tone; most tones come many times in a release."""
    return read_tone(instruction)


@pytest.mark.parametrize("subscale", [subscale.slug for subscale in SUBSCALES])
def test_every_cell_passes_every_check(subscale: str) -> None:
    writer = OfflineWriter()
    for n, cell in enumerate(cell for cell in CELLS if cell.subscale == subscale):
        dialogue = writer.compose(Commission(f"{subscale}-{n:04d}", cell))
        assert check_dialogue(dialogue) == (), dialogue.name
        scenario = dialogue.scenario
        assert (scenario.subscale, scenario.valence, scenario.type) == (cell.subscale, cell.valence, cell.type)


@given(st.text(min_size=1, max_size=40), st.sampled_from(CELLS), st.integers(0, 2**63 - 1), st.binary(max_size=32))
@settings(max_examples=60)
def test_any_name_seed_and_key_pass_every_check(name: str, cell: Cell, seed: int, key: bytes) -> None:
    writer, commission = OfflineWriter(seed, key), Commission(name, cell)
    dialogue = writer.compose(commission)
    assert check_dialogue(dialogue) == ()
    assert dialogue.name == name
    assert (dialogue.author.provider, dialogue.author.model, dialogue.author.rejections) == (PROVIDER, MODEL, {})
    assert OfflineWriter(seed, key).compose(commission) == dialogue


@pytest.mark.slow
def test_a_whole_release_passes_every_check(release: tuple[Dialogue, ...]) -> None:
    assert {dialogue.name: check_dialogue(dialogue) for dialogue in release if check_dialogue(dialogue)} == {}


def test_a_dialogue_is_the_same_whatever_else_is_written() -> None:
    many = commissions(DialoguesSection(per_subscale=2))
    forwards = {c.name: OfflineWriter().compose(c) for c in many}
    writer = OfflineWriter()
    backwards = {c.name: writer.compose(c) for c in reversed(many)}
    assert forwards == backwards
    assert asyncio.run(OfflineWriter().write(many[3])) == forwards[many[3].name]
    assert OfflineWriter().planned(many[3]) == ()


@pytest.mark.parametrize("other", [OfflineWriter(1), OfflineWriter(0, b"k")])
def test_another_seed_or_key_writes_others(other: OfflineWriter) -> None:
    many = commissions(DialoguesSection(per_subscale=2))
    same = [c.name for c in many if other.compose(c).script == OfflineWriter().compose(c).script]
    assert same == []


def test_no_two_dialogues_of_a_release_are_alike(release: tuple[Dialogue, ...]) -> None:
    assert len({dialogue.script for dialogue in release}) == len(release) == 2265
    assert len({dialogue.script.line(3) for dialogue in release}) > 2000
    for turn in TARGET_TURNS:
        ((_, most),) = Counter(dialogue.script.line(turn) for dialogue in release).most_common(1)
        assert most < 0.01 * len(release)


def test_genders_are_even_and_the_apathetic_are_few(release: tuple[Dialogue, ...]) -> None:
    genders = Counter(p.gender for d in release for p in (d.scenario.first, d.scenario.second))
    # Six standard errors of a share of a third among 4,530.
    assert all(abs(genders[gender] / (2 * len(release)) - 1 / 3) < 0.042 for gender in GENDERS)
    assert check_apathetic_share(release) == ()
    having = [d.name for d in release if any(is_apathetic(p.failure) for p in d.scenario.dissonant_personas)]
    assert having
    assert all(map(apathetic_allowed, having))


def test_no_rule_of_pace_pitch_or_force_finds_the_resonant_option(release: tuple[Dialogue, ...]) -> None:
    signs: Counter[tuple[bool, bool, bool]] = Counter()
    for dialogue, turn in product(release, TARGET_TURNS):
        one, other = (heard(dialogue.tone(turn, option).instruction) for option in (RESONANT, DISSONANT))
        assert one.rate != other.rate
        assert one.pitch != other.pitch
        assert one.level != other.level
        signs[one.rate > other.rate, one.pitch > other.pitch, one.level > other.level] += 1
    whole = sum(signs.values())
    for axis in range(3):
        assert abs(sum(count for sign, count in signs.items() if sign[axis]) / whole - 0.5) < 0.03
    # Each combination is as frequent as its opposite, so no weighting of the three signs does better than chance either.
    for sign, count in signs.items():
        opposite = signs[not sign[0], not sign[1], not sign[2]]
        assert abs(count - opposite) / whole < 0.03


def test_no_rule_of_pace_pitch_or_force_finds_it_at_both_turns(release: tuple[Dialogue, ...]) -> None:
    """Half of the time at each turn is a quarter of the time at both only where the turns do not go together."""
    both: Counter[tuple[int, bool]] = Counter()
    for dialogue in release:
        pairs = [
            [heard(dialogue.tone(turn, option).instruction) for option in (RESONANT, DISSONANT)]
            for turn in TARGET_TURNS
        ]
        for axis, name in enumerate(("rate", "pitch", "level")):
            four, six = (getattr(one, name) > getattr(other, name) for one, other in pairs)
            both[axis, four] += four == six
    assert len(both) == 6
    assert all(abs(count / len(release) - 0.25) < 0.06 for count in both.values()), both


def test_what_is_right_depends_on_what_happens(release: tuple[Dialogue, ...]) -> None:
    higher = {
        valence: [
            heard(d.tone(turn, RESONANT).instruction).pitch > heard(d.tone(turn, DISSONANT).instruction).pitch
            for d in release[::5]
            for turn in TARGET_TURNS
            if d.scenario.valence == valence
        ]
        for valence in VALENCES
    }
    share = {valence: sum(each) / len(each) for valence, each in higher.items()}
    assert share["Positive"] > 0.7
    assert share["Conflict"] < 0.4
    assert all(0.05 < each < 0.95 for each in share.values())


def test_an_unknown_cell_is_refused() -> None:
    with pytest.raises(UnknownName, match="office"):
        OfflineWriter().compose(Commission("a", Cell("interpersonal_empathy", "Positive", "office")))


def test_it_is_quick() -> None:
    many = commissions(DialoguesSection(per_subscale=20))
    writer = OfflineWriter()
    writer.compose(many[0])
    began = time.process_time()
    for commission in many:
        writer.compose(commission)
    # A release of 2,265 in a few seconds of one core, with much to spare on a busy machine.
    assert (time.process_time() - began) / len(many) < 4 / 2265
