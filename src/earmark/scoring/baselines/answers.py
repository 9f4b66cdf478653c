"""Rules of any family that know the answers: what guessing by facet can come to, and what a perfect judge gets."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from typing import TYPE_CHECKING

from earmark.manifests.errors import ReleaseError
from earmark.manifests.rows import text
from earmark.scoring.baselines.rule import Baseline, Guess, Guesses

if TYPE_CHECKING:
    from earmark.manifests.family import Family
    from earmark.manifests.release import Release
    from earmark.scoring.decisions import Owed

NO_ANSWERS = "this copy has no private side, where the answers stand"


def oracle(release: Release, owed: Owed) -> Guesses | str:
    """What is right of every item, in the words that each order has for it."""
    if not release.has_private_side:
        return NO_ANSWERS
    return _deciding(release, owed, read_answers(release, owed))


def majority(release: Release, owed: Owed) -> Guesses | str:
    """Of every item what is right most often in its facet; of equally frequent golds the one that the family names first."""
    if not release.has_private_side:
        return NO_ANSWERS
    gold, golds = read_answers(release, owed), release.family.golds
    facets = {text(row, "item_id"): text(row, "facet") for row in release.table("items").to_pylist()}
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for item, right in gold.items():
        counts[facets[item]][right] += 1
    most = {facet: max(golds, key=lambda right: found[right]) for facet, found in counts.items()}
    return _deciding(release, owed, {item: most[facets[item]] for item in gold})


def read_answers(release: Release, owed: Owed) -> Mapping[str, str]:
    """What is right of each item that is owed.

    Raises:
        ReleaseError: If an item has no gold.
    """
    answers = {text(row, "item_id"): text(row, "gold") for row in release.table("answers").to_pylist()}
    items = dict.fromkeys(owed.item)
    if odd := [item for item in items if answers.get(item) not in release.family.golds]:
        raise ReleaseError(f"item {odd[0]} of {release.path} has no gold; `earmark validate` says what else is wrong")
    return {item: answers[item] for item in items}


def choice_for(family: Family, order: str, gold: str) -> str | None:
    """The choice that decides for a gold in an order; None where the family names none.

    >>> from earmark.manifests.families.pairs import PAIRS
    >>> choice_for(PAIRS, "12", "second"), choice_for(PAIRS, "21", "second"), choice_for(PAIRS, "21", "tie")
    ('B', 'A', 'Tie')
    """
    reads = family.reads.get(order, {choice: choice for choice in family.choices})
    return next((choice for choice, decided in reads.items() if decided == gold), None)


def _deciding(release: Release, owed: Owed, decided: Mapping[str, str]) -> Guesses | str:
    """Guesses that decide of each item what is said of it."""
    family = release.family
    pairs = dict.fromkeys((order, decided[item]) for item, order in zip(owed.item, owed.order, strict=True))
    said = {pair: choice_for(family, *pair) for pair in pairs}
    guesses = {}
    for id, item, order in zip(owed.ids, owed.item, owed.order, strict=True):
        choice = said[order, decided[item]]
        if choice is None:
            return f"the family {family.name} does not say which choice stands for {decided[item]} in order {order}"
        guesses[id] = Guess(choice)
    return guesses


MAJORITY = Baseline(
    "majority",
    "Says of every item what is right most often in its facet: the most that guessing by facet comes to.",
    majority,
    knows="answers",
)
ORACLE = Baseline("oracle", "Says what is right: what a perfect judge gets.", oracle, knows="gold")
