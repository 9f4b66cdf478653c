"""The voices of the offline speaker: variants of eSpeak NG, each brought to a pitch and a level of its own.

The engine's pitch is no shift of a voice as a whole: mean F0 is `moved * 2**((pitch - 50) / 50) + fixed + spread * range / 50`,
so that raising the range raises the pitch too. The three figures of each variant, Hz, are fitted to three sentences at four
pitches and three ranges, measured by Praat: within 0.1 semitones, and 0.35 of the variants f3 and Annie.

Men's voices stand high enough that their lowest delivery stays above 75 Hz, where F0 can be measured, and low enough that the
engine can raise them by five semitones. The voices `mid-…` lie between women's and men's, half of them brought down from
women's variants and half up from men's, which can rise by four more; non-binary people have them.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import log2
from typing import NamedTuple

from earmark.builders.dialogues.speakers.casting import Pools


class Variant(NamedTuple):
    """A variant of the engine.

    Attributes:
        engine: The engine's name for it.
        moved: The part of its mean F0 that the engine's pitch moves, Hz.
        fixed: The part that nothing moves, Hz.
        spread: What its own range adds, Hz.
        gain: dB that bring its ordinary speech to about -27 dBFS.
    """

    engine: str
    moved: float
    fixed: float
    spread: float
    gain: float

    def pitch_for(self, f0: float, range: int) -> float:
        """The engine's pitch at which a voice of such a range has a mean F0; it may lie beyond what the engine takes.

        Args:
            f0: Hz.
            range: The engine's range, 0 to 100.
        """
        moved = max(1.0, f0 - self.fixed - self.spread * range / 50)
        return 50 + 50 * log2(moved / self.moved)


class OfflineVoice(NamedTuple):
    """A voice.

    Attributes:
        variant: What speaks.
        f0: Mean F0 of its ordinary speech, Hz.
    """

    variant: Variant
    f0: float


_PLAIN = Variant("en-us", 70.8, 18.2, 9.0, -7.0)
_F1 = Variant("en-us+f1", 130.9, 28.8, 14.0, -7.7)
_F2 = Variant("en-us+f2", 133.0, 37.0, 18.0, -7.8)
_F3 = Variant("en-us+f3", 128.8, 46.7, 26.0, -6.7)
_F4 = Variant("en-us+f4", 132.8, 28.0, 13.3, -7.6)
_F5 = Variant("en-us+f5", 151.1, 32.3, 15.5, -6.1)
_LINDA = Variant("en-us+linda", 191.0, 22.5, 10.6, -8.0)
_ANNIE = Variant("en-us+Annie", 107.0, 80.5, 39.1, -5.8)
_STEPH = Variant("en-us+steph", 157.2, 16.1, 7.9, -6.9)
_M1 = Variant("en-us+m1", 65.8, 16.4, 8.1, -6.0)
_M2 = Variant("en-us+m2", 78.9, 13.0, 6.3, -5.6)
_M3 = Variant("en-us+m3", 70.6, 20.4, 9.9, -7.0)
_M5 = Variant("en-us+m5", 70.9, 18.2, 8.9, -6.3)
_MICHEL = Variant("en-us+michel", 72.9, 19.1, 9.4, -7.7)
_MAX = Variant("en-us+max", 70.8, 18.3, 9.0, -5.8)

VOICES: Mapping[str, OfflineVoice] = {
    "female-1": OfflineVoice(_F1, 178),
    "female-2": OfflineVoice(_F2, 192),
    "female-3": OfflineVoice(_F3, 202),
    "female-4": OfflineVoice(_F5, 198),
    "female-5": OfflineVoice(_LINDA, 208),
    "female-6": OfflineVoice(_ANNIE, 214),
    "male-1": OfflineVoice(_PLAIN, 122),
    "male-2": OfflineVoice(_M1, 116),
    "male-3": OfflineVoice(_M3, 124),
    "male-4": OfflineVoice(_M5, 120),
    "male-5": OfflineVoice(_MICHEL, 126),
    "male-6": OfflineVoice(_MAX, 118),
    "mid-1": OfflineVoice(_F1, 152),
    "mid-2": OfflineVoice(_STEPH, 156),
    "mid-3": OfflineVoice(_F4, 160),
    "mid-4": OfflineVoice(_M3, 133),
    "mid-5": OfflineVoice(_M5, 131),
    "mid-6": OfflineVoice(_M2, 136),
}
"""By the names that a dialogue's cast gives them."""

OFFLINE_POOLS = Pools(
    female=tuple(name for name in VOICES if name.startswith("female")),
    male=tuple(name for name in VOICES if name.startswith("male")),
    nonbinary=tuple(name for name in VOICES if name.startswith("mid")),
)
"""Six voices for each gender."""
