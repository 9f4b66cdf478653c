"""Tables of several judges as papers print them: accuracies by criterion, by kind and by transcript, each held against chance.

A cell above chance has a filled triangle that points up, one below it one that points down, besides their colours; where the
verdict is lost once all cells are taken into account (Holm) the triangle is hollow. The best model of a column is bold, and
whoever is above people is underlined. What people are ahead by, and non-ties of ties, are tables of their own.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from earmark.manifests.families.pairs import CONTROL, CRITERIA, CROSS, NON_TIE, SAME, TIE
from earmark.manifests.report import ALL, OVERALL, MetricEntry, Report
from earmark.pages.formats import MINUS, NOTHING
from earmark.pages.shown import shown
from earmark.pages.templates import render_template

if TYPE_CHECKING:
    from earmark.pages.svg import Figure, Table

ALPHA = 0.05
"""A verdict is one where p is below this."""

METRICS = {
    ALL: "accuracy",
    NON_TIE: "accuracy_non_tie",
    TIE: "accuracy_tie",
    SAME: "accuracy_same",
    CROSS: "accuracy_cross",
}
"""The metric of a report that each part's accuracy is."""

_LABELS = {ALL: "", NON_TIE: "non-tie", TIE: "tie", SAME: "same", CROSS: "cross"}
_MEAN = "mean"


@dataclass(frozen=True)
class Accuracy:
    """One cell.

    Args:
        value: The share of right answers; None where undefined.
        n: How many pairs it is over.
        chance: What guessing gives, where that is known.
        p: Two-sided p against chance; None where it was not tested.
        p_adjusted: The same after Holm's method; None where it was not adjusted.
    """

    value: float | None
    n: int
    chance: float | None = None
    p: float | None = None
    p_adjusted: float | None = None

    @property
    def percent(self) -> float | None:
        """In percent, to one decimal, halves upwards."""
        # What is half-way but for the last bit of a float counts as half-way.
        return None if self.value is None else math.floor(1000 * self.value + 0.5 + 1e-9) / 10

    @property
    def side(self) -> str:
        """On which side of chance, "above" or "below", unadjusted; empty where on neither."""
        if self.value is None or self.chance is None or self.p is None or self.p >= ALPHA:
            return ""
        return "above" if self.value > self.chance else "below"

    @property
    def lasting(self) -> bool:
        """Whether the verdict outlives Holm's method; true where nothing was adjusted."""
        return self.p_adjusted is None or self.p_adjusted < ALPHA


@dataclass(frozen=True)
class JudgeRow:
    """All that is known of one judge.

    Args:
        judge: Its name.
        cells: Accuracies by criterion (or "overall") and part.
        people: Whether the row is of human raters.
    """

    judge: str
    cells: Mapping[tuple[str, str], Accuracy]
    people: bool = False


@dataclass(frozen=True)
class Group:
    """Rows that are compared with each other.

    Args:
        title: Where they are from.
        rows: The judges; the first row of people is what the others are held against.
        note: What must be known to read them.
        figures: Captions and figures under their tables.
    """

    title: str
    rows: tuple[JudgeRow, ...]
    note: str = ""
    figures: tuple[tuple[str, Figure], ...] = ()


@dataclass(frozen=True)
class ShownCell:
    """A cell as it is drawn.

    Args:
        text: The figure.
        side: "above", "below", or empty.
        mark: Triangle of the verdict; empty without one.
        says: The verdict in words.
        best: Whether it is the best model of its column.
        over_people: Whether it is above people.
    """

    text: str
    side: str = ""
    mark: str = ""
    says: str = ""
    best: bool = False
    over_people: bool = False


@dataclass(frozen=True)
class ShownTable:
    """A table as it is drawn.

    Args:
        caption: What it shows.
        groups: Columns that stand under one criterion: its name, and how many there are.
        head: Label of each column.
        rows: The judge, and its cells.
    """

    caption: str
    groups: tuple[tuple[str, int], ...]
    head: tuple[str, ...]
    rows: tuple[tuple[str, tuple[ShownCell, ...]], ...]


@dataclass(frozen=True)
class FurtherTable:
    """A plain table behind the others.

    Args:
        title: What it is.
        table: Its head and rows.
        note: What must be known to read it.
    """

    title: str
    table: Table
    note: str = ""


