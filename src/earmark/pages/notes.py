"""Sentences that a page says once: how its intervals and p values came about, and which intervals are too narrow."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from earmark.manifests.report import IntervalEntry, MetricEntry, Report
from earmark.pages.formats import CONDITIONAL, conditional, percent
from earmark.pages.shown import shown

_MOST_REASONS = 6


def resamples_of(report: Report) -> int | None:
    """How many bootstrap replicates the report's signature names, or None."""
    found = report.signature.get("resamples")
    return found if isinstance(found, int) and not isinstance(found, bool) and found > 0 else None


def at_floor(p: float | None, resamples: int | None) -> bool:
    """Whether a two-sided p is the least that so many replicates can give, as far as a report's digits tell.

    That is 2/(B+1) of an interval turned round and 1/(B+1) of flipped signs; an exact p may lie below it.

    >>> at_floor(0.0009995, 2000), at_floor(0.0019990, 2000), at_floor(0.0009995, None), at_floor(1e-9, 2000)
    (True, False, False, False)
    """
    if p is None or resamples is None:
        return False
    return any(math.isclose(p, least / (resamples + 1), rel_tol=1e-5) for least in (1, 2))


def method(report: Report) -> str:
    """How intervals and p values came about; empty for a report that has neither."""
    intervals = [interval for entry in report.metrics for interval in entry.intervals]
    parts = []
    if intervals:
        levels = " or ".join(dict.fromkeys(percent(interval.level) for interval in intervals))
        kinds = " or ".join(dict.fromkeys(shown(interval.method, 40) for interval in intervals))
        resamples = resamples_of(report)
        over = f" over B = {resamples:,} replicates" if resamples is not None else ""
        parts.append(f"Brackets are {levels} {kinds} bootstrap intervals{over}")
    if any(entry.p is not None for entry in report.metrics):
        adjusted = any(entry.p_adjusted is not None for entry in report.metrics)
        parts.append(
            f"p is two-sided against the chance level{', and p adjusted by Holm’s method stands beside it' if adjusted else ''}"
        )
    return f"{'; '.join(parts)}." if parts else ""


def conditional_note(entries: Sequence[MetricEntry], *, first_only: bool = False) -> str:
    """What the marked intervals among some figures are conditional on; empty where none is.

    Args:
        entries: The figures.
        first_only: Whether only the first interval of each figure is shown.
    """
    shown_ones = [
        interval for entry in entries for interval in (entry.intervals[:1] if first_only else entry.intervals)
    ]
    reasons = _reasons([interval for interval in shown_ones if conditional(interval)])
    if not reasons:
        return ""
    more = f"; and {len(reasons) - _MOST_REASONS} further reasons" if len(reasons) > _MOST_REASONS else ""
    return f"{CONDITIONAL} {'; '.join(reasons[:_MOST_REASONS])}{more}. Such intervals are too narrow."


def _reasons(intervals: Sequence[IntervalEntry]) -> list[str]:
    """The reasons, those that differ in a number alone put together, each with the unit that was resampled instead."""
    numbers: dict[tuple[str, str], list[int]] = {}
    others: dict[str, None] = {}
    for interval in intervals:
        reason = interval.reason or ""
        found = re.fullmatch(r"conditional on ([0-9]{1,9}) (.*?)s?", reason)
        if found:
            numbers.setdefault((found[2], interval.by), []).append(int(found[1]))
        else:
            others[f"{shown(reason)}, by {shown(interval.by, 40)}"] = None
    counted = []
    for (noun, by), counts in numbers.items():
        low, high = min(counts), max(counts)
        many = f"{low:,}" if low == high else f"{low:,} to {high:,}"
        counted.append(
            f"conditional on {many} {shown(noun, 60)}{'' if high == 1 else 's'}, resampled by {shown(by, 40)} instead"
        )
    return [*counted, *others]
