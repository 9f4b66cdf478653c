"""What a rater sees at once: an item with its own question, then the form of a unit or the systems that are ranked on it.

A form stands after the questions of its unit, with all their recordings, so that whoever chooses has chosen before a criterion
names what the unit is to test.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from earmark.builders.panels.wording import choices, paragraphs
from earmark.manifests.choices import choices_of
from earmark.manifests.rows import Row, optional_text, text, texts
from earmark.pages.rating_sheet import Question, Screen

if TYPE_CHECKING:
    from earmark.manifests.panel_forms import Said, System
    from earmark.manifests.panels import Asked, Entry, Panel
    from earmark.manifests.release import Release

NO_ANSWER = "no answer that can be read"
NO_REASONS = "No reasons given."


class Screens:
    """Makes the screens of a panel.

    Args:
        release: The release that it was drawn from; only its public side is read.
        panel: The panel.
        shown: Its presentations by id.
    """

    def __init__(self, release: Release, panel: Panel, shown: Mapping[str, Row]) -> None:
        self._family, self._panel, self._shown = release.family, panel, shown
        self._entries = panel.units
        self._prompts: dict[str, Row] = {text(row, "prompt_id"): row for row in release.table("prompts").to_pylist()}
        items = release.table("items").to_pylist()
        self._target = {text(row, "item_id"): optional_text(row, "target") or "" for row in items}
        names = {facet.id: facet.name for facet in release.manifest.facets}
        self._facet = {text(row, "item_id"): names.get(text(row, "facet"), text(row, "facet")) for row in items}
        self._said = {(system.name, said.presentation): said for system in panel.systems for said in system.said}

    def of(self, questions: Sequence[Asked]) -> list[Screen]:
        """The screens of some questions of one sheet, in their order."""
        screens = []
        for unit, (_, of_unit) in enumerate(groupby(questions, key=lambda asked: asked.unit)):
            form: list[Asked] = []
            ranking: list[Asked] = []
            for asked in of_unit:
                if asked.entry is not None:
                    screens.append(self._entry(unit, asked, asked.entry))
                else:
                    (form if asked.system is None else ranking).append(asked)
            screens += [self._form(unit, together) for together in (form, ranking) if together]
        return screens

    def _entry(self, unit: int, asked: Asked, entry: Entry) -> Screen:
        row = self._shown[entry.presentation]
        prompt = self._prompt(entry)
        answer, system, user = text(prompt, "answer"), text(prompt, "system"), text(prompt, "user")
        return Screen(
            unit=unit,
            about=paragraphs(system, answer),
            asks=paragraphs(user, answer),
            clips=tuple(zip(texts(row, "labels"), texts(row, "clips"), strict=True)),
            questions=(Question(id=asked.id, choices=choices(self._family, f"{system}\n{user}", answer)),),
        )

    def _form(self, unit: int, form: Sequence[Asked]) -> Screen:
        entries = self._entries[form[0].unit]
        prompt = self._prompt(entries[0])
        return Screen(
            unit=unit,
            about=paragraphs(text(prompt, "user"), text(prompt, "answer")),
            asks=() if form[0].system is None else (self._panel.ranks,),
            clips=self._clips(entries),
            questions=tuple(self._question(asked, entries) for asked in form),
        )

    def _question(self, asked: Asked, entries: Sequence[Entry]) -> Question:
        if asked.criterion is not None:
            words = asked.criterion.question(self._facet[entries[0].item])
            return Question(id=asked.id, asks=(words,), choices=tuple((name, "") for name in asked.criterion.choices))
        assert asked.system is not None  # noqa: S101 - what is asked of a unit is a criterion or a system
        places = self._panel.topics[asked.system.name]
        return Question(
            id=asked.id,
            asks=(f"System {asked.letter}", *self._answers(asked.system, entries)),
            choices=tuple((place, "") for place in places),
        )

    def _answers(self, system: System, entries: Sequence[Entry]) -> list[str]:
        """What a system chose of each entry, and why."""
        told = []
        for entry in entries:
            said = self._said.get((system.name, entry.presentation))
            told.append(f"{self._target[entry.item]}: {self._called(entry, said)}.".removeprefix(": "))
            if said is not None and said.choice is not None:
                told.append(said.reasons.strip() or NO_REASONS)
        return told

    def _called(self, entry: Entry, said: Said | None) -> str:
        if said is None or said.choice is None:
            return NO_ANSWER
        return choices_of(self._family, text(self._prompt(entry), "answer")).get(said.choice, said.choice)

    def _clips(self, entries: Sequence[Entry]) -> tuple[tuple[str, str], ...]:
        """Every clip of some entries once; those that several entries call alike are told apart by the entry's target."""
        called: dict[str, set[str]] = {}
        for entry in entries:
            row = self._shown[entry.presentation]
            for label, clip in zip(texts(row, "labels"), texts(row, "clips"), strict=True):
                called.setdefault(label, set()).add(clip)
        clips: dict[str, str] = {}
        for entry in entries:
            row = self._shown[entry.presentation]
            for label, clip in zip(texts(row, "labels"), texts(row, "clips"), strict=True):
                clips.setdefault(clip, f"{label}, {self._target[entry.item]}" if len(called[label]) > 1 else label)
        return tuple((label, clip) for clip, label in clips.items())

    def _prompt(self, entry: Entry) -> Row:
        return self._prompts[text(self._shown[entry.presentation], "prompt_id")]
