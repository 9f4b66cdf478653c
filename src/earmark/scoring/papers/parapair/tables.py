"""Tables 1 to 4 of ParaPairAudioBench as they are printed: counts of pairs, and accuracies in tenths of a percent.

The printed digits are facts and stand in `tables.toml`; whole tenths keep every comparison with them exact.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from importlib.resources import files
from typing import TypeAlias, cast

from earmark.manifests.families.pairs import CROSS, NON_TIE, SAME, TIE
from earmark.manifests.report import ALL, OVERALL
from earmark.scoring.papers.parapair.rounding import percent_text

TABLES_TOML = files(__package__).joinpath("tables.toml").read_text(encoding="utf-8")

AVERAGE = "average"
"""The last column of Table 2."""

ORDERS = 2
"""How often a judge is shown each pair."""

RATERS = 6
"""How often a pair of the human subset is judged, in one order only."""

HUMAN_PAIRS = 50
"""Pairs of each criterion in the human subset; half of them tie, save for rate, and half have one transcript."""

Place: TypeAlias = tuple[str, str, str]
"""Judge, criterion (or overall for the macro mean) and part of the pairs."""


@dataclass(frozen=True)
class PrintedCell:
    """One accuracy as it is printed.

    Args:
        table: 2, 3 or 4.
        judge: Whose it is.
        criterion: A criterion, or "overall" for the macro mean.
        part: "all", "non_tie", "tie", "same" or "cross".
        tenths: The accuracy in tenths of a percent, 0 to 1,000.
    """

    table: int
    judge: str
    criterion: str
    part: str
    tenths: int

    @property
    def place(self) -> Place:
        """What the cell is about, whatever its value."""
        return self.judge, self.criterion, self.part

    @property
    def text(self) -> str:
        """The digits as they stand in the paper."""
        return percent_text(self.tenths)


@dataclass(frozen=True)
class Tables:
    """What the four tables print.

    Args:
        humans: The row that is of raters, the others being judges.
        non_tie: Pairs with a preferred clip, by criterion.
        tie: Pairs whose right answer is Tie, by criterion.
        cells: Every accuracy, table by table.
    """

    humans: str
    non_tie: Mapping[str, int]
    tie: Mapping[str, int]
    cells: tuple[PrintedCell, ...]

    @property
    def judges(self) -> tuple[str, ...]:
        """Every row, people first as in the paper."""
        return tuple(dict.fromkeys(cell.judge for cell in self.cells))

    @cached_property
    def models(self) -> tuple[str, ...]:
        """Every row but that of people."""
        return tuple(judge for judge in self.judges if judge != self.humans)

    @cached_property
    def by_place(self) -> Mapping[Place, PrintedCell]:
        """The cells by what they are about."""
        return {cell.place: cell for cell in self.cells}

    def pairs(self, judge: str, criterion: str, part: str) -> int:
        """How many pairs a row's accuracy is over, of all, non-ties or ties; what a transcript's part holds is not printed."""
        non_tie, tie = self.non_tie[criterion], self.tie[criterion]
        if judge == self.humans:
            non_tie, tie = (HUMAN_PAIRS // 2, HUMAN_PAIRS // 2) if tie else (HUMAN_PAIRS, 0)
        return {ALL: non_tie + tie, NON_TIE: non_tie, TIE: tie}[part]

    def shown(self, judge: str) -> int:
        """How many answers a row has to each pair."""
        return RATERS if judge == self.humans else ORDERS


@dataclass(frozen=True)
class Sizes:
    """How many pairs each figure is over.

    Args:
        tables: The printed tables.
        same: Pairs of one transcript, for each criterion that Table 4 has; they are printed nowhere.
    """

    tables: Tables
    same: Mapping[str, int]

    def pairs(self, judge: str, criterion: str, part: str) -> int:
        """How many pairs a row's accuracy is over, whatever the part."""
        if part not in (SAME, CROSS):
            return self.tables.pairs(judge, criterion, part)
        if judge == self.tables.humans:
            return HUMAN_PAIRS // 2
        same = self.same[criterion]
        return same if part == SAME else self.tables.pairs(judge, criterion, ALL) - same

    def answers(self, judge: str, criterion: str, part: str) -> int:
        """How many answers a row has to them."""
        return self.tables.shown(judge) * self.pairs(judge, criterion, part)


def read_tables(text: str = TABLES_TOML) -> Tables:
    """Read printed tables.

    Args:
        text: TOML in the form of `tables.toml`.

    Raises:
        ValueError: If it is no TOML, or a figure has more than one decimal.
        KeyError: If a table is missing.
    """
    import tomllib

    read = cast("Mapping[str, Mapping[str, Mapping[str, object]]]", tomllib.loads(text, parse_float=Decimal))
    counts = cast("Mapping[str, Mapping[str, int]]", read["table_1"])
    return Tables(
        humans=cast("str", read["humans"]),
        non_tie=counts[NON_TIE],
        tie=counts[TIE],
        cells=(
            *_cells(2, ALL, read["table_2"]),
            *(cell for part in (NON_TIE, TIE) for cell in _cells(3, part, read["table_3"][part])),
            *(cell for part in (SAME, CROSS) for cell in _cells(4, part, read["table_4"][part])),
        ),
    )


def _cells(table: int, part: str, rows: Mapping[str, object]) -> Iterator[PrintedCell]:
    for judge, row in cast("Mapping[str, Mapping[str, Decimal]]", rows).items():
        for column, printed in row.items():
            if printed * 10 != int(printed * 10):
                raise ValueError(f"table {table} has {printed} for {judge}, {column}; figures have one decimal")
            yield PrintedCell(table, judge, OVERALL if column == AVERAGE else column, part, int(printed * 10))
