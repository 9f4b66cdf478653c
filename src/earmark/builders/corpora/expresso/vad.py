"""Where somebody speaks in the long recordings of Expresso, `VAD_segments.txt`, as a model found it.

A line is `stem<tab>(start, end) (start, end) …` in seconds; a conversation has a line for each channel, `stem/channel1` and
`stem/channel2`. No row of the corpus depends on it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

from earmark.builders.corpora.expresso.ids import ConversationStem, parse_stem
from earmark.builders.corpora.expresso.lines import either_spelling, read_lines
from earmark.manifests.findings import Findings, Severity, declare

FILES = ("VAD_segments.txt", "expresso_VAD_segments.txt")
"""Its names: in the archive of the corpus, and in the repository that publishes it."""

BAD_LINE = declare("expresso.bad-vad-line", Severity.WARNING, "the line names no channel with spans in order; dropped")
REPEATED_LINE = declare(
    "expresso.repeated-vad-line", Severity.WARNING, "the channel has unequal lines, of which none is taken"
)

_NUMBER = r"[0-9]{1,6}(?:\.[0-9]{1,6})?"
_SPAN = re.compile(rf"\(({_NUMBER}), ({_NUMBER})\)")
_SPANS = re.compile(rf"{_SPAN.pattern}(?: {_SPAN.pattern})*")
_FORM = "stem, or stem/channel1 or 2 of a conversation, tab, (start, end) in seconds, ascending"


class Span(NamedTuple):
    """Somebody speaks from `start` to `end`, s."""

    start: float
    end: float


class Channel(NamedTuple):
    """A channel of a long recording.

    Attributes:
        stem: the recording.
        channel: from 0.
    """

    stem: str
    channel: int


def read_vad(root: Path, findings: Findings) -> dict[Channel, tuple[Span, ...]] | None:
    """Read the spans of every channel, by channel; None, and a finding, if there is no such file.

    Args:
        root: The corpus's folder.
        findings: What is wrong is added to them.
    """
    file = either_spelling(root, FILES, findings)
    lines = read_lines(root, file, findings)
    if lines is None:
        return None
    found: dict[Channel, dict[tuple[Span, ...], int]] = defaultdict(dict)
    for row, text in lines:
        try:
            channel, spans = parse_vad_line(text)
        except ValueError:
            findings.add(BAD_LINE, file=file, row=row, found=text, expected=_FORM)
            continue
        found[channel].setdefault(spans, row)
    for channel, rows in found.items():
        for row in rows.values() if len(rows) > 1 else ():
            among = f"rows {', '.join(map(str, sorted(rows.values())))}"
            findings.add(REPEATED_LINE, file=file, row=row, id=channel.stem, found=among, expected="one line")
    return {channel: next(iter(found[channel])) for channel in sorted(found) if len(found[channel]) == 1}


def parse_vad_line(text: str) -> tuple[Channel, tuple[Span, ...]]:
    r"""The channel and the spans that a line spells.

    Raises:
        ValueError: If it spells none.

    >>> parse_vad_line("ex01-ex02_default_001/channel2\t(0.0, 23.76) (28.56, 55.04)")
    (Channel(stem='ex01-ex02_default_001', channel=1), (Span(start=0.0, end=23.76), Span(start=28.56, end=55.04)))
    """
    name, _, spelt = text.rstrip().partition("\t")
    stem, slash, channel = name.partition("/")
    expected = ("channel1", "channel2") if isinstance(parse_stem(stem), ConversationStem) else ("",)
    if channel not in expected or bool(slash) is not bool(channel) or not _SPANS.fullmatch(spelt):
        raise ValueError(f"{text!r} is no line of {FILES[0]}, which is {_FORM}")
    spans = tuple(Span(float(start), float(end)) for start, end in _SPAN.findall(spelt))
    times = [time for span in spans for time in span]
    if times != sorted(times):
        raise ValueError(f"the spans {spelt} are not in order")
    return Channel(stem, expected.index(channel)), spans
