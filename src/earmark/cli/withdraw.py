"""`earmark withdraw`: the next version of a release without what somebody takes back."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from earmark.cli.console import AsJson, Destination, Quiet, progress_bar, report_findings, say

if TYPE_CHECKING:
    from earmark.manifests.canonical import Json


def withdraw(
    release: Annotated[Path, typer.Argument(help="Folder of the release, private side included.")],
    ids: Annotated[
        Path,
        typer.Option(
            help="File of ids, one a line: items, groups, clips; or speakers, conversations, paths of the corpus."
        ),
    ],
    reason: Annotated[str, typer.Option(help="Why, in a sentence that is published.")],
    out: Destination,
    answers: Annotated[Path | None, typer.Option(help="Private side, where it stands elsewhere.")] = None,
    version: Annotated[str | None, typer.Option(help="Version to be; the next major one without.")] = None,
    published: Annotated[
        str | None, typer.Option(help="Date on which it is published, such as 2026-01-31; none without.")
    ] = None,
    url: Annotated[str | None, typer.Option(help="Where it is published; as before without.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Move an existing OUT aside.")] = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Make the next version of a release without items that are withdrawn, and a list of them by id and reason.

    What stays is unchanged and keeps its ids, so that prediction files for the version before are still marked.
    """
    from earmark.builders.withdrawing import Withdrawal
    from earmark.builders.withdrawing import withdraw as make
    from earmark.manifests.release import open_release

    asked = Withdrawal(ids=ids, reason=reason, out=out, version=version, published=published, url=url, force=force)
    with progress_bar(quiet=quiet or as_json) as progress:
        made = make(open_release(release, private=answers), asked, progress)
    manifest, items = made.release.manifest, made.difference.items
    if not (as_json or quiet):
        say(
            f"{manifest.name} {manifest.version}: {items.removed.count} of {items.old} items withdrawn, {items.new} left"
        )
        say(f"release  {out}")
    extra: dict[str, Json] = {
        "release": str(out),
        "version": manifest.version,
        "content_hash": manifest.content_hash,
        "withdrawn": items.removed.as_json(),
        "left": items.new,
    }
    report_findings(made.findings, as_json=as_json, quiet=quiet, about=out, extra=extra)
