"""Choosing among the pairs that passed, so that no rule such as "the quieter one" finds the resonant option.

**Problem.** Each turn takes one of its candidates; a candidate has a sign for each of the signed differences. Minimise first
the imbalance, Σ over differences of |turns where it is positive − turns where it is negative|, then the sum of costs, then a
hash, which tells equal choices apart without favouring any. All three are whole numbers.

**Solution.** Two programs in whole numbers (HiGHS, without a clock). The first counts: turns that offer the same sign vectors are
one class, and only how many of a class take which vector matters. The second chooses turn by turn at that imbalance. Within a
turn only the cheapest candidate of each sign vector can be chosen. Both bounds are reported; where one is not met its gap is
above 0.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, inf
from typing import NamedTuple, TypeAlias

import numpy as np

from earmark.manifests.keys import rank

COST_BITS = 10
"""A cost is rounded to 2⁻¹⁰."""

HASH_BITS = 12
"""So many bits of hash stand below a cost and tell equal ones apart."""

MOST_COST = 2.0**20
Signs: TypeAlias = tuple[int, ...]
Counts: TypeAlias = dict[tuple[tuple[Signs, ...], Signs], int]
"""How many turns take a sign vector, by the vectors that they offer and the one they take."""

_NODES = 20_000  # of branching: a limit in seconds would let the machine decide
_WHOLE = 1e-6


@dataclass(frozen=True)
class Candidate:
    """A pair that a turn may take.

    Attributes:
        id: Unique within the turn.
        signs: −1, 0 or 1 for each signed difference.
        cost: What taking it costs, 0 to `MOST_COST`; for instance the points that it lacks.
    """

    id: str
    signs: tuple[int, ...]
    cost: float = 0.0


@dataclass(frozen=True)
class Turn:
    """A turn and the pairs it may take.

    Attributes:
        id: Unique among the turns.
        candidates: At least one.
    """

    id: str
    candidates: tuple[Candidate, ...]


@dataclass(frozen=True)
class Balance:
    """A choice of one candidate for each turn.

    Attributes:
        chosen: Ids of the candidates, in the order of the turns.
        excess: For each signed difference, turns where it is positive less turns where it is negative.
        imbalance: Sum of their magnitudes.
        least: No choice has a lower imbalance than this.
        before: Imbalance if each turn took its cheapest candidate.
        cost: Sum of costs.
        cost_gap: How far the cost may be above the least at this imbalance, as a share of it; 0 is proven.
    """

    chosen: tuple[str, ...]
    excess: tuple[int, ...]
    imbalance: int
    least: int
    before: int
    cost: float
    cost_gap: float

    @property
    def gap(self) -> int:
        """Imbalance above what is proven to be needed; 0 is proven."""
        return self.imbalance - self.least


class _Option(NamedTuple):
    """The cheapest candidate of a sign vector in a turn, its whole cost, and what tells it from its equals."""

    cost: int
    mark: int
    candidate: Candidate

    @property
    def signs(self) -> tuple[int, ...]:
        return self.candidate.signs


def balance(turns: Sequence[Turn], *, key: bytes, seed: int) -> Balance:
    """Choose.

    Args:
        turns: the turns of all dialogues; their order does not matter.
        key: the release key: what is balanced against the answers is drawn with it.
        seed: of the draw among equals.

    Raises:
        ValueError: two turns or two candidates of a turn have one id, a turn has no candidate, sign vectors differ in
            length, or a sign or a cost is out of range.
    """
    _validate(turns)
    order = sorted(range(len(turns)), key=lambda place: turns[place].id)
    options = [_options(turns[place], key, seed) for place in order]
    width = len(turns[0].candidates[0].signs) if turns else 0
    cheapest = [min(offered) for offered in options]
    before = _imbalance([option.signs for option in cheapest], width)
    counts, least = _counted(options, width)
    first = _spread(options, counts)
    imbalance = _imbalance([option.signs for option in first], width)
    taken, bound = _priced(options, width, imbalance)
    if taken is None or sum(option.cost for option in first) < sum(option.cost for option in taken):
        taken = first
    whole = sum(option.cost for option in taken)
    chosen = {place: option.candidate for place, option in zip(order, taken, strict=True)}
    in_order = [chosen[place] for place in range(len(turns))]
    signs = [candidate.signs for candidate in in_order]
    return Balance(
        chosen=tuple(candidate.id for candidate in in_order),
        excess=tuple(int(value) for value in np.sum(signs, axis=0)) if signs else (),
        imbalance=_imbalance(signs, width),
        least=least,
        before=before,
        cost=sum(candidate.cost for candidate in in_order),
        cost_gap=max(0.0, whole - bound) / whole if whole else 0.0,
    )


def _options(turn: Turn, key: bytes, seed: int) -> list[_Option]:
    best: dict[tuple[int, ...], _Option] = {}
    for candidate in turn.candidates:
        mark = rank(key, seed, "contrast", f"{turn.id} {candidate.id}")
        cost = (round(candidate.cost * 2**COST_BITS) << HASH_BITS) | (mark >> (64 - HASH_BITS))
        option = _Option(cost, mark, candidate)
        known = best.get(candidate.signs)
        if known is None or option[:2] < known[:2]:
            best[candidate.signs] = option
    return [best[signs] for signs in sorted(best)]


def _counted(options: Sequence[Sequence[_Option]], width: int) -> tuple[Counts, int]:
    """How many turns of each class take each sign vector at the least imbalance, and the bound that was proven."""
    classes = Counter(tuple(option.signs for option in offered) for offered in options)
    names = [(offered, signs) for offered in sorted(classes) for signs in offered]
    if not names:
        return {}, 0
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import csr_array, hstack, vstack

    places = {offered: place for place, offered in enumerate(sorted(classes))}
    takes = csr_array(
        (np.ones(len(names)), ([places[offered] for offered, _ in names], range(len(names)))),
        shape=(len(classes), len(names)),
    )
    excess = csr_array(np.array([signs for _, signs in names], float).reshape(len(names), width).T)
    unit = csr_array(np.eye(width))
    above = vstack([hstack([excess, -unit]), hstack([-excess, -unit])])  # excess − d <= 0 and −excess − d <= 0
    sizes = np.array([classes[offered] for offered in sorted(classes)], float)
    parity = [_parity([[option.signs[f] for option in offered] for offered in options]) for f in range(width)]
    solved = milp(
        np.concatenate([np.zeros(len(names)), np.ones(width)]),
        integrality=np.concatenate([np.ones(len(names)), np.zeros(width)]),
        bounds=Bounds(np.concatenate([np.zeros(len(names)), parity]), inf),
        constraints=[
            LinearConstraint(hstack([takes, csr_array((len(classes), width))]), sizes, sizes),
            LinearConstraint(above, -inf, 0),
        ],
        options={"mip_rel_gap": 0.0, "node_limit": _NODES},
    )
    if solved.x is None:  # branching ended without any choice: each turn's cheapest is one
        cheapest = Counter((tuple(o.signs for o in offered), min(offered).signs) for offered in options)
        return dict(cheapest), sum(parity)
    counts = np.rint(solved.x[: len(names)]).astype(int).tolist()
    return dict(zip(names, counts, strict=True)), max(sum(parity), ceil(solved.mip_dual_bound - _WHOLE))


def _spread(options: Sequence[Sequence[_Option]], counts: Counts) -> list[_Option]:
    """Some choice with these counts: each turn in order takes its cheapest option that is left to its class."""
    left = dict(counts)
    taken = []
    for offered in options:
        name = tuple(option.signs for option in offered)
        option = min(option for option in offered if left[name, option.signs] > 0)
        left[name, option.signs] -= 1
        taken.append(option)
    return taken


def _priced(options: Sequence[Sequence[_Option]], width: int, imbalance: int) -> tuple[list[_Option] | None, int]:
    """The cheapest choice at an imbalance, and a bound on its whole cost; None where branching found none."""
    flat = [(turn, option) for turn, offered in enumerate(options) for option in offered]
    if not flat:
        return [], 0
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import csr_array, hstack, vstack

    takes = csr_array(
        (np.ones(len(flat)), ([turn for turn, _ in flat], range(len(flat)))), shape=(len(options), len(flat))
    )
    excess = csr_array(np.array([option.signs for _, option in flat], float).reshape(len(flat), width).T)
    unit = csr_array(np.eye(width))
    above = vstack([hstack([excess, -unit]), hstack([-excess, -unit])])
    total = np.concatenate([np.zeros(len(flat)), np.ones(width)])[None, :]
    cost = np.array([option.cost for _, option in flat], float) / 2**HASH_BITS
    solved = milp(
        np.concatenate([cost, np.zeros(width)]),
        integrality=np.concatenate([np.ones(len(flat)), np.zeros(width)]),
        bounds=Bounds(np.zeros(len(flat) + width), np.concatenate([np.ones(len(flat)), np.full(width, inf)])),
        constraints=[
            LinearConstraint(hstack([takes, csr_array((len(options), width))]), 1, 1),
            LinearConstraint(above, -inf, 0),
            LinearConstraint(total, -inf, imbalance + 0.5),
        ],
        options={"mip_rel_gap": 0.0, "node_limit": _NODES},
    )
    bound = ceil(solved.mip_dual_bound * 2**HASH_BITS - _WHOLE * 2**HASH_BITS) if solved.mip_dual_bound else 0
    if solved.x is None:
        return None, bound
    taken = [option for (_, option), x in zip(flat, solved.x[: len(flat)].tolist(), strict=True) if x > 0.5]
    return taken, bound


def _parity(signs: Sequence[Sequence[int]]) -> int:
    """1 where every choice of signs has an odd sum: no turn can take a 0 together with another sign, and the odd ones are odd."""
    odd = 0
    for offered in signs:
        kinds = {abs(sign) for sign in offered}
        if len(kinds) == 2:
            return 0
        odd += kinds == {1}
    return odd % 2


def _imbalance(signs: Sequence[tuple[int, ...]], width: int) -> int:
    return int(np.abs(np.sum(np.array(signs, int).reshape(len(signs), width), axis=0)).sum())


def _validate(turns: Sequence[Turn]) -> None:
    if len({turn.id for turn in turns}) < len(turns):
        raise ValueError("two turns have one id")
    widths = {len(candidate.signs) for turn in turns for candidate in turn.candidates}
    if len(widths) > 1:
        raise ValueError(f"candidates have {sorted(widths)} signs; all must have as many")
    for turn in turns:
        if not turn.candidates or len({candidate.id for candidate in turn.candidates}) < len(turn.candidates):
            raise ValueError(f"turn {turn.id!r} has no candidate, or two of one id")
        for candidate in turn.candidates:
            if set(candidate.signs) - {-1, 0, 1} or not 0 <= candidate.cost <= MOST_COST:
                found = f"signs {candidate.signs} and cost {candidate.cost:g}"
                raise ValueError(f"turn {turn.id!r}: {found}; signs are −1, 0 or 1 and a cost is 0 to {MOST_COST:g}")
