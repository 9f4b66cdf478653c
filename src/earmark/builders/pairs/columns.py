"""Utterances as columns: arrays of codes and numbers over which rules and cells are masks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from earmark.builders.pairing.pool import Bools, Codes, Floats
from earmark.builders.plan import Rows
from earmark.manifests.pairing import AGE_GROUPS, SEXES
from earmark.manifests.rows import Row, optional_text, text, texts, whole
from earmark.manifests.text import normalise_text

Labels = NDArray[np.object_]

ABSENT = -1
"""The code of what is not known."""


@dataclass(frozen=True, eq=False)
class Columns:
    """Utterances, ascending by name.

    Args:
        rows: Their rows.
        measures: By name of a nuisance, (n,) numbers; NaN where something was not measured.
    """

    rows: Rows
    measures: Mapping[str, Floats]

    def __len__(self) -> int:
        return len(self.rows)

    @cached_property
    def ids(self) -> tuple[str, ...]:
        """Names of the utterances."""
        return tuple(text(row, "utterance") for row in self.rows)

    @cached_property
    def words(self) -> tuple[tuple[str, ...], ...]:
        """The normalised words of each; empty where it has no text."""
        return tuple(tuple(words_of(row)) for row in self.rows)

    @cached_property
    def marked(self) -> tuple[tuple[str, ...], ...]:
        """Each marked word or phrase of each."""
        return tuple(tuple(texts(row, "emphasised")) for row in self.rows)

    @cached_property
    def speaker(self) -> Codes:
        """(n,) code of who speaks."""
        return codes([text(row, "speaker") for row in self.rows])

    @cached_property
    def text(self) -> Codes:
        """(n,) code of the normalised text; absent where there is none, or none of a word."""
        return codes([" ".join(words) or None for words in self.words])

    @cached_property
    def corpus(self) -> Codes:
        """(n,) code of the corpus."""
        return codes([text(row, "corpus") for row in self.rows])

    @cached_property
    def sex(self) -> Codes:
        """(n,) index in `SEXES`."""
        return codes([optional_text(row, "sex") for row in self.rows], SEXES)

    @cached_property
    def age_group(self) -> Codes:
        """(n,) index in `AGE_GROUPS`, youngest first."""
        return codes([optional_text(row, "age_group") for row in self.rows], AGE_GROUPS)

    @cached_property
    def age(self) -> Codes:
        """(n,) years; absent where not known."""
        ages = [row["age"] for row in self.rows]
        return np.array([age if isinstance(age, int) else ABSENT for age in ages], dtype=np.int64)

    def labels(self, name: str) -> Labels:
        """(n,) the strings of one column, None where absent."""
        return np.array([optional_text(row, name) for row in self.rows], dtype=object)

    def taken(self, keep: Bools) -> Columns:
        """Some of the utterances."""
        at = np.flatnonzero(keep)
        return Columns([self.rows[i] for i in at], {name: values[at] for name, values in self.measures.items()})


def words_of(row: Row) -> list[str]:
    """The normalised words of an utterance, none where it has no text."""
    spoken = optional_text(row, "text")
    return normalise_text(spoken).split() if spoken else []


def seconds_of(row: Row) -> float:
    """Length of an utterance, seconds."""
    return (whole(row, "end") - whole(row, "start")) / whole(row, "rate")


def codes(values: Sequence[str | None], known: Sequence[str] | None = None) -> Codes:
    """Each value's index among the known ones, or among those there are in order; `ABSENT` for None.

    >>> codes(["b", None, "a", "b"]).tolist()
    [1, -1, 0, 1]
    """
    names = known if known is not None else sorted({value for value in values if value is not None})
    index = {name: i for i, name in enumerate(names)}
    return np.array([ABSENT if value is None else index.get(value, ABSENT) for value in values], dtype=np.int64)
