"""What is drawn of a dialogue with the key: which option of a turn is stored first, and which two orders follow each other.

Within a subscale the resonant option is stored first in half of the dialogues, at turn 4 and at turn 6 each, independently of
each other. Ranks decide, so no row's place does.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from earmark.builders.dialogues.voiced import VoicedDialogue
from earmark.manifests import keys
from earmark.manifests.families.dialogues import REVERSED, STORED, TARGETS, TURN_4, TURN_6


@dataclass(frozen=True)
class Draws:
    """What was drawn of one dialogue.

    Args:
        turn_4: Whether its resonant option is stored first at turn 4.
        turn_6: And at turn 6.
        crossed: Whether in `sequential-2` an order is followed by the other one, and not by itself.
    """

    turn_4: bool
    turn_6: bool
    crossed: bool

    def resonant_first(self, target: str) -> bool:
        """Whether the resonant option of a target turn is stored first."""
        return {TURN_4: self.turn_4, TURN_6: self.turn_6}[target]

    def sequences(self) -> tuple[tuple[str, str], tuple[str, str]]:
        """The orders of turn 4 and turn 6 in the two conversations of `sequential-2`: each order stands once at each turn."""
        second = (REVERSED, STORED) if self.crossed else (STORED, REVERSED)
        return (STORED, second[0]), (REVERSED, second[1])


def draw(dialogues: Sequence[VoicedDialogue], *, key: bytes, seed: int) -> dict[str, Draws]:
    """What is drawn of each dialogue, by its full name; see `full_name`.

    Args:
        dialogues: In any order.
        key: The release key.
        seed: The seed.
    """
    drawn: dict[str, Draws] = {}
    for subscale in sorted({dialogue.subscale for dialogue in dialogues}):
        names = [full_name(dialogue) for dialogue in dialogues if dialogue.subscale == subscale]
        first = {target: _half(names, f"first at {target} in {subscale}", key, seed) for target in TARGETS}
        crossed = _half(names, f"sequence in {subscale}", key, seed)
        for name in names:
            drawn[name] = Draws(name in first[TURN_4], name in first[TURN_6], name in crossed)
    return drawn


def full_name(dialogue: VoicedDialogue) -> str:
    """A name that is unique among several corpora."""
    return f"{dialogue.corpus} {dialogue.name}"


def _half(names: Iterable[str], stratum: str, key: bytes, seed: int) -> frozenset[str]:
    """Half of the names, drawn; of an odd number the larger or the smaller half, drawn too."""
    ranked = sorted(names, key=lambda name: (keys.rank(key, seed, stratum, name), name))
    odd = len(ranked) % 2 and keys.rank(key, seed, f"{stratum}, the odd one", "") % 2
    return frozenset(ranked[: len(ranked) // 2 + odd])
