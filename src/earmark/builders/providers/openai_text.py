"""Text by chat completions with structured outputs: an answer becomes a record, or a rejection that says why it cannot.

What is recorded is the body as it came; what it says is read from there, so that a replay is read anew.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Generic, TypeAlias, TypeVar

import msgspec

from earmark.builders.ledger.calls import Answer, CallRequest, Place, Recorded, Usage
from earmark.builders.providers.client import CHAT, Client
from earmark.builders.providers.shapes import strict_schema
from earmark.manifests.canonical import Json
from earmark.manifests.strict import NotStrictJson, strict_json

if TYPE_CHECKING:
    from earmark.builders.ledger.ledger import Ledger

ShapeT = TypeVar("ShapeT", bound=msgspec.Struct)

_MOST_SAID = 300
_MOST_TOKENS = 10**9  # no call has more; a larger count is a server's slip, and none that a bill could rest on


class TextSection(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[text]`: the model that writes, and how.

    Args:
        model: Its id, best with its date.
        seed: Seed that is sent; None where the model takes none.
        temperature: 0 to 2; None for the model's own, as reasoning models want it.
        most_tokens: Most tokens of an answer, hidden reasoning included; also bounds its cost.

    Raises:
        ValueError: If a value is out of its range.
    """

    model: str
    seed: int | None = None
    temperature: float | None = None
    most_tokens: int = 4096

    def __post_init__(self) -> None:
        if not self.model.strip():
            raise ValueError("a model id is needed")
        if self.temperature is not None and not 0 <= self.temperature <= 2:
            raise ValueError(f"temperature {self.temperature} must be in 0 … 2")
        if self.most_tokens < 1:
            raise ValueError(f"most_tokens {self.most_tokens} must be at least 1")


class TextFlaw(StrEnum):
    """Why an answer is no record."""

    REFUSED = "refused"
    """The model declined."""

    FILTERED = "filtered"
    """The provider's filter withheld it."""

    CUT_SHORT = "cut short"
    """It is longer than `most_tokens`."""

    EMPTY = "empty"
    """It says nothing."""

    NOT_JSON = "not JSON"
    """It is no JSON, or JSON that two readers could read differently."""

    WRONG_SHAPE = "wrong shape"
    """It is JSON, and not of the schema."""

    NO_COMPLETION = "no completion"
    """The body breaks off, or is something else than a chat completion."""


@dataclass(frozen=True)
class Prompt:
    """What is asked.

    Args:
        system: Instructions; none where empty.
        user: The task.
    """

    system: str
    user: str

    @property
    def messages(self) -> list[Json]:
        """As messages of a chat."""
        turns = (("system", self.system), ("user", self.user))
        return [{"role": role, "content": text} for role, text in turns if text]


@dataclass(frozen=True)
class Said(Generic[ShapeT]):
    """An answer that is what was asked for.

    Args:
        value: The record.
        text: The answer itself.
        recorded: Its entry in the ledger.
    """

    value: ShapeT
    text: str
    recorded: Recorded


@dataclass(frozen=True)
class TextRejected:
    """An answer that cannot be used; it is paid all the same.

    Args:
        flaw: What kind of thing is wrong with it.
        detail: What exactly, for people and to be fed back.
        recorded: Its entry in the ledger.
    """

    flaw: TextFlaw
    detail: str
    recorded: Recorded


TextOutcome: TypeAlias = Said[ShapeT] | TextRejected
"""What comes of a question."""


class _Message(msgspec.Struct, frozen=True):
    content: str | None = None
    refusal: str | None = None


class _Choice(msgspec.Struct, frozen=True):
    message: _Message
    finish_reason: str | None = None


class _Used(msgspec.Struct, frozen=True):
    prompt_tokens: int | None = None
    completion_tokens: int | None = None


class _Completion(msgspec.Struct, frozen=True):
    choices: list[_Choice]
    model: str | None = None
    usage: _Used | None = None


