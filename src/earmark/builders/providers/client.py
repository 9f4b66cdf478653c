"""The `openai` client: one try at a time, whole bodies as they came, and one clear error where none came."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

import msgspec

from earmark.builders.ledger.calls import Unanswered
from earmark.builders.providers.failures import is_page, page, unanswered
from earmark.manifests.canonical import Json
from earmark.manifests.errors import EarmarkError, MissingExtra

if TYPE_CHECKING:
    from typing import Self

    from openai import AsyncOpenAI
    from openai.types.chat import ChatCompletionMessageParam

CHAT = "chat/completions"
"""Endpoint of text."""

SPEECH = "audio/speech"
"""Endpoint of speech."""


_NO_KEY = "none"


class KeyMissing(EarmarkError):
    """No API key is set, or none that a request can carry."""


class ServerSection(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where a provider is, and with which key it is called. The key itself stands in no file.

    Args:
        base_url: Address of a server that speaks the OpenAI protocol; `OPENAI_BASE_URL` or OpenAI itself without.
        key_variable: Environment variable that holds the API key.
        timeout_s: How long a whole answer may take, s.

    Raises:
        ValueError: If the timeout is out of its range.
    """

    base_url: str | None = None
    key_variable: str = "OPENAI_API_KEY"
    timeout_s: float = 120.0

    def __post_init__(self) -> None:
        if not 0 < self.timeout_s <= 86_400:
            raise ValueError(f"timeout_s {self.timeout_s} must be above 0 and at most 86400")
        if self.base_url is not None and not self.base_url.startswith(("http://", "https://")):
            raise ValueError(f"base_url {self.base_url!r} must begin with http:// or https://")


@dataclass(frozen=True)
class Sent:
    """A whole body, as it came.

    Args:
        data: Its bytes.
        form: Its media type.
        id: The provider's id of the call.
    """

    data: bytes
    form: str
    id: str | None


class Client:
    """The `openai` client of one server; an async context manager, used in one event loop.

    Args:
        server: Where it is.
        to_send: Whether anything is to be sent; a plan needs the address and no key.

    Raises:
        KeyMissing: If something is to be sent and the environment has no key.
        MissingExtra: If the package openai is not installed.
    """

    def __init__(self, server: ServerSection = ServerSection(), *, to_send: bool = True) -> None:  # noqa: B008 (frozen)
        self._server = server
        self._key = os.environ.get(server.key_variable, "").strip() or ("" if to_send else _NO_KEY)
        if not self._key:
            raise KeyMissing(
                f"the environment variable {server.key_variable} is not set: it must hold the API key of"
                f" {server.base_url or 'the provider'} (any word, for a server that asks for none)"
            )
        if not (self._key.isascii() and self._key.isprintable()):
            raise KeyMissing(
                f"the environment variable {server.key_variable} holds what can be no API key: a character that no"
                " header of a request may have; was more copied than the key?"
            )
        try:
            from openai import AsyncOpenAI
        except ImportError as error:
            raise MissingExtra("synthesis", "openai") from error
        # The ledger tries again, so that every try is written down.
        self._openai: AsyncOpenAI = AsyncOpenAI(
            api_key=self._key, base_url=server.base_url, timeout=server.timeout_s, max_retries=0
        )

    @property
    def address(self) -> str:
        """The server's address, by which the ledger knows it."""
        return str(self._openai.base_url).rstrip("/")

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Close all connections."""
        await self._openai.close()

    async def post(self, endpoint: str, body: Mapping[str, Json]) -> Sent:
        """Send a body once.

        Args:
            endpoint: `CHAT` or `SPEECH`.
            body: What is sent, nothing added or left out.

        Raises:
            Unanswered: If no whole answer came with a status that says all is well, or a page in place of one.
        """
        from openai import OpenAIError

        try:
            async with asyncio.timeout(self._server.timeout_s):  # the client's own is for each read alone
                sent = await (self._chat(body) if endpoint == CHAT else self._speech(body))
        except TimeoutError:
            raise Unanswered(
                f"{self.address}/{endpoint} gave no whole answer in {self._server.timeout_s:g} s",
                again=True,
                billed=True,
            ) from None
        except OpenAIError as error:
            called = f"{self.address}/{endpoint}"
            raise unanswered(
                error, called=called, model=str(body.get("model")), variable=self._server.key_variable, key=self._key
            ) from None
        if is_page(sent.data):
            raise page(sent.data, called=f"{self.address}/{endpoint}", key=self._key)
        return sent

    async def _chat(self, body: Mapping[str, Json]) -> Sent:
        rest = {name: value for name, value in body.items() if name not in {"model", "messages"}}
        raw = await self._openai.chat.completions.with_raw_response.create(
            model=cast("str", body["model"]),
            messages=cast("list[ChatCompletionMessageParam]", body["messages"]),
            extra_body=rest,
        )
        return Sent(raw.content, raw.headers.get("content-type", ""), raw.request_id)

    async def _speech(self, body: Mapping[str, Json]) -> Sent:
        rest = {name: value for name, value in body.items() if name not in {"model", "input", "voice"}}
        raw = await self._openai.audio.speech.with_raw_response.create(
            model=cast("str", body["model"]),
            input=cast("str", body["input"]),
            voice=cast("str", body["voice"]),
            extra_body=rest,
        )
        return Sent(raw.content, raw.headers.get("content-type", ""), raw.request_id)
