"""How a small SpeechEQ lies on disk: its sound dialogues, and the writing of a record and its eight MP3 files."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from earmark.audio.decode import soundfile
from earmark.builders.miniatures.dice import Dice
from earmark.builders.miniatures.sentences import sentence
from earmark.builders.miniatures.tones import utterance
from earmark.manifests.eqi import subscale_of

RATE = 24_000

_FILES = ((1, "high"), (2, "high"), (3, "high"), (4, "high"), (4, "low"), (5, "high"), (6, "high"), (6, "low"))
_VOICES = {"female": ("coral", "nova"), "male": ("ash", "onyx")}
_F0 = {"coral": 205.0, "nova": 188.0, "ash": 112.0, "onyx": 98.0}


class Sketch(NamedTuple):
    """A dialogue to be written.

    Attributes:
        id: Its name.
        subscale: Slug of its folder and scale.
        genders: Spellings, of the first and the second speaker.
        voices: Of both.
        persona: How the dissonant one begins.
        valence: None in the first generation.
        contrast: Whether the options of turn 6 differ in sound.
    """

    id: str
    subscale: str
    genders: tuple[str, str]
    voices: tuple[str, str]
    persona: str
    valence: str | None = None
    contrast: bool = True


SOUND = (
    Sketch(
        "20250101_080000_000001_aaaaaaaa", "self_perception_self_regard", ("Male", "Female"), ("ash", "nova"), "Low EQ"
    ),
    Sketch(
        "20250101_080500_000002_bbbbbbbb",
        "self_expression_emotional_expression",
        ("female", "male"),
        ("coral", "onyx"),
        "Low EQ",
    ),
    Sketch(
        "20250101_081000_000003_cccccccc",
        "interpersonal_interpersonal_relationships",
        ("Nonbinary", "Female"),
        ("onyx", "coral"),
        "Low EQ",
        contrast=False,
    ),
    Sketch(
        "20250101_081500_000004_dddddddd",
        "decision_making_impulse_control",
        ("Male", "Male"),
        ("ash", "onyx"),
        "Low EQ",
    ),
    Sketch(
        "20260101_090000_eeeeeeeeeeee",
        "interpersonal_empathy",
        ("Non-binary", "Female"),
        ("onyx", "nova"),
        "The Toxic Optimist",
        "Positive",
    ),
    Sketch(
        "20260101_090500_ffffffffffff",
        "stress_management_stress_tolerance",
        ("female", "male"),
        ("nova", "ash"),
        "Robin",
        "Conflict",
    ),
)
"""The sound ones; the third has a pair that no gate passes, and the fifth names its failure."""

OTHER_SKILL, TWICE_TITLED = SOUND[1].id, (SOUND[4].id, SOUND[5].id)
"""Whose `eq_skill_tested` is not the scale, and who share a title."""


def write_record(folder: Path, record: Mapping[str, object]) -> None:
    """Write a dialogue's record."""
    text = json.dumps(record, indent=2, ensure_ascii=False)
    (folder / "metadata.json").write_text(text, encoding="utf-8", newline="\n")


def folder_of(root: Path, sketch: Sketch, *, flat: bool) -> Path:
    """The folder of a dialogue; `flat` as for `earmark.builders.miniatures.speecheq.make_speecheq`."""
    return root / sketch.id if flat else root / sketch.subscale / sketch.id


def _record(sketch: Sketch, dice: Dice) -> dict[str, object]:
    own = dice.within(sketch.id)
    lines = [sentence(own, "turn", turn) for turn in range(1, 7)]
    lines[3] = f"Well, that’s so… {lines[3]}"
    speakers = ["speaker1" if turn % 2 else "speaker2" for turn in range(1, 7)]
    scale, second = subscale_of(sketch.subscale).label, sketch.valence is not None
    failing = f"{sketch.persona} - cares for nothing but the shelves."
    resonant = "Listens, and says so." if second else "High EQ - listens, and says so."
    scenario: dict[str, object] = {
        "title": "Shelves" if sketch.id in TWICE_TITLED else f"Shelf {sketch.id[-4:]}",
        "context": "A hall with shelves.",
        "description": "Two people carry boxes. One of them has just found out where the ladder is.",
        **({"scenario_valence": sketch.valence, "target_social_intent": "Be glad of it too."} if second else {}),
        "speaker1_name": "Kim",
        "speaker1_role": "Catalyst" if second else "Carrier of boxes",
        "speaker1_gender": sketch.genders[0],
        "speaker1_persona": "Counts the boxes.",
        "speaker1_voice": sketch.voices[0],
        "speaker2_name": "Robin",
        "speaker2_role": "Test Subject" if second else "Keeper of the ladder",
        "speaker2_gender": sketch.genders[1],
        "speaker2_persona_1": resonant,
        "speaker2_persona_2": failing,
        "speaker2_persona_3": "Low EQ - is in a hurry.",
        "speaker2_persona_high": resonant,
        "speaker2_persona_low": failing,
        "speaker2_voice": sketch.voices[1],
        "eq_skill_tested": "How somebody feels about shelves" if sketch.id == OTHER_SKILL else scale,
    }
    whole = f"{sketch.subscale}/{sketch.id}"
    above = f"/Users/somebody/v2_data/{whole}" if second else f"data/0101_300/{whole}"
    return {
        "scenario": scenario,
        "conversation": [
            {"speaker": speaker, "sentence_number": turn, "text": line}
            for turn, (speaker, line) in enumerate(zip(speakers, lines, strict=True), start=1)
        ],
        "eq_scale": scale,
        "audio_files": [
            {
                "sentence_number": turn,
                "speaker": speakers[turn - 1],
                "text": lines[turn - 1],
                "eq_level": level,
                "audio_path": f"{above}/audio/{number:02d}.mp3",
                "tone_description": f"Say line {number} as if it were {'' if level == 'high' else 'not '}about the ladder.",
            }
            for number, (turn, level) in enumerate(_FILES, start=1)
        ],
        "generation_metadata": {
            "timestamp": sketch.id[:15],
            "dataset_id": sketch.id,
            "subscale_slug": sketch.subscale,
            "output_path": above,
            "audio_files_count": len(_FILES),
            **({"generation_version": "v2"} if second else {}),
        },
    }


def write_dialogue(folder: Path, sketch: Sketch, dice: Dice) -> None:
    """Write a dialogue: its record and its clips."""
    (folder / "audio").mkdir(parents=True)
    write_record(folder, _record(sketch, dice))
    own = dice.within(sketch.id)
    for number, (turn, level) in enumerate(_FILES, start=1):
        low = level == "low" and (turn != 6 or sketch.contrast)
        voice = sketch.voices[1 - turn % 2]
        made = utterance(
            seconds=(0.55 if low else 0.8) + own.between(0.0, 0.05, "seconds", turn),
            f0=_F0[voice] * (1.4 if low else 1.0),
            rate=RATE,
            seed=own.whole(0, 1 << 40, "tone", turn if not low else number),
            level_dbfs=-20.0 if low else -26.0,
            syllables_per_second=6.5 if low else 4.0,
        )
        if not sketch.contrast and level == "low" and turn == 6:
            made[::97] *= 0.98  # another file, and the same to every ear
        soundfile().write(folder / "audio" / f"{number:02d}.mp3", made, RATE, format="MP3", subtype="MPEG_LAYER_III")
