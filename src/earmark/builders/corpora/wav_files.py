"""WAV files of speech corpora: found by stem in whatever folder they lie, and their headers held to the corpus's form.

What can be wrong with a file is the same in every corpus, but a reader's codes carry its corpus's name, so each reader declares
its own set.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from earmark.builders.corpora.wav_header import PCM, NotWav, WavHeader, read_wav_header
from earmark.manifests.findings import Code, Findings, Severity, declare


class WavCodes(NamedTuple):
    """Findings about files; those of severity error mean that the file is not used.

    Attributes:
        folder: a folder cannot be listed.
        companion: a file that a Mac puts beside another one, `._name`.
        unreadable: no WAV file.
        format: not integer PCM.
        channels: another number of channels.
        rate: another rate than the corpus was published at.
        truncated: fewer samples than the header promises.
        empty: no sample.
    """

    folder: Code
    companion: Code
    unreadable: Code
    format: Code
    channels: Code
    rate: Code
    truncated: Code
    empty: Code


def declare_wav_codes(corpus: str) -> WavCodes:
    """Declare the codes of one corpus, `<corpus>.unreadable-audio` and so on."""
    error = Severity.ERROR
    return WavCodes(
        declare(f"{corpus}.unreadable-folder", error, "the folder cannot be listed"),
        declare(f"{corpus}.companion-file", Severity.NOTE, "a Mac's companion of a file, no audio; passed over"),
        declare(f"{corpus}.unreadable-audio", error, "the file is no WAV file whose samples can be counted; dropped"),
        declare(f"{corpus}.not-pcm", error, "the file does not hold integer PCM; dropped"),
        declare(f"{corpus}.channels", error, "the file has another number of channels than it should; dropped"),
        declare(f"{corpus}.rate", Severity.WARNING, "the file has not the rate that the corpus was published at; kept"),
        declare(f"{corpus}.truncated", error, "the file holds fewer samples than its header promises; dropped"),
        declare(f"{corpus}.empty-audio", error, "the file holds no sample; dropped"),
    )


def find_wavs(root: Path, folder: str, depth: int, codes: WavCodes, findings: Findings) -> dict[str, list[str]]:
    """Find WAV files.

    Args:
        root: The corpus's folder.
        folder: POSIX path of the folder to look in, relative to it; an absent one holds nothing.
        depth: How many folders below it are entered at most.
        codes: The corpus's codes.
        findings: What is wrong is added to them.

    Returns:
        POSIX paths relative to the root, ascending, by stem, ascending.
    """
    found: dict[str, list[str]] = defaultdict(list)
    if (root / folder).is_dir():
        for path in _walk(root, folder, depth, codes, findings):
            name = path.rpartition("/")[2]
            if name.startswith("._"):
                findings.add(codes.companion, file=path)
            else:
                found[name.removesuffix(".wav")].append(path)
    return {stem: sorted(found[stem]) for stem in sorted(found)}


def read_checked_header(
    root: Path, path: str, codes: WavCodes, findings: Findings, *, id: str, channels: int, rate: int
) -> WavHeader | None:
    """Read a header and hold it to the corpus's form; None, and findings, if the file is of no use.

    Args:
        root: The corpus's folder.
        path: The file, POSIX, relative to it.
        codes: The corpus's codes.
        findings: What is wrong is added to them.
        id: The corpus's id of the recording.
        channels: How many channels it must have.
        rate: The rate that the corpus was published at, Hz; another one is a warning.
    """
    try:
        header = read_wav_header(root / path)
    except (NotWav, OSError) as error:
        said = (error.strerror or type(error).__name__) if isinstance(error, OSError) else str(error)
        findings.add(codes.unreadable, file=path, id=id, found=said, expected=f"PCM, {rate} Hz")
        return None
    wrong: list[tuple[Code, str, str]] = []
    if header.format != PCM:
        wrong.append((codes.format, header.format_name, "PCM"))
    if header.channels != channels:
        wrong.append((codes.channels, f"{header.channels}", f"{channels}"))
    if header.frames < header.promised:
        wrong.append((codes.truncated, f"{header.frames} samples", f"{header.promised} samples"))
    elif not header.frames:
        wrong.append((codes.empty, "0 samples", "at least one"))
    if header.rate != rate:
        findings.add(codes.rate, file=path, id=id, found=f"{header.rate} Hz", expected=f"{rate} Hz")
    for code, found, expected in wrong:
        findings.add(code, file=path, id=id, found=found, expected=expected)
    return None if wrong else header


def _walk(root: Path, folder: str, depth: int, codes: WavCodes, findings: Findings) -> Iterator[str]:
    folders: list[str] = []
    try:
        with os.scandir(root / folder) as entries:
            for entry in entries:
                path = f"{folder}/{entry.name}"
                try:
                    if entry.is_dir():
                        folders.append(path)
                    elif entry.name.endswith(".wav") and entry.is_file():
                        yield path
                except OSError as error:  # a link to itself, which hides none of the files beside it
                    findings.add(codes.unreadable, file=path, found=error.strerror or type(error).__name__)
    except OSError as error:
        findings.add(codes.folder, file=folder, found=error.strerror or type(error).__name__)
    for inner in folders if depth else ():
        yield from _walk(root, inner, depth - 1, codes, findings)
