"""How many dialogues are asked for of each subscale, valence and scenario type, and by what names.

Within a subscale, any two cells differ by at most one dialogue, and so do any two valences and any two types. What is left over
goes round from subscale to subscale, so that the same holds of valences and of types over all of them.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Literal

import msgspec

from earmark.builders.dialogues.makers import Cell, Commission
from earmark.manifests.canonical import Json
from earmark.manifests.eqi import SCENARIO_TYPES, SUBSCALES, VALENCES
from earmark.manifests.findings import nearest

MOST_PER_SUBSCALE = 100_000

_ALL = {
    "subscales": tuple(subscale.slug for subscale in SUBSCALES),
    "valences": VALENCES,
    "types": tuple(type.slug for type in SCENARIO_TYPES),
}


class DialoguesSection(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[dialogues]`: how many dialogues of what.

    Args:
        per_subscale: Dialogues of each subscale; 151 of all 15 are the paper's 2,265.
        subscales: Slugs, or "all".
        valences: Positive, Negative, Conflict; or "all".
        types: Slugs of scenario types, or "all".
        spare: How many further dialogues of each subscale may be written where some are dropped.
        allow_shortfall: Whether a release is made though some of it cannot be had.

    Raises:
        ValueError: If a number is out of its range or a name is unknown or stands twice; all of them at once.
    """

    per_subscale: int = 3
    subscales: tuple[str, ...] | Literal["all"] = "all"
    valences: tuple[str, ...] | Literal["all"] = "all"
    types: tuple[str, ...] | Literal["all"] = "all"
    spare: int = 6
    allow_shortfall: bool = False

    def __post_init__(self) -> None:
        wrong = []
        if not 1 <= self.per_subscale <= MOST_PER_SUBSCALE:
            wrong.append(f"per_subscale {self.per_subscale} must be 1 to {MOST_PER_SUBSCALE}")
        if not 0 <= self.spare <= MOST_PER_SUBSCALE:
            wrong.append(f"spare {self.spare} must be 0 to {MOST_PER_SUBSCALE}")
        for what, valid in _ALL.items():
            names: Sequence[str] = getattr(self, what)
            if names == "all":
                continue
            wrong += [f"{what} has {name!r}: {nearest(name, valid)}" for name in names if name not in valid]
            wrong += [f"{what} has {name!r} twice" for name, count in Counter(names).items() if count > 1]
            wrong += [] if names else [f"{what} is empty"]
        if wrong:
            raise ValueError("; ".join(wrong))

    def chosen(self, what: Literal["subscales", "valences", "types"]) -> tuple[str, ...]:
        """The names of one kind in the order of Earmark's table, whatever their order in the recipe."""
        names: Sequence[str] = getattr(self, what)
        return tuple(name for name in _ALL[what] if names == "all" or name in names)


def commissions(section: DialoguesSection) -> tuple[Commission, ...]:
    """Every dialogue that is asked for, by subscale and number.

    >>> [commission.name for commission in commissions(DialoguesSection(per_subscale=2, subscales=("interpersonal_empathy",)))]
    ['interpersonal_empathy-0001', 'interpersonal_empathy-0002']
    """
    return tuple(
        Commission(f"{subscale}-{number:04d}", _cell(section, index, subscale, number))
        for index, subscale in enumerate(section.chosen("subscales"))
        for number in range(1, section.per_subscale + 1)
    )


def demand(section: DialoguesSection) -> dict[Cell, int]:
    """How many dialogues are asked for of each cell, those of which none is among them, in the order of the tables."""
    counts = Counter(commission.cell for commission in commissions(section))
    return {
        cell: counts[cell]
        for subscale in section.chosen("subscales")
        for valence in section.chosen("valences")
        for type in section.chosen("types")
        for cell in [Cell(subscale, valence, type)]
    }


def further(section: DialoguesSection, cell: Cell, taken: Collection[str]) -> Commission | None:
    """A dialogue in place of one that was dropped, of the same cell; None where its subscale has no spare one left.

    Its name follows from its cell, so that it does not matter which of two cells lost a dialogue first.

    Args:
        section: What is asked for.
        cell: The cell that lacks one.
        taken: Names of all dialogues that were commissioned so far.

    >>> further(DialoguesSection(), Cell("interpersonal_empathy", "Conflict", "sport"), []).name
    'interpersonal_empathy-conflict-sport-r1'
    """
    replacing = [name for name in taken if name.startswith(f"{cell.subscale}-") and name.rpartition("-")[2][:1] == "r"]
    if len(replacing) >= section.spare:
        return None
    number = 1
    while (name := f"{cell.subscale}-{cell.valence.lower()}-{cell.type}-r{number}") in taken:
        number += 1
    return Commission(name, cell)


def quota_report(section: DialoguesSection, filled: Iterable[Cell]) -> dict[str, Json]:
    """What was asked for and what there is, over all and by subscale, valence and type; and every cell that lacks some.

    Args:
        section: What was asked for.
        filled: The cell of each dialogue that there is.
    """
    asked, got = demand(section), Counter(filled)
    short: list[Json] = [
        {"subscale": cell.subscale, "valence": cell.valence, "type": cell.type, "demand": count, "filled": got[cell]}
        for cell, count in asked.items()
        if got[cell] < count
    ]
    return {
        "demand": sum(asked.values()),
        "filled": sum(got.values()),
        "by_subscale": _margin(asked, got, "subscale"),
        "by_valence": _margin(asked, got, "valence"),
        "by_type": _margin(asked, got, "type"),
        "short": short,
    }


def _margin(asked: Mapping[Cell, int], got: Mapping[Cell, int], what: str) -> dict[str, Json]:
    names = dict.fromkeys(getattr(cell, what) for cell in [*asked, *got])
    counted = {
        name: {
            column: sum(count for cell, count in counts.items() if getattr(cell, what) == name)
            for column, counts in (("demand", asked), ("filled", got))
        }
        for name in names
    }
    return {name: dict(counts) for name, counts in counted.items()}


def _cell(section: DialoguesSection, index: int, subscale: str, number: int) -> Cell:
    """The cell of a number. Cells are gone through along diagonals, which visit rows and columns in turn.

    One round along a diagonal comes back to where it began after lcm(rows, columns) steps; the next round then starts a column
    further. Each subscale starts where the leftovers of the one before it ended.
    """
    valences, types = section.chosen("valences"), section.chosen("types")
    rows, columns = len(valences), len(types)
    step, left = (number - 1) % (rows * columns), section.per_subscale % (rows * columns)
    row = step + index * (left % rows)
    column = step + step // math.lcm(rows, columns) + index * (left % columns)
    return Cell(subscale, valences[row % rows], types[column % columns])
