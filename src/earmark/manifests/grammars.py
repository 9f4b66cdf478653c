"""Answer grammars: how a judge's raw text becomes a choice, or is kept as unparsable with the reason.

A grammar accepts what a careful reader would accept and guesses nothing: labels are exact, so "None" is not "N".
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol, TypeGuard

import msgspec

from earmark.manifests.canonical import Json
from earmark.manifests.embedded import last_object
from earmark.manifests.flat_objects import FlatReader

MOST_EVIDENCE = 4
"""How many strings of evidence a row may carry."""


class Answer(msgspec.Struct, frozen=True):
    """What a response says.

    Args:
        choice: One of the grammar's labels.
        probability: Probability in [0, 1] that the choice is right; None if not given.
        evidence: Up to four strings, shown and never scored.
    """

    choice: str
    probability: float | None = None
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True)
class Unparsable:
    """Why a response has no answer."""

    reason: str


class Grammar(Protocol):
    """What reads a response and describes its form to a judge."""

    @property
    def labels(self) -> tuple[str, ...]:
        """The choices that it can return."""
        ...

    def parse(self, text: str) -> Answer | Unparsable:
        """The answer in a response."""
        ...

    def describe(self) -> Mapping[str, Json]:
        """The form of the answer, as stored in the prompts table."""
        ...


@dataclass(frozen=True)
class JsonGrammar:
    """The last top-level JSON object that has the choice counts; fences and prose around it are allowed.

    Args:
        labels: Choices, exact.
        choice: Name of the key that holds the choice.
        probability: Name of the key for the probability, or None if the family has none.
        evidence: Name of the key for evidence, or None.
        shown: What each label is called in prompts, where that is something else, in the order of the labels; a response may
            say either, in any case and spacing.
    """

    labels: tuple[str, ...]
    choice: str = "choice"
    probability: str | None = "probability"
    evidence: str | None = "evidence"
    shown: tuple[str, ...] = ()

    def parse(self, text: str) -> Answer | Unparsable:
        """The answer in a response.

        >>> JsonGrammar(("P", "N")).parse('Sure! {"choice": "N", "probability": 0.7}')
        Answer(choice='N', probability=0.7, evidence=())
        >>> JsonGrammar(("P", "N")).parse('{"choice": "None"}')
        Unparsable(reason="choice is 'None', not one of P, N")
        >>> JsonGrammar(("1", "2"), shown=("Option 1", "Option 2")).parse('{"choice": "option2"}').choice
        '2'
        """
        flat = self._flat(text)
        if flat is not None and (choice := self._label(flat.choice)) is not None:
            return Answer(choice, flat.probability, flat.evidence[:MOST_EVIDENCE])
        last = last_object(text, self.choice)
        if last is None:
            return Unparsable(f"no JSON object with the key {self.choice!r}")
        if last.repeated is not None:
            return Unparsable(f"the key {last.repeated!r} stands twice in one object")
        return self._read(last.value)

    def _read(self, value: Mapping[str, Json]) -> Answer | Unparsable:
        said = value[self.choice]
        choice = self._label(said)
        if choice is None:
            return Unparsable(f"{self.choice} is {_short(said)}, not one of {', '.join(self.shown or self.labels)}")
        probability = value.get(self.probability) if self.probability is not None else None
        if probability is not None and not is_probability(probability):
            return Unparsable(f"{self.probability} is {_short(probability)}, not a number in [0, 1]")
        evidence = value.get(self.evidence) if self.evidence is not None else None
        strings = [entry for entry in evidence if isinstance(entry, str)] if isinstance(evidence, list) else []
        shown = tuple([_writable(text) for text in strings[:MOST_EVIDENCE]]) if strings else ()
        return Answer(choice, None if probability is None else float(probability), shown)

    def _label(self, said: Json) -> str | None:
        """The label that is meant; exact where nothing else is shown."""
        if not isinstance(said, str):
            return None
        if said in self.labels:
            return said
        return self._meant.get(_squeezed(said))

    @cached_property
    def _flat(self) -> FlatReader:
        return FlatReader(self.choice, self.probability, self.evidence)

    @cached_property
    def _meant(self) -> Mapping[str, str]:
        return {_squeezed(name): label for name, label in zip(self.shown, self.labels, strict=False)}

    def describe(self) -> Mapping[str, Json]:
        """A JSON Schema of the answer."""
        properties: dict[str, Json] = {self.choice: {"type": "string", "enum": list(self.shown or self.labels)}}
        if self.probability is not None:
            properties[self.probability] = {"type": "number", "minimum": 0, "maximum": 1}
        if self.evidence is not None:
            properties[self.evidence] = {"type": "array", "items": {"type": "string"}, "maxItems": MOST_EVIDENCE}
        required = [self.choice] if self.probability is None else [self.choice, self.probability]
        return {"type": "object", "properties": properties, "required": required}


@dataclass(frozen=True)
class MarksGrammar:
    """The mark on the last line that has any; two different marks there are no answer.

    Args:
        marks: Mark and the choice it stands for, such as `[[A]]` for A.
        ignore_case: Whether `[[tie]]` is read as `[[Tie]]`.
    """

    marks: tuple[tuple[str, str], ...]
    ignore_case: bool = False

    @property
    def labels(self) -> tuple[str, ...]:
        """The choices in the order of their marks."""
        return tuple(choice for _, choice in self.marks)

    def parse(self, text: str) -> Answer | Unparsable:
        r"""The answer in a response.

        >>> MarksGrammar((("[[A]]", "A"), ("[[Tie]]", "Tie"))).parse("Both whisper.\n[[Tie]]")
        Answer(choice='Tie', probability=None, evidence=())
        """
        find = self._pattern.findall
        for line in reversed(text.splitlines()):
            found = {self._chosen[self._folded(mark)] for mark in find(line)}
            if len(found) > 1:
                return Unparsable(f"different marks on one line: {', '.join(sorted(mark for mark, _ in found))}")
            if found:
                return Answer(found.pop()[1])
        return Unparsable(f"none of the marks {', '.join(mark for mark, _ in self.marks)}")

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        longest_first = sorted((mark for mark, _ in self.marks), key=len, reverse=True)
        flags = re.ASCII | re.IGNORECASE if self.ignore_case else re.ASCII
        return re.compile("|".join(map(re.escape, longest_first)), flags)

    @cached_property
    def _chosen(self) -> Mapping[str, tuple[str, str]]:
        return {self._folded(mark): (mark, choice) for mark, choice in self.marks}

    def _folded(self, mark: str) -> str:
        return mark.lower() if self.ignore_case else mark

    def describe(self) -> Mapping[str, Json]:
        """The marks and what they stand for."""
        return {"marks": dict(self.marks)}


def is_probability(value: Json) -> TypeGuard[float]:
    """Whether a value is a finite number in [0, 1]; a truth value is not."""
    # A union made anew for each of a million answers costs more than all the rest.
    return isinstance(value, (float, int)) and not isinstance(value, bool) and 0 <= value <= 1


def _writable(text: str) -> str:
    """Text that can be written as UTF-8, whatever escapes a judge put in it."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def _squeezed(name: str) -> str:
    return "".join(name.split()).lower()


def _short(value: Json) -> str:
    shown = repr(value)
    return shown if len(shown) <= 40 else f"{shown[:40]}…"
