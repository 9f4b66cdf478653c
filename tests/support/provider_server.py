"""A server on this machine that speaks the OpenAI protocol of text and of speech, well or badly, as each test tells it.

It runs in a thread, or as a process of its own: `python -m tests.support.provider_server SECONDS` prints its address, and answers
each call after so many seconds, half of them less or more, until its standard input ends.
"""

from __future__ import annotations

import asyncio
import io
import json
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from typing import TypeAlias

import numpy as np
import soundfile

RATE = 24_000


@dataclass(frozen=True)
class Reply:
    """What the server sends.

    Args:
        body: The whole body.
        form: Its media type.
        status: Its status.
        headers: Other headers.
        after_s: How long it takes, s.
        cut: Bytes of the body after which the connection is closed, although the whole length was promised.
        stall: Bytes of the body after which nothing more comes, the connection left open.
    """

    body: bytes
    form: str = "application/json"
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    after_s: float = 0.0
    cut: int | None = None
    stall: int | None = None


@dataclass(frozen=True)
class Asked:
    """A request as it came: path, body and authorisation."""

    path: str
    body: dict[str, object]
    key: str


Answering: TypeAlias = Callable[[int, Asked], Reply]
"""Says what the n-th request gets."""


def completion(
    content: str | None, *, refusal: str | None = None, finish: str = "stop", used: tuple[int, int] | None = (20, 10)
) -> Reply:
    """A chat completion."""
    message = {"role": "assistant", "content": content, "refusal": refusal}
    value: dict[str, object] = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 0,
        "model": "toy-text-2026",
        "choices": [{"index": 0, "finish_reason": finish, "message": message}],
    }
    if used is not None:
        value["usage"] = {"prompt_tokens": used[0], "completion_tokens": used[1], "total_tokens": sum(used)}
    return Reply(json.dumps(value).encode(), headers={"x-request-id": "req-1"})


def failure(status: int, message: str = "unwell", *, code: str | None = None, **headers: str) -> Reply:
    """An error in the provider's own form; header names with "_" for "-"."""
    value = {"error": {"message": message, "type": "error", "param": None, "code": code}}
    said = {name.replace("_", "-"): text for name, text in headers.items()}
    return Reply(json.dumps(value).encode(), status=status, headers=said)


def audio(form: str = "wav", *, seconds: float = 0.5, gain: float = 0.3, clip: float = 1.0) -> Reply:
    """A tone of 200 Hz, loud as `gain` says and clipped at `clip`."""
    at = np.arange(round(seconds * RATE)) / RATE
    tone = np.clip(gain * np.sin(2 * np.pi * 200 * at), -clip, clip)
    file = io.BytesIO()
    soundfile.write(file, tone, RATE, format=form.upper())
    return Reply(file.getvalue(), form=f"audio/{form}")


@dataclass
class ProviderServer:
    """What the server was asked.

    Args:
        base_url: Where it is.
        asked: Every request, in order.
        stalled: Set when it has stalled.
    """

    base_url: str = ""
    asked: list[Asked] = field(default_factory=list)
    stalled: threading.Event = field(default_factory=threading.Event)
    _open: dict[asyncio.Task[None], asyncio.StreamWriter] = field(default_factory=dict)
    _ended: asyncio.Event = field(default_factory=asyncio.Event)

    async def end(self) -> None:
        """Close every connection."""
        self._ended.set()
        for writer in self._open.values():
            writer.close()
        await asyncio.gather(*self._open)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, answer: Answering) -> None:
        """Answer the requests of one connection."""
        task = asyncio.current_task()
        assert task is not None
        self._open[task] = writer
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                first, *lines = head.decode("latin-1").split("\r\n")
                said = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
                body = json.loads(await reader.readexactly(int(said["content-length"])))
                asked = Asked(first.split()[1], body, said.get("authorization", ""))
                self.asked.append(asked)
                if not await self._reply(writer, answer(len(self.asked) - 1, asked)):
                    break
        except (asyncio.IncompleteReadError, ConnectionError):
            pass  # the client is gone
        finally:
            writer.close()
            with suppress(ConnectionError):
                await writer.wait_closed()
            del self._open[task]

    async def _reply(self, writer: asyncio.StreamWriter, reply: Reply) -> bool:
        """Send a reply; whether the connection goes on."""
        if reply.after_s:
            await asyncio.sleep(reply.after_s)
        headers = {"Content-Type": reply.form, "Content-Length": str(len(reply.body)), **reply.headers}
        head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        most = min(len(reply.body) if n is None else n for n in (reply.cut, reply.stall))
        writer.write(f"HTTP/1.1 {reply.status} Said\r\n{head}\r\n".encode() + reply.body[:most])
        await writer.drain()
        if reply.stall is not None:
            self.stalled.set()
            await self._ended.wait()
            return False
        return reply.cut is None


@contextmanager
def provider_server(answer: Answering) -> Iterator[ProviderServer]:
    """Serve from a thread until the block ends."""
    seen = ProviderServer()
    ready, loop = threading.Event(), asyncio.new_event_loop()

    async def run() -> None:
        server = await asyncio.start_server(lambda r, w: seen.serve(r, w, answer), "127.0.0.1", 0)
        seen.base_url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
        ready.set()
        await stop.wait()
        server.close()
        await seen.end()

    stop = asyncio.Event()
    thread = threading.Thread(target=lambda: loop.run_until_complete(run()), daemon=True)
    thread.start()
    try:
        assert ready.wait(30)
        yield seen
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join(timeout=30)
        loop.close()


def by_endpoint(text: Reply, speech: Reply) -> Answering:
    """One reply for text and one for speech."""
    return lambda _, asked: speech if asked.path.endswith("/audio/speech") else text


async def _alone(seconds: float) -> None:
    text = completion(json.dumps({"title": "At the counter", "lines": ["one", "two"]}))
    seen, which = ProviderServer(), by_endpoint(text, audio(seconds=3.0))

    def answer(n: int, asked: Asked) -> Reply:
        # The golden section spreads any run of calls evenly, so that they do not come back in step.
        return replace(which(n, asked), after_s=seconds * (0.5 + n * 0.6180339887 % 1.0))

    server = await asyncio.start_server(lambda r, w: seen.serve(r, w, answer), "127.0.0.1", 0)
    sys.stdout.write(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1\n")
    sys.stdout.flush()
    await asyncio.to_thread(sys.stdin.read)


if __name__ == "__main__":
    asyncio.run(_alone(float(sys.argv[1])))
