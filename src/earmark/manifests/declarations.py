"""The tables of a release, each column declared once."""

from __future__ import annotations

from dataclasses import replace

import pyarrow as pa

from earmark.manifests.keys import ID_PATTERN
from earmark.manifests.tables import Column, Side, Table

_TEXT, _TEXTS, _WHOLE, _WHOLES, _REAL = (
    pa.string(),
    pa.list_(pa.string()),
    pa.int64(),
    pa.list_(pa.int64()),
    pa.float64(),
)

AUDIO, TEXT_HISTORY, TRANSCRIPT, ORACLE = "audio", "audio-text-history", "transcript", "oracle"
CASCADE_NUMBERS, CASCADE_WORDS = "cascade-numbers", "cascade-words"
MODALITIES = (AUDIO, TEXT_HISTORY, TRANSCRIPT, ORACLE, CASCADE_NUMBERS, CASCADE_WORDS)
"""What may stand for a clip: its audio; audio where it is judged and words where it is history; its transcript; transcript with
the tone instruction; transcript with valence, arousal and dominance as numbers or as words."""

NAME_PATTERN = r"[A-Za-z0-9][A-Za-z0-9 _.+-]*"
"""Names that people read and that are safe in a file name on every system."""

ITEMS = Table(
    name="items",
    means="One row per item: one question with one hidden answer.",
    side=Side.PUBLIC,
    key=("item_id",),
    columns=(
        Column(name="item_id", type=_TEXT, pattern=ID_PATTERN, means="Opaque id of the item."),
        Column(name="facet", type=_TEXT, pattern=NAME_PATTERN, means="The axis that the item tests."),
        Column(
            name="group",
            type=_TEXT,
            pattern=ID_PATTERN,
            nullable=True,
            means="Items that belong together, such as the two turns of a dialogue.",
        ),
        Column(name="target", type=_TEXT, nullable=True, means="What is asked for within the facet, such as a style."),
    ),
)

ITEM_CLIPS = Table(
    name="item_clips",
    means="Which clips an item is about.",
    side=Side.PUBLIC,
    key=("item_id", "role", "position"),
    columns=(
        Column(name="item_id", type=_TEXT, refers_to="items.item_id", means="The item."),
        Column(
            name="role", type=_TEXT, pattern=NAME_PATTERN, means="The clip's part in the item, neutral to the gold."
        ),
        Column(name="position", type=_WHOLE, low=0, means="Order among the clips of that role, from 0."),
        Column(name="clip_id", type=_TEXT, refers_to="clips.clip_id", means="The clip."),
    ),
)

PRESENTATIONS = Table(
    name="presentations",
    means="What a judge is sent: one item in one order and modality.",
    side=Side.PUBLIC,
    key=("presentation_id",),
    columns=(
        Column(name="presentation_id", type=_TEXT, pattern=ID_PATTERN, means="Opaque id; predictions name it."),
        Column(name="item_id", type=_TEXT, refers_to="items.item_id", means="The item presented."),
        Column(name="order", type=_TEXT, pattern=NAME_PATTERN, means="Order of the options or poles."),
        Column(
            name="after",
            type=_TEXT,
            nullable=True,
            refers_to="presentations.presentation_id",
            means="The presentation whose own answer stands in the history.",
        ),
        Column(name="modality", type=_TEXT, choices=MODALITIES, means="What stands for a clip."),
        Column(name="prompt_id", type=_TEXT, refers_to="prompts.prompt_id", means="The words that go with it."),
        Column(
            name="protocols",
            type=_TEXTS,
            pattern=NAME_PATTERN,
            means="The protocols that owe this presentation.",
        ),
        Column(name="labels", type=_TEXTS, means="What the prompt calls each clip, in the order they are sent."),
        Column(name="clips", type=_TEXTS, refers_to="clips.clip_id", means="The clip that each label stands for."),
    ),
)

PROMPTS = Table(
    name="prompts",
    means="The exact words sent and the form of the answer.",
    side=Side.PUBLIC,
    key=("prompt_id",),
    columns=(
        Column(name="prompt_id", type=_TEXT, pattern=NAME_PATTERN, means="Name of the prompt."),
        Column(name="system", type=_TEXT, means="System text."),
        Column(name="user", type=_TEXT, means="User text; the clips stand before it in the order of the labels."),
        Column(name="answer", type=_TEXT, means="JSON Schema or marks of the answer, as JSON."),
    ),
)

