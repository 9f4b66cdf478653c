"""The offline voice: eSpeak NG, with rate, pitch, range and level of one's choice, spoken in fresh child processes.

A *script* is an ordered list of utterances that one child speaks; the same script gives the same samples, bit for bit,
on one platform. Two scripts know nothing of each other. The engine is GPL-3 and comes with the extra `voice`; a pipe lies
between it and Earmark.
"""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec
import numpy as np

from earmark.manifests.errors import EarmarkError, MissingExtra

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

_WORKER = Path(__file__).with_name("espeak_worker.py")
_RANGES = {"rate": (80, 450), "pitch": (0, 99), "range": (0, 100), "volume": (0, 200), "word_gap": (0, 500)}


class VoiceFailed(EarmarkError):
    """A child process could not speak its script: it refused, crashed, ran out of time, or answered with something else."""


@dataclass(frozen=True, slots=True)
class Utterance:
    """What is to be said, and how.

    Attributes:
        text: plain text; punctuation makes the engine pause.
        voice: a language and, after "+", a variant, such as "en-us+f3".
        rate: words per minute, 80 to 450.
        pitch: base pitch, 0 to 99; 50 is the voice's own.
        range: how far the pitch moves, 0 (monotone) to 100; 50 is the voice's own.
        volume: amplitude, 0 to 200, linear; 100 is the voice's own.
        word_gap: pause between words on top of the engine's own, in units of 10 ms at the voice's own rate, 0 to 500.

    Raises:
        ValueError: a value is out of its range, or there is no text.
    """

    text: str
    voice: str = "en-us"
    rate: int = 175
    pitch: int = 50
    range: int = 50
    volume: int = 100
    word_gap: int = 0

    def __post_init__(self) -> None:
        if not self.text.strip() or "\0" in self.text:
            raise ValueError(f"an utterance needs text, not {self.text!r}")
        for name, (low, high) in _RANGES.items():
            if not low <= getattr(self, name) <= high:
                raise ValueError(f"{name} is {low} to {high}, not {getattr(self, name)}")


class SpokenWord(NamedTuple):
    """A word as the engine met it.

    Attributes:
        start: offset of its first character in the text.
        length: its number of characters.
        sample: the sample at which it begins, at the rate of its speech.
    """

    start: int
    length: int
    sample: int


class Speech(NamedTuple):
    """One utterance, spoken.

    Attributes:
        samples: one channel, int16, shape (n,).
        rate: sampling rate, Hz; 22,050 for every voice of eSpeak NG but MBROLA's.
        words: in the order in which they are spoken.
        engine: name and version, such as "eSpeak NG 1.52.0".
    """

    samples: NDArray[np.int16]
    rate: int
    words: tuple[SpokenWord, ...]
    engine: str


class _Spoken(msgspec.Struct):
    samples: int
    words: list[tuple[int, int, int]]


class _Heading(msgspec.Struct):
    rate: int
    engine: str
    spoken: list[_Spoken]


def render_script(script: Sequence[Utterance], *, timeout: float = 120.0) -> list[Speech]:
    """Speak one script in a fresh child process.

    Args:
        script: utterances in the order in which they are spoken; the samples of one depend on those before it.
        timeout: seconds after which the child is ended.

    Returns:
        One speech for each utterance.

    Raises:
        VoiceFailed: the child refused, crashed or ran out of time; the message says which and why.
        MissingExtra: the voice is not installed.
    """
    if find_spec("espeakng_loader") is None:
        raise MissingExtra("voice", "espeakng-loader")
    if not script:
        return []
    try:
        child = subprocess.run(  # noqa: S603  our own interpreter and our own file
            [sys.executable, "-P", str(_WORKER)],
            input=msgspec.json.encode(script),
            capture_output=True,
            timeout=timeout,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise VoiceFailed(f"the voice did not finish {_named(script)} in {timeout:g} s") from error
    except OSError as error:
        raise VoiceFailed(f"the voice's process does not start ({error})") from error
    if child.returncode != 0:
        said = child.stderr.decode(errors="replace").strip().splitlines()
        raise VoiceFailed(
            f"the voice ended with {child.returncode} at {_named(script)}: {said[-1] if said else 'it said nothing'}"
        )
    return _speeches(script, child.stdout)


def render_scripts(
    scripts: Sequence[Sequence[Utterance]], jobs: int = 1, *, timeout: float = 120.0
) -> list[list[Speech]]:
    """Speak many scripts, several child processes at a time; the result does not depend on how many.

    Args:
        scripts: each is spoken by its own child.
        jobs: children at a time, >= 1.
        timeout: seconds for each script.

    Returns:
        The speeches of each script, in the order given.

    Raises:
        VoiceFailed: as `render_script`, for the first script that fails; those not yet begun are not spoken.
        ValueError: jobs is less than 1.
    """
    if jobs < 1:
        raise ValueError(f"jobs is at least 1, not {jobs}")
    with ThreadPoolExecutor(jobs) as pool:
        try:
            return list(pool.map(lambda script: render_script(script, timeout=timeout), scripts))
        except EarmarkError:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _speeches(script: Sequence[Utterance], output: bytes) -> list[Speech]:
    line, _, pcm = output.partition(b"\n")
    try:
        heading = msgspec.json.decode(line, type=_Heading)
        samples = np.frombuffer(pcm, dtype=np.int16)
    except (msgspec.MsgspecError, ValueError) as error:
        raise VoiceFailed(f"the voice's answer to {_named(script)} is not readable ({error})") from error
    counts = [spoken.samples for spoken in heading.spoken]
    if len(counts) != len(script) or sum(counts) != len(samples):
        raise VoiceFailed(f"the voice's answer to {_named(script)} is not whole")
    pieces = np.split(samples, np.cumsum(counts)[:-1])
    return [
        Speech(piece, heading.rate, tuple(SpokenWord(*word) for word in spoken.words), heading.engine)
        for piece, spoken in zip(pieces, heading.spoken, strict=True)
    ]


def _named(script: Sequence[Utterance]) -> str:
    return f"a script of {len(script)} utterances that begins {script[0].text[:40]!r}"
