"""A build of twelve calls that kills itself, uncleanly, at a point that it is told.

`python -m tests.builders.providers.killed LEDGER URL POINT NUMBER` dies at the NUMBER-th time that it passes POINT.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import ParamSpec, TypeVar

from tests.builders.providers.asking import PRICES, TEXT, Scene

from earmark.builders.ledger import CallRequest, Ledger, Place, RetriesSection
from earmark.builders.ledger.store import Store
from earmark.builders.providers import Client, OpenAISpeech, OpenAIText, ServerSection, SpeechSection
from earmark.builders.providers.openai_text import Prompt

CALLS, CONCURRENCY = 12, 3

P = ParamSpec("P")
R = TypeVar("R")

POINTS = {
    "before the intent": ("intend", False),
    "after the intent": ("intend", True),
    "before the answer is recorded": ("answered", False),
    "after the answer is recorded": ("answered", True),
    "before a failure is recorded": ("failed", False),
    "after a failure is recorded": ("failed", True),
}


def die() -> None:
    """End as `kill -9` ends a process: nothing is flushed, closed or rolled back."""
    os.kill(os.getpid(), getattr(signal, "SIGKILL", signal.SIGTERM))


def dying(method: Callable[P, R], *, after: bool, number: int) -> Callable[P, R]:
    left = number

    def wrapped(*args: P.args, **words: P.kwargs) -> R:
        nonlocal left
        left -= 1
        if not left and not after:
            die()
        result = method(*args, **words)
        if not left:
            die()
        return result

    return wrapped


def requests(client: Client) -> list[CallRequest]:
    text, speech = OpenAIText(client, TEXT), OpenAISpeech(client, SpeechSection(model="toy-voice"))
    made: list[CallRequest] = []
    for n in range(CALLS):
        if n % 3:
            made.append(text.request(Prompt("", f"call {n}"), Scene, Place("d", n + 1)))
        else:
            made.append(speech.request(f"call {n}", "sage", "Low.", Place("d", n + 1)))
    return made


async def build(path: Path, url: str) -> None:
    """Make every call, some at a time."""
    async with Client(ServerSection(base_url=url)) as client:
        text, speech = OpenAIText(client, TEXT), OpenAISpeech(client, SpeechSection(model="toy-voice"))
        retries = RetriesSection(first_s=0.001, most_s=0.01)
        with Ledger.open(path, prices=PRICES, concurrency=CONCURRENCY, retries=retries) as ledger:
            await asyncio.gather(
                *(
                    text.ask(ledger, request, Scene) if "messages" in request.body else speech.speak(ledger, request)
                    for request in requests(client)
                )
            )


if __name__ == "__main__":
    _, ledger, url, point, number = sys.argv
    if point in POINTS:
        name, after = POINTS[point]
        setattr(Store, name, dying(getattr(Store, name), after=after, number=int(number)))
    asyncio.run(build(Path(ledger), url))
