"""Rules that know the answers: the oracle gets everything, and no constant beats the majority of a facet."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.scoring.baselines.altered import golden, with_golds
from tests.scoring.dialogues.studies import owed_of as owed_of_dialogues
from tests.scoring.dialogues.studies import release_of as release_of_dialogues
from tests.scoring.dialogues.studies import studies as dialogue_studies
from tests.scoring.pairs.studies import Pair, Study, owed_of, pairs, presentation_id, release_of, right_letter

from earmark.manifests.errors import ReleaseError
from earmark.manifests.release import Release
from earmark.scoring.baselines import Baseline, Guesses, always
from earmark.scoring.baselines.answers import MAJORITY, ORACLE, read_answers
from earmark.scoring.baselines.every import every_baseline
from earmark.scoring.decisions import Owed, owed_presentations
from earmark.scoring.families import family_marks
from earmark.scoring.guesses import guessed

FAMILIES = ("stance", "pairs", "dialogues")


def answered(rule: Baseline, release: Release, owed: Owed) -> Guesses:
    guesses = rule.guess(release, owed)
    assert not isinstance(guesses, str)
    return guesses


def headline(rule: Baseline, release: Release, owed: Owed) -> float | None:
    decisions = guessed(owed, answered(rule, release, owed), release.family.choices)
    return family_marks(release).headline(release, decisions)


def in_order(owed: Owed, order: str) -> Owed:
    """What is owed in one order alone."""
    kept = [n for n, each in enumerate(owed.order) if each == order]
    return Owed(owed.protocol, *(tuple(column[n] for n in kept) for column in (owed.ids, owed.item, owed.order)))


def by_facet(release: Release, owed: Owed, guesses: Guesses) -> dict[str, float]:
    """The mean over each facet's items of the share of their presentations whose guess decides for the gold."""
    facets = {row["item_id"]: row["facet"] for row in release.table("items").to_pylist()}
    gold = {row["item_id"]: row["gold"] for row in release.table("answers").to_pylist()}
    right: dict[str, list[bool]] = defaultdict(list)
    for id, item, order in zip(owed.ids, owed.item, owed.order, strict=True):
        right[item].append(release.family.decision(order, guesses[id].choice) == gold[item])
    shares: dict[str, list[float]] = defaultdict(list)
    for item in sorted(right):
        shares[facets[item]].append(float(np.mean(right[item])))
    return {facet: round(float(np.mean(each)), 12) for facet, each in shares.items()}


@pytest.mark.parametrize("family", FAMILIES)
def test_the_oracle_gets_the_best_there_is_in_every_protocol(family: str) -> None:
    release = golden(family)
    for entry in release.manifest.protocols[:2]:
        assert headline(ORACLE, release, owed_presentations(release, release.protocol(entry.name))) == 1


@pytest.mark.parametrize("family", FAMILIES)
def test_the_oracle_gets_the_best_there_is_in_each_order_alone(family: str) -> None:
    release = golden(family)
    owed = owed_presentations(release, release.protocol("direct" if family == "dialogues" else None))
    for order in release.family.orders:
        assert headline(ORACLE, release, in_order(owed, order)) == 1


@given(dialogue_studies())
@settings(max_examples=8)
def test_the_oracle_gets_the_best_there_is_of_any_dialogues(study: object) -> None:
    assert headline(ORACLE, release_of_dialogues(study), owed_of_dialogues(study)) == 1  # type: ignore[arg-type]  # of a strategy


@given(pairs())
@settings(max_examples=12)
def test_the_oracle_says_of_any_pairs_what_is_right(asked: tuple[Pair, ...]) -> None:
    study = Study(asked)
    guesses = answered(ORACLE, release_of(study), owed_of(study))
    for n, pair in enumerate(asked):
        for order in pair.orders:
            assert guesses[presentation_id(n, order)].choice == right_letter(pair, order)
    if any(pair.facet != "control" for pair in asked):
        assert headline(ORACLE, release_of(study), owed_of(study)) == 1


