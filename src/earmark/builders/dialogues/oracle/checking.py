"""Asking a reader about every dialogue, and which dialogues are kept."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import assert_never

from earmark.builders.dialogues.jobs import run_all
from earmark.builders.dialogues.oracle.questions import (
    ORDERS,
    Arm,
    Choice,
    Order,
    Reader,
    Reply,
    question,
    right_choice,
)
from earmark.builders.dialogues.oracle.section import Dropping
from earmark.builders.dialogues.records import TARGET_TURNS, Dialogue
from earmark.builders.ledger.calls import CallRequest
from earmark.builders.media import Progress

ORACLE_PROGRESS = "asking the oracle"
TURNS = tuple((turn, order) for order in ORDERS for turn in TARGET_TURNS)
"""What is asked of a dialogue in each arm: both turns in both orders."""


@dataclass(frozen=True)
class Answered:
    """One answer.

    Args:
        arm: What was shown.
        turn: 4 or 6.
        order: In which of the two orders.
        right: The option that is right.
        reply: What the reader said.
    """

    arm: Arm
    turn: int
    order: Order
    right: Choice
    reply: Reply

    @property
    def correct(self) -> bool:
        """Whether it took the right one; an answer that cannot be used did not."""
        return self.reply.choice == self.right


@dataclass(frozen=True)
class Verdict:
    """What was read of a dialogue.

    Args:
        dialogue: Its name.
        answers: All answers, by arm, turn and order.
        dropped: Why it is dropped; None where it is kept.
    """

    dialogue: str
    answers: tuple[Answered, ...]
    dropped: str | None

    def of(self, arm: Arm) -> tuple[Answered, ...]:
        """The answers of one arm."""
        return tuple(answer for answer in self.answers if answer.arm is arm)


async def check_dialogues(
    dialogues: Sequence[Dialogue],
    reader: Reader,
    *,
    arms: Sequence[Arm],
    drop_if_wrong: Dropping,
    seed: int,
    workers: int,
    progress: Progress,
    known: Mapping[str, Verdict] = MappingProxyType({}),
) -> tuple[Verdict, ...]:
    """Ask about every dialogue.

    Args:
        dialogues: The dialogues.
        reader: Who is asked.
        arms: What it is shown; the full arm decides.
        drop_if_wrong: Which dialogues are dropped, see `verdict`.
        seed: Of the places of options.
        workers: Dialogues that are asked about at a time.
        progress: Told how far it is.
        known: Verdicts of dialogues that were asked about before.

    Returns:
        A verdict on each, in their order.

    Raises:
        EarmarkError: The first that a reader raised, answers under way being waited for; or every question was refused.
    """
    new = [dialogue for dialogue in dialogues if dialogue.name not in known]
    jobs = [partial(_ask, dialogue, reader, arms, seed) for dialogue in new]
    answers = await run_all(jobs, workers=workers, told=lambda done: progress(ORACLE_PROGRESS, done, len(jobs)))
    refused = [answer.reply.refused for found in answers for answer in found]
    if refused and refused[0] is not None and None not in refused:
        raise refused[0]  # a server that will answer nothing at all is asked wrongly
    made = {
        dialogue.name: verdict(dialogue.name, found, drop_if_wrong)
        for dialogue, found in zip(new, answers, strict=True)
    }
    return tuple(made.get(dialogue.name) or known[dialogue.name] for dialogue in dialogues)


def verdict(dialogue: str, answers: tuple[Answered, ...], drop_if_wrong: Dropping) -> Verdict:
    """Whether a dialogue is kept.

    Args:
        dialogue: Its name.
        answers: All answers; those of the full arm decide: turn 4 and turn 6, each in both orders.
        drop_if_wrong: "all": kept only if all are right. "majority": kept only if more than half are. "never": kept.
    """
    counted = [answer for answer in answers if answer.arm is Arm.FULL]
    right = sum(answer.correct for answer in counted)
    if drop_if_wrong == "never":
        kept = True
    elif drop_if_wrong == "majority":
        kept = 2 * right > len(counted)
    elif drop_if_wrong == "all":
        kept = right == len(counted)
    else:
        assert_never(drop_if_wrong)
    if kept:
        return Verdict(dialogue, answers, None)
    wrong = ", ".join(f"turn {answer.turn} in order {answer.order}" for answer in counted if not answer.correct)
    return Verdict(dialogue, answers, f"the oracle read {right} of {len(counted)} rightly; wrong: {wrong}")


def planned_calls(dialogue: Dialogue, reader: Reader, arms: Sequence[Arm], *, seed: int) -> Iterator[CallRequest]:
    """The calls that a dialogue takes at least, each as large as it may be: what a dry run prices.

    What turn 6 is asked after depends on the answer to turn 4; the longer of the two is taken.

    Args:
        dialogue: The dialogue.
        reader: Who would read it.
        arms: What it would be shown.
        seed: Draws which option stands first.
    """
    for arm in arms:
        for turn, order in TURNS:
            chosen: tuple[Choice | None, ...] = (1, 2) if turn == TARGET_TURNS[1] else (None,)
            asked = [question(dialogue, arm, turn, order, seed=seed, chosen=choice) for choice in chosen]
            yield from max((reader.planned(one) for one in asked), key=_size)


def _size(calls: Sequence[CallRequest]) -> int:
    return sum(len(call.written) for call in calls)


async def _ask(dialogue: Dialogue, reader: Reader, arms: Sequence[Arm], seed: int) -> tuple[Answered, ...]:
    chains = [partial(_chain, dialogue, reader, arm, order, seed) for arm in arms for order in ORDERS]
    return tuple(answer for chain in await run_all(chains, workers=len(chains)) for answer in chain)


async def _chain(dialogue: Dialogue, reader: Reader, arm: Arm, order: Order, seed: int) -> tuple[Answered, ...]:
    """Turn 4, then turn 6 after it."""
    answers: list[Answered] = []
    chosen: Choice | None = None
    for turn in TARGET_TURNS:
        reply = await reader.read(question(dialogue, arm, turn, order, seed=seed, chosen=chosen))
        answers.append(Answered(arm, turn, order, right_choice(dialogue.name, turn, order, seed), reply))
        chosen = reply.choice
    return tuple(answers)
