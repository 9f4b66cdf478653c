"""`[voice]` of a recipe of dialogues: who speaks, and in which voices."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import msgspec

from earmark.builders.dialogues.speakers.casting import Pools
from earmark.builders.dialogues.speakers.offline import JOBS, OfflineSpeaker
from earmark.builders.dialogues.speakers.offline_voices import OFFLINE_POOLS, VOICES
from earmark.builders.dialogues.speakers.openai import OPENAI_POOLS, OpenAISpeaker
from earmark.builders.ledger.ledger import CONCURRENCY
from earmark.builders.providers.client import ServerSection
from earmark.builders.providers.openai_speech import SpeechSection
from earmark.builders.providers.speech_checks import Form, SpeechChecks

if TYPE_CHECKING:
    from earmark.builders.ledger.ledger import Ledger
    from earmark.builders.providers.client import Client

OFFLINE: Literal["offline"] = "offline"
OPENAI: Literal["openai"] = "openai"


class VoiceSection(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[voice]`: who speaks.

    Args:
        provider: offline, which costs nothing; or openai, any server that speaks its protocol.
        server: Where the server is; of no use offline.
        model: Its model, best with its date; needed of a server, and unknown offline.
        form: Form of the audio that is asked of a server.
        pools: The voices for women, men and non-binary people; the provider's usual ones without.
        checks: What is refused of a server's audio.

    Raises:
        ValueError: A server has no model, offline has one, or there is no such offline voice.
    """

    provider: Literal["offline", "openai"] = OFFLINE
    server: ServerSection = ServerSection()
    model: str | None = None
    form: Form = Form.WAV
    pools: Pools | None = None
    checks: SpeechChecks = SpeechChecks()

    def __post_init__(self) -> None:
        if self.provider == OPENAI:
            if self.model is None or not self.model.strip():
                raise ValueError("provider 'openai' needs a model, such as \"gpt-4o-mini-tts-2025-03-20\"")
            return
        if self.model is not None:
            raise ValueError(f"provider 'offline' has no models, and model is {self.model!r}")
        if unknown := [voice for voice in self.cast_from.voices if voice not in VOICES]:
            raise ValueError(f"no offline voices: {', '.join(unknown)}; they are {', '.join(VOICES)}")

    @property
    def online(self) -> bool:
        """Whether a server is asked, and paid."""
        return self.provider == OPENAI

    @property
    def cast_from(self) -> Pools:
        """The voices for each gender."""
        return self.pools or (OPENAI_POOLS if self.provider == OPENAI else OFFLINE_POOLS)

    @property
    def speech(self) -> SpeechSection:
        """What is asked of a server.

        Raises:
            ValueError: There is none.
        """
        return SpeechSection(model=self.model or "", form=self.form, checks=self.checks)

    def offline_speaker(self, jobs: int = JOBS) -> OfflineSpeaker:
        """The speaker of a recipe that asks no server.

        Args:
            jobs: Processes at a time.
        """
        return OfflineSpeaker(self.cast_from, jobs=jobs)

    def openai_speaker(self, client: Client, ledger: Ledger, *, workers: int = CONCURRENCY) -> OpenAISpeaker:
        """The speaker of a recipe that asks a server.

        Args:
            client: The server, as `server` says.
            ledger: Where its calls are written down.
            workers: Lines under way at a time.
        """
        return OpenAISpeaker(client, ledger, self.speech, self.cast_from, workers=workers)
