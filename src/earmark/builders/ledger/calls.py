"""A paid call: what is asked, for which place of a build, what came back, and how it can fail to come back."""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from earmark.manifests.canonical import Json, canonical_json
from earmark.manifests.errors import EarmarkError

_KEY_BYTES = 32
_PERSON = b"earmark-call/1"


@dataclass(frozen=True)
class Place:
    """What of a build a call is for.

    Args:
        dialogue: The dialogue.
        turn: Turn of it, counted from 1; None where the call is for the whole of it.
        option: Option or candidate of the turn, counted from 1; None where the turn has one.
        attempt: Number of the attempt, counted from 0: a regeneration is a new call.

    Raises:
        ValueError: If a number is out of its range.
    """

    dialogue: str
    turn: int | None = None
    option: int | None = None
    attempt: int = 0

    def __post_init__(self) -> None:
        for name, value, least in (("turn", self.turn, 1), ("option", self.option, 1), ("attempt", self.attempt, 0)):
            if value is not None and value < least:
                raise ValueError(f"{name} {value} must be at least {least}")


@dataclass(frozen=True, kw_only=True)
class CallRequest:
    """One call of a provider. Two requests that are equal are one call, which is paid once.

    Args:
        provider: Address of the server, or a name that stands for it.
        endpoint: What of it is called, such as "chat/completions".
        body: What is sent, as JSON; it names the model.
        place: What of the build it is for.
        stage: Stage of the build, for people; no part of the key.

    Raises:
        ValueError: If the body names no model or has no canonical form.
    """

    provider: str
    endpoint: str
    body: Mapping[str, Json]
    place: Place
    stage: str = ""

    def __post_init__(self) -> None:
        if not isinstance(self.body.get("model"), str) or not self.body["model"]:
            raise ValueError("a request names its model")
        _ = self.written

    @property
    def model(self) -> str:
        """The model that the body names."""
        return str(self.body["model"])

    @cached_property
    def written(self) -> bytes:
        """The body in its one spelling."""
        return canonical_json(self.body)

    @cached_property
    def key(self) -> str:
        """64 hex digits of BLAKE2b over the canonical JSON of request, dialogue, turn, option and attempt."""
        at = self.place
        place = canonical_json([self.provider, self.endpoint, at.dialogue, at.turn, at.option, at.attempt])
        digest = hashlib.blake2b(place, digest_size=_KEY_BYTES, person=_PERSON)
        digest.update(b"\n")  # canonical JSON has no line break, so that no two parts can run together
        digest.update(self.written)
        return digest.hexdigest()


@dataclass(frozen=True, kw_only=True)
class Usage:
    """What a provider charges for; None where it is not known.

    Args:
        input_tokens: Tokens read.
        output_tokens: Tokens written, those of hidden reasoning among them.
        characters: Characters spoken.
        seconds: Audio made, s.
    """

    input_tokens: int | None = None
    output_tokens: int | None = None
    characters: int | None = None
    seconds: float | None = None


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What a provider sent back, as it came.

    Args:
        data: The body's bytes.
        form: Its media type.
        usage: What is charged for.
        model: The model that says it answered.
        id: The provider's own id of the call, to be named to its support.
    """

    data: bytes
    form: str
    usage: Usage = Usage()
    model: str | None = None
    id: str | None = None


@dataclass(frozen=True, kw_only=True)
class Recorded:
    """An answer that is in the ledger.

    Args:
        key: The call's key.
        answer: What came back.
        cost: Price in billionths of a US dollar; None where the model has no price.
        bounded: Whether the cost is an upper bound, for the provider did not say what it charges for.
        latency_s: From sending to the whole answer, s, of the try that was answered.
        tries: How often the call was sent.
        replayed: Whether it was in the ledger already, so that nothing was sent or paid.
    """

    key: str
    answer: Answer
    cost: int | None
    bounded: bool
    latency_s: float
    tries: int
    replayed: bool


class Unanswered(EarmarkError):
    """A call to which no whole answer came.

    Args:
        reason: What happened, for people.
        again: Whether the same call may be answered if it is sent again.
        billed: Whether the provider may charge for it all the same.
        status: The server's status, if it sent one.
        wait_s: How long the server asks to wait, s, if it does.
    """

    def __init__(
        self,
        reason: str,
        *,
        again: bool = False,
        billed: bool = False,
        status: int | None = None,
        wait_s: float | None = None,
    ) -> None:
        super().__init__(reason)
        self.reason, self.again, self.billed, self.status, self.wait_s = reason, again, billed, status, wait_s


class KeyRefused(Unanswered):
    """The provider does not take the API key: no other call would be answered either."""


class UnknownModel(Unanswered):
    """The provider does not know the model."""


class NoCredit(Unanswered):
    """The account has nothing left to pay with."""


class RequestRefused(Unanswered):
    """The server will not do what this call asks for; another call may well be answered."""


class GaveUp(Unanswered):
    """A call was sent as often as the recipe allows, and never answered."""


Send: TypeAlias = Callable[[CallRequest], Awaitable[Answer]]
"""Sends a call once and gives the whole answer; raises `Unanswered` where none came."""
