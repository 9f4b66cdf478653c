"""A small EARS: tones in place of speech, in the real corpus's layout.

The six speakers of the test split read two texts fast, at their regular pace, and slowly: 36 recordings, 48 kHz, 16 bit. A fast
one is 0.7 times as long as the regular one and a slow one 1.4 times, with as many syllables. Everything depends on the seed
alone.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from earmark.builders.miniatures.dice import Dice
from earmark.builders.miniatures.tones import utterance, write_wav

if TYPE_CHECKING:
    from pathlib import Path

RATE, BITS = 48_000, 16

_LENGTHS = {"fast": 0.7, "regular": 1.0, "slow": 1.4}
_TOO_LONG = ("p105", "rainbow_02_fast", 1.1)
_SYLLABLES = 4.0  # a second, of the regular reading

_TEXTS = {
    "rainbow_01": "Sunlight on the rain makes a bow of colours in the sky. People look for its two ends.",
    "rainbow_02": "There is an old tale of gold at one of them. Nobody has come home with any of it.",
    "sentences_15": "The kettle is on the left. We meet at the station after lunch.",
}
_WITHHELD = "prefer not to answer"
_GENDERS = {
    "p100": "female",
    "p101": "male",
    "p102": "male",
    "p103": _WITHHELD,
    "p104": "female",
    "p105": "male",
    "p106": "female",
    "p107": "male",
}
_AGES = {"p102": "26-35", "p103": _WITHHELD, "p104": "56-65", "p105": "36-45", "p106": "56-65", "p107": "36-45"}
_F0 = {
    "p100": 200.0,
    "p101": 110.0,
    "p102": 118.0,
    "p103": 160.0,
    "p104": 190.0,
    "p105": 98.0,
    "p106": 212.0,
    "p107": 128.0,
}
_TEST = tuple(_AGES)


def make_ears(root: Path, *, seed: int = 1, flaws: bool = True) -> None:
    """Write a miniature corpus.

    Args:
        root: A folder that is absent or empty.
        seed: Any integer; it decides every sample.
        flaws: Whether to add what is wrong or awkward in the real corpus: a fast reading that is longer than the regular one
            (`p105/rainbow_02_fast.wav`), speakers of another split, a reading without a partner at another pace, freeform speech
            without a transcript, and a whispered reading.

    Raises:
        ValueError: If the folder is not empty.
    """
    root.mkdir(parents=True, exist_ok=True)
    if any(root.iterdir()):
        raise ValueError(f"{root} is not empty")
    dice = Dice(seed, ("ears",))
    texts = {f"{script}_{pace}": _TEXTS[script] for script in ("rainbow_01", "rainbow_02") for pace in _LENGTHS}
    for speaker in _TEST:
        for stem in texts:
            _record(root, dice, speaker, stem, flaws)
    if flaws:
        texts["sentences_15_regular"], texts["rainbow_01_whisper"] = _TEXTS["sentences_15"], _TEXTS["rainbow_01"]
        for speaker, stem in (
            ("p100", "rainbow_01_regular"),
            ("p101", "rainbow_01_fast"),
            ("p102", "sentences_15_regular"),
            ("p102", "freeform_speech_01"),
            ("p104", "rainbow_01_whisper"),
        ):
            _record(root, dice, speaker, stem, flaws)
    _write(root / "transcripts.json", dict(sorted(texts.items())))
    _write(root / "speaker_statistics.json", {speaker: _described(speaker) for speaker in _GENDERS})


def _record(root: Path, dice: Dice, speaker: str, stem: str, flaws: bool) -> None:
    own = dice.within(speaker)
    script, _, manner = stem.rpartition("_")
    regular = 1.5 + own.between(0.0, 0.4, "seconds", script)
    factor = _LENGTHS.get(manner, 1.0)
    if flaws and (speaker, stem) == _TOO_LONG[:2]:
        factor = _TOO_LONG[2]
    made = utterance(
        seconds=regular * factor,
        f0=_F0[speaker] * own.between(0.97, 1.03, "f0", stem),
        rate=RATE,
        seed=own.whole(0, 1 << 40, "tone", stem),
        level_dbfs=-46.0 if manner == "whisper" else -26.0,
        syllables_per_second=_SYLLABLES / factor,
        noise=manner == "whisper",
    )
    (root / speaker).mkdir(exist_ok=True)
    write_wav(root / speaker / f"{stem}.wav", made, RATE, BITS)


def _described(speaker: str) -> dict[str, str]:
    gender = _GENDERS[speaker]
    kept = gender == _WITHHELD
    return {
        "age": _AGES.get(speaker, "46-55"),
        "ethnicity": _WITHHELD,
        "gender": gender,
        "weight": _WITHHELD if kept else "140 - 160 lbs",
        "native language": _WITHHELD if kept else "russian" if speaker == "p107" else "american english",
        "height": _WITHHELD if kept else "5'4 - 5'7",
    }


def _write(path: Path, value: object) -> None:
    path.write_text(json.dumps(value, indent=4) + "\n", encoding="utf-8", newline="\n")
