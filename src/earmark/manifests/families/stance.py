"""StanceBench: which interpersonal stance does the TARGET speaker take, the positive or the negative pole of a dimension?"""

from __future__ import annotations

import pyarrow as pa

from earmark.manifests.family import Family, Protocol
from earmark.manifests.grammars import JsonGrammar
from earmark.manifests.tables import Column

POSITIVE, NEGATIVE = "P", "N"
"""The two poles; the positive one is not the louder or the better one (S7's is Deference)."""

STANCE = Family(
    name="stance",
    title="StanceBench: interpersonal stance from role prompts",
    choices=(POSITIVE, NEGATIVE),
    golds=(POSITIVE, NEGATIVE),
    roles=("target", "context"),
    judged=("target",),
    orders=("PN", "NP"),
    protocols=(
        Protocol(
            name="both-orders",
            modality="audio",
            orders=("PN", "NP"),
            means="Every item as audio, once with each pole defined first.",
        ),
        Protocol(
            name="both-orders-transcript",
            modality="transcript",
            orders=("PN", "NP"),
            means="The same items as the corpus's words: the transcript-only ablation and the cascaded baseline.",
        ),
    ),
    grammar=JsonGrammar((POSITIVE, NEGATIVE)),
    probability=True,
    headline="balanced_accuracy",
    label_source=(
        "Labels are role prompts, a weak label: what an actor was asked to play, not what was heard. Who of a pair played "
        "which role was inferred by others, with an unknown error."
    ),
    limits=(
        "A figure says how often a judge finds the part that was played, not how well the part was played or how it was "
        "heard. Hidden answers are hidden in the release only: whoever finds a clip in the corpus can look up its prompt."
    ),
    intended_use=(
        "For comparing judges of interpersonal stance in acted role play: which pole of a dimension they hear in a clip, how "
        "that depends on the order in which the poles are named, and how much of it the words alone would tell."
    ),
    out_of_scope=(
        "No inference of a person's traits, emotion, honesty, intentions, age or sex from their voice, and nothing that is "
        "decided about a person: no hiring, no diagnosis, no surveillance. Labels are prompts that were acted: a judge that "
        "scores well finds parts that were played by people who talked to each other for a recording, and nothing is shown "
        "of what it would find in people who are not acting."
    ),
    answer_columns=(
        Column(name="role", type=pa.string(), gold=True, means="The role that the target speaker was asked to play."),
        Column(
            name="category",
            type=pa.string(),
            nullable=True,
            gold=True,
            means="The category of that role, if it has one.",
        ),
    ),
    source_columns=(
        Column(
            name="active", type=pa.float64(), unit="s", low=0.0, means="Speech in the clip by the corpus's own VAD."
        ),
    ),
)
