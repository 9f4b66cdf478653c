"""Anybody's tables of utterances and pairs, read into one form; what has not that form is found, all of it at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias, cast

import pyarrow as pa

from earmark.manifests.acoustics import MEASURES
from earmark.manifests.families.pairs import CONTROLS, FIRST, SECOND
from earmark.manifests.findings import Findings
from earmark.manifests.pairing import PAIRS, UTTERANCES
from earmark.manifests.rows import Row, optional_text, text
from earmark.manifests.tables import Column, Table
from earmark.validation.schemas import COLUMNS, NULL, TYPE, VALUE, allowed

if TYPE_CHECKING:
    import pandas as pd

TableLike: TypeAlias = "pa.Table | pd.DataFrame | Iterable[Mapping[str, object]]"
"""A table as people have them."""

NEEDED = ("utterance", "corpus", "speaker")
"""Columns of UTTERANCES without which nothing can be said; of the others those are read that are there."""

OPTIONAL = {"preferred": None, "variant": "main"}
"""Columns of PAIRS that may be left out, and what then stands in them."""

PCM = "pcm_hash"

_FURTHER = (
    Column(name=PCM, type=pa.string(), nullable=True, means="Hash of the samples."),
    *(measure for measure in MEASURES if measure.name in ("lead", "trail", "words_per_second")),
)
"""Columns beside those of UTTERANCES that are read where they are."""


@dataclass(frozen=True)
class Pair:
    """A row of the pairs table with its two utterances.

    Args:
        at: Its row, counted from 1.
        id: Its name.
        criterion: What is asked about.
        target: What is asked for.
        names: The utterances named first and second.
        sides: Their rows; None where either is no utterance of the table.
        kind: As the table has it.
        preferred: As the table has it.
        transcript: As the table has it.
        variant: main, hard, or what a control is.
    """

    at: int
    id: str
    criterion: str
    target: str
    names: tuple[str, str]
    sides: tuple[Row, Row] | None
    kind: str
    preferred: str | None
    transcript: str
    variant: str

    @property
    def speakers(self) -> tuple[str, ...]:
        """Who speaks: one or two names, or none where the utterances are not known."""
        return tuple(sorted({text(side, "speaker") for side in self.sides or ()}))


class PairTables:
    """Utterances and the pairs made of them.

    Args:
        utterances: Rows by their utterance.
        pairs: Rows of the pairs table.
        shape: What is wrong with the tables' form; where that is an error, no invariant can be asked.
        repeated: How often an utterance stands in its table, of those that do more than once.
    """

    def __init__(
        self,
        utterances: Mapping[str, Row],
        pairs: Iterable[Row],
        shape: Findings | None = None,
        repeated: Mapping[str, int] | None = None,
    ) -> None:
        self.utterances = utterances
        self.shape = Findings() if shape is None else shape
        self.repeated = repeated or {}
        self._rows = tuple(pairs)

    @classmethod
    def of(cls, utterances: TableLike, pairs: TableLike) -> PairTables:
        """Read two tables; nothing is raised, whatever is in them.

        Args:
            utterances: Columns as in `earmark.manifests.pairing.UTTERANCES`. Those in NEEDED must be there; another one that is
                left out is unknown of every utterance. Beside them `pcm_hash` is read, and of the measures `lead`, `trail` and
                `words_per_second`, where they are.
            pairs: Columns as in `earmark.manifests.pairing.PAIRS`; `preferred` and `variant` may be left out.

        Example:
            >>> tables = PairTables.of([{"utterance": "a/1", "corpus": "a", "speaker": "a/x", "pace": "brisk"}], [])
            >>> [finding.detail() for finding in tables.shape]
            ['utterances:1 [pace] a/1: found brisk; one of slow, regular, fast']
        """
        shape = Findings()
        spoken = _read(UTTERANCES.with_columns(_FURTHER), utterances, shape, absent=_unknown())
        paired = _read(PAIRS, pairs, shape, absent=OPTIONAL)
        if shape.failed:
            return cls({}, (), shape)
        # Of two rows with one name neither is right; `ids-unique` says so, and the first one stands for both.
        named: dict[str, Row] = {}
        for row in spoken:
            named.setdefault(text(row, "utterance"), row)
        counts = Counter(text(row, "utterance") for row in spoken)
        return cls(named, paired, shape, {name: count for name, count in counts.items() if count > 1})

    def mirrored(self) -> PairTables:
        """The same pairs with first and second swapped everywhere."""
        sides = {FIRST: SECOND, SECOND: FIRST}
        swapped: list[Row] = [
            {
                **row,
                "first": row["second"],
                "second": row["first"],
                "preferred": sides.get(optional_text(row, "preferred") or ""),
            }
            for row in self._rows
        ]
        return PairTables(self.utterances, swapped, self.shape, self.repeated)

    @cached_property
    def every(self) -> tuple[Pair, ...]:
        """All pairs in the table's order, controls too."""
        return tuple(self._pair(at, row) for at, row in enumerate(self._rows, start=1))

    @cached_property
    def asked(self) -> tuple[Pair, ...]:
        """The pairs that are no controls and whose utterances are known."""
        return tuple(pair for pair in self.every if pair.sides and pair.variant not in CONTROLS)

    def _pair(self, at: int, row: Row) -> Pair:
        names = text(row, "first"), text(row, "second")
        first, second = (self.utterances.get(name) for name in names)
        return Pair(
            at=at,
            id=text(row, "pair"),
            criterion=text(row, "criterion"),
            target=text(row, "target"),
            names=names,
            sides=None if first is None or second is None else (first, second),
            kind=text(row, "kind"),
            preferred=optional_text(row, "preferred"),
            transcript=text(row, "transcript"),
            variant=text(row, "variant"),
        )


