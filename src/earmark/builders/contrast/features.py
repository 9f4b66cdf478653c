"""What the gate compares of a clip: pitch, pace, level, brightness, timbre and length.

Two front ends. `earmark` is the package's own measures, of the speech from its first sound to its last. `librosa` is what the
paper names, at librosa's defaults and of the whole file: zero crossings, centroid, RMS and MFCC.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from math import isfinite, log10
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from earmark.audio.acoustics import pitch
from earmark.audio.acoustics.measures import Acoustics, measure
from earmark.audio.acoustics.settings import DEFAULTS
from earmark.audio.cut import cut
from earmark.audio.decode import UndecodableAudio, as_float, probe
from earmark.builders.measuring import UNMEASURABLE, Request
from earmark.manifests.errors import MissingExtra

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from earmark.audio.decode import Samples
    from earmark.manifests.findings import Findings

EARMARK: Literal["earmark"] = "earmark"
LIBROSA: Literal["librosa"] = "librosa"
FRONTS = (EARMARK, LIBROSA)

PRAAT = "praat"
TRACKERS = (PRAAT, "pyin", "yin", "piptrack")
"""Who finds F0. yin decides nothing about voicing, and the mean of piptrack's candidates is no F0: they are there to compare."""

MFCCS = 13
_TOP = 0.1  # of a frame's strongest peak: weaker ones of piptrack are noise


@dataclass(frozen=True, kw_only=True)
class Features:
    """What is compared of a clip; None where it is undefined or the front end does not measure it.

    Args:
        f0: Mean F0 of voiced frames, Hz.
        syllables_per_second: Syllable nuclei over the length of the speech, 1/s.
        words_per_second: Words over the same length, 1/s.
        zero_crossing_rate: Share of samples at which the sign changes, 0 to 1; mean of frames.
        centroid: Mean spectral centroid, Hz.
        level: RMS level, dBFS.
        mfcc: Means of MFCC 0 … 12; c0, the level, is there and no measure of timbre reads it.
        seconds: Length, s: of the speech (`earmark`), of the file (`librosa`).
    """

    f0: float | None = None
    syllables_per_second: float | None = None
    words_per_second: float | None = None
    zero_crossing_rate: float | None = None
    centroid: float | None = None
    level: float | None = None
    mfcc: tuple[float, ...] | None = None
    seconds: float | None = None

    def as_row(self) -> dict[str, float | list[float] | None]:
        """The features by name, for a row of a table."""
        return {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(self).items()}


def of_acoustics(measured: Acoustics) -> Features:
    """The gate's features of what was measured of a clip."""
    return Features(
        f0=measured.f0_mean,
        syllables_per_second=measured.syllables_per_second or None,  # no nucleus is no rate
        words_per_second=measured.words_per_second or None,
        centroid=measured.spectral_centroid,
        level=measured.level,
        mfcc=measured.mfcc,
        seconds=measured.speech,
    )


def by_librosa(samples: Samples, rate: int, *, words: int | None = None, tracker: str = PRAAT) -> Features:
    """A clip's features by librosa at its defaults, at the clip's own rate (a rate of 22,050 Hz would move both proxies).

    Args:
        samples: native samples of one channel, shape (n,), n >= 1.
        rate: sampling rate, Hz.
        words: words spoken; None where they are not known.
        tracker: one of `TRACKERS`, all over the same range as `earmark.audio.acoustics.settings.DEFAULTS`.

    Raises:
        MissingExtra: librosa or parselmouth is not installed.
        ValueError: no such tracker.
    """
    if tracker not in TRACKERS:
        raise ValueError(f"tracker {tracker!r} is none of {', '.join(TRACKERS)}")
    floats = as_float(samples)
    seconds = len(floats) / rate
    if not floats.any():
        return Features(seconds=seconds)
    from earmark.statistics.blas import one_thread

    feature = _librosa().feature
    with one_thread():
        root = float(feature.rms(y=floats).mean())
        return Features(
            f0=_f0(floats, rate, tracker),
            words_per_second=words / seconds if words else None,
            zero_crossing_rate=float(feature.zero_crossing_rate(floats).mean()) or None,
            centroid=float(feature.spectral_centroid(y=floats, sr=rate).mean()),
            level=20 * log10(root),
            mfcc=tuple(float(mean) for mean in feature.mfcc(y=floats, sr=rate, n_mfcc=MFCCS).mean(axis=1)),
            seconds=seconds,
        )