def no_constant_beats_it(release: Release, owed: Owed) -> dict[str, float]:
    most = by_facet(release, owed, answered(MAJORITY, release, owed))
    for choice in release.family.choices:
        for facet, share in by_facet(release, owed, answered(always(choice), release, owed)).items():
            assert share <= most[facet], (choice, facet)
    return most


@given(pairs(most=20))
@settings(max_examples=12)
def test_no_constant_beats_the_majority_of_a_facet(asked: tuple[Pair, ...]) -> None:
    study, other = Study(asked), Study(tuple(pair.swapped() for pair in asked))
    most = no_constant_beats_it(release_of(study), owed_of(study))
    # Stored the other way round: what was right of the first clip is right of the second one.
    assert no_constant_beats_it(release_of(other), owed_of(other)) == most


@pytest.mark.parametrize("family", FAMILIES)
def test_nor_does_one_of_the_golden_releases_whatever_the_labels_are_called(family: str) -> None:
    release = golden(family)
    one, other = release.family.golds[:2]
    gold = read_answers(release, owed_presentations(release, release.protocol()))
    swapped = with_golds(release, {item: {one: other, other: one}.get(right, right) for item, right in gold.items()})
    for entry in release.manifest.protocols[:2]:
        owed = owed_presentations(release, release.protocol(entry.name))
        assert no_constant_beats_it(release, owed) == no_constant_beats_it(swapped, owed)


@given(st.permutations(range(12)))
@settings(max_examples=10)
def test_the_majority_knows_a_facet_and_no_item(order: Iterable[int]) -> None:
    """Whichever items of a facet are right in which way, the same is said of all of them."""
    release = golden("dialogues")
    owed = owed_presentations(release, release.protocol())
    before = answered(MAJORITY, release, owed)
    rows = sorted(release.table("answers").to_pylist(), key=lambda row: str(row["item_id"]))
    facets = {row["item_id"]: row["facet"] for row in release.table("items").to_pylist()}
    dealt: dict[str, list[str]] = defaultdict(list)
    for row in rows:
        dealt[facets[row["item_id"]]].append(row["gold"])
    golds = {rows[n]["item_id"]: dealt[facets[rows[n]["item_id"]]].pop() for n in order}
    assert answered(MAJORITY, with_golds(release, golds), owed) == before


def test_without_answers_they_say_why() -> None:
    public = release_of(Study((Pair("style", ((0, 0), (1, 0)), "first", "non_tie"),)), private=False)
    for rule in (MAJORITY, ORACLE):
        assert rule.guess(public, owed_of(Study(()))) == "this copy has no private side, where the answers stand"


def test_an_item_without_gold_is_damage() -> None:
    release = golden("stance")
    owed = owed_presentations(release, release.protocol())
    damaged = with_golds(release, {owed.item[0]: "?"})
    with pytest.raises(ReleaseError, match=f"item {owed.item[0]} of .* has no gold"):
        ORACLE.guess(damaged, owed)


@pytest.mark.parametrize("family", FAMILIES)
def test_what_each_rule_knows_is_said(family: str) -> None:
    """No other gold changes what is said by a rule that knows nothing; of those that know the gold each is moved by it."""
    release = golden(family)
    owed = owed_presentations(release, release.protocol())
    golds = release.family.golds
    gold = read_answers(release, owed)
    others = [
        with_golds(release, {item: golds[(golds.index(right) + by) % len(golds)] for item, right in gold.items()})
        for by in range(1, len(golds))
    ]
    for rule in every_baseline(family_marks(release)):
        before = rule.guess(release, owed)
        same = all(rule.guess(other, owed) == before for other in others)
        if rule.knows == "nothing":
            assert same, rule.name
        elif rule.knows == "gold" or rule.name == "majority":
            assert not same, rule.name


def test_all_rules_of_a_family_have_files_of_their_own() -> None:
    for family in FAMILIES:
        marks = family_marks(golden(family))
        rules = every_baseline(marks)
        assert rules[: len(marks.BASELINES)] == tuple(marks.BASELINES)
        assert {"majority", "oracle", "transcript-only", "uniform"} <= {rule.name for rule in rules}
        assert len({rule.stem.casefold() for rule in rules}) == len(rules)
