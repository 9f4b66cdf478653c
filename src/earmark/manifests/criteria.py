"""When an utterance satisfies a target, and what two make of a pair: the definitions that builders and checks share."""

from __future__ import annotations

from collections.abc import Mapping

from earmark.manifests.errors import UnknownName
from earmark.manifests.families.pairs import BOTH_BAD, BOTH_GOOD, CRITERIA, CROSS, NON_TIE, SAME
from earmark.manifests.rows import optional_text, texts
from earmark.manifests.text import normalise_text

Utterance = Mapping[str, object]
"""A row of the utterances table, or of anything that has its label columns."""

LABEL_OF = {"style": "style", "rate": "pace", "age": "age_group", "gender": "sex"}
"""The label column of each criterion but emphasis: whether it equals the target is whether the target is satisfied."""


def satisfies(utterance: Utterance, criterion: str, target: str) -> bool | None:
    """Whether an utterance is what a target asks for, by its label; None where it has no label.

    Emphasis asks for one word: it is satisfied by that word marked alone, and of an utterance in which it stands within a marked
    phrase it cannot be said.

    Args:
        utterance: A row with the label columns of UTTERANCES.
        criterion: One of CRITERIA.
        target: A style, a pace, a normalised word, an age group or a sex.

    Raises:
        UnknownName: If there is no such criterion.

    >>> satisfies({"pace": "fast"}, "rate", "fast"), satisfies({"sex": None}, "gender", "male")
    (True, None)
    >>> satisfies({"emphasised": ["right now", "said"]}, "emphasis", "now") is None
    True
    """
    if criterion == "emphasis":
        marked = texts(utterance, "emphasised")
        if target in marked:
            return True
        return None if any(target in phrase.split() for phrase in marked) else False
    if criterion not in LABEL_OF:
        raise UnknownName("criterion", criterion, CRITERIA)
    label = optional_text(utterance, LABEL_OF[criterion])
    return None if label is None else label == target


def kind_of(first: bool, second: bool) -> str:
    """The kind of a pair of which it is known whether each clip satisfies the target.

    >>> kind_of(True, False), kind_of(True, True), kind_of(False, False)
    ('non_tie', 'both_good', 'both_bad')
    """
    if first != second:
        return NON_TIE
    return BOTH_GOOD if first else BOTH_BAD


def transcript_of(first: str, second: str) -> str:
    """Whether two texts are the same words, after `normalise_text/1`.

    >>> transcript_of("Did you *see* that?", "<laugh> did you see that"), transcript_of("yes", "no")
    ('same', 'cross')
    """
    return SAME if normalise_text(first) == normalise_text(second) else CROSS
