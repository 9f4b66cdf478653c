"""Drawing a panel: items by keyed hash under exact quotas, each in one order of presentation.

The draw is stratified by the gold, so it is made with the release key; what it writes names items and presentations only. An
item's rank depends on nothing but key, panel and item: another item in the release never reshuffles the rest.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from earmark.builders.panels.quotas import Cell, Tally, absent_cells, even_shares, split, spread
from earmark.builders.panels.recipe import PanelRecipe
from earmark.manifests.canonical import Json
from earmark.manifests.errors import ReleaseError
from earmark.manifests.family import Family
from earmark.manifests.findings import Findings, Severity, declare, nearest
from earmark.manifests.keys import rank
from earmark.manifests.panels import FORMAT, Entry, Panel, panel_secret
from earmark.manifests.release import Release
from earmark.manifests.rows import Row, optional_text, text, texts

TOO_FEW = declare("panel.too-few", Severity.ERROR, "a facet has fewer items than its quota")
UNKNOWN_FACET = declare("panel.unknown-facet", Severity.ERROR, "the release has no such facet")
UNKNOWN_COLUMN = declare("panel.unknown-column", Severity.ERROR, "the release's answers have no such column")
NOT_AUDIO = declare("panel.not-audio", Severity.ERROR, "raters listen, so the protocol must be one of audio")
NOTHING = declare("panel.nothing", Severity.ERROR, "the quotas ask for no item at all")
SHORT = declare(
    "panel.short-cell",
    Severity.WARNING,
    "a cell has fewer items than its even share; all are in, and its siblings have the rest",
)
ABSENT = declare("panel.absent-cell", Severity.WARNING, "a cell has no item, so its siblings have its share")

CHECKS = "control"
"""The facet whose items are attention checks and are in no quota."""

TIE, GOLD, KIND, TARGET = "tie", "gold", "kind", "target"


@dataclass(frozen=True)
class CellReport:
    """What became of one cell.

    Args:
        facet: Its facet.
        cell: Its labels, one for each column of the balance.
        available: Items it has.
        drawn: Items drawn of it.
        positions: Of those, how many stand in each position.
    """

    facet: str
    cell: Cell
    available: int
    drawn: int
    positions: Mapping[str, int]


@dataclass(frozen=True)
class Draw:
    """A panel and how it came about.

    Args:
        panel: What raters get.
        columns: Columns of the balance.
        cells: What became of each cell. It says how the golds are spread, so it is not for raters.
    """

    panel: Panel
    columns: tuple[str, ...]
    cells: tuple[CellReport, ...]

    def as_json(self) -> Mapping[str, Json]:
        """The report for machines."""
        return {
            "columns": list(self.columns),
            "cells": [
                {
                    "facet": cell.facet,
                    "cell": list(cell.cell),
                    "available": cell.available,
                    "drawn": cell.drawn,
                    "positions": dict(cell.positions),
                }
                for cell in self.cells
            ],
            "items": sum(not entry.check for entry in self.panel.entries),
            "checks": sum(entry.check for entry in self.panel.entries),
            "raters": list(self.panel.raters),
        }


@dataclass(frozen=True)
class _Item:
    """An item that may be drawn."""

    id: str
    facet: str
    cell: Cell
    positions: tuple[
        str, ...
    ]  # parallel to the protocol's orders: what each order of presentation means for the answer
    presentations: tuple[str, ...]


def draw_panel(release: Release, recipe: PanelRecipe, findings: Findings) -> Draw:
    """Draw a panel.

    Args:
        release: A release with its private side.
        recipe: What is wanted.
        findings: Where problems and uneven cells go.

    Raises:
        Refused: If it cannot be had; the findings say why.
        PrivateSideMissing: If this copy has no answers and no key.
        ReleaseError: If an item has no answer.
        UnknownName: If the release has no such protocol.
    """
    protocol = release.protocol(recipe.panel.protocol)
    if protocol.modality != "audio":
        findings.add(NOT_AUDIO, id=protocol.name, found=protocol.modality, expected="audio")
    _check_columns(release, recipe.balance.columns, findings)
    findings.require_none()
    items = _items(release, protocol.name, recipe.balance.columns)
    quotas = _quotas(recipe, items, findings)
    of_facet: dict[str, list[_Item]] = defaultdict(list)
    for item in items:
        of_facet[item.facet].append(item)
    for facet, demand in quotas.items():
        if len(of_facet[facet]) < demand:
            findings.add(TOO_FEW, id=facet, found=f"{len(of_facet[facet])} items", expected=f"{demand} or more")
    findings.require_none()
    ranks = _Ranks(release.key, recipe.panel.seed, recipe.panel.name)
    tally = Tally()
    entries, cells = [], []
    for facet, demand in sorted(quotas.items()):
        columns = recipe.balance.columns if facet != CHECKS else ()
        drawn, report = _of_facet(of_facet[facet], demand, len(columns), ranks, tally, findings)
        entries += [
            Entry(item=item.id, presentation=item.presentations[order], check=facet == CHECKS) for item, order in drawn
        ]
        cells += report
    manifest = release.manifest
    panel = Panel(
        format=FORMAT,
        name=recipe.panel.name,
        release=f"{manifest.name}@{manifest.version}",
        content_hash=manifest.content_hash,
        protocol=protocol.name,
        raters=recipe.panel.names,
        secret=panel_secret(release.key, recipe.panel.name, recipe.panel.seed),
        entries=tuple(sorted(entries, key=lambda entry: entry.item)),
        instructions=recipe.page.instructions,
        embed_most_mb=recipe.page.embed_most_mb,
    )
    return Draw(panel, recipe.balance.columns, tuple(cells))


@dataclass(frozen=True)
class _Ranks:
    """The ranks of a panel's draw."""

    key: bytes
    seed: int
    panel: str

    def of(self, what: str, id: str) -> int:
        """The rank of one thing among others of its sort."""
        return rank(self.key, self.seed, f"panel {self.panel}: {what}", id)

    def ordered(self, what: str, items: Iterable[_Item]) -> list[_Item]:
        """Items by rank."""
        return sorted(items, key=lambda item: (self.of(what, item.id), item.id))


