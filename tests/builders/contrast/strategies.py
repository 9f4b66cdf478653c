"""Feature records and profiles for Hypothesis, the hand-made clips of these tests, and the real turns."""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

from hypothesis import strategies as st

from earmark.builders.contrast.features import Features, whole_file
from earmark.builders.contrast.profile import MAXIMA, MEASURES, SHARE, Dimension, Profile
from earmark.builders.measuring import Request

PLAIN = Features(
    f0=200.0,
    syllables_per_second=4.0,
    words_per_second=3.0,
    zero_crossing_rate=0.1,
    centroid=1500.0,
    level=-20.0,
    mfcc=(-200.0, *[0.0] * 12),
    seconds=3.0,
)
"""A clip like many."""

positive = st.floats(0.01, 5000.0)
features = st.builds(
    Features,
    f0=st.none() | positive,
    syllables_per_second=st.none() | positive,
    words_per_second=st.none() | positive,
    zero_crossing_rate=st.none() | st.floats(0.001, 1.0),
    centroid=st.none() | positive,
    level=st.none() | st.floats(-120.0, 0.0),
    mfcc=st.none() | st.lists(st.floats(-500.0, 500.0), min_size=13, max_size=13).map(tuple),
    seconds=st.none() | positive,
)


@st.composite
def dimensions(draw: st.DrawFn, name: str, front: str) -> Dimension:
    """A dimension of a valid profile."""
    absent = "zero_crossing_rate" if front == "earmark" else "syllables_per_second"
    measure = draw(st.sampled_from([measure for measure in MEASURES[name] if measure != absent]))
    relative = measure not in {"level", "mfcc"} and draw(st.booleans())
    count = draw(st.integers(1, 3))
    most = 1.0 if relative else 1000.0
    thresholds = draw(st.lists(st.floats(1e-3, most), min_size=count, max_size=count, unique=True).map(sorted))
    points = draw(st.lists(st.floats(0.01, MAXIMA[name]), min_size=count, max_size=count, unique=True).map(sorted))
    return Dimension(
        measure=measure,
        scale="relative" if relative else "absolute",
        unit=SHARE if relative else MEASURES[name][measure],
        shape=draw(st.sampled_from(["step", "linear"])),
        thresholds=tuple(thresholds),
        points=tuple(points),
    )


@st.composite
def profiles(draw: st.DrawFn) -> Profile:
    """A valid profile."""
    front = draw(st.sampled_from(["earmark", "librosa"]))
    parts = {name: draw(dimensions(name, front)) for name in MAXIMA}
    return Profile(name=draw(st.text(max_size=9)), front=front, pass_at=0.01, **parts)


class RealTurn(NamedTuple):
    """A target turn of a real dialogue: both clips, the resonant one first."""

    dialogue: str
    turn: int
    generation: int
    requests: tuple[Request, Request]


def real_turns(folder: Path) -> list[RealTurn]:
    """The target turns in a folder of the authors' layout: files 04 and 05 are turn 4, 07 and 08 turn 6."""
    turns = []
    for place in sorted(folder.iterdir()):
        record = json.loads((place / "metadata.json").read_text(encoding="utf-8"))
        for turn, number in ((4, 4), (6, 7)):
            words = len(record["audio_files"][number - 1]["text"].split())
            one, other = (whole_file(place / "audio" / f"{n:02}.mp3", words=words) for n in (number, number + 1))
            turns.append(RealTurn(place.name, turn, 2 if place.name.startswith("2026") else 1, (one, other)))
    return turns
