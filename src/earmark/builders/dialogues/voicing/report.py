"""What people want to know of speaking: the gate, the attempts, the balance of signs and the rules that do not listen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from statistics import median

import msgspec
import numpy as np

from earmark.builders.contrast.gate import REASONS
from earmark.builders.contrast.shortcuts import Shortcut
from earmark.builders.contrast.signs import SIGNED, signs_of
from earmark.builders.dialogues.voicing.spoken import SpokenDialogues, TurnOutcome, chosen_pairs, outcomes
from earmark.manifests.attempts import CONTEXT
from earmark.manifests.canonical import Json
from earmark.statistics.intervals import Interval, intervals
from earmark.statistics.rates import Ratio

UNCHECKED = "unchecked"
"""What the release says of the words where nobody listened."""

MACHINE = "build.json"
"""Name of the file on the private side that holds the report."""

REPLICATES = 1000
GROUPS: Mapping[str, Callable[[TurnOutcome], str]] = {
    "provider": lambda outcome: outcome.provider,
    "voice": lambda outcome: outcome.voice,
    "valence": lambda outcome: outcome.valence,
    "failure": lambda outcome: outcome.failure,
}
"""What pass rates are told by."""


def report(spoken: SpokenDialogues) -> dict[str, Json]:
    """Counts, pass rates, signs and rules, by section."""
    found = outcomes(spoken)
    return {
        "dialogues": _dialogues(spoken),
        "gate": _gate(spoken, found),
        "attempts": _attempts(spoken),
        "pass rates": {
            name: [_rates(name, group, *rates) for group, rates in pass_rates(found, by, spoken.seed).items()]
            for name, by in GROUPS.items()
        },
        "signs": [
            {"sign": name, "resonant": one, "dissonant": other, "neither": neither}
            for name, (one, other, neither) in sign_counts(spoken).items()
        ],
        "balance": {
            "imbalance": spoken.choice.balance.imbalance,
            "least that is possible": spoken.choice.balance.least,
            "before choosing": spoken.choice.balance.before,
            "turns with a choice": turns_with_a_choice(found),
        },
        "shortcuts": [_shortcut(rule) for rule in spoken.rules],
        "words": UNCHECKED if spoken.words is None else dict(spoken.words),
    }


def recipe(spoken: SpokenDialogues) -> dict[str, Json]:
    """What the resolved recipe holds: the voice, the gate with every threshold, and the words check."""
    return {
        "speech": {"provider": spoken.provider, "model": spoken.model},
        "gate": {"most": spoken.most, "profile": msgspec.to_builtins(spoken.profile)},
        "words": UNCHECKED if spoken.words is None else dict(spoken.words),
    }


def pass_rates(
    found: Sequence[TurnOutcome], by: Callable[[TurnOutcome], str], seed: int
) -> dict[str, tuple[int, Interval, Interval]]:
    """Of each group its turns, and the shares that passed at the first attempt and in the end, by dialogue.

    Args:
        found: What came of each turn.
        by: What groups are told by.
        seed: Of the bootstrap.
    """
    grouped: dict[str, list[TurnOutcome]] = {}
    for outcome in found:
        grouped.setdefault(by(outcome), []).append(outcome)
    rates = {}
    for group, members in sorted(grouped.items()):
        names = np.unique([outcome.dialogue for outcome in members], return_inverse=True)[1]
        count = int(names.max()) + 1
        both = intervals(
            {
                "first": Ratio.of_rows([outcome.passed_first for outcome in members], names, count),
                "end": Ratio.of_rows([outcome.passed for outcome in members], names, count),
            },
            clusters=count,
            replicates=REPLICATES,
            seed=seed,
        )
        rates[group] = len(members), both["first"], both["end"]
    return rates


def turns_with_a_choice(found: Sequence[TurnOutcome]) -> int:
    """Turns of voiced dialogues of which more than one pair passed: in no other can the balance choose."""
    return sum(outcome.passing > 1 and not outcome.given_up for outcome in found)


def sign_counts(spoken: SpokenDialogues) -> dict[str, tuple[int, int, int]]:
    """In how many turns the resonant option is the louder, higher … one, in how many the dissonant, in how many neither."""
    table = np.array([signs_of(row.differences) for row in spoken.choice.rows], int).reshape(-1, len(SIGNED))
    return {
        name: (int((column > 0).sum()), int((column < 0).sum()), int((column == 0).sum()))
        for name, column in zip(SIGNED, table.T, strict=True)
    }


def _rates(kind: str, group: str, turns: int, first: Interval, end: Interval) -> dict[str, Json]:
    """Pass rates of a group, in one row."""
    row: dict[str, Json] = {kind: group, "turns": turns}
    for name, interval in (("first attempt", first), ("in the end", end)):
        row |= {name: interval.value, f"{name} low": interval.low, f"{name} high": interval.high}
    reason = first.reason or end.reason
    return row if reason is None else {**row, "reason": reason}


def _shortcut(rule: Shortcut) -> dict[str, Json]:
    """Accuracies of a rule, in one row."""
    row: dict[str, Json] = {"rule": rule.rule}
    for name, interval in (("turns", rule.turns), ("dialogues", rule.dialogues)):
        row |= {name: interval.value, f"{name} low": interval.low, f"{name} high": interval.high}
    row["p"] = rule.turns.p
    reason = rule.turns.reason or rule.dialogues.reason
    return row if reason is None else {**row, "reason": reason}


def _dialogues(spoken: SpokenDialogues) -> dict[str, Json]:
    kept = sum(takes.dropped is None for takes in spoken.takes)
    told: dict[str, Json] = {"written": len(spoken.takes), "voiced": kept, "discarded": len(spoken.takes) - kept}
    return {"asked": len(spoken.asked), **told} if spoken.asked else told


def _gate(spoken: SpokenDialogues, found: Sequence[TurnOutcome]) -> dict[str, Json]:
    points = [pair.contrast.total for *_, pair in chosen_pairs(spoken)]
    counted = Counter(outcome.regenerations for outcome in found)
    return {
        "profile": spoken.profile.name,
        "passes at": spoken.profile.pass_at,
        "regenerations at most": spoken.most,
        "turns": len(found),
        "passed at the first attempt": sum(outcome.passed_first for outcome in found),
        "passed in the end": sum(outcome.passed for outcome in found),
        "turns by regenerations": {f"{count}": counted[count] for count in sorted(counted)},
        "median points of what was chosen": median(points) if points else None,
    }


def _attempts(spoken: SpokenDialogues) -> dict[str, Json]:
    takes = [take for takes in spoken.takes for take in takes.every()]
    rejected = Counter(take.rejected.partition(":")[0] for take in takes if take.rejected is not None)
    remade = Counter(take.remade for take in takes if take.remade is not None)
    return {
        "clips": len(takes),
        "of context": sum(take.line.option == CONTEXT for take in takes),
        "used": sum(take.used for take in takes),
        "rejected": dict(sorted(rejected.items())),
        "made again": {reason: remade[reason] for reason in REASONS if remade[reason]},
    }