def _check_columns(release: Release, columns: Iterable[str], findings: Findings) -> None:
    """Every column of the balance must be one that is known of items."""
    known = (TIE, GOLD, KIND, TARGET, *(column.name for column in release.family.answer_columns))
    for column in columns:
        if column not in known:
            findings.add(UNKNOWN_COLUMN, id="[balance]", found=column, expected=nearest(column, known))


def _quotas(recipe: PanelRecipe, items: Iterable[_Item], findings: Findings) -> dict[str, int]:
    """How many items of each facet, those with none left out."""
    facets = sorted({item.facet for item in items} - {CHECKS})
    for facet in sorted(recipe.quotas.facets.keys() - set(facets)):
        findings.add(UNKNOWN_FACET, id=facet, expected=nearest(facet, facets))
    quotas = {facet: recipe.quotas.facets.get(facet, recipe.quotas.items) for facet in facets}
    if not any(quotas.values()):
        findings.add(NOTHING, id="[quotas]", expected="items or facets of 1 or more")
    return {facet: n for facet, n in {**quotas, CHECKS: recipe.checks.controls}.items() if n}


def _items(release: Release, protocol: str, columns: tuple[str, ...]) -> list[_Item]:
    """Every item that has a presentation in the protocol, with its labels."""
    family = release.family
    answers: dict[str, Row] = {text(row, "item_id"): row for row in release.table("answers").to_pylist()}
    shown: dict[str, dict[str, str]] = defaultdict(dict)
    for row in release.table("presentations").to_pylist():
        # What stands after a judge's own earlier answer cannot be shown alone.
        if protocol in texts(row, "protocols") and row["after"] is None:
            shown[text(row, "item_id")][text(row, "order")] = text(row, "presentation_id")
    items = []
    for row in release.table("items").to_pylist():
        id = text(row, "item_id")
        if not shown[id]:
            continue
        if id not in answers:
            raise ReleaseError(f"item {id} of {release.path} has no answer; `earmark validate` says what else is wrong")
        answer, orders = answers[id], sorted(shown[id])
        gold = text(answer, "gold")
        right = {order: _right(family, order, gold) for order in (*family.orders, *orders)}
        # Where the right answer reads alike in all orders, such as a tie, it is the order itself that is balanced.
        alike = len({right[order] for order in family.orders}) == 1
        positions = tuple(orders) if alike else tuple(right[order] for order in orders)
        tie = "tie" if family.reads and alike else "decided"
        known: dict[str, object] = {TIE: tie, TARGET: optional_text(row, TARGET), **answer}
        cell = tuple("" if known[column] is None else str(known[column]) for column in columns)
        items.append(_Item(id, text(row, "facet"), cell, positions, tuple(shown[id][order] for order in orders)))
    return items


