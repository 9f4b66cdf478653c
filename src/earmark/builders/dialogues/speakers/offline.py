"""The offline speaker: eSpeak NG in a process of its own for each line, so that a line sounds the same in whatever company."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from earmark.builders.dialogues.makers import LineToSpeak, SpokenLine, Unspoken
from earmark.builders.dialogues.records import Dialogue
from earmark.builders.dialogues.speakers.casting import Pools, cast_by_name
from earmark.builders.dialogues.speakers.clip_files import keep, kept, wav_bytes
from earmark.builders.dialogues.speakers.offline_voices import OFFLINE_POOLS, VOICES
from earmark.builders.dialogues.speakers.rendering import RATE, engine_version, rendering_of
from earmark.builders.ledger.calls import CallRequest
from earmark.builders.voices.espeak import VoiceFailed
from earmark.builders.voices.lexicon import lexicon
from earmark.builders.voices.shaping import VERSION
from earmark.manifests.errors import EarmarkError

PROVIDER = "offline"
"""What stands where a server's address would."""

JOBS = 2
"""Processes at a time, unless another number is asked for."""

_STOPPED = Unspoken("it was stopped")  # nobody hears of it: whoever waited was cancelled


class OfflineSpeaker:
    """Voices that need no server.

    Args:
        pools: Names of `offline_voices.VOICES` for each gender.
        jobs: Processes at a time, at least 1; the clips do not depend on it.

    Raises:
        ValueError: There is no such voice, or fewer than one job.
    """

    def __init__(self, pools: Pools = OFFLINE_POOLS, *, jobs: int = JOBS) -> None:
        if unknown := [voice for voice in pools.voices if voice not in VOICES]:
            raise ValueError(f"no offline voices: {', '.join(unknown)}; they are {', '.join(VOICES)}")
        if jobs < 1:
            raise ValueError(f"jobs is at least 1, not {jobs}")
        self._pools, self._jobs = pools, jobs

    @property
    def provider(self) -> str:
        """Stands for a server's address."""
        return PROVIDER

    @property
    def model(self) -> str:
        """The engine, the lexicon and what is done to samples, each with its version."""
        return f"eSpeak NG ({engine_version()}), {lexicon().version}, {VERSION}"

    def cast(self, dialogue: Dialogue) -> tuple[str, str]:
        """The voices of the first and the second speaker."""
        return cast_by_name(dialogue, self._pools)

    async def speak(self, lines: Sequence[LineToSpeak], folder: Path) -> Sequence[SpokenLine | Unspoken]:
        """Speak lines into files of a folder; a line that lies there already, made of just the same, is not spoken again.

        Args:
            lines: No two for one file.
            folder: Made where it is missing.

        Returns:
            One entry for each line, in their order.

        Raises:
            MissingExtra: The voice is not installed.
            EarmarkError: A file cannot be written.
            ValueError: Two lines are for one file, or there is no such voice.
        """
        names = [line.filename for line in lines]
        if len(set(names)) < len(names):
            twice = sorted({name for name in names if names.count(name) > 1})
            raise ValueError(f"two lines for one file: {', '.join(twice)}")
        stopped = threading.Event()
        try:
            return await asyncio.to_thread(self._speak_all, lines, folder, stopped)
        finally:
            stopped.set()  # a thread cannot be cancelled, and the program would wait for all its lines

    def planned(self, lines: Sequence[LineToSpeak]) -> Sequence[CallRequest]:  # noqa: ARG002  nothing is paid for
        """No calls."""
        return ()

    def _speak_all(
        self, lines: Sequence[LineToSpeak], folder: Path, stopped: threading.Event
    ) -> list[SpokenLine | Unspoken]:
        """Threads are enough: each waits for its child process, and NumPy lets the others run meanwhile."""
        with ThreadPoolExecutor(self._jobs) as pool:
            try:
                return list(pool.map(lambda line: _STOPPED if stopped.is_set() else _speak(line, folder), lines))
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise


def _speak(line: LineToSpeak, folder: Path) -> SpokenLine | Unspoken:
    if not line.text.strip() or "\0" in line.text:
        return Unspoken(f"there is nothing to say in {line.text!r}")
    rendering, path = rendering_of(line), folder / line.filename
    found = kept(path, rendering.key)
    if found is None:
        try:
            samples = rendering.render()
        except VoiceFailed as error:
            return Unspoken(str(error))
        if samples is None:
            return Unspoken(f"nothing can be heard of {line.text!r}")
        try:
            found = keep(path, wav_bytes(samples, RATE), rendering.key)
        except OSError as error:
            raise EarmarkError(f"cannot write {path}: {error.strerror or error}") from error
    return SpokenLine(line.filename, found, line.seed)
