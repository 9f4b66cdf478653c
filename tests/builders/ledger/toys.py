"""Calls that cost nothing, a clock that obeys, and senders that do as they are told."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import TypeVar

from hypothesis import strategies as st

from earmark.builders.ledger import (
    Answer,
    CallRequest,
    Ledger,
    ModelPrice,
    Place,
    RetriesSection,
    Unanswered,
    Usage,
)

T = TypeVar("T")

PRICES = {
    "toy": ModelPrice(input_per_million_tokens=1.0, output_per_million_tokens=2.0, most_output_tokens=50),
    "free": ModelPrice(),
}


class Clock:
    """Time that passes only when somebody sleeps."""

    def __init__(self) -> None:
        self.at, self.slept = 100.0, list[float]()

    def now(self) -> float:
        return self.at

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.at += seconds
        await asyncio.sleep(0)


def request(
    text: str = "hello", *, dialogue: str = "d", turn: int | None = 1, attempt: int = 0, model: str = "toy"
) -> CallRequest:
    body = {"model": model, "messages": [{"role": "user", "content": text}]}
    place = Place(dialogue, turn, None, attempt)
    return CallRequest(provider="http://toy/v1", endpoint="chat/completions", body=body, place=place, stage="test")


def answer(text: str = "good", *, read: int | None = 10, written: int | None = 5) -> Answer:
    usage = Usage(input_tokens=read, output_tokens=written)
    return Answer(data=text.encode(), form="text/plain", usage=usage, model="toy-1", id="id-1")


class Sender:
    """Gives one thing after another, the last for ever, and remembers what it was sent."""

    def __init__(self, *results: Answer | BaseException) -> None:
        self.results: Sequence[Answer | BaseException] = results or (answer(),)
        self.sent: list[CallRequest] = []
        self.under_way = self.most_under_way = 0

    async def __call__(self, request: CallRequest) -> Answer:
        result = self.results[min(len(self.sent), len(self.results) - 1)]
        self.sent.append(request)
        self.under_way += 1
        self.most_under_way = max(self.most_under_way, self.under_way)
        await asyncio.sleep(0)
        self.under_way -= 1
        if isinstance(result, BaseException):
            raise result
        return result


def again(status: int = 500, **words: float) -> Unanswered:
    return Unanswered(f"status {status}", again=True, status=status, wait_s=words.get("wait_s"))


def lost() -> Unanswered:
    return Unanswered("the line broke", again=True, billed=True)


def in_ledger(
    path: Path,
    act: Callable[[Ledger], Awaitable[T]],
    *,
    clock: Clock | None = None,
    tries: int = 3,
    max_cost: int | None = None,
    concurrency: int = 8,
    prices: dict[str, ModelPrice] = PRICES,
) -> T:
    time = clock or Clock()

    async def run() -> T:
        with Ledger.open(
            path,
            prices=prices,
            max_cost=max_cost,
            concurrency=concurrency,
            retries=RetriesSection(tries=tries),
            sleep=time.sleep,
            now=time.now,
        ) as ledger:
            return await act(ledger)

    return asyncio.run(run())


def places() -> st.SearchStrategy[Place]:
    small = st.none() | st.integers(1, 12)
    return st.builds(Place, st.text('d1é\n,"', max_size=4), small, small, st.integers(0, 3))
