"""The cells of one group, which share the caps, solved as a whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Literal

import numpy as np

from earmark.builders.pairing.blocks import PAIRS, minimise_in_blocks
from earmark.builders.pairing.candidates import Edges, join_edges, nearest_pairs
from earmark.builders.pairing.cells import Caps, Cell
from earmark.builders.pairing.feasibility import Feasible, most_pairs, tally_of
from earmark.builders.pairing.greedy import fill_up, greedy
from earmark.builders.pairing.pool import Bools, Codes, Pool
from earmark.builders.pairing.program import Program, program_of
from earmark.builders.pairing.solver import Effort, Goal, Outcome, minimise, value_of

TIERS = 8
"""A cell's shortfall is weighed by the eighth of its demand that it falls in."""

EDGES = 4_000_000
"""Beyond so many pairs no further partners are considered, however short the cells are."""

Spread = Literal["nothing short", "fairest", "as found"]
"""How shortfalls are spread over cells: none there are, proven as fair as can be, or as the search left them."""


@dataclass(frozen=True, eq=False)
class Graph:
    """The pairs considered for a group, sorted by cell, target, left and right.

    Args:
        edges: The pairs; `selection` counts within the cell.
        cell: (e,) index of the cell in the group.
        target: (e,) index into `targets`.
        targets: Names of the targets, ascending.
        nearest: How many partners of each clip were asked for.
        complete: Whether these are all the pairs there are.
    """

    edges: Edges
    cell: Codes
    target: Codes
    targets: tuple[str, ...]
    nearest: int
    complete: bool


@dataclass(frozen=True, eq=False)
class GroupChoice:
    """What was chosen for a group.

    Args:
        graph: What it was chosen from.
        taken: (e,) the choice.
        candidates: Per cell, the pairs there are.
        feasible: Per cell, the most it could have alone.
        most: No choice from the graph has more pairs.
        outcome: How the last goal, the least cost, was met; None where there was nothing to choose.
        blocks: In how many blocks.
        spread: How shortfalls are spread over the cells.
    """

    graph: Graph
    taken: Bools
    candidates: tuple[int, ...]
    feasible: tuple[Feasible, ...]
    most: int
    outcome: Outcome | None
    blocks: int
    spread: Spread


