"""How a number, a probability and a metric's name are spelled on every page: three decimals, a real minus, a dash for nothing."""

from __future__ import annotations

import math

from earmark.manifests.report import IntervalEntry, MetricEntry
from earmark.pages.shown import shown

NOTHING = "—"
MINUS = "−"
NO_BREAK = "\N{NO-BREAK SPACE}"
CONDITIONAL = "†"
"""Stands after an interval that holds only given the few clusters there were."""

COUNTED = ("units_", "submissions_")
"""How the name of a metric begins whose value is a count."""

_ACRONYMS = frozenset({"auroc", "eer", "seq", "wer", "f0", "f1", "rmse"})


def number(value: float | None, unit: str = "1") -> str:
    """A figure with its unit; "1" is the unit of shares and scores and is not spelled.

    >>> number(0.71249), number(-0.5), number(None), number(12345.6), number(1.25, "s")
    ('0.712', '−0.500', '—', '12,346', '1.250 s')
    >>> number(123.46), number(0.00012), number(-1e-17), number(0.00012, "USD")
    ('123.5', '0.0001', '0.000', '1.2e-04 USD')
    """
    if value is None:
        return NOTHING
    size = abs(value) if abs(value) >= (0.00005 if unit == "1" else 1e-9) else 0.0
    if size >= 1000:
        text = f"{size:,.0f}"
    elif size >= 100:
        text = f"{size:.1f}"
    elif 0 < size < 0.0005:
        text = f"{size:.4f}" if unit == "1" else f"{size:.1e}"
    else:
        text = f"{size:.3f}"
    sign = MINUS if value < 0 < size else ""
    return f"{sign}{text}" if unit == "1" else f"{sign}{text} {shown(unit, 20)}"


def figure_text(entry: MetricEntry) -> str:
    """The value of a figure with its unit; a count has no decimals.

    >>> figure_text(MetricEntry(metric="units_kept", facet="S0", value=17.0, n=20))
    '17'
    """
    if entry.value is not None and entry.metric.startswith(COUNTED) and entry.value == round(entry.value):
        return f"{entry.value:,.0f}"
    return number(entry.value, entry.unit)


def probability(p: float | None, *, bound: bool = False) -> str:
    """A p value; one below a thousandth only says so.

    Args:
        p: In (0, 1].
        bound: Whether it is the least that its number of replicates can give, so that the true one may be smaller.

    >>> probability(0.0314), probability(0.0002), probability(2 / 2001, bound=True), probability(2 / 101, bound=True)
    ('0.031', '< 0.001', '≤ 0.001', '≤ 0.020')
    """
    if p is None:
        return NOTHING
    if bound and p < 1:
        return f"≤ {math.ceil(1000 * p - 1e-9) / 1000:.3f}"
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def ends(interval: IntervalEntry) -> str:
    """Both ends of an interval, or a dash where one is undefined."""
    if interval.low is None or interval.high is None:
        return NOTHING
    return f"[{number(interval.low)},{NO_BREAK}{number(interval.high)}]"


def conditional(interval: IntervalEntry) -> bool:
    """Whether an interval holds only given the few clusters there were."""
    return interval.low is not None and (interval.reason or "").startswith("conditional on")


def marked_ends(interval: IntervalEntry) -> str:
    """Both ends of an interval, with a mark where it is conditional; for tables that do not spell out why."""
    return f"{ends(interval)}{NO_BREAK}{CONDITIONAL}" if conditional(interval) else ends(interval)


def metric_label(name: str) -> str:
    """A metric's name for people.

    >>> metric_label("balanced_accuracy"), metric_label("oracle_f1"), metric_label("auroc_valid_only")
    ('balanced accuracy', 'oracle F1', 'AUROC valid only')
    """
    return " ".join(word.upper() if word in _ACRONYMS else word for word in shown(name, 60).split("_"))


def percent(level: float) -> str:
    """A level as a percentage.

    >>> percent(0.95)
    '95 %'
    """
    return f"{100 * level:g} %"
