"""The choice of pairs: every cell gets exactly its demand, or the most that can be had, at the least cost, and it is proven.

Cells of one group share the caps, so a group is solved as a whole; groups know nothing of each other. First as many pairs
as can be; then, of all ways to be so many, the fairest (shortfalls spread over the cells in proportion to their demands);
then, of those, the cheapest. Costs are whole numbers with bits of a hash below them, so that the cheapest is all but
always a single choice, which does not depend on the order of clips or cells.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from earmark.builders.pairing.candidates import Edges, join_edges
from earmark.builders.pairing.cells import Caps, Cell
from earmark.builders.pairing.feasibility import binding_of, most_pairs
from earmark.builders.pairing.group import GroupChoice, Spread, choose_in_group
from earmark.builders.pairing.pool import Codes, Floats, Pool
from earmark.builders.pairing.program import UNIT
from earmark.builders.pairing.solver import Effort
from earmark.manifests.canonical import Json


@dataclass(frozen=True, eq=False)
class Pairs:
    """Chosen pairs as columns, sorted by cell, target, left and right.

    Args:
        cell: (p,) index into the reports of the cells.
        left: (p,) index of a clip of the selection's left side; where the sides are the same, of the lower of the two.
        right: (p,) index of the other clip.
        target: (p,) what each pair is asked about.
        cost: (p,) what it costs, in standardised units.
    """

    cell: Codes
    left: Codes
    right: Codes
    target: tuple[str, ...]
    cost: Floats

    def __len__(self) -> int:
        return len(self.left)


@dataclass(frozen=True, kw_only=True)
class CellReport:
    """What was asked for in a cell, what could be had, and what came of it.

    Args:
        key: The cell's key.
        group: Its group.
        demand: Pairs wanted; None for as many as the caps allow.
        candidates: Pairs that its selections admit, before any cap.
        feasible: The most pairs it could have under the caps, were it alone.
        feasible_holds: "exactly", or "at most" where that is only a bound.
        filled: Pairs chosen.
        binding: What kept it from its demand; None where nothing did.
    """

    key: tuple[str, ...]
    group: Hashable
    demand: int | None
    candidates: int
    feasible: int
    feasible_holds: str
    filled: int
    binding: str | None

    def as_json(self) -> dict[str, Json]:
        """The same for machines."""
        return {
            "key": list(self.key),
            "group": str(self.group),
            "demand": self.demand,
            "candidates": self.candidates,
            "feasible": self.feasible,
            "feasible_holds": self.feasible_holds,
            "filled": self.filled,
            "binding": self.binding,
        }


@dataclass(frozen=True, kw_only=True)
class SolveReport:
    """How the pairs of a group were chosen.

    Args:
        group: The group.
        edges: Pairs that were considered.
        nearest: How many partners of each clip were.
        complete: Whether these are all pairs there are, so that what is proven holds of them all.
        filled: Pairs chosen.
        most: No choice among the edges has more pairs. In several blocks nothing more is proven than what counting tells.
        lp: How the relaxation ended: optimal, stopped; "none" where nothing was to be solved.
        milp: How branching ended: optimal; stopped, at a number of nodes or edges that is the same on every machine, so that the
            gap may be more than the solver's; None where the relaxation was whole already.
        objective: Sum of the costs in standardised units, rounded costs with their hashes.
        bound: No choice of as many pairs among the edges, as fairly spread, costs less.
        gap: Their distance as a share of the objective, at least 0; 0 of an objective of 0.
        blocks: In how many blocks the group was solved.
        spread: How shortfalls are spread over the cells: "nothing short"; "fairest", proven so among as many pairs; "as found",
            where that was not proven, or not tried since the group was solved in blocks.
    """

    group: Hashable
    edges: int
    nearest: int
    complete: bool
    filled: int
    most: int
    lp: str
    milp: str | None
    objective: float
    bound: float
    gap: float
    blocks: int
    spread: Spread

    def as_json(self) -> dict[str, Json]:
        """The same for machines."""
        return {
            "group": str(self.group),
            "edges": self.edges,
            "nearest": self.nearest,
            "complete": self.complete,
            "filled": self.filled,
            "most": self.most,
            "lp": self.lp,
            "milp": self.milp,
            "objective": self.objective,
            "bound": self.bound,
            "gap": self.gap,
            "blocks": self.blocks,
            "spread": self.spread,
        }


@dataclass(frozen=True, eq=False)
class Allocation:
    """The pairs of all cells, and reports of the cells and of the groups.

    Args:
        pairs: The pairs chosen.
        cells: One report per cell, in the order of keys.
        solves: One report per group, in the order of their first cells.
    """

    pairs: Pairs
    cells: tuple[CellReport, ...]
    solves: tuple[SolveReport, ...]

    def as_json(self) -> dict[str, Json]:
        """Both reports for machines, without the pairs."""
        return {
            "cells": [report.as_json() for report in self.cells],
            "solves": [report.as_json() for report in self.solves],
        }


def allocate(
    pool: Pool,
    cells: Sequence[Cell],
    caps: Mapping[Hashable, Caps],
    *,
    nearest: int,
    effort: Effort | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Allocation:
    """Chooses for every cell as many pairs as it demands, or the most that can be had, at the least cost under the caps.

    Args:
        pool: The clips.
        cells: What is wanted; keys are unique.
        caps: Caps by group; a group without any has those of `Caps()`.
        nearest: How many nearest partners of each clip to consider per selection; doubled for a group until its cells are
            as full as they can be, or every pair is considered.
        effort: Limits of the search; None for the defaults.
        progress: Called with the number of groups solved and of all groups, before the first and after each.

    Raises:
        ValueError: If two cells have one key.
    """
    ordered = sorted(cells, key=lambda cell: cell.key)
    if len({cell.key for cell in ordered}) < len(ordered):
        raise ValueError("two cells have one key")
    groups: dict[Hashable, list[int]] = {}
    for index, cell in enumerate(ordered):
        groups.setdefault(cell.group, []).append(index)
    reports: dict[int, CellReport] = {}
    solves: list[SolveReport] = []
    edges: list[Edges] = []
    cell_of: list[Codes] = []
    target_of: list[str] = []
    if progress is not None:
        progress(0, len(groups))
    for done, (group, members) in enumerate(groups.items(), start=1):
        within = [ordered[i] for i in members]
        shared = caps.get(group, Caps())
        choice = choose_in_group(pool, within, shared, nearest=nearest, effort=effort or Effort())
        solves.append(_solve_report(group, choice))
        filled = np.bincount(choice.graph.cell[choice.taken], minlength=len(members))
        for c, index in enumerate(members):
            reports[index] = _cell_report(pool, within[c], shared, choice, c, int(filled[c]))
        edges.append(choice.graph.edges.take(choice.taken))
        cell_of.append(np.array(members, np.int64)[choice.graph.cell[choice.taken]])
        target_of.extend(choice.graph.targets[t] for t in choice.graph.target[choice.taken].tolist())
        if progress is not None:
            progress(done, len(groups))
    whole, codes = join_edges(edges), np.concatenate([*cell_of, np.empty(0, np.int64)])
    order = np.argsort(codes, kind="stable")
    whole = whole.take(order)
    target = tuple(target_of[place] for place in order.tolist())
    return Allocation(
        Pairs(codes[order], whole.left, whole.right, target, whole.cost),
        tuple(reports[i] for i in range(len(ordered))),
        tuple(solves),
    )


def _cell_report(pool: Pool, cell: Cell, caps: Caps, choice: GroupChoice, c: int, filled: int) -> CellReport:
    candidates, feasible = choice.candidates[c], choice.feasible[c]
    if filled < feasible.pairs and (cell.demand is None or filled < cell.demand) and feasible.holds != "exactly":
        feasible = most_pairs(pool, cell, caps)
    binding = binding_of(pool, cell, caps, candidates=candidates, feasible=feasible.pairs, filled=filled)
    return CellReport(
        key=cell.key,
        group=cell.group,
        demand=cell.demand,
        candidates=candidates,
        feasible=feasible.pairs,
        feasible_holds="exactly" if filled == feasible.pairs else feasible.holds,
        filled=filled,
        binding=binding,
    )


def _solve_report(group: Hashable, choice: GroupChoice) -> SolveReport:
    outcome, graph = choice.outcome, choice.graph
    objective, bound = (0.0, 0.0) if outcome is None else (outcome.objective * UNIT, outcome.bound * UNIT)
    return SolveReport(
        group=group,
        edges=len(graph.edges),
        nearest=graph.nearest,
        complete=graph.complete,
        filled=int(choice.taken.sum()),
        most=choice.most,
        lp="none" if outcome is None else outcome.lp,
        milp=None if outcome is None else outcome.milp,
        objective=objective,
        bound=bound,
        gap=(objective - bound) / objective if objective > 0 else 0.0,
        blocks=choice.blocks,
        spread=choice.spread,
    )
