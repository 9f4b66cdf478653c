"""A first choice of edges: cheapest first, as long as caps and demands allow."""

from __future__ import annotations

import numpy as np

from earmark.builders.pairing.pool import Bools, Codes
from earmark.builders.pairing.program import Program

_CHUNK = 1 << 15


def greedy(program: Program, order: Codes | None = None) -> Bools:
    """Edges taken one by one in the given order, each if every cap and its cell still have room; (e,).

    Args:
        program: Edges, caps and demands.
        order: (e,) edges in the order they are tried; None for the cheapest first.
    """
    columns = program.rows.tocsc()
    if order is None:
        order = np.argsort(program.cost, kind="stable")
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
