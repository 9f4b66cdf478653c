"""What a judge is sent of a dialogue: each turn in its orders, turn 6 after turn 4 or by itself, in every modality on offer.

A presentation that several protocols owe is one presentation. In a sequential protocol turn 6 names only what is new, since the
conversation goes on; by itself it names every turn but turn 4, whose right rendering the public side never tells.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from earmark.builders.dialogues.releasing.ordering import Draws
from earmark.builders.dialogues.releasing.prompts import Round, prompt_id
from earmark.manifests import keys
from earmark.manifests.families.dialogues import (
    CONTEXT_TURNS,
    REVERSED,
    SEQUENTIAL_2,
    SEQUENTIAL_4,
    SHOWN,
    STORED,
    TARGETS,
    TURN_4,
    TURN_6,
    protocol_name,
)

_ORDERS = (STORED, REVERSED)


@dataclass(frozen=True)
class Asked:
    """An item and its clips, as presentations name them.

    Args:
        item: Its id.
        target: turn 4 or turn 6.
        context: The clip of each turn before it that has one rendering.
        options: Its two options in their stored order.
    """

    item: str
    target: str
    context: Mapping[int, str]
    options: Sequence[str]

    def shown(self, order: str, turns: Sequence[int]) -> tuple[list[str], list[str]]:
        """Labels and clips of some turns, and of the options in an order."""
        options = self.options[::-1] if order == REVERSED else self.options
        return [*(f"Turn {turn}" for turn in turns), *SHOWN], [*(self.context[turn] for turn in turns), *options]


@dataclass(frozen=True)
class Presented:
    """A presentation that is owed.

    Args:
        row: Its row.
        round: The prompt that it goes with.
    """

    row: dict[str, object]
    round: Round


class Presentations:
    """The presentations of one dialogue in one modality, each with the protocols that owe it."""

    def __init__(self, asked: Mapping[str, Asked], modality: str, key: bytes) -> None:
        """Begin with none.

        Args:
            asked: The two items by target.
            modality: What stands for a clip.
            key: The release key.
        """
        self._asked, self._modality, self._key = asked, modality, key
        self._presented: dict[str, Presented] = {}
        self._owed: dict[str, list[str]] = {}

    def owe_chain(self, chain: str, drawn: Draws) -> None:
        """Add all that the protocol of a chain owes."""
        if chain in (SEQUENTIAL_2, SEQUENTIAL_4):
            for first, second in drawn.sequences() if chain == SEQUENTIAL_2 else product(_ORDERS, _ORDERS):
                self._owe(chain, TURN_6, second, after=self._owe(chain, TURN_4, first, after=None))
        else:
            for target, order in product(TARGETS, _ORDERS):
                self._owe(chain, target, order, after=None)

    def all(self) -> list[Presented]:
        """What was added, in no order that means anything."""
        return [
            Presented({**presented.row, "protocols": self._owed[id]}, presented.round)
            for id, presented in self._presented.items()
        ]

    def _owe(self, chain: str, target: str, order: str, *, after: str | None) -> str:
        asked, modality = self._asked[target], self._modality
        id = keys.presentation_id(self._key, item=asked.item, order=order, after=after, modality=modality)
        if id not in self._presented:
            round: Round = "round_1" if target == TURN_4 else "direct" if after is None else "round_2"
            turns = CONTEXT_TURNS[target]
            labels, clips = asked.shown(order, turns[-1:] if after is not None else turns)
            row: dict[str, object] = {
                "presentation_id": id,
                "item_id": asked.item,
                "order": order,
                "after": after,
                "modality": modality,
                "prompt_id": prompt_id(asked.item, round, modality),
                "labels": labels,
                "clips": clips,
            }
            self._presented[id] = Presented(row, round)
            self._owed[id] = []
        name = protocol_name(chain, modality)
        if name not in self._owed[id]:
            self._owed[id].append(name)
        return id
