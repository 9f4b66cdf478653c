"""Private tables of dialogues: every clip that was made, whether it was used or not, and every dialogue that was written."""

from __future__ import annotations

import pyarrow as pa

from earmark.manifests.eqi import FAILURES, SUBSCALES, VALENCES
from earmark.manifests.tables import Column, Side, Table

CONTEXT, RESONANT, DISSONANT = "context", "resonant", "dissonant"
OPTIONS = (RESONANT, DISSONANT)
"""The two renderings of a target turn: one that fits, and one that fails socially."""

_TEXT, _WHOLE, _REAL = pa.string(), pa.int64(), pa.float64()

_FAILURES = tuple(failure.slug for failure in FAILURES)

FAILURE = Column(
    name="failure",
    type=_TEXT,
    choices=_FAILURES,
    nullable=True,
    gold=True,
    means="What the dissonant rendering does wrong; null where it is not known.",
)
VALENCE = Column(
    name="valence",
    type=_TEXT,
    choices=VALENCES,
    nullable=True,
    means="What the first speaker brings; null where it is not known.",
)
SCENARIO_TYPE = Column(
    name="scenario_type",
    type=_TEXT,
    nullable=True,
    means="Where the scenario is set, such as workplace; null where it is not known.",
)


def _feature(name: str, unit: str | None, step: float, means: str) -> Column:
    return Column(name=name, type=_REAL, unit=unit, nullable=True, step=step, means=means)


ATTEMPTS = Table(
    name="attempts",
    means="Every clip that was made for a dialogue: what it measures, what it scored, and what became of it.",
    side=Side.PRIVATE,
    key=("dialogue", "turn", "option", "attempt"),
    columns=(
        Column(name="dialogue", type=_TEXT, means="Name of the dialogue, a discarded one's too."),
        Column(name="turn", type=_WHOLE, low=1, high=6, means="Turn of it."),
        Column(name="option", type=_TEXT, choices=(CONTEXT, *OPTIONS), gold=True, means="Which rendering of the turn."),
        Column(name="attempt", type=_WHOLE, low=0, means="From 0 per option; further ones are regenerations."),
        Column(name="provider", type=_TEXT, means="Who spoke: a server's address, or a name that stands for it."),
        Column(name="model", type=_TEXT, means="Model or engine, with its version."),
        Column(name="voice", type=_TEXT, means="Voice."),
        Column(name="tone", type=_TEXT, gold=True, means="Tone instruction."),
        FAILURE,
        VALENCE,
        Column(name="seed", type=_WHOLE, nullable=True, means="What it was drawn with; null where the voice has none."),
        Column(
            name="file_hash",
            type=_TEXT,
            nullable=True,
            pattern="[0-9a-f]{64}",
            means="sha256 of the file; null where no file came.",
        ),
        Column(name="rejected", type=_TEXT, nullable=True, means="Why it may not be used; null where it may."),
        Column(name="wer", type=_REAL, low=0.0, nullable=True, step=0.0001, means="Word error rate; null: unchecked."),
        _feature("f0", "Hz", 0.01, "Mean F0 of voiced frames."),
        _feature("syllables_per_second", "1/s", 0.001, "Syllable nuclei over the length of the speech."),
        _feature("words_per_second", "1/s", 0.001, "Words over the same length."),
        _feature("zero_crossing_rate", "1", 0.00001, "Share of samples at which the sign changes."),
        _feature("centroid", "Hz", 0.1, "Mean spectral centroid."),
        _feature("level", "dBFS", 0.01, "RMS level."),
        _feature("seconds", "s", 0.001, "Length."),
        Column(
            name="mfcc",
            type=pa.list_(_REAL),
            nullable=True,
            step=0.0001,
            means="Means of MFCC 0 … 12; null: unmeasured.",
        ),
        _feature("points", "1", 0.001, "Contrast points of its best pair with a clip of the other option."),
        Column(name="remade", type=_TEXT, nullable=True, means="Why another clip was made after it; null: none was."),
        Column(name="used", type=pa.bool_(), means="Whether it stands in the release."),
    ),
)

WRITTEN = Table(
    name="dialogues",
    means="Every dialogue that was written or read, whole, with the selector’s reasons, and why it was dropped.",
    side=Side.PRIVATE,
    key=("dialogue",),
    columns=(
        Column(name="dialogue", type=_TEXT, means="Its name."),
        Column(
            name="subscale",
            type=_TEXT,
            choices=tuple(subscale.slug for subscale in SUBSCALES),
            means="Subscale of the EQ-i 2.0 that it tests.",
        ),
        VALENCE,
        SCENARIO_TYPE,
        Column(name="title", type=_TEXT, means="What people call it."),
        Column(name="record", type=_TEXT, gold=True, means="The whole of it, as JSON."),
        Column(name="dropped", type=_TEXT, nullable=True, means="Why it is not in the release; null where it is."),
    ),
)
