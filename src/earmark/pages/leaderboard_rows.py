"""The rows and columns of a leaderboard's table, each cell with what is read and what it is sorted by."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from earmark.manifests.leaderboard import UNDECLARED, Board, Kind, Standing
from earmark.manifests.report import OVERALL, BaselineEntry, MetricEntry
from earmark.pages.counts import OUTCOMES
from earmark.pages.formats import NOTHING, figure_text, marked_ends, metric_label, number
from earmark.pages.shown import shown
from earmark.pages.summary import LEADING, facet_label

LONGEST_NAME = 120
"""Characters of a name that are shown."""

DISTINGUISHING = ("revision", "api_date", "persona", "template", "decoding")
"""What is said behind a name that several rows have."""

_SAID = ("revision", "api_date", "access", "architecture", "persona", "template", "decoding")
_DRAWS = ("resamples", "seed")


@dataclass(frozen=True, kw_only=True)
class Column:
    """A column.

    Args:
        label: Its head.
        part: Which columns it is shown with: "core" always, the others where they are asked for.
        number: Whether it holds numbers.
        sorted: Whether the rows stand by it.
    """

    label: str
    part: str = "core"
    number: bool = True
    sorted: bool = False


@dataclass(frozen=True, kw_only=True)
class Cell:
    """A cell.

    Args:
        text: What is read.
        by: What it is sorted by; empty where there is nothing, which stands last whichever way.
        more: What stands behind the text, such as an interval.
        why: Why there is nothing, or what is to be known of it.
    """

    text: str
    by: str = ""
    more: str = ""
    why: str = ""


@dataclass(frozen=True, kw_only=True)
class Row:
    """A row.

    Args:
        kind: Judge, people or rule.
        name: What stands at its left.
        access: Group by access.
        architecture: Group by architecture.
        value: The headline; None where undefined.
        cells: One per column but the first.
    """

    kind: Kind
    name: str
    access: str
    architecture: str
    value: float | None
    cells: tuple[Cell, ...]


@dataclass(frozen=True, kw_only=True)
class Rows:
    """A table.

    Args:
        columns: The columns, that of the names first.
        rows: The rows, the best first, undefined ones last.
    """

    columns: tuple[Column, ...]
    rows: tuple[Row, ...]


def further_metrics(board: Board) -> tuple[str, ...]:
    """Figures besides the headline that are worth a column: those of a report's summary that any row has."""
    present = {entry.metric for one in board.standings for entry in one.metrics if entry.facet == OVERALL}
    return tuple(metric for metric in LEADING.get(board.headline, ()) if metric in present)


def rows_of(board: Board, facet_names: Mapping[str, str]) -> Rows:
    """The table of a board: submissions, and the rules that do not listen among them.

    Args:
        board: The board.
        facet_names: Names of facets for people.
    """
    facets, metrics = board.facets, further_metrics(board)
    columns = (
        Column(label="judge", number=False),
        Column(label=metric_label(board.headline), sorted=True),
        Column(label="coverage"),
        Column(label="chance"),
        Column(label="n"),
        *(Column(label=outcome, part="outcome") for outcome in OUTCOMES[1:]),
        *(Column(label=facet_label(facet, facet_names), part="facet") for facet in facets),
        *(Column(label=metric_label(metric), part="figure") for metric in metrics),
        *(Column(label=name.replace("_", " "), part="judge", number=False) for name in _SAID),
        *(Column(label=name, part="judge") for name in _DRAWS),
        Column(label="report", part="judge", number=False),
    )
    names = labels(board.standings)
    rows = [_row(one, name, board, facets, metrics) for one, name in zip(board.standings, names, strict=True)]
    rows += [_rule(rule, len(columns) - 1) for rule in rules_of(board)]
    rows.sort(key=lambda row: (row.value is None, -(row.value or 0.0)))
    return Rows(columns=columns, rows=tuple(rows))


