"""From two verdicts on a clip to the score of a speaker, as StanceBench's notebook has it.

- A verdict is a pole and the probability p that it is right. Its *signed score* is s·p, s = +1 for P and −1 for N (not s(2p − 1):
  a coin toss of p = 0.5 is half a vote). Where no probability was given it is 1.
- Its *mapped score*, the runner's, is 0 for p < 0.45, s for p < 0.75, and 2s above: in [−2, 2].
- An *item* is a clip with a valid verdict in both pole orders, v0 with P defined first and v1 with N; a clip with one alone is
  left out. Its scores are the means of the two. Its verdicts *disagree* where the poles differ, whatever the probabilities;
  they *flip* where the mapped scores have opposite signs and neither is 0. Each run of a clip is an item of its own.
- A *speaker* is one speaker in one conversation; each score is the mean over the speaker's items.
- A speaker is *attempted* where the submission has a row for any of the speaker's clips, and *failed* where it is attempted and
  has not one item.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from earmark.manifests.errors import EarmarkError
from earmark.manifests.families.stance import POSITIVE, STANCE
from earmark.scoring.decisions import Decisions, Outcome

if TYPE_CHECKING:
    from collections.abc import Mapping

    from earmark.scoring.measuring import Codes
    from earmark.scoring.stance.gold import Gold

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

LEAST_SURE, QUITE_SURE = 0.45, 0.75
"""tau0 and tau2: below the one a verdict is mapped to 0, from the other on to 2."""


def signed_scores(positive: Bools, probability: Floats) -> Floats:
    """s·p in [−1, 1] of verdicts, any shape.

    >>> signed_scores(np.array([True, False]), np.array([0.8, 0.6])).tolist()
    [0.8, -0.6]
    """
    return np.where(positive, probability, -probability)


def mapped_scores(positive: Bools, probability: Floats) -> Floats:
    """−2, −1, 0, 1 or 2 for verdicts, any shape.

    >>> mapped_scores(np.array([True, True, False]), np.array([0.44, 0.74, 0.75])).tolist()
    [0.0, 1.0, -2.0]
    """
    size = (probability >= LEAST_SURE).astype(np.float64) + (probability >= QUITE_SURE)
    return np.where(positive, size, -size) + 0.0


@dataclass(frozen=True, eq=False)
class Items:
    """Clips with a valid verdict in both orders.

    Args:
        speaker: (k,) speaker of each.
        positive: (k, 2) whether v0 and v1 say P.
        probability: (k, 2) in [0, 1].
    """

    speaker: Codes
    positive: Bools
    probability: Floats


@dataclass(frozen=True, eq=False)
class Speakers:
    """The speakers of one dimension.

    Args:
        positive: (u,) whether the role is of the P pole.
        attempted: (u,) whether the submission has a row for the speaker.
        common: (u,) whether every submission of the comparison scored the speaker.
        items: (u,) number of items; 0 where failed.
        score: (u,) mean signed score in [−1, 1]; NaN without items.
        mapped: (u, 2) mean mapped scores of v0 and of v1 in [−2, 2]; NaN without items.
        disagreement: (u,) share of items whose verdicts disagree; NaN without items.
        flips: (u,) share of items whose verdicts flip; NaN without items.
    """

    positive: Bools
    attempted: Bools
    common: Bools
    items: Codes
    score: Floats
    mapped: Floats
    disagreement: Floats
    flips: Floats

    @property
    def scored(self) -> Bools:
        """(u,) whether the speaker has an item."""
        return self.items > 0

    @property
    def average(self) -> Floats:
        """(u,) mean mapped score over both orders in [−2, 2], the runner's `avg_score`; NaN without items."""
        average: Floats = self.mapped.sum(axis=1) / 2
        return average


@dataclass(frozen=True, eq=False)
class Dimension:
    """One dimension of a release as one submission answered it.

    Args:
        facet: Its id.
        unit: (u,) unit of the gold that each speaker is.
        speakers: The speakers that are owed.
        levels: For each unit of resampling, the cluster of each speaker, (u,) each.
    """

    facet: str
    unit: Codes
    speakers: Speakers
    levels: Mapping[str, Codes]


