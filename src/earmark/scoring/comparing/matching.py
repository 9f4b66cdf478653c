"""What is left where only items count that every judge has a valid answer to: StanceBench's transcript ablation, section 6.

Such figures are conditional on who is compared, and move when somebody is added: they never stand without those over everything
that is owed.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from earmark.scoring.comparing.narrowing import whole_groups
from earmark.scoring.decisions import Outcome

if TYPE_CHECKING:
    from earmark.manifests.release import Release
    from earmark.scoring.comparing.entrants import Entrant
    from earmark.scoring.decisions import Decisions


@dataclass(frozen=True, eq=False)
class Matched:
    """Items that are kept, and who lost the others.

    Args:
        items: The items that all judges owe.
        kept: Those of them that count.
        lost: Item → judge → the worst that became of its presentations, of those judges that have no valid answer to it; none of
            an item that is lost with its group.
    """

    items: frozenset[str]
    kept: frozenset[str]
    lost: dict[str, dict[str, str]]


def matched(release: Release, entrants: Sequence[Entrant]) -> Matched:
    """The items every owed presentation of which is ok with all judges, whole groups of them."""
    items = frozenset.intersection(*(one.items for one in entrants))
    lost: dict[str, dict[str, str]] = {item: {} for item in sorted(items)}
    for one in entrants:
        for item, worst in worst_outcomes(one.decisions).items():
            if item in items and worst is not Outcome.OK:
                lost[item][one.name] = worst.name.lower()
    kept = whole_groups(release, [item for item, by in lost.items() if not by], items)
    return Matched(items, kept, {item: by for item, by in lost.items() if item not in kept})


def worst_outcomes(decisions: Decisions) -> dict[str, Outcome]:
    """Of each owed item the worst that became of its presentations."""
    names = sorted(set(decisions.owed.item))
    place = {name: n for n, name in enumerate(names)}
    worst = np.zeros(len(names), np.int64)
    np.maximum.at(worst, np.array([place[name] for name in decisions.owed.item], np.int64), decisions.outcomes())
    return {name: Outcome(value) for name, value in zip(names, worst.tolist(), strict=True)}


def lost_csv(release: Release, found: Matched, names: Sequence[str]) -> str:
    """Which items were lost, and what each judge had of them: `ok` where it was somebody else's loss, or the group's.

    Args:
        release: The release.
        found: What was kept.
        names: Names of the judges, in the order of columns.
    """
    from earmark.pages.cells import csv_cell

    table = release.table("items").select(["item_id", "facet", "group"])
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([csv_cell(cell) for cell in ("item_id", "facet", "group", *names)])
    for row in sorted(table.to_pylist(), key=lambda row: str(row["item_id"])):
        if row["item_id"] in found.lost:
            outcomes = [found.lost[row["item_id"]].get(name, "ok") for name in names]
            writer.writerow(
                [csv_cell(str(cell)) for cell in (row["item_id"], row["facet"], row["group"] or "", *outcomes)]
            )
    return text.getvalue()
