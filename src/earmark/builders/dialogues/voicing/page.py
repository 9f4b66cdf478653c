"""What came of speaking, as its page takes it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

from earmark.builders.contrast.gate import REASONS
from earmark.builders.dialogues.makers import Cell
from earmark.builders.dialogues.voicing.report import GROUPS, MACHINE, pass_rates, sign_counts, turns_with_a_choice
from earmark.builders.dialogues.voicing.spoken import SpokenDialogues, TurnOutcome, best_points, chosen_pairs, outcomes
from earmark.builders.dialogues.voicing.takes import Takes
from earmark.manifests.canonical import Json, json_text
from earmark.manifests.eqi import FAILURES, SUBSCALES
from earmark.manifests.report import IntervalEntry, MetricEntry
from earmark.pages.dialogues_page import dialogues_html
from earmark.pages.dialogues_record import (
    NO_CLIP,
    NO_CONTRAST,
    UNSPOKEN,
    VOICED,
    DialoguesRecord,
    FateRow,
    GateDimension,
    RatePair,
    RemadeRow,
    RuleRow,
    SignRow,
)
from earmark.statistics.intervals import Interval

PAGE = "build.html"
"""Name of the page on the private side."""

_ORDER = {subscale.slug: place for place, subscale in enumerate(SUBSCALES)}
_SUBSCALES = {subscale.slug: subscale.name for subscale in SUBSCALES}
_FAILURES = {failure.slug: failure.name for failure in FAILURES}


def pages(spoken: SpokenDialogues, told: Mapping[str, Json]) -> dict[str, str]:
    """The files that stand on the private side: what people are told, for machines, and a page to look at.

    Args:
        spoken: What came of speaking.
        told: The report.
    """
    return {MACHINE: json_text({"summary": dict(told)}), PAGE: dialogues_html(page_record(spoken))}


def page_record(spoken: SpokenDialogues) -> DialoguesRecord:
    """A synthesis as its page takes it.

    Args:
        spoken: What came of speaking.
    """
    found = outcomes(spoken)
    takes = [take for takes in spoken.takes for take in takes.every()]
    return DialoguesRecord(
        name=spoken.origin.corpus,
        speaker=spoken.provider if spoken.provider == spoken.model else f"{spoken.provider}, {spoken.model}",
        words=_words(spoken.words),
        profile=spoken.profile.name,
        pass_at=spoken.profile.pass_at,
        most=spoken.most,
        fates=_fates(spoken),
        clips=len(takes),
        used=sum(take.used for take in takes),
        first_points=tuple(outcome.points_first for outcome in found),
        best_points=tuple(outcome.points for outcome in found),
        regenerations=Counter(outcome.regenerations for outcome in found),
        dimensions=tuple(_dimensions(spoken)),
        rates={kind: tuple(_rates(found, kind, by, spoken.seed)) for kind, by in GROUPS.items()},
        remade=tuple(row for of in spoken.takes for row in _remade(spoken, of)),
        reasons={name: REASONS[name] for name in REASONS if any(take.remade == name for take in takes)},
        dropped=tuple((of.dialogue.name, of.dropped) for of in spoken.takes if of.dropped is not None),
        signs=tuple(SignRow(name, *counts) for name, counts in sign_counts(spoken).items()),
        with_a_choice=turns_with_a_choice(found),
        imbalance=(spoken.choice.balance.imbalance, spoken.choice.balance.least, spoken.choice.balance.before),
        rules=tuple(
            RuleRow(
                rule.rule,
                entry(rule.turns, rule.rule, len(spoken.choice.rows), chance=0.5),
                entry(rule.dialogues, rule.rule, rule.dialogues.clusters, chance=0.25),
            )
            for rule in spoken.rules
        ),
    )


def entry(interval: Interval, name: str, n: int, *, chance: float | None = None) -> MetricEntry:
    """A share over dialogues as pages take it.

    Args:
        interval: The share, with its interval over dialogues.
        name: What it is of.
        n: How many units it is over.
        chance: What guessing would give; None of a pass rate.
    """
    return MetricEntry(
        metric="accuracy" if chance is not None else "pass_rate",
        facet=name,
        value=interval.value,
        n=n,
        chance=chance,
        p=interval.p,
        reason=interval.reason if interval.value is None else None,
        intervals=(
            IntervalEntry(
                by="dialogue",
                clusters=interval.clusters,
                method=interval.method,
                level=interval.level,
                low=interval.low,
                high=interval.high,
                reason=interval.reason,
            ),
        ),
    )


def _words(told: Mapping[str, Json] | None) -> tuple[tuple[str, str], ...]:
    """What is said of the words check in a line; what its limits were taken from stands in the report."""
    if told is None:
        return ()
    names = ("listener", "limit", "limit between options")
    return tuple((name if name != "listener" else "heard by", f"{told[name]}") for name in names if name in told)


def _fates(spoken: SpokenDialogues) -> dict[str, tuple[FateRow, ...]]:
    """What became of everything that was asked for, by subscale, valence and type."""
    fates = {takes.dialogue.name: _fate(takes) for takes in spoken.takes}
    cells = {takes.dialogue.name: _cell(takes) for takes in spoken.takes}
    cells |= {commission.name: commission.cell for commission in spoken.asked}
    kinds: Mapping[str, tuple[Callable[[Cell], str], Callable[[str], tuple[int, str]]]] = {
        "subscale": (lambda cell: cell.subscale, lambda slug: (_ORDER.get(slug, len(_ORDER)), slug)),
        "valence": (lambda cell: cell.valence, lambda name: (0, name)),
        "type": (lambda cell: cell.type, lambda name: (0, name)),
    }
    found = {}
    for kind, (group_of, place) in kinds.items():
        counted: dict[str, Counter[str]] = {}
        for name, cell in cells.items():
            counted.setdefault(group_of(cell), Counter())[fates.get(name, UNSPOKEN)] += 1
        found[kind] = tuple(
            FateRow(_SUBSCALES.get(group, group.replace("_", " ")), counted[group])
            for group in sorted(counted, key=place)
        )
    return found


def _fate(takes: Takes) -> str:
    if takes.dropped is None:
        return VOICED
    return NO_CONTRAST if takes.no_contrast else NO_CLIP


def _cell(takes: Takes) -> Cell:
    scenario = takes.dialogue.scenario
    return Cell(scenario.subscale, scenario.valence, scenario.type)


def _dimensions(spoken: SpokenDialogues) -> Iterator[GateDimension]:
    """The dimensions of the gate, with the differences of the pairs that were chosen."""
    chosen = [pair.contrast.differences for *_, pair in chosen_pairs(spoken)]
    for place, (name, dimension) in enumerate(spoken.profile.dimensions().items()):
        yield GateDimension(
            name,
            dimension.measure,
            dimension.unit,
            tuple(zip(dimension.thresholds, dimension.points, strict=True)),
            tuple(differences[place].value for differences in chosen),
        )


def _rates(found: Sequence[TurnOutcome], kind: str, by: Callable[[TurnOutcome], str], seed: int) -> Iterator[RatePair]:
    for group, (turns, first, end) in pass_rates(found, by, seed).items():
        label = _FAILURES.get(group, group) if kind == "failure" else group
        yield RatePair(label, entry(first, group, turns), entry(end, group, turns))


def _remade(spoken: SpokenDialogues, takes: Takes) -> Iterator[RemadeRow]:
    points = best_points(takes, spoken.profile)
    for take in takes.every():
        if take.remade is not None:
            line = take.line
            best = points.get((take.rendering, line.attempt))
            yield RemadeRow(line.dialogue, line.turn, line.option, line.attempt, best, take.rejected, take.remade)
