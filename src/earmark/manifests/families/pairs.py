"""ParaPairAudioBench: which of two clips fits a target better, or neither more than the other?

A clip satisfies a target or does not, by its corpus's label. A pair in which one clip does has a preferred clip; where both do,
or neither, the right answer is Tie. Clips stand in the order they are stored in, which is drawn with the release key.
"""

from __future__ import annotations

import pyarrow as pa

from earmark.manifests.acoustics import MEASURES
from earmark.manifests.family import Family, Protocol
from earmark.manifests.grammars import MarksGrammar
from earmark.manifests.tables import Column

CRITERIA = ("style", "rate", "emphasis", "age", "gender")
"""What a pair may be asked about; the facets of a release, beside `CONTROL`."""

CONTROL = "control"
"""Facet of the control items: no headline counts them."""

CONTROLS = ("identical", "level", "silence")
"""Variants of control items: one clip twice; a clip against itself at another level; a clip against silence."""

FIRST, SECOND, TIE = "first", "second", "tie"
SIDES = (FIRST, SECOND)
"""The clip stored first and the other one; with TIE the golds."""

NON_TIE, BOTH_GOOD, BOTH_BAD = "non_tie", "both_good", "both_bad"
KINDS = (NON_TIE, BOTH_GOOD, BOTH_BAD)

SAME, CROSS = "same", "cross"
TRANSCRIPTS = (SAME, CROSS)

STORED, REVERSED = "12", "21"
"""Orders of presentation: the stored one, and the other way round."""

A, B, EQUAL = "A", "B", "Tie"

_TEXT = pa.string()

PAIRS = Family(
    name="pairs",
    title="ParaPairAudioBench: pairs of clips with controlled ties and transcripts",
    choices=(A, B, EQUAL),
    golds=(FIRST, SECOND, TIE),
    kinds=KINDS,
    roles=("clip",),
    judged=("clip",),
    orders=(STORED, REVERSED),
    reads={STORED: {A: FIRST, B: SECOND, EQUAL: TIE}, REVERSED: {A: SECOND, B: FIRST, EQUAL: TIE}},
    protocols=(
        Protocol(
            name="both-orders",
            modality="audio",
            orders=(STORED, REVERSED),
            means="Every pair as audio, in both orders of its clips.",
        ),
        Protocol(
            name="both-orders-transcript",
            modality="transcript",
            orders=(STORED, REVERSED),
            means="The same pairs as the corpus's words: what the transcripts alone give away.",
        ),
    ),
    grammar=MarksGrammar(((f"[[{A}]]", A), (f"[[{B}]]", B), (f"[[{EQUAL}]]", EQUAL)), ignore_case=True),
    probability=False,
    headline="accuracy",
    counted="pairs",
    label_source=(
        "Labels are what speakers were asked for (style, pace, emphasis) or said of themselves (age, sex), not what was heard."
    ),
    limits=(
        "That an official test split was used does not mean that a model has not seen it: all these corpora are public. Clips "
        "recur, and one that fits a target recurs under it more often than others do: whoever studies the release as a whole "
        "can answer many pairs unheard."
    ),
    intended_use=(
        "For comparing judges of how something was said: which of two clips fits a target better, or neither more than the "
        "other, where the words are the same and where they are not. Age and sex are asked about to find out what a judge "
        "hears of them and whether it is led by them, which matters wherever it marks speech."
    ),
    out_of_scope=(
        "No inference of a person's traits, emotion, age or sex from their voice, and nothing that is decided about a person: "
        "no hiring, no diagnosis, no surveillance, no check of anybody's age. Styles, paces and emphases are prompts that "
        "were acted; ages and sexes are groups that speakers declared themselves, some of them minors. That a judge tells "
        "two such groups apart more often than not says nothing certain of any one speaker."
    ),
    answer_columns=(
        Column(
            name="transcript",
            type=_TEXT,
            choices=TRANSCRIPTS,
            gold=True,
            means="Whether the normalised texts are equal.",
        ),
        Column(
            name="speakers",
            type=_TEXT,
            choices=(SAME, "different"),
            gold=True,
            means="Whether one speaker speaks both.",
        ),
        Column(
            name="sex",
            type=_TEXT,
            choices=("female", "male", "mixed"),
            nullable=True,
            gold=True,
            means="Sex of the two speakers; null where one is undisclosed.",
        ),
        Column(name="variant", type=_TEXT, gold=True, means="main, hard, or what a control is."),
    ),
    source_columns=(
        Column(
            name="gain",
            type=pa.float64(),
            unit="dB",
            low=-200.0,
            high=0.0,
            nullable=True,
            means="Change of level, of controls; −200 leaves digital silence, null the samples as they are.",
        ),
        Column(name="split", type=_TEXT, means="Official split of the corpus."),
        Column(
            name="sex", type=_TEXT, choices=("female", "male"), nullable=True, gold=True, means="Sex of the speaker."
        ),
        Column(name="age", type=pa.int64(), unit="years", low=0, high=120, nullable=True, gold=True, means="Age."),
        Column(name="age_group", type=_TEXT, nullable=True, gold=True, means="Age group of Sonos SVC."),
        Column(name="style", type=_TEXT, nullable=True, gold=True, means="Style asked for."),
        Column(name="substyle", type=_TEXT, nullable=True, gold=True, means="Sub-style asked for."),
        Column(name="pace", type=_TEXT, nullable=True, gold=True, means="Pace asked for."),
        Column(name="emphasised", type=pa.list_(_TEXT), gold=True, means="Each marked word or phrase, normalised."),
        *MEASURES,
    ),
)
