"""What `earmark panel` says of a draw and of what came back, for people."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from earmark.builders.panels.draw import Draw
    from earmark.manifests.canonical import Json
    from earmark.manifests.panels import Panel
    from earmark.scoring.panels.agreement import Agreement
    from earmark.scoring.panels.criteria import Criteria
    from earmark.scoring.panels.rankings import Ranking

FIGURES = ("passed", "cohen_kappa")
STAGES = ("", "_reconciled")
"""The figures of a criterion that are shown, before and after reconciliation."""


def drawn_text(drawn: Draw, out: Path) -> str:
    """What was drawn of each cell, for people."""
    from earmark.cli.tables import table

    panel = drawn.panel
    rows = [
        [
            cell.facet,
            " ".join(cell.cell),
            str(cell.available),
            str(cell.drawn),
            ", ".join(f"{label}: {n}" for label, n in cell.positions.items() if n),
        ]
        for cell in drawn.cells
    ]
    header = ["facet", " ".join(drawn.columns), "available", "drawn", "position"]
    return "\n".join(
        [
            f"{out}: {panel.name}, {len(panel.entries)} items of {panel.release} for {len(panel.raters)} raters",
            "",
            table(header, rows, right={2, 3}),
            "",
            "Raters get the sheets only: this folder tells whose an id is and how the answers are spread.",
            "",
        ]
    )


def agreement_text(panel: Panel, agreement: Agreement) -> str:
    """Who rated, and how they agree, for people."""
    from earmark.cli.tables import table

    names = list(dict.fromkeys(entry.metric for entry in agreement.metrics))
    facets = list(dict.fromkeys(entry.facet for entry in agreement.metrics))
    rows = [[facet, *(_value(agreement, name, facet) for name in names)] for facet in facets]
    came = [
        [
            rater,
            str(counts["ok"]),
            str(_said(counts) - int(str(counts["ok"]))),
            str(counts["missing"]),
            str(counts["owed"]),
            _check_text(counts["checks"]),
        ]
        for rater, counts in agreement.raters.items()
    ]
    lines = [
        f"{panel.name}: {len(agreement.raters)} of {len(panel.raters)} raters",
        "",
        table(["rater", "counted", "not counted", "missing", "owed", "checks"], came, right={1, 2, 3, 4, 5}),
        "",
    ]
    if names:
        header = ["", *(name.replace("_", " ") for name in names)]
        lines += [table(header, rows, right=set(range(1, len(names) + 1))), ""]
    return "\n".join(lines)


def criteria_text(criteria: Criteria) -> str:
    """How many ratings say that each criterion is met, how raters agree, and how many units fail, for people."""
    from earmark.cli.tables import table
    from earmark.scoring.panels.failures import ANY

    rows = []
    for limit in criteria.limits:
        criterion = None if limit.criterion == ANY else limit.criterion
        figures = (criteria.find(f"{metric}{stage}", criterion) for stage in STAGES for metric in FIGURES)
        rows.append(
            [
                "all, pooled" if criterion is None else criterion.replace("_", " "),
                *(_number(None if entry is None else entry.value) for entry in figures),
                f"{limit.failed} of {limit.looked_at}",
                "-" if limit.at_most is None else f"{limit.at_most} of {limit.unseen}",
                _number(limit.rate),
            ]
        )
    after = [f"{name} after" for name in ("passed", "kappa")]
    header = ["criterion", "passed", "kappa", *after, "fail", "unseen at most", "rate"]
    level = criteria.limits[0].level if criteria.limits else 0.0
    reasons = dict.fromkeys(limit.reason for limit in criteria.limits if limit.reason is not None)
    return "\n".join(
        [
            table(header, rows, right=set(range(1, len(header)))),
            "",
            f"Of those that nobody looked at no more fail than that, at {level:.0%}, one-sided and hypergeometric.",
            *(f"{reason}." for reason in (*reasons, *([criteria.reason] if criteria.reason else []))),
            "",
        ]
    )


def ranking_text(ranking: Ranking) -> str:
    """The mean rank of each system, how raters agree, and how far each metric goes with them, for people."""
    from earmark.cli.tables import table

    metrics = [correlation.metric for correlation in ranking.correlations]
    rows = []
    for n, system in enumerate(ranking.systems):
        entry = ranking.mean_rank(system)
        values = (_number(correlation.values[n]) for correlation in ranking.correlations)
        rows.append([system, _number(None if entry is None else entry.value), *values])
    header = ["system", "mean rank", *metrics]
    each = next(entry for entry in ranking.metrics if entry.metric == "kendall_w_mean")
    lines = [
        table(header, rows, right=set(range(1, len(header)))),
        "",
        f"Kendall's W: {_number(each.value)} in the mean over dialogues, {_number(ranking.overall.value)} over all of them",
        "",
    ]
    if metrics:
        beside = [
            [c.metric, _number(c.rho), _number(c.p), _number(c.p_t), c.reason or ""] for c in ranking.correlations
        ]
        lines += [table(["metric", "rho with people", "exact p", "p by t", ""], beside, right={1, 2, 3}), ""]
    else:
        lines += ["Metrics are set beside people where the prediction files of all systems are given.", ""]
    return "\n".join(lines)


def _value(agreement: Agreement, metric: str, facet: str) -> str:
    entry = agreement.find(metric, facet)
    return _number(None if entry is None else entry.value)


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def _said(counts: Mapping[str, Json]) -> int:
    """How many of a rater's questions have a row, whether or not it counts."""
    return int(str(counts["owed"])) - int(str(counts["missing"]))


def _check_text(checks: Json) -> str:
    if not isinstance(checks, Mapping) or checks["right"] is None:
        return "-"
    return f"{checks['right']} of {checks['of']}"
