"""The taxonomy: complete, one slug to one label and back, and helpful about a mistyped name."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from earmark.manifests import eqi
from earmark.manifests.eqi import (
    COMPOSITES,
    FAILURES,
    SUBSCALES,
    Subscale,
    composite_of,
    failure_of,
    subscale_labelled,
    subscale_of,
)
from earmark.manifests.errors import UnknownName

SUBSCALE = st.sampled_from(SUBSCALES)


def test_five_composites_of_three_subscales_each() -> None:
    assert len(COMPOSITES) == 5
    assert len({subscale.slug for subscale in SUBSCALES}) == len({s.label for s in SUBSCALES}) == 15
    assert [subscale.composite for subscale in SUBSCALES] == [composite for composite in COMPOSITES for _ in range(3)]


@given(SUBSCALE)
def test_slug_and_label_name_the_same(subscale: Subscale) -> None:
    assert subscale_of(subscale.slug) is subscale_labelled(subscale.label) is subscale
    # The rule by which the authors make slugs gives the table, which is what is looked up.
    assert subscale.slug == subscale.label.lower().replace(" - ", "_").replace("-", "_").replace(" ", "_")
    assert subscale.label.split(eqi.SEPARATOR, 1) == [subscale.composite.name, subscale.name]
    assert composite_of(subscale.composite.slug) is subscale.composite


def test_cutting_at_the_first_underscore_would_name_no_composite() -> None:
    wrong = {subscale.slug for subscale in SUBSCALES if subscale.slug.split("_")[0] != subscale.composite.slug}
    assert len(wrong) == 12


@given(SUBSCALE, st.data())
def test_a_mistyped_slug_is_told_the_right_one_first(subscale: Subscale, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(subscale.slug) - 1))
    mistyped = subscale.slug[:at] + "~" + subscale.slug[at + 1 :]
    with pytest.raises(UnknownName) as caught:
        subscale_of(mistyped)
    assert caught.value.valid[0] == subscale.slug
    assert sorted(caught.value.valid) == sorted(other.slug for other in SUBSCALES)


@pytest.mark.parametrize("look_up", [composite_of, subscale_of, subscale_labelled, failure_of])
@given(name=st.text(max_size=30).filter(lambda text: not text.isprintable() or " " not in text))
def test_every_table_refuses_what_it_does_not_hold(look_up: Callable[[str], object], name: str) -> None:
    with pytest.raises(UnknownName, match="there is"):
        look_up(name + "?")


def test_a_slug_is_no_label_and_a_label_no_slug() -> None:
    with pytest.raises(UnknownName):
        subscale_labelled("interpersonal_empathy")
    with pytest.raises(UnknownName):
        subscale_of("Interpersonal - Empathy")
    with pytest.raises(UnknownName):
        subscale_labelled("Interpersonal-Empathy")


def test_failures_differ_in_slug_persona_and_tone_and_one_is_seldom() -> None:
    for what in ("slug", "name", "tone"):
        assert len({getattr(failure, what) for failure in FAILURES}) == len(FAILURES) == 6
    for failure in FAILURES:
        assert failure_of(failure.slug) is failure
    assert [failure.slug for failure in FAILURES if failure.seldom] == ["apathetic_wall"]


def test_scenario_types_are_different_and_their_slugs_are_plain() -> None:
    for what in ("slug", "name", "means"):
        assert len({getattr(type, what) for type in eqi.SCENARIO_TYPES}) == len(eqi.SCENARIO_TYPES) == 10
    for type in eqi.SCENARIO_TYPES:
        assert type.slug.replace("_", "").isalpha()
        assert type.slug.islower()
        assert eqi.scenario_type_of(type.slug) is type
    with pytest.raises(UnknownName, match="there is workplace"):
        eqi.scenario_type_of("workplaces")
