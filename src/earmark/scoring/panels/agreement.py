"""How raters of a panel agree, per facet and overall, with intervals over items, or over groups where whole groups were asked.

Labels are what was decided, in the labels of the gold: which clip, not which letter, so raters who saw a pair in different orders
can be compared. Attention checks count in nothing but their own tally. The definitions of agreement and the coefficients are in
`earmark.statistics.kappa`; besides:

- `raters_per_item`: mean number of labels of an item.
- `cohen_kappa`: the mean over pairs of raters of Cohen's κ, pairs for whom it is undefined left out.
- `rater_ceiling`: how far a rater agrees with the rest: the mean over raters of the share of their items in which they say what
  most of the others say; where m answers lead, saying one of them counts 1 / m.
- `human_accuracy`: mean over items of the share of their raters who say the gold.

The overall figures are over all items, not the mean of the facets: a coefficient then corrects for the answers that the whole
panel gave.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING

import msgspec
import numpy as np
from numpy.typing import NDArray

import earmark
from earmark.manifests.canonical import Json
from earmark.manifests.report import OVERALL, rounded_floats
from earmark.manifests.rows import text
from earmark.scoring.measuring import Codes, Figure, Options, Part, measure
from earmark.scoring.ratings import COLUMNS
from earmark.statistics.kappa import (
    MISSING,
    CohenKappa,
    FleissKappa,
    KrippendorffAlpha,
    label_counts,
    observed_agreement,
)
from earmark.statistics.rates import Ratio
from earmark.statistics.statistic import Weighted, divide

if TYPE_CHECKING:
    from earmark.manifests.panels import Panel
    from earmark.manifests.release import Release
    from earmark.manifests.report import MetricEntry
    from earmark.scoring.panels.sheets import Rated
    from earmark.statistics.statistic import Bools, Floats, Statistic

GLOSSARY: Mapping[str, str] = {
    "raters_per_item": "Mean number of raters of an item.",
    "observed_agreement": "Share of pairs of raters of an item that say the same, mean over items with two raters or more.",
    "cohen_kappa": "Cohen's kappa of two raters, mean over pairs for whom it is defined.",
    "fleiss_kappa": "Fleiss' kappa; every item weighs the same, whatever its number of raters.",
    "krippendorff_alpha": "Krippendorff's alpha of unordered labels; every label weighs the same.",
    "rater_ceiling": "Share of a rater's items in which they say what most of the others say, mean over raters.",
    "human_accuracy": "Mean over items of the share of their raters who say the gold.",
}
"""What each figure means."""

ITEM, GROUP = "item", "group"
"""The units that intervals resample: items, or groups where their items were asked about together."""

NO_ANSWERS = "this copy of the release has no answers"
NO_CHECKS = "the panel has no attention checks"

Labels = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class MeanOfDefined(Weighted):
    """The unweighted mean of those statistics that are defined under a draw; undefined where none is.

    Attributes:
        parts: Statistics over the same clusters.
        clusters: Number of clusters C.
        why: Why it is undefined, if it is.
    """

    parts: tuple[Statistic, ...]
    clusters: int
    why: str

    @property
    def support(self) -> Bools:
        """(C,) bool: which clusters hold rows of any part."""
        support = np.zeros(self.clusters, np.bool_)
        for part in self.parts:
            support |= part.support
        return support

    def replicates(self, weights: Floats) -> Floats:
        """(B,) means under (B, C) weights; NaN where no part is defined."""
        total, defined = np.zeros(len(weights)), np.zeros(len(weights))
        for part in self.parts:
            values = part.replicates(weights)
            total += np.nan_to_num(values)
            defined += ~np.isnan(values)
        return divide(total, defined)

    def reason(self) -> str | None:
        """Why `value()` is None; None where it is not."""
        return self.why if self.value() is None else None


@dataclass(frozen=True)
class Agreement:
    """Everything computed from the sheets of a panel.

    Args:
        signature: Panel, release, scorer version, resamples and seed: equal signatures are comparable.
        raters: For each rater, how many items came to which outcome, and their attention checks.
        metrics: Every figure.
    """

    signature: Mapping[str, Json]
    raters: Mapping[str, Mapping[str, Json]]
    metrics: tuple[MetricEntry, ...]

    def find(self, metric: str, facet: str = OVERALL) -> MetricEntry | None:
        """One figure, or None if there is none."""
        return next((entry for entry in self.metrics if (entry.metric, entry.facet) == (metric, facet)), None)

    def as_json(self) -> Mapping[str, Json]:
        """The same as plain JSON values, floats to six significant digits."""
        value: dict[str, Json] = {**msgspec.to_builtins(self), "glossary": dict(GLOSSARY)}
        return {name: rounded_floats(entry) for name, entry in value.items()}


def measure_agreement(release: Release, panel: Panel, rated: Rated, options: Options) -> Agreement:
    """How the raters of a panel agree with each other and, where the release has its answers, with the gold.

    Args:
        release: The release that the panel was drawn from.
        panel: The panel.
        rated: What its raters said.
        options: How intervals are made.
    """
    family = release.family
    items = release.table("items")
    facet_of = dict(zip(items["item_id"].to_pylist(), items["facet"].to_pylist(), strict=True))
    gold: Labels | None = None
    if release.has_private_side:
        golds = {
            text(row, "item_id"): family.golds.index(text(row, "gold")) for row in release.table("answers").to_pylist()
        }
        gold = np.array([golds[entry.item] for entry in rated.entries], np.int64)
    check = np.array([entry.check for entry in rated.entries], np.bool_)
    facets = np.array([facet_of[entry.item] for entry in rated.entries], np.str_)
    _, unit = np.unique([entry.unit for entry in rated.entries], return_inverse=True)
    level = GROUP if any(entry.group is not None for entry in rated.entries) else ITEM
    chosen = ~check if panel.chooses else np.zeros_like(check)
    figures = agreement_figures(
        rated.labels[:, chosen],
        facets[chosen],
        len(family.golds),
        None if gold is None else gold[chosen],
        units={level: unit[chosen]},
    )
    manifest = release.manifest
    signature: dict[str, Json] = {
        "panel": panel.name,
        "release": f"{manifest.name}@{manifest.version}",
        "content_hash": manifest.content_hash,
        "answers_hash": manifest.answers_hash if gold is not None else None,
        "protocol": panel.protocol,
        "scorer": f"earmark {earmark.__version__}",
        "resamples": options.resamples,
        "seed": options.seed,
        "level": options.level,
    }
    raters: dict[str, Mapping[str, Json]] = {
        rater: {**rated.outcomes[rater], "checks": _checks(rated.labels[n], gold, check)}
        for n, rater in enumerate(rated.raters)
    }
    return Agreement(signature, raters, tuple(measure(figures, ((level,),), options)))


def agreement_figures(
    labels: Labels,
    facets: NDArray[np.str_],
    categories: int,
    gold: Labels | None = None,
    *,
    units: Mapping[str, Codes] | None = None,
) -> list[Figure]:
    """The figures of agreement, per facet and overall.

    Args:
        labels: (raters, items) whole numbers in [0, categories), or `MISSING`.
        facets: (items,) facet of each.
        categories: Number of labels K.
        gold: (items,) the right label of each; None leaves the accuracy out.
        units: What is resampled, and the number of each item's; items themselves without.
    """
    figures: list[Figure] = []
    numbers = np.arange(len(facets))
    levels = {ITEM: numbers} if units is None else units
    for facet in (*np.unique(facets).tolist(), *([OVERALL] if len(facets) else [])):
        here = numbers if facet == OVERALL else np.flatnonzero(facets == facet)
        makes = _makes(labels[:, here], categories, None if gold is None else gold[here])
        clusters = {level: codes[here] for level, codes in levels.items()}
        figures += [Figure(metric, facet, (Part(clusters, make),)) for metric, make in makes.items()]
    return figures


def ratings_csv(rated: Rated) -> str:
    """What the raters said as a file of ratings, which `earmark score --human` reads; attention checks are left out.

    The family's first gold is 1, its second −1, and a tie 0.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    rows = [
        (entry.item, rater, (1, -1)[label] if label < 2 else 0)
        for rater, labels in zip(rated.raters, rated.labels.tolist(), strict=True)
        for entry, label in zip(rated.entries, labels, strict=True)
        if label != MISSING and not entry.check
    ]
    writer.writerows(sorted(rows))
    return text.getvalue()


