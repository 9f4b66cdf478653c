"""A small Sonos SVC: made-up commands by six made-up speakers in the real corpus's layout, with tones in place of voices.

    audios/<split>/<audio id>.wav          mono, 16 kHz, 16 bit: 24 of the test split, one each of train and dev
    metadata/<split>_metadata.json         records by audio id

Each of six speakers says each of four commands. Every byte depends on the seed alone.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from earmark.builders.miniatures.dice import Dice
from earmark.builders.miniatures.tones import utterance, write_wav

if TYPE_CHECKING:
    from pathlib import Path

    from earmark.manifests.canonical import Json

RATE = 16_000
"""Sampling rate, Hz."""

COMMANDS = ("volume off", "play some jazz", "turn it up a bit", "next song please")
"""What every speaker of the test split says."""


class Speaker(NamedTuple):
    """A made-up speaker.

    Attributes:
        id: `user_id`.
        age: years, in digits.
        group: age group.
        sex: "female" or "male".
        region: dialectal region.
        f0: mean F0, Hz.
        ethnicity: None where it is not told.
    """

    id: str
    age: str
    group: str
    sex: str
    region: str
    f0: float
    ethnicity: str | None = None


TEST_SPEAKERS = (
    Speaker("90001", "11", "9-16", "female", "USA Western", 265.0),
    Speaker("90002", "12", "9-16", "male", "USA Southern", 255.0),
    Speaker("90003", "25", "17-28", "female", "USA Midland", 205.0),
    Speaker("90004", "27", "17-28", "male", "Latino", 122.0),
    Speaker("90005", "66", "55-100", "female", "USA Mid-Atlantic", 195.0, "made up"),
    Speaker("90006", "71", "55-100", "male", "Asian", 118.0),
)
"""The six speakers of the test split."""

_TRAIN = Speaker("90007", "34", "29-41", "male", "USA New England", 124.0)
_DEV = Speaker("90008", "47", "42-54", "female", "USA Inland-North", 198.0)
_MISGROUPED = (TEST_SPEAKERS[2], COMMANDS[3])


def make_svc(root: Path, *, seed: int = 1, flaws: bool = True) -> None:
    """Write a miniature corpus.

    Args:
        root: a folder that is absent or empty; the corpus's own name is `svc-dataset`.
        seed: any integer; it alone decides every byte.
        flaws: False leaves out what a reader has to reject: the one record (speaker 90003, the last command) whose age
            group does not hold its age.

    Raises:
        ValueError: the folder is not empty.
    """
    root.mkdir(parents=True, exist_ok=True)
    if any(root.iterdir()):
        raise ValueError(f"{root} is not empty")
    dice = Dice(seed, ("svc",))
    said = {
        "test": [
            (f"audio_AAAAAAAAAAAAAA{4 * s + c + 1:02d}", speaker, command, command)
            for s, speaker in enumerate(TEST_SPEAKERS)
            for c, command in enumerate(COMMANDS)
        ],
        "train": [("audio_BBBBBBBBBBBBBB01", _TRAIN, "pause the music", "pause the music")],
        "dev": [("audio_CCCCCCCCCCCCCC01", _DEV, "play 1999", "play nineteen ninety nine")],
    }
    (root / "metadata").mkdir()
    for split, recordings in said.items():
        folder = root / "audios" / split
        folder.mkdir(parents=True)
        records: dict[str, Json] = {}
        for id, speaker, written, spoken in recordings:
            milliseconds = _write(folder / f"{id}.wav", dice.within(id), speaker, spoken)
            group = "29-41" if flaws and (speaker, written) == _MISGROUPED else speaker.group
            records[id] = _record(speaker, group, milliseconds, written, spoken)
        text = json.dumps(records, indent=1) + "\n"
        (root / "metadata" / f"{split}_metadata.json").write_text(text, encoding="utf-8", newline="\n")


def _write(path: Path, dice: Dice, speaker: Speaker, words: str) -> int:
    """Write one recording; its length in ms."""
    milliseconds = 20 * len(words) + dice.whole(250, 400, "length")
    samples = utterance(
        seconds=milliseconds / 1000,
        f0=speaker.f0 * dice.between(0.97, 1.03, "f0"),
        rate=RATE,
        seed=dice.whole(0, (1 << 30), "sound"),
        level_dbfs=dice.between(-29.0, -24.0, "level"),
        syllables_per_second=dice.between(3.5, 5.0, "syllables"),
    )
    write_wav(path, samples, RATE, 16)
    return milliseconds


def _record(speaker: Speaker, group: str, milliseconds: int, written: str, spoken: str) -> dict[str, Json]:
    return {
        "audioLengthMs": milliseconds,
        "content": {"domain": "Music", "subdomain": "TransportControl"},
        "speaker": {
            "age": speaker.age,
            "age_group": group,
            "dialectal_region": speaker.region,
            "ethnicity": speaker.ethnicity,
            "gender": speaker.sex,
            "user_group": "made up",
            "user_id": speaker.id,
        },
        "transcript": {
            "text": written,
            "normalized_text": spoken,
            "label": {"intent": "Play" if written.startswith("play") else "Mute", "slots": []},
        },
    }
