"""Programs too large to solve at once: solved block by block, with a bound over the whole.

A block is a set of edges; all others stay as they were chosen, and what they use of a cap is taken off it. So every cap is
kept exactly, every cell keeps what it has, and no block can make the choice dearer. Edges that share a cap stand in one
block as far as blocks reach, and the next sweep cuts the blocks elsewhere, so that demand moves to where it is cheapest.
The bound is that of the whole program: the blocks' prices of the caps are feasible prices of it, and given these the best
worth of a pair in each cell is an order statistic.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from earmark.builders.pairing.pool import Bools, Codes, Floats
from earmark.builders.pairing.program import Program, scramble
from earmark.builders.pairing.solver import Effort, Goal, Outcome, cheapest, minimise

COLUMNS = 12_000
"""Edges of a block."""

PAIRS = 20_000
"""Groups that choose more pairs than this are solved in blocks."""

SWEEPS = 3
"""How often all blocks are gone through, unless nothing changes any more."""

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
    taken = start.copy()
    price = np.zeros(len(program.most))
    blocks, bound = 0, -np.inf
    demand = program.filled(start)
    considered = np.flatnonzero(cheapest(program, start, 1.25))
    together = _components(program, considered)
    within = replace(effort, gap=GAP, seconds=min(effort.seconds, 10.0))
    status, milp = "optimal", None
    for sweep in range(sweeps):
        key = scramble((together + np.int64(sweep) * len(program.cost)).astype(np.uint64))
        order = considered[np.lexsort((considered, key))]
        parts = np.array_split(order, max(1, -(-len(order) // columns)))
        blocks = len(parts)
        before = int(program.cost[taken].sum())
        for part in parts:
            outcome, caps = _block(program, taken, np.sort(part), within)
            if outcome is None:
                continue
            taken[np.sort(part)] = outcome.taken
            price[caps] = outcome.price
            status = outcome.lp if outcome.lp != "optimal" else status
            milp = outcome.milp if outcome.milp is not None else milp
        bound = max(bound, bound_of(program, price, demand))
        objective = int(program.cost[taken].sum())
        if objective - bound < 1.0 or (sweep and objective == before):
            break
    return Outcome(taken, objective, min(bound, float(objective)), status, milp, len(considered), price), blocks


def bound_of(program: Program, price: Floats, demand: Codes) -> float:
    """No choice of `demand` pairs costs less than this, whatever the prices of the caps, each at most 0 (weak duality)."""
    worth = program.cost - program.rows.T @ price
    bound = float(price @ program.most)
    for c, wanted in enumerate(demand.tolist()):
        if wanted:
            bound += float(np.partition(worth[program.cell == c], wanted - 1)[:wanted].sum())
    return bound


def _block(program: Program, taken: Bools, part: Codes, effort: Effort) -> tuple[Outcome | None, Codes]:
    """The best choice within a block while all else stays, and the caps that its edges use."""
    inside = np.zeros(len(taken), np.bool_)
    inside[part] = True
    caps = np.unique(program.rows[:, part].indices).astype(np.int64)
    most = program.most - np.rint(program.rows @ (taken & ~inside).astype(float)).astype(np.int64)
    demand = program.filled(taken & inside)
    own = program.rows[:, part].tocsr()[caps].tocsc()
    small = Program(program.cost[part], program.cell[part], own, most[caps], demand)
    none = np.zeros((len(demand), 1), np.int64)
    return minimise(small, Goal(small.cost, none, none), taken[part], effort), caps


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
