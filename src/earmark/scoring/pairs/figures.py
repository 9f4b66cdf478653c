"""Figures of the pairs family: which of two clips fits a target better, or neither more than the other?

Definitions are those of ParaPairAudioBench, sections 3 and 4. Every figure is over pairs, and n counts them: the two orders of a
pair are one observation.

- *accuracy* (headline): mean over pairs of the share of their presentations decided rightly, that is of both orders; overall the
  mean of the criteria, and *accuracy_micro* that of all pairs. Parts: by kind (`_non_tie`, `_tie`, `_both_good`, `_both_bad`), by
  transcript (`_same`, `_cross`), and by transcript within kind, since the two are confounded where a release does not cross them.
  *accuracy_a*, *accuracy_b*: in conditions @A and @B; *position_gap* is the one less the other.
- *consistency*: share of pairs whose two orders decide alike, by clip; *consistent_accuracy*: whose two are both right.
- *letter_stickiness*: share of pairs that get the letter A in both orders, or B in both.
- *tie_share_a*, *tie_share_b*: share of the presentations of tie pairs that are called A, or B.
- *tie_precision*, *tie_recall*, *tie_f1*: of the answer Tie, over presentations. *class_balanced_accuracy*: mean recall of the
  answers that are ever right.
- *vote_accuracy*: the plurality over all runs and both orders of a pair, by clip, an exact tie for the first place being invalid;
  *vote_accuracy_equal_is_tie*: such a tie is the decision Tie; *vote_accuracy_by_order*: the plurality over each order's runs.
- *failure_rate*: share of owed presentations that are not ok.

Control pairs are a facet of their own, which no overall figure but the failure rate counts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from earmark.manifests.families.pairs import BOTH_BAD, BOTH_GOOD, CONTROL, CRITERIA, CROSS, NON_TIE, SAME
from earmark.manifests.report import ALL, OVERALL
from earmark.scoring.measuring import Codes, Figure, Ladder, Part, Shared
from earmark.scoring.measuring.figured import HIGHER, LOWER, Better
from earmark.scoring.pairs.gold import CLIP, PAIR, SPEAKER
from earmark.statistics.sums import Quotients, Sums, Term

if TYPE_CHECKING:
    from earmark.scoring.pairs.marks import Marked
    from earmark.statistics.statistic import Bools, Floats

LADDERS: tuple[Ladder, ...] = ((SPEAKER, CLIP, PAIR),)
"""Speakers with their clips; with fewer than 20 speakers the clips of each; with fewer than 20 clips the pairs."""

PARTS = (
    "non_tie",
    "tie",
    BOTH_GOOD,
    BOTH_BAD,
    "same",
    "cross",
    "non_tie_same",
    "non_tie_cross",
    "tie_same",
    "tie_cross",
)
"""Parts of a facet that have an accuracy of their own, as its name says."""

GLOSSARY: Mapping[str, str] = {
    "accuracy": "Share of pairs decided rightly, mean of both orders; over all facets the mean of the criteria. What has no "
    "valid answer is wrong. Chance is that of drawing evenly from the answers that the prompts offer.",
    "accuracy_micro": "The same over all pairs of all criteria, each weighing the same.",
    "accuracy_a": "Accuracy where the preferred clip is shown first; of tie pairs, in their stored order.",
    "accuracy_b": "Accuracy where the preferred clip is shown second; of tie pairs, in the other order.",
    "position_gap": "accuracy_a − accuracy_b: above 0 the judge favours what it hears first. Ties dilute it.",
    "position_gap_non_tie": "The same over pairs with a preferred clip.",
    "accuracy_non_tie": "Accuracy on pairs with a preferred clip.",
    "accuracy_tie": "Accuracy on pairs of which both clips fit, or neither; it is the recall of Tie, so always Tie has 1.",
    "accuracy_both_good": "Accuracy on pairs of which both clips fit.",
    "accuracy_both_bad": "Accuracy on pairs of which neither clip fits.",
    "kind_gap": "accuracy_non_tie − accuracy_tie.",
    "accuracy_same": "Accuracy on pairs with the same words. Where kinds are not crossed with words, ties are in it too.",
    "accuracy_cross": "Accuracy on pairs with different words; the same holds.",
    "accuracy_non_tie_same": "Accuracy on pairs with a preferred clip and the same words.",
    "accuracy_non_tie_cross": "Accuracy on pairs with a preferred clip and different words.",
    "accuracy_tie_same": "Accuracy on tie pairs with the same words.",
    "accuracy_tie_cross": "Accuracy on tie pairs with different words.",
    "transcript_gap": "accuracy_same − accuracy_cross: confounded with ties where a release does not cross the two.",
    "transcript_gap_non_tie": "accuracy_non_tie_same − accuracy_non_tie_cross.",
    "transcript_gap_tie": "accuracy_tie_same − accuracy_tie_cross.",
    "consistency": "Share of pairs whose two orders are decided alike, for the same clip or as a tie; letters do not count.",
    "consistent_accuracy": "Share of pairs decided rightly in both orders.",
    "letter_stickiness": "Share of pairs that get the letter A in both orders, or B in both: a pull of the position. Perfect 0.",
    "tie_share_a": "Share of the presentations of tie pairs that are called A.",
    "tie_share_b": "Share of the presentations of tie pairs that are called B.",
    "tie_precision": "Share of the answers Tie that are right.",
    "tie_recall": "Share of the presentations of tie pairs that are called Tie.",
    "tie_f1": "F1 of the answer Tie.",
    "class_balanced_accuracy": "Mean recall of the answers A, B and Tie, of those that are ever right.",
    "vote_accuracy": "Share of pairs whose plurality over all runs and both orders is right, by clip; an exact tie for the first "
    "place is invalid. What is invalid does not vote.",
    "vote_accuracy_equal_is_tie": "The same, an exact tie for the first place being the decision Tie.",
    "vote_accuracy_by_order": "Share of presentations of which the plurality over runs is right; an exact tie is invalid.",
    "failure_rate": "Share of owed presentations without a valid answer: missing, failed, unparsable, abstained or conflicting.",
}
"""What each metric means, for pages."""


LEADING = ("accuracy", "accuracy_non_tie", "accuracy_tie", "consistency", "consistent_accuracy", "failure_rate")
"""What judges are compared by first."""

BETTER: Mapping[str, Better] = {
    "accuracy": HIGHER,
    "accuracy_micro": HIGHER,
    **{f"accuracy_{part}": HIGHER for part in PARTS},
    "consistency": HIGHER,
    "consistent_accuracy": HIGHER,
    "letter_stickiness": LOWER,
    "tie_precision": HIGHER,
    "tie_f1": HIGHER,
    "class_balanced_accuracy": HIGHER,
    "vote_accuracy": HIGHER,
    "vote_accuracy_equal_is_tie": HIGHER,
    "vote_accuracy_by_order": HIGHER,
    "failure_rate": LOWER,
}
"""Which way each metric is better that ranks; the recall of Tie is accuracy_tie."""


class _Facet:
    """The pairs of a facet, the columns that its figures are made of, and the figures so far.

    Args:
        marked: The submission.
        facet: Facet id.
        pairs: Numbers of its pairs.
    """

    def __init__(self, marked: Marked, facet: str, pairs: Codes) -> None:
        self.marked, self.facet, self.pairs = marked, facet, pairs
        self.columns: dict[str, Floats] = {}
        self.figures: list[Figure] = []
        self._levels = marked.gold.levels(pairs)
        self._shared = Shared(partial(Sums.of_rows, self.columns))

    def of(self, name: str) -> Floats:
        """A column of the marks, for the facet's pairs."""
        values: Floats = getattr(self.marked, name)[self.pairs]
        return values

    def column(self, value: str, chosen: Bools, part: str) -> str:
        """The name of the column that has a value in the chosen pairs and 0 in the others."""
        name = f"{value} of {part}"
        if name not in self.columns:
            values = np.ones(len(chosen)) if value == "one" else self.of(value)
            self.columns[name] = values * chosen
        return name

    def add(
        self,
        metric: str,
        chosen: Bools,
        terms: Sequence[Term],
        slice: str,
        *,
        chance: float | None = None,
        why: str = "no such pairs",
    ) -> None:
        """One more figure."""
        make = self._shared.into(partial(Quotients, terms=tuple(terms), why=why))
        self.figures.append(Figure(metric, self.facet, (Part(self._levels, make, chosen),), slice=slice, chance=chance))