class OpenAIText:
    """A model that writes.

    Args:
        client: Its server.
        section: Which model, and how.
    """

    def __init__(self, client: Client, section: TextSection) -> None:
        self._client, self._section = client, section

    def request(self, prompt: Prompt, shape: type[msgspec.Struct], place: Place, *, stage: str = "") -> CallRequest:
        """The call that asks for a record; also what a dry run prices.

        Args:
            prompt: What is asked.
            shape: The record, see `strict_schema`.
            place: What of the build it is for.
            stage: Stage of the build.
        """
        name = re.sub(r"[^A-Za-z0-9_-]", "_", shape.__name__)[:64]
        schema: Json = {"name": name, "strict": True, "schema": strict_schema(shape)}
        body: dict[str, Json] = {
            "model": self._section.model,
            "messages": prompt.messages,
            "response_format": {"type": "json_schema", "json_schema": schema},
            "max_completion_tokens": self._section.most_tokens,
        }
        if self._section.seed is not None:
            body["seed"] = self._section.seed
        if self._section.temperature is not None:
            body["temperature"] = self._section.temperature
        return CallRequest(provider=self._client.address, endpoint=CHAT, body=body, place=place, stage=stage)

    async def ask(self, ledger: Ledger, request: CallRequest, shape: type[ShapeT]) -> TextOutcome[ShapeT]:
        """The answer to a call, from the ledger or from the model.

        Raises:
            EarmarkError: See `Ledger.call`.
        """
        recorded = await ledger.call(request, self._send)
        return read_answer(recorded, shape)

    async def _send(self, request: CallRequest) -> Answer:
        sent = await self._client.post(request.endpoint, request.body)
        try:
            completion = msgspec.json.decode(sent.data, type=_Completion)
        except (msgspec.DecodeError, UnicodeDecodeError):
            return Answer(data=sent.data, form=sent.form, id=sent.id)
        used = completion.usage or _Used()
        usage = Usage(input_tokens=_count(used.prompt_tokens), output_tokens=_count(used.completion_tokens))
        return Answer(data=sent.data, form=sent.form, usage=usage, model=completion.model, id=sent.id)


def read_answer(recorded: Recorded, shape: type[ShapeT]) -> TextOutcome[ShapeT]:
    """What a recorded body says.

    Args:
        recorded: The answer as it came.
        shape: The record that it should be.
    """
    found = _content(recorded.answer.data)
    if not isinstance(found, str):
        return TextRejected(*found, recorded)
    try:
        value = msgspec.convert(strict_json(found.encode()), shape)
    except NotStrictJson as error:
        return TextRejected(TextFlaw.NOT_JSON, f"{error}: {_cut(found)}", recorded)
    except msgspec.ValidationError as error:
        return TextRejected(TextFlaw.WRONG_SHAPE, str(error), recorded)
    return Said(value, found, recorded)


def _content(data: bytes) -> str | tuple[TextFlaw, str]:
    try:
        completion = msgspec.json.decode(data, type=_Completion)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        return TextFlaw.NO_COMPLETION, f"{error}: {_cut(data[: 4 * _MOST_SAID].decode(errors='replace'))}"
    if not completion.choices:
        return TextFlaw.NO_COMPLETION, "the list of choices is empty"
    choice = completion.choices[0]
    if choice.message.refusal:
        return TextFlaw.REFUSED, _cut(choice.message.refusal)
    if choice.finish_reason == "content_filter":
        return TextFlaw.FILTERED, "the provider's filter withheld the answer"
    if choice.finish_reason == "length":
        return TextFlaw.CUT_SHORT, f"the answer is longer than most_tokens: {_cut(choice.message.content or '')}"
    if not (choice.message.content or "").strip():
        return TextFlaw.EMPTY, "the answer says nothing"
    return choice.message.content or ""


def _count(said: int | None) -> int | None:
    return said if said is not None and 0 <= said <= _MOST_TOKENS else None


def _cut(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _MOST_SAID else f"{line[:_MOST_SAID]}…"
