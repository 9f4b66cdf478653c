"""Rules that do not listen: what each says of every presentation, and the accuracies that follow."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from tests.scoring.pairs.studies import Pair, Study, decisions_of, owed_of, presentation_id, release_of

from earmark.manifests.release import Release
from earmark.scoring.baselines import Guess
from earmark.scoring.decisions import Decisions
from earmark.scoring.guesses import guessed
from earmark.scoring.pairs import BASELINES, headline
from earmark.scoring.pairs.figures import figures
from earmark.scoring.pairs.gold import read_gold
from earmark.scoring.pairs.marks import mark

LONG, SHORT, NO_F0 = (0, 0), (1, 0), (2, 0)
MEASURES = {
    LONG: {"duration": 3.0, "loudness": -30.0, "f0_median": 100.0},
    SHORT: {"duration": 2.0, "loudness": -20.0, "f0_median": 200.0},
    NO_F0: {"duration": 2.0, "loudness": None, "f0_median": None},
}
ASKED = Study(
    (
        Pair("style", (LONG, SHORT), "first", "non_tie"),
        Pair("style", (SHORT, NO_F0), "second", "non_tie"),
        Pair("style", (NO_F0, NO_F0), "tie", "both_good"),
        Pair("rate", (SHORT, LONG), "second", "non_tie", ties=False),
    ),
    measures=MEASURES,
)


def said(name: str, study: Study = ASKED, release: Release | None = None) -> dict[tuple[int, str], str] | str:
    """What a rule says of each pair in each order."""
    [rule] = [rule for rule in BASELINES if rule.name == name]
    guesses = rule.guess(release or release_of(study), owed_of(study))
    if isinstance(guesses, str):
        return guesses
    return {
        (n, order): guesses[presentation_id(n, order)].choice
        for n, pair in enumerate(study.pairs)
        for order in pair.orders
    }


@pytest.mark.parametrize(
    ("rule", "in_stored_order"),
    [
        ("longer", ["A", "Tie", "Tie", "B"]),
        ("louder", ["B", "A", "Tie", "A"]),
        ("higher-pitched", ["B", "A", "Tie", "A"]),  # a clip without F0 is not higher than any
        ("always A", ["A", "A", "A", "A"]),
        ("always Tie", ["Tie", "Tie", "Tie", "Tie"]),
        ("perfect, never Tie", ["A", "B", "A", "B"]),
    ],
)
def test_what_rules_say(rule: str, in_stored_order: list[str]) -> None:
    answers = said(rule)
    assert not isinstance(answers, str)
    assert [answers[n, "12"] for n in range(4)] == in_stored_order
    other = {"A": "B", "B": "A", "Tie": "Tie"}
    for n, letter in enumerate(in_stored_order):
        constant = rule.startswith("always") or (rule.startswith("perfect") and ASKED.pairs[n].gold == "tie")
        assert answers[n, "21"] == (letter if constant else other[letter])


def test_uniform_draws_from_what_is_offered() -> None:
    many = Study(tuple(Pair(*each) for each in [("style", (LONG, SHORT), "first", "non_tie")] * 1500))
    few = Study(tuple(replace(pair, ties=False) for pair in many.pairs))
    for study, choices in ((many, "A B Tie"), (few, "A B")):
        answers = said("uniform", study)
        assert not isinstance(answers, str)
        counts = Counter(answers.values())
        assert set(counts) == set(choices.split())
        expected = 3000 / len(counts)
        assert all(abs(count - expected) < 4 * expected**0.5 for count in counts.values())
        assert said("uniform", study) == answers


def test_rules_say_why_they_cannot() -> None:
    public = release_of(ASKED, private=False)
    for rule in ("louder", "higher-pitched"):
        assert said(rule, release=public) == "this copy has no private side, where measures stand"
        unmeasured = said(rule, replace(ASKED, measures={}))
        assert isinstance(unmeasured, str)
        assert "--media" in unmeasured
    assert said("perfect, never Tie", release=public) == "this copy has no private side, where the answers stand"
    assert not isinstance(said("longer", release=public), str)


def test_the_constants_of_the_paper() -> None:
    """Always Tie, always A and perfect discrimination get what their shares of ties say, at the paper's sizes of criteria."""
    sizes = {"style": (72, 72), "rate": (38, 0), "emphasis": (41, 45), "age": (75, 75), "gender": (50, 50)}
    asked = Study(
        tuple(
            Pair(facet, (LONG, SHORT), "first" if n < non_tie else "tie", "non_tie" if n < non_tie else "both_bad")
            for facet, (non_tie, tie) in sizes.items()
            for n in range(non_tie + tie)
        )
    )
    release, owed = release_of(asked), owed_of(asked)
    tie = {facet: ties / (non_tie + ties) for facet, (non_tie, ties) in sizes.items()}
    right = {
        "always Tie": tie,
        "always A": {facet: (1 - share) / 2 for facet, share in tie.items()},
        "perfect, never Tie": {facet: 1 - share for facet, share in tie.items()},
    }
    for rule in BASELINES:
        if rule.name not in right:
            continue
        guesses = rule.guess(release, owed)
        assert not isinstance(guesses, str)
        decisions: Decisions = guessed(owed, guesses, ("A", "B", "Tie"))
        every = figures(mark(read_gold(release), decisions))
        found = {
            figure.facet: figure.parts[0].make(figure.parts[0].levels["pair"], len(asked.pairs)).value()
            for figure in every
            if (figure.metric, figure.slice) == ("accuracy", "all") and figure.facet != "overall"
        }
        assert found == pytest.approx(right[rule.name])
        assert headline(release, decisions) == pytest.approx(sum(right[rule.name].values()) / 5)


def test_every_rule_answers_everything_or_says_why() -> None:
    release = release_of(ASKED)
    for rule in BASELINES:
        guesses = rule.guess(release, owed_of(ASKED))
        assert not isinstance(guesses, str)
        assert guesses.keys() == set(owed_of(ASKED).ids)
        assert {type(guess) for guess in guesses.values()} == {Guess}
    assert len(decisions_of(ASKED).presentation) == 8
