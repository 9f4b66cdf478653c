"""What the oracle check found: accuracies as in the paper's Table 1 for three arms, and the places that answers went to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from earmark.builders.dialogues.oracle.checking import Answered, Verdict
from earmark.builders.dialogues.oracle.questions import ORDERS, Arm
from earmark.builders.dialogues.oracle.section import Dropping
from earmark.builders.dialogues.records import TARGET_TURNS
from earmark.manifests.canonical import Json
from earmark.manifests.findings import Findings, Severity, declare
from earmark.statistics.intervals import Interval, intervals
from earmark.statistics.rates import Ratio
from earmark.statistics.significance import sign_flip

WORDS_ABOVE = declare(
    "oracle.words",
    Severity.WARNING,
    "a reader that sees the words alone is right more often than chance: its questions tell the answer",
)
TONES_ABOVE = declare(
    "oracle.tones",
    Severity.WARNING,
    "a reader that sees the tone instructions alone is right more often than chance: they alone give it away",
)
FULL_AT_CHANCE = declare(
    "oracle.full",
    Severity.WARNING,
    "a reader that sees everything is not right more often than chance: it cannot read these dialogues, or nobody can",
)
UNUSABLE = declare(
    "oracle.unusable", Severity.WARNING, "the reader gave answers that cannot be used; they count as wrong"
)

REPLICATES = 2000
LEVEL = 0.95
ALPHA = 0.05
_LEAST = 6  # of fewer dialogues, however well they are read, no flip of signs has a p below 0.05

ACC_1, ACC_2, ACC_ALL, ACC_TRAJ = "acc_1", "acc_2", "acc_all", "acc_traj"
CHANCE = {ACC_1: 0.5, ACC_2: 0.5, ACC_ALL: 0.5, ACC_TRAJ: 0.25}
"""Metrics and their chance: turn 4, turn 6, both turns' mean, and both right in one order."""


@dataclass(frozen=True)
class OracleFigure:
    """An accuracy.

    Args:
        arm: What was shown.
        metric: A key of `CHANCE`.
        accuracy: 0 to 1, with an interval that resamples dialogues.
        chance: What guessing gives.
    """

    arm: Arm
    metric: str
    accuracy: Interval
    chance: float


@dataclass(frozen=True)
class ArmSummary:
    """What an arm says besides.

    Args:
        arm: What was shown.
        p: Two-sided p that `acc_all` is a half, by flipping signs of dialogues; None where there is no dialogue.
        above: Whether it is above a half with p below 0.05.
        first: Share of usable answers that took the option shown first; a half by design where an answer goes by what it says.
        same: Share of turns, answered usably in both orders, at which the same option was taken in both.
        unusable: Answers that cannot be used.
        answers: All answers.
    """

    arm: Arm
    p: float | None
    above: bool
    first: float | None
    same: float | None
    unusable: int
    answers: int


@dataclass(frozen=True)
class OracleReport:
    """All that was found.

    Args:
        provider: Who read.
        model: Model or rule set.
        drop_if_wrong: Which dialogues were dropped.
        figures: Accuracies by arm and metric.
        arms: One summary for each arm.
        dialogues: Dialogues that were read.
        dropped: Names of those that were dropped, in order.
    """

    provider: str
    model: str
    drop_if_wrong: Dropping
    figures: tuple[OracleFigure, ...]
    arms: tuple[ArmSummary, ...]
    dialogues: int
    dropped: tuple[str, ...]

    def rows(self) -> list[dict[str, Json]]:
        """One row for each accuracy, for a table."""
        return [
            {
                "arm": str(figure.arm),
                "metric": figure.metric,
                "accuracy": figure.accuracy.value,
                "low": figure.accuracy.low,
                "high": figure.accuracy.high,
                "dialogues": figure.accuracy.clusters,
                "chance": figure.chance,
                "reason": figure.accuracy.reason,
            }
            for figure in self.figures
        ]

    def as_report(self) -> dict[str, Json]:
        """What a build's report says."""
        return {
            "reader": f"{self.model} at {self.provider}",
            "drop_if_wrong": self.drop_if_wrong,
            "dialogues": self.dialogues,
            "dropped": len(self.dropped),
            "accuracies": self.rows(),
            "arms": [
                {
                    "arm": str(arm.arm),
                    "p": arm.p,
                    "above_chance": arm.above,
                    "first_option": arm.first,
                    "same_in_both_orders": arm.same,
                    "unusable": arm.unusable,
                    "answers": arm.answers,
                }
                for arm in self.arms
            ],
        }


