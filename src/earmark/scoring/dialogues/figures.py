"""Figures of the dialogues family: which of two renderings of the same words fits the moment, at turn 4 and then at turn 6?

Definitions are those of SpeechEQ, section 2.5. Every figure is over dialogues, and n counts them; their intervals resample
dialogues. Overall figures are over all dialogues alike and no mean of subscales.

- *acc_traj* (headline): the share of a dialogue's trajectories with both turns right. *acc_1*, *acc_2*: the share of the
  presentations of turn 4, or turn 6, that are right; *acc_all* is the mean of the two. `_vote`: of the vote over all runs and
  orders, which is wrong where half of the answers or more are.
- *swap_consistency*: how likely an answer in one order and one in the other decide for the same option; over turns that have
  valid answers in both orders, whose share is *swap_coverage*.
- *position_share*: share of the valid answers that are 1.
- *context_loss*: acc_1 - acc_2. *acc_2_given_right*, *acc_2_given_wrong*: acc_2 in trajectories whose turn 4 was answered
  rightly, or wrongly; *history_gap* is the one less the other.
- *flattening*: the share of the valid answers that choose the option of lower arousal, less the share in which it is right;
  *flattening_level*: the same of the quieter option.
- *failure_rate*: share of owed presentations that are not ok.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from earmark.manifests.eqi import COMPOSITES, SUBSCALES
from earmark.manifests.report import ALL, OVERALL
from earmark.scoring.dialogues.gold import NEITHER, UNKNOWN
from earmark.scoring.measuring import FEWEST_CLUSTERS, Figure, Ladder, Numbering, Part, Shared
from earmark.scoring.measuring.figured import HIGHER, LOWER, Better
from earmark.statistics.sums import Quotients, Sums, Term

if TYPE_CHECKING:
    from earmark.scoring.dialogues.marks import Marked
    from earmark.scoring.measuring import Codes
    from earmark.statistics.statistic import Bools, Floats

DIALOGUE = "dialogue"
"""The unit of resampling."""

LADDERS: tuple[Ladder, ...] = ((DIALOGUE,),)

CHANCE = {"acc_traj": 0.25, "acc_1": 0.5, "acc_2": 0.5, "acc_all": 0.5}
"""The accuracies, and what guessing gives."""

VOTE = "_vote"

COMPOSITE = "composite:"
"""How the name of a slice begins that is a composite."""

GLOSSARY: Mapping[str, str] = {
    "acc_traj": "Share of trajectories with both turns right: of each answer to turn 6 and the answer to turn 4 in its history, "
    "in the same run; where no answer stands there, of every two of one run. What has no valid answer is wrong. Chance is 1/4.",
    "acc_1": "Share of the presentations of turn 4 that are right.",
    "acc_2": "Share of the presentations of turn 6 that are right.",
    "acc_all": "Mean of acc_1 and acc_2.",
    "acc_traj_vote": "Share of dialogues of which the votes at both turns are right. Chance is that of a guesser with as many "
    "answers.",
    "acc_1_vote": "Share of dialogues of which the vote of all runs and orders at turn 4 is right: wrong where half of the "
    "answers or more are, so a tie is, and so is what is not valid.",
    "acc_2_vote": "The same at turn 6.",
    "acc_all_vote": "Mean of acc_1_vote and acc_2_vote.",
    "swap_consistency": "How likely an answer in one order and an answer in the other decide for the same option; 1/2 is that "
    "of a coin, and below it the position decides. Over turns with valid answers in both orders.",
    "swap_consistency_1": "The same at turn 4.",
    "swap_consistency_2": "The same at turn 6, whatever stood in the history.",
    "swap_coverage": "Share of turns with valid answers in both orders.",
    "position_share": "Share of the valid answers that are 1; each option is shown first as often as second, so a judge that "
    "listens has 1/2.",
    "context_loss": "acc_1 − acc_2, dialogue by dialogue: above 0 the later turn is judged worse.",
    "acc_2_given_right": "acc_2 in trajectories whose turn 4 was answered rightly.",
    "acc_2_given_wrong": "acc_2 in trajectories whose turn 4 was answered wrongly.",
    "history_gap": "acc_2_given_right − acc_2_given_wrong.",
    "flattening": "Share of the valid answers that choose the option of lower arousal, less the share in which it is right: "
    "above 0 the judge favours the calmer voice.",
    "flattening_level": "The same of the quieter option, by loudness, or by level where that was not measured.",
    "failure_rate": "Share of owed presentations without a valid answer: missing, failed, unparsable, abstained or conflicting.",
}
"""What each metric means, for pages."""


LEADING = ("acc_traj", "acc_1", "acc_2", "acc_all", "swap_consistency", "failure_rate")
"""What judges are compared by first."""

BETTER: Mapping[str, Better] = {
    **{metric: HIGHER for accuracy in CHANCE for metric in (accuracy, f"{accuracy}{VOTE}")},
    "swap_consistency": HIGHER,
    "swap_consistency_1": HIGHER,
    "swap_consistency_2": HIGHER,
    "swap_coverage": HIGHER,
    "failure_rate": LOWER,
}
"""Which way each metric is better that ranks."""


class DialogueNumbering(Numbering):
    """Dialogues; what is over fewer than 20 says so."""

    def __init__(self, level: str, figures: Iterable[Figure]) -> None:
        super().__init__(level, figures)
        if len(self.present) < FEWEST_CLUSTERS:
            self.condition = f"fewer than {FEWEST_CLUSTERS} dialogues"


class _Place:
    """The dialogues of a facet, the columns that its figures are made of, and the figures so far.

    Args:
        marked: The submission.
        facet: Facet id, or "overall".
        rows: Numbers of its dialogues.
    """

    def __init__(self, marked: Marked, facet: str, rows: Codes) -> None:
        self.facet, self.rows = facet, rows
        self.values = {name: column[rows] for name, column in columns_of(marked).items()}
        self.columns: dict[str, Floats] = {}
        self.figures: list[Figure] = []
        self._levels = {DIALOGUE: rows}
        self._shared = Shared(partial(Sums.of_rows, self.columns))

    def rate(
        self, metric: str, here: Bools, slice: str, *terms: tuple[str, str, float], chance: float | None = None
    ) -> None:
        """Add a figure that is a sum of columns over others, each with its factor.

        Args:
            metric: Its name.
            here: shape (dialogues,): those that it is over.
            slice: The slice of the report that they are.
            terms: Of each quotient the columns above and below the line, and its factor.
            chance: What guessing would give; None where there is no such level.
        """
        made = tuple(Term(self._column(one, here, slice), self._column(over, here, slice), f) for one, over, f in terms)
        counted = {over: here & (self.values[over] > 0) for _, over, _ in terms}
        lacking = [over for over, rows in counted.items() if not rows.any()]
        held = np.zeros_like(here) if lacking else np.logical_or.reduce(list(counted.values()))
        why = WHY[lacking[0]] if lacking else WHY["one"]
        make = self._shared.into(partial(Quotients, terms=made, why=why))
        self.figures.append(Figure(metric, self.facet, (Part(self._levels, make, held),), slice=slice, chance=chance))

    def _column(self, value: str, here: Bools, slice: str) -> str:
        name = f"{value} in {slice}"
        if name not in self.columns:
            self.columns[name] = self.values[value] * here
        return name


WHY = {
    "one": "no such dialogues",
    "covered": "no turn has valid answers in both orders",
    "covered_1": "turn 4 has no valid answers in both orders",
    "covered_2": "turn 6 has no valid answers in both orders",
    "valid": "nothing was answered",
    "failure": "no such dialogues",
    "right_before": "turn 4 was never answered rightly",
    "wrong_before": "turn 4 was never answered wrongly",
    "calm_valid": "no arousal of both options of an answered turn is known",
    "quiet_valid": "no level of both options of an answered turn is known",
}
"""Why a figure is undefined, by the column that it is over."""


def columns_of(marked: Marked) -> Mapping[str, Floats]:
    """Every column that figures are made of, by name; each (k,)."""
    gold, path = marked.gold, marked.path
    right_1, right_2 = marked.right.T
    voted_1, voted_2 = marked.voted.T
    columns = {
        "one": np.ones(len(right_1)),
        "acc_traj": path.both,
        "acc_1": right_1,
        "acc_2": right_2,
        "acc_all": (right_1 + right_2) / 2,
        "acc_traj_vote": voted_1 * voted_2,
        "acc_1_vote": voted_1,
        "acc_2_vote": voted_2,
        "acc_all_vote": (voted_1 + voted_2) / 2,
        "alike": marked.alike.sum(axis=1),
        "covered": marked.covered.sum(axis=1),
        "alike_1": marked.alike[:, 0],
        "covered_1": marked.covered[:, 0],
        "alike_2": marked.alike[:, 1],
        "covered_2": marked.covered[:, 1],
        "swap_coverage": marked.covered.mean(axis=1),
        "said_one": marked.said_one.sum(axis=1),
        "valid": marked.valid.sum(axis=1),
        "right_before": path.right_before,
        "wrong_before": path.wrong_before,
        "right_after_wrong": path.right_after_wrong,
        "failed": marked.failed,
    }
    for name, which in (("calm", gold.calmer), ("quiet", gold.quieter)):
        valid = np.where(which == NEITHER, 0.0, marked.valid)
        columns[f"{name}_pull"] = (marked.chose_less(which) - valid * (which == gold.gold)).sum(axis=1)
        columns[f"{name}_valid"] = valid.sum(axis=1)
    return columns


def figures(marked: Marked) -> list[Figure]:
    """Every figure, subscale by subscale and then overall; the headline over all is there even if nothing is owed."""
    present = dict.fromkeys(marked.gold.facet.tolist())
    known = [subscale.slug for subscale in SUBSCALES if subscale.slug in present]
    others = [facet for facet in present if facet not in known]
    by_facet = [figure for facet in (*known, *others) for figure in facet_figures(marked, facet)]
    return [*by_facet, *overall_figures(marked)]


def facet_figures(marked: Marked, facet: str) -> list[Figure]:
    """The figures of one subscale."""
    place = _Place(marked, facet, np.flatnonzero(marked.gold.facet == facet))
    _whole(place, marked)
    return place.figures


def overall_figures(marked: Marked) -> list[Figure]:
    """The figures of all dialogues, then of those of each composite, valence, type of scenario and failure."""
    gold = marked.gold
    place = _Place(marked, OVERALL, np.arange(len(gold.groups)))
    _whole(place, marked)
    composites = [composite.slug for composite in COMPOSITES if (gold.composite == composite.slug).any()]
    for name in composites:
        _slice(place, gold.composite == name, f"{COMPOSITE}{name}")
    for label, values in (("valence", gold.valence), ("scenario_type", gold.scenario_type)):
        for name in sorted(set(values.tolist()) - {UNKNOWN}):
            _slice(place, values == name, f"{label}:{name}")
    for name in sorted(set(gold.failure.reshape(-1).tolist()) - {UNKNOWN}):
        shown = gold.failure == name
        place.values["right of failure"] = (marked.right * shown).sum(axis=1)
        place.values["failure"] = shown.sum(axis=1).astype(np.float64)
        here = np.ones(len(place.rows), np.bool_)
        place.rate("acc_all", here, f"failure:{name}", ("right of failure", "failure", 1.0), chance=CHANCE["acc_all"])
    return place.figures


def number(level: str, figures: Iterable[Figure]) -> Numbering:
    """The dialogues of some figures."""
    return DialogueNumbering(level, figures)


def _whole(place: _Place, marked: Marked) -> None:
    """Every figure of a facet."""
    here = np.ones(len(place.rows), np.bool_)
    for metric, chance in CHANCE.items():
        place.rate(metric, here, ALL, (metric, "one", 1.0), chance=chance)
    for metric, of_guesses in vote_chances(marked, place.rows).items():
        place.rate(metric, here, ALL, (metric, "one", 1.0), chance=of_guesses)
    place.rate("swap_consistency", here, ALL, ("alike", "covered", 1.0))
    place.rate("swap_consistency_1", here, ALL, ("alike_1", "covered_1", 1.0))
    place.rate("swap_consistency_2", here, ALL, ("alike_2", "covered_2", 1.0))
    place.rate("swap_coverage", here, ALL, ("swap_coverage", "one", 1.0))
    place.rate("position_share", here, ALL, ("said_one", "valid", 1.0))
    place.rate("context_loss", here, ALL, ("acc_1", "one", 1.0), ("acc_2", "one", -1.0))
    given_right, given_wrong = ("acc_traj", "right_before", 1.0), ("right_after_wrong", "wrong_before", 1.0)
    place.rate("acc_2_given_right", here, ALL, given_right)
    place.rate("acc_2_given_wrong", here, ALL, given_wrong)
    place.rate("history_gap", here, ALL, given_right, (*given_wrong[:2], -1.0))
    place.rate("flattening", here, ALL, ("calm_pull", "calm_valid", 1.0))
    place.rate("flattening_level", here, ALL, ("quiet_pull", "quiet_valid", 1.0))
    place.rate("failure_rate", here, ALL, ("failed", "one", 1.0))


def _slice(place: _Place, here: Bools, name: str) -> None:
    """The figures of a slice: those that say whether it is harder."""
    for metric, chance in CHANCE.items():
        place.rate(metric, here, name, (metric, "one", 1.0), chance=chance)
    place.rate("context_loss", here, name, ("acc_1", "one", 1.0), ("acc_2", "one", -1.0))
    place.rate("failure_rate", here, name, ("failed", "one", 1.0))


def vote_chances(marked: Marked, rows: Codes) -> Mapping[str, float | None]:
    """What a guesser's votes give that has answered as often, over some dialogues; None without any."""
    first, second = marked.vote_chance[rows].T
    each = {"acc_traj": first * second, "acc_1": first, "acc_2": second, "acc_all": (first + second) / 2}
    return {f"{metric}{VOTE}": float(chance.mean()) if len(rows) else None for metric, chance in each.items()}
