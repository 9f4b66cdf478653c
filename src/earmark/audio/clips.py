"""The clips of a release as samples at one rate; those that were heard last stay in memory, since clips recur."""

from __future__ import annotations

from collections import OrderedDict
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from earmark.audio.decode import as_float, read_content
from earmark.audio.resample import resample
from earmark.manifests.clip_audio import ClipAudio

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from earmark.manifests.release import Release

MOST_SAMPLES = 1 << 26
"""Samples of the longest clip that is decoded: 23 minutes at 48 kHz."""

KEPT_BYTES = 1 << 26
"""Bytes of samples that stay in memory besides those of the newest clip."""


class DecodedClips:
    """The clips of a release.

    Args:
        release: The release, or a published copy of one.
        rate: Sampling rate, Hz; None for that of each file.
    """

    def __init__(self, release: Release, rate: int | None = None) -> None:
        self._audio = ClipAudio(release)
        self._rate = rate
        self._kept: OrderedDict[str, tuple[NDArray[np.float32], int]] = OrderedDict()
        self._bytes = 0

    def samples(self, clip: str) -> tuple[NDArray[np.float32], int]:
        """A clip's samples and their rate.

        Args:
            clip: Its id.

        Returns:
            One channel on a full scale of 1.0, shape (n,), read only; and Hz. Resampled ones may go beyond full scale.

        Raises:
            ReleaseError: If the release has no audio of it.
            UndecodableAudio: If its file is no audio, or has more than 2^26 samples.
            MissingExtra: If soundfile, or for another rate soxr, is not installed.
        """
        if clip in self._kept:
            self._kept.move_to_end(clip)
            return self._kept[clip]
        info, native = read_content(self._audio.read(clip), Path(f"{clip}.flac"), most_frames=MOST_SAMPLES)
        rate = info.rate if self._rate is None else self._rate
        samples = (as_float(native) if rate == info.rate else resample(native, info.rate, rate)).astype(np.float32)
        samples.setflags(write=False)
        self._kept[clip] = samples, rate
        self._bytes += samples.nbytes
        while self._bytes > KEPT_BYTES and len(self._kept) > 1:
            _, (gone, _) = self._kept.popitem(last=False)
            self._bytes -= gone.nbytes
        return self._kept[clip]
