"""What a prediction row says of its presentation, and what of a stranger's words can be written in one."""

from __future__ import annotations

from typing import Literal

import msgspec

from earmark.manifests.canonical import Json
from earmark.manifests.findings import Findings, Severity, declare
from earmark.manifests.grammars import MOST_EVIDENCE, Answer, Grammar

UNWRITABLE = declare(
    "convert.unwritable-response",
    Severity.WARNING,
    "a response is longer than a row may hold, or holds U+0000 or half a character; what our grammar reads in it is written",
)

MOST_RESPONSE, MOST_ENTRY = 1 << 16, 4096
"""Characters of a response and of an entry of evidence that are written."""


class Said(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a row says besides what it is about; the fields are those of prediction rows."""

    status: Literal["ok", "failed", "abstained"] = "ok"
    response: str | None = None
    choice: str | None = None
    probability: float | None = None
    evidence: tuple[str, ...] = ()
    latency_s: float | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None

    def row(self) -> dict[str, Json]:
        """The fields that are given."""
        value: dict[str, Json] = msgspec.to_builtins(self)
        return value if not self.evidence else {**value, "evidence": list(self.evidence)}


def said_in(response: str, grammar: Grammar, findings: Findings, *, file: str, place: str) -> Said:
    """A row of what was said: the response itself, or what our grammar reads in it where it cannot be written."""
    if len(response) <= MOST_RESPONSE and writable(response):
        return Said(response=response)
    findings.add(
        UNWRITABLE, file=file, id=place, found=f"{len(response)} characters", expected=f"at most {MOST_RESPONSE}"
    )
    answer = grammar.parse(response)
    if not isinstance(answer, Answer):
        return Said(status="failed")
    return Said(choice=answer.choice, probability=answer.probability, evidence=evidence_of(answer.evidence))


def writable(text: str) -> bool:
    """Whether a text can stand in a row: no U+0000 and no half of a surrogate pair."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return "\0" not in text


def kept_response(response: str | None) -> str | None:
    """What was said beside an answer that is none, if it can be written."""
    return response if response and len(response) <= MOST_RESPONSE and writable(response) else None


def evidence_of(entries: object) -> tuple[str, ...]:
    """What of a stranger's evidence a row may carry: up to four texts, cut to their length."""
    if not isinstance(entries, list | tuple):
        return ()
    texts = [entry[:MOST_ENTRY] for entry in entries if isinstance(entry, str) and writable(entry)]
    return tuple(texts[:MOST_EVIDENCE])
