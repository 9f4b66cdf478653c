"""What stands in the cells of a result sheet: the items of a speaker that were judged, and those that failed."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Annotated, NamedTuple

import msgspec
from msgspec import Meta

from earmark.builders.converting.reading import converted, json_value
from earmark.manifests.canonical import Json

SINGLE, INTERACTION = "single", "interaction"

_IPU = re.compile(r"_(\d{1,10})_(\d{1,10})(?:_is_backchannel)?(?:\.wav)?$")
_NUMBERED = re.compile(r"_(\d{1,6})\.wav")
_Label = Annotated[str, Meta(max_length=1 << 16)]
_Labels = Annotated[list[_Label], Meta(max_length=10_000)]


class Span(NamedTuple):
    """A stretch of a recording, ms."""

    start: int
    end: int


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """An entry of evidence or of a failure note, as the runner writes it; what is not named here is let be."""

    item_index: int | None = None
    item_type: str
    item_label: _Label = ""
    choice_v0: str | None = None
    choice_v1: str | None = None
    prob_v0: float | None = None
    prob_v1: float | None = None
    score_v0_mapped: float | None = None
    score_v1_mapped: float | None = None
    evidence_v0: list[object] | None = None
    evidence_v1: list[object] | None = None
    source_ipus: _Labels = []
    target_ipu_id: _Label = ""
    context_ipu_id: _Label = ""
    target_position: int | None = None
    variant: int | str | None = None
    raw_output: str | None = None


@dataclass(frozen=True)
class Answer:
    """What was said of an item in one order of its poles.

    Args:
        choice: P or N; None where that is not what stands there.
        probability: Probability that it is right, in [0, 1]; None where that is not what stands there.
        score: The same on the runner's scale, in [−2, 2].
        evidence: What was quoted.
        raw: What was said, where the runner could not read it.
    """

    choice: str | None = None
    probability: float | None = None
    score: float | None = None
    evidence: tuple[object, ...] = ()
    raw: str | None = None


@dataclass(frozen=True)
class Heard:
    """An item as StanceBench had it.

    Args:
        label: What the runner calls it.
        kind: single or interaction.
        spans: Where the target speaks in the recording; empty where the labels do not say.
        context_after: Whether the context follows; None where that cannot be told.
        number: Its place among the items of a conversation.
        answers: What was said with the positive pole first, and with the negative one first; no choice where that failed.
    """

    label: str
    kind: str
    spans: tuple[Span, ...]
    context_after: bool | None
    number: int
    answers: tuple[Answer, Answer]

    @property
    def clip(self) -> str:
        """The id of a clip, if the item is called after one."""
        return PurePosixPath(self.label.replace("\\", "/")).stem


class NotCells(ValueError):
    """A cell that is none of the runner's."""


def heard_in(evidence: str, failures: str) -> list[Heard]:
    """The items of one speaker: those with answers, then those that failed, each once.

    Args:
        evidence: The cell of items that were judged.
        failures: The cell of failure notes; an item may have one for each order.

    Raises:
        NotCells: If a cell is no list of entries.
    """
    items = [_heard(entry, answered=True) for entry in _entries(evidence)]
    failed: dict[tuple[str, int | None], list[Entry]] = {}
    for entry in _entries(failures):
        failed.setdefault((entry.item_label, entry.item_index), []).append(entry)
    for notes in failed.values():
        answered = next((note for note in notes if note.variant == "map"), None)
        item = _heard(answered or notes[0], answered=answered is not None)
        items.append(item if answered else _with_raw(item, notes))
    return items


def _entries(cell: str) -> list[Entry]:
    if not cell.strip():
        return []
    try:
        value: Json = json_value(cell)
        return converted(value, list[Entry])
    except (ValueError, msgspec.ValidationError) as error:
        raise NotCells(str(error)) from None


def _heard(entry: Entry, *, answered: bool) -> Heard:
    own = entry.source_ipus or (entry.target_ipu_id or entry.item_label).split("+")
    spans = tuple(span for label in own if (span := _span(label)) is not None)
    position = {1: True, 2: False}.get(entry.target_position or 0)
    if position is None and entry.context_ipu_id and spans:
        context = [span for label in entry.context_ipu_id.split("+") if (span := _span(label)) is not None]
        position = context[0].start >= spans[-1].start if context else None
    numbered = _NUMBERED.search(entry.item_label)
    return Heard(
        label=entry.item_label or entry.target_ipu_id,
        kind=entry.item_type,
        spans=spans if len(spans) == len(own) else (),
        context_after=position if entry.item_type == INTERACTION else None,
        number=entry.item_index if entry.item_index is not None else int(numbered[1]) if numbered else 0,
        answers=(
            Answer(
                _pole(entry.choice_v0), _share(entry.prob_v0), entry.score_v0_mapped, tuple(entry.evidence_v0 or ())
            ),
            Answer(
                _pole(entry.choice_v1), _share(entry.prob_v1), entry.score_v1_mapped, tuple(entry.evidence_v1 or ())
            ),
        )
        if answered
        else (Answer(), Answer()),
    )


def _with_raw(item: Heard, notes: list[Entry]) -> Heard:
    raw = {note.variant: note.raw_output for note in notes}
    answers = (Answer(raw=raw.get(0)), Answer(raw=raw.get(1)))
    return replace(item, answers=answers)


def _span(label: str) -> Span | None:
    """Where an utterance lies, by the two numbers that its name ends in."""
    found = _IPU.search(label.strip()[-60:])
    span = Span(int(found[1]), int(found[2])) if found else Span(0, 0)
    return span if span.start < span.end else None


def _pole(choice: str | None) -> str | None:
    return choice if choice in ("P", "N") else None


def _share(probability: float | None) -> float | None:
    return probability if probability is not None and 0 <= probability <= 1 else None
