"""File stems of Expresso: who speaks, in which style, and the number of the sentence or conversation.

`ex03_default_emphasis_00010` is read: speaker ex03, sub-style default_emphasis, whose first part is the style.
`ex04-ex01_animal-animaldir_007` is a conversation: ex04 on the first channel and ex01 on the second; where two styles stand, each
speaker has the one in their place.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

READ_FORM = "exNN_<sub-style>_<5 digits>"
CONVERSATION_FORM = "exNN-exNN_<style or styles>_<3 digits>"

LONGFORM = "longform"
"""Last part of the sub-styles that are long passages; all others are single sentences, of the part `base`."""

_READ = re.compile(r"(ex[0-9]{2})_([a-z]+(?:_[a-z]+)*)_([0-9]{5})")
_CONVERSATION = re.compile(r"(ex[0-9]{2})-(ex[0-9]{2})_([a-z]+)(?:-([a-z]+))?_([0-9]{3})")


@dataclass(frozen=True, slots=True)
class ReadStem:
    """Stem of a read recording, one channel.

    >>> stem = ReadStem("ex03", "default_emphasis", "00010")
    >>> str(stem), stem.style, stem.path
    ('ex03_default_emphasis_00010', 'default', 'audio_48khz/read/ex03/default/base/ex03_default_emphasis_00010.wav')
    """

    speaker: str
    substyle: str
    number: str

    def __str__(self) -> str:
        return f"{self.speaker}_{self.substyle}_{self.number}"

    @property
    def style(self) -> str:
        """The style, which is also the name of the folder."""
        return self.substyle.partition("_")[0]

    @property
    def is_longform(self) -> bool:
        """Whether it is a long passage, of which the splits hold windows."""
        return self.substyle.rpartition("_")[2] == LONGFORM

    @property
    def path(self) -> str:
        """Where its file belongs, POSIX, relative to the corpus's root."""
        part = LONGFORM if self.is_longform else "base"
        return f"audio_48khz/read/{self.speaker}/{self.style}/{part}/{self}.wav"


@dataclass(frozen=True, slots=True)
class ConversationStem:
    """Stem of a conversation, one channel for each speaker.

    >>> stem = ConversationStem(("ex04", "ex01"), ("animal", "animaldir"), "007")
    >>> str(stem), stem.path
    ('ex04-ex01_animal-animaldir_007', 'audio_48khz/conversational/ex04-ex01/animal-animaldir/ex04-ex01_animal-animaldir_007.wav')
    """

    speakers: tuple[str, str]
    styles: tuple[str, str]
    number: str

    def __str__(self) -> str:
        return f"{self._pair}_{self._styles}_{self.number}"

    @property
    def path(self) -> str:
        """Where its file belongs, POSIX, relative to the corpus's root."""
        return f"audio_48khz/conversational/{self._pair}/{self._styles}/{self}.wav"

    @property
    def _pair(self) -> str:
        return "-".join(self.speakers)

    @property
    def _styles(self) -> str:
        # One style that both have is written once.
        return "-".join(dict.fromkeys(self.styles))


Stem = ReadStem | ConversationStem


def parse_stem(text: str) -> Stem:
    """The stem that a text spells.

    Raises:
        ValueError: If it is none.
    """
    if read := _READ.fullmatch(text):
        return ReadStem(*read.groups())
    if conversation := _CONVERSATION.fullmatch(text):
        first, second, style, other, number = conversation.groups()
        if other != style:
            return ConversationStem((first, second), (style, other or style), number)
    raise ValueError(f"{text!r} is no stem of Expresso, which is {READ_FORM} or {CONVERSATION_FORM}")
