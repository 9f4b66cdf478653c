"""Trajectory accuracy dialogue by dialogue."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from earmark.scoring.dialogues.figures import CHANCE
from earmark.scoring.dialogues.gold import read_gold
from earmark.scoring.dialogues.marks import mark
from earmark.scoring.ladder.credit import Credits, of_groups

if TYPE_CHECKING:
    from earmark.manifests.release import Release
    from earmark.scoring.decisions import Decisions
    from earmark.scoring.dialogues.marks import Marked


def credited(release: Release, decisions: Decisions) -> Credits | None:
    """The headline as credits of dialogues, the share of a dialogue's trajectories with both turns right; None without any."""
    return of_marked(mark(read_gold(release), decisions))


def of_marked(marked: Marked) -> Credits | None:
    """The same of marks; the two turns of a dialogue are one unit."""
    groups = marked.gold.groups
    guessed = np.full(len(groups), CHANCE["acc_traj"])
    return of_groups(groups, [""] * len(groups), marked.path.both, guessed)
