"""`earmark diff`: what two versions of a release differ in, and the version that the later one owes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from earmark.cli.console import AsJson, Quiet, say, say_json

if TYPE_CHECKING:
    from collections.abc import Iterator

    from earmark.manifests.canonical import Json
    from earmark.manifests.revisions import Difference, Ids, Proposal, TableDifference

_FEW = 5
"""How many ids of one kind are told to people; --json tells more."""


def diff(
    old: Annotated[Path, typer.Argument(help="Folder of the earlier version.")],
    new: Annotated[Path, typer.Argument(help="Folder of the later version.")],
    exit_code: Annotated[bool, typer.Option("--exit-code", help="End with 1 if anything differs.")] = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Compare two versions of a release: items, answers, prompts, audio, counts, and the step that the version's number owes.

    Private sides are used as far as they are there; without them it is said what cannot be known. Ends with 0 whether or not
    something differs, unless --exit-code asks for 1.
    """
    from earmark.manifests.errors import EarmarkError
    from earmark.manifests.release import open_release
    from earmark.manifests.revisions import difference, proposed_version, smallest_step

    found = difference(open_release(old), open_release(new))
    proposal = smallest_step(found)
    try:
        version = proposed_version(found.old.version, found)
    except EarmarkError:
        version = None
    if as_json:
        step: Json = {
            "step": proposal.step.name.lower(),
            "version": version,
            "reasons": list(proposal.reasons),
            "unsure": list(proposal.unsure),
        }
        say_json({**found.as_json(), "proposed": step})
    elif not quiet:
        say("\n".join(difference_text(found, proposal, version)))
    if exit_code and (not found.is_empty or proposal.unsure):
        raise typer.Exit(1)


def difference_text(found: Difference, proposal: Proposal, version: str | None) -> Iterator[str]:
    """A difference for people."""
    yield f"{found.old.name} {found.old.version} and {found.new.version}"
    yield ""
    if found.is_empty and not proposal.unsure:
        yield "nothing differs"
        return
    yield from _items(found)
    yield from _tables(found)
    yield from _audio(found)
    yield from _counts(found)
    yield from _metadata(found)
    yield from _step(proposal, version)


def _items(found: Difference) -> Iterator[str]:
    items = found.items
    counts = f"{items.added.count} added, {items.removed.count} removed, {items.changed.count} changed"
    yield f"items          {items.old} and {items.new}: {counts}"
    if found.withdrawn:
        yield f"               {found.withdrawn} of them withdrawn"
    for what, ids in (("added", items.added), ("removed", items.removed)):
        yield from _named(f"  {what}", ids)
    for what, ids in items.by.items():
        yield from _named(f"  {what}", ids)


def _tables(found: Difference) -> Iterator[str]:
    for table in found.tables:
        said = list(_table(table))
        if said and table.table != "items":
            yield f"{table.table:<14} {'; '.join(said)}"


def _table(table: TableDifference) -> Iterator[str]:
    if table.same is None:
        yield f"not known: {table.why}"
        return
    if table.added:
        yield f"{table.added.count} rows added"
    if table.removed:
        yield f"{table.removed.count} removed"
    for column, ids in table.changed.items():
        yield f"{column} of {ids.count} {'measured anew' if column in table.measured else 'changed'}"
    if table.same is False and table.why is not None:
        yield f"changed: {table.why}"


def _audio(found: Difference) -> Iterator[str]:
    audio = found.audio
    if audio.resampled or bool(audio.files[0]) != bool(audio.files[1]):
        rates = [
            "none" if not n else f"{rate} Hz" if rate else "native"
            for n, rate in zip(audio.files, audio.rates, strict=True)
        ]
        yield f"audio          {' and '.join(rates)}"
    yield from _named("audio changed", audio.changed)
    yield from _named("encoded anew", audio.encoded)
    if audio.why is not None:
        yield f"audio          not known: {audio.why}"


def _counts(found: Difference) -> Iterator[str]:
    from earmark.cli.tables import table
    from earmark.pages.shown import shown

    rows = [
        [
            cell.what,
            f"{shown(cell.facet, 60)}{f', {shown(cell.kind, 40)}' if cell.kind else ''}",
            _number(cell.old),
            _number(cell.new),
        ]
        for cell in found.cells
        if cell.old != cell.new
    ]
    if rows:
        yield ""
        yield table(["counts", "of", "old", "new"], rows, right={2, 3})


def _metadata(found: Difference) -> Iterator[str]:
    from earmark.manifests.canonical import canonical_json
    from earmark.pages.shown import shown

    if found.metadata:
        yield ""
    for change in found.metadata[: 4 * _FEW]:
        old, new = (shown(canonical_json(value).decode(), 60) for value in (change.old, change.new))
        yield f"{shown(change.field, 60)}: {old}, now {new}"
    if len(found.metadata) > 4 * _FEW:
        yield f"and {len(found.metadata) - 4 * _FEW} more; --json has them"


def _step(proposal: Proposal, version: str | None) -> Iterator[str]:
    from earmark.manifests.revisions import Step

    yield ""
    least = "" if version is None else f": {version} or later"
    if proposal.step is Step.NONE:
        yield "no step: the data are the same"
    else:
        yield f"{proposal.step.name.lower()} step{least}, since {'; '.join(proposal.reasons[:_FEW])}"
    for text in proposal.unsure if proposal.step < Step.MAJOR else ():
        yield f"it may be a greater one: {text}"


def _named(what: str, ids: Ids) -> Iterator[str]:
    if ids:
        more = f", and {ids.count - _FEW} more" if ids.count > _FEW else ""
        yield f"{what:<14} {ids.count}: {', '.join(ids.shown[:_FEW])}{more}"


def _number(count: int | None) -> str:
    return "?" if count is None else str(count)
