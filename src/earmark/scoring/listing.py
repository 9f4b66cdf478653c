"""What a submission got of each item, as a table: for whoever looks for items that are hard or wrong, and not for competitors.

Whoever knows what was predicted reads the answers from it, so that it is written only where it is asked for.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

from earmark.manifests.report import rounded_floats

if TYPE_CHECKING:
    pass

FILE = "items.csv"
"""Name of the table, beside the report."""

Listed: TypeAlias = Sequence[Mapping[str, str | float | None]]
"""Rows, all of the same columns."""


def items_csv(rows: Listed) -> str:
    """The table as CSV, floats to six significant digits, undefined values empty; of no rows nothing.

    >>> print(items_csv([{"group": "g1", "acc_1": 2 / 3}, {"group": "g2", "acc_1": None}]), end="")
    group,acc_1
    g1,0.666667
    g2,
    """
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]) if rows else [], lineterminator="\n")
    if rows:
        writer.writeheader()
    for row in rows:
        writer.writerow({name: rounded_floats(value) for name, value in row.items()})
    return text.getvalue()
