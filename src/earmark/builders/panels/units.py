"""What may be drawn for a panel: items, or whole groups of them such as dialogues, with their labels and ways to present them.

A way is one presentation of each item. Raters who choose as the judge does get presentations that stand alone; where they do not
choose, as when they rank what systems chose, a presentation may follow on another one of the same way.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from earmark.builders.panels.quotas import Cell
from earmark.manifests.errors import ReleaseError
from earmark.manifests.panels import Entry
from earmark.manifests.rows import Row, optional_text, text, texts

if TYPE_CHECKING:
    from earmark.builders.panels.recipe import PanelRecipe
    from earmark.manifests.family import Family
    from earmark.manifests.panel_forms import System
    from earmark.manifests.release import Release

CHECKS = "control"
"""The facet whose items are attention checks and are in no quota."""

TIE, TARGET = "tie", "target"
COLUMNS = (TIE, "gold", "kind", TARGET)
"""Columns that every family's items have; its own columns of answers come on top."""


@dataclass(frozen=True)
class Unit:
    """An item that may be drawn, or a group of items.

    Args:
        id: Its id.
        facet: Its facet.
        cell: Its labels: of each column one, or one of each item where the items of a group differ.
        positions: Parallel to `ways`: where the right answers stand in each.
        ways: The ways to present it, each with an entry for every item in the order of their targets.
    """

    id: str
    facet: str
    cell: Cell
    positions: tuple[str, ...]
    ways: tuple[tuple[Entry, ...], ...]


class _Shown(NamedTuple):
    """A presentation of an item, and where the right answer stands in it."""

    order: str
    id: str
    after: str | None
    position: str


def answered_ways(unit: Unit, systems: Sequence[System]) -> Unit:
    """The same with only those ways to which every system gave an answer; with all where there is none."""
    if not systems:
        return unit
    given = [{said.presentation for said in system.said if said.choice is not None} for system in systems]
    kept = [n for n, way in enumerate(unit.ways) if all(entry.presentation in said for entry in way for said in given)]
    if not kept:
        return unit
    return replace(unit, positions=tuple(unit.positions[n] for n in kept), ways=tuple(unit.ways[n] for n in kept))


def units_of(release: Release, protocol: str, recipe: PanelRecipe) -> list[Unit]:
    """Every item or group whose items all have a presentation in the protocol.

    Args:
        release: A release with its private side.
        protocol: Name of the protocol.
        recipe: Says whether groups are drawn, and which columns label them.

    Raises:
        ReleaseError: If an item has no answer.
    """
    answers: dict[str, Row] = {text(row, "item_id"): row for row in release.table("answers").to_pylist()}
    presented: dict[str, list[Row]] = defaultdict(list)
    for row in release.table("presentations").to_pylist():
        # What stands after a judge's own earlier answer cannot be shown to somebody who chooses.
        if protocol in texts(row, "protocols") and not (recipe.form.choose and row["after"] is not None):
            presented[text(row, "item_id")].append(row)
    together: dict[str, list[Row]] = defaultdict(list)
    for row in release.table("items").to_pylist():
        group = optional_text(row, "group") if recipe.quotas.groups is not None else text(row, "item_id")
        if group is not None:
            together[group].append(row)
    found = []
    for id, rows in together.items():
        ordered = sorted(rows, key=lambda row: (optional_text(row, TARGET) or "", text(row, "item_id")))
        items = [text(row, "item_id") for row in ordered]
        if not all(presented[item] for item in items):
            continue
        for item in items:
            if item not in answers:
                raise ReleaseError(
                    f"item {item} of {release.path} has no answer; `earmark validate` says what else is wrong"
                )
        group_id = None if recipe.quotas.groups is None else id
        shown = [_shown(release.family, presented[item], text(answers[item], "gold")) for item in items]
        facet = text(ordered[0], "facet")
        ways = _ways(items, shown, group_id, check=facet == CHECKS)
        labels = [_labels(release.family, row, answers[item]) for row, item in zip(ordered, items, strict=True)]
        found.append((id, facet, labels, ways))
    cells = _cells([labels for _, _, labels, _ in found], recipe.balance.columns)
    return [
        Unit(id, facet, cell, tuple(position for position, _ in ways), tuple(way for _, way in ways))
        for (id, facet, _, ways), cell in zip(found, cells, strict=True)
        if ways
    ]


def _shown(family: Family, rows: Sequence[Row], gold: str) -> list[_Shown]:
    """The presentations of an item, by order."""
    # Where the right answer reads alike in all orders, such as a tie, it is the order itself that is balanced.
    alike = _alike(family, gold)
    shown = []
    for row in rows:
        order = text(row, "order")
        position = order if alike else _right(family, order, gold)
        shown.append(_Shown(order, text(row, "presentation_id"), optional_text(row, "after"), position))
    return sorted(shown, key=lambda each: (each.order, each.id))


def _ways(
    items: Sequence[str], shown: Sequence[Sequence[_Shown]], group: str | None, *, check: bool
) -> list[tuple[str, tuple[Entry, ...]]]:
    """Every way to present some items, with the positions of their right answers."""
    ways = []
    for way in product(*shown):
        ids = {each.id for each in way}
        if any(each.after is not None and each.after not in ids for each in way):
            continue
        entries = tuple(
            Entry(item=item, presentation=each.id, check=check, group=group)
            for item, each in zip(items, way, strict=True)
        )
        ways.append((" then ".join(each.position for each in way), entries))
    return ways


def _cells(units: Sequence[Sequence[Mapping[str, str]]], columns: Sequence[str]) -> list[Cell]:
    """The cell of each unit: a column in which items of one unit differ anywhere gives a label for each item."""
    apart = {column: any(len({labels[column] for labels in items}) > 1 for items in units) for column in columns}
    return [
        tuple(labels[column] for column in columns for labels in (items if apart[column] else items[:1]))
        for items in units
    ]


def _labels(family: Family, item: Row, answer: Row) -> Mapping[str, str]:
    """Every label of an item that a balance may name."""
    alike = _alike(family, text(answer, "gold"))
    known: dict[str, object] = {
        TIE: "tie" if family.reads and alike else "decided",
        TARGET: optional_text(item, TARGET),
        **answer,
    }
    return {column: "" if label is None else str(label) for column, label in known.items()}


def _alike(family: Family, gold: str) -> bool:
    return len({_right(family, order, gold) for order in family.orders}) == 1


def _right(family: Family, order: str, gold: str) -> str:
    """The choice that is right in an order of presentation."""
    return next((choice for choice in family.choices if family.decision(order, choice) == gold), gold)