def _right(family: Family, order: str, gold: str) -> str:
    """The choice that is right in an order of presentation."""
    return next((choice for choice in family.choices if family.decision(order, choice) == gold), gold)


def _of_facet(
    items: list[_Item], demand: int, columns: int, ranks: _Ranks, tally: Tally, findings: Findings
) -> tuple[list[tuple[_Item, int]], list[CellReport]]:
    """The items drawn of a facet, each with the number of its order, and the report of its cells."""
    facet = items[0].facet

    def of_cell(cell: Cell) -> int:
        return ranks.of("cells", " ".join((facet, *cell)))

    members: dict[Cell, list[_Item]] = defaultdict(list)
    for item in items:
        members[item.cell[:columns]].append(item)
    available = {cell: len(found) for cell, found in members.items()}
    counts = spread(demand, available, of_cell, tally)
    _report_uneven(facet, counts, available, findings)
    # Position is a column in which nothing runs short; items that can stand in other positions are a cell of their own.
    sorts: dict[Cell, list[_Item]] = defaultdict(list)
    for cell in sorted(counts):
        for item in ranks.ordered("items", members[cell])[: counts[cell]]:
            sorts[*cell, " ".join(sorted(item.positions))].append(item)
    demands = {sort: len(found) for sort, found in sorts.items()}
    room = {sort: dict.fromkeys(found[0].positions, len(found)) for sort, found in sorts.items()}
    placed = split(demands, room, _POSITION, of_cell, tally)
    drawn: list[tuple[_Item, int]] = []
    positions: dict[Cell, Counter[str]] = defaultdict(Counter)
    for sort, found in sorted(sorts.items()):
        ordered = iter(ranks.ordered("positions", found))
        for label in sorted(found[0].positions):
            taken = [next(ordered) for _ in range(placed[*sort, label])]
            drawn += [(item, item.positions.index(label)) for item in taken]
            positions[sort[:-1]][label] += len(taken)
    report = [
        CellReport(facet, cell, available[cell], counts[cell], dict(sorted(positions[cell].items())))
        for cell in sorted(available)
    ]
    return drawn, report


_POSITION = -1  # the number of the column that comes after all


def _report_uneven(facet: str, counts: Counter[Cell], available: Mapping[Cell, int], findings: Findings) -> None:
    """Say which cells have less than their even share, since their siblings have more."""
    width = max(len(cell) for cell in available)
    for columns in range(1, width + 1):
        here, there = Counter[Cell](), Counter[Cell]()
        for cell in available:
            here[cell[:columns]] += counts[cell]
            there[cell[:columns]] += available[cell]
        for cell in sorted(there):
            share = even_shares(here, cell, there)
            if here[cell] == there[cell] < share:
                id = " ".join((facet, *cell))
                findings.add(SHORT, id=id, found=f"{there[cell]} items", expected=f"{share} for an even share")
    for cell in absent_cells(available):
        if any(counts[other] for other in available if other[: len(cell) - 1] == cell[:-1]):
            findings.add(ABSENT, id=" ".join((facet, *cell)), found="0 items", expected="as many as its siblings")
