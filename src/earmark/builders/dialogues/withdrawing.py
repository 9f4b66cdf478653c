"""What else of a release of dialogues speaks of those that are withdrawn: what was made for them, and how they were written."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pyarrow.compute as pc

from earmark.manifests.attempts import ATTEMPTS, WRITTEN

if TYPE_CHECKING:
    from earmark.builders.withdrawing import Remaining


def withdrawn(left: Remaining) -> Remaining:
    """Without the rows of dialogues of which nothing is left.

    Args:
        left: What the tables of every family hold still.
    """
    tables = dict(left.tables)
    for table in (ATTEMPTS, WRITTEN):
        rows = tables[table.name]
        tables[table.name] = rows.filter(pc.invert(pc.is_in(rows["dialogue"], value_set=left.gone.names)))
    return replace(left, tables=tables)
