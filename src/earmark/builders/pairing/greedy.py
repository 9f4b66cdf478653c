"""A first choice of edges, cheapest first as long as caps and demands allow, and more of them by exchanging one for two."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from earmark.builders.pairing.pool import Bools, Codes
from earmark.builders.pairing.program import Program, cheapest

if TYPE_CHECKING:
    from scipy.sparse import csc_array, csr_array

_CHUNK = 1 << 15
_TRIES = 24


def greedy(program: Program, order: Codes | None = None) -> Bools:
    """Edges taken one by one in the given order, each if every cap and its cell still have room; (e,).

    Args:
        program: Edges, caps and demands.
        order: (e,) edges in the order they are tried; None for the cheapest first, of equal ones the first.
    """
    if order is not None:
        return _in_order(program, order)
    # A cell that is filled by its cheapest few comes to no others, so that these need not be sorted.
    few = cheapest(program, None, 2.0)
    taken = _in_order(program, _by_cost(program, np.flatnonzero(few)))
    unfilled = program.filled(taken) < program.demand
    if unfilled[program.cell[~few]].any():
        return _in_order(program, _by_cost(program, np.arange(len(program.cost))))
    return taken


def _by_cost(program: Program, edges: Codes) -> Codes:
    return edges[np.argsort(program.cost[edges], kind="stable")]


def _in_order(program: Program, order: Codes) -> Bools:
    columns = program.rows
    taken = np.zeros(len(program.cost), np.bool_)
    room, wanted = program.most.tolist(), program.demand.tolist()
    unfilled = sum(1 for w in wanted if w > 0)
    for begin in range(0, len(order), _CHUNK):
        chunk = order[begin : begin + _CHUNK]
        chunk = chunk[np.array(wanted)[program.cell[chunk]] > 0]
        starts, ends = columns.indptr[chunk].tolist(), columns.indptr[chunk + 1].tolist()
        cells = program.cell[chunk].tolist()
        chosen = []
        for edge, start, end, cell in zip(chunk.tolist(), starts, ends, cells, strict=True):
            if wanted[cell] <= 0:
                continue
            used = columns.indices[start:end].tolist()
            if all(room[row] > 0 for row in used):
                for row in used:
                    room[row] -= 1
                chosen.append(edge)
                wanted[cell] -= 1
                unfilled -= wanted[cell] == 0
        taken[chosen] = True
        if not unfilled:
            break
    return taken


def fill_up(program: Program, taken: Bools) -> Bools:
    """The same choice with more pairs, as long as giving up one edge makes room for two others; (e,).

    An edge that only one full row (a cap, or a cell's demand) keeps out is half free. A taken edge that stands in two full
    rows, each of which keeps a half-free edge out, makes room for both.
    """
    from scipy.sparse import csr_array, vstack

    e, cells = len(program.cost), len(program.demand)
    demands = csr_array((np.ones(e), (program.cell, np.arange(e))), shape=(cells, e))
    rows = vstack([program.rows, demands], format="csr")
    columns, most = rows.tocsc(), np.concatenate([program.most, program.demand])
    taken = taken.copy()
    while True:
        room = most - np.rint(rows @ taken.astype(float)).astype(np.int64)
        full = (room <= 0).astype(float)
        blocked = np.rint(columns.T @ full).astype(np.int64)
        free = np.flatnonzero(~taken & (blocked == 0))
        if len(free):
            taken[free[0]] = True
            continue
        half = ~taken & (blocked == 1)
        keeps_out = full * (rows @ half.astype(float)) > 0
        swap = _first_swap(rows, columns, taken, half, keeps_out, room)
        if swap is None:
            return taken
        out, first, second = swap
        taken[out] = False
        taken[[first, second]] = True


def _first_swap(
    rows: csr_array, columns: csc_array, taken: Bools, half: Bools, keeps_out: Bools, room: Codes
) -> tuple[int, int, int] | None:
    """An edge to give up and the two to take for it; None where a short search finds none."""
    pivots = np.flatnonzero(taken & (np.rint(columns.T @ keeps_out.astype(float)) >= 2))
    for pivot in pivots[:_TRIES].tolist():
        used = columns.indices[columns.indptr[pivot] : columns.indptr[pivot + 1]]
        left = room.copy()
        left[used] += 1
        gates = used[keeps_out[used]]
        waiting = []
        for gate in gates.tolist():
            edges = rows.indices[rows.indptr[gate] : rows.indptr[gate + 1]]
            waiting.append(edges[half[edges]][:_TRIES])
        for one in range(len(waiting)):
            for first in waiting[one].tolist():
                after = left.copy()
                after[columns.indices[columns.indptr[first] : columns.indptr[first + 1]]] -= 1
                for other in waiting[one + 1 :]:
                    for second in other.tolist():
                        needed = columns.indices[columns.indptr[second] : columns.indptr[second + 1]]
                        if second != first and (after[needed] > 0).all():
                            return pivot, first, second
    return None
