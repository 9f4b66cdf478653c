"""What is told of making dialogues, beside what speaking them told: quotas, authors, the oracle and what it cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, cast

import msgspec

from earmark.builders.dialogues.making.costs import costs_report
from earmark.builders.dialogues.quotas import quota_report
from earmark.builders.dialogues.voicing.report import MACHINE
from earmark.builders.dialogues.voicing.rows import written_row
from earmark.manifests.canonical import Json, canonical_json, json_text

if TYPE_CHECKING:
    from earmark.builders.dialogues.making.production import Makers, Production, Texts
    from earmark.builders.dialogues.making.state import BuildState
    from earmark.builders.dialogues.oracle import OracleReport, Verdict
    from earmark.builders.dialogues.voiced import Voiced

READINGS = "oracle.jsonl"
"""Name of the file on the private side that holds every answer of the reader, with its reasons."""

COSTS = "costs.json"
"""Name of the file on the private side that holds what calls cost."""

UNCHECKED = "unchecked"
SURPLUS = "more than its cell asks for"


def finish(
    voiced: Voiced,
    done: BuildState,
    makers: Makers,
    production: Production,
    texts: Texts,
    oracle: OracleReport | None,
) -> Voiced:
    """Everything that a release is made of, with what was dropped before anybody spoke and what it all cost.

    Args:
        voiced: What came of speaking.
        done: What was commissioned, written and read.
        makers: Who did it.
        production: What was to be made.
        texts: What makers were asked.
        oracle: What the reader found; None where nobody read.
    """
    kept = [dialogue.name for dialogue in voiced.dialogues]
    costs = None if makers.ledger is None else costs_report(makers.ledger)
    read: Json = UNCHECKED if oracle is None else oracle.as_report()
    report: dict[str, Json] = {
        "quotas": quota_report(production.dialogues, [done.cells[name] for name in kept]),
        "author": _author(done, makers),
        "oracle": read,
    }
    pages = {**voiced.pages, MACHINE: json_text({"summary": {**report, **cast("dict[str, Json]", voiced.report)}})}
    if oracle is not None:
        pages[READINGS] = "".join(_readings(done.verdicts.values()))
    if costs is not None:
        pages[COSTS] = json_text(costs)
    return replace(
        voiced,
        dropped=[*voiced.dropped, *_dropped(done)],
        report={**report, **voiced.report, "costs": costs or "nothing was paid for"},
        recipe={**_recipe(makers, production, texts), **voiced.recipe},
        pages=pages,
    )


def _author(done: BuildState, makers: Makers) -> dict[str, Json]:
    rejections = Counter(
        stage
        for dialogue in done.dialogues.values()
        for stage, reasons in dialogue.author.rejections.items()
        for _ in reasons
    )
    given_up = Counter(unwritten.stage for unwritten in done.unwritten.values())
    return {
        "provider": makers.writer.provider,
        "model": makers.writer.model,
        "commissioned": len(done.asked),
        "written": len(done.dialogues),
        "given up": dict(sorted(given_up.items())),
        "rejected on the way": dict(sorted(rejections.items())),
        "read wrongly": sum(verdict.dropped is not None for verdict in done.verdicts.values()),
        "surplus": len(done.surplus),
    }


def _recipe(makers: Makers, production: Production, texts: Texts) -> dict[str, Json]:
    """Who wrote and read by which words, in which voices; where the work folder and the keys are is nobody's business."""
    wording = texts.wording.as_recipe() if production.author.provider != "offline" else {}
    oracle: dict[str, Json] = {
        "drop_if_wrong": production.oracle.dropping,
        "arms": [str(arm) for arm in production.oracle.arms],
    }
    if makers.reader is not None:
        oracle |= {"provider": makers.reader.provider, "model": makers.reader.model}
    if production.oracle.provider == "openai":
        oracle |= {
            "text": msgspec.to_builtins(production.oracle.text),
            "tries": production.oracle.tries,
            "templates": texts.oracle.as_recipe(),
            "templates_hash": texts.oracle.hash,
        }
    author: dict[str, Json] = {"provider": makers.writer.provider, "model": makers.writer.model, **wording}
    if production.author.text is not None:
        author |= {"text": msgspec.to_builtins(production.author.text), "attempts": production.author.attempts}
    return {
        "dialogues": msgspec.to_builtins(production.dialogues),
        "author": author,
        "oracle": oracle if makers.reader is not None else UNCHECKED,
        "voices": msgspec.to_builtins(production.voice.cast_from),
    }


def _dropped(done: BuildState) -> Iterator[dict[str, object]]:
    """Rows of the table of dialogues of those that were never spoken, or not for this release."""
    for name, dialogue in done.dialogues.items():
        verdict = done.verdicts.get(name)
        if verdict is not None and verdict.dropped is not None:
            yield written_row(dialogue, verdict.dropped)
        elif name in done.surplus:
            yield written_row(dialogue, SURPLUS)
    for name, unwritten in done.unwritten.items():
        cell = done.cells[name]
        told: dict[str, Json] = {"name": name, "stage": unwritten.stage, "reasons": list(unwritten.reasons)}
        yield {
            "dialogue": name,
            "subscale": cell.subscale,
            "valence": cell.valence,
            "scenario_type": cell.type,
            "title": "(not written)",
            "record": canonical_json(told).decode(),
            "dropped": f"not written: {unwritten.stage}: {'; '.join(unwritten.reasons)}",
        }


def _readings(verdicts: Iterable[Verdict]) -> Iterator[str]:
    for verdict in sorted(verdicts, key=lambda one: one.dialogue):
        for answer in verdict.answers:
            line: dict[str, Json] = {
                "dialogue": verdict.dialogue,
                "arm": str(answer.arm),
                "turn": answer.turn,
                "order": answer.order,
                "right": answer.right,
                "choice": answer.reply.choice,
                "reasoning": answer.reply.reasoning,
            }
            yield f"{canonical_json(line).decode()}\n"
