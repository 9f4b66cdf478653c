"""What a row says of an answer in a result sheet: its choice and probability, or its score on the runner's own scale."""

from __future__ import annotations

from earmark.builders.converting.saying import Said, evidence_of, kept_response
from earmark.builders.converting.stancebench.cells import Answer
from earmark.manifests.families.stance import NEGATIVE, POSITIVE

MOST = 2.0
"""The runner's scale is [−2, 2]."""


def chosen(answer: Answer) -> Said:
    """A choice with its probability; one without is none, since a row without would count as certain.

    >>> chosen(Answer("N", 0.7)).row(), chosen(Answer("N")).row()
    ({'choice': 'N', 'probability': 0.7}, {'status': 'failed'})
    """
    if answer.choice is None or answer.probability is None:
        return _failed(answer)
    return Said(choice=answer.choice, probability=answer.probability, evidence=evidence_of(answer.evidence))


def scored(score: float | None, answer: Answer | None = None) -> Said:
    """A score on the runner's scale as the choice whose signed score, s(2p − 1), is half of it.

    A score of 0 keeps the choice that was made with a probability below 0.45, at p = 0.5; where none is known it takes no pole.

    >>> scored(-1.0).choice, scored(-1.0).probability
    ('N', 0.75)
    """
    answer = answer or Answer()
    if score is None or not -MOST <= score <= MOST:
        return _failed(answer)
    choice = POSITIVE if score > 0 else NEGATIVE if score < 0 else answer.choice
    if choice is None:
        return Said(status="abstained")
    return Said(choice=choice, probability=(1 + abs(score) / MOST) / 2, evidence=evidence_of(answer.evidence))


def _failed(answer: Answer) -> Said:
    return Said(status="failed", response=kept_response(answer.raw))
