"""What the tests of providers ask for, and how."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

import msgspec
from tests.builders.ledger.toys import Clock
from tests.support.provider_server import ProviderServer

from earmark.builders.ledger import Ledger, ModelPrice, Place, RetriesSection
from earmark.builders.providers import (
    Client,
    OpenAISpeech,
    OpenAIText,
    ServerSection,
    SpeechSection,
    TextSection,
)
from earmark.builders.providers.openai_speech import SpeechOutcome
from earmark.builders.providers.openai_text import Prompt, TextOutcome
from earmark.builders.providers.speech_checks import Form

T = TypeVar("T")

KEY = "sk-very-secret"
TEXT = TextSection(model="toy-text", seed=7, temperature=0.5, most_tokens=100)
PRICES = {
    "toy-text": ModelPrice(input_per_million_tokens=2.5, output_per_million_tokens=10),
    "toy-voice": ModelPrice(per_minute=0.015),
}


class Scene(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    title: str
    lines: list[str]


GOOD = json.dumps({"title": "At the counter", "lines": ["one", "two"]})


def with_client(
    server: ProviderServer,
    path: Path,
    act: Callable[[Client, Ledger], Awaitable[T]],
    *,
    timeout_s: float = 30.0,
    tries: int = 3,
    clock: Clock | None = None,
) -> T:
    async def run() -> T:
        time = clock or Clock()
        retries = RetriesSection(tries=tries)
        section = ServerSection(base_url=server.base_url, timeout_s=timeout_s)
        async with Client(section) as client:
            with Ledger.open(path, prices=PRICES, retries=retries, sleep=time.sleep, now=time.now) as ledger:
                return await act(client, ledger)

    return asyncio.run(run())


def ask(
    server: ProviderServer, path: Path, *, tries: int = 3, timeout_s: float = 30.0, clock: Clock | None = None
) -> TextOutcome[Scene]:
    async def act(client: Client, ledger: Ledger) -> TextOutcome[Scene]:
        text = OpenAIText(client, TEXT)
        request = text.request(Prompt("You write.", "Write a scene."), Scene, Place("d1"), stage="scenario")
        return await text.ask(ledger, request, Scene)

    return with_client(server, path, act, tries=tries, timeout_s=timeout_s, clock=clock)


def speak(server: ProviderServer, path: Path, form: Form = Form.WAV) -> SpeechOutcome:
    section = SpeechSection(model="toy-voice", form=form)

    async def act(client: Client, ledger: Ledger) -> SpeechOutcome:
        speech = OpenAISpeech(client, section)
        request = speech.request("Good morning.", "sage", "Say it slowly and low.", Place("d1", 4, 1), stage="speech")
        return await speech.speak(ledger, request)

    return with_client(server, path, act)
