"""The printed tables, the sizes behind them, and what somebody else computed of every cell."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path

from earmark.manifests.families.pairs import CROSS, NON_TIE, SAME, TIE
from earmark.manifests.report import ALL
from earmark.scoring.papers.parapair.counts import solve_sizes
from earmark.scoring.papers.parapair.tables import Place, Sizes, read_tables

TABLES = read_tables()
PARTS = {"overall": ALL, "NT": NON_TIE, "T": TIE, "Same": SAME, "Cross": CROSS}


@cache
def sizes() -> Sizes:
    return solve_sizes(TABLES)


def known_cells(shared_data: Path) -> Mapping[Place, Mapping[str, str]]:
    with (shared_data / "parapair" / "parapair_cells.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    return {(row["model"], row["criterion"].lower(), PARTS[row["cell"]]): row for row in rows}


def conflicting() -> Sizes:
    """One judge is right on non-ties alone and on all of one transcript, another on none of one transcript."""
    figures = {"non_tie": 1000, "tie": 0}
    own = {"Gemini 2.5 Flash": figures | {"same": 1000}, "GPT-4o Audio": figures | {"same": 0}}
    cells = tuple(
        replace(cell, tenths=own.get(cell.judge, {}).get(cell.part, cell.tenths)) if cell.criterion == "style" else cell
        for cell in TABLES.cells
    )
    return Sizes(replace(TABLES, cells=cells), sizes().same)
