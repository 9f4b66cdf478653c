"""Submissions that are compared: who judged, by which protocol, and what was decided."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from earmark.manifests.comparison import JudgeEntry
from earmark.manifests.errors import EarmarkError
from earmark.manifests.hashes import file_hash
from earmark.scoring.against import judged
from earmark.scoring.decisions.counts import counts
from earmark.scoring.face import read

if TYPE_CHECKING:
    from earmark.manifests.findings import Findings
    from earmark.manifests.release import Release
    from earmark.scoring.decisions import Decisions

MOST_JUDGES = 50
"""More submissions than this are 1,225 pairs, which nobody reads and few machines hold."""


@dataclass(frozen=True, eq=False)
class Entrant:
    """A submission beside others.

    Args:
        entry: What a comparison says of it.
        decisions: What was decided, by its own protocol.
    """

    entry: JudgeEntry
    decisions: Decisions

    @property
    def name(self) -> str:
        """What it is called, unlike any other."""
        return self.entry.name

    @property
    def items(self) -> frozenset[str]:
        """The items that it owes."""
        return frozenset(self.decisions.owed.item)


def read_entrants(
    release: Release, files: Sequence[str | Path], findings: Findings, *, protocol: str | None = None
) -> tuple[Entrant, ...]:
    """Read submissions.

    Args:
        release: The release that they are for.
        files: Two to 50 prediction files; each follows the protocol that it names.
        findings: Where problems go.
        protocol: The protocol of files that name none; the release's first one without.

    Raises:
        EarmarkError: If there are too few or too many, or a file cannot be read.
        UnknownName: If the release has no such protocol.
    """
    if not 2 <= len(files) <= MOST_JUDGES:
        raise EarmarkError(f"a comparison is of 2 to {MOST_JUDGES} submissions, not of {len(files)}")
    for file in files:
        if not Path(file).is_file():
            raise EarmarkError(f"cannot read {file}: no such file")
    if protocol is not None:
        release.protocol(protocol)
    opened = [read(release, Path(file), None, findings, unnamed=protocol) for file in files]
    entrants, named = [], judged(opened, usual=release.protocol(None).name)
    for file, (submission, decisions), one in zip(files, opened, named, strict=True):
        access, architecture = one.judge.get("access"), one.judge.get("architecture")
        entry = JudgeEntry(
            name=one.name,
            file=submission.name,
            file_hash=file_hash(Path(file)),
            protocol=decisions.owed.protocol,
            modality=release.protocol(decisions.owed.protocol).modality,
            access=access if isinstance(access, str) else None,
            architecture=architecture if isinstance(architecture, str) else None,
            judge=one.judge,
            counts=counts(release, decisions),
        )
        entrants.append(Entrant(entry, decisions))
    return tuple(entrants)


def coverage_of(entry_counts: dict[str, int] | None) -> float | None:
    """Share of what is owed that has a valid answer; None where nothing is."""
    return entry_counts["ok"] / entry_counts["owed"] if entry_counts and entry_counts["owed"] else None
