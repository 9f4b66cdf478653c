"""Table 4: how rankings of six models by accuracy correlate with people's, by the ranks as printed and by the public predictions.

The printed ranks break two ties that the authors' own public predictions have: models B and D in Acc_all, and C, E and F in
Acc_traj, which SEQ ranks by. With ties left as they are in the other two columns, the order of the last two reverses.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise, permutations
from typing import TYPE_CHECKING

from earmark.scoring.papers.records import Cell
from earmark.scoring.papers.speecheq.rounding import places_of
from earmark.statistics.concordance import rank_correlation

if TYPE_CHECKING:
    from earmark.scoring.papers.speecheq.tables import Counts, Tables
    from earmark.statistics.concordance import RankCorrelation

HUMAN = "human"
MODELS = ("A", "B", "C", "D", "E", "F")

TITLES = {"acc_1": "Acc1", "acc_2": "Acc2", "acc_all": "Acc_all", "seq": "SEQ"}

BROKEN = {
    "acc_all": ("B and D, level at 16 of 30 in the public predictions, are printed as 2 and 3", "0.928"),
    "seq": ("C, E and F, level at 2 of 15 in the public predictions, are printed as 6, 4 and 5", "0.880"),
}
"""Columns whose printed ranks break ties, how that is known, and what comes of the ties."""

EXACT = {"acc_1": "0.067", "acc_2": "0.067", "acc_all": "0.033", "seq": "0.017"}
"""p of the printed ranks over all 720 orderings of six models."""

EXACT_WHY = "by default p is exact, over all 720 orderings; with six models the t approximation is too small"

P_SLIPS = {"acc_2": ("0.039", "0.038"), "acc_all": ("0.018", "0.019")}
"""Printed p that the printed ranks do not give, and what they give: .0378 and .0188."""


def rank_cells(tables: Tables, counts: Counts) -> Iterator[Cell]:
    """Coefficients and p: of the printed ranks, and by default of the counts and exactly."""
    for column, ranking in tables.table_4.items():
        if column == HUMAN:
            continue
        case, of_ranks = "Table 4, with people", of_printed(tables, column)
        public = of_counts(tables, counts, column)
        why, known = BROKEN.get(column, ("", None))
        yield Cell(
            case,
            f"{TITLES[column]}, rho",
            ranking.rho,
            paper=of_ranks.value,
            default=public.value,
            known=None if known is None else float(known),
            why=why,
            decimals=places_of(ranking.rho),
        )
        wrong, right = P_SLIPS.get(column, ("", ""))
        slip = ranking.p == wrong
        yield Cell(
            case,
            f"{TITLES[column]}, p",
            ranking.p,
            paper=of_ranks.p_t,
            default=of_ranks.p,
            known=float(EXACT[column]),
            why=f"a slip of print: the printed ranks give {right}; {EXACT_WHY}" if slip else EXACT_WHY,
            corrected=float(right) if slip else None,
            decimals=places_of(ranking.p),
        )


def of_printed(tables: Tables, column: str) -> RankCorrelation:
    """The correlation of a column's printed ranks with people's; what is printed as level shares its average rank."""
    return rank_correlation(tables.table_4[HUMAN].ranks, tables.table_4[column].ranks)


def of_counts(tables: Tables, counts: Counts, column: str) -> RankCorrelation:
    """The same of the right answers in the public predictions: the more, the better the rank."""
    return rank_correlation(tables.table_4[HUMAN].ranks, [-right for right in counts.table_4[column].right])


def ties_broken(tables: Tables, counts: Counts, column: str) -> tuple[float, ...]:
    """The coefficients of every way to break the ties of a column, greatest first."""
    right = counts.table_4[column].right
    found = set()
    for order in permutations(range(len(right))):
        if all(right[first] >= right[second] for first, second in pairwise(order)):
            ranks = [order.index(model) + 1 for model in range(len(right))]
            found.add(tuple(ranks))
    values = [rank_correlation(tables.table_4[HUMAN].ranks, ranks).value or 0.0 for ranks in found]
    return tuple(sorted(values, reverse=True))


def level_models(right: Sequence[int]) -> str:
    """The models that are level with another, for people.

    >>> level_models([19, 16, 11, 16, 12, 14])
    'B = D'
    """
    groups: dict[int, list[str]] = {}
    for model, count in zip(MODELS, right, strict=True):
        groups.setdefault(count, []).append(model)
    return ", ".join(" = ".join(group) for _, group in sorted(groups.items(), reverse=True) if len(group) > 1)
