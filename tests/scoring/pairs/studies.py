"""Small studies of pairs drawn by Hypothesis, and releases in memory: which clips, what is right, and what a judge said."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import numpy as np
import pyarrow as pa
from hypothesis import strategies as st

from earmark.manifests.families.pairs import PAIRS
from earmark.manifests.release import Release
from earmark.scoring.decisions import Decisions, Outcome, Owed

ORDERS = ("12", "21")
CHOICES = ("A", "B", "Tie")


@dataclass(frozen=True)
class Pair:
    """A pair: two clips as (speaker, number), and what is right. `ties` says whether its prompt offers Tie."""

    facet: str
    clips: tuple[tuple[int, int], tuple[int, int]]
    gold: str
    kind: str
    transcript: str = "same"
    variant: str = "main"
    sex: str | None = "female"
    ties: bool = True
    orders: tuple[str, ...] = ORDERS

    @property
    def speakers(self) -> str:
        return "same" if self.clips[0][0] == self.clips[1][0] else "different"

    def swapped(self) -> Pair:
        """The same pair stored the other way round."""
        gold = {"first": "second", "second": "first", "tie": "tie"}[self.gold]
        return replace(self, clips=self.clips[::-1], gold=gold)


@dataclass(frozen=True)
class Said:
    """What a judge said of one pair in one order and run; a choice of "-" is not ok."""

    pair: int
    order: str
    run: int
    choice: str
    outcome: Outcome = Outcome.OK


@dataclass(frozen=True)
class Study:
    """Pairs, numbered from 0, and what was said of them."""

    pairs: tuple[Pair, ...]
    said: tuple[Said, ...] = ()
    measures: Mapping[tuple[int, int], Mapping[str, float | None]] = field(default_factory=dict)

    def saying(self, say: Callable[[Pair, str, int], str], runs: int = 1) -> Study:
        """What a judge says that answers everything, by pair, order and run."""
        said = [
            Said(n, order, run, say(pair, order, run))
            for n, pair in enumerate(self.pairs)
            for order in pair.orders
            for run in range(runs)
        ]
        return replace(self, said=tuple(said))


def item_id(n: int) -> str:
    return f"i{n:05d}"


def presentation_id(n: int, order: str) -> str:
    return f"p{n:05d}{order}"


def clip_id(clip: tuple[int, int]) -> str:
    return f"c{clip[0]:03d}{clip[1]:03d}"


def release_of(study: Study, *, private: bool = True) -> Release:
    """The tables of a release, as the scorer reads them."""
    clips = sorted({clip for pair in study.pairs for clip in pair.clips})
    numbered = list(enumerate(study.pairs))
    rows: dict[str, list[dict[str, object]]] = {
        "items": [{"item_id": item_id(n), "facet": pair.facet} for n, pair in numbered],
        "item_clips": [
            {"item_id": item_id(n), "role": "clip", "position": place, "clip_id": clip_id(clip)}
            for n, pair in numbered
            for place, clip in reversed(list(enumerate(pair.clips)))
        ],
        "answers": [
            {
                "item_id": item_id(n),
                "gold": pair.gold,
                "kind": pair.kind,
                "transcript": pair.transcript,
                "speakers": pair.speakers,
                "sex": pair.sex,
                "variant": pair.variant,
            }
            for n, pair in numbered
        ],
        "presentations": [
            {
                "presentation_id": presentation_id(n, order),
                "item_id": item_id(n),
                "order": order,
                "prompt_id": f"ties-{pair.ties}",
                "protocols": ["both-orders"],
            }
            for n, pair in numbered
            for order in pair.orders
        ],
        "prompts": [
            {"prompt_id": f"ties-{ties}", "answer": json.dumps({"marks": {f"[[{c}]]": c for c in CHOICES[: 2 + ties]}})}
            for ties in (False, True)
        ],
        "sources": [
            {
                "clip_id": clip_id(clip),
                "speaker": f"s{clip[0]:03d}",
                **dict.fromkeys(("loudness", "f0_median")),
                **study.measures.get(clip, {}),
            }
            for clip in clips
        ],
        "clips": [
            {"clip_id": clip_id(clip), "duration": study.measures.get(clip, {}).get("duration", 1.0)} for clip in clips
        ],
    }
    tables = {name: pa.Table.from_pylist(each) for name, each in rows.items()}
    facets = dict.fromkeys(pair.facet for pair in study.pairs)
    named = [SimpleNamespace(id=facet, name=facet.title()) for facet in facets]
    manifest = SimpleNamespace(seed=1, facets=named, withdrawn=None)
    stands_for = SimpleNamespace(
        table=tables.__getitem__, family=PAIRS, manifest=manifest, path=Path("toy"), has_private_side=private
    )
    return cast("Release", stands_for)


def owed_of(study: Study) -> Owed:
    """The presentations that are owed."""
    each = sorted(
        (presentation_id(n, order), item_id(n), order) for n, p in enumerate(study.pairs) for order in p.orders
    )
    ids, items, orders = zip(*each, strict=True) if each else ((), (), ())
    return Owed("both-orders", tuple(ids), tuple(items), tuple(orders))


def decisions_of(study: Study) -> Decisions:
    """The answers as the scorer knows them; a presentation of which nothing was said is missing."""
    owed = owed_of(study)
    place = {id: n for n, id in enumerate(owed.ids)}
    rows = [(place[presentation_id(said.pair, said.order)], said) for said in study.said]
    heard = {n for n, _ in rows}
    rows += [(n, Said(-1, "", 0, "-", Outcome.MISSING)) for n in range(len(owed.ids)) if n not in heard]
    rows.sort(key=lambda row: (row[0], row[1].run))
    number = {choice: n for n, choice in enumerate((*CHOICES, "-"))}
    return Decisions(
        owed=owed,
        presentation=np.array([n for n, _ in rows], np.int64),
        run=np.array([said.run for _, said in rows], np.int64),
        outcome=np.array([said.outcome for _, said in rows], np.int64),
        choice=np.array([-1 if said.choice == "-" else number[said.choice] for _, said in rows], np.int64),
        probability=np.full(len(rows), np.nan),
        choices=CHOICES,
    )


def right_letter(pair: Pair, order: str) -> str:
    """What a perfect judge says."""
    if pair.gold == "tie":
        return "Tie"
    return "A" if (pair.gold == "first") == (order == "12") else "B"


BAD = st.sampled_from([Outcome.ABSTAINED, Outcome.FAILED, Outcome.UNPARSABLE, Outcome.CONFLICTING])


@st.composite
def pairs(
    draw: st.DrawFn, least: int = 1, most: int = 10, facets: Sequence[str] = ("style", "rate", "control")
) -> tuple[Pair, ...]:
    """Pairs of few speakers and clips; rate has no ties and does not offer them."""
    made = []
    for facet in draw(st.lists(st.sampled_from(facets), min_size=least, max_size=most)):
        clips = tuple(draw(st.tuples(st.integers(0, 3), st.integers(0, 2))) for _ in range(2))
        kind = "non_tie" if facet == "rate" else draw(st.sampled_from(["non_tie", "both_good", "both_bad"]))
        made.append(
            Pair(
                facet=facet,
                clips=cast("tuple[tuple[int, int], tuple[int, int]]", clips),
                gold=draw(st.sampled_from(["first", "second"])) if kind == "non_tie" else "tie",
                kind=kind,
                transcript=draw(st.sampled_from(["same", "cross"])),
                variant=draw(st.sampled_from(["main", "main", "hard"])),
                sex=draw(st.sampled_from(["female", "male", None])),
                ties=facet != "rate",
            )
        )
    return tuple(made)


@st.composite
def studies(
    draw: st.DrawFn,
    least: int = 1,
    most: int = 10,
    facets: Sequence[str] = ("style", "rate", "control"),
    *,
    rectangular: bool = False,
) -> Study:
    """Several runs, not the same of every presentation unless rectangular; what is missing, failed or conflicting."""
    asked = draw(pairs(least, most, facets))
    runs = draw(st.integers(1, 3))
    said = []
    for n, pair in enumerate(asked):
        for order in pair.orders:
            given = range(runs) if rectangular else sorted(draw(st.sets(st.integers(0, 2), max_size=3)))
            for run in given:
                bad = draw(st.integers(0, 5)) == 0
                choice = "-" if bad else draw(st.sampled_from(CHOICES))
                said.append(Said(n, order, run, choice, draw(BAD) if bad else Outcome.OK))
    return Study(asked, tuple(said))


def saying(study: Study, said: Iterable[Said]) -> Study:
    """The same questions with other answers."""
    return replace(study, said=tuple(said))
