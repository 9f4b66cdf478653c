"""SEQ: trajectory accuracy against frozen norms (SpeechEQ, section 2.5).

Overall it is against `speecheq-table3` unless a norm of one's own is; of a subscale there is SEQ only where a norm is of it. SEQ
grows with the accuracy, so that the ends of its interval are those of the accuracy's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from earmark.manifests.errors import EarmarkError
from earmark.manifests.report import ALL, OVERALL, MetricEntry
from earmark.scoring.against import AGAINST
from earmark.scoring.norms import Norm, shipped_norm

if TYPE_CHECKING:
    from earmark.manifests.report import IntervalEntry

SEQ = "seq"

OTHER = "other_"
"""Before the name of a figure that is another submission's, in the slice that is set against it."""

MOST_TOTAL = 10**9
"""Largest denominator that a share is taken to have: floats lie nearer to it than to any other fraction so small."""

GLOSSARY = {
    f"{OTHER}{SEQ}": "SEQ of the submission that the slice names.",
    SEQ: "100 + 15 (X − median) / (1.4826 MAD), held within 40 and 160, where X is acc_traj and median and MAD are those of the "
    "norm that the signature names; it moves with the norm, and is comparable only under one.",
}
"""What each metric means, for pages."""


def settled(norms: Sequence[Norm]) -> tuple[Norm, ...]:
    """The norms that a report is held against: those given, and the shipped one where none of them is of all.

    Raises:
        EarmarkError: If two are of the same facet.
    """
    facets = [norm.facet for norm in norms]
    if twice := [facet for facet in facets if facets.count(facet) > 1]:
        raise EarmarkError(f"two norms are of {twice[0]}; a report is held against one of each facet")
    return tuple(norms) if OVERALL in facets else (shipped_norm(), *norms)


def standardise(metrics: Sequence[MetricEntry], norms: Sequence[Norm], slice: str = ALL) -> list[MetricEntry]:
    """SEQ against each norm, from the figure that it is over; beside it that of every submission that this one is set against.

    Args:
        metrics: The figures of a report.
        norms: The norms, one of each facet.
        slice: The slice that the figures stand in.

    Raises:
        EarmarkError: If a norm is over a figure that the report does not have, or one that is no share.
    """
    found = {(entry.metric, entry.facet): entry for entry in metrics if entry.slice == slice}
    others = [entry for entry in metrics if entry.slice.startswith(AGAINST)]
    entries = []
    for norm in norms:
        entry = found.get((norm.metric, norm.facet))
        if entry is None:
            facets = ", ".join(facet for metric, facet in found if metric == norm.metric) or "no facet"
            raise EarmarkError(
                f"norm {norm.id} is over {norm.metric} of {norm.facet}, which the report does not have; it has it of {facets}"
            )
        entries.append(_seq(entry, norm, SEQ))
        wanted = f"{OTHER}{norm.metric}", norm.facet
        entries += [_seq(other, norm, f"{OTHER}{SEQ}") for other in others if (other.metric, other.facet) == wanted]
    return entries


def _seq(entry: MetricEntry, norm: Norm, metric: str) -> MetricEntry:
    value = score(norm, entry.value)
    return replace(
        entry,
        metric=metric,
        value=value,
        chance=score(norm, entry.chance),
        p=None,
        p_adjusted=None,
        reason=norm.reason or entry.reason,
        intervals=tuple(_interval(interval, norm) for interval in entry.intervals),
    )


def _interval(interval: IntervalEntry, norm: Norm) -> IntervalEntry:
    low, high = score(norm, interval.low), score(norm, interval.high)
    return replace(interval, low=low, high=high, reason=norm.reason or interval.reason)


def score(norm: Norm, share: float | None) -> float | None:
    """SEQ of a share; None where there is none, or the norm gives none.

    Raises:
        EarmarkError: If it is no share.
    """
    if share is None:
        return None
    if not 0 <= share <= 1:
        raise EarmarkError(f"norm {norm.id} is over {norm.metric}, and {share:.6g} is no share")
    found = norm.score(Fraction(share).limit_denominator(MOST_TOTAL)).value
    return None if found is None else float(found)
