"""A report: everything computed from one submission, as values with intervals, counts and a signature.

A report is plain data. Scoring fills it, pages draw it, and it is written as deterministic JSON: keys sorted, floats to six
significant digits, integers exact, no time stamp.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

import msgspec

from earmark.manifests.canonical import Json, json_text
from earmark.manifests.errors import EarmarkError
from earmark.manifests.strict import NotStrictJson, read_strict_json

OVERALL = "overall"
"""Facet of a figure that covers all facets."""

EVERY_FACET = "all facets"
"""What people read where a figure's facet is "overall"."""

ALL = "all"
"""Slice of a figure that leaves nothing out."""

EFFICIENCY = "efficiency"
"""Slice of the figures that say what a submission's calls took; pages draw them apart, and nothing ranks them."""


@dataclass(frozen=True, kw_only=True)
class IntervalEntry:
    """An interval of a figure.

    Args:
        by: The unit that was resampled, such as "speaker".
        clusters: How many of them there are.
        method: "percentile", …
        level: Coverage aimed at, such as 0.95.
        low: Lower end; None where undefined.
        high: Upper end; None where undefined.
        reason: Why an end is undefined, or what the interval is conditional on.
    """

    by: str
    clusters: int
    method: str
    level: float
    low: float | None
    high: float | None
    reason: str | None = None


@dataclass(frozen=True, kw_only=True)
class MetricEntry:
    """One figure.

    Args:
        metric: Name of the metric.
        facet: Facet id, or "overall".
        slice: Part of the facet, such as a role; "all" where nothing is left out.
        value: The figure; None where undefined.
        unit: Its unit; "1" for a share or a score.
        n: How many units it is over.
        chance: Chance level, where there is one; a judge that is swayed by the order may lie below it.
        p: Two-sided p against chance, unadjusted.
        p_adjusted: The same after Holm's method over the facets.
        reason: Why the value is undefined.
        intervals: One per unit resampled.
    """

    metric: str
    facet: str
    slice: str = ALL
    value: float | None
    unit: str = "1"
    n: int
    chance: float | None = None
    p: float | None = None
    p_adjusted: float | None = None
    reason: str | None = None
    intervals: tuple[IntervalEntry, ...] = ()


@dataclass(frozen=True, kw_only=True)
class BaselineEntry:
    """What a rule that does not listen would get in the headline."""

    name: str
    value: float | None
    reason: str | None = None


@dataclass(frozen=True)
class UseEntry:
    """What the figures may be used for, since they are passed on without the card that says so.

    Args:
        intended: What the benchmark is for; empty where the family does not say.
        out_of_scope: What it is not for, and why; empty where the family does not say.
    """

    intended: str
    out_of_scope: str


@dataclass(frozen=True, kw_only=True)
class Report:
    """Everything computed from one submission.

    Args:
        signature: Release, answers, scorer version, resamples, seed and options: equal signatures are comparable.
        submission: What the submitter says of judge and run.
        label_source: Where the gold is from; stands under the headline.
        headline: Name of the metric that ranks.
        counts: Per facet and overall: how many owed presentations are ok, missing, failed, …
        metrics: Every figure.
        baselines: Rules that do not listen, beside the headline.
        use: What the figures may be used for; None, and left out of the file, where the family does not say.
    """

    signature: Mapping[str, Json]
    submission: Mapping[str, Json]
    label_source: str
    headline: str
    counts: Mapping[str, Mapping[str, int]]
    metrics: tuple[MetricEntry, ...]
    baselines: tuple[BaselineEntry, ...] = field(default=())
    use: UseEntry | None = None

    def find(self, metric: str, facet: str = OVERALL, slice: str = ALL) -> MetricEntry | None:
        """One figure, or None if the report lacks it."""
        for entry in self.metrics:
            if (entry.metric, entry.facet, entry.slice) == (metric, facet, slice):
                return entry
        return None

    def as_json(self) -> Mapping[str, Json]:
        """The report as plain JSON values, floats to six significant digits; what is not said of its use is left out."""
        value: Json = msgspec.to_builtins(self)
        rounded = rounded_floats(value)
        assert isinstance(rounded, dict)  # noqa: S101 - a dataclass becomes a mapping
        return without_unsaid_use(rounded)

    def write(self, path: Path) -> None:
        """Write the report; equal reports are equal bytes."""
        path.write_text(json_text(self.as_json()), encoding="utf-8", newline="\n")


def read_report(path: Path, *, most_bytes: int = 1 << 28) -> Report:
    """Read a report back.

    Args:
        path: The file.
        most_bytes: Largest file that is read.

    Raises:
        EarmarkError: If the file is no report.
    """
    if path.is_dir():
        raise EarmarkError(f"{path} is a folder; a report is the report.json in one")
    try:
        read = msgspec.convert(read_strict_json(path, most_bytes=most_bytes), _Read)
    except OSError as error:
        raise EarmarkError(f"cannot read {path}: {error.strerror}") from error
    except (NotStrictJson, msgspec.ValidationError) as error:
        raise EarmarkError(f"{path} is no report: {error}") from error
    return Report(
        signature=cast(Mapping[str, Json], read.signature),
        submission=cast(Mapping[str, Json], read.submission),
        label_source=read.label_source,
        headline=read.headline,
        counts=read.counts,
        metrics=read.metrics,
        baselines=read.baselines,
        use=read.use,
    )


class _Read(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A report as msgspec can check it: it knows no recursive type, and what strict JSON gave is JSON already."""

    signature: dict[str, object]
    submission: dict[str, object]
    label_source: str
    headline: str
    counts: dict[str, dict[str, int]]
    metrics: tuple[MetricEntry, ...]
    baselines: tuple[BaselineEntry, ...]
    use: UseEntry | None = None


def without_unsaid_use(record: Mapping[str, Json]) -> dict[str, Json]:
    """The same record without `use` where that is None, so that files of families that say nothing of it stay as they were."""
    return {name: said for name, said in record.items() if name != "use" or said is not None}


def rounded_floats(value: Json) -> Json:
    """The same value with every float to six significant digits, as reports have them."""
    match value:
        case float():
            return float(f"{value:.6g}") + 0.0
        case Mapping():
            return {name: rounded_floats(entry) for name, entry in value.items()}
        case list() | tuple():
            return [rounded_floats(entry) for entry in value]
        case _:
            return value
