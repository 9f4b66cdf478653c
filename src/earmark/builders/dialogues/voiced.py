"""A dialogue that has voices, whether it was made or read: all that a release is made of."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from earmark.builders.dialogues.records import RENDERINGS, Person
from earmark.manifests.rows import Row

NOT_STATED = "not stated"
"""Stands for a voice, a model or a licence of which nobody says anything."""


@dataclass(frozen=True, kw_only=True)
class VoicedClip:
    """A rendering that was spoken.

    Args:
        turn: 1 to 6.
        option: context, resonant or dissonant.
        path: POSIX path of its file within the corpus.
        rate: Hz.
        frames: Samples.
        text: What is said.
        tone: The instruction; None where it is not known.
        failure: Slug of the failure of a dissonant rendering; None where there is none or it is not known.
        voice: Name of the voice.
        provider: Who spoke.
        model: Model or engine, with its version.
        attempt: Which attempt it is, from 0.
        pcm_hash: Hash of its samples.
        wer: Word error rate; None where it was not checked.
        sound: Its columns of `earmark.manifests.acoustics.MEASURES`.
        affect: Valence, arousal and dominance, 0 to 1 each; None where nobody asked a model.
    """

    turn: int
    option: str
    path: str
    rate: int
    frames: int
    text: str
    tone: str | None
    failure: str | None = None
    voice: str
    provider: str
    model: str
    attempt: int = 0
    pcm_hash: str | None
    wer: float | None = None
    sound: Row
    affect: tuple[float, float, float] | None = None


@dataclass(frozen=True, kw_only=True)
class VoicedDialogue:
    """A dialogue as it goes into a release, whether it was made or read.

    Args:
        name: Its name within the corpus.
        corpus: Name of the corpus.
        corpus_version: Its version.
        licence: Its licence.
        subscale: Slug of the subscale.
        valence: None where it is not known.
        type: Slug of the scenario type; None where it is not known.
        title: What people call it.
        context: The place; shown to judges.
        description: What happens; shown to judges.
        first: Who speaks the odd turns.
        second: Who speaks the even ones.
        clips: Eight, in the order of `RENDERINGS`.
        record: The whole of it as JSON text, for the private table of dialogues.
    """

    name: str
    corpus: str
    corpus_version: str
    licence: str
    subscale: str
    valence: str | None
    type: str | None
    title: str
    context: str
    description: str
    first: Person
    second: Person
    clips: tuple[VoicedClip, ...]
    record: str

    def clip(self, turn: int, option: str) -> VoicedClip:
        """One of the eight."""
        return self.clips[RENDERINGS.index((turn, option))]


@dataclass(frozen=True, kw_only=True)
class Voiced:
    """All that is needed of dialogues to make a release of them.

    Args:
        dialogues: Those that are in it.
        root: Folder that the clips' paths start from.
        attempts: Rows of the table `attempts`.
        dropped: Rows of the table `dialogues` of those that are not in it, each with its reason.
        report: What people want to know: counts, pass rates, rules, by section.
        recipe: What belongs into the resolved recipe besides: models, voices, profile, limits, by section.
        pages: Further files of the private side, by name.
    """

    dialogues: tuple[VoicedDialogue, ...]
    root: Path
    attempts: list[dict[str, object]]
    dropped: list[dict[str, object]]
    report: dict[str, object]
    recipe: dict[str, object]
    pages: dict[str, str]
