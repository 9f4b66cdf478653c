"""Reports for leaderboards, made by hand: two facets, four figures, whatever a test wants of judge and signature."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from earmark.manifests.canonical import Json
from earmark.manifests.report import OVERALL, BaselineEntry, IntervalEntry, MetricEntry, Report

HASH = f"blake2b-256:{'0a' * 32}"
OTHER_HASH = f"blake2b-256:{'0b' * 32}"
HEADLINE = "balanced_accuracy"
RULES = (BaselineEntry(name="uniform", value=0.5), BaselineEntry(name="louder", value=None, reason="no level"))


def report(
    name: str | None = "ears",
    value: float | None = 0.75,
    *,
    judge: Mapping[str, Json] | None = None,
    signature: Mapping[str, Json] | None = None,
    owed: int = 40,
    ok: int = 38,
) -> Report:
    """A report of a stance release.

    Args:
        name: Name of the judge; None for none.
        value: The headline, None for an undefined one.
        judge: Further fields of the judge.
        signature: What the signature says otherwise.
        owed: Presentations owed per facet.
        ok: Those with a valid answer.
    """
    metrics = []
    for facet in (OVERALL, "S0", "S1"):
        n = owed if facet == OVERALL else owed // 2
        metrics.append(figure(HEADLINE, facet, value, n, chance=0.5))
        metrics.append(figure("failure_rate", facet, (owed - ok) / owed, n))
    counts = {facet: outcomes(owed, ok) for facet in ("S0", "S1")}
    counts[OVERALL] = {outcome: 2 * count for outcome, count in counts["S0"].items()} | {"repeated_rows": 0}
    return Report(
        signature={
            "release": "mini@1.0.0",
            "content_hash": HASH,
            "answers_hash": HASH,
            "family": "stance",
            "protocol": "both-orders",
            "scorer": "earmark 0.1.0",
            "resamples": 200,
            "seed": 1,
            "level": 0.95,
            "paper": None,
            "paper_beside": [],
            **(signature or {}),
        },
        submission={"judge": {**({} if name is None else {"name": name}), **(judge or {})}, "run": {}},
        label_source="Role prompts.",
        headline=HEADLINE,
        counts=counts,
        metrics=tuple(metrics),
        baselines=RULES,
    )


def outcomes(owed: int, ok: int) -> dict[str, int]:
    """Counts of a facet; what is not ok is missing."""
    return {
        "owed": owed,
        "ok": ok,
        "missing": owed - ok,
        **dict.fromkeys(("failed", "unparsable", "abstained", "conflicting"), 0),
    }


def figure(metric: str, facet: str, value: float | None, n: int, chance: float | None = None) -> MetricEntry:
    """A figure with one interval, or an undefined one with a reason."""
    if value is None:
        return MetricEntry(metric=metric, facet=facet, value=None, n=n, reason="one pole is absent")
    low, high = max(0.0, value - 0.1), min(1.0, value + 0.1)
    interval = IntervalEntry(by="speaker", clusters=25, method="percentile", level=0.95, low=low, high=high)
    return MetricEntry(metric=metric, facet=facet, value=value, n=n, chance=chance, intervals=(interval,))


def write(folder: Path, *reports: Report) -> list[Path]:
    """Folders with a report each."""
    made = []
    for n, one in enumerate(reports):
        path = folder / f"report-{n}"
        path.mkdir(parents=True, exist_ok=True)
        one.write(path / "report.json")
        made.append(path)
    return made


def write_json(path: Path, value: object) -> Path:
    """A file that may be no report at all."""
    path.write_text(json.dumps(value), encoding="utf-8", newline="\n")
    return path
