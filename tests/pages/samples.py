"""A report as a stance release would have it, made of plain arithmetic: nine dimensions, two kinds of interval, some gaps."""

from __future__ import annotations

import math
from xml.etree import ElementTree as ET

from earmark.manifests.findings import Findings, Severity, declare
from earmark.manifests.report import OVERALL, BaselineEntry, IntervalEntry, MetricEntry, Report, UseEntry
from earmark.pages.figures import (
    CountsRow,
    Figure,
    ForestRow,
    PlanePoint,
    ViolinGroup,
    counts_bar,
    disagreement_against_auroc,
    forest,
    split_violins,
)
from earmark.pages.report_page import UnparsedRow, report_html
from earmark.pages.summary import facet_label

DIMENSIONS = {
    "S0": (
        "Interpersonal Warmth",
        "Warmth",
        "Coldness",
        "Friendly Warm Approachable Welcoming",
        "Aloof Distant Impersonal Indifferent",
    ),
    "S1": (
        "Compassion and Empathy",
        "Compassion",
        "Callousness",
        "Empathetic Considerate",
        "Insensitive Callous",
    ),
    "S2": (
        "Politeness and Respect",
        "Politeness",
        "Rudeness",
        "Polite Respectful Courteous",
        "Disrespectful Impolite Uncivil",
    ),
    "S3": (
        "Assertiveness",
        "Assertiveness",
        "Inhibition",
        "Assertive Decisive Self-assured Firm",
        "Indecisive Self-doubting Unassertive Timid",
    ),
    "S4": (
        "Sincerity and Honesty",
        "Honesty",
        "Deception",
        "Honest Ingenuous Uncalculating",
        "Manipulative Calculating Devious",
    ),
    "S5": (
        "Cognitive Attentiveness",
        "Focus",
        "Distraction",
        "Alert Attentive Concentrating Engaged",
        "Bewildered Distracted Drowsy Unfocused",
    ),
    "S6": (
        "Social Engagement",
        "Sociability",
        "Withdrawal",
        "Engaging Sociable Gregarious Outgoing",
        "Withdrawn Disengaged Reticent Taciturn",
    ),
    "S7": (
        "Power Orientation",
        "Deference",
        "Dominance",
        "Submissive Meek Yielding Undemanding",
        "Forceful Overbearing Dominant Domineering",
    ),
    "S8": (
        "Conflict Regulation",
        "Calmness + Avoidance",
        "Aggression",
        "Stable Steady Unaggressive Unargumentative",
        "Aggressive Cruel Ruthless Vindictive",
    ),
}
NAMES = {facet: name for facet, (name, *_) in DIMENSIONS.items()} | {OVERALL: "all dimensions"}

METRICS = (
    "human_spearman",
    "failure_rate",
    "order_disagreement",
    "order_disagreement_coverage",
    "balanced_accuracy",
    "balanced_accuracy_valid_only",
    "pole_consistency",
    "auroc",
    "auroc_valid_only",
    "eer",
    "eer_nearest_vertex",
    "oracle_f1",
    "oracle_f1_threshold",
    "f1_at_zero",
    "oracle_f1_gain",
    "pole_shift",
    "pole_overlap",
    "rater_agreement",
)

NOT_A_KEY = declare("test-pages.not-a-key", Severity.ERROR, "the row names no presentation of this release")
REPEATED = declare("test-pages.repeated", Severity.WARNING, "the same row is there twice")


def parsed(text: str) -> ET.Element:
    """A document of ours, read by a strict parser; the document type is not XML's business."""
    return ET.fromstring(text.removeprefix("<!DOCTYPE html>\n"))  # noqa: S314 - we wrote it


def wave(*parts: object) -> float:
    """A number in [0, 1) that looks random and is the same everywhere."""
    seed = sum((place + 1) * ord(letter) for place, letter in enumerate("/".join(map(str, parts))))
    return (math.sin(seed * 12.9898) * 43758.5453) % 1


def scores(facet: str, role: str, sign: int, count: int) -> list[float]:
    centre = sign * (0.15 + 0.45 * wave(facet))
    drawn = [centre + 0.9 * (wave(facet, role, place) + wave(place, role) - 1) for place in range(count)]
    return [round(max(-1.0, min(1.0, score)), 2) for score in drawn]


def violin_groups(each: int = 24) -> list[ViolinGroup]:
    groups = []
    for facet, (name, positive, negative, ps, ns) in DIMENSIONS.items():
        by_role = {}
        for roles, pole, sign in ((ps, "P", 1), (ns, "N", -1)):
            for role in roles.split():
                by_role[role] = (pole, scores(facet, role, sign, 1 + int(each * (0.3 + 1.5 * wave(role)))))
        groups.append(ViolinGroup(facet, name, positive, negative, by_role))
    return groups


def entry(
    metric: str, facet: str, value: float | None, *, slice: str = "all", reason: str | None = None
) -> MetricEntry:
    half = min(0.02 + 0.05 * wave(metric, facet), 0.7 * abs(value or 0))
    found = value is not None
    chance = 0.5 if metric in {"balanced_accuracy", "auroc", "pole_consistency"} else None
    return MetricEntry(
        metric=metric,
        facet=facet,
        slice=slice,
        value=value,
        n=412 if facet != OVERALL else 3708,
        chance=chance,
        p=0.0004 + 0.03 * wave(facet) if found and chance else None,
        p_adjusted=0.0036 + 0.2 * wave(facet) if found and chance else None,
        reason=reason,
        intervals=(
            IntervalEntry(
                by="speaker", clusters=121, method="percentile", level=0.95, low=value - half, high=value + half
            ),
            IntervalEntry(
                by="prompt",
                clusters=47,
                method="percentile",
                level=0.95,
                low=value - 1.4 * half,
                high=value + 1.2 * half,
            ),
        )
        if value is not None
        else (),
    )


