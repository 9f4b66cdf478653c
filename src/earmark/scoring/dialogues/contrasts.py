"""What sets two submissions apart, dialogue by dialogue: a gap of modality, of the history's source, of persona, or some other.

A contrast is named by what differs. If the judge is the same and one thing alone does, that is

- *modality_gap*: the oracle's transcripts with tones, less audio: what is known from words but not heard;
- *direct_minus_sequential*: with the right turn 4 in the history, less with the judge's own;
- *persona_contrast*: this persona less the other;

and *difference*, this submission less the other, of any other two. Each is of the four accuracies, over the dialogues that both
protocols owe. p is that of flipping the signs of the dialogues' differences; Holm's method adjusts over the subscales.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from earmark.manifests.declarations import AUDIO, MODALITIES, ORACLE, TEXT_HISTORY
from earmark.manifests.families.dialogues import CHAINS, DIRECT, SEQUENTIAL_2, SEQUENTIAL_4, protocol_name
from earmark.manifests.report import OVERALL
from earmark.scoring.dialogues.figures import CHANCE, DIALOGUE, LADDERS, columns_of, number
from earmark.scoring.dialogues.gold import read_gold
from earmark.scoring.dialogues.marks import mark
from earmark.scoring.dialogues.standard import OTHER
from earmark.scoring.dialogues.testing import DETECTABLE, detectable_entry
from earmark.scoring.measuring import Figure, Part, Shared, measure
from earmark.statistics.significance import holm, sign_flip
from earmark.statistics.sums import Quotients, Sums, Term

if TYPE_CHECKING:
    from earmark.manifests.release import Release
    from earmark.manifests.report import MetricEntry
    from earmark.scoring.against import Judged
    from earmark.scoring.dialogues.gold import Gold, Texts
    from earmark.scoring.measuring import Codes, Options
    from earmark.statistics.statistic import Floats

MODALITY_GAP, HISTORY, PERSONA, DIFFERENCE = (
    "modality_gap",
    "direct_minus_sequential",
    "persona_contrast",
    "difference",
)

_MEANS = {
    MODALITY_GAP: "of the oracle, which reads words and tones, less that with audio",
    HISTORY: "with the right turn 4 in the history, less that with the judge’s own",
    PERSONA: "less that of the persona that the slice names",
    DIFFERENCE: "less that of the submission that the slice names",
}

GLOSSARY: Mapping[str, str] = {
    **{
        f"{kind}_{metric}": f"{metric} {means}, over the dialogues of both; p flips the signs of their differences."
        for kind, means in _MEANS.items()
        for metric in CHANCE
    },
    **{f"{OTHER}{metric}": f"{metric} of the submission that the slice names." for metric in CHANCE},
}
"""What each metric means, for pages."""

_CONDITIONS = {protocol_name(chain, modality): (chain, modality) for chain in CHAINS for modality in MODALITIES}


@dataclass(frozen=True)
class Contrast:
    """What a difference is called, and whether it is this submission less the other (1) or the other less this one (-1)."""

    name: str
    sign: int = 1


def contrast(this: Judged, other: Judged) -> Contrast:
    """What sets two submissions apart."""
    (chain, modality), (other_chain, other_modality) = (
        _CONDITIONS.get(one.decisions.owed.protocol, ("", "")) for one in (this, other)
    )
    if any(this.judge.get(field) != other.judge.get(field) for field in ("name", "revision", "api_date")):
        return Contrast(DIFFERENCE)
    persona = this.judge.get("persona") != other.judge.get("persona")
    match (chain != other_chain, modality != other_modality, persona):
        case (False, False, True):
            return Contrast(PERSONA)
        case (False, True, False):
            for one, two, sign in ((modality, other_modality, 1), (other_modality, modality, -1)):
                if one == ORACLE and two in (AUDIO, TEXT_HISTORY):
                    return Contrast(MODALITY_GAP, sign)
        case (True, False, False):
            for one, two, sign in ((chain, other_chain, 1), (other_chain, chain, -1)):
                if one == DIRECT and two in (SEQUENTIAL_2, SEQUENTIAL_4):
                    return Contrast(HISTORY, sign)
    return Contrast(DIFFERENCE)


def evaluate_against(release: Release, this: Judged, others: Sequence[Judged], options: Options) -> list[MetricEntry]:
    """What sets a submission apart from each of the others, per subscale and overall, with intervals by dialogue.

    Args:
        release: A release with its private side.
        this: The submission that is marked.
        others: Those that it is set against.
        options: How intervals are made.
    """
    gold = read_gold(release)
    return [entry for other in others for entry in _entries(gold, this, other, options)]


def _entries(gold: Gold, this: Judged, other: Judged, options: Options) -> list[MetricEntry]:
    named = contrast(this, other)
    here, there = mark(gold, this.decisions), mark(gold, other.decisions)
    common = [group for group in here.gold.groups if group in set(there.gold.groups)]
    mine, theirs = (_columns(one.gold.groups, columns_of(one), common) for one in (here, there))
    facets = here.gold.narrowed(frozenset(common)).facet
    columns = {f"{named.name}_{metric}": named.sign * (mine[metric] - theirs[metric]) for metric in CHANCE}
    own = {f"{OTHER}{metric}": theirs[metric] for metric in CHANCE}
    entries = measure(_figures({**columns, **own}, facets, other.slice), LADDERS, options, number=number)
    tested = _tested(entries, columns, facets, options)
    gaps = columns[f"{named.name}_acc_traj"]
    return [
        *tested,
        *(_detectable(entry, gaps, facets) for entry in tested if entry.metric == f"{named.name}_acc_traj"),
    ]


def _columns(groups: tuple[str, ...], columns: Mapping[str, Floats], common: Sequence[str]) -> Mapping[str, Floats]:
    place = {group: n for n, group in enumerate(groups)}
    rows = np.array([place[group] for group in common], np.int64)
    return {name: columns[name][rows] for name in CHANCE}


def _figures(columns: Mapping[str, Floats], facets: Texts, slice: str) -> list[Figure]:
    """The mean of each column in every facet and overall."""
    found = []
    for facet in (*dict.fromkeys(facets.tolist()), OVERALL):
        rows = _rows(facets, facet)
        values = {name: column[rows] for name, column in columns.items()} | {"one": np.ones(len(rows))}
        shared = Shared(partial(Sums.of_rows, values))
        for name in columns:
            make = shared.into(partial(Quotients, terms=(Term(name, "one"),), why="no dialogue is owed by both"))
            found.append(Figure(name, facet, (Part({DIALOGUE: rows}, make),), slice=slice))
    return found


def _tested(
    entries: Sequence[MetricEntry], columns: Mapping[str, Floats], facets: Texts, options: Options
) -> list[MetricEntry]:
    """The contrasts with p, adjusted over the subscales; the other's accuracies with their chance."""
    found = [replace(entry, chance=CHANCE.get(entry.metric.removeprefix(OTHER))) for entry in entries]
    for metric, column in columns.items():
        places = [n for n, entry in enumerate(entries) if entry.metric == metric]
        raw = [sign_flip(column[_rows(facets, entries[n].facet)], options.resamples, options.seed) for n in places]
        subscales = [k for k, n in enumerate(places) if entries[n].facet != OVERALL]
        adjusted = dict(zip(subscales, holm([raw[k] for k in subscales]), strict=True))
        for k, n in enumerate(places):
            found[n] = replace(found[n], p=raw[k], p_adjusted=adjusted.get(k))
    return found


def _detectable(entry: MetricEntry, gaps: Floats, facets: Texts) -> MetricEntry:
    """What these two judges' own disagreement lets a test over so many dialogues find."""
    rows = _rows(facets, entry.facet)
    discordance = float(np.mean(gaps[rows] ** 2)) if len(rows) else None
    return replace(detectable_entry(entry, discordance), metric=DETECTABLE, slice=entry.slice)


def _rows(facets: Texts, facet: str) -> Codes:
    rows: Codes = np.arange(len(facets)) if facet == OVERALL else np.flatnonzero(facets == facet)
    return rows
