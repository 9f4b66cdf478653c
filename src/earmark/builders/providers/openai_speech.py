"""Speech by audio/speech: a line said in a voice as an instruction tells, checked before anybody listens to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import msgspec

from earmark.builders.ledger.calls import Answer, CallRequest, Place, Recorded, Usage
from earmark.builders.providers.client import SPEECH, Client
from earmark.builders.providers.speech_checks import (
    Form,
    Heard,
    SpeechChecks,
    SpeechFlaw,
    Unheard,
    check_speech,
)
from earmark.manifests.canonical import Json

if TYPE_CHECKING:
    from earmark.builders.ledger.ledger import Ledger


class SpeechSection(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[speech]`: the model that speaks.

    Args:
        model: Its id, best with its date.
        form: Form of the audio.
        checks: What is refused.

    Raises:
        ValueError: If there is no model id.
    """

    model: str
    form: Form = Form.WAV
    checks: SpeechChecks = SpeechChecks()

    def __post_init__(self) -> None:
        if not self.model.strip():
            raise ValueError("a model id is needed")


@dataclass(frozen=True)
class Spoken:
    """Audio that passed the checks.

    Args:
        data: The file's bytes, as they came.
        form: Its form.
        heard: What was measured.
        recorded: Its entry in the ledger.
    """

    data: bytes
    form: Form
    heard: Heard
    recorded: Recorded


@dataclass(frozen=True)
class SpeechRejected:
    """A body that cannot be used; it is paid all the same.

    Args:
        flaw: What kind of thing is wrong with it.
        detail: What exactly.
        recorded: Its entry in the ledger.
    """

    flaw: SpeechFlaw
    detail: str
    recorded: Recorded


SpeechOutcome: TypeAlias = Spoken | SpeechRejected
"""What comes of a line."""


class OpenAISpeech:
    """A model that speaks.

    Args:
        client: Its server.
        section: Which model, and what is refused.
    """

    def __init__(self, client: Client, section: SpeechSection) -> None:
        self._client, self._section = client, section

    def request(self, text: str, voice: str, instructions: str, place: Place, *, stage: str = "") -> CallRequest:
        """The call that has a line said; also what a dry run prices.

        Args:
            text: The line.
            voice: The provider's name of the voice.
            instructions: How it is to be said; left out where empty.
            place: What of the build it is for.
            stage: Stage of the build.

        Raises:
            ValueError: If there is no text or no voice.
        """
        if not text.strip() or not voice:
            raise ValueError(f"speech needs a text and a voice, not {text!r} and {voice!r}")
        body: dict[str, Json] = {
            "model": self._section.model,
            "input": text,
            "voice": voice,
            "response_format": str(self._section.form),
        }
        if instructions:
            body["instructions"] = instructions
        return CallRequest(provider=self._client.address, endpoint=SPEECH, body=body, place=place, stage=stage)

    async def speak(self, ledger: Ledger, request: CallRequest) -> SpeechOutcome:
        """The audio of a call, from the ledger or from the model.

        Raises:
            EarmarkError: See `Ledger.call`.
        """
        found: Heard | Unheard | None = None

        async def send(request: CallRequest) -> Answer:
            nonlocal found
            sent = await self._client.post(request.endpoint, request.body)
            found = check_speech(sent.data, self._section.form, self._section.checks)
            usage = Usage(characters=len(str(request.body["input"])), seconds=found.seconds)
            return Answer(data=sent.data, form=sent.form, usage=usage, id=sent.id)

        recorded = await ledger.call(request, send)
        data = recorded.answer.data
        found = found or check_speech(data, self._section.form, self._section.checks)
        if isinstance(found, Unheard):
            return SpeechRejected(found.flaw, found.detail, recorded)
        return Spoken(data, self._section.form, found, recorded)
