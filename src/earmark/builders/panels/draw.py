"""Drawing a panel: items, or groups of them, by keyed hash under exact quotas, each in one order of presentation.

The draw is stratified by the gold, so it is made with the release key; what it writes names items and presentations only. An
item's rank depends on nothing but key, panel and item: another item in the release never reshuffles the rest.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import msgspec

from earmark.builders.panels.quotas import Cell, Tally, absent_cells, even_shares, split, spread
from earmark.builders.panels.recipe import PanelRecipe
from earmark.builders.panels.units import CHECKS, COLUMNS, Unit, answered_ways, units_of
from earmark.manifests.canonical import Json
from earmark.manifests.findings import Findings, Severity, declare, nearest
from earmark.manifests.keys import rank
from earmark.manifests.panel_forms import MOST_SYSTEMS, System
from earmark.manifests.panels import FORMAT, Panel, panel_secret
from earmark.manifests.release import Release

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
SYSTEMS = declare(
    "panel.systems", Severity.ERROR, "a panel ranks submissions where its recipe asks for ranks, and only there"
)


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


def draw_panel(release: Release, recipe: PanelRecipe, findings: Findings, systems: Sequence[System] = ()) -> Draw:
    """Draw a panel.

    Args:
        release: A release with its private side.
        recipe: What is wanted.
        findings: Where problems and uneven cells go.
        systems: Whose answers are ranked, where the recipe ranks; what they said to presentations that are not drawn is left out.

    Raises:
        Refused: If it cannot be had; the findings say why.
        PrivateSideMissing: If this copy has no answers and no key.
        ReleaseError: If an item has no answer.
        UnknownName: If the release has no such protocol.
    """
    protocol = release.protocol(recipe.panel.protocol)
    if protocol.modality != "audio":
        findings.add(NOT_AUDIO, id=protocol.name, found=protocol.modality, expected="audio")
    _check_systems(recipe, systems, findings)
    _check_columns(release, recipe.balance.columns, findings)
    findings.require_none()
    units = [answered_ways(unit, systems) for unit in units_of(release, protocol.name, recipe)]
    quotas = _quotas(recipe, units, findings)
    of_facet: dict[str, list[Unit]] = defaultdict(list)
    for unit in units:
        of_facet[unit.facet].append(unit)
    what = "items" if recipe.quotas.groups is None else "groups"
    for facet, demand in quotas.items():
        if len(of_facet[facet]) < demand:
            findings.add(TOO_FEW, id=facet, found=f"{len(of_facet[facet])} {what}", expected=f"{demand} or more")
    findings.require_none()
    ranks = _Ranks(release.key, recipe.panel.seed, recipe.panel.name)
    tally = Tally()
    drawn: list[tuple[Unit, int]] = []
    cells: list[CellReport] = []
    for facet, demand in sorted(quotas.items()):
        columns = len(units[0].cell) if facet != CHECKS else 0
        here, report = _of_facet(of_facet[facet], demand, columns, ranks, tally, what, findings)
        drawn += here
        cells += report
    manifest = release.manifest
    entries = tuple(entry for unit, way in sorted(drawn, key=lambda each: each[0].id) for entry in unit.ways[way])
    heard = {entry.presentation for entry in entries}
    panel = Panel(
        format=FORMAT,
        name=recipe.panel.name,
        release=f"{manifest.name}@{manifest.version}",
        content_hash=manifest.content_hash,
        protocol=protocol.name,
        raters=recipe.panel.names,
        secret=panel_secret(release.key, recipe.panel.name, recipe.panel.seed),
        entries=entries,
        instructions=recipe.page.instructions,
        embed_most_mb=recipe.page.embed_most_mb,
        chooses=recipe.form.choose,
        criteria=recipe.form.criteria,
        ranks=recipe.form.ranks,
        systems=tuple(
            msgspec.structs.replace(system, said=tuple(said for said in system.said if said.presentation in heard))
            for system in systems
        ),
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

    def ordered(self, what: str, units: Iterable[Unit]) -> list[Unit]:
        """Items or groups by rank."""
        return sorted(units, key=lambda unit: (self.of(what, unit.id), unit.id))


def _check_systems(recipe: PanelRecipe, systems: Sequence[System], findings: Findings) -> None:
    """There must be systems to rank where the recipe ranks, told apart from each other and from the criteria."""
    if not recipe.form.ranks.strip() and systems:
        findings.add(SYSTEMS, id="[form] ranks", found=f"{len(systems)} submissions", expected="none")
    if recipe.form.ranks.strip() and not 2 <= len(systems) <= MOST_SYSTEMS:
        findings.add(SYSTEMS, id="[form] ranks", found=f"{len(systems)} submissions", expected=f"2 to {MOST_SYSTEMS}")
    slugs = {criterion.slug for criterion in recipe.form.criteria}
    for system in systems:
        if system.name in slugs:
            findings.add(SYSTEMS, id="[form] criteria", found=system.name, expected="another slug than a system's name")


def _check_columns(release: Release, columns: Iterable[str], findings: Findings) -> None:
    """Every column of the balance must be one that is known of items."""
    known = (*COLUMNS, *(column.name for column in release.family.answer_columns))
    for column in columns:
        if column not in known:
            findings.add(UNKNOWN_COLUMN, id="[balance]", found=column, expected=nearest(column, known))


def _quotas(recipe: PanelRecipe, units: Iterable[Unit], findings: Findings) -> dict[str, int]:
    """How many items or groups of each facet, those with none left out."""
    facets = sorted({unit.facet for unit in units} - {CHECKS})
    for facet in sorted(recipe.quotas.facets.keys() - set(facets)):
        findings.add(UNKNOWN_FACET, id=facet, expected=nearest(facet, facets))
    every = recipe.quotas.items if recipe.quotas.groups is None else recipe.quotas.groups
    quotas = {facet: recipe.quotas.facets.get(facet, every) for facet in facets}
    if not any(quotas.values()):
        findings.add(NOTHING, id="[quotas]", expected="items or facets of 1 or more")
    return {facet: n for facet, n in {**quotas, CHECKS: recipe.checks.controls}.items() if n}


def _of_facet(
    units: list[Unit], demand: int, columns: int, ranks: _Ranks, tally: Tally, what: str, findings: Findings
) -> tuple[list[tuple[Unit, int]], list[CellReport]]:
    """The items or groups drawn of a facet, each with the number of its way, and the report of its cells."""
    facet = units[0].facet

    def of_cell(cell: Cell) -> int:
        return ranks.of("cells", " ".join((facet, *cell)))

    members: dict[Cell, list[Unit]] = defaultdict(list)
    for unit in units:
        members[unit.cell[:columns]].append(unit)
    available = {cell: len(found) for cell, found in members.items()}
    counts = spread(demand, available, of_cell, tally)
    _report_uneven(facet, counts, available, what, findings)
    # Position is a column in which nothing runs short; items that can stand in other positions are a cell of their own.
    sorts: dict[Cell, list[Unit]] = defaultdict(list)
    for cell in sorted(counts):
        for unit in ranks.ordered("items", members[cell])[: counts[cell]]:
            sorts[*cell, " ".join(sorted(unit.positions))].append(unit)
    demands = {sort: len(found) for sort, found in sorts.items()}
    room = {sort: dict.fromkeys(found[0].positions, len(found)) for sort, found in sorts.items()}
    placed = split(demands, room, _POSITION, of_cell, tally)
    drawn: list[tuple[Unit, int]] = []
    positions: dict[Cell, Counter[str]] = defaultdict(Counter)
    for sort, found in sorted(sorts.items()):
        ordered = iter(ranks.ordered("positions", found))
        for label in sorted(found[0].positions):
            taken = [next(ordered) for _ in range(placed[*sort, label])]
            drawn += [(unit, unit.positions.index(label)) for unit in taken]
            positions[sort[:-1]][label] += len(taken)
    report = [
        CellReport(facet, cell, available[cell], counts[cell], dict(sorted(positions[cell].items())))
        for cell in sorted(available)
    ]
    return drawn, report


_POSITION = -1  # the number of the column that comes after all


def _report_uneven(
    facet: str, counts: Counter[Cell], available: Mapping[Cell, int], what: str, findings: Findings
) -> None:
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
                findings.add(SHORT, id=id, found=f"{there[cell]} {what}", expected=f"{share} for an even share")
    for cell in absent_cells(available):
        siblings = {other[: len(cell)] for other in available if other[: len(cell) - 1] == cell[:-1]}
        # With no more items than siblings, it need not have got one had it been there.
        if sum(counts[other] for other in available if other[: len(cell) - 1] == cell[:-1]) > len(siblings):
            findings.add(ABSENT, id=" ".join((facet, *cell)), found=f"0 {what}", expected="as many as its siblings")
