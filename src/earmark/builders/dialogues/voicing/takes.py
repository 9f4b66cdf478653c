"""A take: one clip that was made for a line, what was measured of it, and what became of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from earmark.builders.contrast.features import Features
from earmark.builders.contrast.gate import Attempt
from earmark.builders.dialogues.makers import LineToSpeak, SpokenLine, Unspoken
from earmark.builders.dialogues.records import RENDERINGS, TARGET_TURNS, Dialogue
from earmark.builders.dialogues.voicing.hearing import Heard
from earmark.manifests.attempts import CONTEXT, OPTIONS

Rendering: TypeAlias = tuple[int, str]
"""A turn and an option of it; see `earmark.builders.dialogues.records.RENDERINGS`."""

NO_CLIP = "unspoken"
UNREADABLE = "unreadable"
NO_SPEECH = "no-speech"
OTHER_WORDS = "other-words"
REJECTIONS = {
    NO_CLIP: "the voice gave no audio that can be used",
    UNREADABLE: "the file cannot be measured",
    NO_SPEECH: "no speech is heard in it",
    OTHER_WORDS: "it does not say the script, or not what the other option says",
}
"""Why a clip may not be used: what the text in the table of attempts begins with."""


@dataclass(frozen=True, kw_only=True)
class Take:
    """A clip.

    Args:
        line: What was to be spoken.
        spoken: What came of it; None until the voice was asked.
        heard: What was measured; None of a clip that gave nothing to measure.
        transcript: What the listener wrote; None where nobody listened.
        wer: Word error rate of that; None where nobody listened.
        rejected: Why it may not be used: a key of `REJECTIONS`, a colon and the details. None where it may.
        remade: Why another one was made after it: a key of `earmark.builders.contrast.gate.REASONS`; None where none was.
        used: Whether it stands in the release.
    """

    line: LineToSpeak
    spoken: SpokenLine | None = None
    heard: Heard | None = None
    transcript: str | None = None
    wer: float | None = None
    rejected: str | None = None
    remade: str | None = None
    used: bool = False

    @property
    def rendering(self) -> Rendering:
        """Turn and option."""
        return self.line.turn, self.line.option

    def with_speech(self, found: SpokenLine | Unspoken) -> Take:
        """The take after the voice was asked."""
        if isinstance(found, Unspoken):
            return replace(self, rejected=f"{NO_CLIP}: {found.reason}")
        return replace(self, spoken=found)

    def with_measures(self, found: Heard | str) -> Take:
        """The take after it was measured."""
        if isinstance(found, str):
            return replace(self, rejected=f"{UNREADABLE}: {found}")
        return replace(self, heard=found, rejected=None if found.speaks else f"{NO_SPEECH}: {REJECTIONS[NO_SPEECH]}")

    def as_attempt(self) -> Attempt:
        """The take as the gate takes it."""
        return Attempt(
            option=self.line.option,
            number=self.line.attempt,
            features=self.heard.features if self.heard else Features(),
            seed=self.spoken.seed if self.spoken else None,
            file_hash=self.spoken.file_hash if self.spoken else None,
            rejected=self.rejected,
        )


@dataclass
class Takes:
    """All takes of a dialogue.

    Args:
        dialogue: The dialogue.
        voices: Of the first and of the second speaker.

    Attributes:
        made: The takes of each rendering, in the order of the attempts.
        dropped: Why the dialogue was given up; None where it was not.
        no_contrast: Whether that was for want of contrast, and not of a clip.
    """

    dialogue: Dialogue
    voices: tuple[str, str]

    def __post_init__(self) -> None:
        self.made: dict[Rendering, list[Take]] = {rendering: [] for rendering in RENDERINGS}
        self.dropped: str | None = None
        self.no_contrast = False

    def line(self, rendering: Rendering, seed: int) -> LineToSpeak:
        """The next attempt at a rendering."""
        turn, option = rendering
        return LineToSpeak(
            dialogue=self.dialogue.name,
            turn=turn,
            option=option,
            attempt=len(self.made[rendering]),
            text=self.dialogue.script.line(turn),
            tone=self.dialogue.tone(turn, option).instruction,
            voice=self.voices[0 if turn % 2 else 1],
            seed=seed,
        )

    def of_turn(self, turn: int) -> list[Take]:
        """All takes of a turn, by option and attempt."""
        return [take for option in (CONTEXT, *OPTIONS) for take in self.made.get((turn, option), [])]

    def attempts(self, turn: int) -> list[Attempt]:
        """All takes of a target turn as the gate takes them."""
        return [take.as_attempt() for take in self.of_turn(turn)] if turn in TARGET_TURNS else []

    def usable(self, rendering: Rendering) -> list[Take]:
        """Takes of a rendering that may be used."""
        return [take for take in self.made[rendering] if take.rejected is None]

    def every(self) -> Sequence[Take]:
        """All takes, in the order of the renderings and the attempts."""
        return [take for rendering in RENDERINGS for take in self.made[rendering]]
