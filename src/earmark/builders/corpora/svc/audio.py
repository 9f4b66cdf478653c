"""Whether a WAV file of SVC may be used: its rate and number of channels are not published, so that none is asked for."""

from __future__ import annotations

from pathlib import Path

from earmark.builders.corpora.wav_header import FLOAT, PCM, NotWav, WavHeader, read_wav_header

USABLE = "a whole WAV file of PCM or float samples"
"""What would be right, for findings."""


def usable_header(path: Path) -> WavHeader | str:
    """Read a file's header.

    Args:
        path: The file.

    Returns:
        The header; or, where the file is no WAV file, breaks off, holds no sample or is compressed, a phrase that says so.
    """
    try:
        header = read_wav_header(path)
    except NotWav as error:
        return f"no WAV file: {error}"
    except OSError as error:
        return error.strerror or type(error).__name__
    if header.format not in {PCM, FLOAT}:
        return f"{header.format_name} samples"
    if header.frames < header.promised:
        return f"{header.frames} of the {header.promised} samples that its header promises"
    return header if header.frames else "no sample"
