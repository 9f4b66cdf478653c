"""Fundamental frequency by Praat's autocorrelation (Boersma 1993), as parselmouth runs it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, cast

import numpy as np

from earmark.manifests.errors import MissingExtra

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from earmark.audio.acoustics.settings import Settings

_PERIODS = 3  # of the lowest pitch, in Praat's window


class Pitch(NamedTuple):
    """A contour of F0.

    Attributes:
        f0: F0 of each frame, Hz; 0 where unvoiced.
        start: time of the first frame's middle, s.
        step: time between two frames, s.
    """

    f0: NDArray[np.float64]
    start: float
    step: float

    @property
    def voiced(self) -> NDArray[np.float64]:
        """F0 of the voiced frames, Hz."""
        return self.f0[self.f0 > 0]

    def voiced_near(self, times: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Whether the frame nearest to each time (s) is voiced, or one beside it; Praat loses a voice for a frame or two."""
        unvoiced = np.zeros(2, dtype=np.bool_)
        voiced = np.concatenate([unvoiced, self.f0 > 0, unvoiced])
        near = voiced[:-2] | voiced[1:-1] | voiced[2:]  # from the frame before the first to that behind the last
        frames = np.rint((times - self.start) / self.step).astype(np.intp) + 1
        inside = (frames >= 0) & (frames < len(near))
        found = np.zeros(len(times), dtype=np.bool_)
        found[inside] = near[frames[inside]]
        return found


class F0(NamedTuple):
    """What a contour comes to: median and mean, Hz, and range, semitones."""

    median: float
    mean: float
    range: float


def track(samples: NDArray[np.float64], rate: int, settings: Settings) -> Pitch | None:
    """Follow F0 through a clip.

    Args:
        samples: shape (n,).
        rate: sampling rate, Hz; above `settings.pitch_rate` the samples are resampled to that.
        settings: Praat's own parameters.

    Returns:
        The contour; None where the samples are not longer than one window, three periods of the lowest pitch, by more
        than a sample.

    Raises:
        MissingExtra: parselmouth is not installed.
    """
    try:
        from parselmouth import Sound
    except ImportError as error:
        raise MissingExtra("build", "praat-parselmouth") from error
    if rate > settings.pitch_rate:
        from earmark.audio.resample import resample

        samples, rate = resample(samples, rate, settings.pitch_rate), settings.pitch_rate
    if len(samples) / rate <= _PERIODS / settings.pitch_floor + 1 / rate:
        return None
    pitch = Sound(samples, rate).to_pitch_ac(
        time_step=settings.pitch_step,
        pitch_floor=settings.pitch_floor,
        max_number_of_candidates=settings.pitch_candidates,
        very_accurate=False,
        silence_threshold=settings.pitch_silence,
        voicing_threshold=settings.pitch_voicing,
        octave_cost=settings.pitch_octave_cost,
        octave_jump_cost=settings.pitch_jump_cost,
        voiced_unvoiced_cost=settings.pitch_voicing_cost,
        pitch_ceiling=settings.pitch_ceiling,
    )
    f0 = cast("NDArray[np.float64]", pitch.selected_array["frequency"])
    return Pitch(f0, float(pitch.x1), float(pitch.dx))


def summarise(pitch: Pitch, settings: Settings) -> F0 | None:
    """Median, mean and range of the voiced frames; None where none is voiced, or so few that it may be chance.

    >>> from earmark.audio.acoustics.settings import DEFAULTS
    >>> summarise(Pitch(np.array([0.0, 100.0, 100.0]), 0.02, 0.01), DEFAULTS)
    F0(median=100.0, mean=100.0, range=0.0)
    """
    voiced = pitch.voiced
    if not len(voiced) or len(voiced) < settings.pitch_voiced * len(pitch.f0):
        return None
    low, high = np.percentile(voiced, [settings.f0_low, settings.f0_high])
    return F0(float(np.median(voiced)), float(voiced.mean()), float(12 * np.log2(high / low)))
