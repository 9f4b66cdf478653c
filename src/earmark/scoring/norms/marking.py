"""Norms in a report: what a family provides that has a score relative to one, and what a report says of its norms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from earmark.manifests.report import EVERY_FACET, OVERALL

if TYPE_CHECKING:
    from earmark.manifests.canonical import Json
    from earmark.manifests.report import MetricEntry, Report
    from earmark.scoring.norms.norm import Norm


@runtime_checkable
class NormedMarks(Protocol):
    """What a family's module provides besides where it has a score that is relative to a norm."""

    def settled(self, norms: Sequence[Norm]) -> tuple[Norm, ...]:
        """The norms that a report is held against, given some of the user's own."""
        ...

    def standardise(self, metrics: Sequence[MetricEntry], norms: Sequence[Norm]) -> list[MetricEntry]:
        """The score against each norm."""
        ...


def norm_entries(norms: Sequence[Norm]) -> list[Json]:
    """Norms as a report's signature has them: what each is, of what, and where its scores saturate."""
    return [
        {"norm": norm.id, "metric": norm.metric, "facet": norm.facet, "limits": limits_text(norm)} for norm in norms
    ]


def limits_text(norm: Norm) -> str:
    """Where scores against a norm saturate, or why it gives none."""
    return norm.limits.text if norm.limits is not None else f"it gives no score, since {norm.reason}"


def norm_notes(report: Report, facet_names: Mapping[str, str]) -> tuple[str, ...]:
    """A sentence for each norm that a report names.

    Args:
        report: The report.
        facet_names: Names of facets for people.
    """
    norms = report.signature.get("norms")
    names = {**facet_names, OVERALL: EVERY_FACET}
    return tuple(
        f"SEQ of {names.get(str(norm['facet']), norm['facet'])} is relative to the norm {norm['norm']}: {norm['limits']}."
        for norm in (norms if isinstance(norms, list) else [])
        if isinstance(norm, Mapping)
    )
