"""Small inputs on which StanceBench's released functions were run, what they gave, and what Earmark gives.

Each value is computed twice: by the paper mode, which must give the same, and by the default definition, whose differences are
known and explained. The default's value is pinned too, so an explanation covers one difference and no other.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from earmark.scoring.decisions import Decisions, Owed
from earmark.scoring.measuring import Numbering
from earmark.scoring.papers.records import Cell
from earmark.scoring.papers.stancebench.accuracy import accuracy
from earmark.scoring.papers.stancebench.filters import apply_filters
from earmark.scoring.papers.stancebench.judged import judged_dimensions
from earmark.scoring.stance.figures import facet_figures
from earmark.scoring.stance.gold import Gold
from earmark.scoring.stance.marks import Marked, mark

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from earmark.scoring.measuring import Figure

FACET = "S0"
"""The dimension that a worked value is of; any would do."""

NOT_EXCLUDED = "by default nobody is excluded"
CONFIDENCE = "by default a verdict scores s(2p − 1), so that a coin toss is 0"
UPPER_BOUND = "by default the oracle F1 tries every threshold, all-P among them, and so is an upper bound"


@dataclass(frozen=True)
class Verdict:
    """What a judge says of a clip in one order."""

    choice: str
    probability: float


Clip = tuple[Verdict, Verdict]
"""The verdicts of v0 and v1."""


@dataclass(frozen=True)
class Known:
    """A default that differs on purpose."""

    value: float
    why: str


@dataclass(frozen=True)
class SpeakerVector:
    """One speaker, and what the released functions make of the verdicts.

    Args:
        case: For people.
        clips: The speaker's clips.
        printed: Quantity → value.
        known: Quantity → the default's value where it is another.
    """

    case: str
    clips: tuple[Clip, ...]
    printed: Mapping[str, str]
    known: Mapping[str, Known] = field(default_factory=dict)


@dataclass(frozen=True)
class CurveVector:
    """Scores of several speakers, and what the released functions make of them.

    Args:
        positive: Whether each speaker's role is of the P pole.
        score: Each speaker's score.
        printed: Quantity → value.
        known: Quantity → the default's value where it is another.
    """

    positive: tuple[bool, ...]
    score: tuple[float, ...]
    printed: Mapping[str, str]
    known: Mapping[str, Known] = field(default_factory=dict)


def _clip(first: str, second: str) -> Clip:
    one, other = (Verdict(text[0], float(text[1:])) for text in (first, second))
    return one, other


_SURE, _TORN = _clip("P.8", "P.8"), _clip("P.6", "N.9")

SPEAKERS = (
    SpeakerVector(
        "one clip, P .8 / N .6",
        (_clip("P.8", "N.6"),),
        {"average": ".5", "flips": "1", "disagreement": "1", "score": ".1", "excluded": "1"},
        {"score": Known(0.2, CONFIDENCE), "excluded": Known(0, NOT_EXCLUDED)},
    ),
    SpeakerVector(
        "one clip, P .4 / N .4",
        (_clip("P.4", "N.4"),),
        {"average": "0", "flips": "0", "disagreement": "1", "score": "0"},
    ),
    SpeakerVector(
        "one clip, P .9 / P .7",
        (_clip("P.9", "P.7"),),
        {"average": "1.5", "score": ".8"},
        {"score": Known(0.6, CONFIDENCE)},
    ),
    SpeakerVector(
        "five clips P .8 / P .8, one P .6 / N .9",
        (*[_SURE] * 5, _TORN),
        {"disagreement": ".1667", "average": "1.5833", "score": ".64167", "excluded": "0"},
        {"score": Known(0.45, CONFIDENCE)},
    ),
    SpeakerVector(
        "four clips P .8 / P .8, one P .6 / N .9",
        (*[_SURE] * 4, _TORN),
        {"disagreement": ".2", "excluded": "1"},
        {"excluded": Known(0, NOT_EXCLUDED)},
    ),
)

CURVES = (
    CurveVector(
        (True, True, True, False, False, False),
        (0.9, 0.6, -0.2, 0.4, -0.5, -0.8),
        {"pole_consistency": ".6667", "eer_nearest_vertex": ".3333", "auroc": ".8889", "oracle_f1": ".8571"},
    ),
    CurveVector(
        (True, True, True, True, False, False),
        (0.8, 0.8, 0.6, -0.6, 0.8, -0.6),
        {"pole_consistency": ".6667", "eer_nearest_vertex": ".5", "auroc": ".5625", "oracle_f1": ".75"},
        {"oracle_f1": Known(0.8, UPPER_BOUND)},
    ),
    CurveVector(
        (True, True, *[False] * 6),
        (0.8, -0.6, 0.7, -0.5, -0.7, -0.8, -0.9, 0.6),
        {"pole_consistency": ".625", "eer_nearest_vertex": ".5", "auroc": ".75", "oracle_f1": ".6667"},
    ),
)


def worked_values() -> tuple[Cell, ...]:
    """Every worked value beside ours."""
    cells = [cell for vector in SPEAKERS for cell in _of_speaker(vector)]
    return (*cells, *(cell for vector in CURVES for cell in _of_curve(vector)))


def _of_speaker(vector: SpeakerVector) -> list[Cell]:
    gold, decisions = one_speaker(vector.clips)
    speakers = judged_dimensions(gold, decisions)[0].speakers
    paper = {
        "average": float(speakers.average[0]),
        "flips": float(speakers.flips[0]),
        "disagreement": float(speakers.disagreement[0]),
        "score": float(speakers.score[0]),
        "excluded": float(not apply_filters(speakers)[-1].kept[0]),
    }
    marked = mark(gold, decisions)
    figures = _values(facet_figures(marked, FACET))
    default = {"disagreement": figures["order_disagreement"], "score": float(marked.score[0]), "excluded": 0.0}
    return [_cell(vector.case, name, vector, paper.get(name), default.get(name)) for name in vector.printed]


def _of_curve(vector: CurveVector) -> list[Cell]:
    score, positive = np.array(vector.score), np.array(vector.positive, np.bool_)
    default = _values(facet_figures(marked_scores(score.tolist(), positive.tolist()), FACET))
    default["eer_nearest_vertex"] = default["eer"]  # interpolated by default
    poles = " ".join("P" if flag else "N" for flag in vector.positive)
    case = f"{poles}: {' '.join(f'{value:g}' for value in vector.score)}"
    return [_cell(case, name, vector, accuracy(name, score, positive), default.get(name)) for name in vector.printed]


def _cell(
    case: str, quantity: str, vector: SpeakerVector | CurveVector, paper: float | None, default: float | None
) -> Cell:
    known = vector.known.get(quantity)
    return Cell(
        case=case,
        quantity=quantity,
        printed=vector.printed[quantity],
        paper=paper,
        default=default,
        known=None if known is None else known.value,
        why="" if known is None else known.why,
    )


def one_speaker(clips: Sequence[Clip]) -> tuple[Gold, Decisions]:
    """A speaker of a P role with these clips, and the verdicts on them."""
    count = len(clips)
    items = tuple(f"clip {n:03d}" for n in range(count))
    gold = Gold(
        items=items,
        unit=np.zeros(count, np.int64),
        facet=np.array([FACET]),
        positive=np.array([True]),
        role=np.array(["Friendly"]),
        levels={name: np.zeros(1, np.int64) for name in ("speaker", "conversation", "prompt", "unit")},
    )
    verdicts = [verdict for clip in clips for verdict in clip]
    owed = Owed(
        protocol="both-orders",
        ids=tuple(f"{item} {order}" for item in items for order in ("PN", "NP")),
        item=tuple(item for item in items for _ in range(2)),
        order=("PN", "NP") * count,
    )
    decisions = Decisions(
        owed=owed,
        presentation=np.arange(2 * count, dtype=np.int64),
        run=np.zeros(2 * count, np.int64),
        outcome=np.zeros(2 * count, np.int64),
        choice=np.array(["PN".index(verdict.choice) for verdict in verdicts], np.int64),
        probability=np.array([verdict.probability for verdict in verdicts]),
        choices=("P", "N"),
    )
    return gold, decisions


def marked_scores(score: Sequence[float], positive: Sequence[bool]) -> Marked:
    """Speakers of one clip with these scores, as the default marks them."""
    count = len(score)
    each = np.arange(count, dtype=np.int64)
    gold = Gold(
        items=tuple(f"clip {n:03d}" for n in range(count)),
        unit=each,
        facet=np.full(count, FACET),
        positive=np.array(positive, np.bool_),
        role=np.full(count, "any"),
        levels=dict.fromkeys(("speaker", "conversation", "prompt", "unit"), each),
    )
    return Marked(
        gold=gold,
        score=np.array(score, np.float64),
        valid=np.ones(count, np.bool_),
        valid_score=np.array(score, np.float64),
        item=each,
        ok=np.ones(count, np.bool_),
        agreeing=np.ones(count),
    )


def _values(figures: Sequence[Figure]) -> dict[str, float | None]:
    """The figures over all of a facet, without intervals."""
    # Together, since figures share what is made of rows that not all of them count.
    numbers = Numbering("unit", figures)
    return {figure.metric: figure.statistic(numbers).value() for figure in figures if figure.slice == "all"}
