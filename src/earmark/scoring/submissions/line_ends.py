"""How the lines of a file end: all with a line feed, or all with a carriage return before it, is as it should be."""

from __future__ import annotations

import re
from typing import NamedTuple

from earmark.scoring.submissions.collecting import MIXED_LINE_ENDS, Collector, count_byte

_LONE = re.compile(rb"\r(?!\n)")
_PLAIN = re.compile(rb"(?<!\r)\n")
_NAMES = {b"\n": "a line feed (LF)", b"\r\n": "carriage return and line feed (CRLF)"}


class _Odd(NamedTuple):
    """A line that ends otherwise, how, and what would be right."""

    line: int
    found: str
    expected: str


class LineEnds:
    """Watches a file go by, and says at its end where the first line ends otherwise than those before it.

    Args:
        collector: Takes the finding, and knows the line at which reading stopped: from there on nothing is said.
        quoted: Whether line ends between quotation marks are not those of lines, as in CSV.

    A line that is longer than what is read says nothing, since its end may never have been at hand.
    """

    def __init__(self, collector: Collector, *, quoted: bool) -> None:
        self._collector = collector
        self._quoted = quoted
        self._within = False
        self._usual: bytes | None = None
        self._first: _Odd | None = None

    def see(self, data: bytes, first: int) -> None:
        """Look at whole lines with their ends, or at the last one of the file.

        Args:
            data: The lines.
            first: Line of the first of them.
        """
        most = self._collector.rules.limits.line
        if not self._quoted and self._usual == b"\n" and b"\r" not in data:
            return
        if not has_longer(data, most):
            self._see(data, first)
            return
        run: list[bytes] = []
        for number, line in enumerate(_split(data), first):
            if len(line.removesuffix(b"\n")) <= most:
                run.append(line)
                continue
            self._see(b"".join(run), number - len(run))
            self.cut()
            run = []
        self._see(b"".join(run), first + data.count(b"\n") - len(run) + (not data.endswith(b"\n")))

    def cut(self) -> None:
        """A line was too long: it ends its record, whatever stood in it."""
        self._within = False

    def tell(self) -> None:
        """Say it, once no more is read."""
        stopped = self._collector.stopped
        if self._first is not None and (stopped is None or self._first.line < stopped):
            line, found, expected = self._first
            self._collector.add(MIXED_LINE_ENDS, row=line, found=found, expected=expected)

    def _see(self, data: bytes, first: int) -> None:
        if self._first is not None or not data:
            return
        odd = self._odd(self._outside(data) if self._quoted else data)
        if odd is not None:
            at, found = odd
            usual = _NAMES[b"\n" if self._usual is None else self._usual]
            self._first = _Odd(first + data.count(b"\n", 0, at), found, f"{usual} after every line")

    def _odd(self, data: bytes) -> tuple[int, str] | None:
        """Where the first odd end stands, and what it is."""
        returns = data.count(b"\r") if b"\r" in data else 0
        both = data.count(b"\r\n") if returns else 0
        feeds = count_byte(data, b"\n") - both
        odd: list[tuple[int, str]] = []
        if returns > both and (lone := _LONE.search(data)) is not None:
            odd.append((lone.start(), "a carriage return (CR) alone"))
        if self._usual is None and both + feeds:
            end = data.index(b"\n")
            self._usual = b"\r\n" if data[end - 1 : end] == b"\r" else b"\n"
        if self._usual == b"\n" and both:
            odd.append((data.index(b"\r\n"), _NAMES[b"\r\n"]))
        if self._usual == b"\r\n" and feeds and (plain := _PLAIN.search(data)) is not None:
            odd.append((plain.start(), _NAMES[b"\n"]))
        return min(odd, default=None)

    def _outside(self, data: bytes) -> bytes:
        """The data, as long as it is, without line ends between quotation marks if that can make a difference."""
        within, self._within = self._within, self._within ^ (count_byte(data, b'"') % 2 == 1)
        if b"\r" not in data and self._usual == b"\n":
            return data
        parts = data.split(b'"')
        for n in range(0 if within else 1, len(parts), 2):
            parts[n] = parts[n].replace(b"\r", b" ").replace(b"\n", b" ")
        return b'"'.join(parts)


def has_longer(data: bytes, most: int) -> bool:
    """Whether a line is longer than allowed, without its line feed."""
    at = 0
    while len(data) - at > most:
        at = data.rfind(b"\n", at, at + most + 1) + 1
        if at == 0:
            return True
    return False


def _split(data: bytes) -> list[bytes]:
    """The lines with their line feeds; nothing else ends a line."""
    *lines, last = data.split(b"\n")
    return [line + b"\n" for line in lines] + ([last] if last else [])
