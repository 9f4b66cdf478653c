"""Verdicts drawn for tests, the same as gold and decisions, and the notebook's formulas restated row by row."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from hypothesis import strategies as st

from earmark.scoring.decisions import Decisions, Outcome, Owed
from earmark.scoring.stance.gold import Gold

ORDERS = ("PN", "NP")


@dataclass(frozen=True)
class Verdict:
    """One verdict; `outcome` says whether there is one."""

    choice: str = "P"
    probability: float | None = 1.0
    outcome: Outcome = Outcome.OK


Clip = tuple[Verdict, Verdict]


@dataclass(frozen=True)
class Person:
    """A speaker with the verdicts on each clip, v0 and v1."""

    positive: bool
    clips: tuple[Clip, ...]
    facet: str = "S0"


def verdicts(outcomes: tuple[Outcome, ...] = tuple(Outcome)) -> st.SearchStrategy[Verdict]:
    probability = st.none() | st.sampled_from([0.0, 0.3, 0.44, 0.45, 0.5, 0.6, 0.74, 0.75, 0.8, 0.9, 1.0])
    usually_ok = st.sampled_from([Outcome.OK] * (3 * len(outcomes)) + list(outcomes))
    return st.builds(Verdict, st.sampled_from("PN"), probability, usually_ok)


def people(
    verdict: st.SearchStrategy[Verdict] | None = None, *, most: int = 10, facets: tuple[str, ...] = ("S0",)
) -> st.SearchStrategy[tuple[Person, ...]]:
    one = verdicts() if verdict is None else verdict
    clips = st.lists(st.tuples(one, one), min_size=1, max_size=7).map(tuple)
    person = st.builds(Person, st.booleans(), clips, st.sampled_from(facets))
    return st.lists(person, min_size=1, max_size=most).map(tuple)


def study(persons: tuple[Person, ...]) -> tuple[Gold, Decisions]:
    """The same as the program sees it."""
    items = [f"{who:03d}/{clip}" for who, person in enumerate(persons) for clip in range(len(person.clips))]
    given = [verdict for person in persons for clip in person.clips for verdict in clip]
    everyone = np.arange(len(persons))
    ok = [verdict.outcome is Outcome.OK for verdict in given]
    gold = Gold(
        items=tuple(items),
        unit=np.repeat(everyone, [len(person.clips) for person in persons]),
        facet=np.array([person.facet for person in persons], np.str_),
        positive=np.array([person.positive for person in persons], np.bool_),
        role=np.array(["Warm" if person.positive else "Cold" for person in persons], np.str_),
        levels={
            "speaker": everyone // 2,
            "conversation": everyone,
            "prompt": everyone % 3,
            "unit": everyone,
        },
    )
    decisions = Decisions(
        owed=Owed(
            "both-orders",
            tuple(f"{item} {order}" for item in items for order in ORDERS),
            tuple(item for item in items for _ in ORDERS),
            ORDERS * len(items),
        ),
        presentation=np.arange(len(given)),
        run=np.zeros(len(given), np.int64),
        outcome=np.array([verdict.outcome for verdict in given], np.int64),
        choice=np.array(
            ["PN".index(verdict.choice) if fine else -1 for verdict, fine in zip(given, ok, strict=True)], np.int64
        ),
        probability=np.array(
            [
                verdict.probability if fine and verdict.probability is not None else np.nan
                for verdict, fine in zip(given, ok, strict=True)
            ],
            np.float64,
        ),
        choices=("P", "N"),
    )
    return gold, decisions


@dataclass(frozen=True)
class Row:
    """What the notebook makes of a speaker."""

    attempted: bool
    score: float | None
    average: float | None
    disagreement: float | None
    flips: float | None
    excluded: bool | None


def notebook(person: Person) -> Row:
    """A speaker by the notebook's formulas, one verdict after the other."""
    attempted = any(verdict.outcome is not Outcome.MISSING for clip in person.clips for verdict in clip)
    scores, averages, disagreements, flips, first, second = [], [], [], [], [], []
    for v0, v1 in person.clips:
        if not (v0.outcome is Outcome.OK and v1.outcome is Outcome.OK):
            continue
        q0, q1 = _signed(v0), _signed(v1)
        m0, m1 = _mapped(v0), _mapped(v1)
        scores.append((q0 + q1) / 2)
        averages.append((m0 + m1) / 2)
        disagreements.append(v0.choice != v1.choice)
        flips.append((m0 > 0 > m1) or (m1 > 0 > m0))
        first.append(m0)
        second.append(m1)
    if not scores:
        return Row(attempted, None, None, None, None, None)
    n = len(scores)
    opposite = sum(first) / n > 0 > sum(second) / n or sum(second) / n > 0 > sum(first) / n
    excluded = sum(disagreements) / n >= 0.2 or opposite
    return Row(attempted, sum(scores) / n, sum(averages) / n, sum(disagreements) / n, sum(flips) / n, excluded)


def _signed(verdict: Verdict) -> float:
    size = 1.0 if verdict.probability is None else verdict.probability
    return size if verdict.choice == "P" else -size


def _mapped(verdict: Verdict) -> int:
    size = 1.0 if verdict.probability is None else verdict.probability
    sign = 1 if verdict.choice == "P" else -1
    if size < 0.45:
        return 0
    return sign if size < 0.75 else 2 * sign


def midpoint_f1(score: list[float], positive: list[bool]) -> float | None:
    """The notebook's sweep: thresholds half-way between neighbouring scores, F1 of P, the largest."""
    distinct = sorted(set(score))
    if not any(positive) or len(distinct) < 2:
        return None
    best = 0.0
    for low, high in pairwise(distinct):
        called = [value >= (low + high) / 2 for value in score]
        if len(set(called)) < 2:
            continue
        hits = sum(c and p for c, p in zip(called, positive, strict=True))
        wrong = sum(c != p for c, p in zip(called, positive, strict=True))
        best = max(best, 2 * hits / (2 * hits + wrong))
    return best
