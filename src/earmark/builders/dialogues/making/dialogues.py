"""Making dialogues: written, read, spoken and judged; what falls out on the way is asked for again while there are spare ones.

Everything that was paid for is in the ledger, and everything that was rendered in the folder of clips. So a build that was killed
anywhere goes through the same steps again, finds what it has, and pays for the rest.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import nullcontext
from functools import partial

from earmark.builders.dialogues.checks import check_apathetic_share
from earmark.builders.dialogues.jobs import run_all
from earmark.builders.dialogues.makers import Cell, Commission, Unwritten, Writer, Written
from earmark.builders.dialogues.making.production import CLIPS, Makers, Production, Texts, makers_of, read_texts
from earmark.builders.dialogues.making.report import finish
from earmark.builders.dialogues.making.state import BuildState
from earmark.builders.dialogues.oracle import check_dialogues, oracle_report
from earmark.builders.dialogues.quotas import commissions, demand, further
from earmark.builders.dialogues.voiced import Voiced
from earmark.builders.dialogues.voicing.synthesis import voice
from earmark.builders.ledger.calls import RequestRefused
from earmark.builders.media import Progress
from earmark.manifests.findings import Findings, Severity, declare

UNWRITTEN = declare("dialogues.unwritten", Severity.NOTE, "a dialogue was given up before it was written")
SHORT = declare("dialogues.short", Severity.WARNING, "fewer dialogues came about than were asked for")
APATHETIC = declare("dialogues.apathetic", Severity.WARNING, "too many dialogues have the failure that is to be rare")

WRITING = "writing dialogues"


def make_dialogues(production: Production, *, findings: Findings, progress: Progress) -> Voiced:
    """Make dialogues by a recipe.

    Args:
        production: What is to be made, and how.
        findings: Where problems go.
        progress: Told how far it is, stage by stage.

    Returns:
        All that a release is made of; fewer dialogues than were asked for where spare ones are used up, which findings and
        report say.

    Raises:
        Refused: If a file that the recipe names cannot be used.
        Unpriced: If there is a limit of cost and a model has no price.
        CostLimit: If the next call could cost more than is left; what is recorded stays recorded.
        KeyMissing: If a provider is asked and there is no key.
        Unanswered: If a provider does not answer, or not to this key or model.
        LedgerError: If the ledger cannot be read or written.
        Busy: If another process works with it.
        EarmarkError: If a file cannot be written, or a listener has no weights that it can use.
    """
    texts = read_texts(production, findings)
    production.require_prices()
    if production.online and production.words is not None:
        production.words.listener.transcribe(())  # a listener that cannot listen says so before anything is paid for
    with production.open_ledger() if production.online else nullcontext() as ledger:

        async def run() -> Voiced:
            async with makers_of(production, texts, ledger) as makers:
                return await make_with(makers, production, texts, findings=findings, progress=progress)

        return asyncio.run(run())


async def make_with(
    makers: Makers, production: Production, texts: Texts, *, findings: Findings, progress: Progress
) -> Voiced:
    """Make dialogues with given makers; see `make_dialogues`.

    Args:
        makers: Who does the work.
        production: What is to be made, and how.
        texts: What makers are asked, for the resolved recipe.
        findings: Where problems go.
        progress: Told how far it is.
    """
    done = BuildState(asked=list(commissions(production.dialogues)))
    new: Sequence[Commission] = done.asked
    while True:
        await _write(new, makers.writer, done, production, progress)
        await _read(makers, done, production, progress)
        said = Findings(strict=findings.strict)  # of this round alone: the next one says it again
        voiced = await voice(
            done.to_speak(),
            speaker=makers.speaker,
            gate=production.gate,
            words=production.words,
            origin=production.origin,
            folder=production.work / CLIPS,
            key=production.key,
            seed=production.seed,
            jobs=production.jobs,
            findings=said,
            progress=progress,
            asked=done.asked,
        )
        kept = [dialogue.name for dialogue in voiced.dialogues]
        surplus, new = _too_many(kept, done, production), _too_few(kept, done, production)
        done.surplus |= surplus
        done.asked += new
        if not surplus and not new:
            break
    findings.extend(said)
    _tell(done, kept, production, findings)
    report = None
    if makers.reader is not None:
        report = oracle_report(
            tuple(done.verdicts.values()),
            provider=makers.reader.provider,
            model=makers.reader.model,
            drop_if_wrong=production.oracle.dropping,
            arms=production.oracle.arms,
            seed=production.seed,
            findings=findings,
        )
    return finish(voiced, done, makers, production, texts, report)


async def _write(
    new: Sequence[Commission], writer: Writer, done: BuildState, production: Production, progress: Progress
) -> None:
    failures: list[RequestRefused] = []
    jobs = [partial(_written, commission, writer, failures) for commission in new]
    found = await run_all(
        jobs, workers=production.ledger.concurrency, told=lambda count: progress(WRITING, count, len(jobs))
    )
    for written in found:
        if isinstance(written, Unwritten):
            done.unwritten[written.name] = written
        else:
            done.dialogues[written.name] = written
    if failures and not done.dialogues:
        raise failures[0]  # a server that will do nothing at all is asked wrongly


async def _written(commission: Commission, writer: Writer, failures: list[RequestRefused]) -> Written:
    """What came of a commission; a question that the server refuses for what it says ends this dialogue and not the build."""
    try:
        return await writer.write(commission)
    except RequestRefused as error:
        failures.append(error)
        return Unwritten(commission.name, "call", (error.reason,))


async def _read(makers: Makers, done: BuildState, production: Production, progress: Progress) -> None:
    if makers.reader is None:
        return
    verdicts = await check_dialogues(
        tuple(done.dialogues.values()),
        makers.reader,
        arms=production.oracle.arms,
        drop_if_wrong=production.oracle.dropping,
        seed=production.seed,
        workers=production.ledger.concurrency,
        progress=progress,
        known=done.verdicts,
    )
    done.verdicts = {verdict.dialogue: verdict for verdict in verdicts}


def _too_many(kept: Iterable[str], done: BuildState, production: Production) -> set[str]:
    """Those beyond what a cell asks for, as there are where a clip passes that had not; the last commissioned go first."""
    left, cells = Counter(demand(production.dialogues)), done.cells
    names = set(kept)
    surplus = set()
    for commission in done.asked:
        if commission.name in names:
            left[cells[commission.name]] -= 1
            if left[cells[commission.name]] < 0:
                surplus.add(commission.name)
    return surplus


def _too_few(kept: Iterable[str], done: BuildState, production: Production) -> list[Commission]:
    """A further commission for each dialogue that a cell lacks, as far as there are spare ones."""
    cells, taken = done.cells, [commission.name for commission in done.asked]
    filled = Counter(cells[name] for name in kept)
    new: list[Commission] = []
    for cell, count in demand(production.dialogues).items():
        for _ in range(count - filled[cell]):
            one = further(production.dialogues, cell, taken)
            if one is None:
                break
            taken.append(one.name)
            new.append(one)
    return new


def _tell(done: BuildState, kept: Sequence[str], production: Production, findings: Findings) -> None:
    for unwritten in done.unwritten.values():
        findings.add(UNWRITTEN, id=unwritten.name, found=f"{unwritten.stage}: {'; '.join(unwritten.reasons)}")
    for reason in check_apathetic_share([done.dialogues[name] for name in kept]):
        findings.add(APATHETIC, found=reason)
    filled = Counter(done.cells[name] for name in kept)
    for cell, count in demand(production.dialogues).items():
        if filled[cell] < count:
            findings.add(
                SHORT,
                id=f"{cell.subscale}, {cell.valence}, {cell.type}",
                found=f"{filled[cell]} of {count}; {_lost(cell, done, set(kept))}",
                expected="more in spare of [dialogues], or a gate or an oracle that more pass",
            )


def _lost(cell: Cell, done: BuildState, kept: set[str]) -> str:
    """What became of a cell's other dialogues."""
    names = [commission.name for commission in done.asked if commission.cell == cell and commission.name not in kept]
    unwritten = sum(name in done.unwritten for name in names)
    misread = sum(name in done.verdicts and done.verdicts[name].dropped is not None for name in names)
    parts = {"not written": unwritten, "read wrongly": misread, "not spoken well": len(names) - unwritten - misread}
    return ", ".join(f"{count} {what}" for what, count in parts.items() if count)
