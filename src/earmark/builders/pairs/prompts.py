"""Prompts: the words that go with the two clips of a pair, one template per criterion; the clips stand before them.

The clips are sent under the names Audio A and Audio B in either order, and the text is the same in both: nothing in it
favours a place. Which answers a criterion offers is recorded with the prompt, since chance follows from it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Literal, TypeAlias

import msgspec

from earmark.builders.templates import check_placeholders, read_template_file
from earmark.manifests.canonical import Json, canonical_json
from earmark.manifests.families.pairs import CRITERIA, EQUAL, A, B
from earmark.manifests.findings import Findings, Severity, declare
from earmark.manifests.grammars import MarksGrammar

DEFAULT_TEMPLATES = files(__package__).joinpath("templates.toml").read_text(encoding="utf-8")
"""What `earmark build pairs --print-templates` prints."""

TEMPLATE = declare("pairs.template", Severity.ERROR, "a template cannot be used")

Modality: TypeAlias = Literal["audio", "transcript"]
LABELS: Mapping[str, tuple[str, str]] = {
    "audio": (f"Audio {A}", f"Audio {B}"),
    "transcript": (f"Transcript {A}", f"Transcript {B}"),
}
"""What the prompt calls the two clips, in the order in which they are sent."""

_NAME = re.compile(r"[^A-Za-z0-9 _.+-]")


class System(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[system]`: what stands above every question; `$answers` is replaced by the marks on offer.

    Args:
        audio: With recordings.
        transcript: With the words alone.
    """

    audio: str
    transcript: str


class CriterionTemplate(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[CRITERION]`: what is asked.

    Args:
        question: The question; `$target` is replaced by what the target is called.
        tie: Whether Tie may be answered.
        targets: What each target is called; a target that is not among them is called by its name.
    """

    question: str
    tie: bool = True
    targets: dict[str, str] = {}


class Templates(msgspec.Struct, frozen=True, kw_only=True):
    """A file of templates.

    Args:
        system: What stands above the question.
        style: The question about style.
        rate: The question about pace.
        emphasis: The question about a word.
        age: The question about age.
        gender: The question about sex.
    """

    system: System
    style: CriterionTemplate
    rate: CriterionTemplate
    emphasis: CriterionTemplate
    age: CriterionTemplate
    gender: CriterionTemplate

    def of(self, criterion: str) -> CriterionTemplate:
        """The template of one criterion."""
        template: CriterionTemplate = getattr(self, criterion)
        return template

    def as_recipe(self) -> dict[str, Json]:
        """All of it, for the manifest."""
        value: dict[str, Json] = msgspec.to_builtins(self)
        return value


def read_templates(path: Path | None, findings: Findings) -> Templates:
    """Templates from a file, or Earmark's own.

    Args:
        path: A TOML file, whose sections stand in place of Earmark's own; None for all of those.
        findings: Told of a placeholder that is missing or not known, and of targets that are called nothing, or the same.

    Raises:
        Refused: If the file cannot be read, or a section is unknown or wrong.
    """
    templates = read_template_file(path, DEFAULT_TEMPLATES, Templates)
    texts: dict[str, tuple[str, set[str]]] = {
        **{f"system.{modality}": (getattr(templates.system, modality), {"answers"}) for modality in LABELS},
        **{f"{criterion}.question": (templates.of(criterion).question, {"target"}) for criterion in CRITERIA},
    }
    for id, (text, needed) in texts.items():
        check_placeholders(text, needed, TEMPLATE, id=id, file=path, findings=findings)
    for criterion in CRITERIA:
        _check_names(templates.of(criterion).targets, f"{criterion}.targets", path, findings)
    return templates


def render(templates: Templates, criterion: str, target: str, modality: str) -> dict[str, object]:
    """The row of the prompts table for a criterion, target and modality."""
    template = templates.of(criterion)
    names = LABELS[modality]
    system = Template(getattr(templates.system, modality)).substitute(answers=_answers(names, tie=template.tie))
    user = Template(template.question).substitute(target=template.targets.get(target, target))
    return {
        "prompt_id": prompt_id(criterion, target, modality),
        "system": system.strip(),
        "user": user.strip(),
        "answer": canonical_json(offered(tie=template.tie)).decode(),
    }


def offered(*, tie: bool) -> Mapping[str, Json]:
    """The form of the answer: the marks on offer and the choice that each stands for."""
    return MarksGrammar(
        tuple((f"[[{choice}]]", choice) for choice in (A, B, EQUAL) if tie or choice != EQUAL)
    ).describe()


def prompt_id(criterion: str, target: str, modality: str) -> str:
    """A name that is safe in a file name; where the target is not, a digest of it stands behind what is left.

    >>> prompt_id("rate", "fast", "audio")
    'rate-fast-audio'
    """
    safe = _NAME.sub("", target)
    if safe != target or not safe:
        safe += "." + blake2b(target.encode(), digest_size=4).hexdigest()
    return f"{criterion}-{safe}-{modality}"


def _answers(names: Sequence[str], *, tie: bool) -> str:
    lines = [f"[[{letter}]] if {name} fits better" for letter, name in zip((A, B), names, strict=True)]
    if tie:
        lines.append(f"[[{EQUAL}]] if both fit equally well, or neither fits")
    return "\n".join(lines)


def _check_names(names: Mapping[str, str], id: str, file: Path | None, findings: Findings) -> None:
    """Of two targets that are called the same one question would be asked, with two answers."""
    called = Counter(" ".join(name.split()).casefold() for name in names.values())
    for target, name in names.items():
        if not name.strip() or called[" ".join(name.split()).casefold()] > 1:
            where = None if file is None else file.name
            findings.add(TEMPLATE, file=where, id=f"{id}.{target}", found=repr(name), expected="words of its own")
