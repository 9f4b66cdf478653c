"""Stems of EARS: every one that its benchmark lists is read, and nothing else."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from earmark.builders.corpora.ears.ids import MANNERS, SOUNDS, Reading, parse_reading
from earmark.manifests.pairing import PACES

scripts = st.builds(lambda kind, n: f"{kind}_{n:02d}", st.sampled_from(("rainbow", "sentences")), st.integers(0, 99))


@given(scripts, st.sampled_from(MANNERS))
def test_texts_at_any_manner_share_a_script(script: str, manner: str) -> None:
    reading = parse_reading(f"{script}_{manner}")
    assert reading == Reading(f"{script}_{manner}", manner, script)
    assert reading.pace == (manner if manner in PACES else None)


@pytest.mark.parametrize(
    ("stem", "style", "script"),
    [
        ("emo_anger_sentences", "emo_anger", "emo_anger_sentences"),
        ("emo_anger_freeform", "emo_anger", None),
        ("freeform_speech_01", "freeform", None),
        ("melodic_happy_birthday", "melodic", None),
        *((f"{sound}_some_thing", sound, None) for sound in SOUNDS),
    ],
)
def test_what_is_not_read_at_a_manner(stem: str, style: str, script: str | None) -> None:
    assert parse_reading(stem) == Reading(stem, style, script)
    assert parse_reading(stem).pace is None


@pytest.mark.parametrize(
    "stem",
    [
        "",
        "rainbow_01",
        "rainbow_1_fast",
        "rainbow_01_quick",
        "rainbow_01_fast (1)",
        "rainbow_01_fast.wav",
        "Rainbow_01_fast",
        "rainbow_01_fast_slow",
        "emo_anger",
        "emo_anger_speech",
        "freeform_speech",
        "vegetative",
        "vegetative_",
        "p102_rainbow_01_fast",
        "rainbow_٠١_fast",
    ],
)
def test_what_is_no_stem(stem: str) -> None:
    with pytest.raises(ValueError, match="no stem of EARS"):
        parse_reading(stem)


def test_real_files_of_the_test_speakers(shared_data: Path) -> None:
    listed = json.loads((shared_data / "ears" / "test_files.json").read_text("utf-8"))
    assert sorted(listed) == [f"p{n}" for n in range(102, 108)]
    for stems in listed.values():
        readings = [parse_reading(stem) for stem in stems]
        assert len(readings) == 139
        paces = Counter(reading.pace for reading in readings if reading.pace)
        assert paces == {"fast": 12, "slow": 12, "regular": 20}
        by_script = Counter(reading.script for reading in readings if reading.pace)
        assert sum(count == 3 for count in by_script.values()) == 10
