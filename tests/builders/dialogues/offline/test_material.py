"""The material is whole: every text can be filled, nothing is told by a tone's words, and deliveries balance."""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction
from itertools import product
from string import Formatter

import pytest

from earmark.builders.dialogues.checks import leaks
from earmark.builders.dialogues.checks.word_lists import words_of
from earmark.builders.dialogues.offline.entries import SLOTS, Plot
from earmark.builders.dialogues.offline.material import (
    lines,
    names,
    plots_about,
    plots_of,
    settings_of,
    tone_material,
)
from earmark.manifests.eqi import FAILURES, SCENARIO_TYPES, SUBSCALES, VALENCES
from earmark.manifests.errors import UnknownName

PLOTS = [plot for subscale in SUBSCALES for plot in plots_of(subscale.slug).plots]
SETTINGS = [setting for type in SCENARIO_TYPES for setting in settings_of(type.slug)]


def spoken(plot: Plot) -> list[str]:
    """All that a plot lets people say."""
    return [*plot.open, *plot.peak, *plot.then, *plot.answer, *plot.sustain, *plot.close]


def slots(text: str) -> set[str]:
    """The places of a text."""
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def all_tones() -> list[str]:
    """All tones that a target turn may have."""
    tones = tone_material()
    resonant = [tone for delivery in tones.deliveries for tone in tones.resonant(delivery)]
    failing = [tone for slug, own in tones.failures.items() for name in own for tone in tones.dissonant(slug, name)]
    return resonant + failing


def test_every_subscale_and_valence_has_plots_of_its_own() -> None:
    assert {plot.valence for plot in PLOTS} == set(VALENCES)
    for subscale, valence in product(SUBSCALES, VALENCES):
        assert len(plots_about(subscale.slug, valence)) >= 3
        assert len(plots_of(subscale.slug).resonant[valence]) >= 2
    assert len({plot.title for plot in PLOTS}) == len(PLOTS)
    # No line is used by two plots: each is about its own subscale.
    said = Counter(line for plot in PLOTS for line in spoken(plot))
    assert [line for line, count in said.items() if count > 1] == []


def test_texts_have_known_places_and_names_stand_in_descriptions_alone() -> None:
    replies = [reply for own in lines().replies.values() for reply in own]
    said = {name for plot in PLOTS for line in spoken(plot) for name in slots(line)}
    assert said | {name for reply in replies for name in slots(reply)} <= set(SLOTS) - {"first", "second"}
    for plot in PLOTS:
        assert {"first", "second"} <= slots(plot.happens) <= set(SLOTS)
        assert slots(plot.title) == set()


def test_every_plot_leaves_its_setting_open() -> None:
    # Turn 3 or the description must take something of the setting, or ten types would tell one story.
    bare = [p.title for p in PLOTS if not any(slots(t) - {"first", "second", "day"} for t in (p.happens, *p.peak))]
    assert bare == []


def test_settings_fit_into_sentences() -> None:
    assert len({setting.place for setting in SETTINGS}) == len(SETTINGS) == 8 * len(SCENARIO_TYPES)
    for setting in SETTINGS:
        assert setting.roles[0] != setting.roles[1]
        assert setting.task.startswith("the ")
        assert setting.people.startswith("the ")
        assert setting.place.endswith(".")
        for name, words in setting.words.items():
            assert words, name
            assert not words.endswith((".", "!", "?")), words
        assert not setting.work.startswith(("a ", "an ", "the ")), setting.work


def test_no_line_that_may_be_said_in_two_ways_shares_a_word_with_any_tone() -> None:
    tones = " ".join(sorted({word for tone in all_tones() for word in words_of(tone)}))
    fills = [words for setting in SETTINGS for words in (setting.task, setting.work, setting.people, setting.lead)]
    targets = [line.replace("{", " ").replace("}", " ") for plot in PLOTS for line in (*plot.answer, *plot.close)]
    assert {text: leaks(text, tones) for text in [*targets, *fills, *lines().openers] if leaks(text, tones)} == {}


def test_a_delivery_and_its_opposite_are_equally_frequent() -> None:
    deliveries = tone_material().deliveries
    for name, manner in deliveries.items():
        assert deliveries[manner.opposite].opposite == name
        assert [-sign for sign in manner.signs] == list(deliveries[manner.opposite].signs)
    assert len({manner.signs for manner in deliveries.values()}) == len(deliveries) == 8
    share: defaultdict[str, Fraction] = defaultdict(Fraction)
    for subscale, valence in product(SUBSCALES, VALENCES):
        own = plots_of(subscale.slug).deliveries[valence]
        for name in own:
            share[name] += Fraction(1, len(own))
    assert set(share) == set(deliveries)
    assert {name for name in share if share[name] != share[deliveries[name].opposite]} == set()


def test_no_subscale_has_one_right_way() -> None:
    deliveries = tone_material().deliveries
    for subscale in SUBSCALES:
        own = [deliveries[name] for each in plots_of(subscale.slug).deliveries.values() for name in each]
        for axis in range(3):
            assert len({manner.signs[axis] for manner in own}) == 2, (subscale.slug, axis)


def test_failures_and_personas_are_those_of_the_taxonomy() -> None:
    slugs = {failure.slug for failure in FAILURES}
    assert set(tone_material().failures) == set(lines().failing) == slugs
    assert set(lines().personas) == set(lines().replies) == set(tone_material().context) == set(VALENCES)


def test_names_are_as_many_of_each_gender_and_each_once() -> None:
    pools = (names().female, names().male, names().nonbinary)
    assert {len(pool) for pool in pools} == {40}
    assert len({name for pool in pools for name in pool}) == 120


def test_unknown_names_say_what_there_is() -> None:
    with pytest.raises(UnknownName, match=r"subscale.*empathy"):
        plots_of("empathy")
    with pytest.raises(UnknownName, match=r"scenario type.*workplace"):
        settings_of("office")
    with pytest.raises(UnknownName, match=r"valence.*Conflict"):
        plots_about("interpersonal_empathy", "Neutral")
