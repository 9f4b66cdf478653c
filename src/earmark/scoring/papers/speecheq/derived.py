"""What follows from SpeechEQ's printed tables: counts, the norm behind SEQ, ranks with their ties, costs, and personas."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from earmark.scoring.norms import shipped_norm
from earmark.scoring.papers.records import Section
from earmark.scoring.papers.speecheq.cells import CHANCE, LOCAL, NAMES, seq
from earmark.scoring.papers.speecheq.costs import PRICE, cost_between
from earmark.scoring.papers.speecheq.ranks import HUMAN, TITLES, level_models, of_counts, of_printed, ties_broken
from earmark.scoring.papers.speecheq.rounding import reaching, rounded
from earmark.scoring.papers.speecheq.tables import (
    ACCURACIES,
    BASELINE,
    RANDOM,
    Counts,
    Tables,
    read_counts,
    read_tables,
    trajectories,
)

if TYPE_CHECKING:
    from earmark.scoring.papers.speecheq.tables import Accuracies

BEST = "Qwen3-Omni-30B"
"""The system of Table 3 whose personas are in Table 6."""

DASH = "-"


def sections(tables: Tables | None = None, counts: Counts | None = None) -> tuple[Section, ...]:
    """Every table that follows.

    Args:
        tables: What is printed; by default the paper's tables.
        counts: The counts; by default those behind them.
    """
    tables, counts = tables or read_tables(), counts or read_counts()
    return (
        validation_section(tables, counts),
        counts_section(tables, counts),
        norm_section(tables, counts),
        costs_section(tables),
        ranks_section(tables, counts),
        personas_section(tables, counts),
    )


def validation_section(tables: Tables, counts: Counts) -> Section:
    """Tables 1 and 2: every count that has the printed digits."""
    rows = [
        (f"Table 1, {name}", NAMES[accuracy], printed, _several(reaching(printed, total, unit=100)), f"{total:,}")
        for name, row in tables.table_1.items()
        for total in (counts.table_1[name].total,)
        for accuracy, printed in _accuracies(row)
    ]
    rows += [
        ("Table 2, experts", name.replace("_", " "), printed, _several(reaching(printed, of.total)), f"{of.total:,}")
        for name, printed in tables.table_2.items()
        for of in (counts.table_2[name],)
    ]
    return Section(
        "Counts that have the printed digits: text models on dialogues, experts on ratings of 75 scenarios by two people",
        ("table", "figure", "printed", "counts", "of"),
        tuple(rows),
        right=(2, 3, 4),
    )


def counts_section(tables: Tables, counts: Counts) -> Section:
    """Table 3: every count that has the printed digits, and how many trajectories both turns allow."""
    rows = []
    for name, row in tables.table_3.items():
        right = counts.table_3[name]
        first, second = right.acc_1, right.acc_2
        fits = [_several(reaching(printed, right.total)) for _, printed in _accuracies(row)[:2]]
        bounds = DASH
        if first is not None and second is not None:
            bounds = f"{max(0, first + second - right.total):,}-{min(first, second):,}"
        rows.append(
            (name, *(fits if name != RANDOM else (DASH, DASH)), f"{right.acc_traj:,}", bounds, f"{right.total:,}")
        )
    drawn = counts.table_3[RANDOM]
    return Section(
        "Dialogues behind Table 3: right at turn 4, at turn 6, and at both, which SEQ leaves one number for",
        ("row", NAMES["acc_1"], NAMES["acc_2"], NAMES["acc_traj"], "both turns allow", "of"),
        tuple(rows),
        right=(1, 2, 3, 4, 5),
        note=(
            f"{BEST} has no count out of 2,265; {counts.table_3[BEST].acc_traj:,} of {counts.table_3[BEST].total:,} gives its "
            f"SEQ, so that one dialogue seems to be missing. The random row prints chance ({float(CHANCE['acc_traj'])}), but its "
            f"SEQ is that of {drawn.acc_traj} of {drawn.total:,}."
        ),
    )


def norm_section(tables: Tables, counts: Counts) -> Section:
    """SEQ of every row of Table 3, to more decimals than are printed."""
    norm = shipped_norm()
    rows = []
    for name, row in tables.table_3.items():
        right = counts.table_3[name]
        exact = seq(right.acc_traj, right.total)
        apart = float(Fraction(row.seq) - exact)
        share = f"{right.acc_traj:,} of {right.total:,}"
        rows.append((name, share, row.seq, f"{float(exact):.4f}", f"{apart:+.4f}"))
    without = replace(norm, systems=tuple(system for system in norm.systems if system.name != RANDOM))
    best = Fraction(counts.table_3[BEST].acc_traj, counts.table_3[BEST].total)
    moved = without.score(best).value
    limits = "" if norm.limits is None else f" {norm.limits.text}."
    return Section(
        f"SEQ against the norm {norm.id}",
        ("row", "right at both turns", "printed", "exact", "printed less exact"),
        tuple(rows),
        right=(1, 2, 3, 4),
        note=(
            f"Median {_of(norm.median)}, MAD {_of(norm.mad)} of 2,265, the random row included; without it {BEST} would have "
            f"{float(moved or 0):.2f}.{limits}"
        ),
    )


def costs_section(tables: Tables) -> Section:
    """What the printed latencies cost."""
    rows = []
    for name in LOCAL:
        row = tables.table_3[name]
        low, high = cost_between(row.latency)
        rows.append((name, row.latency, f"{float(low):.4f}-{float(high):.4f}", row.cost))
    return Section(
        f"Dollars for 100 questions at {float(PRICE):.2f} an hour, from seconds for one",
        ("row", "latency", "costs", "printed"),
        tuple(rows),
        right=(1, 2, 3),
        note="The paper states no price; this one gives all eight. The other two rows are services with prices of their own.",
    )


def ranks_section(tables: Tables, counts: Counts) -> Section:
    """Table 4 by the printed ranks and by the public predictions."""
    rows = []
    for column, ranking in tables.table_4.items():
        if column == HUMAN:
            continue
        printed, public, of = of_printed(tables, column), of_counts(tables, counts, column), counts.table_4[column]
        rows.append(
            (
                TITLES[column],
                " ".join(map(str, ranking.ranks)),
                f"{' '.join(map(str, of.right))} of {of.total}",
                level_models(of.right) or DASH,
                ranking.rho,
                _figure(printed.value),
                _figure(public.value),
                ranking.p,
                _figure(printed.p),
                _figure(public.p),
            )
        )
    ways = ties_broken(tables, counts, "seq")
    return Section(
        "Spearman's correlation of six models' ranks with people's: the ranks as printed, and the authors' public predictions",
        (
            "by",
            "ranks A-F",
            "right A-F",
            "level",
            "printed",
            "ranks",
            "right",
            "p printed",
            "p exact",
            "p exact, right",
        ),
        tuple(rows),
        right=(4, 5, 6, 7, 8, 9),
        note=(
            f"The printed ranks of Acc_all and SEQ break ties that the predictions have. Of the {len(ways)} ways to break that "
            f"of SEQ the printed one is the best ({_figure(ways[0])}; the others {_figure(ways[-1])} to {_figure(ways[1])}). "
            "With ties left as in the other columns the order reverses, and SEQ is not the closest to people. Nor were people "
            "blind: the authors' rating page marks each choice as right or wrong, so that part of any correlation is built in."
        ),
    )


def personas_section(tables: Tables, counts: Counts) -> Section:
    """SEQ under every persona, the two that are not printed among them."""
    rows = []
    for persona, composites in counts.table_6.items():
        right, total = trajectories(composites)
        value = rounded(seq(right, total), 2)
        rows.append((persona, f"{right:,} of {total:,}", value, tables.section_4_4.get(persona, DASH)))
    right, total = (
        sum(each) for each in zip(*((e.right[0], e.total) for e in counts.table_6[BASELINE].values()), strict=True)
    )
    return Section(
        f"SEQ of {BEST} under personas, against the same norm",
        ("persona", "right at both turns", "SEQ", "printed"),
        tuple(rows),
        right=(1, 2, 3),
        note=(
            "453 dialogues a composite, save for 452 of Interpersonal without a persona: no counts of 453 have all its digits. "
            f"That is the dialogue missing from Table 3. Right at turn 4 without a persona are {right:,} of {total:,}, which is "
            f"{rounded(Fraction(right, total), 3)}; Table 3 prints {tables.table_3[BEST].acc_1}."
        ),
    )


def _accuracies(row: Accuracies) -> Sequence[tuple[str, str]]:
    return list(zip(ACCURACIES, (row.acc_1, row.acc_2, row.acc_traj), strict=True))


def _several(counts: range) -> str:
    """The counts of a range, for people.

    >>> _several(range(139, 141)), _several(range(147, 148)), _several(range(3, 3))
    ('139-140', '147', 'none')
    """
    ends: Iterator[int] = iter(dict.fromkeys((counts[0], counts[-1]))) if counts else iter(())
    return "-".join(f"{end:,}" for end in ends) or "none"


def _of(share: Fraction | None) -> str:
    """A share as a count of 2,265."""
    return DASH if share is None else f"{float(share * 2265):.4g}"


def _figure(value: float | None) -> str:
    return DASH if value is None else f"{value:.3f}"
