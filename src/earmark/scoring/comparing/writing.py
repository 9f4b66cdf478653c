"""What a comparison leaves behind: JSON, a page, the items that matching lost, and its tables in three forms."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from earmark.scoring.face import about
from earmark.scoring.families import family_marks

if TYPE_CHECKING:
    from earmark.manifests.release import Release
    from earmark.scoring.comparing.comparison import Compared

FILE, PAGE, LOST = "comparison.json", "comparison.html", "lost.csv"
"""The comparison, its page, and the items that `--matched` leaves out."""


def write_comparison(release: Release, compared: Compared, out: Path) -> tuple[str, ...]:
    """Write the comparison and its page, and the table of lost items where there is one.

    Args:
        release: The release that was marked on.
        compared: What came of it.
        out: Folder; made where it is absent.

    Returns:
        The names of the files.
    """
    from earmark.pages.comparison_page import comparison_html

    out.mkdir(parents=True, exist_ok=True)
    compared.comparison.write(out / FILE)
    manifest = release.manifest
    page = comparison_html(
        compared.comparison,
        title=f"{manifest.name} {manifest.version}: {len(compared.comparison.judges)} judges compared",
        glossary=family_marks(release).GLOSSARY,
        limits=release.family.limits,
        use=release.family.use,
        about=about(release),
    )
    (out / PAGE).write_text(page, encoding="utf-8", newline="\n")
    if compared.lost is None:
        return FILE, PAGE
    (out / LOST).write_text(compared.lost, encoding="utf-8", newline="")
    return FILE, PAGE, LOST


def write_tables(compared: Compared, out: Path) -> tuple[str, ...]:
    """Write every table as CSV, Markdown and LaTeX.

    Args:
        compared: What came of a comparison.
        out: Folder; made where it is absent.

    Returns:
        The names of the files.
    """
    from earmark.pages.cells import csv_text, latex_text, markdown_text
    from earmark.pages.comparison_tables import comparison_tables

    out.mkdir(parents=True, exist_ok=True)
    written = []
    for table in comparison_tables(compared.comparison):
        for ending, text in (("csv", csv_text), ("md", markdown_text), ("tex", latex_text)):
            name = f"{table.name}.{ending}"
            (out / name).write_text(text(table), encoding="utf-8", newline="")
            written.append(name)
    return tuple(written)
