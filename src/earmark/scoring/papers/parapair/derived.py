"""What follows from the printed tables: counts, transcripts within non-ties, verdicts that do not last, constant answers."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from earmark.manifests.families.pairs import CRITERIA, CROSS, NON_TIE, SAME, TIE
from earmark.manifests.report import ALL, OVERALL
from earmark.scoring.papers.parapair.counts import solve, solve_sizes
from earmark.scoring.papers.parapair.effect import divisions, effects, shares_of_non_ties
from earmark.scoring.papers.parapair.marked import PART_NAMES
from earmark.scoring.papers.parapair.tables import read_tables
from earmark.scoring.papers.parapair.verdicts import ABOVE, BELOW, NEITHER, constant_answers, verdicts
from earmark.scoring.papers.records import Section

if TYPE_CHECKING:
    from earmark.scoring.papers.parapair.tables import Place, Sizes, Tables


def sections(tables: Tables | None = None) -> tuple[Section, ...]:
    """Every table that follows.

    Args:
        tables: The printed tables; by default those of the paper.
    """
    sizes = solve_sizes(tables or read_tables())
    return (
        counts_section(sizes),
        *(effect_section(sizes, criterion) for criterion in sizes.same),
        verdicts_section(sizes),
        constants_section(sizes),
    )


def counts_section(sizes: Sizes) -> Section:
    """The right answers behind every row."""
    rows = []
    for judge in sizes.tables.judges:
        for criterion, counts in solve(sizes, judge).items():
            right = counts.parts
            rows.append(
                (judge, criterion, *(_right(sizes, (judge, criterion, part), right[part]) for part in PART_NAMES))
            )
    same = ", ".join(
        f"{same:,} of {sizes.pairs(sizes.tables.models[0], c, ALL):,} {c}" for c, same in sizes.same.items()
    )
    return Section(
        "Right answers that give the printed digits: each pair is judged twice, or by six raters once",
        ("judge", "criterion", "all", "non-tie", "tie", "same", "cross"),
        tuple(rows),
        right=(2, 3, 4, 5, 6),
        note=f"Pairs of one transcript, solved since they are printed nowhere: {same}.",
    )


def effect_section(sizes: Sizes, criterion: str) -> Section:
    """What the same words add, over all pairs and within non-ties; exactly, where all pairs of one transcript can be non-ties."""
    title = f"Same less cross transcript, {criterion}, in points: over all pairs as printed, and within non-ties"
    allowed, same = divisions(sizes, criterion), sizes.same[criterion]
    if not allowed:
        return Section(title, ("judge",), (), note="The tables leave no division into ties and non-ties.")
    head, whole = ["judge", "printed", "within, at least", "within, at most"], allowed[-1] == same
    rows = []
    for one in effects(sizes, criterion):
        row = [one.judge, *(_points(gap) for gap in (one.printed, one.lowest, one.highest))]
        rows.append((*row, _percent(one.same), _percent(one.cross), _points(one.within)) if whole else tuple(row))
    if whole:
        head += [f"same, if all {same}", f"cross, if all {same}", f"within, if all {same}"]
    shares = shares_of_non_ties(sizes, criterion)
    note = (
        f"{allowed[0]} to {allowed[-1]} of the {same} pairs of one transcript are non-ties ({_whole(shares[SAME])} %), against "
        f"{_whole(shares[CROSS])} % of the others: "
    )
    if shares[SAME][0] > shares[CROSS][1]:
        note += "models do worst on ties, so that this alone looks like an effect of the words."
    else:
        note += "which of the two has more ties is not known, so that no effect of the words is established."
    if whole and _people_coincide(sizes, criterion):
        note += " People's digits suggest that all are: same is printed as non-tie, and cross as tie."
    return Section(title, tuple(head), tuple(rows), right=tuple(range(1, len(head))), note=note)


def verdicts_section(sizes: Sizes) -> Section:
    """The verdicts that are lost once all cells of models are taken into account."""
    every = verdicts(sizes)
    models = [one for one in every if one.p_adjusted is not None]
    fragile = sorted((one for one in models if one.fragile), key=lambda one: -abs(one.z))
    rows = tuple(
        (
            one.cell.judge,
            one.cell.criterion + PART_NAMES[one.cell.part],
            one.cell.text,
            str(one.n),
            f"{one.z:.2f}",
            one.verdict,
            f"{one.p:.3f}",
            f"{one.p_adjusted:.3f}",
        )
        for one in fragile
    )
    counted = ", ".join(f"{sum(one.verdict == name for one in every)} {name}" for name in (ABOVE, BELOW, NEITHER))
    return Section(
        "Verdicts against chance that do not last: significant one by one, not after Holm's method",
        ("judge", "cell", "printed", "pairs", "z", "verdict", "p", "p adjusted"),
        rows,
        right=(2, 3, 4, 6, 7),
        note=f"Of {len(every)} cells {counted}; {len(models)} are of models, and {len(fragile)} of their verdicts do not last.",
    )


def constants_section(sizes: Sizes) -> Section:
    """Answers that need no ears, beside the judges."""
    found = constant_answers(sizes, CRITERIA)
    rows = tuple((name, *(_percent(share) for share in row)) for name, row in found.items())
    printed = {
        judge: Fraction(sizes.tables.by_place[judge, OVERALL, ALL].tenths, 1000) for judge in sizes.tables.models
    }
    best = {name: [judge for judge, mean in printed.items() if mean > row[-1]] for name, row in found.items()}
    name = "Tie, and a coin where there are no ties"
    return Section(
        "Answers that need no ears, in percent",
        ("answer", *CRITERIA, "mean"),
        rows,
        right=(1, 2, 3, 4, 5, 6),
        note=f"{name}: a higher mean is printed for {len(best[name])} of {len(printed)} models ({', '.join(best[name])}).",
    )


def _people_coincide(sizes: Sizes, criterion: str) -> bool:
    """Whether people have the same digits for same transcripts and non-ties, and for cross transcripts and ties."""
    found = {
        part: sizes.tables.by_place[sizes.tables.humans, criterion, part].tenths for part in (NON_TIE, TIE, SAME, CROSS)
    }
    return (found[SAME], found[CROSS]) == (found[NON_TIE], found[TIE])


def _right(sizes: Sizes, place: Place, correct: int | None) -> str:
    """Right answers behind a printed figure; a dash where none is printed."""
    return f"{correct:,} of {sizes.answers(*place):,}" if place in sizes.tables.by_place else "-"


def _percent(share: Fraction) -> str:
    return f"{float(100 * share):.1f}"


def _points(share: Fraction) -> str:
    return f"{float(100 * share):+.1f}"


def _whole(shares: tuple[Fraction, Fraction]) -> str:
    return f"{float(100 * shares[0]):.0f}-{float(100 * shares[1]):.0f}"