def oracle_report(
    verdicts: Sequence[Verdict],
    *,
    provider: str,
    model: str,
    drop_if_wrong: Dropping,
    arms: Sequence[Arm],
    seed: int,
    findings: Findings,
) -> OracleReport:
    """Add up verdicts.

    Args:
        verdicts: One for each dialogue; their order does not matter.
        provider: Who read.
        model: Model or rule set.
        drop_if_wrong: Which dialogues were dropped.
        arms: What was shown.
        seed: Of the bootstrap.
        findings: Told of arms that are above chance and must not be, or are not and must, and of unusable answers.
    """
    ordered = sorted(verdicts, key=lambda verdict: verdict.dialogue)
    figures = tuple(figure for arm in arms for figure in _figures(ordered, arm, seed))
    summaries = tuple(_summary([verdict.of(arm) for verdict in ordered], arm, seed) for arm in arms)
    for summary in summaries:
        _tell(summary, figures, findings)
    dropped = tuple(verdict.dialogue for verdict in ordered if verdict.dropped is not None)
    return OracleReport(provider, model, drop_if_wrong, figures, summaries, len(ordered), dropped)


def _figures(verdicts: Sequence[Verdict], arm: Arm, seed: int) -> list[OracleFigure]:
    count = max(1, len(verdicts))  # a figure of no dialogue is undefined and not an error
    rows = {metric: _marks([verdict.of(arm) for verdict in verdicts], metric) for metric in CHANCE}
    statistics = {
        metric: Ratio.of_rows([mark for _, mark in marks], [place for place, _ in marks], count)
        for metric, marks in rows.items()
    }
    found = intervals(statistics, clusters=count, replicates=REPLICATES, seed=seed, level=LEVEL)
    return [OracleFigure(arm, metric, found[metric], chance) for metric, chance in CHANCE.items()]


def _marks(dialogues: Sequence[Sequence[Answered]], metric: str) -> list[tuple[int, bool]]:
    """Number of the dialogue and whether it was right, for each of its answers or, of a trajectory, for each of its orders."""
    marks: list[tuple[int, bool]] = []
    for place, answers in enumerate(dialogues):
        if metric == ACC_TRAJ:
            by_order = {order: [one.correct for one in answers if one.order == order] for order in ORDERS}
            marks += [(place, all(corrects)) for corrects in by_order.values()]
        else:
            turns = {ACC_1: TARGET_TURNS[:1], ACC_2: TARGET_TURNS[1:], ACC_ALL: TARGET_TURNS}[metric]
            marks += [(place, answer.correct) for answer in answers if answer.turn in turns]
    return marks


def _summary(dialogues: Sequence[Sequence[Answered]], arm: Arm, seed: int) -> ArmSummary:
    answers = [answer for found in dialogues for answer in found]
    usable = [answer for answer in answers if answer.reply.choice is not None]
    excess = [sum(answer.correct - 0.5 for answer in found) for found in dialogues]
    p = sign_flip(excess, REPLICATES, seed)
    both = [same for found in dialogues for same in _same(found)]
    return ArmSummary(
        arm=arm,
        p=p,
        above=p is not None and p < ALPHA and float(np.sum(excess)) > 0,
        first=_share([answer.reply.choice == 1 for answer in usable]),
        same=_share(both),
        unusable=len(answers) - len(usable),
        answers=len(answers),
    )


def _same(answers: Sequence[Answered]) -> list[bool]:
    """For each turn that was answered usably in both orders, whether the same rendering was taken."""
    by_turn = {turn: [answer for answer in answers if answer.turn == turn] for turn in TARGET_TURNS}
    return [
        len({answer.correct for answer in found}) == 1
        for found in by_turn.values()
        if len(found) == len(ORDERS) and all(answer.reply.choice is not None for answer in found)
    ]


def _share(flags: Sequence[bool]) -> float | None:
    return sum(flags) / len(flags) if flags else None


def _tell(summary: ArmSummary, figures: Sequence[OracleFigure], findings: Findings) -> None:
    (figure,) = (one for one in figures if one.arm is summary.arm and one.metric == ACC_ALL)
    said = _said(figure.accuracy, summary.p)
    if summary.arm is Arm.WORDS and summary.above:
        findings.add(WORDS_ABOVE, found=said, expected="0.5 within chance")
    if summary.arm is Arm.TONES and summary.above:
        findings.add(TONES_ABOVE, found=said, expected="0.5 within chance; or tones that only the scenario tells apart")
    value, dialogues = figure.accuracy.value, figure.accuracy.clusters
    if summary.arm is Arm.FULL and value is not None and not summary.above and (dialogues >= _LEAST or value <= 0.5):
        findings.add(FULL_AT_CHANCE, found=said, expected="well above 0.5")
    if summary.unusable:
        findings.add(UNUSABLE, id=f"arm {summary.arm}", found=f"{summary.unusable} of {summary.answers} answers")


def _said(accuracy: Interval, p: float | None) -> str:
    if accuracy.value is None:
        return "no answer"
    ends = "" if accuracy.low is None or accuracy.high is None else f" [{accuracy.low:.3f}, {accuracy.high:.3f}]"
    return f"{accuracy.value:.3f}{ends} of {accuracy.clusters} dialogues" + ("" if p is None else f", p {p:.2g}")