def figures(marked: Marked) -> list[Figure]:
    """Every figure, facet by facet and then overall."""
    present = dict.fromkeys(marked.gold.facet.tolist())
    known = [facet for facet in CRITERIA if facet in present]
    others = [facet for facet in present if facet not in known]
    by_facet = [figure for facet in (*known, *others) for figure in facet_figures(marked, facet)]
    return [*by_facet, *overall_figures(marked, by_facet)]


def facet_figures(marked: Marked, facet: str) -> list[Figure]:
    """The figures of one criterion, or of the controls."""
    facet_pairs = _Facet(marked, facet, np.flatnonzero(marked.gold.facet == facet))
    gold, pairs = marked.gold, facet_pairs.pairs
    everything = np.ones(len(pairs), np.bool_)
    _whole(facet_pairs, everything, ALL)
    for name in ("variant", "sex", "speakers"):
        values = getattr(gold, name)[pairs]
        for value in sorted(set(values.tolist())):
            _slice(facet_pairs, values == value, f"{name}:{value}")
    return facet_pairs.figures


def overall_figures(marked: Marked, by_facet: Sequence[Figure]) -> list[Figure]:
    """Means over the criteria that have a figure's pairs, and what is over all pairs.

    Args:
        marked: The submission.
        by_facet: The figures of every facet.
    """
    criteria = marked.gold.facet != CONTROL
    counted = _Facet(marked, OVERALL, np.flatnonzero(criteria))
    every = np.ones(len(counted.pairs), np.bool_)
    owed = _Facet(marked, OVERALL, np.arange(len(criteria)))
    _rate(counted, "accuracy_micro", every, "right", "one", ALL, chance=_mean(counted.of("chance")))
    _rate(owed, "failure_rate", np.ones(len(criteria), np.bool_), "failed", "one", ALL)
    places: dict[tuple[str, str], list[Figure]] = {}
    for figure in by_facet:
        if figure.facet != CONTROL and figure.metric != "failure_rate":
            places.setdefault((figure.metric, figure.slice), []).append(figure)
    found = []
    for (metric, name), here in places.items():
        held = [figure for figure in here if figure.rows] or here[:1]
        chances = [figure.chance for figure in held if figure.chance is not None]
        parts = tuple(part for figure in held for part in figure.parts)
        chance = float(np.mean(chances)) if chances else None
        found.append(Figure(metric, OVERALL, parts, slice=name, chance=chance))
    if (
        not found
    ):  # where nothing but controls is owed, the headline is there all the same, and says why it is undefined
        _rate(counted, "accuracy", every, "right", "one", ALL, why="no pair of a criterion is owed")
    return [*found[:1], *counted.figures, *owed.figures, *found[1:]]


