"""A leaderboard as one HTML page that loads nothing: a table to each board, sortable by any column.

Without its script it is a plain table, in the order of the headline. The script is all that may run: the policy in the page's
head names its hash. Everything from outside goes through `shown` and the template's escaping. Equal input is equal bytes.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files

from earmark.manifests.canonical import json_text
from earmark.manifests.leaderboard import UNDECLARED, Board, Kind, Leaderboard, Standing
from earmark.manifests.report import EVERY_FACET, OVERALL, UseEntry
from earmark.pages.formats import metric_label
from earmark.pages.leaderboard_dots import Dot, leaderboard_dots
from earmark.pages.leaderboard_rows import Rows, labels, rows_of, rules_of
from earmark.pages.notes import conditional_note
from earmark.pages.purposes import purposes
from earmark.pages.shown import shown, shown_lines
from earmark.pages.svg import Figure
from earmark.pages.templates import render_template

PARTS = (("outcome", "other outcomes"), ("facet", "facets"), ("figure", "further figures"), ("judge", "judge and run"))
"""Columns that are shown where asked for, as the table names their part and as people do."""


@dataclass(frozen=True)
class Section:
    """What the page has of one board.

    Args:
        title: Its heading.
        headline: Name of the headline, for people.
        means: What it means.
        source: Where the labels are from.
        table: The table.
        parts: Parts of the table that can be shown, as `PARTS` has them.
        notes: What the table's marks mean.
        figures: Captions and figures.
        signature: What all of its rows have in common.
    """

    title: str
    headline: str
    means: str
    source: str
    table: Rows
    parts: tuple[tuple[str, str], ...]
    notes: tuple[str, ...]
    figures: tuple[tuple[str, Figure], ...]
    signature: str


def leaderboard_html(
    leaderboard: Leaderboard,
    *,
    facet_names: Mapping[str, str] | None = None,
    glossary: Mapping[str, Mapping[str, str]] | None = None,
    uses: Mapping[str, UseEntry] | None = None,
) -> str:
    """The page of a leaderboard.

    Args:
        leaderboard: The leaderboard.
        facet_names: Names of facets for people; an unnamed one stands as its id.
        glossary: For each family, what its metrics mean.
        uses: For each family that says so, what its figures may be used for.

    Returns:
        An HTML document that is well-formed XML too.
    """
    script = files("earmark.pages.templates").joinpath("leaderboard.js").read_text(encoding="utf-8").strip()
    names = {OVERALL: EVERY_FACET, **(facet_names or {})}
    releases = sorted({str(board.ground.get("release")) for board in leaderboard.boards})
    grounds = {json_text(board.ground) for board in leaderboard.boards}
    return render_template(
        "leaderboard.html.j2",
        {
            "title": f"Leaderboard of {shown(', '.join(releases), 300) or 'no reports'}",
            "sections": [_section(board, names, glossary or {}) for board in leaderboard.boards],
            "grounds": len(grounds),
            "uses": [(shown(family, 60), purposes(use)) for family, use in sorted((uses or {}).items())],
            "kinds": {Kind.PEOPLE: "people", Kind.RULE: "does not listen"},
            "script": script,
            "script_hash": base64.b64encode(hashlib.sha256(f"\n{script}\n".encode()).digest()).decode(),
        },
    )


def _section(board: Board, names: Mapping[str, str], glossary: Mapping[str, Mapping[str, str]]) -> Section:
    table = rows_of(board, names)
    headlines = [entry for one in board.standings if (entry := one.find(board.headline)) is not None]
    present = {column.part for column in table.columns}
    levels = sorted({interval.level for entry in headlines for interval in entry.intervals[:1]})
    by = sorted({shown(interval.by, 40) for entry in headlines for interval in entry.intervals[:1]})
    notes = [
        f"Brackets are {' or '.join(f'{100 * level:g} %' for level in levels)} intervals by {' or '.join(by)}."
        if by
        else "",
        conditional_note(headlines, first_only=True),
    ]
    modality = f"{shown(board.modality, 60)} in place of a clip" if board.modality != "audio" else "clips as audio"
    dots = [
        Dot(_group(one), name, one.kind, one.find(board.headline))
        for one, name in zip(board.standings, labels(board.standings), strict=True)
    ]
    dots.sort(key=lambda dot: dot.group)  # and within a group as they stand
    caption = f"{metric_label(board.headline)} by access and architecture"
    return Section(
        title=f"{shown(str(board.ground.get('release')), 120)}, protocol {shown(board.protocol, 80)}, {modality}",
        headline=metric_label(board.headline),
        means=shown(glossary.get(str(board.ground.get("family")), {}).get(board.headline, ""), 1000),
        source=shown(board.label_source, 2000),
        table=table,
        parts=tuple(part for part in PARTS if part[0] in present),
        notes=tuple(note for note in notes if note),
        figures=((caption, leaderboard_dots(dots, rules_of(board), metric=board.headline)),),
        signature=shown_lines(json_text({**board.ground, "protocol": board.protocol, "modality": board.modality})),
    )


def _group(one: Standing) -> str:
    if one.kind is Kind.RULE:
        return "rules that were submitted"
    said = [shown(one.said(field).replace("_", " "), 40) for field in ("access", "architecture")]
    return ", ".join(text for text in said if text != UNDECLARED) or "access and architecture undeclared"
