"""Writing a leaderboard: the file, the page and the flat table, in one folder that is there whole or not at all."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, cast

from earmark.manifests import registry
from earmark.manifests.errors import EarmarkError
from earmark.manifests.scratch import scratch_beside
from earmark.scoring.leaderboard.csv_table import FILE as TABLE
from earmark.scoring.leaderboard.csv_table import leaderboard_csv

if TYPE_CHECKING:
    from earmark.manifests.leaderboard import Leaderboard
    from earmark.manifests.report import UseEntry
    from earmark.scoring.families import Marks

FILE, PAGE = "leaderboard.json", "leaderboard.html"
"""Names of the file and the page."""


def write_leaderboard(
    leaderboard: Leaderboard, out: Path, *, facet_names: Mapping[str, str] | None = None
) -> tuple[Path, ...]:
    """Write the file, the page and the table.

    Args:
        leaderboard: The leaderboard.
        out: Folder; it must not exist.
        facet_names: Names of facets for people.

    Returns:
        What was written.
    """
    from earmark.pages.leaderboard_page import leaderboard_html

    page = leaderboard_html(
        leaderboard, facet_names=facet_names, glossary=_glossaries(leaderboard), uses=_uses(leaderboard)
    )
    table = leaderboard_csv(leaderboard)
    with scratch_beside(out) as scratch:
        scratch.mkdir()
        leaderboard.write(scratch / FILE)
        (scratch / PAGE).write_text(page, encoding="utf-8", newline="\n")
        (scratch / TABLE).write_text(table, encoding="utf-8", newline="")
    return tuple(out / name for name in (FILE, PAGE, TABLE))


def _glossaries(leaderboard: Leaderboard) -> Mapping[str, Mapping[str, str]]:
    """What the metrics of each family mean, of those families that are installed here."""
    found = {}
    for name in _families(leaderboard):
        try:
            found[name] = cast("Marks", registry.family_module("scoring", name)).GLOSSARY
        except EarmarkError:
            continue
    return found


def _uses(leaderboard: Leaderboard) -> Mapping[str, UseEntry]:
    """What the figures of each family may be used for, of those that are installed here and say so."""
    found = {}
    for name in _families(leaderboard):
        try:
            use = registry.family(name).use
        except EarmarkError:
            continue
        if use is not None:
            found[name] = use
    return found


def _families(leaderboard: Leaderboard) -> list[str]:
    return sorted({str(board.ground.get("family")) for board in leaderboard.boards})
