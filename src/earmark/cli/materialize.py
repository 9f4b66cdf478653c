"""`earmark materialize`: complete a release whose audio may not be shipped, from one's own corpora."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from earmark.cli.console import AsJson, Destination, Quiet, complain, progress_bar, report_findings, say

if TYPE_CHECKING:
    from earmark.builders.materializing.materialize import Materialized, Order
    from earmark.manifests.canonical import Json


def materialize(
    release: Annotated[Path, typer.Argument(help="Folder of the release, or of a published copy of it.")],
    out: Destination,
    corpus: Annotated[
        list[str] | None, typer.Option(help="NAME=DIR, where your copy of a corpus lies; once for each.")
    ] = None,
    elsewhere: Annotated[
        bool,
        typer.Option(
            "--elsewhere",
            help="Also take another file of the same name, such as a FLAC copy, if its samples are right.",
        ),
    ] = False,
    jobs: Annotated[
        int | None, typer.Option(min=1, max=1024, help="Clips cut at a time; as many as there are processors without.")
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Continue an earlier run.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Move an existing release aside.")] = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Make the release with all of its audio: cut each clip, hold its samples to the hash that was published, write it."""
    from earmark.builders.materializing.materialize import Order
    from earmark.cli.present import corpus_roots
    from earmark.manifests.release import open_release

    order = Order(
        release=open_release(release),
        out=out,
        roots=corpus_roots(corpus),
        elsewhere=elsewhere,
        jobs=jobs or os.cpu_count() or 1,
        resume=resume,
        force=force,
    )
    made = _make(order, silent=quiet or as_json)
    if not as_json and made.release is not None and not quiet:
        say(made_text(made))
    if not as_json and made.release is None:
        complain(f"{causes_text(made)}\n")
    report_findings(made.findings, as_json=as_json, quiet=quiet, about=out, extra=_extra(made))


def _make(order: Order, *, silent: bool) -> Materialized:
    """Do it; if somebody stops it, or clips are not as they should be, say what is left."""
    from earmark.builders.materializing.materialize import materialize
    from earmark.manifests.building import partial_of

    partial = partial_of(order.out)
    try:
        with progress_bar(quiet=silent) as progress:
            made = materialize(order, progress)
    except KeyboardInterrupt:
        if partial.exists():
            complain(f"{partial} holds what was done; --resume continues it")
        raise
    if made.release is None and partial.exists():
        complain(f"{partial} holds the clips that are as they should be; --resume continues with the others")
    return made


def made_text(made: Materialized) -> str:
    """What was made, for people."""
    from earmark.cli.info import sizes
    from earmark.cli.tables import pairs

    if made.release is None:
        return ""
    manifest, clips = made.release.manifest, made.clips
    facts = [
        ("  cut", f"{clips['cut'] + clips['resumed']} clips, {clips['resumed']} of them by an earlier run"),
        ("  copied", f"{clips['copied']} clips, whose audio the release has"),
    ]
    return f"{made.release.path}: {manifest.name} {manifest.version}, {sizes(manifest)}\n{pairs(facts)}\n"


def causes_text(made: Materialized) -> str:
    """What the copies do not give, by cause, for people."""
    from earmark.cli.tables import table
    from earmark.manifests.findings import declared_codes

    means = {code.name: code.means for code in declared_codes()}
    rows = [
        [corpus, str(count), code, means[code]]
        for corpus, counts in made.causes.items()
        for code, count in counts.items()
    ]
    return table(["corpus", "clips", "cause", ""], rows, right=[1]) if rows else ""


def _extra(made: Materialized) -> dict[str, Json]:
    """What a machine is told besides the findings."""
    if made.release is None:
        return {**made.as_json(), "release": None}
    manifest = made.release.manifest
    return {
        **made.as_json(),
        "release": {
            "path": str(made.release.path),
            "name": manifest.name,
            "version": manifest.version,
            "content_hash": manifest.content_hash,
        },
    }
