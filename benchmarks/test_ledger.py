"""What the ledger costs: its own time in a call, and what it leaves of a server's throughput with 32 calls under way.

The server is a process of its own on this machine. Beside each round with the ledger stands one without: the same client, the
same bodies, the same number under way, nothing written down and nothing checked. The overhead is on the processor's clock, so
that it is the same on a busy machine.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec
import pytest
from tests.docs.reading import ROOT
from tests.support.provider_server import audio, completion

from earmark.builders.ledger import Answer, CallRequest, Ledger, ModelPrice, Place, Usage
from earmark.builders.providers import (
    Client,
    OpenAISpeech,
    OpenAIText,
    ServerSection,
    SpeechSection,
    Spoken,
    TextSection,
)
from earmark.builders.providers.openai_text import Prompt, Said, read_answer
from earmark.builders.providers.speech_checks import Form, Heard, check_speech

if TYPE_CHECKING:
    from pytest_benchmark.fixture import BenchmarkFixture

MOST_MS = 2.0
LEAST_SHARE = 0.9
CONCURRENCY = 32
SECONDS = 0.2  # of the server, on average; a provider takes longer for either kind of answer
CALLS = 320
ROUNDS = 3

PRICES = {
    "text": ModelPrice(input_per_million_tokens=2.5, output_per_million_tokens=10),
    "voice": ModelPrice(per_minute=0.015),
}


class Scene(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is asked for."""

    title: str
    lines: list[str]


GOOD = json.dumps({"title": "At the counter", "lines": ["one", "two"]})
PROMPT = Prompt("You write scenes. " * 40, "Write one. " * 100)


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "any word")


@contextmanager
def server(seconds: float) -> Iterator[str]:
    command = [sys.executable, "-m", "tests.support.provider_server", str(seconds)]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:  # noqa: S603 (our own interpreter)
        assert process.stdout is not None
        yield process.stdout.readline().strip()
        process.communicate()


def text_of(client: Client) -> OpenAIText:
    return OpenAIText(client, TextSection(model="text", seed=1))


def speech_of(client: Client) -> OpenAISpeech:
    return OpenAISpeech(client, SpeechSection(model="voice"))


@pytest.mark.benchmark(group="ledger", timer=time.process_time)
@pytest.mark.parametrize("kind", ["text", "wav", "flac", "mp3"])
def test_overhead(benchmark: BenchmarkFixture, kind: str, tmp_path: Path) -> None:
    """200 calls one after another that are answered at once: request, key, intent, answer, cost and all checks."""
    calls, rounds = 200, iter(range(100))
    said, sound = completion(GOOD).body, b"" if kind == "text" else audio(kind, seconds=4.0).body

    async def one(ledger: Ledger, client: Client, n: int) -> bool:
        if kind == "text":
            request = text_of(client).request(PROMPT, Scene, Place("d", n + 1))

            async def send(_: CallRequest) -> Answer:
                return Answer(data=said, form="application/json", usage=Usage(input_tokens=900, output_tokens=40))

            return isinstance(read_answer(await ledger.call(request, send), Scene), Said)
        request = speech_of(client).request(
            "A line of ten words or a few more, said.", "sage", "Low.", Place("d", n + 1)
        )

        async def say(_: CallRequest) -> Answer:
            heard = check_speech(sound, Form(kind))
            assert isinstance(heard, Heard)
            return Answer(data=sound, form=f"audio/{kind}", usage=Usage(characters=40, seconds=heard.seconds))

        return not (await ledger.call(request, say)).replayed

    async def run(path: Path) -> int:
        async with Client(ServerSection(base_url="http://127.0.0.1:1/v1")) as client:
            with Ledger.open(path, prices=PRICES, max_cost=10**12) as ledger:
                return sum([await one(ledger, client, n) for n in range(calls)])

    assert isinstance(check_speech(audio("wav", seconds=1.0).body, Form.WAV), Heard)  # soundfile is loaded
    done = benchmark.pedantic(lambda: asyncio.run(run(tmp_path / f"{next(rounds)}")), rounds=ROUNDS, warmup_rounds=1)
    assert done == calls
    assert benchmark.stats.stats.min / calls * 1000 < MOST_MS


class Speed(NamedTuple):
    """Calls in a second, and processor time of one, ms."""

    calls: float
    ms: float


class Clocks:
    """Two clocks from now on."""

    def __init__(self) -> None:
        self._wall, self._processor = time.perf_counter(), time.process_time()

    def speed(self) -> Speed:
        """Of all calls."""
        wall, processor = time.perf_counter() - self._wall, time.process_time() - self._processor
        return Speed(CALLS / wall, processor / CALLS * 1000)


async def bare(url: str, kind: str) -> Speed:
    """The client alone."""
    slots = asyncio.Semaphore(CONCURRENCY)
    async with Client(ServerSection(base_url=url)) as client:

        async def one(n: int) -> int:
            async with slots:
                request = (
                    text_of(client).request(PROMPT, Scene, Place("d", n + 1))
                    if kind == "text"
                    else speech_of(client).request("A line.", "sage", "Low.", Place("d", n + 1))
                )
                return len((await client.post(request.endpoint, request.body)).data)

        await asyncio.gather(*(one(n) for n in range(CONCURRENCY)))  # connections are open
        begun = Clocks()
        assert all(await asyncio.gather(*(one(n) for n in range(CALLS))))
        return begun.speed()


async def kept(url: str, kind: str, path: Path) -> Speed:
    """The client with ledger and checks."""
    async with Client(ServerSection(base_url=url)) as client:
        text, speech = text_of(client), speech_of(client)
        with Ledger.open(path, prices=PRICES, max_cost=10**13, concurrency=CONCURRENCY) as ledger:

            async def one(n: int, attempt: int) -> bool:
                place = Place("d", n + 1, None, attempt)
                if kind == "text":
                    said = await text.ask(ledger, text.request(PROMPT, Scene, place), Scene)
                    return isinstance(said, Said) and not said.recorded.replayed
                spoken = await speech.speak(ledger, speech.request("A line.", "sage", "Low.", place))
                return isinstance(spoken, Spoken) and not spoken.recorded.replayed

            await asyncio.gather(*(one(n, 0) for n in range(CONCURRENCY)))
            begun = Clocks()
            assert all(await asyncio.gather(*(one(n, 1) for n in range(CALLS))))
            return begun.speed()


@pytest.mark.benchmark(group="ledger")
@pytest.mark.parametrize("kind", ["text", "speech"])
@pytest.mark.parametrize("seconds", [SECONDS, 0.0])
def test_throughput(benchmark: BenchmarkFixture, seconds: float, kind: str, tmp_path: Path) -> None:
    """320 calls, 32 under way, in turns with and without the ledger; medians of the rounds."""
    with server(seconds) as url:
        without, with_it = list[Speed](), list[Speed]()

        def take_turns() -> None:
            without.append(asyncio.run(bare(url, kind)))
            with_it.append(asyncio.run(kept(url, kind, tmp_path / str(len(without)))))

        benchmark.pedantic(take_turns, rounds=ROUNDS)
    share = statistics.median(one.calls for one in with_it) / statistics.median(one.calls for one in without)
    benchmark.extra_info.update(share=share)
    for name, speeds in (("bare", without), ("kept", with_it)):
        benchmark.extra_info[f"{name}_calls"] = statistics.median(one.calls for one in speeds)
        benchmark.extra_info[f"{name}_ms"] = statistics.median(one.ms for one in speeds)
    if seconds == SECONDS:
        assert share >= LEAST_SHARE
