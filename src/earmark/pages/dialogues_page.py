"""What came of speaking dialogues, as one HTML page that needs nothing else: the gate, the attempts, and what is no shortcut.

Everything from outside goes through `shown` and the template's escaping; only the drawings of this room are put in as they
are. Equal input is equal bytes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from earmark.pages.counts import CountsRow, counts_bar
from earmark.pages.dialogues_record import (
    FATES,
    VOICED,
    DialoguesRecord,
    FateRow,
    GateDimension,
    RatePair,
    RemadeRow,
    RuleRow,
    SignRow,
)
from earmark.pages.forest import ForestRow, forest
from earmark.pages.formats import NOTHING, ends, number, percent, probability
from earmark.pages.histograms import Histogram, Mark, histograms
from earmark.pages.paired_dots import DotPair, paired_dots
from earmark.pages.shown import shown
from earmark.pages.svg import Figure, Table
from earmark.pages.templates import render_template

MOST_ROWS = 400
"""Clips that were made again, and dialogues that were dropped, up to this many of each stand on the page."""

FEW_DIALOGUES = 20
"""Intervals over fewer dialogues are too narrow, and the page says so."""

MEASURES: Mapping[str, str] = {
    "f0": "mean F0",
    "syllables_per_second": "syllables a second",
    "words_per_second": "words a second",
    "zero_crossing_rate": "zero crossings",
    "centroid": "spectral centroid",
    "level": "RMS level",
    "mfcc": "MFCC without c0",
    "seconds": "seconds",
}
"""What a dimension of the gate reads, for people."""

PROBE = "probe"
"""Name of the rule that knows all other dialogues."""

_GLANCES = 4

SIGNS: Mapping[str, str] = {
    "louder": "RMS level",
    "higher": "mean F0",
    "longer": "length",
    "faster": "speaking rate",
    "brighter": "spectral centroid",
}
"""What each signed difference reads."""


@dataclass(frozen=True)
class Glance:
    """A rule in the list at the top; `share` is the part of turns that it gets right, in percent."""

    name: str
    value: str
    interval: str
    share: str | None


def dialogues_html(record: DialoguesRecord) -> str:
    """The page of a synthesis.

    Args:
        record: What it shows.

    Returns:
        An HTML document that is well-formed XML too.
    """
    whole = _whole(record)
    voiced, all_of_them = whole.get(VOICED, 0), sum(whole.values())
    turns = len(record.best_points)
    return render_template(
        "dialogues.html.j2",
        {
            "name": shown(record.name, 120),
            "speaker": shown(record.speaker, 200),
            "words": [(shown(label, 60), shown(text, 200)) for label, text in record.words],
            "profile": shown(record.profile, 60),
            "pass_at": f"{record.pass_at:g}",
            "most": record.most,
            "voiced": f"{voiced:,}",
            "dialogues": f"{all_of_them:,}",
            "clips": f"{record.clips:,}",
            "used": f"{record.used:,}",
            "turns": f"{turns:,}",
            "first": f"{_passed(record.first_points, record.pass_at):,}",
            "end": f"{_passed(record.best_points, record.pass_at):,}",
            "glances": _glances(record.rules),
            "fates": [(fate, means) for fate, means in FATES.items() if whole.get(fate)],
            "fate_figures": [
                (f"By {shown(kind, 40)}", _fates(shown(kind, 40), rows)) for kind, rows in record.fates.items() if rows
            ],
            "points": _points(record),
            "dimensions": histograms([_dimension(one) for one in record.dimensions], of="turns"),
            "rates": [
                (f"By {shown(kind, 40)}", _rates(shown(kind, 40), rows)) for kind, rows in record.rates.items() if rows
            ],
            "regenerations": _regenerations(record),
            "remade": _remade(record.remade[:MOST_ROWS]),
            "remade_more": max(0, len(record.remade) - MOST_ROWS),
            "reasons": [(shown(name, 60), shown(means)) for name, means in record.reasons.items()],
            "dropped": Table(
                ("dialogue", "why"),
                tuple((shown(name, 100), shown(why, 300)) for name, why in record.dropped[:MOST_ROWS]),
            ),
            "dropped_more": max(0, len(record.dropped) - MOST_ROWS),
            "signs": _signs(record.signs) if voiced else None,
            "imbalance": record.imbalance,
            "with_a_choice": f"{record.with_a_choice:,}",
            "chosen": f"{2 * voiced:,}",
            "rules": _rules(record.rules),
            "rule_table": _rule_table(record.rules),
            "few": 0 < voiced < FEW_DIALOGUES,
            "few_dialogues": FEW_DIALOGUES,
        },
    )


def _whole(record: DialoguesRecord) -> dict[str, int]:
    """How many dialogues had each fate; every kind of group holds them all."""
    rows = next(iter(record.fates.values()), ())
    return {fate: sum(row.fates.get(fate, 0) for row in rows) for fate in FATES}


def _passed(points: Sequence[float | None], pass_at: float) -> int:
    return sum(value is not None and value >= pass_at for value in points)


def _fates(kind: str, rows: Sequence[FateRow]) -> Figure:
    counted = [CountsRow(row.label, row.fates) for row in rows]
    return counts_bar(counted, tuple(FATES), title=f"What became of the dialogues, by {kind}", of=kind, whole="asked")


def _points(record: DialoguesRecord) -> Figure:
    panels = []
    for label, points in (("At the first attempt", record.first_points), ("In the end", record.best_points)):
        known = tuple(value for value in points if value is not None)
        marks = (Mark(record.pass_at, f"passes at {record.pass_at:g}"),)
        absent, axis = len(points) - len(known), "points of the best pair, 8 at most"
        panels.append(Histogram(label, known, "points", marks, absent, step=0.5, axis=axis))
    return histograms(panels, of="turns")


def _dimension(one: GateDimension) -> Histogram:
    known = tuple(value for value in one.differences if value is not None)
    marks = tuple(Mark(at, f"{points:g} point{'' if points == 1 else 's'}") for at, points in one.thresholds)
    measure = MEASURES.get(one.measure) or shown(one.measure, 40)
    name = f"{shown(one.name, 40).capitalize()}: {measure}"
    unit, absent = shown(one.unit, 20), len(one.differences) - len(known)
    axis = "difference, share of the greater" if unit == "share" else f"difference, {unit}"
    return Histogram(name, known, unit, marks, absent, axis=axis)


def _rates(kind: str, rows: Sequence[RatePair]) -> Figure:
    pairs = [DotPair(row.label, row.first, row.end) for row in rows]
    title = f"Share of turns that passed, by {kind}"
    # What is gained is what the difference shows, so the end stands first.
    ended = [DotPair(pair.label, pair.second, pair.first) for pair in pairs]
    return paired_dots(ended, first="in the end", second="at the first attempt", title=title, of=kind)


def _regenerations(record: DialoguesRecord) -> Table:
    total = sum(record.regenerations.values())
    rows = tuple(
        (f"{count}", f"{turns:,}", percent(round(100 * turns / total) / 100) if total else NOTHING)
        for count, turns in sorted(record.regenerations.items())
    )
    return Table(("clips made again", "turns", "share"), rows)


def _remade(rows: Sequence[RemadeRow]) -> Table:
    head = ("dialogue", "turn", "option", "attempt", "points", "why this one", "why it may not be used")
    return Table(
        head,
        tuple(
            (
                shown(row.dialogue, 100),
                f"{row.turn}",
                shown(row.option, 20),
                f"{row.attempt}",
                NOTHING if row.points is None else f"{row.points:g}",
                shown(row.reason, 60),
                NOTHING if row.rejected is None else shown(row.rejected, 160),
            )
            for row in rows
        ),
    )


def _signs(rows: Sequence[SignRow]) -> Figure:
    counted = [
        CountsRow(
            f"{shown(row.name, 20)} ({SIGNS.get(row.name, '')})",
            {"resonant": row.resonant, "dissonant": row.dissonant, "neither": row.neither},
        )
        for row in rows
    ]
    outcomes = ("resonant", "dissonant", "neither")
    return counts_bar(counted, outcomes, title="Which option is the louder one, and so on", of="the one", whole="turns")


def _glances(rules: Sequence[RuleRow]) -> list[Glance]:
    """The probe, and the rules that are right most often."""
    ordered = sorted(rules, key=lambda row: (row.name != PROBE, -(row.turns.value or 0.0), row.name))
    return [
        Glance(
            row.name,
            number(row.turns.value),
            ends(row.turns.intervals[0]) if row.turns.intervals else shown(row.turns.reason or ""),
            None if row.turns.value is None else f"{100 * row.turns.value:.2f}",
        )
        for row in ordered[:_GLANCES]
    ]


def _rules(rules: Sequence[RuleRow]) -> list[tuple[str, Figure]]:
    if not rules:
        return []
    turns = forest([ForestRow(row.name, row.turns, row.name == PROBE) for row in rules], of="rule")
    dialogues = forest([ForestRow(row.name, row.dialogues, row.name == PROBE) for row in rules], of="rule")
    return [("Share of turns that are right", turns), ("Share of dialogues right in both turns", dialogues)]


def _rule_table(rules: Sequence[RuleRow]) -> Table:
    rows = tuple(
        (row.name, number(row.turns.value), probability(row.turns.p), number(row.dialogues.value)) for row in rules
    )
    return Table(("rule", "turns right", "p against a half", "dialogues right"), rows)