def _unknown() -> dict[str, object]:
    """What stands in the columns of utterances that may be left out."""
    others = (column for column in (*UTTERANCES.columns, *_FURTHER) if column.name not in NEEDED)
    return {column.name: [] if column.is_list else None for column in others}


def _read(table: Table, given: TableLike, shape: Findings, *, absent: Mapping[str, object]) -> list[Row]:
    """Rows of a table with every declared column; each failure is added to `shape`."""
    known, columns = _columns(given)
    count = max(map(len, columns.values()), default=0)
    missing = [column.name for column in table.columns if column.name not in columns and column.name not in absent]
    if missing and known:
        found, expected = ", ".join(columns) or "no columns", f"{', '.join(missing)} too"
        shape.add(COLUMNS, file=table.name, found=found, expected=expected)
        return []
    read: dict[str, list[object]] = {}
    for column in table.columns:
        if column.name not in columns:
            read[column.name] = [absent.get(column.name)] * count
            continue
        try:
            if column.is_list and any(isinstance(cell, str) for cell in columns[column.name]):
                raise TypeError("a text that is no list")  # noqa: TRY301  # Arrow would take it for a list of letters
            read[column.name] = pa.array(columns[column.name], type=column.type, from_pandas=True).to_pylist()
        except (pa.ArrowException, TypeError, ValueError, OverflowError) as error:
            shape.add(TYPE, file=table.name, column=column.name, found=error, expected=str(column.type))
    if read.keys() != {column.name for column in table.columns}:
        return []
    for column in table.columns:
        if column.name in columns:
            _check(table, column, read, shape, nullable=column.nullable or column.name in absent)
    return [dict(zip(read, cells, strict=True)) for cells in zip(*read.values(), strict=True)]


def _check(table: Table, column: Column, read: Mapping[str, list[object]], shape: Findings, *, nullable: bool) -> None:
    ids = read[table.key[0]]
    for at, cell in enumerate(read[column.name]):
        name, id, right = column.name, str(ids[at]), allowed(column)
        if cell is None and column.is_list:
            read[name][at] = []
        elif (cell is None and not nullable) or (isinstance(cell, list) and None in cell):
            shape.add(NULL, file=table.name, row=at + 1, column=name, id=id, expected=right)
        elif cell is not None and column.choices is not None and cell not in column.choices:
            shape.add(VALUE, file=table.name, row=at + 1, column=name, id=id, found=cell, expected=right)


def _columns(given: TableLike) -> tuple[bool, dict[str, list[object]]]:
    """Whether anything is known of a table's columns, as is not of no rows, and the columns."""
    if isinstance(given, pa.Table):
        return True, {name: given[name].to_pylist() for name in given.column_names}
    if hasattr(given, "columns"):
        frame = cast("pd.DataFrame", given)
        return True, {str(name): frame[name].tolist() for name in frame.columns}
    rows = list(cast("Iterable[Mapping[str, object]]", given))
    names = dict.fromkeys(name for row in rows for name in row)
    return bool(rows), {name: [row.get(name) for row in rows] for name in names}
