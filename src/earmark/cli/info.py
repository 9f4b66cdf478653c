"""`earmark info`: what a release holds."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from earmark.cli.console import AsJson, Quiet, say, say_json

if TYPE_CHECKING:
    from earmark.manifests.release import Release


def info(
    release: Annotated[Path, typer.Argument(help="Folder of the release.")],
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Print what a release is, how many items, speakers and conversations it has, and where its labels are from."""
    from earmark.manifests.release import open_release
    from earmark.manifests.summary import summarise

    opened = open_release(release)
    if as_json:
        say_json(
            {
                "release": opened.manifest.as_json(),
                "content_hash": opened.manifest.content_hash,
                "label_source": opened.family.label_source,
                "cells": summarise(opened).as_json(),
            }
        )
    elif not quiet:
        say(info_text(opened))


def info_text(release: Release) -> str:
    """The same for people."""
    from earmark.cli.tables import table
    from earmark.manifests.summary import EVERY, summarise

    manifest, family, summary = release.manifest, release.family, summarise(release)
    lines = [
        f"{manifest.name} {manifest.version}: {family.title}",
        f"format {manifest.format}, built by {manifest.builder}, gold {manifest.gold}, {manifest.content_hash}",
        f"audio: {'none, clips are recipes' if manifest.media is None else f'{manifest.media.files} files'}",
        *(f"corpus: {source.corpus} {source.version}, {source.licence}" for source in manifest.sources),
        *(
            f"protocol: {entry.name}, {entry.presentations} presentations ({entry.modality})"
            for entry in manifest.protocols
        ),
        f"labels: {family.label_source}",
        "",
    ]
    names = {facet.id: facet.name for facet in manifest.facets}
    rows = []
    for (facet, gold, group), counts in sorted(summary.cells.items(), key=lambda cell: (cell[0][0] == EVERY, cell[0])):
        if gold and not facet:
            continue
        ratio = summary.ratio(facet) if facet and not gold and not group else None
        known = [str(counts.speakers), str(counts.conversations)] if summary.private else ["?", "?"]
        first = f"{facet} {names.get(facet, '')}".strip() if facet and not gold and not group else facet or "all"
        if group and not gold:
            continue
        rows.append([first, gold, group, str(counts.items), *known, "" if ratio is None else f"{ratio:.2f}"])
    header = ["facet", "gold", family.answer_columns[0].name if family.answer_columns else "", "items", "speakers"]
    lines.append(table([*header, "conversations", "gold ratio"], rows, right=frozenset({3, 4, 5, 6})))
    if not summary.private:
        lines.append("This copy has no private side, so golds, speakers and conversations are not known.")
    return "\n".join(lines)
