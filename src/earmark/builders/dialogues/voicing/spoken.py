"""What came of speaking: all takes of all dialogues, the pairs that were chosen, and what came of each target turn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from earmark.builders.contrast.choosing import Choice
from earmark.builders.contrast.gate import Pair, pairs
from earmark.builders.contrast.profile import Profile
from earmark.builders.contrast.shortcuts import Shortcut
from earmark.builders.dialogues.makers import Commission
from earmark.builders.dialogues.records import TARGET_TURNS
from earmark.builders.dialogues.voicing.takes import Rendering, Takes
from earmark.manifests.attempts import DISSONANT, OPTIONS, RESONANT
from earmark.manifests.canonical import Json


@dataclass(frozen=True, kw_only=True)
class Origin:
    """What the corpus that comes of a synthesis is called.

    Args:
        corpus: Its name.
        version: Its version.
        licence: Its licence.
    """

    corpus: str
    version: str
    licence: str


@dataclass(frozen=True, kw_only=True)
class SpokenDialogues:
    """What came of speaking.

    Args:
        takes: All takes, by dialogue, the dialogues in the order of their names.
        choice: The pairs that were chosen of those that are kept.
        rules: How well the resonant option is found without listening; nothing where nothing is kept.
        profile: What a pair had to pass.
        most: Regenerations that a turn could have.
        origin: What the corpus is called.
        provider: Who spoke.
        model: Model or engine, with its version.
        words: What there is to say of the words check; None where nobody listened.
        asked: What was commissioned; may be empty.
        seed: What was drawn with.
    """

    takes: tuple[Takes, ...]
    choice: Choice
    rules: tuple[Shortcut, ...]
    profile: Profile
    most: int
    origin: Origin
    provider: str
    model: str
    words: Mapping[str, Json] | None
    asked: tuple[Commission, ...]
    seed: int


@dataclass(frozen=True, kw_only=True)
class TurnOutcome:
    """What came of a target turn.

    Args:
        dialogue: Name of its dialogue.
        turn: 4 or 6.
        provider: Who spoke.
        voice: In which voice.
        valence: What the first speaker brings.
        failure: What the dissonant rendering does wrong.
        passed_first: Whether the first attempts passed.
        passing: Pairs that passed in the end; of more than one the balance of signs may choose.
        points_first: Points of the first attempts; None where one of them cannot be used.
        points: Points of the best pair in the end; None where no pair can be used.
        regenerations: Clips made beyond the first of each option.
        given_up: Whether the dialogue was dropped.
    """

    dialogue: str
    turn: int
    provider: str
    voice: str
    valence: str
    failure: str
    passed_first: bool
    passing: int
    points_first: float | None
    points: float | None
    regenerations: int
    given_up: bool

    @property
    def passed(self) -> bool:
        """Whether any pair passed in the end."""
        return self.passing > 0


def outcomes(spoken: SpokenDialogues) -> tuple[TurnOutcome, ...]:
    """What came of every target turn, those of dropped dialogues too."""
    return tuple(_outcome(spoken, takes, turn) for takes in spoken.takes for turn in TARGET_TURNS)


def best_points(takes: Takes, profile: Profile) -> Mapping[tuple[Rendering, int], float]:
    """Points of the best pair of each clip that may be used, by rendering and attempt."""
    best: dict[tuple[Rendering, int], float] = {}
    for turn in TARGET_TURNS:
        for pair in pairs(takes.attempts(turn), profile):
            for clip in (((turn, RESONANT), pair.resonant), ((turn, DISSONANT), pair.dissonant)):
                best[clip] = max(best.get(clip, 0.0), pair.contrast.total)
    return best


def chosen_pairs(spoken: SpokenDialogues) -> Iterator[tuple[str, int, Pair]]:
    """Dialogue, turn and pair of everything that stands in the release."""
    for (dialogue, turn), pair in sorted(spoken.choice.pairs.items()):
        yield dialogue, turn, pair


def _outcome(spoken: SpokenDialogues, takes: Takes, turn: int) -> TurnOutcome:
    found = list(pairs(takes.attempts(turn), spoken.profile))
    first = [pair for pair in found if pair.resonant == pair.dissonant == 0]
    return TurnOutcome(
        dialogue=takes.dialogue.name,
        turn=turn,
        provider=spoken.provider,
        voice=takes.voices[1],
        valence=takes.dialogue.scenario.valence,
        failure=takes.dialogue.tone(turn, DISSONANT).failure or "unknown",
        passed_first=any(pair.contrast.passed for pair in first),
        passing=sum(pair.contrast.passed for pair in found),
        points_first=max((pair.contrast.total for pair in first), default=None),
        points=max((pair.contrast.total for pair in found), default=None),
        regenerations=sum(max(0, len(takes.made[turn, option]) - 1) for option in OPTIONS),
        given_up=takes.dropped is not None,
    )
