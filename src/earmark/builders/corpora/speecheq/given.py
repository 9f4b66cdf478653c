"""SpeechEQ's dialogues as builders need them: what a folder gives, and what of it is dropped."""

from __future__ import annotations

from dataclasses import dataclass

from earmark.builders.corpora.speecheq.names import Gender


@dataclass(frozen=True)
class GivenPerson:
    """A speaker as the record has it.

    Args:
        name: Given name.
        role: Who that is.
        gender: Spelt our way.
    """

    name: str
    role: str
    gender: Gender


@dataclass(frozen=True)
class GivenClip:
    """A clip as the record has it.

    Args:
        turn: 1 to 6.
        option: context, resonant or dissonant.
        path: POSIX path of its file within the corpus.
        text: What is said.
        tone: Tone description; None where there is none.
        voice: Name of the voice.
        failure: Slug of the failure of a dissonant clip; None where it is not named.
    """

    turn: int
    option: str
    path: str
    text: str
    tone: str | None
    voice: str
    failure: str | None = None


@dataclass(frozen=True, kw_only=True)
class GivenDialogue:
    """A dialogue as its record has it.

    Args:
        name: Its name.
        generation: v1 or v2.
        subscale: Slug.
        valence: None where it is not known.
        title: A few words.
        context: The place.
        description: What happens.
        first: Who speaks the odd turns.
        second: Who speaks the even ones.
        clips: Eight, in the order of `earmark.builders.corpora.speecheq.names.NUMBERS`.
        record: The whole record as JSON text, without the paths of whoever made it.
    """

    name: str
    generation: str
    subscale: str
    valence: str | None
    title: str
    context: str
    description: str
    first: GivenPerson
    second: GivenPerson
    clips: tuple[GivenClip, ...]
    record: str


@dataclass(frozen=True, kw_only=True)
class Dropped:
    """A dialogue that is not used.

    Args:
        name: Its name.
        subscale: Slug; None where it is not known.
        valence: None where it is not known.
        title: What people call it; empty where it has no title.
        record: The whole record as JSON text.
        reasons: Why, in the words of the findings.
    """

    name: str
    subscale: str | None
    valence: str | None
    title: str
    record: str
    reasons: tuple[str, ...]


@dataclass(frozen=True)
class Given:
    """What a folder holds.

    Args:
        dialogues: Those that can be used, by name.
        dropped: Those that cannot.
        metadata: Hash of all records, by what it is of.
    """

    dialogues: tuple[GivenDialogue, ...]
    dropped: tuple[Dropped, ...]
    metadata: dict[str, str]
