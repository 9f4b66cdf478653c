"""What must hold in a release of dialogues besides: its shape, its chains of presentations, and its voices.

Whether a prompt of turn 6 says what was chosen at turn 4 cannot be seen in a release: whoever runs the judge fills it in.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from earmark.validation.contents import Invariant
from earmark.validation.dialogues.chains import CHAINS
from earmark.validation.dialogues.renderings import RENDERINGS
from earmark.validation.dialogues.shape import SHAPE

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

    from earmark.validation.strategies.sketches import Sketch

INVARIANTS: tuple[Invariant, ...] = (*SHAPE, *CHAINS, *RENDERINGS)
"""What this family adds."""


def sketches(key: bytes) -> SearchStrategy[Sketch]:
    """How `strategies.releases("dialogues")` draws a release; needs Hypothesis."""
    from earmark.validation.strategies.dialogues import sketches as drawn

    return drawn(key)
