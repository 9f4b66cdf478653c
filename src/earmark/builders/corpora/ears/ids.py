"""File stems of EARS: what is said, and how; the speaker is the folder.

`rainbow_02_fast` is text 2 of the rainbow passage at the pace fast; the same text is read in six further manners.
`emo_anger_sentences` has a text of its own; freeform speech and sounds have none.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from earmark.manifests.pairing import PACES

MANNERS = ("fast", "highpitch", "loud", "lowpitch", "regular", "slow", "whisper")
"""Ways in which the rainbow passage and the sentences are read."""

SOUNDS = ("interjection", "melodic", "nonverbal", "vegetative")
"""Kinds of sounds that are not read; the corpus's own benchmark holds them out."""

FORM = (
    f"rainbow_NN_<manner> or sentences_NN_<manner> with a manner of {', '.join(MANNERS)}; emo_<emotion>_sentences or _freeform; "
    f"freeform_speech_NN; or a sound of {', '.join(SOUNDS)}"
)

_READ = re.compile(rf"((?:rainbow|sentences)_[0-9]{{2}})_({'|'.join(MANNERS)})")
_EMOTION = re.compile(r"(emo_[a-z]+)_(sentences|freeform)")
_FREEFORM = re.compile(r"freeform_speech_[0-9]{2}")
_SOUND = re.compile(rf"({'|'.join(SOUNDS)})_[a-z0-9]+(?:_[a-z0-9]+)*")


@dataclass(frozen=True, slots=True)
class Reading:
    """What a stem says.

    Args:
        stem: The stem.
        style: The manner, `emo_<emotion>`, `freeform`, or the kind of sound.
        script: The stem without the manner, where the speaker read a text; speakers and manners of one script share it.
    """

    stem: str
    style: str
    script: str | None

    @property
    def pace(self) -> str | None:
        """The style, where it is a pace."""
        return self.style if self.style in PACES else None


def parse_reading(stem: str) -> Reading:
    """What a stem says.

    Raises:
        ValueError: If it is no stem of EARS.

    >>> fast = parse_reading("rainbow_02_fast")
    >>> fast.style, fast.script, fast.pace
    ('fast', 'rainbow_02', 'fast')
    >>> parse_reading("emo_anger_freeform")
    Reading(stem='emo_anger_freeform', style='emo_anger', script=None)
    """
    if read := _READ.fullmatch(stem):
        return Reading(stem, read[2], read[1])
    if emotion := _EMOTION.fullmatch(stem):
        return Reading(stem, emotion[1], stem if emotion[2] == "sentences" else None)
    if _FREEFORM.fullmatch(stem):
        return Reading(stem, "freeform", None)
    if sound := _SOUND.fullmatch(stem):
        return Reading(stem, sound[1], None)
    raise ValueError(f"{stem!r} is no stem of EARS, which is {FORM}")
