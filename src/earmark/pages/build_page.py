"""What came of pairing, as one HTML page that needs nothing else: what was asked, what could be had, and how balanced it is.

Everything from outside goes through `shown` and the template's escaping; only the drawings of this room are put in as they
are. Equal input is equal bytes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from earmark.pages.formats import NOTHING, metric_label, number
from earmark.pages.love_plot import LoveRow, love_plot
from earmark.pages.reuse_bars import ReuseRow, reuse_bars
from earmark.pages.shown import shown
from earmark.pages.svg import Table
from earmark.pages.templates import render_template

OPEN_UP_TO = 15
"""Shortfalls of so many cells stand open; more are folded away."""

BINDINGS: Mapping[str, str] = {
    "candidates": "the rules admit no more pairs of these clips",
    "clip cap": "a clip may stand in so many pairs and no more",
    "clip pair cap": "two clips may stand together in so many pairs and no more",
    "speaker cap": "a speaker may stand in so many pairs and no more",
    "target cap": "a word may be asked for in so many pairs and no more",
    "shared": "other cells of the criterion need the same clips",
}
"""What may keep a cell from its demand, in words."""

_KINDS = {"non_tie": "non-tie", "both_good": "both good", "both_bad": "both bad"}
_MEANS = {
    "non_tie": "one clip fits the target",
    "both_good": "both fit, so the answer is Tie",
    "both_bad": "neither fits, so the answer is Tie",
}
_TRANSCRIPTS = {"same": "same words", "cross": "other words"}


@dataclass(frozen=True, kw_only=True)
class BuildCell:
    """A cell, and what came of it.

    Args:
        name: Its name, unlike every other one's of its criterion.
        kind: How many of the two clips satisfy the target: non_tie, both_good or both_bad.
        transcript: Whether the texts are equal: same or cross.
        demand: Pairs wanted; None for as many as the caps allow.
        candidates: Pairs that the rules admit.
        feasible: The most that it could have under the caps, were it alone.
        exact: Whether that is the very number rather than a bound.
        filled: Pairs chosen.
        binding: What kept it from its demand; None where nothing did.
    """

    name: str
    kind: str
    transcript: str
    demand: int | None
    candidates: int
    feasible: int
    exact: bool
    filled: int
    binding: str | None

    @property
    def missing(self) -> int:
        """How many pairs it lacks."""
        return 0 if self.demand is None else max(0, self.demand - self.filled)


@dataclass(frozen=True, kw_only=True)
class BuildSolve:
    """How the pairs of a criterion were chosen.

    Args:
        edges: Pairs that were considered.
        nearest: How many nearest partners of each clip were.
        complete: Whether these are all pairs there are.
        filled: Pairs chosen.
        most: No choice among those considered has more.
        gap: By what share of its cost the choice may be dearer than the cheapest, at least 0.
        blocks: In how many parts it was solved.
        ended: How the solver ended.
        exchanged: How many of its pairs were exchanged for balance; None where that was not asked for.
        dearer: By what share of its cost the choice became dearer by that.
    """

    edges: int
    nearest: int
    complete: bool
    filled: int
    most: int
    gap: float
    blocks: int
    ended: str
    exchanged: int | None = None
    dearer: float | None = None


@dataclass(frozen=True, kw_only=True)
class BuildCriterion:
    """A criterion.

    Args:
        name: Its name for people.
        caps: Its caps, as names and numbers.
        cells: Its cells.
        differences: Rows of the Love plot, in which every cell stands once per nuisance.
        absent: Nuisances that were to be balanced and could not be, with the reason.
        shares: Shares of one-speaker pairs that every kind has, as labels and texts.
        reuse: Uses of its clips and speakers.
        solves: How it was solved.
    """

    name: str
    caps: tuple[tuple[str, int], ...]
    cells: tuple[BuildCell, ...]
    differences: tuple[LoveRow, ...]
    absent: tuple[tuple[str, str], ...]
    shares: tuple[tuple[str, str], ...]
    reuse: ReuseRow
    solves: tuple[BuildSolve, ...]


@dataclass(frozen=True, kw_only=True)
class BuildRecord:
    """All that the page shows.

    Args:
        name: Name of the release.
        version: Its version.
        goal: Directed differences up to this are taken for balance.
        corpora: How many utterances of each corpus were read.
        criteria: The criteria.
        nuisances: What each nuisance is, in a sentence, by name.
    """

    name: str
    version: str
    goal: float
    corpora: Mapping[str, int]
    criteria: tuple[BuildCriterion, ...]
    nuisances: Mapping[str, str]


@dataclass(frozen=True)
class BalanceCell:
    """A cell's row in the table of all differences.

    Args:
        name: Its name.
        pairs: How many pairs it has.
        values: Per nuisance a text and, where something is undefined, why.
        why: Why nothing in it is defined, where it is one reason for all; otherwise empty.
    """

    name: str
    pairs: str
    values: tuple[tuple[str, str], ...]
    why: str = ""


@dataclass(frozen=True)
class Asked:
    """A criterion's part of the table of what was asked: its totals, and a row per kind and transcript."""

    name: str
    totals: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Glance:
    """A criterion in the list at the top; `share` is the part of its cells within the goal, in percent."""

    name: str
    value: str
    reason: str
    share: str | None


