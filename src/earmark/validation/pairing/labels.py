"""Invariants of what a pair says of its two utterances: names, kind, preferred side, transcript, and that they are two."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from earmark.manifests.criteria import kind_of, satisfies, transcript_of
from earmark.manifests.families.pairs import FIRST, SECOND
from earmark.manifests.families.pairs_recipe import Pairing
from earmark.manifests.rows import optional_text
from earmark.validation.pairing.invariant import Fault, invariant
from earmark.validation.pairing.tables import PCM, Pair, PairTables


@invariant("pairs.ids-unique", "two rows have one name")
def ids_unique(tables: PairTables, _: Pairing) -> Iterator[Fault]:
    """No two pairs have one name, and no two utterances."""
    for name, count in sorted(tables.repeated.items()):
        yield Fault(f"{count} utterances", "one", id=name)
    for name, count in sorted(Counter(pair.id for pair in tables.every).items()):
        if count > 1:
            yield Fault(f"{count} pairs", "one", id=name, column="pair")


@invariant("pairs.utterances-known", "a pair is of an utterance that is not in the table")
def utterances_known(tables: PairTables, _: Pairing) -> Iterator[Fault]:
    """Both utterances of a pair are in the table of utterances."""
    for pair in tables.every:
        for column, name in zip((FIRST, SECOND), pair.names, strict=True):
            if name not in tables.utterances:
                yield Fault(name, "an utterance of the table", pair, column=column)


@invariant("pairs.kind-matches-labels", "the kind is not what the labels of the two utterances make of the target")
def kind_matches_labels(tables: PairTables, _: Pairing) -> Iterator[Fault]:
    """The kind is what the labels of the two utterances make of the target."""
    for pair in tables.asked:
        first, second = satisfied(pair)
        if first is None or second is None:
            side = FIRST if first is None else SECOND
            yield Fault(f"{side} has no label for {pair.criterion}", "an utterance with a label", pair, column=side)
        elif pair.kind != (right := kind_of(first, second)):
            yield Fault(pair.kind, right, pair, column="kind")


@invariant("pairs.preferred-satisfies", "the preferred utterance is not the one that satisfies the target alone")
def preferred_satisfies(tables: PairTables, _: Pairing) -> Iterator[Fault]:
    """The preferred utterance is the one that satisfies the target, and there is none where both do or neither."""
    for pair in tables.asked:
        first, second = satisfied(pair)
        if first is None or second is None:
            continue
        right = None if first == second else FIRST if first else SECOND
        if pair.preferred != right:
            yield Fault(pair.preferred or "neither", right or "neither", pair, column="preferred")


@invariant("pairs.transcript-true", "same or cross is not what the normalised texts are")
def transcript_true(tables: PairTables, _: Pairing) -> Iterator[Fault]:
    """Same or cross is what the normalised texts are."""
    for pair in tables.asked:
        first, second = (optional_text(side, "text") for side in pair.sides or ())
        if first is None or second is None:
            yield Fault("an utterance without text", "two texts to compare", pair, column="transcript")
        elif pair.transcript != (right := transcript_of(first, second)):
            yield Fault(pair.transcript, right, pair, column="transcript")


@invariant("pairs.two-clips", "both sides are one recording")
def two_clips(tables: PairTables, _: Pairing) -> Iterator[Fault]:
    """No pair has one utterance, or the same samples, on both sides, unless it is a control."""
    for pair in tables.asked:
        first, second = (optional_text(side, PCM) for side in pair.sides or ())
        if pair.names[0] == pair.names[1]:
            yield Fault(pair.names[0], "two utterances", pair, column=SECOND)
        elif first is not None and first == second:
            yield Fault(f"{' and '.join(pair.names)} with samples {first}", "other samples", pair, column=SECOND)


def satisfied(pair: Pair) -> tuple[bool | None, bool | None]:
    """Whether each utterance of a pair satisfies the target, None where its label is unknown."""
    first, second = (satisfies(side, pair.criterion, pair.target) for side in pair.sides or ())
    return first, second
