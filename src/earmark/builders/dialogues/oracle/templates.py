"""The prompts of the oracle check: Earmark's own words, or a user's."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from string import Template

import msgspec

from earmark.builders.dialogues.oracle.questions import Arm, Question
from earmark.builders.providers.openai_text import Prompt
from earmark.builders.templates import check_placeholders, read_template_file
from earmark.manifests.canonical import Json
from earmark.manifests.findings import Findings, Severity, declare
from earmark.manifests.hashes import json_hash

ORACLE_TEMPLATES = files(__package__).joinpath("templates.toml").read_text(encoding="utf-8")
"""Earmark's own prompts, with a line on how to change them."""

TEMPLATE = declare("oracle.template", Severity.ERROR, "a template of the oracle check cannot be used")

_SCENARIO = frozenset({"context", "description", "history", "speaker", "line"})
_TONES = frozenset({"option_1", "option_2"})
FIELDS: Mapping[Arm, frozenset[str]] = {Arm.FULL: _SCENARIO | _TONES, Arm.WORDS: _SCENARIO, Arm.TONES: _TONES}
"""The placeholders of each arm's question; all of them must stand in it, and no other."""


class ArmTemplate(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[ARM]`: what is said to a model.

    Args:
        system: What it is to do; without a placeholder.
        question: The question.
    """

    system: str
    question: str


class OracleTemplates(msgspec.Struct, frozen=True, kw_only=True):
    """A file of prompts.

    Args:
        full: With scenario and tones.
        words: Without tones.
        tones: Without a scenario.
    """

    full: ArmTemplate
    words: ArmTemplate
    tones: ArmTemplate

    def of(self, arm: Arm) -> ArmTemplate:
        """The prompt of an arm."""
        return {Arm.FULL: self.full, Arm.WORDS: self.words, Arm.TONES: self.tones}[arm]

    @property
    def hash(self) -> str:
        """What all of it hashes to."""
        return json_hash(self.as_recipe())

    def as_recipe(self) -> dict[str, Json]:
        """All of it, for the manifest."""
        value: dict[str, Json] = msgspec.to_builtins(self)
        return value


def read_oracle_templates(path: Path | None, findings: Findings) -> OracleTemplates:
    """Prompts from a file, or Earmark's own.

    Args:
        path: A TOML file, whose sections stand in place of Earmark's own; None for all of those.
        findings: Told of placeholders that are missing or not known.

    Raises:
        Refused: If the file cannot be read, or a section is unknown or wrong.
    """
    templates = read_template_file(path, ORACLE_TEMPLATES, OracleTemplates)
    for arm in Arm:
        for name, text, needed in (
            ("system", templates.of(arm).system, frozenset[str]()),
            ("question", templates.of(arm).question, FIELDS[arm]),
        ):
            check_placeholders(text, needed, TEMPLATE, id=f"{arm}.{name}", file=path, findings=findings)
    return templates


def prompt(templates: OracleTemplates, question: Question, wrong: str | None = None) -> Prompt:
    """A question in words.

    Args:
        templates: The prompts.
        question: What is asked.
        wrong: What was wrong with the answer before; None where there was none.
    """
    template = templates.of(question.arm)
    history = "\n".join(
        f'{number}. {line.speaker}: "{line.text}"' + ("" if line.tone is None else f" ({line.tone})")
        for number, line in enumerate(question.heard, 1)
    )
    tones = question.tones or ("", "")
    values = {
        "context": question.context,
        "description": question.description,
        "history": history,
        "speaker": question.speaker,
        "line": question.line,
        "option_1": tones[0],
        "option_2": tones[1],
    }
    user = Template(template.question).substitute(values).strip()
    if wrong is not None:
        user += f"\n\nYour answer before could not be used: {wrong}"
    return Prompt(Template(template.system).substitute().strip(), user)