def row_of_report(judge: str, report: Report) -> JudgeRow:
    """The row of a report of the pairs family.

    Args:
        judge: What the judge is called.
        report: Its report; a submission whose judge has the architecture "human" is of people.
    """
    parts = {metric: part for part, metric in METRICS.items()}
    cells = {
        (entry.facet, parts[entry.metric]): _accuracy(entry)
        for entry in report.metrics
        if entry.slice == ALL and entry.metric in parts and entry.facet != CONTROL
    }
    described = report.submission.get("judge")
    people = isinstance(described, Mapping) and described.get("architecture") == "human"
    return JudgeRow(judge, cells, people)


def paper_tables(rows: Sequence[JudgeRow], facet_names: Mapping[str, str] | None = None) -> tuple[ShownTable, ...]:
    """Every table that the rows have figures for.

    Args:
        rows: The judges, in the order in which they stand.
        facet_names: Names of criteria for people; an unnamed one stands as its id.
    """
    names = {OVERALL: _MEAN, **(facet_names or {})}
    present = dict.fromkeys(facet for row in rows for (facet, _), cell in row.cells.items() if cell.value is not None)
    known = [facet for facet in CRITERIA if facet in present]
    facets = [*known, *(facet for facet in present if facet not in (*known, OVERALL))]
    tables = [
        _table("Accuracy by criterion, in percent", rows, [(facet, ALL) for facet in (*facets, OVERALL)], names),
        *(
            _table(
                caption, rows, [(facet, part) for facet in facets for part in two if _has_both(rows, facet, two)], names
            )
            for caption, two in (
                ("Accuracy on non-ties and on ties, in percent", (NON_TIE, TIE)),
                ("Accuracy where both clips say the same and where they do not, in percent", (SAME, CROSS)),
            )
        ),
        _human_gap(rows, facets, names),
        _kind_gap(rows, [facet for facet in facets if _has_both(rows, facet, (NON_TIE, TIE))], names),
    ]
    return tuple(table for table in tables if table.head and table.rows)


def tables_page(
    groups: Sequence[Group],
    *,
    title: str,
    facet_names: Mapping[str, str] | None = None,
    further: Sequence[FurtherTable] = (),
    notes: Sequence[str] = (),
) -> str:
    """A page with the tables of several groups of judges; it needs nothing else.

    Args:
        groups: The judges, group by group.
        title: Title of the page.
        facet_names: Names of criteria for people.
        further: Plain tables behind the others.
        notes: Sentences under the title.

    Returns:
        An HTML document that is well-formed XML too; equal input is equal bytes.
    """
    return render_template(
        "paper_tables.html.j2",
        {
            "title": shown(title),
            "notes": [shown(note, 2000) for note in notes],
            "groups": [
                (
                    shown(group.title),
                    shown(group.note, 2000),
                    paper_tables(group.rows, facet_names),
                    [(shown(caption, 300), figure) for caption, figure in group.figures],
                )
                for group in groups
            ],
            "further": [(shown(one.title, 400), _visible(one.table), shown(one.note, 2000)) for one in further],
        },
    )


def _table(
    caption: str, rows: Sequence[JudgeRow], places: Sequence[tuple[str, str]], names: Mapping[str, str]
) -> ShownTable:
    """One table of accuracies; columns that nobody has a figure for are left out."""
    held = [place for place in places if any(_percent(row, place) is not None for row in rows)]
    people = next((row for row in rows if row.people), None)
    models = [row for row in rows if not row.people]
    every = frozenset[str]().union(*(_criteria(row) for row in models))
    best = {}
    for place in held:
        rivals = models if place[0] != OVERALL else [row for row in models if _criteria(row) == every]
        found = [value for row in rivals if (value := _percent(row, place)) is not None]
        best[place] = max(found, default=None)
    shown_rows = []
    for row in rows:
        cells = []
        for place in held:
            value = _percent(row, place)
            of_people = _percent(people, place) if people is not None and _comparable(people, row, place) else None
            rival = not row.people and (place[0] != OVERALL or _criteria(row) == every)
            cells.append(
                _shown(
                    row.cells.get(place),
                    best=rival and value is not None and value == best[place],
                    over_people=not row.people and value is not None and of_people is not None and value > of_people,
                )
            )
        shown_rows.append((shown(row.judge, 120), tuple(cells)))
    return ShownTable(caption, _grouped([facet for facet, _ in held], names), _heads(held), tuple(shown_rows))


