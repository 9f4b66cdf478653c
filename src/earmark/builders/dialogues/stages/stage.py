"""A stage of writing: what goes in, how it is asked, what comes back, what is wrong with it, and what it becomes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

import msgspec

from earmark.builders.dialogues.checks import WordLists

GivenT = TypeVar("GivenT")
AnswerT = TypeVar("AnswerT", bound=msgspec.Struct)
RecordT = TypeVar("RecordT")


class Shape(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The form of an answer, as structured outputs want it: no unknown field, none optional."""


@dataclass(frozen=True)
class Stage(Generic[GivenT, AnswerT, RecordT]):
    """A stage.

    Args:
        name: Name of its template.
        shape: Form of its answer.
        fields: What is filled in into its template.
        record: What an answer becomes.
        check: What is wrong with an answer; none where it is sound.
    """

    name: str
    shape: type[AnswerT]
    fields: Callable[[GivenT, WordLists], Mapping[str, str]]
    record: Callable[[AnswerT, GivenT], RecordT]
    check: Callable[[AnswerT, GivenT, WordLists], tuple[str, ...]]
