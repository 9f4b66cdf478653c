"""How a clip is measured: every figure that moves a result, in one record that is stored with the results."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from hashlib import blake2b
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING

from earmark.manifests.canonical import canonical_json

if TYPE_CHECKING:
    from collections.abc import Mapping

    from earmark.manifests.canonical import Json

_MEASURING = ("praat-parselmouth", "pyloudnorm", "soxr")
_POSITIVE = (
    "pitch_step",
    "pitch_candidates",
    "frame",
    "hop",
    "mels",
    "mel_top",
    "mfccs",
    "level_hop",
    "level_frame",
    "nucleus_window",
    "nucleus_block",
    "nucleus_step",
)
_RANGES = (
    ("pitch_floor", "pitch_ceiling", 10.0, 2000.0),
    ("pitch_ceiling", "pitch_rate", 10.0, 192_000.0),
    ("speech_certain", "speech_range", 0.0, 200.0),
    ("f0_low", "f0_high", 0.0, 100.0),
)


@dataclass(frozen=True, kw_only=True)
class Settings:
    """How a clip is measured.

    Args:
        version: Name of the definitions; another name whenever the same settings would give another number.
        pitch_floor: Lowest F0, Hz.
        pitch_ceiling: Highest F0, Hz.
        pitch_step: Time between two F0 values, s.
        pitch_candidates: Candidates that Praat weighs per frame.
        pitch_silence: Praat's silence threshold, a share of the greatest magnitude.
        pitch_voicing: Praat's voicing threshold, a share of the greatest possible autocorrelation.
        pitch_octave_cost: What favours high candidates, per octave.
        pitch_jump_cost: What disfavours changes of pitch, per octave.
        pitch_voicing_cost: What disfavours changes of voicing.
        pitch_voiced: Share of frames that must be voiced; chance voices one or two in a hundred of a whisper.
        pitch_rate: Samples above this rate are resampled to it before F0 is sought, Hz; it costs nothing within 12 kHz.
        frame: Length of the Hann window of a spectrum, s; the FFT is the next power of two.
        hop: Time between two spectra, s.
        mels: Mel bands.
        mel_top: Upper edge of the highest band, Hz; the Nyquist frequency where that is lower.
        mfccs: Coefficients kept, c0 included.
        mel_range: Bands are held at this much below the loudest band of the clip, dB.
        sounding_range: Only spectra at most this much below the clip's most powerful are averaged, dB.
        bandwidth_depth: A bin is empty in a frame that has less there than a sine this much below the largest sample, dB.
        bandwidth_share: A bin counts that is not empty in this share of the frames, and in more than a click reaches.
        level_hop: Resolution of levels, and so of silence, s.
        level_frame: Length of the frames whose level is taken, s; a multiple of `level_hop`.
        speech_range: Nothing this much below the loudest frame is speech, dB.
        speech_certain: All that is less than this below the loudest frame is sounding, dB.
        speech_margin: Between the two, what is this much above the noise floor is sounding, dB.
        speech_least: Shorter sounds are no speech, s, so that a click does not end a silence.
        floor_percentile: Percentile of the frame powers that is the noise floor.
        nucleus_window: Length of the Kaiser window that smooths the intensity, s: Praat's for a lowest pitch of 50 Hz.
        nucleus_block: Length of the blocks that it smooths, s; short enough not to beat with the periods of a voice.
        nucleus_step: Time between two values of the intensity, s.
        nucleus_range: Peaks lower than this below the highest are no syllable, dB.
        nucleus_dip: How far the intensity rises at least to the top of a syllable, dB.
        nucleus_fall: How far it falls at least from the top of the one before, dB.
        f0_low: Percentile at which the range of F0 begins.
        f0_high: Percentile at which it ends.

    Raises:
        ValueError: A length, a rate or a count is not positive, or a range ends before it begins.
    """

    version: str = "acoustics/2"
    pitch_floor: float = 75.0
    pitch_ceiling: float = 600.0
    pitch_step: float = 0.01
    pitch_candidates: int = 15
    pitch_silence: float = 0.03
    pitch_voicing: float = 0.45
    pitch_octave_cost: float = 0.01
    pitch_jump_cost: float = 0.35
    pitch_voicing_cost: float = 0.14
    pitch_voiced: float = 0.03
    pitch_rate: int = 24_000
    frame: float = 0.025
    hop: float = 0.01
    mels: int = 40
    mel_top: float = 8000.0
    mfccs: int = 13
    mel_range: float = 80.0
    sounding_range: float = 40.0
    bandwidth_depth: float = 80.0
    bandwidth_share: float = 0.02
    level_hop: float = 0.005
    level_frame: float = 0.03
    speech_range: float = 40.0
    speech_certain: float = 30.0
    speech_margin: float = 6.0
    speech_least: float = 0.03
    floor_percentile: float = 10.0
    nucleus_window: float = 0.128
    nucleus_block: float = 0.001
    nucleus_step: float = 0.005
    nucleus_range: float = 25.0
    nucleus_dip: float = 2.0
    nucleus_fall: float = 0.5
    f0_low: float = 5.0
    f0_high: float = 95.0

    def __post_init__(self) -> None:
        for name in _POSITIVE:
            if not getattr(self, name) > 0:
                raise ValueError(f"{name} is {getattr(self, name)}; it must be above 0")
        for low, high, least, most in _RANGES:
            if not least <= getattr(self, low) < getattr(self, high) <= most:
                found = f"{low} and {high} are {getattr(self, low)} and {getattr(self, high)}"
                raise ValueError(f"{found}; they must be {least:g} to {most:g}, the first below the second")

    def as_json(self) -> Mapping[str, Json]:
        """The settings by name, for a recipe or a report."""
        return asdict(self)

    def digest(self) -> str:
        """32 hexadecimal digits that change with any setting, and with the version of a package that measures."""
        packages = {name: _installed(name) for name in _MEASURING}
        return blake2b(canonical_json({**self.as_json(), "packages": packages}), digest_size=16).hexdigest()


DEFAULTS = Settings()
"""What a release is measured with unless it says otherwise."""


def _installed(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None
