"""The words with which a model is asked to write: one template for each stage, which a user may replace.

A template is filled in by plain names and by nothing else, so that no file of templates can reach into anything.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from pathlib import Path
from string import Template

from earmark.builders.dialogues.sections import TEMPLATE
from earmark.builders.providers.openai_text import Prompt
from earmark.builders.recipes import read_toml
from earmark.manifests.canonical import Json
from earmark.manifests.findings import Findings, nearest
from earmark.manifests.hashes import json_hash

DEFAULT_TEMPLATES = files(__package__).joinpath("templates.toml").read_text(encoding="utf-8")
"""Earmark's own templates, as a file to begin with."""

TEXTS = ("system", "user")
"""What a stage is asked with; a template may lack the first."""

AGAIN = "again"
"""What is added to a question whose answer was rejected."""

_VALENCE = {"valence", "valence_means"}
_PLACE = {"context", "description"}


@dataclass(frozen=True)
class Fields:
    """The names that a stage fills in.

    Args:
        required: Those without which the answer cannot be right.
        optional: Others that there are.
    """

    required: frozenset[str]
    optional: frozenset[str]


def _fields(required: set[str], optional: set[str]) -> Fields:
    return Fields(frozenset(required), frozenset(optional))


FIELDS: Mapping[str, Fields] = {
    "scenario": _fields(
        {"scale", "valence", "type", "failures"},
        {
            "scale_means",
            "type_means",
            "valence_means",
            "first_initial",
            "second_initial",
            "first_gender",
            "second_gender",
        },
    ),
    "script": _fields(
        {"description", "first", "second"},
        {"context", *_VALENCE, "first_persona", "second_persona"},
    ),
    "context_tones": _fields(
        {"script"},
        {*_PLACE, *_VALENCE, "first", "second", "first_persona", "second_persona", "bland"},
    ),
    "target_tones": _fields(
        {"line", "intent", "dissonant_persona", "other_dissonant_persona"},
        {
            *_PLACE,
            *_VALENCE,
            "script",
            "turn",
            "second_persona",
            "failure",
            "failure_means",
            "other_failure",
            "other_failure_means",
            "bland",
        },
    ),
    "selection": _fields({"line", "candidates"}, {*_PLACE, "intent", "before", "turn"}),
    AGAIN: _fields({"reasons"}, {"answer"}),
}
"""What may stand in each template."""


@dataclass(frozen=True)
class StageTemplate:
    """`[STAGE]`: how one stage is asked.

    Args:
        system: Instructions; none where empty.
        user: The task.
    """

    system: str
    user: str


@dataclass(frozen=True)
class Templates:
    """A file of templates that was checked.

    Args:
        stages: By stage, see `FIELDS`.
    """

    stages: Mapping[str, StageTemplate]

    def prompt(self, stage: str, values: Mapping[str, str]) -> Prompt:
        """What a stage is asked.

        Args:
            stage: Name of it.
            values: What is filled in; nothing in a value is filled in again.

        Raises:
            KeyError: If a value is missing.
        """
        template = self.stages[stage]
        system, user = (Template(text).substitute(values).strip() for text in (template.system, template.user))
        return Prompt(system, user)

    def again(self, prompt: Prompt, reasons: str, answer: str) -> Prompt:
        """The same question once more, with what was wrong with its last answer."""
        added = self.prompt(AGAIN, {"reasons": reasons, "answer": answer})
        return Prompt(prompt.system, f"{prompt.user}\n\n{added.user}")

    @cached_property
    def hash(self) -> str:
        """What all of it hashes to."""
        return json_hash(self.as_recipe())

    def as_recipe(self) -> dict[str, Json]:
        """All of it, for the manifest."""
        return {name: {"system": stage.system, "user": stage.user} for name, stage in self.stages.items()}


def read_writing_templates(path: Path | None, findings: Findings) -> Templates:
    """Templates from a file, or Earmark's own.

    Args:
        path: A TOML file, whose texts stand in place of Earmark's own; None for all of those.
        findings: Told of every stage that is unknown, every text that is none, and every field that is unknown or missing.

    Raises:
        Refused: If the file cannot be read or is no TOML.
    """
    given: Mapping[str, Json] = {} if path is None else read_toml(path)
    file = None if path is None else path.name
    for name in given.keys() - FIELDS.keys():
        findings.add(
            TEMPLATE, file=file, id=f"[{name}]", found="a stage that is unknown", expected=nearest(name, FIELDS)
        )
    own: Mapping[str, Mapping[str, str]] = tomllib.loads(DEFAULT_TEMPLATES)
    stages = {}
    for name, texts in own.items():
        texts = {"system": "", **texts, **_texts(name, given.get(name, {}), file, findings)}
        stages[name] = StageTemplate(texts["system"], texts["user"])
        _check(name, stages[name], file, findings)
    return Templates(stages)


def _texts(name: str, given: Json, file: str | None, findings: Findings) -> Mapping[str, str]:
    """The texts of a stage that a user's file has and that are texts."""
    if not isinstance(given, Mapping):
        findings.add(TEMPLATE, file=file, id=name, found=type(given).__name__, expected=f"a section [{name}]")
        return {}
    kept = {}
    for key, text in given.items():
        if key not in TEXTS:
            findings.add(TEMPLATE, file=file, id=f"{name}.{key}", found=key, expected=nearest(key, TEXTS))
        elif not isinstance(text, str):
            findings.add(TEMPLATE, file=file, id=f"{name}.{key}", found=repr(text), expected="a text")
        else:
            kept[key] = text
    return kept


def _check(name: str, stage: StageTemplate, file: str | None, findings: Findings) -> None:
    known = FIELDS[name]
    used: set[str] = set()
    for key, text in (("system", stage.system), ("user", stage.user)):
        template = Template(text)
        if not template.is_valid():
            found = "a $ that begins no field"
            findings.add(TEMPLATE, file=file, id=f"{name}.{key}", found=found, expected="$name, and $$ for $")
            return  # what it lacks cannot be told
        names = set(template.get_identifiers())
        for field in sorted(names - known.required - known.optional):
            expected = nearest(field, sorted(known.required | known.optional), most=2)
            findings.add(TEMPLATE, file=file, id=f"{name}.{key}", found=f"${field}", expected=expected)
        used |= names
    for field in sorted(known.required - used):
        findings.add(TEMPLATE, file=file, id=name, found="a stage without it", expected=f"${field}")