def build_html(record: BuildRecord) -> str:
    """The page of a build.

    Args:
        record: What it shows.

    Returns:
        An HTML document that is well-formed XML too.
    """
    cells = [cell for criterion in record.criteria for cell in criterion.cells]
    short = [(criterion, [cell for cell in criterion.cells if cell.missing]) for criterion in record.criteria]
    rows = [row for criterion in record.criteria for row in criterion.differences]
    used = dict.fromkeys(row.nuisance for row in rows)
    return render_template(
        "build.html.j2",
        {
            "name": shown(record.name, 120),
            "version": shown(record.version, 60),
            "goal": f"{record.goal:g}",
            "pairs": f"{sum(cell.filled for cell in cells):,}",
            "wanted": f"{sum(cell.demand or 0 for cell in cells):,}",
            "filled": f"{sum(cell.filled for cell in cells if cell.demand is not None):,}",
            "open": any(cell.demand is None for cell in cells),
            "cells": f"{len(cells):,}",
            "short": sum(len(found) for _, found in short),
            "missing": f"{sum(cell.missing for cell in cells):,}",
            "corpora": [(shown(name, 60), f"{count:,}") for name, count in record.corpora.items()],
            "glances": [_glance(criterion, record.goal) for criterion in record.criteria],
            "asked": _asked(record.criteria),
            "kinds": [(_KINDS[kind], means) for kind, means in _MEANS.items()],
            "shares": [
                (shown(criterion.name, 60), [(shown(label, 120), shown(text, 60)) for label, text in criterion.shares])
                for criterion in record.criteria
                if criterion.shares
            ],
            "shortfalls": [(shown(criterion.name, 60), _cell_table(found)) for criterion, found in short if found],
            "open_up_to": OPEN_UP_TO,
            "bindings": [(name, text) for name, text in BINDINGS.items() if _binds(cells, name)],
            "solved": _solved(record.criteria),
            "love": love_plot(rows, goal=record.goal) if rows else None,
            "absent": [
                (shown(criterion.name, 60), [(metric_label(name), shown(why)) for name, why in criterion.absent])
                for criterion in record.criteria
                if criterion.absent
            ],
            "balance": [_balance(criterion, record.goal) for criterion in record.criteria],
            "all_cells": [(shown(criterion.name, 60), _cell_table(criterion.cells)) for criterion in record.criteria],
            "reuse": reuse_bars([criterion.reuse for criterion in record.criteria]) if record.criteria else None,
            "nuisances": [(metric_label(name), shown(record.nuisances.get(name, ""), 300)) for name in used],
        },
    )


def directed_cells(criterion: BuildCriterion) -> dict[str, float | None]:
    """Of each cell with directed differences, the worst of them after matching; None where all are undefined."""
    worst: dict[str, float | None] = {}
    for row in criterion.differences:
        for cell in row.cells if row.directed else ():
            known = [value for value in (worst.get(cell.cell), cell.after) if value is not None]
            worst[cell.cell] = max(known, default=None)
    return worst


def _glance(criterion: BuildCriterion, goal: float) -> Glance:
    worst = directed_cells(criterion)
    known = [value for value in worst.values() if value is not None]
    name = shown(criterion.name, 60)
    if not known:
        why = "no chosen pair has a directed difference" if worst else "no cell has directed differences"
        return Glance(name, NOTHING, why, None)
    within = sum(value <= goal for value in known)
    left = len(worst) - len(known)
    why = f"worst difference {number(max(known))}" + (f"; {left:,} more cells undefined" if left else "")
    return Glance(name, f"{within:,} of {len(known):,}", why, f"{100 * within / len(known):.2f}")


def _asked(criteria: Sequence[BuildCriterion]) -> list[Asked]:
    """What was wanted and what came of it, by criterion, then kind and transcript."""
    found = []
    for criterion in criteria:
        parts: dict[tuple[str, str], list[BuildCell]] = {}
        for cell in criterion.cells:
            parts.setdefault((cell.kind, cell.transcript), []).append(cell)
        rows = tuple(
            (f"{_named(_KINDS, kind)}, {_named(_TRANSCRIPTS, transcript)}", *_counts(parts[kind, transcript]))
            for kind, transcript in sorted(parts, key=_place)
        )
        found.append(Asked(shown(criterion.name, 60), _counts(criterion.cells), rows))
    return found


