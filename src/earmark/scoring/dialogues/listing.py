"""What a submission got of each dialogue: the accuracies of both turns and of the trajectories, by answers and by votes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from earmark.scoring.dialogues.figures import CHANCE, VOTE, columns_of
from earmark.scoring.dialogues.gold import UNKNOWN, read_gold
from earmark.scoring.dialogues.marks import mark

if TYPE_CHECKING:
    from earmark.manifests.release import Release
    from earmark.scoring.decisions import Decisions
    from earmark.scoring.listing import Listed

METRICS = (*CHANCE, *(f"{metric}{VOTE}" for metric in CHANCE))
"""Of each dialogue, in the order of columns; acc_1 is that of its item of turn 4, acc_2 that of its item of turn 6."""

FAILED = "failed"
"""Share of a dialogue's owed presentations without a valid answer."""


def listed(release: Release, decisions: Decisions) -> Listed:
    """A row for each dialogue that is owed, by subscale and id: its items, what it is of, and what was got of it.

    Every figure of a report is the mean of its column here, over the rows of its facet or slice.

    Args:
        release: A release with its private side.
        decisions: What was decided.
    """
    marked = mark(read_gold(release), decisions)
    gold, columns = marked.gold, columns_of(marked)
    kinds = {"facet": gold.facet, "composite": gold.composite, "valence": gold.valence}
    kinds["scenario_type"] = gold.scenario_type
    rows: list[dict[str, str | float | None]] = []
    for n, (group, (item_1, item_2)) in enumerate(zip(gold.groups, gold.items, strict=True)):
        row: dict[str, str | float | None] = {"group": group, "item_1": item_1, "item_2": item_2}
        row |= {name: None if values[n] == UNKNOWN else str(values[n]) for name, values in kinds.items()}
        rows.append(row | {name: float(columns[name][n]) for name in (*METRICS, FAILED)})
    return rows
