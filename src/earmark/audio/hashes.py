"""PCM hashes: the same sound in another container has the same hash.

`blake2b-256:` over a heading (format, rate in Hz, number of channels, kind of sample) and the samples in order,
channels interleaved: integers left-justified in 32 bits, floats as float64, little-endian. A WAV file and its FLAC
copy agree, and so do a 16-bit file and its 24-bit copy. Nothing resampled is ever hashed. A lossy file has no samples
of its own (decoders differ in the last bit), so that its bytes are hashed instead.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING

import numpy as np

from earmark.audio.decode import UndecodableAudio, blocks, probe

if TYPE_CHECKING:
    from pathlib import Path

    from earmark.audio.decode import Samples

_PREFIX = "blake2b-256:"


def pcm_hash(path: Path) -> str:
    """Hash all samples of a lossless file, or the bytes of a lossy one.

    Returns:
        "blake2b-256:" and 64 hexadecimal digits.

    Raises:
        UndecodableAudio: the file cannot be read to its end; see `earmark.audio.decode.read_span`.
    """
    info = probe(path)
    if not info.lossless:
        return _file_hash(path)
    state = blake2b(_heading(info.rate, info.channels, info.dtype), digest_size=32)
    for block in blocks(path):
        state.update(_canonical(block))
    return _PREFIX + state.hexdigest()


def samples_hash(samples: Samples, rate: int) -> str:
    """Hash native samples that are in memory: what `pcm_hash` gives of a lossless file that holds them.

    Args:
        samples: shape (n,) for one channel or (n, channels).
        rate: sampling rate, Hz.
    """
    channels = 1 if samples.ndim == 1 else samples.shape[1]
    state = blake2b(_heading(rate, channels, samples.dtype.name), digest_size=32)
    state.update(_canonical(samples))
    return _PREFIX + state.hexdigest()


def _heading(rate: int, channels: int, dtype: str) -> bytes:
    return f"pcm/1 {rate} {channels} {'float' if dtype.startswith('float') else 'integer'}\n".encode()


def _canonical(samples: Samples) -> bytes:
    if samples.dtype.kind == "f":
        return samples.astype("<f8").tobytes()
    return np.left_shift(samples, 32 - 8 * samples.dtype.itemsize, dtype=np.int32).astype("<i4", copy=False).tobytes()


def _file_hash(path: Path) -> str:
    state = blake2b(digest_size=32)
    try:
        with path.open("rb") as file:
            while chunk := file.read(1 << 20):
                state.update(chunk)
    except OSError as error:
        raise UndecodableAudio(path, f"not readable ({error.strerror})") from error
    return _PREFIX + state.hexdigest()
