"""Corpora before they are files: who spoke when in which role, and the table that says who played whom.

Times are in seconds from the start that both members of a conversation share. Voice activity of one speaker is sorted and
apart; that of two speakers may overlap, as in real talk.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from hypothesis import strategies as st

ASSIGNMENT_COLUMNS = ("prompt_id_unique", "a_id", "b_id", "role_a", "role_b")
"""Those of StanceBench's assignment table that decide something."""

ROLES = ("Warm", "Aloof", "Empathetic", "Callous", "Outgoing", "Taciturn", "Yielding", "Dominant", "Crafty")
"""Roles of Seamless Interaction: of both poles of four dimensions, and one that no dimension of the paper has."""

_WORDS = ("well", "I", "don't", "know", "um", "the", "key", "is", "über", "there", "[laugh]", "naïve", "2")


@dataclass(frozen=True)
class TimedWord:
    """A word; its times are None where the corpus has none."""

    text: str
    start: float | None
    end: float | None


@dataclass(frozen=True)
class Side:
    """One member of a conversation.

    Args:
        file_id: Such as `V00_S0001_I00000634_P0001A`.
        role: What the prompt asks for; None where it names no role.
        vad: Spans of speech in seconds, sorted, apart, within the recording.
        words: The transcript; None where there is none.
    """

    file_id: str
    role: str | None
    vad: tuple[tuple[float, float], ...]
    words: tuple[TimedWord, ...] | None


@dataclass(frozen=True)
class Conversation:
    """Two members at one prompt.

    Args:
        prompt_id: Id of the prompt.
        number: Number of the prompt, which stands in the file ids.
        seconds: Length of both recordings.
        a: Who played side A.
        b: Who played side B.
    """

    prompt_id: str
    number: int
    seconds: float
    a: Side
    b: Side

    @property
    def assignment(self) -> dict[str, str]:
        """Its row of the assignment table."""
        cells = (self.prompt_id, self.a.file_id, self.b.file_id, self.a.role or "", self.b.role or "")
        return dict(zip(ASSIGNMENT_COLUMNS, cells, strict=True))


@st.composite
def conversations(draw: st.DrawFn, *, most_seconds: float = 120.0) -> Conversation:
    """A conversation with voice activity, words and roles; either side may be silent or without words.

    Args:
        draw: Given by Hypothesis.
        most_seconds: Longest recording, 1 or more.

    Example:
        >>> @given(conversations())                                 # doctest: +SKIP
        ... def test_segmentation_uses_no_second_twice(conversation): ...
    """
    return draw(_spoken(draw(_casts()), most_seconds))


def corpora(
    *, least: int = 1, most: int = 6, most_seconds: float = 120.0
) -> st.SearchStrategy[tuple[Conversation, ...]]:
    """Several conversations, in any order; no two of one vendor, session and prompt.

    Example:
        >>> @given(corpora(), st.randoms())                         # doctest: +SKIP
        ... def test_the_order_changes_nothing(corpus, random): ...
    """
    return _many(least, most).flatmap(lambda casts: st.tuples(*(_spoken(cast, most_seconds) for cast in casts)))


def assignments(*, least: int = 1, most: int = 6) -> st.SearchStrategy[list[dict[str, str]]]:
    """Rows of an assignment table in StanceBench's columns, one per conversation.

    Example:
        >>> @given(assignments())                                   # doctest: +SKIP
        ... def test_my_mapping_finds_every_role(rows): ...
    """
    return _many(least, most).map(lambda casts: [cast.assignment for cast in casts])


def _many(least: int, most: int) -> st.SearchStrategy[list[Conversation]]:
    return st.lists(_casts(), min_size=least, max_size=most, unique_by=lambda entry: entry.a.file_id.rpartition("_")[0])


@st.composite
def _casts(draw: st.DrawFn) -> Conversation:
    """Who plays whom, before a word is said."""
    vendor, session, number = draw(st.integers(0, 3)), draw(st.integers(1, 200)), draw(st.integers(1, 9999))
    first = draw(st.integers(1, 999))
    second = draw(st.integers(1, 998))
    roles = draw(st.sampled_from(ROLES)), draw(st.sampled_from((*ROLES, None)))
    sides = []
    for participant, role in zip((first, second + (second >= first)), roles, strict=True):
        letter = draw(st.sampled_from(("", "A")))
        sides.append(Side(f"V{vendor:02d}_S{session:04d}_I{number:08d}_P{participant:04d}{letter}", role, (), None))
    return Conversation(f"P{number:04d}_v3.2.0.RP_AMCP_AMCN", number, 1.0, *sides)


@st.composite
def _spoken(draw: st.DrawFn, cast: Conversation, most_seconds: float) -> Conversation:
    seconds = draw(st.integers(100, round(100 * most_seconds))) / 100
    sides = []
    for side in (cast.a, cast.b):
        vad = draw(_voice_activity(seconds))
        sides.append(replace(side, vad=vad, words=draw(st.none() | _words(vad))))
    return replace(cast, seconds=seconds, a=sides[0], b=sides[1])


@st.composite
def _voice_activity(draw: st.DrawFn, seconds: float) -> tuple[tuple[float, float], ...]:
    """Spans in hundredths of a second, gaps and lengths mixed so that backchannels, turns and long speech all occur."""
    spans, at = [], draw(st.integers(0, 300)) / 100
    for length, gap in draw(st.lists(st.tuples(st.integers(5, 2000), st.integers(1, 400)), max_size=12)):
        end = round(at + length / 100, 2)
        if end > seconds:
            break
        spans.append((at, end))
        at = round(end + gap / 100, 2)
    return tuple(spans)


@st.composite
def _words(draw: st.DrawFn, vad: tuple[tuple[float, float], ...]) -> tuple[TimedWord, ...]:
    """Words evenly over each span, some without times."""
    words = []
    for start, end in vad:
        count = min(draw(st.integers(0, 6)), int((end - start) / 0.05))
        for n in range(count):
            text = draw(st.sampled_from(_WORDS))
            edges = (round(start + (end - start) * k / count, 3) for k in (n, n + 1))
            words.append(TimedWord(text, *edges) if draw(st.integers(0, 9)) else TimedWord(text, None, None))
    return tuple(words)
