"""Efficiency: what the calls behind a submission took, by the optional fields of its rows. Never ranked: no chance, no p.

A call is a presentation in one run, however often its row was repeated; where repeated rows give different figures it has none.
Seconds and US dollars. Figures are over the calls that have what they need, and n says how many; shares of covered calls stand
beside them. Quantiles are values that occur: the least that so many calls do not exceed. Intervals resample items, whose calls go
together, or calls where there are fewer than 20 items.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from earmark.manifests.report import EFFICIENCY, OVERALL, MetricEntry
from earmark.scoring.decisions import Decisions, Outcome
from earmark.scoring.measuring import FEWEST_CLUSTERS, Codes, Figure, Ladder, Make, Options, Part, Shared, measure
from earmark.scoring.submissions.rows import MOST_RUN
from earmark.statistics.quantiles import Column, Quantile
from earmark.statistics.rates import Ratio
from earmark.statistics.statistic import per_cluster

if TYPE_CHECKING:
    from earmark.scoring.submissions import Submission
    from earmark.statistics.statistic import Bools, Floats, Statistic

ITEM = "item"
LADDERS: tuple[Ladder, ...] = ((ITEM, "call"),)

PER_ITEM = "cost_per_100_items"

NO_CALL = "nothing was answered"
NO_LATENCY = "no row has latency_s"
NO_TOKENS = "no row has both output_tokens and latency_s"
NO_TIME = "no time passed"
NO_COST = "no row has cost_usd"
NO_ITEM = "of no item do all presentations have cost_usd"
NOT_SINGLE = "only of a run whose first line says that its serving is single_stream"
"""Why a figure is undefined."""

_RUN_BITS = MOST_RUN.bit_length()


@dataclass(frozen=True, eq=False)
class Calls:
    """What calls took; NaN where no row says it.

    Args:
        item: (m,) number of the item of each call.
        presentation: (m,) number of the presentation.
        latency: (m,) seconds from request to answer.
        output_tokens: (m,) tokens of the answer.
        cost: (m,) US dollars.
        owed: (items,) how many presentations of each item are owed.
    """

    item: Codes
    presentation: Codes
    latency: Floats
    output_tokens: Floats
    cost: Floats
    owed: Codes

    def whole_items(self) -> Bools:
        """(items,) of which items every owed presentation was called, and every call has a cost."""
        items = len(self.owed)
        unknown = np.bincount(self.item[np.isnan(self.cost)], minlength=items)
        of_presentation = np.unique(self.presentation, return_index=True)[1]
        called = np.bincount(self.item[of_presentation], minlength=items)
        whole: Bools = (unknown == 0) & (called == self.owed)
        return whole


def efficiency(submission: Submission, decisions: Decisions, options: Options) -> list[MetricEntry]:
    """Every figure; None with its reason where the rows do not say enough.

    Args:
        submission: The file.
        decisions: What was read of it.
        options: How intervals are made.
    """
    return of_calls(calls_of(submission, decisions), options, single=submission.header.run.serving == "single_stream")


def calls_of(submission: Submission, decisions: Decisions) -> Calls:
    """What the calls of a submission took."""
    owed = decisions.owed
    number = {item: n for n, item in enumerate(sorted(set(owed.item)))}
    items = np.array([number[item] for item in owed.item], np.int64)
    given = decisions.outcome != Outcome.MISSING
    presentation, run = decisions.presentation[given], decisions.run[given]
    order = np.lexsort((run, presentation))
    presentation, run = presentation[order], run[order]
    return Calls(
        item=items[presentation],
        presentation=presentation,
        **_columns(submission.table, owed.ids, presentation << _RUN_BITS | run),
        owed=np.bincount(items, minlength=len(number)),
    )


def of_calls(calls: Calls, options: Options, *, single: bool) -> list[MetricEntry]:
    """The same of calls.

    Args:
        calls: What they took.
        options: How intervals are made.
        single: Whether one call was made at a time.
    """
    latency = np.isfinite(calls.latency)
    timed = latency & np.isfinite(calls.output_tokens)
    costed = np.isfinite(calls.cost)
    whole = calls.whole_items()
    of_item = np.bincount(calls.item, np.nan_to_num(calls.cost), minlength=len(whole))
    column = Shared(partial(Column.of_rows, calls.latency[latency]))
    at = {"item": calls.item[latency], "call": np.flatnonzero(latency)}
    made = [
        _figure("latency_mean", "s", at, partial(Ratio.of_rows, calls.latency[latency])),
        _figure("latency_median", "s", at, column.into(partial(Quantile, q=0.5))),
        _figure("latency_p95", "s", at, column.into(partial(Quantile, q=0.95))),
        _figure(
            "output_tokens_per_second",
            "tokens/s",
            {"item": calls.item[timed], "call": np.flatnonzero(timed)},
            partial(_rate, calls.output_tokens[timed], calls.latency[timed]),
        ),
        _figure(
            "cost_per_100_calls",
            "USD",
            {"item": calls.item[costed], "call": np.flatnonzero(costed)},
            partial(Ratio.of_rows, 100 * calls.cost[costed]),
        ),
        _figure(
            PER_ITEM,
            "USD",
            {"item": np.flatnonzero(whole)},
            partial(Ratio.of_rows, 100 * of_item[whole]),
        ),
    ]
    no_speed = NO_TOKENS if not timed.any() else NOT_SINGLE if not single else NO_TIME
    reasons = {
        "latency_mean": None if latency.any() else NO_LATENCY,
        "latency_median": None if latency.any() else NO_LATENCY,
        "latency_p95": None if latency.any() else NO_LATENCY,
        "output_tokens_per_second": None if single and calls.latency[timed].sum() > 0 else no_speed,
        "cost_per_100_calls": None if costed.any() else NO_COST,
        PER_ITEM: None if whole.any() else NO_ITEM if costed.any() else NO_COST,
    }
    defined = [figure for figure in made if reasons[figure.metric] is None]
    of_calls_alone = [figure for figure in defined if figure.metric != PER_ITEM]
    known = {entry.metric: entry for entry in measure(of_calls_alone, LADDERS, options)} if of_calls_alone else {}
    if whole.any():
        known[PER_ITEM] = _of_few(measure(defined[-1:], ((ITEM,),), options)[0])
    entries = [known.get(figure.metric) or _undefined(figure, reasons[figure.metric]) for figure in made]
    for place, (name, covered) in ((3, ("latency", latency)), (5, ("tokens", timed)), (8, ("cost", costed))):
        entries.insert(place, _coverage(f"{name}_coverage", covered))
    return entries


def _columns(table: pa.Table, ids: tuple[str, ...], places: Codes) -> dict[str, Floats]:
    """The figures of each call: what its rows say, if they all say the same."""
    fields = {"latency": "latency_s", "output_tokens": "output_tokens", "cost": "cost_usd"}
    nothing = np.full(len(places), np.nan)
    if all(table[name].null_count == len(table) for name in fields.values()):
        return dict.fromkeys(fields, nothing)
    at = pc.fill_null(pc.index_in(table["presentation_id"], pa.array(ids, pa.string())), -1).to_numpy().astype(np.int64)
    owed = np.flatnonzero(at >= 0)
    call = np.searchsorted(places, at[owed] << _RUN_BITS | table["run"].to_numpy()[owed])
    found = {}
    for column, name in fields.items():
        values = table[name].to_numpy().astype(np.float64)[owed]
        least, most = np.full(len(places), np.inf), np.full(len(places), -np.inf)
        here = np.isfinite(values)
        np.minimum.at(least, call[here], values[here])
        np.maximum.at(most, call[here], values[here])
        found[column] = np.where(least == most, least, np.nan)
    return found


def _figure(metric: str, unit: str, levels: Mapping[str, Codes], make: Make) -> Figure:
    return Figure(metric, OVERALL, (Part(levels, make),), EFFICIENCY, unit=unit)


def _undefined(figure: Figure, reason: str | None) -> MetricEntry:
    return MetricEntry(
        metric=figure.metric, facet=OVERALL, slice=EFFICIENCY, value=None, unit=figure.unit, n=0, reason=reason
    )


def _of_few(entry: MetricEntry) -> MetricEntry:
    """A figure over items, saying so where it is over so few that its interval is too narrow: nothing below them is resampled."""
    if entry.n >= FEWEST_CLUSTERS:
        return entry
    why = f"conditional on fewer than {FEWEST_CLUSTERS} items"
    return replace(entry, intervals=tuple(replace(found, reason=found.reason or why) for found in entry.intervals))


def _coverage(metric: str, covered: Bools) -> MetricEntry:
    """The share of the calls that are covered, which is counted and so has no interval."""
    calls = len(covered)
    value, reason = (float(covered.mean()), None) if calls else (None, NO_CALL)
    return MetricEntry(metric=metric, facet=OVERALL, slice=EFFICIENCY, value=value, n=calls, reason=reason)


def _rate(above: Floats, below: Floats, cluster: Codes, clusters: int) -> Statistic:
    return Ratio(per_cluster(cluster, clusters, above), per_cluster(cluster, clusters, below))
