"""What people look at in a report on dialogues: which subscales are heard, what history and order make of it, and personas."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from earmark.manifests.eqi import SUBSCALES
from earmark.manifests.report import EVERY_FACET, OVERALL, MetricEntry, Report
from earmark.pages.figures import (
    DotPair,
    Figure,
    ForestRow,
    Profile,
    Spoke,
    VerdictCell,
    VerdictRow,
    forest,
    paired_dots,
    profile_bars,
    radar_dots,
    radars,
    verdicts,
)
from earmark.pages.formats import number
from earmark.pages.paper_tables import Accuracy
from earmark.pages.report_page import judge_name
from earmark.scoring.against import AGAINST
from earmark.scoring.dialogues.contrasts import HISTORY, MODALITY_GAP, PERSONA
from earmark.scoring.dialogues.figures import COMPOSITE
from earmark.scoring.dialogues.standard import OTHER, SEQ

if TYPE_CHECKING:
    from earmark.manifests.release import Release
    from earmark.scoring.decisions import Decisions

DRAWN = ("acc_1", "acc_2", "acc_traj")
"""The accuracies that are drawn, in the order of the conversation."""

CALLED = ("turn 4", "turn 6", "trajectory")

TRAJECTORY = "_acc_traj"

LESS = {MODALITY_GAP: "oracle − audio", HISTORY: "direct − sequential"}
"""Contrasts whose two sides have names of their own."""

Captioned = tuple[str, Figure]


def draw(release: Release, _: Decisions, report: Report) -> Sequence[Captioned]:
    """The figures of a report with their captions."""
    names = {facet.id: facet.name for facet in release.manifest.facets}
    spokes = _spokes(report, names)
    return (
        (
            "Trajectories per subscale, with their intervals, and the rules that do not listen.",
            forest(_forest_rows(report, names), report.baselines),
        ),
        ("Which cells are above chance, and which below?", _verdicts(report, names)),
        (
            "The profile over the subscales: turn 4, turn 6, and both of one conversation.",
            radars(spokes, title="Accuracy over the subscales"),
        ),
        ("The same to be read off, with intervals.", radar_dots(spokes, title="Accuracy of each subscale")),
        (
            "Is the later turn judged worse? Accuracy at turn 4 and at turn 6.",
            _pairs(report, names, ("acc_1", "acc_2"), ("turn 4", "turn 6"), "Accuracy at both turns"),
        ),
        (
            "Does a wrong answer spoil the next one? Accuracy at turn 6 after a right and after a wrong answer to turn 4.",
            _pairs(
                report,
                names,
                ("acc_2_given_right", "acc_2_given_wrong"),
                ("after a right answer", "after a wrong one"),
                "Accuracy at turn 6 by the answer to turn 4",
            ),
        ),
        (
            "Does the order decide? How likely answers in both orders are for the same option; 0.5 is a coin’s, 0 a position’s.",
            _pairs(
                report,
                names,
                ("swap_consistency_1", "swap_consistency_2"),
                ("turn 4", "turn 6"),
                "Consistency when options are swapped",
            ),
        ),
        *drawn_against(report),
    )


def _spokes(report: Report, names: Mapping[str, str]) -> list[Spoke]:
    """The subscales that have all three accuracies, by composite."""
    found = []
    for subscale in SUBSCALES:
        entries = [report.find(metric, subscale.slug) for metric in DRAWN]
        known = tuple(entry for entry in entries if entry is not None)
        if subscale.slug in names and len(known) == len(DRAWN):
            found.append(Spoke(names[subscale.slug], subscale.composite.name, known))
    return found


def _forest_rows(report: Report, names: Mapping[str, str]) -> list[ForestRow]:
    overall = report.find(report.headline)
    rows = [] if overall is None else [ForestRow(EVERY_FACET, overall, strong=True)]
    found = ((name, report.find(report.headline, facet)) for facet, name in names.items())
    return [*rows, *(ForestRow(name, entry) for name, entry in found if entry is not None)]


def _verdicts(report: Report, names: Mapping[str, str]) -> Figure:
    """Subscales, composites and all of them down, accuracies across."""
    places = [(name, facet, "all") for facet, name in names.items()]
    composites = dict.fromkeys(
        (subscale.composite.name, f"{COMPOSITE}{subscale.composite.slug}") for subscale in SUBSCALES
    )
    places += [(name.upper(), OVERALL, slice) for name, slice in composites if report.find(DRAWN[0], OVERALL, slice)]
    rows = []
    for name, facet, slice in (*places, (EVERY_FACET, OVERALL, "all")):
        entries = [report.find(metric, facet, slice) for metric in DRAWN]
        rows.append(VerdictRow(name, tuple(VerdictCell(_accuracy(entry)) for entry in entries)))
    return verdicts(CALLED, rows, title="Accuracies against chance")


def _accuracy(entry: MetricEntry | None) -> Accuracy | None:
    if entry is None:
        return None
    return Accuracy(entry.value, entry.n, entry.chance, entry.p, entry.p_adjusted)


def _pairs(
    report: Report, names: Mapping[str, str], metrics: tuple[str, str], called: tuple[str, str], title: str
) -> Figure:
    """Two figures of each facet that has them, behind those of all."""
    rows = []
    for facet, name in {OVERALL: EVERY_FACET, **names}.items():
        one, other = (report.find(metric, facet) for metric in metrics)
        if one is not None and other is not None:
            rows.append(DotPair(name, one, other))
    return paired_dots(rows, first=called[0], second=called[1], title=title)


def drawn_against(report: Report) -> list[Captioned]:
    """What sets the submission apart from others, and the bars of personas; nothing where it was set against none."""
    contrasts = [entry for entry in report.metrics if _is_contrast(entry)]
    if not contrasts:
        return []
    own_name = f"{judge_name(report.submission)}, "
    rows = [ForestRow(_less(entry, own_name), entry) for entry in contrasts]
    found = [("What sets it apart from other submissions, in trajectories, dialogue by dialogue.", forest(rows))]
    personas = [entry for entry in contrasts if entry.metric.startswith(PERSONA)]
    if personas:
        own = tuple(entry for metric in DRAWN if (entry := report.find(metric)) is not None)
        profiles = [Profile(_with_seq("this one", report.find(SEQ)), own, CALLED)]
        for entry in personas:
            theirs = [report.find(f"{OTHER}{metric}", OVERALL, entry.slice) for metric in DRAWN]
            theirs_seq = report.find(f"{OTHER}{SEQ}", OVERALL, entry.slice)
            name = _with_seq(_named(entry).removeprefix(own_name), theirs_seq)
            profiles.append(Profile(name, tuple(one for one in theirs if one is not None), CALLED))
        found.append(
            (
                "What a persona makes of it; behind its name its SEQ.",
                profile_bars(profiles, title="Accuracy of each persona"),
            )
        )
    return found


def _is_contrast(entry: MetricEntry) -> bool:
    named = entry.metric.endswith(TRAJECTORY) and not entry.metric.startswith(OTHER)
    return named and entry.facet == OVERALL and entry.slice.startswith(AGAINST)


def _with_seq(name: str, seq: MetricEntry | None) -> str:
    """A persona with its SEQ, where it has one."""
    return name if seq is None or seq.value is None else f"{name}, {number(seq.value)}"


def _less(entry: MetricEntry, own_name: str) -> str:
    """What is less what, without saying again whose the other submission is too."""
    named = LESS.get(entry.metric.removesuffix(TRAJECTORY))
    return named or f"this − {_named(entry).removeprefix(own_name)}"


def _named(entry: MetricEntry) -> str:
    return entry.slice.removeprefix(AGAINST)
