"""Every figure of the tables that whole numbers give, beside what is printed."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache

from earmark.manifests.eqi import composite_of
from earmark.scoring.norms import Norm, shipped_norm
from earmark.scoring.papers.records import Cell
from earmark.scoring.papers.speecheq.costs import cost_printed
from earmark.scoring.papers.speecheq.ranks import rank_cells
from earmark.scoring.papers.speecheq.rounding import places_of, rounded
from earmark.scoring.papers.speecheq.tables import (
    ACCURACIES,
    RANDOM,
    Counts,
    Right,
    SystemRow,
    Tables,
    read_counts,
    read_tables,
    trajectories,
)

NAMES = {"acc_1": "Acc1", "acc_2": "Acc2", "acc_traj": "Acc_traj", "acc_all": "Acc_all", "seq": "SEQ"}
"""What the figures are called for people."""

CHANCE = {"acc_1": Fraction(1, 2), "acc_2": Fraction(1, 2), "acc_traj": Fraction(1, 4)}
"""What guessing gives, and the row of it prints."""

LOCAL = (
    "emo_num + Qwen3-30B",
    "emo_des + Qwen3-30B",
    "Qwen2.5-Omni-3B",
    "Qwen2.5-Omni-7B",
    "Qwen3-Omni-30B",
    "Kimi-Audio-7B-Instruct",
    "MiMo-Audio-7B-Instruct",
    "Fun-Audio-Chat-8B",
)
"""The rows of Table 3 that ran on a GPU of the authors', one question at a time; the others are services with own prices."""

DRAWN = "chance is printed; the SEQ beside it is that of a draw, 570 of 2,265"


def worked_values(tables: Tables | None = None, counts: Counts | None = None) -> tuple[Cell, ...]:
    """Every printed figure beside what the counts give.

    Args:
        tables: What is printed; by default the paper's tables.
        counts: The counts; by default those behind them.
    """
    tables, counts = tables or read_tables(), counts or read_counts()
    return (
        *_oracle(tables, counts),
        *_experts(tables, counts),
        *(cell for name, row in tables.table_3.items() for cell in _system(name, row, counts.table_3[name])),
        *rank_cells(tables, counts),
        *_personas(tables, counts),
    )


@cache
def paper_values() -> tuple[Cell, ...]:
    """The same of the paper's own tables, worked out once."""
    return worked_values()


def cell_of(case: str, quantity: str, printed: str, value: Fraction) -> Cell:
    """A printed figure beside an exact value, rounded as it is printed."""
    places = places_of(printed)
    return Cell(case, quantity, printed, paper=float(rounded(value, places)), decimals=places)


@cache
def _norm() -> Norm:
    return shipped_norm()


def seq(correct: int, total: int) -> Fraction:
    """SEQ against the norm of Table 3."""
    value = _norm().score(Fraction(correct, total)).value
    if value is None:
        raise ValueError("the norm of Table 3 gives no score")
    return value


def _oracle(tables: Tables, counts: Counts) -> Iterator[Cell]:
    for name, row in tables.table_1.items():
        right = counts.table_1[name]
        for accuracy, printed in zip(ACCURACIES, (row.acc_1, row.acc_2, row.acc_traj), strict=True):
            share = Fraction(100 * (right.of(accuracy) or 0), right.total)
            yield cell_of(f"Table 1, {name}", NAMES[accuracy], printed, share)


def _experts(tables: Tables, counts: Counts) -> Iterator[Cell]:
    for question, printed in tables.table_2.items():
        of = counts.table_2[question]
        yield cell_of("Table 2, experts", question.replace("_", " "), printed, Fraction(of.passed, of.total))


def _system(name: str, row: SystemRow, right: Right) -> Iterator[Cell]:
    case = f"Table 3, {name}"
    for accuracy, printed in zip(ACCURACIES, (row.acc_1, row.acc_2, row.acc_traj), strict=True):
        count, places = right.of(accuracy), places_of(printed)
        if name != RANDOM and count is not None:
            yield cell_of(case, NAMES[accuracy], printed, Fraction(count, right.total))
        elif count is None:
            yield cell_of(case, NAMES[accuracy], printed, CHANCE[accuracy])
        else:
            chance, drawn = (float(rounded(v, places)) for v in (CHANCE[accuracy], Fraction(count, right.total)))
            yield Cell(case, NAMES[accuracy], printed, chance, drawn, known=drawn, why=DRAWN, decimals=places)
    yield cell_of(case, NAMES["seq"], row.seq, seq(right.acc_traj, right.total))
    if name in LOCAL:
        yield cell_of(case, "cost of 100, from latency", row.cost, cost_printed(row.latency, row.cost))


def _personas(tables: Tables, counts: Counts) -> Iterator[Cell]:
    for persona, composites in tables.table_6.items():
        for composite, row in composites.items():
            of = counts.table_6[persona][composite]
            for accuracy, printed, right in zip(ACCURACIES, row, of.right, strict=True):
                quantity = f"{composite_of(composite).name}, {NAMES[accuracy]}"
                yield cell_of(f"Table 6, {persona}", quantity, printed, Fraction(right, of.total))
    for persona, printed in tables.section_4_4.items():
        yield cell_of("Section 4.4, persona", f"{persona}, SEQ", printed, seq(*trajectories(counts.table_6[persona])))