CLIPS = Table(
    name="clips",
    means="One row per clip; nothing here says where it is from.",
    side=Side.PUBLIC,
    key=("clip_id",),
    columns=(
        Column(name="clip_id", type=_TEXT, pattern=ID_PATTERN, means="Opaque id, and the stem of its audio file."),
        Column(name="duration", type=_REAL, unit="s", low=0.0, means="Length, joining silence included."),
        Column(name="rate", type=_WHOLE, unit="Hz", low=1, means="Native sampling rate."),
        Column(name="licence", type=_TEXT, means="Licence of the corpus that the clip is from."),
    ),
)

ANSWERS = Table(
    name="answers",
    means="The gold.",
    side=Side.PRIVATE,
    key=("item_id",),
    columns=(
        Column(name="item_id", type=_TEXT, refers_to="items.item_id", means="The item."),
        Column(name="gold", type=_TEXT, gold=True, means="The right answer, in the family's own labels."),
        Column(name="kind", type=_TEXT, nullable=True, gold=True, means="Kind of item, where the family has kinds."),
    ),
)

SOURCES = Table(
    name="sources",
    means="Where each clip is from, and what is known of it.",
    side=Side.PRIVATE,
    key=("clip_id",),
    columns=(
        Column(name="clip_id", type=_TEXT, refers_to="clips.clip_id", means="The clip."),
        Column(name="corpus", type=_TEXT, pattern=NAME_PATTERN, means="Name of the corpus."),
        Column(name="corpus_version", type=_TEXT, means="Version of the corpus."),
        Column(name="path", type=_TEXT, pattern=r"[^/\\].*", means="POSIX path within the corpus."),
        Column(name="channel", type=_WHOLE, low=0, means="Channel, from 0."),
        Column(name="rate", type=_WHOLE, unit="Hz", low=1, means="Native sampling rate."),
        Column(name="starts", type=_WHOLES, unit="samples", low=0, means="First sample of each span."),
        Column(name="ends", type=_WHOLES, unit="samples", low=1, means="First sample behind each span."),
        Column(name="joining_silence", type=_WHOLE, unit="samples", low=0, means="Silence between two spans."),
        Column(name="speaker", type=_TEXT, means="Speaker, qualified so that it is unique in the corpus."),
        Column(name="conversation", type=_TEXT, nullable=True, means="Conversation or session."),
        Column(name="prompt", type=_TEXT, nullable=True, means="Elicitation prompt that the recording follows."),
        Column(name="script", type=_TEXT, nullable=True, means="Script or sentence id, where several clips share it."),
        Column(name="text", type=_TEXT, nullable=True, means="Words spoken, as the corpus has them."),
        Column(name="text_source", type=_TEXT, nullable=True, means="Where the words are from."),
        Column(name="tone_text", type=_TEXT, nullable=True, means="Tone instruction, of synthesised speech."),
        Column(
            name="pcm_hash",
            type=_TEXT,
            nullable=True,
            pattern=r"blake2b-256:[0-9a-f]{64}",
            means="Hash of the clip's native samples; null until its audio was read.",
        ),
        Column(
            name="level",
            type=_REAL,
            unit="dBFS",
            high=3.1,
            nullable=True,
            step=0.01,
            means="RMS level, a full-scale sine being −3.01; null until its audio was read.",
        ),
    ),
)

SELECTION = Table(
    name="selection",
    means="The population that was sampled from, and what was drawn: the sample can be checked without the corpus.",
    side=Side.PRIVATE,
    key=("stratum", "id"),
    columns=(
        Column(name="stratum", type=_TEXT, means="Stratum of the sample; an id may stand in several."),
        Column(name="id", type=_TEXT, means="What is drawn, such as a conversation."),
        Column(name="drawn", type=pa.bool_(), means="Whether this stratum drew it."),
    ),
)

TABLES = (ITEMS, ITEM_CLIPS, PRESENTATIONS, PROMPTS, CLIPS, ANSWERS, SOURCES, SELECTION)
"""Every table of a release, in the order of the format page."""

RECIPES = Table(
    name="recipes",
    means="How each clip whose audio is not shipped is cut from its corpus, and the hash that says whether it is the same.",
    side=Side.PUBLIC,
    key=("clip_id",),
    columns=(
        *(
            SOURCES.column(name)
            for name in (
                *("clip_id", "corpus", "corpus_version", "path", "channel", "rate"),
                *("starts", "ends", "joining_silence"),
            )
        ),
        Column(
            name="gain",
            type=_REAL,
            unit="dB",
            low=-200.0,
            high=0.0,
            nullable=True,
            means="Change of level; −200 leaves digital silence, null the samples as they are.",
        ),
        replace(SOURCES.column("pcm_hash"), nullable=False, means="Hash of the clip's native samples."),
    ),
)
"""Only releases that ship recipes in place of audio have it, on the public side; their manifest says so under `recipes`."""