def rules_of(board: Board) -> tuple[BaselineEntry, ...]:
    """The rules that do not listen, without those that were themselves submitted and would stand beside themselves."""
    submitted = {
        (
            shown(one.name, LONGEST_NAME),
            number(entry.value if (entry := one.find(board.headline)) is not None else None),
        )
        for one in board.standings
        if one.kind is Kind.RULE
    }
    return tuple(
        rule for rule in board.baselines if (shown(rule.name, LONGEST_NAME), number(rule.value)) not in submitted
    )


def labels(standings: Sequence[Standing]) -> tuple[str, ...]:
    """What each row is called: its judge's name, and where several have one name what sets them apart."""
    names = [shown(one.name, LONGEST_NAME) for one in standings]
    shared = {name for name, count in Counter(names).items() if count > 1}
    longer = []
    for one, name in zip(standings, names, strict=True):
        twins = [other for other, others in zip(standings, names, strict=True) if others == name]
        fields = [field for field in DISTINGUISHING if len({twin.said(field) for twin in twins}) > 1]
        said = [shown(one.said(field), 40) for field in fields] or [one.report.partition(":")[2][:8]]
        longer.append(f"{name} ({', '.join(said)})" if name in shared else name)
    return tuple(longer)


def _row(one: Standing, name: str, board: Board, facets: Sequence[str], metrics: Sequence[str]) -> Row:
    headline = one.find(board.headline)
    counts = one.counts[OVERALL]
    coverage = one.coverage
    cells = (
        _figure(headline),
        Cell(text=f"{counts['ok']:,} / {counts['owed']:,}", by="" if coverage is None else repr(coverage)),
        _number(headline.chance if headline else None),
        Cell(text=f"{headline.n:,}", by=str(headline.n)) if headline else Cell(text=NOTHING),
        *(Cell(text=f"{counts[outcome]:,}", by=str(counts[outcome])) for outcome in OUTCOMES[1:]),
        *(_figure(one.find(board.headline, facet)) for facet in facets),
        *(_figure(one.find(metric), interval=False) for metric in metrics),
        *(_said(one.said(field)) for field in _SAID),
        *(Cell(text=shown(str(one.draws.get(field)), 20), by=str(one.draws.get(field))) for field in _DRAWS),
        _said(one.report.partition(":")[2][:12]),
    )
    access, architecture = (shown(one.said(field), 40) for field in ("access", "architecture"))
    value = headline.value if headline else None
    return Row(kind=one.kind, name=name, access=access, architecture=architecture, value=value, cells=cells)


def _rule(rule: BaselineEntry, width: int) -> Row:
    first = Cell(
        text=number(rule.value), by="" if rule.value is None else repr(rule.value), why=shown(rule.reason or "")
    )
    cells = (first, *[Cell(text=NOTHING)] * (width - 1))
    name = shown(rule.name, LONGEST_NAME)
    return Row(kind=Kind.RULE, name=name, access=UNDECLARED, architecture="rule", value=rule.value, cells=cells)


def _figure(entry: MetricEntry | None, *, interval: bool = True) -> Cell:
    if entry is None:
        return Cell(text=NOTHING, why="not in the report")
    if entry.value is None:
        return Cell(text=NOTHING, why=shown(entry.reason or "undefined"))
    if not interval or not entry.intervals:
        return Cell(text=figure_text(entry), by=repr(entry.value), more="no interval" if interval else "")
    first = entry.intervals[0]
    whole = first.low is not None and first.high is not None
    more, why = (marked_ends(first), "") if whole else ("no interval", shown(first.reason or ""))
    return Cell(text=figure_text(entry), by=repr(entry.value), more=more, why=why)


def _number(value: float | None) -> Cell:
    return Cell(text=number(value), by="" if value is None else repr(value))


def _said(text: str) -> Cell:
    return Cell(
        text=NOTHING if text == UNDECLARED else shown(text, 80), by="" if text == UNDECLARED else shown(text, 80)
    )
