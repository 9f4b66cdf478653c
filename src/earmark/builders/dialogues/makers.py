"""Who makes a dialogue: somebody who writes it, a voice that speaks its lines, and somebody who listens to whether it says them.

Each is an interface with an offline and an online side, so that the stages between them need not know which it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeAlias

from earmark.builders.dialogues.records import Dialogue
from earmark.builders.ledger.calls import CallRequest


@dataclass(frozen=True, order=True)
class Cell:
    """A cell of the quotas.

    Args:
        subscale: Slug.
        valence: Positive, Negative or Conflict.
        type: Slug of the scenario type.
    """

    subscale: str
    valence: str
    type: str


@dataclass(frozen=True, order=True)
class Commission:
    """One dialogue that is asked for.

    Args:
        name: Its name within the build; decides every draw that is made for it.
        cell: What it must be.
    """

    name: str
    cell: Cell


@dataclass(frozen=True)
class Unwritten:
    """A dialogue that did not come about.

    Args:
        name: Its name.
        stage: Where it was given up.
        reasons: What was wrong with each attempt.
    """

    name: str
    stage: str
    reasons: tuple[str, ...]


Written: TypeAlias = Dialogue | Unwritten


class Writer(Protocol):
    """Somebody who writes dialogues."""

    @property
    def provider(self) -> str:
        """Address of a server, or a name that stands for it."""
        ...

    @property
    def model(self) -> str:
        """Model or rule set, with its version."""
        ...

    async def write(self, commission: Commission) -> Written:
        """Write one; what is rejected on the way is tried again, with the reason, as often as is allowed."""
        ...

    def planned(self, commission: Commission) -> Sequence[CallRequest]:
        """The calls that it takes at least, as large as they may be: what a dry run prices. None offline."""
        ...


@dataclass(frozen=True, kw_only=True)
class LineToSpeak:
    """A line, and how and for what it is spoken.

    Args:
        dialogue: Name of the dialogue.
        turn: 1 to 6.
        option: context, resonant or dissonant.
        attempt: From 0; a later one must come out another way.
        text: What is said.
        tone: The instruction.
        voice: Name of the voice, one of the cast.
        seed: Of whatever is drawn.
    """

    dialogue: str
    turn: int
    option: str
    attempt: int
    text: str
    tone: str
    voice: str
    seed: int

    @property
    def filename(self) -> str:
        """Where it is put, under the folder of clips.

        >>> LineToSpeak(dialogue="d", turn=4, option="resonant", attempt=1, text="Oh.", tone="", voice="v", seed=0).filename
        'd/4-resonant-1.wav'
        """
        return f"{self.dialogue}/{self.turn}-{self.option}-{self.attempt}.wav"


@dataclass(frozen=True)
class SpokenLine:
    """A file that was made.

    Args:
        path: POSIX path under the folder of clips.
        file_hash: sha256 of its bytes, hex.
        seed: What it was drawn with; None where the voice has none.
    """

    path: str
    file_hash: str
    seed: int | None


@dataclass(frozen=True)
class Unspoken:
    """A line that gave no audio that can be used.

    Args:
        reason: What was wrong.
    """

    reason: str


class Speaker(Protocol):
    """A voice, or several."""

    @property
    def provider(self) -> str:
        """Address of a server, or a name that stands for it."""
        ...

    @property
    def model(self) -> str:
        """Model or engine, with its version."""
        ...

    def cast(self, dialogue: Dialogue) -> tuple[str, str]:
        """The voices of the first and the second speaker: two different ones, by gender, drawn by the dialogue's name."""
        ...

    async def speak(self, lines: Sequence[LineToSpeak], folder: Path) -> Sequence[SpokenLine | Unspoken]:
        """Speak lines into files of a folder, in their order; what was spoken before is not spoken again."""
        ...

    def planned(self, lines: Sequence[LineToSpeak]) -> Sequence[CallRequest]:
        """The calls that it takes: what a dry run prices. None offline."""
        ...


class Listener(Protocol):
    """Somebody who writes down what a clip says."""

    @property
    def name(self) -> str:
        """Engine and weights, as the release states them."""
        ...

    def transcribe(self, paths: Sequence[Path]) -> Sequence[str]:
        """What each file says."""
        ...
