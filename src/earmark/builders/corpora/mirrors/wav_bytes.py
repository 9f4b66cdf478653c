"""A mirror's audio as a WAV file: WAV bytes as they are, other lossless formats decoded at their depth, lossy ones refused."""

from __future__ import annotations

import io

from earmark.audio.decode import soundfile
from earmark.builders.corpora.wav_header import NotWav, begins_as_wav, wav_header_of

_COPIES = {
    "PCM_S8": "PCM_U8",  # what 8 bits are called in a WAV file
    "PCM_U8": "PCM_U8",
    "PCM_16": "PCM_16",
    "PCM_24": "PCM_24",
    "PCM_32": "PCM_32",
    "ALAC_16": "PCM_16",
    "ALAC_24": "PCM_24",
    "ALAC_32": "PCM_32",
}


class NoLosslessCopy(ValueError):
    """Bytes of which no WAV file with the same samples can be made."""


def as_wav(data: bytes) -> bytes:
    """A WAV file with the samples, rate, channels and bits that the bytes hold.

    Args:
        data: A whole audio file.

    Returns:
        The bytes themselves if they are a WAV file.

    Raises:
        NoLosslessCopy: If they are no audio, break off, or are lossy or float samples in another format than WAV.
        MissingExtra: If soundfile is needed and not installed.
    """
    if begins_as_wav(data[:12]):
        try:
            header = wav_header_of(data)
        except NotWav as error:
            raise NoLosslessCopy(str(error)) from None
        if header.frames < header.promised or not header.frames:
            raise NoLosslessCopy(f"{header.frames} of {header.promised} samples")
        return data
    sf = soundfile()
    try:
        with sf.SoundFile(io.BytesIO(data)) as file:
            kind, subtype, frames, rate = str(file.format), str(file.subtype), int(file.frames), int(file.samplerate)
            if subtype not in _COPIES:
                raise NoLosslessCopy(f"{kind} with {subtype} samples")
            samples = file.read(dtype="int16" if _COPIES[subtype] in {"PCM_U8", "PCM_16"} else "int32", always_2d=True)
        if not frames or len(samples) < frames:
            raise NoLosslessCopy(f"{len(samples)} of {frames} samples")
        copy = io.BytesIO()
        sf.write(copy, samples, rate, subtype=_COPIES[subtype], format="WAV")
    except (sf.SoundFileError, OSError, TypeError) as error:
        raise NoLosslessCopy(f"not readable as audio ({str(error).strip() or type(error).__name__})") from error
    return copy.getvalue()
