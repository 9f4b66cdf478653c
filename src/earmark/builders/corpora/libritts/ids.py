"""Utterance ids of LibriTTS, `<reader>_<chapter>_<6 digits>_<6 digits>`: paragraph and sentence; and the names of its subsets."""

from __future__ import annotations

import re
from typing import NamedTuple

SUBSETS = (
    "dev-clean",
    "dev-other",
    "test-clean",
    "test-other",
    "train-clean-100",
    "train-clean-360",
    "train-other-500",
)
"""The official subsets, which are its splits."""

FORM = "<reader>_<chapter>_<6 digits>_<6 digits>"

_ID = re.compile(r"([0-9]{1,9})_([0-9]{1,9})_([0-9]{6})_([0-9]{6})")


class UtteranceId(NamedTuple):
    """An id, which is also the stem of its files.

    Attributes:
        reader: id of the reader, digits.
        chapter: id of the chapter, digits.
        paragraph: six digits.
        sentence: six digits.

    >>> UtteranceId.parse("61_70968_000000_000002").folder
    '61/70968'
    """

    reader: str
    chapter: str
    paragraph: str
    sentence: str

    @classmethod
    def parse(cls, text: str) -> UtteranceId:
        """The id that a text spells.

        Raises:
            ValueError: If it is none.
        """
        match = _ID.fullmatch(text)
        if match is None:
            raise ValueError(f"{text!r} is no id of LibriTTS, which is {FORM}")
        return cls(*match.groups())

    def __str__(self) -> str:
        return "_".join(self)

    @property
    def folder(self) -> str:
        """Its folder within the subset."""
        return f"{self.reader}/{self.chapter}"

    @property
    def session(self) -> str:
        """Reader and chapter: what was recorded in one go, and the stem of the chapter's tables."""
        return f"{self.reader}_{self.chapter}"


def ids_in(text: str) -> frozenset[str]:
    """Every id that a text names, wherever it stands."""
    return frozenset(re.findall(r"(?<![0-9_])[0-9]{1,9}_[0-9]{1,9}_[0-9]{6}_[0-9]{6}(?![0-9_])", text))
