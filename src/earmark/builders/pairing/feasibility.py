"""How many pairs a cell could have, were it alone, and what keeps it from having more."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from earmark.builders.pairing.candidates import (
    Edges,
    join_edges,
    nearest_pairs,
    partner_counts,
    same_sides,
)
from earmark.builders.pairing.cells import Caps, Cell
from earmark.builders.pairing.greedy import fill_up, greedy
from earmark.builders.pairing.pool import Bools, Codes, Pool
from earmark.builders.pairing.program import Program, program_of
from earmark.builders.pairing.solver import Effort, Goal, minimise

CANDIDATES, CLIP, CLIP_PAIR, SPEAKER, TARGET, SHARED = (
    "candidates",
    "clip cap",
    "clip pair cap",
    "speaker cap",
    "target cap",
    "shared",
)
"""What may bind a cell: too few pairs, one of the caps, or the other cells of its group, which take what it needs."""

LISTED = 200_000
"""Up to so many candidates of a cell are listed and its maximum is exact; beyond it is a bound."""

FEW = 20_000
"""Up to so many are listed even where counting alone allows far more than is wanted."""

Holds = Literal["exactly", "at most"]


@dataclass(frozen=True, kw_only=True)
class Feasible:
    """The most pairs that one cell alone could have under the caps.

    Args:
        pairs: How many.
        holds: "exactly", or "at most" where it is only known that there are no more.
    """

    pairs: int
    holds: Holds


@dataclass(frozen=True, eq=False)
class Tally:
    """What counting alone tells of a cell.

    Args:
        candidates: Pairs that its selections admit, before any cap; a pair under two targets counts twice.
        limit: No choice under the caps has more: partners per clip, pairs per target, uses per clip and speaker.
        partners: (n,) in how many of the candidates each clip of the pool stands.
    """

    candidates: int
    limit: int
    partners: Codes


def most_pairs(pool: Pool, cell: Cell, caps: Caps, *, tally: Tally | None = None, thorough: bool = True) -> Feasible:
    """The most pairs that a cell alone could have under the caps of its group, whatever it demands.

    Args:
        pool: The clips.
        cell: The cell.
        caps: The caps of its group.
        tally: What counting told of it, if that is known already.
        thorough: Whether to look for the very number even where there are many pairs and counting allows four times the demand.
    """
    tally = tally or tally_of(pool, cell, caps)
    limit = tally.limit
    if limit == 0 or not _any_cap(cell, caps):
        return Feasible(pairs=limit, holds="exactly")
    ample = not thorough and cell.demand is not None and 4 * cell.demand <= limit
    if tally.candidates > (FEW if ample else LISTED):
        return Feasible(pairs=limit, holds="at most")
    edges = all_pairs(pool, cell)
    program = _alone(pool, cell, caps, edges, limit)
    start = greedy(program, _scarce_first(edges, len(pool.ids)))
    if int(start.sum()) < limit:
        start = fill_up(program, start)
    if int(start.sum()) == limit:
        return Feasible(pairs=limit, holds="exactly")
    fewest, most = _by_component(program, start)
    return Feasible(pairs=min(most, limit), holds="exactly" if fewest >= min(most, limit) else "at most")


def tally_of(pool: Pool, cell: Cell, caps: Caps) -> Tally:
    """What counting alone tells of a cell under the caps of its group."""
    per_target: dict[str, int] = {}
    uses = np.zeros(len(pool.ids), np.int64)
    candidates = 0
    for selection in cell.selections:
        partners = partner_counts(pool, selection)
        pairs = int(partners.sum()) // 2
        candidates += pairs
        uses += partners
        if caps.clip is not None:
            capped = np.minimum(partners, caps.clip)
            if same_sides(selection):
                pairs = min(pairs, int(capped.sum()) // 2)
            else:
                pairs = min(pairs, int(capped[selection.left].sum()), int(capped[selection.right].sum()))
        per_target[selection.target] = per_target.get(selection.target, 0) + pairs
    most = cell.most_per_target
    limits = [sum(pairs if most is None else min(pairs, most) for pairs in per_target.values())]
    if caps.clip is not None:
        limits.append(int(np.minimum(uses, caps.clip).sum()) // 2)
    if caps.speaker is not None and cell.selections:
        _, speaker = np.unique(pool.speaker, return_inverse=True)
        capped = np.minimum(np.bincount(speaker, weights=uses).astype(np.int64), caps.speaker)
        two = all(any(np.array_equal(column, pool.speaker) for column in s.differ) for s in cell.selections)
        limits.append(int(capped.sum()) // 2 if two else int(capped.sum()))
    return Tally(candidates, min(limits), uses)


def all_pairs(pool: Pool, cell: Cell) -> Edges:
    """Every pair of a cell, selection by selection."""
    n = len(pool.ids)
    return join_edges([nearest_pairs(pool, selection, n, index=s) for s, selection in enumerate(cell.selections)])


def binding_of(pool: Pool, cell: Cell, caps: Caps, *, candidates: int, feasible: int, filled: int) -> str | None:
    """What kept a cell from its demand, or from having every pair where it demands all; None where nothing did.

    A cap binds that alone would keep the cell as low; where it takes several of them, the first whose lifting helps.
    """
    wanted = candidates if cell.demand is None else cell.demand
    if filled >= wanted:
        return None
    if filled < feasible:
        return SHARED
    if candidates <= feasible:
        return CANDIDATES
    nothing = Caps(clip=None, clip_pair=None, speaker=None)
    free = replace(cell, most_per_target=None)
    alone: list[tuple[str, Cell, Caps]] = [
        (TARGET, cell, nothing),
        (CLIP_PAIR, free, replace(nothing, clip_pair=caps.clip_pair)),
        (CLIP, free, replace(nothing, clip=caps.clip)),
        (SPEAKER, free, replace(nothing, speaker=caps.speaker)),
    ]
    for name, one, only in alone:
        if _any_cap(one, only) and most_pairs(pool, one, only).pairs <= feasible:
            return name
    lifted: list[tuple[str, Cell, Caps]] = [
        (TARGET, free, caps),
        (CLIP_PAIR, cell, replace(caps, clip_pair=None)),
        (CLIP, cell, replace(caps, clip=None)),
        (SPEAKER, cell, replace(caps, speaker=None)),
    ]
    for name, one, fewer in lifted:
        if (one is free or fewer != caps) and most_pairs(pool, one, fewer).pairs > feasible:
            return name
    return CLIP if caps.clip is not None else SPEAKER


def _any_cap(cell: Cell, caps: Caps) -> bool:
    """Whether anything beyond the number per target, which is closed arithmetic, limits a cell."""
    pairs_twice = caps.clip_pair is not None and len({s.target for s in cell.selections}) > caps.clip_pair
    return caps.clip is not None or caps.speaker is not None or pairs_twice or cell.most_per_target is not None


def _alone(pool: Pool, cell: Cell, caps: Caps, edges: Edges, demand: int) -> Program:
    names = sorted({selection.target for selection in cell.selections})
    code = np.array([names.index(selection.target) for selection in cell.selections], np.int64)
    return program_of(
        pool,
        edges,
        cell=np.zeros(len(edges), np.int64),
        target=code[edges.selection],
        salt=np.zeros(len(edges), np.uint64),
        caps=caps,
        most_per_target=[cell.most_per_target],
        demand=np.array([demand], np.int64),
    )


def _by_component(program: Program, start: Bools) -> tuple[int, int]:
    """How many pairs were found and how many there are at most, without a demand: apart for edges that share no cap.

    The relaxation of each component bounds it by a whole number; only where the start is below it does branching decide.
    """
    from scipy.optimize import linprog
    from scipy.sparse import csr_array, hstack, vstack
    from scipy.sparse.csgraph import connected_components

    e = len(program.cost)
    caps = program.rows.shape[0]
    above = hstack([csr_array((e, e)), program.rows.T], format="csr")
    shared = vstack([above, csr_array((caps, e + caps))], format="csr")
    _, label = connected_components(shared, directed=False)
    label, rows_label = label[:e], label[e:]
    bounds = (0.0, 1.0)
    relaxed = linprog(-np.ones(e), program.rows, program.most.astype(float), bounds=bounds, method="highs-ds")  # type: ignore[call-overload] # sparse too
    if relaxed.x is None:
        return int(start.sum()), e
    parts = int(label.max(initial=0)) + 1
    most = np.floor(np.bincount(label, weights=relaxed.x, minlength=parts) + 1e-6).astype(np.int64)
    found = np.bincount(label, weights=start, minlength=parts).astype(np.int64)
    for part in np.flatnonzero(found < most).tolist():
        columns, rows = label == part, rows_label == part
        demand = most[part : part + 1]
        alone = program.part(columns, program.most[rows], demand, rows)
        goal = Goal(np.zeros(int(columns.sum()), np.int64), demand[:, None], np.ones((1, 1), np.int64))
        outcome = minimise(alone, goal, start[columns], Effort(nodes=100))
        if outcome is not None:
            found[part] = demand[0] - outcome.objective
            most[part] = demand[0] - int(np.ceil(outcome.bound - 1e-6))
    return int(found.sum()), int(most.sum())


def _scarce_first(edges: Edges, n: int) -> Codes:
    """Edges of clips with few partners first, which leaves the others a choice."""
    partners = np.bincount(np.concatenate([edges.left, edges.right]), minlength=n)
    one, other = partners[edges.left], partners[edges.right]
    return np.lexsort((edges.right, edges.left, np.maximum(one, other), np.minimum(one, other))).astype(np.int64)
