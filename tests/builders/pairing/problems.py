"""Small pairing problems, and the slow and obviously right way to do what the engine does."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from itertools import product

import numpy as np
from hypothesis import strategies as st
from scipy.optimize import Bounds, LinearConstraint, milp

from earmark.builders.pairing.cells import Caps, Cell, Selection
from earmark.builders.pairing.pool import Pool

GROUP = "style"


@dataclass(frozen=True, eq=False)
class Problem:
    pool: Pool
    cells: tuple[Cell, ...]
    caps: Caps


def pool_of(rng: np.random.Generator, n: int, *, nuisances: int = 2, speakers: int = 3, missing: float = 0.0) -> Pool:
    values = rng.integers(0, 5, (n, nuisances)) + rng.integers(0, 2, (n, nuisances)) * rng.random((n, nuisances))
    values[rng.random((n, nuisances)) < missing] = np.nan
    return Pool(
        tuple(f"c{i:05}" for i in range(n)),
        rng.integers(0, speakers, n),
        values,
        rng.integers(0, 2**64, n, dtype=np.uint64),
    )


@st.composite
def selections(draw: st.DrawFn, most: int = 30) -> tuple[Pool, Selection]:
    """A pool and any selection of it."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    n = draw(st.integers(1, most))
    pool = pool_of(rng, n, nuisances=draw(st.integers(0, 2)), missing=draw(st.sampled_from([0.0, 0.3])))
    left = rng.random(n) < 0.6
    columns = [rng.integers(-1, draw(st.integers(1, 4)), n) for _ in range(4)]
    equal, differ = draw(st.integers(0, 2)), draw(st.integers(0, 2))
    right = left if draw(st.booleans()) else ~left
    return pool, Selection("t", left, right, tuple(columns[:equal]), tuple(columns[2 : 2 + differ]))


