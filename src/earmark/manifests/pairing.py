"""The two tables that pairing is about: the utterances of corpora, and the pairs made of them.

A corpus reader yields UTTERANCES; a builder turns them into PAIRS. Both are declared here so that schemas, strategies and
invariants work on anybody's tables, whether or not a release was made of them.
"""

from __future__ import annotations

from itertools import pairwise

import pyarrow as pa

from earmark.manifests.declarations import NAME_PATTERN
from earmark.manifests.families.pairs import CRITERIA, KINDS, SIDES, TRANSCRIPTS
from earmark.manifests.tables import Column, Side, Table

_TEXT, _WHOLE = pa.string(), pa.int64()

SEXES = ("female", "male")
PACES = ("slow", "regular", "fast")
AGE_GROUPS = ("9-16", "17-28", "29-41", "42-54", "55-100")
"""The age groups of Sonos SVC, youngest first."""

BORDER_YEARS = frozenset(
    int(year) for young, old in pairwise(AGE_GROUPS) for year in (young.partition("-")[2], old.partition("-")[0])
)
"""The last year of each age group but the oldest, and the first of each but the youngest."""

ADULT = 17
"""Youngest age, in years, that an adults-only criterion admits; the age groups have their first border there."""

CHILD_MOST, ELDER_LEAST = 12, 60
"""Years within which the outermost age groups are heard as what they are called."""

LABELS = (
    Column(
        name="sex", type=_TEXT, choices=SEXES, nullable=True, means="Sex as the corpus has it; null where undisclosed."
    ),
    Column(
        name="age",
        type=_WHOLE,
        unit="years",
        low=0,
        high=120,
        nullable=True,
        means="Age, where it is known to the year.",
    ),
    Column(name="age_group", type=_TEXT, choices=AGE_GROUPS, nullable=True, means="Age group of Sonos SVC."),
    Column(
        name="style", type=_TEXT, pattern=NAME_PATTERN, nullable=True, means="Style that the speaker was asked for."
    ),
    Column(
        name="substyle", type=_TEXT, pattern=NAME_PATTERN, nullable=True, means="Sub-style, such as default_emphasis."
    ),
    Column(name="pace", type=_TEXT, choices=PACES, nullable=True, means="Pace that the speaker was asked for."),
    Column(
        name="emphasised",
        type=pa.list_(_TEXT),
        means="Each marked word or phrase of the text, normalised; empty where none is marked.",
    ),
    Column(name="split", type=_TEXT, pattern=NAME_PATTERN, means="Official split that the utterance is in."),
)
"""What a corpus says of an utterance besides who speaks and what."""

UTTERANCES = Table(
    name="utterances",
    means="One row per recorded utterance of a corpus: what a corpus reader yields.",
    side=Side.PRIVATE,
    key=("utterance",),
    columns=(
        Column(name="utterance", type=_TEXT, means="Unique name: the corpus, a slash, and the corpus's own id."),
        Column(name="corpus", type=_TEXT, pattern=NAME_PATTERN, means="Name of the corpus, such as expresso."),
        Column(name="path", type=_TEXT, pattern=r"[^/\\].*", means="POSIX path within the corpus."),
        Column(name="channel", type=_WHOLE, low=0, means="Channel, from 0."),
        Column(name="rate", type=_WHOLE, unit="Hz", low=1, means="Native sampling rate."),
        Column(name="start", type=_WHOLE, unit="samples", low=0, means="First sample."),
        Column(name="end", type=_WHOLE, unit="samples", low=1, means="First sample behind it."),
        Column(name="speaker", type=_TEXT, means="Unique name: the corpus, a slash, and the corpus's own id."),
        Column(name="session", type=_TEXT, nullable=True, means="Session, chapter or other unit of recording."),
        Column(
            name="script", type=_TEXT, nullable=True, means="Sentence id, where several utterances share one by design."
        ),
        Column(name="text", type=_TEXT, nullable=True, means="Words spoken, as the corpus has them."),
        Column(name="text_source", type=_TEXT, nullable=True, means="Where the words are from."),
        *LABELS,
    ),
)

PAIRS = Table(
    name="pairs",
    means="One row per pair of utterances: a question with three answers.",
    side=Side.PRIVATE,
    key=("pair",),
    columns=(
        Column(name="pair", type=_TEXT, means="Unique name of the pair."),
        Column(name="criterion", type=_TEXT, choices=CRITERIA, means="What is asked about."),
        Column(name="target", type=_TEXT, means="What is asked for, such as a style or a word."),
        Column(name="first", type=_TEXT, refers_to="utterances.utterance", means="The utterance that is stored first."),
        Column(name="second", type=_TEXT, refers_to="utterances.utterance", means="The other one."),
        Column(name="kind", type=_TEXT, choices=KINDS, gold=True, means="How many of the two satisfy the target."),
        Column(
            name="preferred",
            type=_TEXT,
            choices=SIDES,
            nullable=True,
            gold=True,
            means="Which one does, where one does alone.",
        ),
        Column(name="transcript", type=_TEXT, choices=TRANSCRIPTS, means="Whether the normalised texts are equal."),
        Column(name="variant", type=_TEXT, pattern=NAME_PATTERN, means="main, hard, or what a control is."),
    ),
)
