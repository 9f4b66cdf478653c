"""Programs too large to solve at once: solved block by block, with a bound over the whole.

Only edges that are left to decide come into a block: the cheap ones, less those whose fate is settled because they compete for
nothing. A block is a set of them; all others stay as they were chosen, and what they use of a cap is taken off it. So every
cap is kept exactly, every cell keeps what it has, and no block can make the choice dearer. Edges that share a cap stand in one
block as far as blocks reach, and the next sweep cuts the blocks elsewhere, so that demand moves to where it is cheapest.
The bound is that of the whole program: the blocks' prices of the caps are feasible prices of it, and given these the best
worth of a pair in each cell is an order statistic. What is among the best at these prices and was not considered yet, the
next sweep considers.

A block is no larger for a larger program, and what a block costs depends on its own edges alone, so that the time grows as
sorting does.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from earmark.builders.pairing.pool import Bools, Codes, Floats
from earmark.builders.pairing.program import Program, cheapest, scramble
from earmark.builders.pairing.solver import Effort, Goal, Outcome, minimise, window

if TYPE_CHECKING:
    from scipy.sparse import csr_array

COLUMNS = 12_000
"""Edges of a block."""

PAIRS = 20_000
"""Groups that choose more pairs than this are solved in blocks."""

SWEEPS = 3
"""How often all blocks are gone through, unless the bound is reached or nothing changes any more."""

GAP = 1e-5
"""Relative gap within a block; where blocks are cut costs more than that."""


def minimise_in_blocks(
    program: Program, start: Bools, effort: Effort, *, columns: int = COLUMNS, sweeps: int = SWEEPS
) -> tuple[Outcome, int]:
    """A choice at least as cheap as `start` that fills every cell as `start` does, and in how many blocks it was found.

    Args:
        program: Edges, caps and demands.
        start: (e,) a choice that keeps every cap.
        effort: Limits of the search in each block.
        columns: How many edges a block has at most.
        sweeps: How often all blocks are gone through.
    """
    taken, demand = start.copy(), program.filled(start)
    price, bound, most_blocks, given = np.zeros(len(program.most)), -np.inf, 0, 0
    considered = cheapest(program, start, 1.25)
    within = replace(effort, gap=GAP)
    ended: tuple[str, str | None] = ("optimal", None)
    objective = int(program.cost[taken].sum())
    for sweep in range(sweeps):
        before = objective
        edges = np.flatnonzero(_undecided(replace(program, demand=demand), considered, taken))
        parts = _parts(program, edges, sweep, columns)
        most_blocks, given = max(most_blocks, len(parts)), max(given, len(edges))
        ended = _sweep(program, taken, parts, within, price)
        objective = int(program.cost[taken].sum())
        here, best = at_prices(program, price, demand)
        bound = max(bound, here)
        wider = bool((best & ~considered).any())
        considered |= best
        near = max(1.0, effort.gap_for(int(demand.sum())) * objective)
        if objective - bound < near or (sweep and objective == before and not wider):
            break
    return Outcome(taken, objective, min(bound, float(objective)), *ended, given, price), most_blocks


def bound_of(program: Program, price: Floats, demand: Codes) -> float:
    """No choice of `demand` pairs costs less than this, whatever the prices of the caps, each at most 0 (weak duality)."""
    return at_prices(program, price, demand)[0]


def at_prices(program: Program, price: Floats, demand: Codes) -> tuple[float, Bools]:
    """The bound at some prices of the caps, and which edges are worth as much as the best `demand` of each cell."""
    worth = program.cost - program.rows.T @ price
    bound = float(price @ program.most)
    best = np.zeros(len(worth), np.bool_)
    for here, wanted in zip(program.slices(), demand.tolist(), strict=True):
        if wanted:
            ordered = np.partition(worth[here], wanted - 1)
            bound += float(ordered[:wanted].sum())
            best[here] = worth[here] <= ordered[wanted - 1]
    return bound, best


def _undecided(program: Program, considered: Bools, taken: Bools) -> Bools:
    """Of the edges considered those that a best choice may take or not, and those not yet as every best choice has them."""
    none = np.zeros((len(program.demand), 1), np.int64)
    apart = window(program, Goal(program.cost, none, none), considered)
    settled = considered & ~apart.open
    undecided: Bools = apart.open | (settled & (apart.sure != taken))
    return undecided


def _parts(program: Program, edges: Codes, sweep: int, columns: int) -> list[Codes]:
    """Edges dealt out to blocks by a hash of what they are tied to, another one in every sweep; each part ascending."""
    together = _components(program, edges)
    key = scramble((together + np.int64(sweep) * len(program.cost)).astype(np.uint64))
    order = edges[np.lexsort((edges, key))]
    return [np.sort(part) for part in np.array_split(order, max(1, -(-len(order) // columns)))]


def _sweep(program: Program, taken: Bools, parts: list[Codes], effort: Effort, price: Floats) -> tuple[str, str | None]:
    """Goes through all blocks once, changing the choice and the prices, and says how relaxations and branchings ended."""
    lp, milp = "optimal", None
    room = program.most - np.rint(program.rows @ taken.astype(float)).astype(np.int64)
    for part in parts:
        own = program.rows[:, part]
        caps = np.unique(own.indices).astype(np.int64)
        small = own.tocsr()[caps]
        free = room[caps] + _uses(small, taken[part])
        cell, cost = program.cell[part], program.cost[part]
        demand = np.bincount(cell[taken[part]], minlength=len(program.demand)).astype(np.int64)
        none = np.zeros((len(demand), 1), np.int64)
        block = Program(cost, cell, small.tocsc(), free, demand)
        outcome = minimise(block, Goal(cost, none, none), taken[part], effort)
        if outcome is None:
            raise AssertionError("what stood before is a choice")
        taken[part], price[caps] = outcome.taken, outcome.price
        room[caps] = free - _uses(small, outcome.taken)
        lp = outcome.lp if outcome.lp != "optimal" else lp
        milp = outcome.milp if milp in (None, "optimal") else milp
    return lp, milp


def _uses(rows: csr_array, taken: Bools) -> Codes:
    uses: Codes = np.rint(rows @ taken.astype(float)).astype(np.int64)
    return uses


def _components(program: Program, edges: Codes) -> Codes:
    """For each of some edges a number that is the same for edges which compete for a cap, directly or through others."""
    from scipy.sparse import csr_array, hstack, vstack
    from scipy.sparse.csgraph import connected_components

    rows = program.rows[:, edges].tocsr()
    rows = rows[np.flatnonzero(np.diff(rows.indptr) > program.most)]
    e, caps = len(edges), rows.shape[0]
    above = hstack([csr_array((e, e)), rows.T], format="csr")
    _, label = connected_components(vstack([above, csr_array((caps, e + caps))], format="csr"), directed=False)
    return label[:e].astype(np.int64)
