"""Programs solved: the linear relaxation first, then branching on what is fractional, each with a bound that stands by itself.

The relaxation is solved over the cheapest edges; its dual prices then say of every other edge whether it could help, and
those that could are added until none is left. Any prices at all give a valid lower bound (weak duality), so that the bound
does not hang on a solver's tolerances. Where the relaxation is fractional, an edge whose reduced cost exceeds the gap
between bound and best choice is in no better choice, and only the others go to branch and bound.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from earmark.builders.pairing.greedy import fill_up
from earmark.builders.pairing.pool import Bools, Codes, Floats
from earmark.builders.pairing.program import Program, cheapest

if TYPE_CHECKING:
    from scipy.sparse import csr_array

SCALE = 2.0**-18
"""Whole costs are handed to the solver in this unit: its tolerances (1e-6 and 1e-7) are then finer than one whole number."""

_ROUNDS = 60
_PROVEN_PAIRS = 2_000
_TOLERANCE = 1e-6


@dataclass(frozen=True, kw_only=True)
class Effort:
    """How long to search for a proof; by what is counted and not by a clock, so that it ends alike on every machine.

    Args:
        nodes: Most nodes of one branch and bound.
        columns: Edges beyond which branch and bound is not widened any more.
        gap: Relative gap at which a branch and bound stops; 0 for a proof to the last whole number; None for 0 up to 2,000
            pairs and 1e-6 beyond.
    """

    nodes: int = 60
    columns: int = 24_000
    gap: float | None = None

    def gap_for(self, pairs: int) -> float:
        """The gap for a program that chooses so many pairs."""
        if self.gap is not None:
            return self.gap
        return 0.0 if pairs <= _PROVEN_PAIRS else 1e-6


@dataclass(frozen=True, eq=False)
class Goal:
    """What is minimised, and what earlier goals have settled.

    Args:
        edges: (e,) weight of each edge, whole numbers.
        widths: (c, t) how many pairs a cell may be short in each tier; all 0 where no cell may be.
        short: (c, t) weight of one pair short in that tier.
        held: Sums of weighted shortfalls that must come out at a value.
    """

    edges: Codes
    widths: Codes
    short: Codes
    held: tuple[tuple[Codes, int], ...] = ()


@dataclass(frozen=True, eq=False)
class Outcome:
    """The best choice found for a goal.

    Args:
        taken: (e,) the edges.
        objective: Value of the goal.
        bound: No choice has a lower value than this.
        lp: How the relaxation ended: optimal, stopped.
        milp: How branching ended: optimal; stopped, at the most nodes or edges; None where it was not needed.
        columns: How many edges were given to the solver in the end.
        price: (r,) what one use more of each cap would save, at most 0.
    """

    taken: Bools
    objective: int
    bound: float
    lp: str
    milp: str | None
    columns: int
    price: Floats


@dataclass(frozen=True, eq=False)
class _Relaxed:
    """A solved relaxation: values of all edges and of the shortfalls, reduced costs of all edges, the bound, prices of caps."""

    values: Floats
    short: Floats
    reduced: Floats
    bound: float
    price: Floats
    complete: bool
    core: Bools


def value_of(program: Program, goal: Goal, taken: Bools) -> int:
    """Value of a goal for the edges taken, shortfalls put into the cheapest tiers first."""
    missing = program.demand - program.filled(taken)
    below = np.cumsum(goal.widths, axis=1) - goal.widths
    tiers = np.clip(missing[:, None] - below, 0, goal.widths)
    return int(goal.edges[taken].sum()) + int((tiers * goal.short).sum())


def minimise(program: Program, goal: Goal, start: Bools | None, effort: Effort) -> Outcome | None:
    """The best choice of edges for a goal.

    Args:
        program: Edges, caps and demands.
        goal: What to minimise.
        start: A choice that keeps to everything, if one is known.
        effort: Limits of the search.

    Returns:
        The best choice, or None where no choice meets the demand less what may be short.
    """
    if not len(program.cost) or not program.demand.any():
        nothing = np.zeros(len(program.cost), np.bool_)
        value = value_of(program, goal, nothing)
        free = np.zeros(len(program.most))
        meets = _meets(program, goal, nothing)
        return Outcome(nothing, value, float(value), "optimal", None, 0, free) if meets else None
    relaxed = _relax(program, goal, start)
    if relaxed is None:
        return None
    bound = relaxed.bound
    if not goal.edges.any():
        bound = float(np.ceil(bound - _TOLERANCE))
    best = start
    objective = value_of(program, goal, start) if start is not None else None
    lp = "optimal" if relaxed.complete else "stopped"
    for rounded in [relaxed.values > 0.5] if goal.edges.any() else _made_up(program, relaxed.values):
        if _meets(program, goal, rounded):
            value = value_of(program, goal, rounded)
            if objective is None or value <= objective:
                best, objective = rounded, value
    if best is not None and objective is not None and objective - bound < 1.0 - _TOLERANCE:
        below = min(bound, float(objective))
        return Outcome(best, objective, below, lp, None, int(relaxed.core.sum()), relaxed.price)
    return _branch(program, goal, relaxed, bound, best, effort, lp)


def _branch(
    program: Program, goal: Goal, relaxed: _Relaxed, bound: float, best: Bools | None, effort: Effort, lp: str
) -> Outcome | None:
    """Branch and bound over the edges of small reduced cost, widened until what is left out provably cannot help."""
    objective = value_of(program, goal, best) if best is not None else None
    support = relaxed.values > _TOLERANCE
    reduced = np.maximum(relaxed.reduced, 0.0)
    order = np.lexsort((program.cost, reduced))
    allowed = effort.gap_for(int(program.demand.sum()))
    # What is settled need not be, so the first try proves nothing. Where no edge costs anything, many of them make it easy.
    trusted = not goal.edges.any()
    count = max(500, effort.columns if trusted else 2 * int(support.sum()))
    fixed = np.zeros(len(support), np.bool_) if trusted else _settled(program, relaxed.values)
    while True:
        columns = np.zeros(len(reduced), np.bool_)
        columns[order[:count]] = True
        if best is not None and objective is not None:
            columns &= reduced <= objective - relaxed.bound  # whatever is above that is in no better choice
            columns |= best
            if trusted:
                fixed = relaxed.reduced < -(objective - relaxed.bound) - 1.0
        columns |= support
        within = effort if trusted else replace(effort, nodes=-(-effort.nodes // 4))
        found, status, below = _integer(program, goal, columns, fixed & columns, within)
        if found is not None:
            value = value_of(program, goal, found)
            if objective is None or value < objective:
                best, objective = found, value
        left_out = float(reduced[~columns].min()) if not columns.all() else np.inf
        if trusted:
            here = below if found is not None or status == "stopped" else np.inf
            bound = max(bound, min(here, relaxed.bound + left_out))
            if not goal.edges.any():
                bound = float(np.ceil(bound - _TOLERANCE))
        if best is not None and objective is not None:
            bound = min(bound, float(objective))
            close = objective - bound <= max(1.0 - _TOLERANCE, allowed * abs(objective))
            everything = trusted and (columns.all() or relaxed.bound + left_out >= objective)
            # What came to its limit over few edges, having found a choice, would over more of them cost far more for little.
            at_limit = status == "stopped" and (trusted or found is not None)
            if close or everything or at_limit or (trusted and count >= effort.columns):
                ended = status if close or everything else "stopped"
                return Outcome(best, objective, bound, lp, ended, int(columns.sum()), relaxed.price)
        elif trusted and columns.all():
            return None
        if trusted:
            count = 4 * count if objective is None else min(4 * count, max(count, effort.columns))
        fixed, trusted = np.zeros(len(columns), np.bool_), True


def _made_up(program: Program, values: Floats) -> list[Bools]:
    """Choices near a relaxation where which edges does not matter: what it takes in part is made up for by other edges."""
    whole = np.bincount(program.cell, values, minlength=len(program.demand))
    fill = np.floor(whole + _TOLERANCE).astype(np.int64)
    spare = int(np.rint(whole.sum())) - int(fill.sum())
    fill[np.argsort(fill - whole, kind="stable")[: max(0, spare)]] += 1
    alike = replace(program, demand=np.minimum(fill, program.demand))
    start: Bools = values >= 1.0 - _TOLERANCE
    as_spread = fill_up(alike, start)
    return [as_spread, fill_up(program, as_spread), fill_up(program, start)]


def _settled(program: Program, values: Floats) -> Bools:
    """Edges that the relaxation takes whole and that compete for no cap with one that it takes in part."""
    fractional = (values > _TOLERANCE) & (values < 1.0 - _TOLERANCE)
    contested = (program.rows @ fractional.astype(float) > 0).astype(float)
    settled: Bools = (values >= 1.0 - _TOLERANCE) & (program.rows.T @ contested == 0)
    return settled


def _relax(program: Program, goal: Goal, start: Bools | None) -> _Relaxed | None:
    """The relaxation over all edges, by pricing; None where it has no solution."""
    core = cheapest(program, start, 1.25)
    factor = 1.25
    for _ in range(_ROUNDS):
        solved = _linear(program, goal, core)
        if solved is None:
            if core.all():
                return None
            factor *= 4.0
            core |= cheapest(program, start, factor)
            continue
        values, short, reduced, bound, price = solved
        helpful = (reduced < -_TOLERANCE / SCALE) & ~core
        count = int(helpful.sum())
        if not count:
            return _Relaxed(values, short, reduced, bound, price, True, core)
        # Also those that nearly help: they are what the next prices would ask for, and few rounds cost less than few columns.
        outside = reduced[~core]
        some = min(len(outside), max(1000, int(core.sum()) // 3, min(count, int(core.sum()))))
        helpful = ~core & (reduced <= np.partition(outside, some - 1)[some - 1])
        core = core | helpful
    return _Relaxed(values, short, reduced, bound, price, False, core)


@dataclass(frozen=True, eq=False)
class Window:
    """What is left to decide among some edges once those are settled that compete for nothing.

    Args:
        open: (e,) edges to decide.
        sure: (e,) edges that some best choice takes.
        low: (c,) a best choice exists at prices of demand that are at least this,
        high: (c,) and at most this.
    """

    open: Bools
    sure: Bools
    low: Floats
    high: Floats


def window(program: Program, goal: Goal, core: Bools) -> Window:
    """Settles the edges that use no cap which the given ones could exceed: of these a best choice takes the lightest.

    A cell that wants d pairs, has m edges that compete and may be s short takes at least d - m - s of those that do not, and at
    most d. So the lightest d - m - s are taken, all after the first d are not, and only those between are left to decide.

    Args:
        program: Edges, caps and demands.
        goal: What is minimised.
        core: (e,) the edges to choose from.
    """
    edges = np.flatnonzero(core)
    rows = program.rows[:, edges]
    binds = np.bincount(rows.indices, minlength=len(program.most)) > program.most
    competes = np.zeros(len(core), np.bool_)
    competes[edges] = rows.T @ binds.astype(float) > 0
    undecided, sure = core.copy(), np.zeros(len(core), np.bool_)
    low, high = np.full(len(program.demand), -np.inf), np.full(len(program.demand), np.inf)
    others = np.bincount(program.cell[competes], minlength=len(low)) + goal.widths.sum(axis=1)
    for c, here in enumerate(program.slices()):
        free = here.start + np.flatnonzero(core[here] & ~competes[here])
        free = free[np.argsort(goal.edges[free], kind="stable")]
        wanted = int(program.demand[c])
        taken, left = free[: max(0, wanted - max(1, int(others[c])))], free[wanted:]
        sure[taken] = True
        undecided[taken] = undecided[left] = False
        low[c] = goal.edges[taken[-1]] if len(taken) else -np.inf
        high[c] = goal.edges[left[0]] if len(left) else np.inf
    return Window(undecided, sure, low, high)


def _matrices(program: Program, goal: Goal, core: Bools) -> tuple[csr_array, Bools, csr_array, Floats, Floats, Bools]:
    """Cap rows that can bind, which these are, demand and held rows with their right side, all weights, tiers of any width."""
    from scipy.sparse import coo_array, csr_array, hstack

    cells = len(program.demand)
    used = goal.widths > 0
    c, _ = np.nonzero(used)
    columns, tiers = int(core.sum()), len(c)
    rows = program.rows[:, np.flatnonzero(core)].tocsr()
    binds: Bools = np.diff(rows.indptr) > program.most  # fewer edges than that cannot exceed the cap
    caps = hstack([rows[np.flatnonzero(binds)], csr_array((int(binds.sum()), tiers))], format="csr")
    row = np.concatenate([program.cell[core], c, *(np.full(tiers, cells + h) for h in range(len(goal.held)))])
    column = np.concatenate([np.arange(columns + tiers), *(np.arange(columns, columns + tiers) for _ in goal.held)])
    value = np.concatenate([np.ones(columns + tiers), *(weight[used] for weight, _ in goal.held)]).astype(float)
    equal = coo_array((value, (row, column)), shape=(cells + len(goal.held), columns + tiers)).tocsr()
    right = np.concatenate([program.demand, [total for _, total in goal.held]]).astype(float)
    weights = np.concatenate([goal.edges[core], goal.short[used]]) * _scale(goal)
    return caps, binds, equal, right, weights, used


def _scale(goal: Goal) -> float:
    """Unit in which a goal's weights are handed to the solver."""
    return SCALE if goal.edges.any() else 1.0