def whole_file(path: Path, *, words: int | None = None, id: str | None = None) -> Request:
    """The request to measure all of a file's first channel.

    Raises:
        UndecodableAudio: it cannot be read.
    """
    info = probe(path)
    return Request(path=path, rate=info.rate, spans=((0, info.frames),), words=words, id=id)


def measure_features(
    requests: Sequence[Request], *, front: str, tracker: str, jobs: int, findings: Findings
) -> list[Features | None]:
    """Measure many clips. Nothing is cached: a gate keeps the features of every attempt.

    Args:
        requests: the clips.
        front: one of `FRONTS`.
        tracker: one of `TRACKERS`; the front end `earmark` knows Praat alone.
        jobs: processes at a time, >= 1.
        findings: where clips go that cannot be read.

    Returns:
        One entry per request, in their order; None of what cannot be read.

    Raises:
        MissingExtra: a package of the extra `build` is not installed.
        ValueError: no such front end or tracker.
    """
    if front not in FRONTS or tracker not in TRACKERS or (front == EARMARK and tracker != PRAAT):
        raise ValueError(f"front end {front!r} with tracker {tracker!r}; {EARMARK} has {PRAAT}, {LIBROSA} all")
    found: list[Features | str]
    if jobs > 1 and len(requests) > 1:
        try:
            from joblib import Parallel, delayed
        except ImportError as error:
            raise MissingExtra("build", "joblib") from error
        # A process that joblib kept from before may stand in another folder.
        whole = [replace(request, path=request.path.absolute()) for request in requests]
        found = Parallel(n_jobs=jobs)(delayed(_one)(request, front, tracker) for request in whole)
    else:
        found = [_one(request, front, tracker) for request in requests]
    for request, features in zip(requests, found, strict=True):
        if isinstance(features, str):
            findings.add(UNMEASURABLE, file=str(request.path), id=request.id, found=features)
    return [None if isinstance(features, str) else features for features in found]


def _one(request: Request, front: str, tracker: str) -> Features | str:
    """A clip's features, or why there are none."""
    try:
        clip = cut(request.path, request.spans, channel=request.channel, joining_silence=request.joining_silence)
        if clip.rate != request.rate:
            return f"it has {clip.rate} Hz, not {request.rate}"
        if front == EARMARK:
            return of_acoustics(measure(clip.samples, clip.rate, words=request.words, loud=False))
    except (UndecodableAudio, ValueError, OSError) as error:
        return str(error)
    return by_librosa(clip.samples, clip.rate, words=request.words, tracker=tracker)


def _f0(samples: NDArray[np.float64], rate: int, tracker: str) -> float | None:
    if tracker == PRAAT:
        contour = pitch.track(samples, rate, DEFAULTS)
        found = None if contour is None else pitch.summarise(contour, DEFAULTS)
        return found.mean if found else None
    trackers: dict[str, Callable[..., Any]] = {"pyin": _pyin, "yin": _yin, "piptrack": _piptrack}
    values = trackers[tracker](samples, rate)
    mean = float(values.mean()) if values.size else 0.0
    return mean if isfinite(mean) and mean > 0 else None


def _pyin(samples: NDArray[np.float64], rate: int) -> NDArray[np.float64]:
    f0, voiced, _ = _librosa().pyin(samples, fmin=DEFAULTS.pitch_floor, fmax=DEFAULTS.pitch_ceiling, sr=rate)
    return np.asarray(f0[voiced])


def _yin(samples: NDArray[np.float64], rate: int) -> NDArray[np.float64]:
    return np.asarray(_librosa().yin(samples, fmin=DEFAULTS.pitch_floor, fmax=DEFAULTS.pitch_ceiling, sr=rate))


def _piptrack(samples: NDArray[np.float64], rate: int) -> NDArray[np.float64]:
    pitches, _ = _librosa().piptrack(
        y=samples, sr=rate, fmin=DEFAULTS.pitch_floor, fmax=DEFAULTS.pitch_ceiling, threshold=_TOP
    )
    return np.asarray(pitches[pitches > 0])


def _librosa() -> Any:
    try:
        import librosa
    except ImportError as error:
        raise MissingExtra("build", "librosa") from error
    return librosa
