"""May the resonant option be found without listening to what it means? Rules of one feature, and a probe of all of them.

A rule picks the option that is the louder (quieter, longer …) one; a tie, or a difference that is undefined, counts half.
The probe is a logistic regression on the signed differences without an intercept, since swapping two options swaps the answer;
it is trained on all other dialogues and marked on the one left out.

A probe that is left out one dialogue at a time falls *below* a half where the counts are balanced to the last one: without
one dialogue the others lean the other way. Well below a half is the trace of that balance, not of a shortcut; no rule can use
it, because nobody who answers knows all the other answers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from earmark.builders.contrast.signs import SIGNED, Signed
from earmark.manifests.errors import MissingExtra
from earmark.statistics.blas import one_thread
from earmark.statistics.intervals import Interval, intervals
from earmark.statistics.rates import Ratio
from earmark.statistics.significance import sign_flip

if TYPE_CHECKING:
    from numpy.typing import NDArray

RULES: Mapping[str, tuple[str, int]] = {
    "quieter": ("louder", -1),
    "louder": ("louder", 1),
    "longer": ("longer", 1),
    "shorter": ("longer", -1),
    "higher": ("higher", 1),
    "lower": ("higher", -1),
    "faster": ("faster", 1),
    "slower": ("faster", -1),
}
"""Rules by name: which signed difference each reads, and which sign it takes for the resonant option's."""

PROBE = "probe"
REPLICATES = 2000
_STRENGTH = 1.0  # scikit-learn's C


@dataclass(frozen=True)
class Chosen:
    """A turn's two options as they are in the release.

    Attributes:
        dialogue: Its dialogue.
        turn: 4 or 6; once in a dialogue.
        differences: Resonant less dissonant, as `earmark.builders.contrast.signs.signed` has them.
    """

    dialogue: str
    turn: int
    differences: Signed


@dataclass(frozen=True)
class Shortcut:
    """How well the resonant option is found without listening.

    Attributes:
        rule: A key of `RULES`, or "probe".
        turns: Share of turns that are right, 0 to 1, with an interval that resamples dialogues. Its p is that of naming the two
            options of whole dialogues anew: of two dialogues it is never below a half, whatever the interval; the probe's is
            an approximation, since its training would change too.
        dialogues: Share of dialogues right in all their turns, likewise; chance is a quarter where there are two.
    """

    rule: str
    turns: Interval
    dialogues: Interval


def shortcuts(
    rows: Sequence[Chosen], *, replicates: int = REPLICATES, seed: int = 0, level: float = 0.95
) -> tuple[Shortcut, ...]:
    """Mark every rule and the probe.

    Args:
        rows: the turns; their order does not matter.
        replicates: of the bootstrap and of p, >= 1.
        seed: of both.
        level: nominal coverage, in (0, 1).

    Raises:
        MissingExtra: scikit-learn is not installed.
        ValueError: no turn, or a turn twice.
    """
    rows = sorted(rows, key=lambda row: (row.dialogue, row.turn))
    if not rows or len({(row.dialogue, row.turn) for row in rows}) < len(rows):
        raise ValueError(f"{len(rows)} turns, each of which must be there once, and at least one")
    members = np.unique([row.dialogue for row in rows], return_inverse=True)[1]
    count = int(members[-1]) + 1
    marks = {rule: rule_marks(rows, rule) for rule in RULES} | {PROBE: probe_marks(rows)}
    statistics: dict[str, Ratio] = {}
    p: dict[str, float | None] = {}
    for rule, mark in marks.items():
        p[rule] = sign_flip(np.bincount(members, weights=mark - 0.5, minlength=count), replicates, seed)
        whole = np.ones(count)
        np.multiply.at(whole, members, mark)
        statistics[f"{rule} turns"] = Ratio.of_rows(mark, members, count)
        statistics[f"{rule} dialogues"] = Ratio.of_rows(whole, np.arange(count), count)
    found = intervals(
        statistics,
        clusters=count,
        replicates=replicates,
        seed=seed,
        level=level,
    )
    return tuple(
        Shortcut(rule, replace(found[f"{rule} turns"], p=p[rule]), found[f"{rule} dialogues"]) for rule in marks
    )


def rule_marks(rows: Sequence[Chosen], rule: str) -> NDArray[np.float64]:
    """Whether a rule is right in each turn: 1, 0, or 0.5 where it cannot tell; (n,)."""
    name, sign = RULES[rule]
    return _marks(sign * _column(rows, SIGNED.index(name)))


def probe_marks(rows: Sequence[Chosen]) -> NDArray[np.float64]:
    """Whether a probe that knows all other dialogues is right in each turn: 1, 0, or 0.5 where it cannot tell; (n,).

    Differences are divided by their root mean square over the training turns and not centred; an undefined one is 0. Turns
    of one dialogue alone leave nothing to train on, and count half.

    Raises:
        MissingExtra: scikit-learn is not installed.
    """
    fit = _fitter()
    differences = np.column_stack([_column(rows, place) for place in range(len(SIGNED))])
    dialogues = np.array([row.dialogue for row in rows])
    scores = np.zeros(len(rows))
    with one_thread():
        for dialogue in np.unique(dialogues):
            out = dialogues == dialogue
            if out.all():
                break
            scale = np.sqrt(np.mean(differences[~out] ** 2, axis=0))
            scale[scale == 0] = 1.0
            train = differences[~out] / scale
            labels = np.repeat([1, 0], len(train))
            scores[out] = (differences[out] / scale) @ fit(np.concatenate([train, -train]), labels)
    return _marks(scores)


def _fitter() -> Callable[[NDArray[np.float64], NDArray[np.int64]], NDArray[np.float64]]:
    try:
        from sklearn.linear_model import LogisticRegression
    except ImportError as error:
        raise MissingExtra("build", "scikit-learn") from error

    def fit(train: NDArray[np.float64], labels: NDArray[np.int64]) -> NDArray[np.float64]:
        model = LogisticRegression(C=_STRENGTH, fit_intercept=False, tol=1e-8, max_iter=1000)
        weights: NDArray[np.float64] = model.fit(train, labels).coef_[0]
        return weights

    return fit


def _column(rows: Sequence[Chosen], place: int) -> NDArray[np.float64]:
    return np.array([row.differences[place] or 0.0 for row in rows])


def _marks(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.where(scores > 0, 1.0, np.where(scores < 0, 0.0, 0.5))
