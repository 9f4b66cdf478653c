"""A server on this machine that speaks the OpenAI protocol of chat completions, and remembers what it was sent."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TypeAlias

Body: TypeAlias = dict[str, object]
Answer: TypeAlias = Callable[[int, Body], "str | None | int"]
"""Says to the n-th body what the judge answers, or the status with which the server fails."""

_MOST_BYTES = 1 << 26


@dataclass
class ChatServer:
    """What the server was asked.

    Args:
        base_url: What `OPENAI_BASE_URL` must be.
        bodies: The body of every request, in order.
        paths: Where each was sent.
        keys: The authorisation of each.
    """

    base_url: str = ""
    bodies: list[Body] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)


@contextmanager
def chat_server(answer: Answer) -> Iterator[ChatServer]:
    """Serve until the block ends."""
    seen = ChatServer()
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        timeout = 30

        def do_POST(self) -> None:
            length = int(self.headers["Content-Length"])
            assert length <= _MOST_BYTES
            body: Body = json.loads(self.rfile.read(length))
            with lock:
                said = answer(len(seen.bodies), body)
                seen.bodies.append(body)
                seen.paths.append(self.path)
                seen.keys.append(self.headers["Authorization"] or "")
            if isinstance(said, int):
                self._reply(said, {"error": {"message": "the server is unwell", "type": "server_error"}})
            else:
                message = {"role": "assistant", "content": said}
                choice = {"index": 0, "finish_reason": "stop", "message": message}
                self._reply(
                    200,
                    {
                        "id": f"chatcmpl-{len(seen.bodies)}",
                        "object": "chat.completion",
                        "created": 0,
                        "model": body["model"],
                        "choices": [choice],
                    },
                )

        def _reply(self, status: int, value: Body) -> None:
            data = json.dumps(value).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.send_header("x-should-retry", "false")  # a client that tries again waits between
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        seen.base_url = f"http://127.0.0.1:{server.server_port}/v1"
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield seen
        finally:
            server.shutdown()
            thread.join(timeout=30)