def _criteria(row: JudgeRow) -> frozenset[str]:
    """The criteria that a row's mean is over."""
    return frozenset(
        facet
        for (facet, part), cell in row.cells.items()
        if part == ALL and facet != OVERALL and cell.value is not None
    )


def _comparable(one: JudgeRow, other: JudgeRow, place: tuple[str, str]) -> bool:
    """Whether two rows can be held against each other: means only where they are over the same criteria."""
    return place[0] != OVERALL or _criteria(one) == _criteria(other)


def _human_gap(rows: Sequence[JudgeRow], facets: Sequence[str], names: Mapping[str, str]) -> ShownTable:
    """What people are ahead of each model by."""
    people = next((row for row in rows if row.people), None)
    places = [(facet, ALL) for facet in (*facets, OVERALL) if people and _percent(people, (facet, ALL)) is not None]
    found = []
    for row in rows:
        if people is not None and not row.people:
            cells = tuple(
                _gap(people.cells.get(place), row.cells.get(place) if _comparable(people, row, place) else None)
                for place in places
            )
            found.append((shown(row.judge, 120), cells))
    caption = "By how much people are ahead, in points"
    return ShownTable(caption, _grouped([facet for facet, _ in places], names), _heads(places), tuple(found))


def _kind_gap(rows: Sequence[JudgeRow], facets: Sequence[str], names: Mapping[str, str]) -> ShownTable:
    """By how much each judge does better on non-ties than on ties."""
    found = [
        (
            shown(row.judge, 120),
            tuple(_gap(row.cells.get((facet, NON_TIE)), row.cells.get((facet, TIE))) for facet in facets),
        )
        for row in rows
    ]
    caption = "Non-tie less tie, in points"
    return ShownTable(caption, _grouped(facets, names), ("",) * len(facets), tuple(found))


def _gap(one: Accuracy | None, other: Accuracy | None) -> ShownCell:
    """The difference of two accuracies in points."""
    if one is None or other is None or one.value is None or other.value is None:
        return ShownCell(NOTHING)
    tenths = math.floor(1000 * (one.value - other.value) + 0.5 + 1e-9)
    sign = MINUS if tenths < 0 else "+" if tenths > 0 else ""
    return ShownCell(f"{sign}{abs(tenths) / 10:.1f}")


def _shown(cell: Accuracy | None, *, best: bool, over_people: bool) -> ShownCell:
    if cell is None or cell.percent is None:
        return ShownCell(NOTHING)
    filled, hollow = {"above": ("▲", "△"), "below": ("▼", "▽"), "": ("", "")}[cell.side]
    says = f"{cell.side} chance{'' if cell.lasting else ', not after Holm'}" if cell.side else ""
    mark = filled if cell.lasting else hollow
    return ShownCell(f"{cell.percent:.1f}", cell.side, mark, says, best, over_people)


def _percent(row: JudgeRow, place: tuple[str, str]) -> float | None:
    cell = row.cells.get(place)
    return None if cell is None else cell.percent


def _has_both(rows: Sequence[JudgeRow], facet: str, parts: tuple[str, str]) -> bool:
    """Whether some judge has both parts of a criterion, so that there is something to compare."""
    return any(all(_percent(row, (facet, part)) is not None for part in parts) for row in rows)


def _grouped(facets: Sequence[str], names: Mapping[str, str]) -> tuple[tuple[str, int], ...]:
    return tuple((shown(names.get(facet, facet), 60), list(facets).count(facet)) for facet in dict.fromkeys(facets))


def _heads(places: Sequence[tuple[str, str]]) -> tuple[str, ...]:
    return tuple(_LABELS[part] for _, part in places)


def _accuracy(entry: MetricEntry) -> Accuracy:
    return Accuracy(entry.value, entry.n, entry.chance, entry.p, entry.p_adjusted)


def _visible(table: Table) -> Table:
    from earmark.pages.svg import Table as Plain

    return Plain(
        tuple(shown(cell) for cell in table.head), tuple(tuple(shown(cell) for cell in row) for row in table.rows)
    )
