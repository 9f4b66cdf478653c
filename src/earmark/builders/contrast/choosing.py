"""Which attempts become a release: of each turn one pair that passed, chosen so that the signed differences balance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from earmark.builders.contrast.balancing import Balance, Candidate, Turn, balance
from earmark.builders.contrast.gate import DISSONANT, RESONANT, Attempt, Pair, pairs
from earmark.builders.contrast.profile import MAXIMA, Profile
from earmark.builders.contrast.shortcuts import Chosen
from earmark.builders.contrast.signs import Signed, signed, signs_of

TurnKey: TypeAlias = tuple[str, int]
"""A dialogue and a turn of it, 4 or 6."""


@dataclass(frozen=True)
class Choice:
    """What was chosen.

    Attributes:
        pairs: The chosen pair of each turn, by dialogue and turn.
        rows: The same turns with their signed differences, for `earmark.builders.contrast.shortcuts.shortcuts`.
        discarded: Dialogues of which a turn has no pair that passes, in order; none of their turns is chosen.
        balance: How well the differences balance, and what is proven about that.
    """

    pairs: Mapping[TurnKey, Pair]
    rows: tuple[Chosen, ...]
    discarded: tuple[str, ...]
    balance: Balance


def choose(attempts: Mapping[TurnKey, Sequence[Attempt]], profile: Profile, *, key: bytes, seed: int) -> Choice:
    """Choose one pair of attempts for each turn. Of equally balanced choices the one with most points is taken.

    Args:
        attempts: all clips of each target turn, by dialogue and turn.
        profile: what a pair must pass.
        key: the release key.
        seed: of the draw among equals.

    Raises:
        ValueError: two attempts of an option of a turn have one number.
    """
    passing = {turn: [pair for pair in pairs(made, profile) if pair.contrast.passed] for turn, made in attempts.items()}
    discarded = sorted({dialogue for (dialogue, _), found in passing.items() if not found})
    kept = sorted(turn for turn in passing if turn[0] not in discarded)
    differences = {turn: [_signed(pair, attempts[turn], profile) for pair in passing[turn]] for turn in kept}
    most = sum(MAXIMA.values())
    offered = []
    for dialogue, turn in kept:
        beside = zip(passing[dialogue, turn], differences[dialogue, turn], strict=True)
        candidates = (Candidate(_name(pair), signs_of(values), most - pair.contrast.total) for pair, values in beside)
        offered.append(Turn(f"{dialogue} {turn}", tuple(candidates)))
    found = balance(offered, key=key, seed=seed)
    places = {
        turn: [_name(pair) for pair in passing[turn]].index(name) for turn, name in zip(kept, found.chosen, strict=True)
    }
    return Choice(
        pairs={turn: passing[turn][place] for turn, place in places.items()},
        rows=tuple(Chosen(*turn, differences[turn][place]) for turn, place in places.items()),
        discarded=tuple(discarded),
        balance=found,
    )


def _name(pair: Pair) -> str:
    return f"{pair.resonant} {pair.dissonant}"


def _signed(pair: Pair, attempts: Sequence[Attempt], profile: Profile) -> Signed:
    features = {(attempt.option, attempt.number): attempt.features for attempt in attempts}
    resonant, dissonant = features[RESONANT, pair.resonant], features[DISSONANT, pair.dissonant]
    return signed(resonant, dissonant, front=profile.front)