def _whole(facet: _Facet, here: Bools, name: str) -> None:
    """Every figure of a facet."""
    parts = _parts(facet, here)
    tie, non_tie = parts["tie"], parts["non_tie"]
    _accuracies(facet, {"": here, **parts}, name)
    _conditions(facet, here, non_tie, name)
    _gap(facet, "kind_gap", (non_tie, tie), ("non_tie", "tie"), name)
    for suffix in ("", "_non_tie", "_tie"):
        two = [f"{suffix}_{words}".removeprefix("_") for words in ("same", "cross")]
        _gap(facet, f"transcript_gap{suffix}", (parts[two[0]], parts[two[1]]), two, name)
    _rate(facet, "consistency", here, "agreeing", "both", name, why="no pair is owed in both orders")
    _rate(facet, "consistent_accuracy", here, "agreeing_right", "both", name, why="no pair is owed in both orders")
    _rate(facet, "letter_stickiness", here, "sticking", "both", name, why="no pair is owed in both orders")
    _rate(facet, "tie_share_a", tie, "said_a", "one", name, part="tie")
    _rate(facet, "tie_share_b", tie, "said_b", "one", name, part="tie")
    _ties(facet, here, tie, non_tie, name)
    for metric, value in _VOTES.items():
        _rate(facet, metric, here, value, "one", name)
    _rate(facet, "failure_rate", here, "failed", "one", name)


_VOTES = {
    "vote_accuracy": "voted",
    "vote_accuracy_equal_is_tie": "voted_equal",
    "vote_accuracy_by_order": "voted_orders",
}


def _slice(facet: _Facet, here: Bools, name: str) -> None:
    """The figures of a slice: those that say whether it is harder, or more swayed by position."""
    parts = {part: chosen for part, chosen in _parts(facet, here).items() if part in ("non_tie", "tie")}
    _accuracies(facet, {"": here, **parts}, name)
    _conditions(facet, here, parts["non_tie"], name)
    _rate(facet, "consistency", here, "agreeing", "both", name, why="no pair is owed in both orders")
    _rate(facet, "failure_rate", here, "failed", "one", name)