def stance_report(judge: str = "qwen2.5-omni-7b", *, slices: bool = True) -> Report:
    metrics = []
    for facet in (OVERALL, *DIMENSIONS):
        for metric in METRICS:
            if metric in {"human_spearman", "rater_agreement"}:
                metrics.append(entry(metric, facet, None, reason="no ratings file was given"))
                continue
            value = 0.55 + 0.35 * wave(metric, facet)
            if metric in {"failure_rate", "order_disagreement"}:
                value = 0.02 + 0.2 * wave(metric, facet)
            metrics.append(entry(metric, facet, value))
        if slices and facet != OVERALL:
            parts = ["pole:P", "pole:N", *(f"role:{role}" for role in " ".join(DIMENSIONS[facet][3:]).split())]
            metrics += [
                entry(metric, facet, 2 * wave(metric, facet, part) - 1, slice=part)
                for part in parts
                for metric in ("score_median", "score_q05", "score_q25", "score_q75", "score_q95")
            ]
    counts = {
        facet: {"ok": 388, "missing": 4, "failed": 9, "unparsable": 7, "abstained": 3, "conflicting": 1}
        for facet in DIMENSIONS
    }
    counts["S4"] = {"ok": 201, "missing": 80, "failed": 61, "unparsable": 40, "abstained": 20, "conflicting": 10}
    counts[OVERALL] = {name: sum(of[name] for of in counts.values()) for name in counts["S0"]} | {
        "repeated": 12,
        "unknown": 3,
    }
    return Report(
        signature={
            "answers": "blake2b-256:9f3c61d2",
            "options": {"paper": None, "resamples": 10000, "seed": 1},
            "release": {"content_hash": "blake2b-256:0a4be81c", "name": "stance-demo", "version": "1.0.0"},
            "scorer": "earmark 0.1.0",
        },
        submission={
            "judge": {"name": judge, "revision": "2025-03-27", "access": "open_weights", "architecture": "end_to_end"},
            "run": {"hardware": "1 × A100", "price": None},
            "protocol": "both-orders",
            "release": "stance-demo 1.0.0",
        },
        label_source=(
            "Labels are role prompts, a weak label: what an actor was asked to play, not what was heard. Who of a pair played "
            "which role was inferred by others, with an unknown error."
        ),
        headline="balanced_accuracy",
        counts=counts,
        metrics=tuple(metrics),
        use=UseEntry("For comparing judges of stance.", "Nothing that is decided about a person."),
        baselines=(
            BaselineEntry(name="random", value=0.503),
            BaselineEntry(name="louder is positive", value=0.611),
            BaselineEntry(name="always P", value=0.5),
            BaselineEntry(name="transcript only", value=None, reason="no transcript in this release"),
        ),
    )


def found(report: Report, metric: str, facet: str) -> MetricEntry:
    entry = report.find(metric, facet)
    assert entry is not None
    return entry


def stance_figures(report: Report, each: int = 24) -> list[tuple[str, Figure]]:
    facets = [OVERALL, *DIMENSIONS]
    rows = [
        ForestRow(
            f"{facet} {NAMES[facet]}" if facet != OVERALL else "Overall",
            found(report, report.headline, facet),
            facet == OVERALL,
        )
        for facet in facets
    ]
    points = [
        PlanePoint(facet, NAMES[facet], found(report, "auroc", facet), found(report, "order_disagreement", facet))
        for facet in DIMENSIONS
    ]
    return [
        ("Balanced accuracy per dimension, beside rules that do not listen", forest(rows, report.baselines)),
        ("Pole-order disagreement against AUROC", disagreement_against_auroc(points)),
        ("Scores per dimension, pole and role", split_violins(violin_groups(each))),
        (
            "What became of the presentations that were owed",
            counts_bar([CountsRow(facet_label(facet, NAMES), report.counts[facet]) for facet in facets]),
        ),
    ]


def findings() -> Findings:
    collected = Findings()
    for row in range(3):
        collected.add(
            NOT_A_KEY,
            file="predictions.jsonl",
            row=row + 7,
            column="presentation_id",
            found="p<script>",
            expected="an id",
        )
    collected.add(REPEATED, file="predictions.jsonl", row=99)
    return collected


def unparsed(count: int = 3) -> list[UnparsedRow]:
    return [
        UnparsedRow(
            presentation=f"pabcdefghij{place}",
            run=0,
            outcome="unparsable",
            reason="no JSON object with the required keys",
            response="I think the speaker is <b>warm</b>, &amp; maybe\nnot. " * (1 + 20 * (place % 2)),
        )
        for place in range(count)
    ]


def stance_page(report: Report | None = None, each: int = 24) -> str:
    shown = stance_report() if report is None else report
    return report_html(
        shown,
        title="StanceBench report",
        figures=stance_figures(shown, each),
        findings=findings(),
        unparsed=unparsed(),
        facet_names=NAMES,
        limits="A figure says nothing of how well parts were played.",
    )
