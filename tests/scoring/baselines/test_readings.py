"""The reader in each family: no item's own answer moves its guess, both orders are answered alike, words that tell are used."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest
from tests.scoring.baselines.altered import Row, altered, backwards, changed, golden, with_golds

from earmark.manifests.keys import rank
from earmark.manifests.release import Release
from earmark.scoring.baselines import Guess
from earmark.scoring.baselines.answers import read_answers
from earmark.scoring.baselines.reader import NO_WORDS
from earmark.scoring.decisions import Owed, owed_presentations
from earmark.scoring.dialogues.reading import SAME_WORDS
from earmark.scoring.families import family_marks
from earmark.scoring.guesses import guessed
from earmark.scoring.stance.reading import LEAST_SURE

FAMILIES = ("stance", "pairs", "dialogues")


def owed_of(release: Release) -> Owed:
    return owed_presentations(release, release.protocol())


def read(release: Release) -> Mapping[str, Guess] | str:
    """What the reader of the family says."""
    [rule] = [rule for rule in family_marks(release).FURTHER_BASELINES if rule.name == "transcript-only"]  # type: ignore[attr-defined]  # some have it
    return rule.guess(release, owed_of(release))


def decided(release: Release) -> dict[str, str]:
    """What it decides of each item; both orders of an item must decide alike."""
    guesses, owed = read(release), owed_of(release)
    assert not isinstance(guesses, str)
    found: dict[str, set[str]] = {}
    for id, item, order in zip(owed.ids, owed.item, owed.order, strict=True):
        found.setdefault(item, set()).add(release.family.decision(order, guesses[id].choice))
    assert {len(each) for each in found.values()} == {1}
    return {item: each.pop() for item, each in found.items()}


def said(family: str, words: Callable[[Row], str | None], *, facet: str | None = None) -> Release:
    """A golden release whose clips share nothing, say other words, and are asked about in one facet."""
    release = golden(family)
    sources = changed(
        release,
        "sources",
        lambda row: {
            **dict.fromkeys(("speaker", "conversation", "prompt", "script"), f"of {row['clip_id']}"),
            "text": words(row),
        },
    )
    asked = {"facet": facet, "target": None} if family == "pairs" else {"facet": facet}
    items = changed(release, "items", lambda _: asked) if facet else release.table("items")
    return altered(release, sources=sources, items=items)


def drawn_words(row: Row) -> str:
    """Six words of twelve, drawn by the clip's id; the third of the clips has the same ones."""
    draws = [rank(b"", 1, f"word {n}", str(row["clip_id"])) for n in range(7)]
    return " ".join("abcdefghijkl"[draw % 12] for draw in draws[:3]) if draws[6] % 3 else "a b c"


@pytest.mark.parametrize("family", FAMILIES)
def test_no_items_own_answer_moves_what_is_said_of_it(family: str) -> None:
    facets = {"stance": "S2", "pairs": "style", "dialogues": "interpersonal_empathy"}
    release = said(family, drawn_words, facet=facets[family])
    gold, golds = read_answers(release, owed_of(release)), release.family.golds
    before, moved = decided(release), 0
    for item in sorted(gold)[:3]:
        other = golds[(golds.index(gold[item]) + 1) % len(golds)]
        answers = with_golds(release, {item: other}).table("answers")
        after = decided(
            altered(release, answers=answers, sources=release.table("sources"), items=release.table("items"))
        )
        assert after[item] == before[item]
        moved += after != before
    assert moved, "what is right of one item is learnt for others"


@pytest.mark.parametrize("family", FAMILIES)
def test_it_is_the_same_every_time_whatever_the_order_of_rows(family: str) -> None:
    if family == "dialogues":
        assert read(golden(family)) == read(backwards(golden(family))) == SAME_WORDS
        return
    release = golden(family)
    assert read(release) == read(release) == read(backwards(release))
    assert set(decided(release)) == set(owed_of(release).item)


