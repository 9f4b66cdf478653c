"""A comparison: what sets submissions to one release apart, as differences with intervals, groups and a signature.

It is plain data as a report is: scoring fills it, pages draw it, and it is written as deterministic JSON: keys sorted, floats to
six significant digits, no time stamp.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import msgspec

from earmark.manifests.canonical import Json, json_text
from earmark.manifests.report import IntervalEntry, UseEntry, rounded_floats, without_unsaid_use

SIGN_FLIP, BOOTSTRAP = "sign_flip", "bootstrap"
"""How p of a difference was found: by all changes of the two judges' places, unit by unit, or from the replicates."""


@dataclass(frozen=True, kw_only=True)
class JudgeEntry:
    """A submission that is compared.

    Args:
        name: What it is called here; no two have one name.
        file: Name of its file.
        file_hash: SHA-256 of it.
        protocol: The protocol that it follows.
        modality: What stands for a clip in that protocol; only judges of one modality are ranked together.
        access: Whether its weights are open, where it says so.
        architecture: What kind of judge it is, where it says so.
        judge: All that it says of the judge.
        counts: Per facet and overall, how many owed presentations came to which outcome.
    """

    name: str
    file: str
    file_hash: str
    protocol: str
    modality: str
    access: str | None
    architecture: str | None
    judge: Mapping[str, Json]
    counts: Mapping[str, Mapping[str, int]]


@dataclass(frozen=True, kw_only=True)
class FigureEntry:
    """One figure of one judge, as its own report has it.

    Args:
        judge: Name of the judge.
        metric: Name of the metric.
        facet: Facet id, or "overall".
        value: The figure; None where undefined.
        unit: Its unit; "1" for a share or a score.
        n: How many units it is over.
        coverage: Share of the presentations owed there that have a valid answer.
        reason: Why the value is undefined.
        intervals: One per unit resampled.
    """

    judge: str
    metric: str
    facet: str
    value: float | None
    unit: str
    n: int
    coverage: float | None
    reason: str | None = None
    intervals: tuple[IntervalEntry, ...] = ()


@dataclass(frozen=True, kw_only=True)
class CellEntry:
    """McNemar's table of a figure whose units are right or wrong, and its exact p.

    Args:
        both: Units right by both.
        first_only: By the first alone.
        second_only: By the second alone.
        neither: By neither.
        p: Two-sided, exact, unadjusted.
    """

    both: int
    first_only: int
    second_only: int
    neither: int
    p: float


@dataclass(frozen=True, kw_only=True)
class DifferenceEntry:
    """First less second, in one figure, over what both owe and under the same draws.

    Args:
        first: Name of a judge.
        second: Name of another.
        metric: Name of the metric.
        facet: Facet id, or "overall".
        value: The difference; None where either figure is undefined.
        unit: Its unit.
        first_value: The first's figure over what both owe.
        second_value: The second's.
        first_n: How many units the first's figure is over.
        second_n: The same of the second's.
        first_coverage: Share of what both owe there that the first has a valid answer to.
        second_coverage: The same of the second.
        p: Two-sided p that there is none, unadjusted.
        test: How p was found.
        units: Independent units whose signs were flipped; None where none were.
        p_adjusted: p by Holm's method over all comparisons of the metric that stand here, the overall ones by themselves.
        reason: Why the value is undefined.
        intervals: One per unit resampled.
        cell: McNemar's table, of figures whose units are right or wrong.
    """

    first: str
    second: str
    metric: str
    facet: str
    value: float | None
    unit: str
    first_value: float | None
    second_value: float | None
    first_n: int
    second_n: int
    first_coverage: float | None
    second_coverage: float | None
    p: float | None = None
    test: str | None = None
    units: int | None = None
    p_adjusted: float | None = None
    reason: str | None = None
    intervals: tuple[IntervalEntry, ...] = ()
    cell: CellEntry | None = None


@dataclass(frozen=True, kw_only=True)
class PairEntry:
    """Two judges, and how much they have in common.

    Args:
        first: Name of a judge.
        second: Name of another.
        items: How many items both owe.
        ranked: Whether they are of one modality.
    """

    first: str
    second: str
    items: int
    ranked: bool


@dataclass(frozen=True, kw_only=True)
class GroupsEntry:
    """Who cannot be told from whom in one figure: two judges differ exactly if they share no letter.

    Args:
        modality: Modality of the judges.
        metric: Name of the metric.
        facet: Facet id, or "overall".
        judges: Names, the best figure first, undefined ones left out.
        letters: The letters of each.
        groups: The largest groups none of whose members differ; None where there are too many to be named.
        reason: Why there are none.
    """

    modality: str
    metric: str
    facet: str
    judges: tuple[str, ...]
    letters: tuple[str, ...]
    groups: tuple[tuple[str, ...], ...] | None
    reason: str | None = None


