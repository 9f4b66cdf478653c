"""`earmark verify`: whether a copy is, byte for byte, what was published."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from earmark.cli.console import AsJson, Quiet, progress_bar, report_findings, say


def verify(
    copy: Annotated[Path, typer.Argument(help="Folder of a published copy, of its answers, or of a release.")],
    expect: Annotated[
        str | None, typer.Option(help="Content hash that it should have, such as a paper or a report names.")
    ] = None,
    media: Annotated[
        bool, typer.Option("--media", help="Also hash each clip in the shards, against the manifest, if all are there.")
    ] = False,
    jobs: Annotated[
        int | None, typer.Option(min=1, max=1024, help="Files read at a time; as many as there are cores without.")
    ] = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Check every file of a copy against its list of hashes, and the hashes that its manifest names."""
    from earmark.manifests.copies.verifying import verify as check
    from earmark.manifests.findings import Findings
    from earmark.pages.shown import shown

    findings = Findings()
    with progress_bar(quiet=quiet or as_json) as progress:
        found = check(copy, findings, jobs=jobs or os.cpu_count() or 1, progress=progress, expect=expect, media=media)
    manifest = None if found.release is None else found.release.manifest
    if not (as_json or quiet or findings.failed):
        by = "its list of hashes" if found.listed else "its manifest; it has no list of hashes"
        said = f"{found.files} files, {found.bytes / 1e6:,.1f} MB, checked against {by}"
        if manifest is not None:
            named = f"{manifest.name} {manifest.version}"
        elif found.answers_of is not None:
            named = f"answers of {shown(found.answers_of.replace('@', ' '))}"
        else:
            named = "a private side that was published by itself"
        say(f"{named}: {said}" + ("" if manifest is None else f"\ncontent hash {manifest.content_hash}"))
    extra = {
        "release": None if manifest is None else f"{manifest.name}@{manifest.version}",
        "content_hash": None if manifest is None else manifest.content_hash,
        "answers_of": found.answers_of,
        "listed": found.listed,
        "files": found.files,
        "bytes": found.bytes,
    }
    report_findings(findings, as_json=as_json, quiet=quiet, about=copy, extra=extra)
