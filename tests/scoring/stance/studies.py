"""Small studies drawn by Hypothesis: who was asked what, and what a judge said, run by run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from hypothesis import strategies as st

from earmark.scoring.decisions import Decisions, Outcome, Owed
from earmark.scoring.measuring import Numbering
from earmark.scoring.stance.figures import figures
from earmark.scoring.stance.gold import Gold
from earmark.scoring.stance.marks import mark

ORDERS = ("PN", "NP", "both")


@dataclass(frozen=True)
class Unit:
    """A speaker in a conversation, and in how many orders each of its items is presented."""

    facet: str
    speaker: int
    conversation: int
    prompt: int
    positive: bool
    role: str
    orders: tuple[int, ...] = (2,)


@dataclass(frozen=True)
class Said:
    """What a judge said of one presentation in one run."""

    presentation: int
    run: int
    outcome: Outcome
    choice: str = "-"
    probability: float | None = None


@dataclass(frozen=True)
class Study:
    """What was asked and what was said. Items are numbered unit by unit, presentations item by item, from 0."""

    units: tuple[Unit, ...]
    said: tuple[Said, ...]

    def items(self) -> list[int]:
        """The unit of each item."""
        return [n for n, unit in enumerate(self.units) for _ in unit.orders]

    def presentations(self) -> list[int]:
        """The item of each presentation."""
        orders = [count for unit in self.units for count in unit.orders]
        return [n for n, count in enumerate(orders) for _ in range(count)]

    def saying(self, said: Iterable[Said]) -> Study:
        """The same questions with other answers."""
        return replace(self, said=tuple(said))


def numbered(values: Sequence[object]) -> np.ndarray:
    """Each value's number, from 0, by the order of first appearance."""
    return np.array([list(dict.fromkeys(values)).index(value) for value in values], np.int64)


def gold_of(study: Study) -> Gold:
    """The questions as the scorer knows them."""
    units = study.units
    return Gold(
        items=tuple(f"i{n:04d}" for n in range(len(study.items()))),
        unit=np.array(study.items(), np.int64),
        facet=np.array([unit.facet for unit in units], np.str_),
        positive=np.array([unit.positive for unit in units], np.bool_),
        role=np.array([unit.role for unit in units], np.str_),
        levels={
            "speaker": numbered([unit.speaker for unit in units]),
            "conversation": numbered([unit.conversation for unit in units]),
            "prompt": numbered([unit.prompt for unit in units]),
            "unit": np.arange(len(units)),
        },
    )


def owed_of(study: Study) -> Owed:
    """The presentations that are owed."""
    item = study.presentations()
    orders = [ORDERS[n] for unit in study.units for count in unit.orders for n in range(count)]
    return Owed(
        "both-orders", tuple(f"p{n:04d}" for n in range(len(item))), tuple(f"i{n:04d}" for n in item), tuple(orders)
    )


def decisions_of(study: Study) -> Decisions:
    """The answers as the scorer knows them; a presentation of which nothing was said is missing."""
    owed = owed_of(study)
    heard = {said.presentation for said in study.said}
    missing = [Said(n, 0, Outcome.MISSING) for n in range(len(owed.ids)) if n not in heard]
    every = sorted([*study.said, *missing], key=lambda said: (said.presentation, said.run))
    return Decisions(
        owed=owed,
        presentation=np.array([said.presentation for said in every], np.int64),
        run=np.array([said.run for said in every], np.int64),
        outcome=np.array([said.outcome for said in every], np.int64),
        choice=np.array([{"P": 0, "N": 1, "-": -1}[said.choice] for said in every], np.int64),
        probability=np.array([np.nan if said.probability is None else said.probability for said in every], np.float64),
        choices=("P", "N"),
    )


Values = dict[tuple[str, str, str], float | None]


def values_of(study: Study) -> Values:
    """The value of every figure, by metric, facet and slice."""
    every = figures(mark(gold_of(study), decisions_of(study)))
    numbering = Numbering("unit", every)
    return {(figure.metric, figure.facet, figure.slice): figure.statistic(numbering).value() for figure in every}


PROBABILITIES = st.none() | st.sampled_from([0.0, 0.5, 1.0]) | st.integers(0, 100).map(lambda n: n / 100)
BAD = (Outcome.ABSTAINED, Outcome.FAILED, Outcome.UNPARSABLE, Outcome.CONFLICTING)
# One draw for all that is said of a presentation in a run, as often as if each part of it were drawn by itself: one answer in
# six is lacking, a probability is absent, remarkable or any of 101 with the same chance.
ANSWERS = st.sampled_from(
    [
        *((Outcome.OK, choice, p) for choice in "PN" for p in (*[None] * 102, *[0.0, 0.5, 1.0] * 34)),
        *((Outcome.OK, choice, n / 100) for choice in "PN" for n in range(101)),
        *((bad, "-", None) for bad in BAD for _ in range(30)),
    ]
)
RUNS = st.sampled_from([(0,), (0,), (0,), (), (1,), (2,), (0, 1), (0, 2), (1, 2)])


@st.composite
def units(draw: st.DrawFn, least: int = 1, most: int = 8, facets: str = "AB") -> tuple[Unit, ...]:
    """Units of distinct speaker, conversation and facet; roles have one pole each. Facets may lack a pole."""
    places = draw(
        st.lists(
            st.tuples(st.sampled_from(facets), st.integers(0, 3), st.integers(0, 3)),
            min_size=least,
            max_size=most,
            unique=True,
        )
    )
    made = []
    for facet, speaker, conversation in places:
        role = draw(st.integers(0, 3))
        orders = tuple(draw(st.lists(st.sampled_from([2, 2, 2, 1, 3]), min_size=1, max_size=3)))
        made.append(Unit(facet, speaker, conversation, conversation // 2, role % 2 == 0, f"role {role}", orders))
    return tuple(made)


@st.composite
def studies(draw: st.DrawFn, least: int = 1, most: int = 8, facets: str = "AB") -> Study:
    """Several runs, not the same of every presentation; what is missing, failed, conflicting; ties and scores of 0."""
    study = Study(draw(units(least, most, facets)), ())
    said = [
        Said(presentation, run, *draw(ANSWERS))
        for presentation in range(len(study.presentations()))
        for run in draw(RUNS)
    ]
    return study.saying(said)
