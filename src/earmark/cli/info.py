"""`earmark info`: what a release holds."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from earmark.cli.console import AsJson, Quiet, say, say_json

if TYPE_CHECKING:
    from earmark.manifests.release import Manifest, Release
    from earmark.manifests.summary import Summary


def info(
    release: Annotated[Path, typer.Argument(help="Folder of the release.")],
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Print what a release is, how many items, speakers and conversations it has, and where its labels are from."""
    from earmark.manifests.release import open_release
    from earmark.manifests.summary import summarise

    opened = open_release(release)
    with opened.trusted("its items are counted"):
        summary = summarise(opened)
    if as_json:
        say_json(
            {
                "release": opened.manifest.as_json(),
                "content_hash": opened.manifest.content_hash,
                "label_source": opened.family.label_source,
                "cells": summary.as_json(),
            }
        )
    elif not quiet:
        say(info_text(opened, summary))


def info_text(release: Release, summary: Summary) -> str:
    """The same for people."""
    from earmark.cli.tables import pairs, table

    manifest, family = release.manifest, release.family
    facts = [
        ("family", f"{family.name}, {family.title}"),
        ("holds", sizes(manifest)),
        *(("corpus", f"{source.corpus} {source.version}, {source.licence}") for source in manifest.sources),
        *(
            ("protocol", f"{entry.name}: {entry.presentations} presentations as {entry.modality}")
            for entry in manifest.protocols
        ),
        ("gold", manifest.gold),
        ("labels", family.label_source),
        ("content", manifest.content_hash),
        ("made by", f"{manifest.builder}, release format {manifest.format}"),
    ]
    header = ["", "items", "speakers", "conversations", f"{' : '.join(summary.golds)}" if summary.private else ""]
    lines = [
        f"{manifest.name} {manifest.version}",
        "",
        pairs(facts),
        "",
        table(header, list(_tree(summary, {facet.id: facet.name for facet in manifest.facets})), right={1, 2, 3, 4}),
    ]
    if not summary.private:
        lines += ["", "This copy has no private side, so golds, speakers and conversations are not known."]
    return "\n".join(lines)


def sizes(manifest: Manifest) -> str:
    """How much of everything there is, for people."""
    items = sum(facet.items for facet in manifest.facets)
    presentations = manifest.tables["presentations"].rows  # several protocols may owe one
    media = manifest.media
    rate = "at the corpora's own rates" if media is None or media.rate is None else f"at {media.rate} Hz"
    return (
        f"{items} items of {len(manifest.facets)} facets, {presentations} presentations, "
        f"{manifest.tables['clips'].rows} clips, {'no audio' if media is None else f'audio {rate}'}"
    )


def _tree(summary: Summary, names: dict[str, str]) -> list[list[str]]:
    """A row per facet, under it one per gold, under that one per group, and all together at the end."""
    from earmark.manifests.summary import EVERY
    from earmark.pages.formats import NOTHING
    from earmark.pages.summary import facet_label

    rank = {gold: at for at, gold in enumerate([EVERY, *summary.golds])}
    rows = []
    for (facet, gold, group), counts in sorted(
        summary.cells.items(), key=lambda cell: (not cell[0][0], cell[0][0], rank.get(cell[0][1], len(rank)), cell[0])
    ):
        if (group and not gold) or (not facet and (gold or group)):
            continue
        label = f"    {group}" if group else f"  {gold}" if gold else facet_label(facet, names) or "all"
        known = [str(counts.speakers), str(counts.conversations or NOTHING)] if summary.private else ["?", "?"]
        rows.append([label, str(counts.items), *known, "" if gold or not facet else _by_gold(summary, facet)])
    return rows


def _by_gold(summary: Summary, facet: str) -> str:
    """A facet's items per gold, and how many times as many the commonest has as the rarest."""
    from earmark.manifests.summary import EVERY

    if not summary.private:
        return ""
    items = [summary.cells.get((facet, gold, EVERY)) for gold in summary.golds]
    ratio = summary.ratio(facet)
    shown = " : ".join("0" if counts is None else str(counts.items) for counts in items)
    return shown if ratio is None else f"{shown} ({ratio:.2f})"