def test_the_public_seed_draws_coins_and_nothing_else() -> None:
    release = said("stance", drawn_words, facet="S2")
    one, other = (
        read(altered(release, seed=seed, sources=release.table("sources"), items=release.table("items")))
        for seed in (1, 2)
    )
    assert not isinstance(one, str)
    assert not isinstance(other, str)
    sure = {id for id, guess in one.items() if guess.probability != LEAST_SURE}
    assert sure
    assert {id: one[id] for id in sure} == {id: other[id] for id in sure}


def test_poles_called_otherwise_are_said_otherwise() -> None:
    release = said("stance", drawn_words, facet="S2")
    gold = read_answers(release, owed_of(release))
    answers = with_golds(release, {item: {"P": "N", "N": "P"}[right] for item, right in gold.items()}).table("answers")
    swapped = altered(release, answers=answers, sources=release.table("sources"), items=release.table("items"))
    one, other = read(release), read(swapped)
    assert not isinstance(one, str)
    assert not isinstance(other, str)
    told = 0
    for id, guess in one.items():
        assert other[id].probability == guess.probability
        assert (other[id].choice == guess.choice) == (guess.probability == LEAST_SURE)
        told += guess.probability != LEAST_SURE
    assert told


def gold_of_clips(family: str, role: str) -> dict[str, str]:
    """What is right of the items that each clip stands in."""
    release = golden(family)
    gold = {row["item_id"]: row["gold"] for row in release.table("answers").to_pylist()}
    rows = release.table("item_clips").to_pylist()
    return {row["clip_id"]: gold[row["item_id"]] for row in rows if row["role"] == role}


def headline(release: Release) -> float | None:
    guesses = read(release)
    assert not isinstance(guesses, str)
    return family_marks(release).headline(release, guessed(owed_of(release), guesses, release.family.choices))


def test_words_that_tell_the_pole_are_used() -> None:
    gold = gold_of_clips("stance", "target")
    # One dimension, so that there is something to learn from.
    telling = said("stance", lambda row: f"{gold.get(str(row['clip_id']), '')} {row['clip_id']}", facet="S2")
    assert headline(telling) == 1


def test_words_that_tell_the_option_are_used() -> None:
    options = {"resonant": "kindly", "dissonant": "rudely", "context": "so"}
    telling = said("dialogues", lambda row: f"{options[str(row['option'])]} {row['clip_id']}")
    assert headline(telling) == 1


def test_words_that_tell_the_clip_are_used_and_same_words_are_a_tie() -> None:
    release = golden("pairs")
    answers = {row["item_id"]: row for row in release.table("answers").to_pylist()}
    fits: dict[str, str] = {}
    for row in sorted(release.table("item_clips").to_pylist(), key=lambda row: str(row["clip_id"])):
        answer = answers[row["item_id"]]
        right = answer["gold"] == ("first", "second")[row["position"]] or answer["kind"] == "both_good"
        fits[row["clip_id"]] = "fitting" if right else "other"
    telling = said("pairs", lambda row: f"{fits[str(row['clip_id'])]} {row['clip_id']}", facet="style")
    found, gold = decided(telling), {item: row["gold"] for item, row in answers.items()}
    # A clip that fits one target and not another has one text here, so that not every pair can be told.
    assert sum(found[item] == gold[item] for item in gold) > 0.6 * len(gold)
    assert set(found.values()) == {"first", "second", "tie"}
    same = decided(said("pairs", lambda _: "the very same words", facet="style"))
    offered = {row["item_id"] for row in release.table("items").to_pylist() if row["facet"] != "rate"}
    assert {same[item] for item in offered} == {"tie"}
    assert {same[item] for item in set(same) - offered} <= {"first", "second"}


@pytest.mark.parametrize("family", FAMILIES)
def test_without_words_or_answers_it_says_why(family: str) -> None:
    assert read(said(family, lambda _: None)) == NO_WORDS
    public = altered(golden(family))
    public.has_private_side = False  # type: ignore[misc]  # stands for a release
    assert read(public) == "this copy has no private side, where words and answers stand"


def test_a_coin_is_never_quite_unsure() -> None:
    guesses = read(said("stance", lambda row: f"word of {row['clip_id']}"))
    assert not isinstance(guesses, str)
    assert {guess.probability for guess in guesses.values()} == {LEAST_SURE}
    assert {guess.choice for guess in guesses.values()} == {"P", "N"}
