"""Who speaks whom: two voices that are not the same, from the pools of the speakers' genders, drawn by the dialogue's name."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from earmark.builders.dialogues.records import Dialogue
from earmark.builders.miniatures.dice import Dice

_SEED = 0  # the name alone decides, so that a dialogue keeps its voices in every build


class Pools(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The voices that a speaker of each gender may have; a voice may stand in several.

    Args:
        female: For women.
        male: For men.
        nonbinary: For non-binary people: a pool of its own, and not the men's.

    Raises:
        ValueError: A pool has fewer than two voices, or one twice, or is the men's for non-binary people.
    """

    female: tuple[str, ...]
    male: tuple[str, ...]
    nonbinary: tuple[str, ...]

    def __post_init__(self) -> None:
        for name in self.__struct_fields__:
            voices: tuple[str, ...] = getattr(self, name)
            if len(set(voices)) < 2 or len(set(voices)) < len(voices) or not all(voices):
                raise ValueError(
                    f"the pool {name!r} is {list(voices)}; it must have two different voices or more, none of them twice"
                )
        for gender, others in (("male", self.male), ("female", self.female)):
            if set(self.nonbinary) <= set(others):
                raise ValueError(
                    f"every voice of the pool 'nonbinary' is one of the pool {gender!r}; it must have others, or all"
                )

    @property
    def voices(self) -> tuple[str, ...]:
        """All voices, each once, by name."""
        return tuple(sorted({*self.female, *self.male, *self.nonbinary}))


def cast_by_name(dialogue: Dialogue, pools: Pools) -> tuple[str, str]:
    """The voices of the first and the second speaker.

    Args:
        dialogue: Its name and the genders of its speakers decide.
        pools: What is drawn from; the order within a pool plays no part.
    """
    dice = Dice(_SEED).within("cast", dialogue.name)
    first = _drawn(_pool(pools, dialogue.scenario.first.gender), dice.within("first"))
    others = [voice for voice in _pool(pools, dialogue.scenario.second.gender) if voice != first]
    return first, _drawn(others, dice.within("second"))


def _pool(pools: Pools, gender: str) -> tuple[str, ...]:
    return {"female": pools.female, "male": pools.male, "nonbinary": pools.nonbinary}[gender]


def _drawn(voices: Sequence[str], dice: Dice) -> str:
    """The voice whose own draw is least: another voice in the pool changes only what it wins."""
    return min(voices, key=lambda voice: (dice.unit(voice), voice))
