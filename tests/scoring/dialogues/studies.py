"""Small studies of dialogues drawn by Hypothesis: what is right, and what a judge said of it, run by run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from hypothesis import strategies as st
from tests.support.dialogue_releases import Option, Presented, Spoken, dialogue_rows, in_memory, item_id, presented

from earmark.manifests.declarations import AUDIO
from earmark.manifests.families.dialogues import CHAINS, protocol_name
from earmark.manifests.keys import rank
from earmark.manifests.release import Release
from earmark.scoring.decisions import Decisions, Outcome, Owed

CHOICES = ("1", "2")
BAD = (Outcome.ABSTAINED, Outcome.FAILED, Outcome.UNPARSABLE, Outcome.CONFLICTING)
FACETS = ("interpersonal_empathy", "self_perception_self_regard", "self_perception_self_actualization")


@dataclass(frozen=True)
class Said:
    """What a judge said of one presentation in one run; a choice of "-" is not ok."""

    id: str
    run: int
    choice: str
    outcome: Outcome = Outcome.OK


@dataclass(frozen=True)
class Study:
    """Dialogues, numbered from 0, the chain that they are asked in, and what was said."""

    dialogues: tuple[Spoken, ...]
    chain: str = "sequential-2"
    said: tuple[Said, ...] = ()
    modality: str = AUDIO

    @cached_property
    def presented(self) -> tuple[Presented, ...]:
        """What is owed, by id."""
        return presented(len(self.dialogues), (self.chain,), (self.modality,))

    def gold(self, each: Presented) -> str:
        """What is right there."""
        return self.dialogues[each.dialogue].gold[each.turn]

    def saying(self, say: Callable[[Study, Presented, int], str], runs: int = 1) -> Study:
        """What a judge says that answers everything, by presentation and run."""
        said = tuple(Said(each.id, run, say(self, each, run)) for each in self.presented for run in range(runs))
        return replace(self, said=said)


def shown(option: str, order: str) -> str:
    """The choice that stands for an option in an order."""
    return "1" if (option == "first") == (order == "12") else "2"


def perfect(study: Study, each: Presented, _: int) -> str:
    """What a perfect judge says."""
    return shown(study.gold(each), each.order)


def mistaken(study: Study, each: Presented, run: int) -> str:
    """What a judge says that is always wrong."""
    return {"1": "2", "2": "1"}[perfect(study, each, run)]


def coin(study: Study, each: Presented, run: int) -> str:
    """What a coin says that falls alike every time."""
    return CHOICES[rank(b"", 7, "coin", f"{each.id} {run}") % 2]


def release_of(study: Study, *, private: bool = True) -> Release:
    """The release that a study is of."""
    return in_memory(dialogue_rows(study.dialogues, (study.chain,), (study.modality,)), private=private)


def owed_of(study: Study) -> Owed:
    """The presentations that are owed."""
    each = study.presented
    return Owed(
        protocol_name(study.chain, study.modality),
        tuple(one.id for one in each),
        tuple(item_id(one.dialogue, one.turn) for one in each),
        tuple(one.order for one in each),
    )


def decisions_of(study: Study, order: Sequence[int] | None = None) -> Decisions:
    """The answers as the scorer knows them, by presentation or in some order of rows; what was not said is missing."""
    owed = owed_of(study)
    place = {id: n for n, id in enumerate(owed.ids)}
    heard = {said.id for said in study.said}
    rows = sorted(study.said, key=lambda said: (said.id, said.run))
    rows += [Said(id, 0, "-", Outcome.MISSING) for id in owed.ids if id not in heard]
    rows = [rows[n] for n in order] if order is not None else sorted(rows, key=lambda said: said.id)
    return Decisions(
        owed=owed,
        presentation=np.array([place[said.id] for said in rows], np.int64),
        run=np.array([said.run for said in rows], np.int64),
        outcome=np.array([said.outcome for said in rows], np.int64),
        choice=np.array([-1 if said.choice == "-" else CHOICES.index(said.choice) for said in rows], np.int64),
        probability=np.full(len(rows), np.nan),
        choices=CHOICES,
    )


def _measure(values: Sequence[float]) -> st.SearchStrategy[float | None]:
    return st.sampled_from([None, *values])


OPTIONS = st.builds(
    Option,
    seconds=st.sampled_from([2.0, 3.0]),
    level=_measure((-20.0, -25.0)),
    loudness=_measure((-22.0, -23.0)),
    arousal=_measure((0.2, 0.7)),
    f0=_measure((100.0, 200.0)),
)
_GOLDS = st.sampled_from(["first", "second"])
_FAILURES = st.sampled_from(["anxious_spiraler", "impatient_evader", None])
DIALOGUE = st.builds(
    Spoken,
    facet=st.sampled_from(FACETS),
    gold=st.tuples(_GOLDS, _GOLDS),
    options=st.tuples(st.tuples(OPTIONS, OPTIONS), st.tuples(OPTIONS, OPTIONS)),
    valence=st.sampled_from(["Positive", "Negative", None]),
    scenario_type=st.sampled_from(["home", "workplace", None]),
    failure=st.tuples(_FAILURES, _FAILURES),
)


@st.composite
def studies(
    draw: st.DrawFn, least: int = 1, most: int = 5, *, rectangular: bool = False, chains: Sequence[str] = tuple(CHAINS)
) -> Study:
    """Several runs, not the same of every presentation unless rectangular; what is missing, failed or conflicting."""
    asked = Study(tuple(draw(st.lists(DIALOGUE, min_size=least, max_size=most))), draw(st.sampled_from(chains)))
    answers = st.sampled_from([*CHOICES * 3, *BAD])
    if rectangular:
        runs = range(draw(st.integers(1, 3)))
        given = [runs for _ in asked.presented]
    else:
        given = [sorted(draw(st.sets(st.integers(0, 2), max_size=3))) for _ in asked.presented]
    said = []
    for each, of in zip(asked.presented, given, strict=True):
        for run in of:
            answer = draw(answers)
            bad = isinstance(answer, Outcome)
            said.append(Said(each.id, run, "-" if bad else answer, answer if bad else Outcome.OK))
    return replace(asked, said=tuple(said))
