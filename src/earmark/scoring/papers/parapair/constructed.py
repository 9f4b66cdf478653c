"""A release and answers with exactly the counts that the printed tables imply: what a scorer must print the tables from.

The right answers of a cell are its first ones. A wrong answer to a non-tie is the other clip, and to a tie, A. Every clip is
spoken by somebody else.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from earmark.manifests.canonical import canonical_json
from earmark.manifests.families import pairs as family
from earmark.manifests.families.pairs import CRITERIA, FIRST, SECOND, TIE
from earmark.manifests.release import FORMAT, Manifest, ProtocolEntry, Release, canary
from earmark.scoring.decisions import Decisions, Outcome, Owed
from earmark.scoring.papers.parapair.study import Pair, Study, pairs_of

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True)
class Constructed(Release):
    """A release that stands in memory and holds no more than a scorer reads.

    Args:
        tables: Its tables, by name.
    """

    tables: Mapping[str, pa.Table] | None = None

    def table(self, name: str, columns: Sequence[str] | None = None) -> pa.Table:
        """One of its tables.

        Raises:
            KeyError: If a scorer asks for one that it does not hold.
        """
        table = (self.tables or {})[name]
        return table if columns is None else table.select(columns)


def construct(study: Study) -> Constructed:
    """The release of a study."""
    import pyarrow as pa

    pairs = [pair for cell in study.cells for pair in pairs_of(cell)]
    protocol = family.PAIRS.protocol()
    shown = [(pair, order) for pair in pairs for order in study.orders]
    marks = {"marks": dict(_marks())}
    without_tie = {"marks": {mark: choice for mark, choice in _marks() if choice != family.EQUAL}}
    tables: dict[str, dict[str, Sequence[object]]] = {
        "items": {
            "item_id": [pair.item for pair in pairs],
            "facet": [pair.criterion for pair in pairs],
            "group": [None] * len(pairs),
            "target": [pair.criterion for pair in pairs],
        },
        "answers": {
            "item_id": [pair.item for pair in pairs],
            "gold": [pair.gold for pair in pairs],
            "kind": [pair.kind for pair in pairs],
            "transcript": [pair.transcript for pair in pairs],
            "speakers": ["different"] * len(pairs),
            "sex": pa.nulls(len(pairs), pa.string()),
            "variant": ["main"] * len(pairs),
        },
        "item_clips": {
            "item_id": [pair.item for pair in pairs for _ in (0, 1)],
            "role": ["clip"] * (2 * len(pairs)),
            "position": [at for _ in pairs for at in (0, 1)],
            "clip_id": [f"{pair.item}-{at}" for pair in pairs for at in (1, 2)],
        },
        "sources": {
            "clip_id": [f"{pair.item}-{at}" for pair in pairs for at in (1, 2)],
            "speaker": [f"{pair.item}-{at}" for pair in pairs for at in (1, 2)],
        },
        "presentations": {
            "presentation_id": [f"{pair.item}-{order}" for pair, order in shown],
            "item_id": [pair.item for pair, _ in shown],
            "order": [order for _, order in shown],
            "prompt_id": [pair.criterion for pair, _ in shown],
            "protocols": [[protocol.name]] * len(shown),
        },
        "prompts": {
            "prompt_id": list(CRITERIA),
            "answer": [
                canonical_json(marks if study.sizes.tables.tie[criterion] else without_tie).decode()
                for criterion in CRITERIA
            ],
        },
    }
    return Constructed(
        path=Path("the pairs behind the printed tables"),
        manifest=Manifest(
            format=FORMAT,
            name="parapair",
            version="0.0.0",
            family=family.PAIRS.name,
            builder="earmark",
            canary=canary("parapair", "0.0.0"),
            seed=0,
            gold="open",
            recipe={},
            sources=[],
            facets=[],
            protocols=[
                ProtocolEntry(
                    name=protocol.name,
                    modality=protocol.modality,
                    orders=list(study.orders),
                    presentations=len(shown),
                )
            ],
            tables={},
            media=None,
        ),
        tables={name: pa.table(columns) for name, columns in tables.items()},
    )


def answer(study: Study, judge: str) -> Decisions:
    """What a judge said of every pair: in both orders, or, of people, each rater once in the stored one."""
    letters = {choice: at for at, choice in enumerate(family.PAIRS.choices)}
    right, runs = study.right(judge), study.shown // len(study.orders)
    said: list[tuple[str, Pair, str, int, int]] = []
    for cell in study.cells:
        for at, pair in enumerate(pairs_of(cell)):
            for n in range(study.shown):
                order, run = study.orders[n // runs], n % runs
                correct = at * study.shown + n < right[cell]
                said.append((f"{pair.item}-{order}", pair, order, run, letters[_letter(pair, order, correct)]))
    said.sort(key=lambda row: (row[0], row[3]))
    owed = [row for row in said if row[3] == 0]
    place = {row[0]: at for at, row in enumerate(owed)}
    return Decisions(
        owed=Owed(
            protocol=family.PAIRS.protocol().name,
            ids=tuple(row[0] for row in owed),
            item=tuple(row[1].item for row in owed),
            order=tuple(row[2] for row in owed),
        ),
        presentation=np.array([place[row[0]] for row in said], np.int64),
        run=np.array([row[3] for row in said], np.int64),
        outcome=np.full(len(said), int(Outcome.OK), np.int64),
        choice=np.array([row[4] for row in said], np.int64),
        probability=np.full(len(said), np.nan),
        choices=family.PAIRS.choices,
    )


def _letter(pair: Pair, order: str, correct: bool) -> str:
    """The answer that decides as wanted in this order."""
    if pair.gold == TIE:
        return family.EQUAL if correct else family.A
    wanted = pair.gold if correct else (SECOND if pair.gold == FIRST else FIRST)
    return next(choice for choice, side in family.PAIRS.reads[order].items() if side == wanted)


def _marks() -> list[tuple[str, str]]:
    return [(f"[[{choice}]]", choice) for choice in family.PAIRS.choices]