def _linear(program: Program, goal: Goal, core: Bools) -> tuple[Floats, Floats, Floats, float, Floats] | None:
    """Values of all edges, shortfalls, reduced costs and a bound over all edges, and prices, from the relaxation over some."""
    from scipy.optimize import linprog

    apart = window(program, goal, core)
    caps, binds, equal, right, weights, used = _matrices(program, goal, apart.open)
    if not len(weights):
        return None
    columns = int(apart.open.sum())
    upper = np.concatenate([np.ones(columns), goal.widths[used]])
    bounds = np.column_stack([np.zeros(len(upper)), upper])
    most = program.most[binds].astype(float)
    method = "highs-ds" if goal.edges.any() else "highs-ipm"  # without costs the simplex method stalls on ties
    cells = len(program.demand)
    left = right.copy()
    left[:cells] -= program.filled(apart.sure)
    solved = linprog(weights, caps, most, equal, left, bounds, method=method)  # type: ignore[call-overload] # sparse too
    if solved.status != 0 or solved.x is None:
        return None
    scale = _scale(goal)
    price = np.zeros(len(program.most))
    price[binds] = np.minimum(np.asarray(solved.ineqlin.marginals, float), 0.0) / scale
    worth = np.asarray(solved.eqlin.marginals, float) / scale
    worth[:cells] = np.clip(worth[:cells], apart.low, apart.high)
    reduced = goal.edges - program.rows.T @ price - worth[:cells][program.cell]
    c, _ = np.nonzero(used)
    tiers = goal.short[used] - worth[c]
    for h, (weight, _) in enumerate(goal.held):
        tiers = tiers - worth[cells + h] * weight[used]
    bound = float(price @ program.most + worth @ right + np.minimum(reduced, 0.0).sum())
    bound += float((np.minimum(tiers, 0.0) * goal.widths[used]).sum())
    values = np.zeros(len(program.cost))
    values[apart.open] = solved.x[:columns]
    values[apart.sure] = 1.0
    return values, solved.x[columns:], reduced, bound, price


