"""The verb of this room: other people's prediction files made into ours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from earmark.builders.converting.conversion import Wanted, Written
from earmark.builders.converting.formats import convert as convert_onto
from earmark.builders.converting.formats import format_named
from earmark.manifests.errors import EarmarkError
from earmark.manifests.findings import Findings

if TYPE_CHECKING:
    from earmark.manifests.release import Release


@dataclass(frozen=True)
class Converted:
    """What was converted.

    Args:
        written: What became of all that was read.
        losses: What files of the format do not say, or what is not taken over, one sentence each.
        findings: What was left out, and why.
    """

    written: Written
    losses: tuple[str, ...]
    findings: Findings


def convert(
    release: Release,
    files: Sequence[str | Path],
    out: str | Path,
    *,
    form: str,
    protocol: str | None = None,
    facet: str | None = None,
    judge: str | None = None,
) -> Converted:
    """Convert prediction files of another format, of one judge, onto a release.

    Args:
        release: The release that they answer; some formats need its private side.
        files: The files; together they become one.
        out: File to write, which ends in .jsonl; must not exist.
        form: Name of the format, such as `inspect`.
        protocol: The protocol that they answer, where they do not say.
        facet: The facet that they are about, where neither they nor the release say.
        judge: Who judged, where they do not say.

    Raises:
        UnknownName: If there is no such format or protocol.
        Refused: If a file is of no use, or nothing in them answers the release.
        DestinationExists: If there is something in the file's place.
        EarmarkError: If a file is not there, or the release is of another family or lacks what the format needs.
    """
    chosen, findings = format_named(form), Findings()
    for file in files:
        if not Path(file).is_file():
            raise EarmarkError(f"cannot read {file}: no such file")
    wanted = Wanted(protocol, facet, judge)
    written = convert_onto(chosen, [Path(file) for file in files], release, Path(out), wanted, findings)
    return Converted(written, chosen.losses, findings)
