"""Rules that do not listen: what each says of every presentation, and the accuracies that follow."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from tests.scoring.dialogues.studies import Study, owed_of, release_of
from tests.support.dialogue_releases import Option, Spoken, some_dialogues

from earmark.scoring.baselines import Guesses
from earmark.scoring.dialogues import BASELINES, headline
from earmark.scoring.guesses import guessed

ONE = Option(seconds=3.0, level=-20.0, loudness=None, f0=100.0)
OTHER = Option(seconds=2.0, level=-25.0, loudness=None, f0=None)
LOUD = Option(seconds=3.0, level=-30.0, loudness=-20.0, f0=90.0)
SOFT = Option(seconds=4.0, level=-20.0, loudness=-30.0, f0=80.0)
ASKED = Study((Spoken(options=((ONE, OTHER), (LOUD, SOFT))),), "direct")


def said(name: str, study: Study = ASKED, *, private: bool = True) -> Guesses | str:
    [rule] = [rule for rule in BASELINES if rule.name == name]
    return rule.guess(release_of(study, private=private), owed_of(study))


def test_the_rules_are_those_that_every_report_has() -> None:
    assert [rule.name for rule in BASELINES] == ["uniform", "always-first", "quieter", "longer", "lower"]
    assert [rule.stem for rule in BASELINES] == [rule.name for rule in BASELINES]


@pytest.mark.parametrize(
    ("rule", "stored"),  # the choice at turn 4 and turn 6 in the stored order; None is a coin
    [("always-first", ("1", "1")), ("quieter", ("2", "2")), ("longer", ("1", "2")), ("lower", (None, "2"))],
)
def test_what_a_rule_says(rule: str, stored: tuple[str | None, str | None]) -> None:
    guesses, drawn = said(rule), said("uniform")
    assert not isinstance(guesses, str)
    assert not isinstance(drawn, str)
    for each in ASKED.presented:
        choice = stored[each.turn]
        if choice is None:
            right = drawn[each.id].choice
        else:
            right = choice if each.order == "12" or rule == "always-first" else {"1": "2", "2": "1"}[choice]
        assert guesses[each.id].choice == right


def test_uniform_draws_both_choices_alike() -> None:
    many = Study(some_dialogues(100))
    answers = said("uniform", many)
    assert not isinstance(answers, str)
    counts = Counter(guess.choice for guess in answers.values())
    assert set(counts) == {"1", "2"}
    assert abs(counts["1"] - 200) < 4 * 10
    found = headline(release_of(many), guessed(owed_of(many), answers, ("1", "2")))
    assert found == pytest.approx(0.25, abs=0.09)


def test_rules_say_why_they_cannot() -> None:
    unmeasured = Option(level=None, loudness=None, f0=None)
    bare = replace(ASKED, dialogues=(Spoken(options=((unmeasured,) * 2,) * 2),))
    for rule, called in (("quieter", "level"), ("lower", "F0"), ("longer", "duration")):
        assert said(rule, bare) == f"no item has options that differ in a known {called}"
    for rule in ("quieter", "lower"):
        assert said(rule, private=False) == "this copy has no private side, where measures stand"
    assert not isinstance(said("longer", private=False), str)


def test_a_shortcut_shows() -> None:
    """Where the right option is always the quieter one, the rule has everything and position a quarter or less."""
    dialogues = tuple(
        Spoken(gold=gold, options=tuple((SOFT, LOUD) if g == "first" else (LOUD, SOFT) for g in gold))
        for gold in (("first", "second"), ("second", "second"))
    )
    study = Study(dialogues, "sequential-4")
    release, owed = release_of(study), owed_of(study)
    found = {}
    for rule in BASELINES:
        guesses = rule.guess(release, owed)
        assert not isinstance(guesses, str)
        found[rule.name] = headline(release, guessed(owed, guesses, ("1", "2")))
    assert found["quieter"] == found["longer"] == found["lower"] == 1
    assert found["always-first"] == 0.25
