"""Which whole numbers of right answers the printed tables leave: an exact search, in integers.

Every pair is judged a known number of times, so that an accuracy is a count over a known total and its printed digits leave a few
counts, mostly one or two. Counts of one judge and criterion must also agree with each other: what is right among non-ties and
ties is what is right among same and cross transcripts. How many pairs have one transcript is printed for no criterion; it is
the number for which every judge has counts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING

from earmark.manifests.families.pairs import CRITERIA, CROSS, NON_TIE, SAME, TIE
from earmark.manifests.report import ALL, OVERALL
from earmark.scoring.papers.parapair.rounding import nearest, reaching, rounded
from earmark.scoring.papers.parapair.tables import ORDERS, Sizes

if TYPE_CHECKING:
    from earmark.scoring.papers.parapair.tables import Place, PrintedCell, Tables


@dataclass(frozen=True)
class Slip:
    """A printed figure that no counts give.

    Args:
        printed: Tenths of a percent, as printed.
        right: Tenths that the paper's other figures leave.
        why: How that is known.
    """

    printed: int
    right: int
    why: str


SLIPS: Mapping[Place, Slip] = {
    ("SpeechJudge-7B", "emphasis", ALL): Slip(329, 328, "63.0 and 4.7 leave 523 of 830 and 42 of 890, so 565 of 1,720"),
    ("Human", OVERALL, ALL): Slip(792, 791, "the mean of rounded cells, 79.16; the votes themselves give 79.13"),
}
"""The figures that are known to be slips of print; any other difference has no explanation."""


@dataclass(frozen=True)
class Counts:
    """Right answers of one judge to the pairs of one criterion.

    Args:
        non_tie: Among pairs with a preferred clip.
        tie: Among ties.
        same: Among pairs of one transcript; None where the paper does not print that part.
    """

    non_tie: int
    tie: int
    same: int | None = None

    @property
    def all(self) -> int:
        """Among all pairs."""
        return self.non_tie + self.tie

    @property
    def cross(self) -> int | None:
        """Among pairs of two transcripts."""
        return None if self.same is None else self.all - self.same

    @property
    def parts(self) -> Mapping[str, int | None]:
        """All of them by part."""
        return {ALL: self.all, NON_TIE: self.non_tie, TIE: self.tie, SAME: self.same, CROSS: self.cross}


def slip_of(cell: PrintedCell) -> Slip | None:
    """What is known to be wrong with a printed figure; None where nothing is."""
    slip = SLIPS.get(cell.place)
    return slip if slip is not None and slip.printed == cell.tenths else None


def same_counts(
    tables: Tables, criterion: str, *, shown: int = ORDERS, judges: Sequence[str] | None = None
) -> tuple[int, ...]:
    """How many pairs of a criterion may have one transcript: each number for which every judge has counts.

    Args:
        tables: The printed tables.
        criterion: One that Table 4 has.
        shown: How often each pair was judged.
        judges: Whom to ask; by default every model.
    """
    asked = tables.models if judges is None else judges
    n = tables.pairs(tables.models[0], criterion, ALL)
    return tuple(same for same in range(n + 1) if all(_attains(tables, j, criterion, same, shown) for j in asked))


def solve_sizes(tables: Tables) -> Sizes:
    """The numbers of pairs of one transcript that most models have counts for, the least where several are level.

    One number suits all models of the printed tables; were a figure another, some model would be left without counts.
    """
    same = {}
    for criterion in dict.fromkeys(cell.criterion for cell in tables.cells if cell.part == SAME):
        n = tables.pairs(tables.models[0], criterion, ALL)
        suited = [sum(_attains(tables, judge, criterion, at, ORDERS) for judge in tables.models) for at in range(n + 1)]
        same[criterion] = suited.index(max(suited))
    return Sizes(tables, same)


def candidates(sizes: Sizes, judge: str, criterion: str) -> list[Counts]:
    """The counts of a judge that go with every printed figure of a criterion; where none do, those that go with most.

    Args:
        sizes: The tables, and how many pairs each figure is over.
        judge: The row.
        criterion: The criterion.
    """
    printed = {part: _counts_of(sizes, judge, criterion, part) for part in (ALL, NON_TIE, TIE, SAME, CROSS)}
    overall, cross = printed[ALL], printed[CROSS]
    non_ties, ties = (
        printed[NON_TIE] or overall,
        printed[TIE] or [0],
    )  # a criterion without ties has but the overall figure
    found: list[tuple[int, Counts]] = []
    for non_tie, tie, same in product(non_ties or [], ties, printed[SAME] or [None]):
        counts = Counts(non_tie, tie, same)
        unmet = (overall is not None and counts.all not in overall) + (cross is not None and counts.cross not in cross)
        found.append((unmet, counts))
    fewest = min(unmet for unmet, _ in found)
    return [counts for unmet, counts in found if unmet == fewest]


def solve(sizes: Sizes, judge: str) -> Mapping[str, Counts]:
    """One set of counts, by criterion, that gives every printed figure of a judge, nearest to the printed digits.

    Args:
        sizes: The tables, and how many pairs each figure is over.
        judge: The row.
    """
    best: dict[str, dict[int, tuple[Fraction, Counts]]] = {criterion: {} for criterion in CRITERIA}
    for criterion in CRITERIA:
        for counts in candidates(sizes, judge, criterion):
            way = (_distance(sizes, judge, criterion, counts), counts)
            kept = best[criterion].get(counts.all)
            if kept is None or way[0] < kept[0]:
                best[criterion][counts.all] = way
    cell = sizes.tables.by_place[judge, OVERALL, ALL]
    slip = slip_of(cell)
    average = cell.tenths if slip is None else slip.right

    def cost(ways: Sequence[tuple[Fraction, Counts]]) -> tuple[int, Fraction]:
        mean = macro(sizes, judge, [counts.all for _, counts in ways])
        return abs(_half_up(mean) - average), sum((distance for distance, _ in ways), Fraction())

    chosen = min(product(*(best[criterion].values() for criterion in CRITERIA)), key=cost)
    return {criterion: counts for criterion, (_, counts) in zip(CRITERIA, chosen, strict=True)}


def macro(sizes: Sizes, judge: str, correct: Sequence[int]) -> Fraction:
    """The mean over criteria of a judge's accuracies, as a share that is not rounded.

    Args:
        sizes: How many pairs each figure is over.
        judge: The row.
        correct: Right answers by criterion, in the order of `CRITERIA`.
    """
    shares = [Fraction(n, sizes.answers(judge, what, ALL)) for n, what in zip(correct, CRITERIA, strict=True)]
    return sum(shares, Fraction()) / len(shares)


def oracle(sizes: Sizes, judge: str, solved: Mapping[str, Counts]) -> dict[Place, int]:
    """What these counts would be printed as, in tenths of a percent, for every figure that is printed of the judge."""
    totals = [solved[criterion].all for criterion in CRITERIA]
    found: dict[Place, int] = {(judge, OVERALL, ALL): _half_up(macro(sizes, judge, totals))}
    for criterion in CRITERIA:
        for part, correct in solved[criterion].parts.items():
            if correct is not None and (judge, criterion, part) in sizes.tables.by_place:
                found[judge, criterion, part] = rounded(correct, sizes.answers(judge, criterion, part))
    return found


def _counts_of(sizes: Sizes, judge: str, criterion: str, part: str) -> range | None:
    """The counts of one part that are printed so, the nearest one where there is none; None where nothing is printed."""
    cell = sizes.tables.by_place.get((judge, criterion, part))
    if cell is None:
        return None
    total, slip = sizes.answers(judge, criterion, part), slip_of(cell)
    tenths = cell.tenths if slip is None else slip.right
    found = reaching(tenths, total)
    return found or range(nearest(tenths, total), nearest(tenths, total) + 1)


def _attains(tables: Tables, judge: str, criterion: str, same: int, shown: int) -> bool:
    """Whether a judge has counts that are printed so, with this many pairs of one transcript."""
    sizes, ranges = Sizes(tables, {criterion: same}), {}
    for part in (ALL, NON_TIE, TIE, SAME, CROSS):
        pairs, cell = sizes.pairs(judge, criterion, part), tables.by_place[judge, criterion, part]
        if pairs == 0:
            return False
        free = slip_of(cell) is not None
        ranges[part] = range(shown * pairs + 1) if free else reaching(cell.tenths, shown * pairs)
    if not all(ranges.values()):
        return False
    # Each is an unbroken range of counts, and so is each sum of two of them.
    sums = ranges[ALL], _sums(ranges[NON_TIE], ranges[TIE]), _sums(ranges[SAME], ranges[CROSS])
    return max(one.start for one in sums) < min(one.stop for one in sums)


def _sums(one: range, other: range) -> range:
    return range(one.start + other.start, one.stop + other.stop - 1)


def _half_up(share: Fraction) -> int:
    return rounded(share.numerator, share.denominator)


def _distance(sizes: Sizes, judge: str, criterion: str, counts: Counts) -> Fraction:
    """Sum of squared differences from the printed figures of a criterion, in tenths of a percent."""
    squares = Fraction()
    for part, correct in counts.parts.items():
        cell = sizes.tables.by_place.get((judge, criterion, part))
        if cell is not None and correct is not None:
            squares += (Fraction(1000 * correct, sizes.answers(judge, criterion, part)) - cell.tenths) ** 2
    return squares