def _integer(
    program: Program, goal: Goal, columns: Bools, fixed: Bools, effort: Effort
) -> tuple[Bools | None, str, float]:
    """The best choice among some edges, how the search ended, and a bound over those edges."""
    from scipy.optimize import Bounds, LinearConstraint, milp

    apart = window(program, goal, columns)
    caps, binds, equal, right, weights, used = _matrices(program, goal, apart.open)
    right[: len(program.demand)] -= program.filled(apart.sure)
    count = int(apart.open.sum())
    lower = np.concatenate([fixed[apart.open].astype(float), np.zeros(int(used.sum()))])
    upper = np.concatenate([np.ones(count), goal.widths[used]])
    rows = [LinearConstraint(equal, right, right)]
    if caps.shape[0]:
        rows.append(LinearConstraint(caps, -np.inf, program.most[binds].astype(float)))
    solved = milp(
        weights,
        integrality=np.ones(len(weights), np.int64),
        bounds=Bounds(lower, upper),
        constraints=rows,
        options={"node_limit": effort.nodes, "mip_rel_gap": effort.gap_for(int(program.demand.sum()))},
    )
    status = {0: "optimal", 2: "infeasible"}.get(solved.status, "stopped")  # a limit of nodes has no status of its own
    below = -np.inf if solved.mip_dual_bound is None else float(solved.mip_dual_bound) / _scale(goal)
    below += float(goal.edges[apart.sure].sum())
    if solved.x is None:
        return None, status, below
    taken = apart.sure.copy()
    taken[np.flatnonzero(apart.open)[solved.x[:count] > 0.5]] = True
    return (taken, status, below) if _meets(program, goal, taken) else (None, status, below)


def _meets(program: Program, goal: Goal, taken: Bools) -> bool:
    """Whether a choice keeps all caps and is short no further than it may be."""
    missing = program.demand - program.filled(taken)
    if not program.keeps_caps(taken) or (missing > goal.widths.sum(axis=1)).any():
        return False
    below = np.cumsum(goal.widths, axis=1) - goal.widths
    tiers = np.clip(missing[:, None] - below, 0, goal.widths)
    return all(int((tiers * weight).sum()) == total for weight, total in goal.held)
