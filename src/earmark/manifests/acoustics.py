"""What is measured of a clip's sound: one declared column per measure, with its unit, range and the step it is rounded to.

Measures serve matching, audits and gates; they never stand in a content hash. `earmark.audio.acoustics` says how each is taken.
"""

from __future__ import annotations

import pyarrow as pa

from earmark.manifests.tables import Column

_REAL = pa.float64()

MEASURES = (
    Column(name="lead", type=_REAL, unit="s", low=0.0, nullable=True, step=0.001, means="Silence before the speech."),
    Column(name="trail", type=_REAL, unit="s", low=0.0, nullable=True, step=0.001, means="Silence after the speech."),
    Column(
        name="loudness",
        type=_REAL,
        unit="LUFS",
        nullable=True,
        step=0.01,
        means="Integrated loudness, ITU-R BS.1770; null of what is too short or too quiet to be gated.",
    ),
    Column(name="peak", type=_REAL, unit="dBFS", high=3.1, nullable=True, step=0.01, means="Largest sample."),
    Column(
        name="clipped",
        type=_REAL,
        unit="1",
        low=0.0,
        high=1.0,
        nullable=True,
        step=0.000001,
        means="Share at full scale.",
    ),
    Column(
        name="noise_floor", type=_REAL, unit="dBFS", nullable=True, step=0.01, means="Level of the quietest frames."
    ),
    Column(
        name="bandwidth",
        type=_REAL,
        unit="Hz",
        low=0.0,
        nullable=True,
        step=1.0,
        means="Frequency above which nothing is.",
    ),
    Column(
        name="f0_median", type=_REAL, unit="Hz", low=0.0, nullable=True, step=0.01, means="Median F0 of voiced frames."
    ),
    Column(
        name="f0_range",
        type=_REAL,
        unit="semitones",
        low=0.0,
        nullable=True,
        step=0.01,
        means="F0 from the 5th to the 95th percentile of voiced frames.",
    ),
    Column(
        name="words_per_second",
        type=_REAL,
        unit="1/s",
        low=0.0,
        nullable=True,
        step=0.001,
        means="Words over the speech's length.",
    ),
    Column(
        name="syllables_per_second",
        type=_REAL,
        unit="1/s",
        low=0.0,
        nullable=True,
        step=0.001,
        means="Syllable nuclei heard over the speech's length.",
    ),
    Column(
        name="spectral_centroid",
        type=_REAL,
        unit="Hz",
        low=0.0,
        nullable=True,
        step=0.1,
        means="Mean spectral centroid of speech.",
    ),
    Column(
        name="mfcc",
        type=pa.list_(_REAL),
        nullable=True,
        step=0.0001,
        means="Means of MFCC 0 … 12 over the speech; null until measured.",
    ),
)
"""Every measure. All are null until a clip's audio was read, and where the measure is undefined."""
