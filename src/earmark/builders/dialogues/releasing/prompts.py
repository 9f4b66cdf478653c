"""Prompts: the words that go with the clips of an item, for the first round, the second one, and turn 6 asked by itself.

They tell the place, the situation and who speaks; never what would be right. The clips are sent before the text, each under its
label, and the text is the same in both orders of the options: nothing in it favours a place.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Literal, TypeAlias

import msgspec

from earmark.builders.dialogues.records import Person
from earmark.builders.dialogues.sections import TEMPLATE
from earmark.builders.dialogues.voiced import VoicedDialogue
from earmark.builders.templates import check_placeholders, read_template_file
from earmark.manifests.canonical import Json, canonical_json
from earmark.manifests.declarations import MODALITIES
from earmark.manifests.families.dialogues import DIALOGUES, SHOWN
from earmark.manifests.findings import Findings
from earmark.manifests.grammars import JsonGrammar

DEFAULT_TEMPLATES = files(__package__).joinpath("templates.toml").read_text(encoding="utf-8")
"""What `earmark build dialogues --print-templates` prints."""

Round: TypeAlias = Literal["round_1", "round_2", "direct"]
ROUNDS: tuple[Round, ...] = ("round_1", "round_2", "direct")
"""Turn 4; turn 6 in the same conversation; turn 6 by itself."""

CHOSEN = "$chosen"
"""Stands in the text of the second round for the option that was chosen in the first; whoever runs the judge replaces it."""

_WHOLE = {"place", "situation", "first", "second", "given", "answer"}
_FIELDS: Mapping[Round, set[str]] = {
    "round_1": _WHOLE,
    "round_2": {"chosen", "first", "second", "given", "answer"},
    "direct": _WHOLE,
}


class Questions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[questions]`: what is asked; see `ROUNDS`.

    Args:
        round_1: Turn 4.
        round_2: Turn 6 in the same conversation; `$chosen` stands in it.
        direct: Turn 6 by itself.
    """

    round_1: str
    round_2: str
    direct: str


class Templates(msgspec.Struct, frozen=True, kw_only=True):
    """A file of templates.

    Args:
        system: What stands above the clips; a persona takes its place.
        given: Of each modality, the sentence that says what stands for a clip.
        questions: What is asked.
    """

    system: str
    given: dict[str, str]
    questions: Questions

    def question(self, round: Round) -> str:
        """The template of one round."""
        template: str = getattr(self.questions, round)
        return template

    def as_recipe(self) -> dict[str, Json]:
        """All of it, for the manifest."""
        value: dict[str, Json] = msgspec.to_builtins(self)
        return value


def read_templates(path: Path | None, findings: Findings) -> Templates:
    """Templates from a file, or Earmark's own.

    Args:
        path: A TOML file, whose sections stand in place of Earmark's own; None for all of those.
        findings: Told of a placeholder that is missing or not known, and of a modality without its sentence.

    Raises:
        Refused: If the file cannot be read, or a section is unknown or wrong.
    """
    templates = read_template_file(path, DEFAULT_TEMPLATES, Templates)
    file = None if path is None else path.name
    for round in ROUNDS:
        check_placeholders(
            templates.question(round), _FIELDS[round], TEMPLATE, id=f"questions.{round}", file=path, findings=findings
        )
    for modality in MODALITIES:
        if not templates.given.get(modality, "").strip():
            findings.add(TEMPLATE, file=file, id=f"given.{modality}", expected="a sentence that says what is given")
    for modality in sorted(templates.given.keys() - set(MODALITIES)):
        findings.add(TEMPLATE, file=file, id=f"given.{modality}", expected=f"one of {', '.join(MODALITIES)}")
    return templates


def render(
    templates: Templates, dialogue: VoicedDialogue, *, item: str, round: Round, modality: str
) -> dict[str, object]:
    """The row of the prompts table for an item, round and modality.

    Args:
        templates: The words.
        dialogue: The dialogue that the item is of.
        item: Id of the item.
        round: How it is asked.
        modality: What stands for a clip.
    """
    user = Template(templates.question(round)).substitute(
        place=_line(dialogue.context),
        situation=_line(dialogue.description),
        first=_called(dialogue.first),
        second=_called(dialogue.second),
        given=templates.given[modality].strip(),
        answer=answer_words(),
        chosen=CHOSEN,
    )
    return {
        "prompt_id": prompt_id(item, round, modality),
        "system": templates.system.strip(),
        "user": user.strip(),
        "answer": canonical_json(DIALOGUES.grammar.describe()).decode(),
    }


def prompt_id(item: str, round: Round, modality: str) -> str:
    """Name of a prompt.

    >>> prompt_id("i", "round_1", "audio")
    'i-round_1-audio'
    """
    return f"{item}-{round}-{modality}"


def answer_words() -> str:
    """The form of the answer in words; the reasons come before the choice."""
    grammar = DIALOGUES.grammar
    assert isinstance(grammar, JsonGrammar)  # noqa: S101 - narrows what the record declares as any grammar
    choices = " or ".join(f'"{name}"' for name in SHOWN)
    return (
        'Answer with one JSON object that has two keys: "reasoning", a few sentences on what you noticed and what the moment '
        f'asks for, and then "{grammar.choice}", which is {choices}.'
    )


def _called(person: Person) -> str:
    name, role = _line(person.name), _line(person.role)
    return f"{name} ({role})" if role else name


def _line(words: str) -> str:
    return " ".join(words.split())