def _parts(facet: _Facet, here: Bools) -> dict[str, Bools]:
    gold = facet.marked.gold
    kind, words = gold.kind[facet.pairs], gold.transcript[facet.pairs]
    kinds = {
        "non_tie": kind == NON_TIE,
        "tie": kind != NON_TIE,
        BOTH_GOOD: kind == BOTH_GOOD,
        BOTH_BAD: kind == BOTH_BAD,
    }
    of_words = {"same": words == SAME, "cross": words == CROSS}
    within = {f"{k}_{w}": kinds[k] & of_words[w] for k in ("non_tie", "tie") for w in of_words}
    return {name: here & chosen for name, chosen in {**kinds, **of_words, **within}.items()}


def _accuracies(facet: _Facet, parts: Mapping[str, Bools], name: str) -> None:
    for part, chosen in parts.items():
        chance = _mean(facet.of("chance")[chosen])
        _rate(facet, f"accuracy_{part}".removesuffix("_"), chosen, "right", "one", name, part=part, chance=chance)


def _conditions(facet: _Facet, here: Bools, non_tie: Bools, name: str) -> None:
    chance = _mean(facet.of("chance")[here])
    _rate(facet, "accuracy_a", here, "right_a", "has_a", name, chance=chance)
    _rate(facet, "accuracy_b", here, "right_b", "has_b", name, chance=chance)
    for metric, chosen, part in (("position_gap", here, ""), ("position_gap_non_tie", non_tie, "non_tie")):
        terms = _conditions_of(facet, chosen, f"{part} in {name}")
        facet.add(metric, chosen, (terms[0], terms[1]._replace(factor=-1.0)), name)


def _conditions_of(facet: _Facet, chosen: Bools, part: str) -> tuple[Term, Term]:
    first, second = (
        Term(facet.column(f"right_{at}", chosen, part), facet.column(f"has_{at}", chosen, part)) for at in ("a", "b")
    )
    return first, second


def _gap(facet: _Facet, metric: str, chosen: tuple[Bools, Bools], parts: Sequence[str], name: str) -> None:
    terms = [
        Term(facet.column("right", here, f"{part} in {name}"), facet.column("one", here, f"{part} in {name}"), factor)
        for here, part, factor in zip(chosen, parts, (1.0, -1.0), strict=True)
    ]
    two = chosen[0].any() and chosen[1].any()
    held = chosen[0] | chosen[1] if two else np.zeros_like(chosen[0])
    facet.add(metric, held, terms, name, why=f"not both of {' and '.join(parts).replace('_', ' ')} pairs are there")


def _ties(facet: _Facet, here: Bools, tie: Bools, non_tie: Bools, name: str) -> None:
    """Precision, recall and F1 of Tie, and the mean recall of all answers."""
    hits = facet.column("said_tie", tie, f"tie in {name}")
    called = facet.column("said_tie", here, f" in {name}")
    ties = facet.column("one", tie, f"tie in {name}")
    both = f"said or are Tie in {name}"
    facet.columns[both] = facet.columns[called] + facet.columns[ties]
    # Of a criterion without ties a rate of Tie says nothing, however often it is said.
    whole = here if tie.any() else np.zeros_like(here)
    why = "Tie was never said" if tie.any() else "no tie pairs"
    recall = Term(hits, ties)
    precision = Term(hits, called) if tie.any() else recall
    facet.add("tie_precision", whole, (precision,), name, why=why)
    facet.add("tie_recall", tie, (recall,), name, why="no tie pairs")
    facet.add("tie_f1", whole, (Term(hits, both, 2.0) if tie.any() else recall,), name, why="no tie pairs")
    recalls = [term for term, present in ((recall, tie.any()),) if present]
    if non_tie.any():
        recalls += _conditions_of(facet, non_tie, f"non_tie in {name}")
    terms = [term._replace(factor=1 / len(recalls)) for term in recalls] or [recall]
    facet.add("class_balanced_accuracy", here, terms, name)


def _rate(
    facet: _Facet,
    metric: str,
    chosen: Bools,
    value: str,
    over: str,
    name: str,
    *,
    part: str = "",
    chance: float | None = None,
    why: str = "no such pairs",
) -> None:
    """A figure that is one column over another."""
    place = f"{part} in {name}"
    held = chosen if over == "one" else chosen & (facet.of(over) > 0)
    term = Term(facet.column(value, chosen, place), facet.column(over, chosen, place))
    facet.add(metric, held, (term,), name, chance=chance, why=why)


def _mean(values: Floats) -> float | None:
    return float(values.mean()) if len(values) else None
