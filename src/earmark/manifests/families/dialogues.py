"""SpeechEQ: which of two renderings of the same words fits the moment, at turn 4 and at turn 6 of a dialogue?

A dialogue is a group of two items. Options stand in the order they are stored in, which is drawn with the release key. In a
sequential protocol turn 6 is asked after turn 4 in one conversation: its presentation names in `after` the one whose own answer
stands in the history.
"""

from __future__ import annotations

import pyarrow as pa

from earmark.manifests.acoustics import MEASURES
from earmark.manifests.attempts import ATTEMPTS, CONTEXT, FAILURE, OPTIONS, SCENARIO_TYPE, VALENCE, WRITTEN
from earmark.manifests.declarations import (
    AUDIO,
    CASCADE_NUMBERS,
    CASCADE_WORDS,
    MODALITIES,
    ORACLE,
    TEXT_HISTORY,
    TRANSCRIPT,
)
from earmark.manifests.family import Family, Protocol
from earmark.manifests.grammars import JsonGrammar
from earmark.manifests.tables import Column

FIRST, SECOND = "first", "second"
"""The option stored first and the other one: the golds."""

ONE, TWO = "1", "2"
SHOWN = ("Option 1", "Option 2")
"""The choices, and what prompts call them."""

STORED, REVERSED = "12", "21"
"""Orders of presentation: the stored one, and the other way round."""

TURN_4, TURN_6 = "turn 4", "turn 6"
TARGETS = (TURN_4, TURN_6)
"""The two turns that are asked about; the targets of items."""

CONTEXT_TURNS = {TURN_4: (1, 2, 3), TURN_6: (1, 2, 3, 5)}
"""The turns that stand before a target turn and have one rendering; clips of role "context", in this order."""

SEQUENTIAL_2, SEQUENTIAL_4, DIRECT, UNLINKED = "sequential-2", "sequential-4", "direct", "unlinked"
CHAINS = {
    SEQUENTIAL_2: "both turns in one conversation, twice, so that each option stands first once",
    SEQUENTIAL_4: "both turns in one conversation, in all four orders of the two pairs of options",
    DIRECT: "each turn by itself in both orders, the right turn 4 standing in the history of turn 6",
    UNLINKED: "each turn by itself in both orders; what stood in the history of turn 6 is not known",
}
"""How the two turns of a dialogue follow each other."""

_MEANS = {
    AUDIO: "as audio",
    TEXT_HISTORY: "options as audio, what was said before as words",
    TRANSCRIPT: "as words alone: what the text gives away",
    ORACLE: "as words with the tone that was asked for",
    CASCADE_NUMBERS: "as words with valence, arousal and dominance in numbers",
    CASCADE_WORDS: "as words with valence, arousal and dominance in words",
}

MODALITY_MEANS = {modality: _MEANS[modality] for modality in MODALITIES}
"""What each modality sends, in the order of the protocols."""


def protocol_name(chain: str, modality: str) -> str:
    """Name of a protocol.

    >>> protocol_name("direct", "audio"), protocol_name("direct", "oracle")
    ('direct', 'direct-oracle')
    """
    return chain if modality == AUDIO else f"{chain}-{modality}"


_TEXT, _REAL = pa.string(), pa.float64()


def _affect(name: str, means: str) -> Column:
    return Column(name=name, type=_REAL, low=0.0, high=1.0, nullable=True, step=0.0001, means=means)


DIALOGUES = Family(
    name="dialogues",
    title="SpeechEQ: which of two renderings of the same words fits the moment",
    choices=(ONE, TWO),
    golds=(FIRST, SECOND),
    roles=("context", "option"),
    judged=("option",),
    orders=(STORED, REVERSED),
    reads={STORED: {ONE: FIRST, TWO: SECOND}, REVERSED: {ONE: SECOND, TWO: FIRST}},
    protocols=tuple(
        Protocol(
            name=protocol_name(chain, modality),
            modality=modality,
            orders=(STORED, REVERSED),
            means=f"{means[0].upper()}{means[1:]}; clips {MODALITY_MEANS[modality]}.",
        )
        for modality in MODALITIES
        for chain, means in CHAINS.items()
    ),
    grammar=JsonGrammar((ONE, TWO), choice="selected", probability=None, evidence=None, shown=SHOWN),
    probability=False,
    headline="acc_traj",
    counted="dialogues",
    label_source=(
        "The right option is the one whose tone instruction fits the scenario's intent: what a voice was told to do, not what "
        "listeners heard."
    ),
    limits=(
        "The speech is synthetic: a figure says what a judge makes of voices that were told how to speak, and not what it would "
        "make of people. The scales are named after an inventory of which this is no form."
    ),
    intended_use=(
        "For comparing judges of how something was said in written, synthesised dialogues: which of two renderings of the same "
        "words fits the moment, and how what a judge chose at one turn moves what it chooses at the next."
    ),
    out_of_scope=(
        "No inference of a person's traits, emotion, emotional intelligence, age or sex from their voice, and nothing that is "
        "decided about a person: no hiring, no diagnosis, no surveillance. No person speaks and nobody's emotional "
        "intelligence is measured, a judge's neither: labels are instructions to synthetic voices, by scenarios that were "
        "made up."
    ),
    answer_columns=(VALENCE, SCENARIO_TYPE, FAILURE),
    source_columns=(
        Column(name="turn", type=pa.int64(), low=1, high=6, means="Turn of the dialogue."),
        Column(
            name="option",
            type=_TEXT,
            choices=(CONTEXT, *OPTIONS),
            gold=True,
            means="Which rendering of the turn it is.",
        ),
        FAILURE,
        Column(name="voice", type=_TEXT, means="Voice."),
        Column(name="provider", type=_TEXT, means="Who spoke."),
        Column(name="model", type=_TEXT, means="Model or engine, with its version."),
        Column(name="attempt", type=pa.int64(), low=0, means="Which attempt at it this is, from 0."),
        Column(name="wer", type=_REAL, low=0.0, nullable=True, step=0.0001, means="Word error rate; null: unchecked."),
        _affect("affect_valence", "Valence of the voice by a model, 0 to 1; null where none was asked."),
        _affect("affect_arousal", "Arousal of the voice by a model, 0 to 1; null where none was asked."),
        _affect("affect_dominance", "Dominance of the voice by a model, 0 to 1; null where none was asked."),
        *MEASURES,
    ),
    further_tables=(ATTEMPTS, WRITTEN),
)