@dataclass(frozen=True, kw_only=True)
class StandingEntry:
    """How far a judge's figures of one metric range over facets, and in how many it is among the best.

    Args:
        judge: Name of the judge.
        modality: Its modality.
        metric: Name of the metric.
        facets: In how many facets it has a figure.
        low: The lowest of them; None where there is none.
        low_facet: Where that is.
        high: The highest.
        high_facet: Where that is.
        best: In how many of its facets it is best of its modality, or not distinguishable from the best.
    """

    judge: str
    modality: str
    metric: str
    facets: int
    low: float | None
    low_facet: str | None
    high: float | None
    high_facet: str | None
    best: int


@dataclass(frozen=True, kw_only=True)
class AgreementEntry:
    """Whether two metrics rank the judges of a modality alike, overall.

    Args:
        modality: The modality.
        first: Name of a metric.
        second: Name of another.
        judges: How many judges have both.
        tau: Kendall's tau-b, each metric being turned so that higher is better.
        reason: Why it is undefined.
    """

    modality: str
    first: str
    second: str
    judges: int
    tau: float | None
    reason: str | None = None


@dataclass(frozen=True, kw_only=True)
class GatheredEntry:
    """What judges of one kind reach in a metric, overall.

    Args:
        by: "access" or "architecture".
        kind: Which; "not said" where a submission does not say.
        modality: The modality.
        metric: Name of the metric.
        judges: How many have the figure.
        mean: Their mean; None where none has it.
        best: The best of their figures.
        best_judge: Whose that is.
    """

    by: str
    kind: str
    modality: str
    metric: str
    judges: int
    mean: float | None
    best: float | None
    best_judge: str | None


@dataclass(frozen=True, kw_only=True)
class MatchedEntry:
    """The same over those items alone that every compared judge has valid answers to.

    Args:
        items: How many items all of them owe.
        kept: How many of those are kept.
        lost: Judge → how many of those it has no valid answer to.
        with_group: How many everybody has valid answers to and are lost with their group, such as the other turn of a dialogue.
        figures: The leading figures over the kept items.
        differences: Their differences.
    """

    items: int
    kept: int
    lost: Mapping[str, int]
    with_group: int
    figures: tuple[FigureEntry, ...]
    differences: tuple[DifferenceEntry, ...]


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """Everything that was computed of some submissions together.

    Args:
        signature: What must be equal for two comparisons to be comparable.
        headline: Name of the metric that ranks.
        leading: Names of the metrics that people compare first, the headline before all.
        facets: Facet id → name for people.
        label_source: Where the gold is from and how far it can be trusted.
        judges: The submissions, in the order given.
        pairs: Every two of them.
        figures: Each judge's own figures.
        differences: Every two judges' differences.
        groups: Who cannot be told from whom.
        standings: Ranges over facets.
        agreements: Which metrics rank alike.
        gathered: By access and by architecture.
        matched: The same over items that all answered validly, where that was asked for.
        use: What the figures may be used for; None, and left out of the file, where the family does not say.
    """

    signature: Mapping[str, Json]
    headline: str
    leading: tuple[str, ...]
    facets: Mapping[str, str]
    label_source: str
    judges: tuple[JudgeEntry, ...]
    pairs: tuple[PairEntry, ...]
    figures: tuple[FigureEntry, ...]
    differences: tuple[DifferenceEntry, ...]
    groups: tuple[GroupsEntry, ...]
    standings: tuple[StandingEntry, ...]
    agreements: tuple[AgreementEntry, ...]
    gathered: tuple[GatheredEntry, ...]
    matched: MatchedEntry | None = None
    use: UseEntry | None = None

    @property
    def modalities(self) -> tuple[str, ...]:
        """The modalities of the judges, as they first appear."""
        return tuple(dict.fromkeys(judge.modality for judge in self.judges))

    def as_json(self) -> Mapping[str, Json]:
        """The comparison as plain JSON values, floats to six significant digits; what is not said of its use is left out."""
        value: Json = msgspec.to_builtins(self)
        rounded = rounded_floats(value)
        assert isinstance(rounded, dict)  # noqa: S101 - a dataclass becomes a mapping
        return without_unsaid_use(rounded)

    def write(self, path: Path) -> None:
        """Write the comparison; equal comparisons are equal bytes."""
        path.write_text(json_text(self.as_json()), encoding="utf-8", newline="\n")
