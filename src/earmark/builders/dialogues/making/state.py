"""How far a build of dialogues is: what was commissioned, written and read, and what of it goes on to be spoken."""

from __future__ import annotations

from dataclasses import dataclass, field

from earmark.builders.dialogues.makers import Cell, Commission, Unwritten
from earmark.builders.dialogues.oracle import Verdict
from earmark.builders.dialogues.records import Dialogue


@dataclass
class BuildState:
    """How far a build is.

    Args:
        asked: Everything that was commissioned, in order.
        dialogues: What was written, by name.
        unwritten: What was not.
        verdicts: What was read of each.
        surplus: Names of those that are more than their cell asks for.
    """

    asked: list[Commission]
    dialogues: dict[str, Dialogue] = field(default_factory=dict)
    unwritten: dict[str, Unwritten] = field(default_factory=dict)
    verdicts: dict[str, Verdict] = field(default_factory=dict)
    surplus: set[str] = field(default_factory=set)

    @property
    def cells(self) -> dict[str, Cell]:
        """What each was asked to be."""
        return {commission.name: commission.cell for commission in self.asked}

    def to_speak(self) -> list[Dialogue]:
        """What is spoken: written, read rightly, and not one too many."""
        return [
            dialogue
            for name, dialogue in self.dialogues.items()
            if name not in self.surplus and (name not in self.verdicts or self.verdicts[name].dropped is None)
        ]