def judge_speakers(items: Items, positive: Bools, attempted: Bools | None = None) -> Speakers:
    """Average items over speakers.

    Args:
        items: What was answered, speakers numbered from 0.
        positive: (u,) whether each speaker's role is of the P pole.
        attempted: (u,) whether there was any row; by default all.
    """
    count = len(positive)
    held = np.bincount(items.speaker, minlength=count).astype(np.int64)

    def mean(values: Floats) -> Floats:
        sums = np.bincount(items.speaker, weights=values, minlength=count)
        means: Floats = np.divide(sums, held, out=np.full(count, np.nan), where=held > 0)
        return means

    mapped = mapped_scores(items.positive, items.probability)
    return Speakers(
        positive=positive,
        attempted=np.ones(count, np.bool_) if attempted is None else attempted,
        common=held > 0,
        items=held,
        score=mean(signed_scores(items.positive, items.probability).sum(axis=1) / 2),
        mapped=np.stack([mean(mapped[:, 0]), mean(mapped[:, 1])], axis=1),
        disagreement=mean((items.positive[:, 0] != items.positive[:, 1]).astype(np.float64)),
        flips=mean((mapped[:, 0] * mapped[:, 1] < 0).astype(np.float64)),
    )


def judged_dimensions(gold: Gold, decisions: Decisions, others: Sequence[Decisions] = ()) -> list[Dimension]:
    """Every dimension of a submission, with the speakers that all submissions scored marked as common.

    Args:
        gold: What is asked.
        decisions: The submission.
        others: Further submissions for the same items; their protocols may be other ones.

    Raises:
        EarmarkError: If a submission's protocol owes other orders than PN and NP.
    """
    everyone = _speakers_of_gold(gold, decisions)
    common = everyone.common.copy()
    for other in others:
        common &= _speakers_of_gold(gold, other).scored
    number = {item: n for n, item in enumerate(gold.items)}
    owed = np.zeros(len(gold.facet), np.bool_)
    owed[gold.unit[[number[item] for item in decisions.owed.item]]] = True
    dimensions = []
    for facet in np.unique(gold.facet[owed]):
        here = np.flatnonzero(owed & (gold.facet == facet))
        chosen = _chosen(replace(everyone, common=common), here)
        dimensions.append(
            Dimension(str(facet), here, chosen, {name: codes[here] for name, codes in gold.levels.items()})
        )
    return dimensions


def _speakers_of_gold(gold: Gold, decisions: Decisions) -> Speakers:
    """Every unit of the gold, whether it is owed or not."""
    owed = decisions.owed
    if set(owed.order) != set(STANCE.orders):
        orders = ", ".join(sorted(set(owed.order))) or "none"
        raise EarmarkError(
            f"paper stancebench needs both pole orders, {' and '.join(STANCE.orders)}; protocol {owed.protocol} owes {orders}"
        )
    number = {item: n for n, item in enumerate(gold.items)}
    item = np.array([number[name] for name in owed.item], np.int64)[decisions.presentation]
    variant = np.array([STANCE.orders.index(order) for order in owed.order], np.int64)[decisions.presentation]
    attempted = np.zeros(len(gold.facet), np.bool_)
    attempted[gold.unit[item[decisions.outcome != Outcome.MISSING]]] = True
    ok = decisions.outcome == Outcome.OK
    places, row = np.unique(np.stack([item[ok], decisions.run[ok]]), axis=1, return_inverse=True)
    valid = np.zeros((places.shape[1], 2), np.bool_)
    positive, probability = valid.copy(), valid.astype(np.float64)
    at = (row.ravel(), variant[ok])
    valid[at] = True
    positive[at] = decisions.choice[ok] == decisions.choices.index(POSITIVE)
    probability[at] = np.where(np.isnan(decisions.probability[ok]), 1.0, decisions.probability[ok])
    whole = valid.all(axis=1)
    items = Items(gold.unit[places[0, whole]], positive[whole], probability[whole])
    return judge_speakers(items, gold.positive, attempted)


def _chosen(speakers: Speakers, at: Codes) -> Speakers:
    return Speakers(
        positive=speakers.positive[at],
        attempted=speakers.attempted[at],
        common=speakers.common[at],
        items=speakers.items[at],
        score=speakers.score[at],
        mapped=speakers.mapped[at],
        disagreement=speakers.disagreement[at],
        flips=speakers.flips[at],
    )