def _place(part: tuple[str, str]) -> tuple[int, str, int, str]:
    """Where a kind and transcript stand among others: in the order in which they are known, others behind."""
    kind, transcript = part
    kinds, transcripts = [*_KINDS, kind], [*_TRANSCRIPTS, transcript]
    return kinds.index(kind), kind, transcripts.index(transcript), transcript


def _counts(cells: Sequence[BuildCell]) -> tuple[str, ...]:
    return (
        f"{len(cells):,}",
        _wanted(cells),
        f"{sum(cell.filled for cell in cells):,}",
        f"{sum(cell.missing for cell in cells):,}",
        f"{sum(cell.missing > 0 for cell in cells):,}",
    )


def _wanted(cells: Sequence[BuildCell]) -> str:
    """The sum of demands; cells that want all there are have no number."""
    numbers = [cell.demand for cell in cells if cell.demand is not None]
    if not numbers:
        return "all"
    return f"{sum(numbers):,}" if len(numbers) == len(cells) else f"{sum(numbers):,} and all"


def _named(names: Mapping[str, str], name: str) -> str:
    return names.get(name) or shown(name, 40)


def _cell_table(cells: Sequence[BuildCell]) -> Table:
    rows = tuple(
        (
            shown(cell.name, 200),
            "all" if cell.demand is None else f"{cell.demand:,}",
            f"{cell.filled:,}",
            f"{cell.feasible:,}" if cell.exact else f"≤ {cell.feasible:,}",
            f"{cell.candidates:,}",
            shown(cell.binding, 80) if cell.binding else NOTHING,
        )
        for cell in cells
    )
    return Table(("cell", "wanted", "chosen", "alone it could have", "admissible", "bound by"), rows)


def _binds(cells: Sequence[BuildCell], name: str) -> bool:
    return any(name in (cell.binding or "").split(", ") for cell in cells)


def _solved(criteria: Sequence[BuildCriterion]) -> Table:
    head = ("criterion", "pairs considered", "k nearest", "all there are", "chosen", "most possible", "gap")
    rows = tuple(
        (
            shown(criterion.name, 60),
            f"{solve.edges:,}",
            f"{solve.nearest:,}",
            "yes" if solve.complete else "no",
            f"{solve.filled:,}",
            f"{solve.most:,}",
            _gap(solve.gap),
            f"{solve.blocks:,}",
            shown(solve.ended, 60),
            "–" if solve.exchanged is None else f"{solve.exchanged:,}",
            "–" if solve.dearer is None else _gap(max(0.0, solve.dearer)),
            ", ".join(f"{shown(name, 40)} {most:,}" for name, most in criterion.caps) or "none",
        )
        for criterion in criteria
        for solve in criterion.solves
    )
    return Table((*head, "parts", "solver", "exchanged", "dearer by", "caps"), rows)


def _gap(gap: float) -> str:
    """A gap in percent; what rounding leaves of none is none."""
    return "0 %" if gap < 1e-12 else f"{100 * gap:.2g} %"


def _balance(criterion: BuildCriterion, goal: float) -> tuple[str, tuple[str, ...], list[BalanceCell]]:
    """A criterion's name, the heads of its nuisances, and every cell with its differences before and after."""
    nuisances = tuple(dict.fromkeys(row.nuisance for row in criterion.differences))
    found: dict[tuple[str, str], tuple[str, str]] = {}
    for row in criterion.differences:
        for cell in row.cells:
            above = row.directed and cell.after is not None and cell.after > goal
            text = f"{number(cell.before)} → {number(cell.after)}{' ▲' if above else '' if row.directed else ' ◇'}"
            undefined = cell.before is None or cell.after is None
            found[cell.cell, row.nuisance] = (text, shown(cell.reason or "no reason given") if undefined else "")
    rows = []
    for of in criterion.cells:
        values = tuple(found.get((of.name, nuisance), (NOTHING, "not compared")) for nuisance in nuisances)
        # One that has no pair at all says so once, not in every column.
        same = len(set(values)) == 1 and values[0][0].startswith(f"{NOTHING} → {NOTHING}")
        rows.append(BalanceCell(shown(of.name, 200), f"{of.filled:,}", values, values[0][1] if same else ""))
    return shown(criterion.name, 60), tuple(metric_label(name) for name in nuisances), rows