def choose_in_group(pool: Pool, cells: Sequence[Cell], caps: Caps, *, nearest: int, effort: Effort) -> GroupChoice:
    """Chooses the pairs of a group: as many as can be, then as fairly spread as can be, then as cheap as can be.

    Args:
        pool: The clips.
        cells: The cells of the group, in the order of their keys.
        caps: What they share.
        nearest: How many nearest partners to begin with.
        effort: Limits of the search.
    """
    candidates, feasible, partners = [], [], np.zeros(len(pool.ids), np.int64)
    for cell in cells:
        tally = tally_of(pool, cell, caps)
        candidates.append(tally.candidates)
        feasible.append(most_pairs(pool, cell, caps, tally=tally, thorough=False))
        partners += tally.partners
    uses = partners if caps.clip is None else np.minimum(partners, caps.clip)
    demand = np.array(
        [f.pairs if c.demand is None else min(c.demand, f.pairs) for c, f in zip(cells, feasible, strict=True)],
        np.int64,
    )
    ceiling = min(int(demand.sum()), int(uses.sum()) // 2)
    while True:
        graph = graph_of(pool, cells, nearest, sum(candidates))
        program = program_for(pool, cells, caps, graph, demand)
        taken, short, most_known = _fullest(program, ceiling, effort)
        if graph.complete or int(taken.sum()) >= ceiling or len(graph.edges) > EDGES:
            break
        nearest *= 2
    blocks = 1
    outcome: Outcome | None
    spread: Spread = "as found" if short else "nothing short"
    if int(taken.sum()) > PAIRS:
        outcome, blocks = minimise_in_blocks(program, taken, effort)
        taken = outcome.taken
    else:
        taken, outcome, fairest = _cheapest(program, taken, short, effort)
        spread = "fairest" if short and fairest else spread
    most = int(demand.sum()) - most_known
    return GroupChoice(graph, taken, tuple(candidates), tuple(feasible), most, outcome, blocks, spread)


def graph_of(pool: Pool, cells: Sequence[Cell], nearest: int, candidates: int) -> Graph:
    """The nearest pairs of all selections of all cells."""
    targets = tuple(sorted({s.target for cell in cells for s in cell.selections}))
    parts: list[Edges] = []
    cell_of, target_of = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
    for c, cell in enumerate(cells):
        for t, target in enumerate(targets):
            found = [
                nearest_pairs(pool, selection, nearest, index=s)
                for s, selection in enumerate(cell.selections)
                if selection.target == target
            ]
            part = found[0] if len(found) == 1 else join_edges(found)
            if len(found) > 1:  # one alone comes sorted
                part = part.take(np.lexsort((part.right, part.left)))
            parts.append(part)
            cell_of.append(np.full(len(part), c, np.int64))
            target_of.append(np.full(len(part), t, np.int64))
    edges = join_edges(parts)
    complete = len(edges) == candidates
    return Graph(edges, np.concatenate(cell_of), np.concatenate(target_of), targets, nearest, complete)


def program_for(pool: Pool, cells: Sequence[Cell], caps: Caps, graph: Graph, demand: Codes) -> Program:
    """The program of a group over its graph."""
    salts = [int.from_bytes(blake2b(name.encode(), digest_size=8).digest(), "big") for name in graph.targets]
    return program_of(
        pool,
        graph.edges,
        cell=graph.cell,
        target=graph.target,
        salt=np.array(salts, np.uint64)[graph.target] if salts else np.empty(0, np.uint64),
        caps=caps,
        most_per_target=[cell.most_per_target for cell in cells],
        demand=demand,
    )


def _fullest(program: Program, ceiling: int, effort: Effort) -> tuple[Bools, int, int]:
    """A choice of the most pairs, of which there are `ceiling` at most; how short it is in all, and how short any is at least."""
    taken = greedy(program)
    if int(taken.sum()) < int(program.demand.sum()):
        taken = fill_up(program, taken)
    short = int(program.demand.sum()) - int(taken.sum())
    if int(taken.sum()) == ceiling:  # counting alone says that no choice has more
        return taken, short, short
    if int(taken.sum()) > PAIRS:  # too large for a proof that no more can be had
        return taken, short, 0
    none = np.zeros(len(program.cost), np.int64)
    widths = _widths(program.demand)
    outcome = minimise(program, Goal(none, widths, np.ones_like(widths)), taken, _shorter(effort))
    if outcome is None:
        raise AssertionError("the greedy choice is one")
    return outcome.taken, outcome.objective, int(np.ceil(outcome.bound - 1e-6))


def _cheapest(program: Program, taken: Bools, short: int, effort: Effort) -> tuple[Bools, Outcome | None, bool]:
    """Of the choices that are short by so many, the fairest and then the cheapest; and whether none is proven to be fairer."""
    widths = _widths(program.demand) if short else np.zeros((len(program.demand), TIERS), np.int64)
    ones = np.ones_like(widths)
    held: tuple[tuple[Codes, int], ...] = ()
    proven = False
    if short:
        held = ((ones, short),)
        tiers = ones * np.arange(1, TIERS + 1)
        none = np.zeros(len(program.cost), np.int64)
        fairest = minimise(program, Goal(none, widths, tiers, held), taken, _shorter(effort))
        if fairest is not None:
            taken, proven = fairest.taken, fairest.objective - fairest.bound < 1.0
        held = (*held, (tiers, value_of(program, Goal(none, widths, tiers), taken)))
    outcome = minimise(program, Goal(program.cost, widths, np.zeros_like(widths), held), taken, effort)
    return (taken, None, proven) if outcome is None else (outcome.taken, outcome, proven)


def _shorter(effort: Effort) -> Effort:
    """How far to look for more pairs, or for a fairer spread, before it is left at what was found."""
    return replace(effort, nodes=min(effort.nodes, 20))


def _widths(demand: Codes) -> Codes:
    """How many of a cell's pairs each tier has; (c, TIERS), summing to the demand."""
    edges = demand[:, None] * np.arange(TIERS + 1) // TIERS
    return np.diff(edges, axis=1)
