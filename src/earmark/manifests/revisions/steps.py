"""The step that a version's number owes: the same data, additions alone, or something edited, removed or dealt anew.

The rules are those of Croissant 1.1 for data. What a release was sampled from and how it was made is no data: marks do not depend
on it. Neither are measured columns, which stand outside content hashes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from earmark.manifests.errors import EarmarkError
from earmark.manifests.findings import Findings, Severity, declare
from earmark.manifests.release import MANIFEST
from earmark.manifests.revisions.difference import OtherLine, difference
from earmark.manifests.revisions.records import AudioDifference, Difference, TableDifference
from earmark.manifests.revisions.versions import Step, Version

if TYPE_CHECKING:
    from earmark.manifests.release import Release

OTHER_LINE = declare("version.other-line", Severity.ERROR, "the earlier version is one of another release")
NO_VERSION = declare("version.unreadable", Severity.ERROR, "a version is not MAJOR.MINOR.PATCH")
NOT_NEWER = declare("version.not-newer", Severity.ERROR, "the version is earlier than the one before it")
SAME_VERSION = declare("version.same-version", Severity.ERROR, "a version that is out already, with other content")
SAME_DATA = declare(
    "version.same-data", Severity.WARNING, "a version that is out already, with the same data in other files"
)
TOO_SMALL = declare(
    "version.step-too-small", Severity.ERROR, "the step from the version before is smaller than what changed"
)
UNSURE = declare("version.step-unsure", Severity.WARNING, "the step may owe more than can be seen from here")

Reason = tuple[Step, str]


@dataclass(frozen=True)
class Proposal:
    """The smallest step that a difference owes.

    Args:
        step: The step.
        reasons: What makes it that, in words.
        unsure: What could not be compared, which may make it a greater one.
    """

    step: Step
    reasons: tuple[str, ...]
    unsure: tuple[str, ...]


def smallest_step(found: Difference) -> Proposal:
    """The smallest step that a difference owes, and why."""
    reasons = list(_reasons(found))
    step = max((step for step, _ in reasons), default=Step.NONE)
    unsure = [
        f"{table.table}: {table.why}" for table in found.tables if table.is_data and table.same is None and table.why
    ]
    if found.audio.why is not None:
        unsure.append(f"audio: {found.audio.why}")
    return Proposal(step, tuple(text for owed, text in reasons if owed is step), tuple(unsure))


def proposed_version(old: str, found: Difference) -> str:
    """The first version that may follow an old one.

    Args:
        old: The old version.
        found: What differs from it.

    Raises:
        EarmarkError: If the old one is no version.
    """
    return str(Version.of(old).after(smallest_step(found).step))


def require_step(
    old: Release, new: Release, findings: Findings, *, found: Difference | None = None
) -> Difference | None:
    """Hold the version of a release against the one before it.

    Args:
        old: The version before it, such as the published copy.
        new: The release that is to be published.
        findings: Where it goes if the step is too small, or the number no later one.
        found: What they differ in, where that is known already.

    Returns:
        What they differ in; None where they are no versions of one line.

    Raises:
        ReleaseError: If a table cannot be read.
    """
    try:
        before, now = Version.of(old.manifest.version), Version.of(new.manifest.version)
        found = difference(old, new) if found is None else found
    except OtherLine as error:
        findings.add(OTHER_LINE, file=MANIFEST, found=error, expected="an earlier version of the same release")
        return None
    except EarmarkError as error:
        if type(error) is not EarmarkError:
            raise
        findings.add(NO_VERSION, file=MANIFEST, found=error, expected="such as 1.0.0")
        return None
    proposal, owed = smallest_step(found), proposed_version(str(before), found)
    why = "; ".join(proposal.reasons)
    if now < before:
        findings.add(
            NOT_NEWER, file=MANIFEST, column="version", found=now, expected=f"{owed} or later: {before} is out"
        )
    elif now == before and proposal.step > Step.PATCH:
        findings.add(SAME_VERSION, file=MANIFEST, column="version", found=f"{now}: {why}", expected=f"{owed} or later")
    elif now == before and proposal.step is Step.PATCH:
        findings.add(SAME_DATA, file=MANIFEST, column="version", found=f"{now}: {why}", expected=f"{owed}")
    elif now > before and before.step_to(now) < proposal.step:
        step = before.step_to(now).name
        expected = f"{owed} or later, a {proposal.step.name} step: {why}"
        findings.add(TOO_SMALL, file=MANIFEST, column="version", found=f"{now}, a {step} step", expected=expected)
    if proposal.step < Step.MAJOR and before.step_to(now) < Step.MAJOR:
        for text in proposal.unsure:
            findings.add(UNSURE, file=MANIFEST, column="version", found=text, expected="both private sides, to be sure")
    return found


def _reasons(found: Difference) -> Iterator[Reason]:
    items = found.items
    if items.removed:
        yield Step.MAJOR, f"{_many(items.removed.count, 'item')} removed"
    if items.added:
        yield Step.MINOR, f"{_many(items.added.count, 'item')} added"
    for table in found.tables:
        yield from _of_table(table, gone=bool(items.removed), come=bool(items.added))
    yield from _of_audio(found.audio)
    # Whether answers are open is a matter of the copy, and no version of the data.
    fields = [change.field for change in found.metadata if change.field != "gold"]
    if fields:
        more = f" and {len(fields) - 5} more" if len(fields) > 5 else ""
        yield Step.PATCH, f"{', '.join(fields[:5])}{more} said otherwise"


def _of_table(table: TableDifference, *, gone: bool, come: bool) -> Iterator[Reason]:
    if not table.is_data:
        if table.same is False or table.remeasured:
            yield Step.PATCH, f"{table.table} tells another story of how it was made"
        return
    # Rows go and come with items, of which it was said.
    if table.removed and not gone:
        yield Step.MAJOR, f"{_many(table.removed.count, 'row')} of {table.table} removed"
    if table.added and not come:
        yield Step.MINOR, f"{_many(table.added.count, 'row')} of {table.table} added"
    for column, ids in table.edited.items():
        if column == "protocols" and table.widened:
            yield Step.MINOR, f"{_many(ids.count, 'presentation')} owed by further protocols"
        else:
            yield Step.MAJOR, f"{table.table}.{column} of {_many(ids.count, 'row')} changed"
    if table.same is False and not (table.removed or table.added or table.edited):
        yield Step.MAJOR, f"{table.table} changed, by its hash"
    for column in table.remeasured:
        yield Step.PATCH, f"{table.table}.{column} measured anew"


def _of_audio(audio: AudioDifference) -> Iterator[Reason]:
    if audio.changed:
        yield Step.MAJOR, f"audio of {_many(audio.changed.count, 'clip')} changed"
    if audio.resampled:
        yield Step.MAJOR, f"audio at {_rate(audio.rates[1])}, not {_rate(audio.rates[0])}"
    if audio.files[0] and not audio.files[1]:
        yield Step.MAJOR, "no audio any more"
    if audio.files[1] and not audio.files[0]:
        yield Step.MINOR, "audio added"
    if audio.encoded:
        yield Step.PATCH, f"audio of {_many(audio.encoded.count, 'clip')} encoded anew"


def _rate(rate: int | None) -> str:
    return "native rates" if rate is None else f"{rate} Hz"


def _many(count: int, thing: str) -> str:
    return f"{count} {thing}{'s' if count != 1 else ''}"