def _makes(labels: Labels, categories: int, gold: Labels | None) -> dict[str, Callable[[Codes, int], Statistic]]:
    """How each figure of some items is made."""
    counts = label_counts(labels, categories)
    given = counts.sum(axis=1)
    makes: dict[str, Callable[[Codes, int], Statistic]] = {
        "raters_per_item": partial(Ratio.of_rows, given),
        "observed_agreement": partial(observed_agreement, counts),
        "cohen_kappa": partial(mean_cohen, labels, categories),
        "fleiss_kappa": partial(FleissKappa.of_counts, counts),
        "krippendorff_alpha": partial(KrippendorffAlpha.of_counts, counts),
        "rater_ceiling": partial(_ceiling, labels, counts),
    }
    if gold is not None:
        makes["human_accuracy"] = partial(_accuracy, counts, gold)
    return makes


def mean_cohen(labels: Labels, categories: int, cluster: Codes, clusters: int) -> Statistic:
    """The mean over pairs of raters of Cohen's kappa.

    Args:
        labels: (raters, n) whole numbers in [0, categories), or `MISSING`.
        categories: Number of labels.
        cluster: (n,) cluster of each.
        clusters: Number of clusters.
    """
    pairs = tuple(
        CohenKappa.of_rows(first, second, cluster, clusters, categories) for first, second in combinations(labels, 2)
    )
    return MeanOfDefined(pairs, clusters, f"of every two raters: {CohenKappa.why_undefined}")


def _ceiling(labels: Labels, counts: Labels, cluster: Codes, clusters: int) -> Statistic:
    every = np.arange(labels.shape[1])
    raters = []
    for own in labels:
        others = counts.copy()
        others[every[own != MISSING], own[own != MISSING]] -= 1
        both = (own != MISSING) & (others.sum(axis=1) > 0)
        leading = others[both] == others[both].max(axis=1, keepdims=True)
        hit = leading[np.arange(len(leading)), own[both]]
        raters.append(Ratio.of_rows(hit / leading.sum(axis=1), cluster[both], clusters))
    return MeanOfDefined(tuple(raters), clusters, "no item has two raters")


def _accuracy(counts: Labels, gold: Labels, cluster: Codes, clusters: int) -> Statistic:
    rated = np.flatnonzero(counts.any(axis=1))
    shares = counts[rated, gold[rated]] / counts[rated].sum(axis=1)
    return Ratio.of_rows(shares, cluster[rated], clusters)


def _checks(labels: Labels, gold: Labels | None, check: NDArray[np.bool_]) -> Mapping[str, Json]:
    """How a rater did on the attention checks."""
    if not check.any():
        return {"right": None, "of": 0, "reason": NO_CHECKS}
    if gold is None:
        return {"right": None, "of": int(check.sum()), "reason": NO_ANSWERS}
    return {"right": int((labels[check] == gold[check]).sum()), "of": int(check.sum()), "reason": None}
