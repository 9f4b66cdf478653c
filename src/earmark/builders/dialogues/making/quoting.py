"""What a build of dialogues would ask of servers and what that costs at most; nothing is sent, rendered or kept."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from earmark.builders.dialogues.makers import Commission, LineToSpeak
from earmark.builders.dialogues.making.production import CALLS, Makers, Production, makers_of, read_texts
from earmark.builders.dialogues.oracle import planned_calls
from earmark.builders.dialogues.quotas import commissions
from earmark.builders.dialogues.records import RENDERINGS, TARGET_TURNS, Author, Dialogue, Selection, Tones
from earmark.builders.dialogues.stages.largest import LARGEST_SCRIPT, largest_scenario, largest_targets
from earmark.builders.dialogues.voicing.takes import Takes
from earmark.builders.ledger.calls import CallRequest
from earmark.builders.ledger.dry_run import Planned
from earmark.builders.ledger.ledger import Ledger
from earmark.builders.ledger.prices import BILLION
from earmark.manifests.canonical import Json
from earmark.manifests.findings import Findings, Severity, declare

UNPRICED = declare("dialogues.unpriced", Severity.WARNING, "a model has no price, so what it costs is not known")
ABOVE = declare("dialogues.above-limit", Severity.WARNING, "a build may cost more than its limit, and would stop there")


def price_dialogues(production: Production, findings: Findings) -> dict[str, Json]:
    """The calls of a build and the most that they cost, each answered at its first try and every turn passing at once.

    What is not written yet is taken as long as the checks let it be. Calls that the work folder has an answer to cost nothing.

    Args:
        production: What is to be made.
        findings: Told of models without a price, and of a limit that may be reached.

    Returns:
        By stage and model the calls and the most they cost, US dollars; None where a model has no price.

    Raises:
        Refused: If a file that the recipe names cannot be used.
        Busy: If another process works with the ledger.
    """
    texts = read_texts(production, findings)
    asked = commissions(production.dialogues)
    if not production.online:
        return {"dialogues": len(asked), "calls": 0, "at_most_usd": 0.0}
    with tempfile.TemporaryDirectory() as scratch:
        # What was recorded in the work folder is paid already; without one there is nothing to look for, and nothing is made.
        known = (production.work / CALLS).is_file()
        look = production if known else replace(production, work=Path(scratch))

        async def run() -> dict[str, list[CallRequest]]:
            async with makers_of(look, texts, ledger, to_send=False) as makers:
                return await _calls(makers, asked, production)

        with look.open_ledger() as ledger:
            return _report(asyncio.run(run()), ledger, production, len(asked), findings)


async def _calls(makers: Makers, asked: Sequence[Commission], production: Production) -> dict[str, list[CallRequest]]:
    """The calls by stage."""
    calls: dict[str, list[CallRequest]] = {"author": [], "oracle": [], "voice": []}
    for commission in asked:
        writing = makers.writer.planned(commission)
        calls["author"] += writing
        # Who asks nobody writes at once, and what is written is priced as it is.
        written = None if writing else await makers.writer.write(commission)
        dialogue = written if isinstance(written, Dialogue) else _largest(commission)
        if makers.reader is not None:
            calls["oracle"] += planned_calls(dialogue, makers.reader, production.oracle.arms, seed=production.seed)
        calls["voice"] += makers.speaker.planned(_lines(dialogue, makers))
    return calls


def _lines(dialogue: Dialogue, makers: Makers) -> list[LineToSpeak]:
    takes = Takes(dialogue, makers.speaker.cast(dialogue))
    return [takes.line(rendering, 0) for rendering in RENDERINGS]


def _largest(commission: Commission) -> Dialogue:
    """A dialogue as long as it may be."""
    four, six = (largest_targets(turn) for turn in TARGET_TURNS)
    tone = four.candidates[0]
    chosen = [Selection(turn=turn, resonant=1, dissonant=2, reasoning="") for turn in TARGET_TURNS]
    return Dialogue(
        name=commission.name,
        scenario=largest_scenario(commission.cell),
        script=LARGEST_SCRIPT,
        tones=Tones(context=(tone, tone, tone, tone), targets=(four, six)),
        selections=(chosen[0], chosen[1]),
        author=Author(provider="", model=""),
    )


def _report(
    calls: dict[str, list[CallRequest]], ledger: Ledger, production: Production, dialogues: int, findings: Findings
) -> dict[str, Json]:
    stages: list[Json] = []
    plans = {stage: ledger.prices(requests) for stage, requests in calls.items() if requests}
    for stage, planned in plans.items():
        stages += [
            {
                "stage": stage,
                "model": model.model,
                "calls": model.calls,
                "recorded": model.recorded,
                "at_most_usd": None if model.bound is None else model.bound / BILLION,
            }
            for model in planned.models
        ]
    for name in sorted({name for planned in plans.values() for name in planned.unpriced}):
        findings.add(UNPRICED, id=name, expected=f"[prices.{name!r}] in the recipe, 0 for what costs nothing")
    bound, limit, spent = _sum(list(plans.values())), production.ledger.limit, ledger.totals()
    before = spent.spent + spent.doubtful
    if bound is not None and limit is not None and before + bound > limit:
        found = f"${(before + bound) / BILLION:.2f}, of which ${before / BILLION:.2f} is spent"
        findings.add(ABOVE, id="[ledger]", found=found, expected=f"a max_cost above {limit / BILLION:g}")
    return {
        "dialogues": dialogues,
        "calls": sum(len(requests) for requests in calls.values()),
        "stages": stages,
        "at_most_usd": None if bound is None else bound / BILLION,
        "spent_usd": before / BILLION,
        "limit_usd": None if limit is None else limit / BILLION,
        "not_in_it": "calls that are sent again, stages that are asked for again, and turns that are spoken again",
    }


def _sum(plans: Sequence[Planned]) -> int | None:
    bounds = [planned.bound for planned in plans]
    known = [bound for bound in bounds if bound is not None]
    return sum(known) if len(known) == len(bounds) else None