@st.composite
def problems(draw: st.DrawFn, most: int = 8) -> Problem:
    """Three cells (one of the two, both, neither satisfies one of two targets) that share caps, few clips and odd demands."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    pool = pool_of(rng, draw(st.integers(2, most)), nuisances=draw(st.integers(0, 2)))
    good = [rng.random(len(pool.ids)) < 0.5 for _ in range(2)]
    cells = []
    for name in ("non_tie", "both_good", "both_bad"):
        rule = draw(st.sampled_from(["same", "different", "any"]))
        sides = [{"non_tie": (g, ~g), "both_good": (g, g), "both_bad": ((bad := ~g), bad)}[name] for g in good]
        chosen = tuple(
            Selection(
                f"t{t}",
                left,
                right,
                equal=(pool.speaker,) if rule == "same" else (),
                differ=(pool.speaker,) if rule == "different" else (),
            )
            for t, (left, right) in enumerate(sides)
        )
        demand = draw(st.none() | st.integers(0, 6))
        cells.append(Cell((name,), GROUP, chosen, demand, draw(st.none() | st.integers(1, 3))))
    caps = Caps(
        clip=draw(st.none() | st.integers(1, 3)),
        clip_pair=draw(st.none() | st.integers(1, 2)),
        speaker=draw(st.none() | st.integers(1, 5)),
    )
    return Problem(pool, tuple(cells), caps)


def all_pairs(pool: Pool, selection: Selection) -> set[tuple[int, int]]:
    """Every admissible pair, looked at one by one."""
    found = set()
    same = np.array_equal(selection.left, selection.right)
    for i, j in product(range(len(pool.ids)), repeat=2):
        if i == j or not (selection.left[i] and selection.right[j]) or (same and i > j):
            continue
        if any(c[i] < 0 or c[j] < 0 or c[i] != c[j] for c in selection.equal):
            continue
        if any(c[i] < 0 or c[j] < 0 or c[i] == c[j] for c in selection.differ):
            continue
        found.add((i, j))
    return found


def cost_of(pool: Pool, i: int, j: int) -> float:
    """Cost of a pair; a nuisance without a value costs the mean over all pairs of clips that have one."""
    total = 0.0
    for column in pool.nuisances.T:
        known = column[~np.isnan(column)]
        differences = [abs(a - b) for x, a in enumerate(known) for b in known[x + 1 :]]
        mean = float(np.mean(differences)) if differences else 0.0
        total += mean if np.isnan(column[i]) or np.isnan(column[j]) else abs(column[i] - column[j])
    return total


@dataclass(frozen=True, eq=False)
class Model:
    """All pairs of a problem with every cap as a set of pairs, none left out."""

    pairs: list[tuple[int, str, int, int]]
    rows: dict[tuple[object, ...], tuple[set[int], int]]

    def largest(self, *, cells: set[int], cost: np.ndarray | None = None, fill: dict[int, int] | None = None) -> float:
        """The most pairs of some cells, or the least cost at a given fill of each cell."""
        if not self.pairs:
            return 0.0
        rows, low, high = [], [], []
        for members, most in self.rows.values():
            rows.append([float(e in members) for e in range(len(self.pairs))])
            low.append(-np.inf)
            high.append(most)
        for c, count in (fill or {}).items():
            rows.append([float(pair[0] == c) for pair in self.pairs])
            low.append(count)
            high.append(count)
        upper = [float(pair[0] in cells) for pair in self.pairs]
        solved = milp(
            -np.ones(len(self.pairs)) if cost is None else cost,
            integrality=np.ones(len(self.pairs)),
            bounds=Bounds(0, upper),
            constraints=[LinearConstraint(np.array(rows), low, high)] if rows else [],
            options={"mip_rel_gap": 0.0},
        )
        assert solved.status == 0
        return -round(solved.fun) if cost is None else solved.fun


def model_of(problem: Problem, *, demands: bool = True) -> Model:
    pool, caps = problem.pool, problem.caps
    pairs = [
        (c, selection.target, i, j)
        for c, cell in enumerate(problem.cells)
        for selection in cell.selections
        for i, j in sorted(all_pairs(pool, selection))
    ]
    members: dict[tuple[object, ...], set[int]] = defaultdict(set)
    most: dict[tuple[object, ...], int] = {}

    def use(name: tuple[object, ...], edge: int, cap: int | None) -> None:
        if cap is not None:
            members[name].add(edge)
            most[name] = cap

    for e, (c, target, i, j) in enumerate(pairs):
        for clip in (i, j):
            use(("clip", clip), e, caps.clip)
        use(("pair", min(i, j), max(i, j)), e, caps.clip_pair)
        for speaker in {int(pool.speaker[i]), int(pool.speaker[j])}:
            use(("speaker", speaker), e, caps.speaker)
        use(("target", c, target), e, problem.cells[c].most_per_target)
        if demands:
            use(("demand", c), e, problem.cells[c].demand)
    return Model(pairs, {name: (members[name], most[name]) for name in members})


def shuffled(problem: Problem, rng: np.random.Generator) -> Problem:
    """The same clips under other ids, so that they stand in another order; their ranks stay with them."""
    order = rng.permutation(len(problem.pool.ids))
    pool = replace(
        problem.pool,
        speaker=problem.pool.speaker[order],
        nuisances=problem.pool.nuisances[order],
        rank=problem.pool.rank[order],
    )

    def moved(selection: Selection) -> Selection:
        left = selection.left[order]
        right = left if selection.left is selection.right else selection.right[order]
        return replace(
            selection,
            left=left,
            right=right,
            equal=tuple(c[order] for c in selection.equal),
            differ=tuple(c[order] for c in selection.differ),
        )

    cells = [replace(cell, selections=tuple(map(moved, cell.selections))) for cell in problem.cells]
    return Problem(pool, tuple(cells[i] for i in rng.permutation(len(cells))), problem.caps)
