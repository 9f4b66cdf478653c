"""The speaker that a provider is: each line one paid call, and only what can be used as speech becomes a file."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from earmark.builders.dialogues.jobs import run_all
from earmark.builders.dialogues.makers import LineToSpeak, SpokenLine, Unspoken
from earmark.builders.dialogues.records import RENDERINGS
from earmark.builders.dialogues.speakers.casting import Pools, cast_by_name
from earmark.builders.dialogues.speakers.clip_files import write_whole
from earmark.builders.ledger.calls import CallRequest, Place, RequestRefused
from earmark.builders.ledger.ledger import CONCURRENCY
from earmark.builders.providers.openai_speech import OpenAISpeech, SpeechRejected, SpeechSection
from earmark.manifests.attempts import OPTIONS
from earmark.manifests.errors import EarmarkError

if TYPE_CHECKING:
    from earmark.builders.dialogues.records import Dialogue
    from earmark.builders.ledger.ledger import Ledger
    from earmark.builders.providers.client import Client

OPENAI_POOLS = Pools(
    female=("alloy", "coral", "nova", "sage", "shimmer"),
    male=("ash", "ballad", "echo", "fable", "onyx", "verse"),
    nonbinary=(
        "alloy",
        "ash",
        "ballad",
        "coral",
        "echo",
        "fable",
        "nova",
        "onyx",
        "sage",
        "shimmer",
        "verse",
    ),
)
"""The eleven voices of gpt-4o-mini-tts that SpeechEQ used, women's and men's as there; non-binary people have all of them."""

STAGE = "speech"
"""What the ledger calls these calls."""


MOST_MUTE = 3 * len(RENDERINGS)
"""Lines that are paid for in one run although nothing has been spoken in it yet."""


class NothingSpoken(EarmarkError):
    """A server that says nothing at all is asked wrongly, or is none."""


class OpenAISpeaker:
    """Voices of a server that speaks the OpenAI protocol.

    Args:
        client: The server.
        ledger: Where every call is written down before it is sent; a line that was paid for is not paid for again.
        section: Which model, in which form, and what is refused.
        pools: The provider's voices for each gender.
        workers: Lines under way at a time; the ledger's own limit holds besides.
    """

    def __init__(
        self,
        client: Client,
        ledger: Ledger,
        section: SpeechSection,
        pools: Pools = OPENAI_POOLS,
        *,
        workers: int = CONCURRENCY,
    ) -> None:
        self._speech, self._ledger, self._section = OpenAISpeech(client, section), ledger, section
        self._address, self._pools, self._workers = client.address, pools, workers
        self._speaks, self._mute = False, list[str]()  # whether a line was spoken; why those asked for now were not

    @property
    def provider(self) -> str:
        """Address of the server."""
        return self._address

    @property
    def model(self) -> str:
        """Id of the model."""
        return self._section.model

    def cast(self, dialogue: Dialogue) -> tuple[str, str]:
        """The voices of the first and the second speaker; both options of a turn are the second's."""
        return cast_by_name(dialogue, self._pools)

    async def speak(self, lines: Sequence[LineToSpeak], folder: Path) -> Sequence[SpokenLine | Unspoken]:
        """Speak lines into files of a folder, in the provider's own bytes.

        Args:
            lines: No two for one file.
            folder: Made where it is missing.

        Returns:
            One entry for each line, in their order; unspoken is what came back and is no speech, which is paid all the same, and
            what the server refuses to say.

        Raises:
            NothingSpoken: Of a whole dialogue, or of as many lines as `MOST_MUTE`, none came to anything: silence, say. What is
                recorded already does not count, so that the next run goes on with further attempts once the server is mended.
            EarmarkError: See `Ledger.call`; or a file cannot be written.
            ValueError: A line has no text or no voice.
        """
        jobs = [partial(self._speak, line, request, folder) for line, request in self._requests(lines)]
        spoken = await run_all(jobs, workers=self._workers)
        if len(lines) >= len(RENDERINGS) and self._mute and not self._speaks:
            raise self._nothing()
        return spoken

    def planned(self, lines: Sequence[LineToSpeak]) -> Sequence[CallRequest]:
        """The calls that lines take; nothing is sent."""
        return [request for _, request in self._requests(lines)]

    def _requests(self, lines: Sequence[LineToSpeak]) -> list[tuple[LineToSpeak, CallRequest]]:
        return [
            (line, self._speech.request(line.text, line.voice, line.tone, place_of(line), stage=STAGE))
            for line in lines
        ]

    async def _speak(self, line: LineToSpeak, request: CallRequest, folder: Path) -> SpokenLine | Unspoken:
        try:
            outcome = await self._speech.speak(self._ledger, request)
        except RequestRefused as error:
            return self._unspoken(f"refused: {error.reason}", replayed=False)
        if isinstance(outcome, SpeechRejected):
            return self._unspoken(f"{outcome.flaw}: {outcome.detail}", replayed=outcome.recorded.replayed)
        self._speaks = True
        name = str(PurePosixPath(line.filename).with_suffix(f".{outcome.form}"))
        try:
            found = write_whole(folder / name, outcome.data)
        except OSError as error:
            raise EarmarkError(f"cannot write {folder / name}: {error.strerror or error}") from error
        return SpokenLine(name, found, None)

    def _unspoken(self, reason: str, *, replayed: bool) -> Unspoken:
        if not replayed:
            self._mute.append(reason)
            if len(self._mute) >= MOST_MUTE and not self._speaks:
                raise self._nothing()
        return Unspoken(reason)

    def _nothing(self) -> NothingSpoken:
        return NothingSpoken(
            f"{self._address} spoke none of {len(self._mute)} lines; of the first it says {self._mute[0]}; what it sent is"
            " recorded, and another run asks for further attempts"
        )


def place_of(line: LineToSpeak) -> Place:
    """Where in a build a line is spoken: options are counted from 1, and a context turn has none."""
    option = OPTIONS.index(line.option) + 1 if line.option in OPTIONS else None
    return Place(line.dialogue, line.turn, option, line.attempt)
