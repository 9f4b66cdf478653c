"""What a layout is: where a row of a mirror belongs in the corpus, and which text files go with all of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol, TypeAlias

from earmark.manifests.findings import Code, Severity, declare

BAD_ID = declare("mirror.bad-id", Severity.ERROR, "the row's id is none of the corpus's; dropped")
BAD_VALUE = declare("mirror.bad-value", Severity.ERROR, "the row's value is of another type than it should be; dropped")
DISAGREES = declare("mirror.disagrees", Severity.ERROR, "the row's columns contradict its id; dropped")
UNKNOWN_SPLIT = declare("mirror.unknown-split", Severity.ERROR, "the mirror's split is none of the corpus's; dropped")
WINDOW = declare("mirror.window", Severity.NOTE, "the row is a part of a long recording; left out")


class Placed(NamedTuple):
    """A row that has its place.

    Attributes:
        id: the corpus's id.
        path: where its WAV file belongs, POSIX, relative to the corpus's root.
        split: the split, in the corpus's spelling.
        text: its words; None where the mirror has none.
        original: its words as printed, where the corpus tells the two apart.
    """

    id: str
    path: str
    split: str
    text: str | None
    original: str | None = None


class Wrong(ValueError):
    """A row without a place: the code of the finding, the column, what was found and what would be right."""

    def __init__(self, code: Code, column: str, found: object, expected: str | None = None) -> None:
        super().__init__(f"{code.means}: {found}")
        self.code, self.column, self.found, self.expected = code, column, found, expected


class MirrorRows(Protocol):
    """One split of a mirror: what `datasets.Dataset` is."""

    @property
    def column_names(self) -> list[str]:
        """The columns."""
        ...

    def __len__(self) -> int: ...

    def __iter__(self) -> Iterator[Mapping[str, object]]: ...

    def select_columns(self, column_names: list[str]) -> MirrorRows:
        """The same rows with these columns alone."""
        ...


Mirror: TypeAlias = Mapping[str, MirrorRows]
"""A mirror's splits by name; audio is undecoded, a `bytes` and a `path`."""


class Layout(Protocol):
    """How one corpus lies on disk."""

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that a mirror must have, besides the audio."""
        ...

    @property
    def further(self) -> tuple[str, ...]:
        """The columns that are read where a mirror has them."""
        ...

    def place(self, row: Mapping[str, object], split: str) -> Placed:
        """Where a row belongs.

        Args:
            row: The columns of the row, without the audio.
            split: The mirror's split.

        Raises:
            Wrong: If it belongs nowhere.
        """
        ...

    def lacks(self, splits: Sequence[str]) -> str | None:
        """What the corpus's reader needs and neither a mirror of these splits nor the user has; None where all is there."""
        ...

    def tables(self, placed: Sequence[Placed], splits: Sequence[str]) -> Mapping[str, Sequence[str]]:
        """Lines of the tables that list the recordings, by POSIX path; order does not matter.

        Args:
            placed: The rows whose audio was written.
            splits: All splits that the mirror has.
        """
        ...

    def copies(self) -> Mapping[str, Path]:
        """Files of the user's that mirrors lack, by the POSIX path that each belongs at."""
        ...


def text_in(row: Mapping[str, object], column: str) -> str | None:
    """A text that fits on a line, or None; what would end a field or line becomes a space.

    Raises:
        Wrong: If it is something else.
    """
    value = row.get(column)
    if value is None:
        return None
    if not isinstance(value, str):
        raise Wrong(BAD_VALUE, column, type(value).__name__, "a text")
    return value.replace("\t", " ").replace("\r\n", " ").replace("\n", " ").replace("\r", " ")


def id_in(row: Mapping[str, object]) -> str:
    """The id of a row.

    Raises:
        Wrong: If it is no text.
    """
    value = row.get("id")
    if not isinstance(value, str):
        raise Wrong(BAD_VALUE, "id", type(value).__name__, "a text")
    return value
