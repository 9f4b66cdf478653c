"""Rubrics: what a judge is asked of each dimension. Earmark's own, a user's, or StanceBench's question file as it is.

Every prompt exists in two renderings, with the one or the other pole first. What changes between them is declared, because it
is what the disagreement between them can be blamed on: StanceBench's own prompts swap the definitions alone, and name the
positive pole first in every question; Earmark's swap everything that names both poles.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from pathlib import Path

from earmark.builders.stance.fields import Codes, Fields, read_fields, repeated
from earmark.builders.stance.mapping import RoleMapping, poles
from earmark.manifests.canonical import Json
from earmark.manifests.declarations import NAME_PATTERN
from earmark.manifests.errors import Refused
from earmark.manifests.findings import Findings, Severity, declare, nearest

_CODES = Codes(
    unreadable=declare("rubric.unreadable", Severity.ERROR, "the rubric cannot be read"),
    unknown_key=declare("rubric.unknown-key", Severity.ERROR, "the rubric has a key that means nothing"),
    bad_value=declare("rubric.bad-value", Severity.ERROR, "a value of the rubric cannot be used"),
)
REPEATED_ID = declare("rubric.repeated-id", Severity.ERROR, "two criteria of the rubric have one id")
MISSING = declare(
    "rubric.dimension-missing", Severity.ERROR, "the rubric asks nothing about a dimension of the mapping"
)
UNUSED = declare("rubric.dimension-unused", Severity.NOTE, "the rubric asks about a dimension that the mapping has not")
OTHER_CATEGORIES = declare(
    "rubric.categories-differ", Severity.WARNING, "the rubric relates a question to other categories than the mapping"
)
SPEAKS_OF_AUDIO = declare(
    "rubric.speaks-of-audio", Severity.WARNING, "the rubric speaks of sound to judges who get a transcript only"
)

SWAPPABLE = ("definitions", "question", "examples")
"""What may change places between the two renderings; `examples` covers all that the instructions say of both labels."""

FIRST, SECOND = "{first}", "{second}"
"""Slots in a question for the labels, in the order of the rendering."""

OF_AUDIO = re.compile(
    r"\b(audio|sound\w*|hear|hears|heard|hearing|listen\w*|voices?|tones?|recording\w*|loud\w*|pitch\w*|acoustic\w*|prosod\w*)\b",
    re.I,
)
"""Words that mean nothing to somebody who gets a transcript only."""

_FOLLOWUPS = 4


@dataclass(frozen=True)
class Criterion:
    """The question about one dimension.

    Args:
        id: The dimension's id.
        question: The question; holds each slot once where the rubric swaps the question.
        positive: Description of the positive pole.
        negative: Description of the negative pole.
        categories: The categories that the rubric relates it to, positive ones first; empty where it names none.
    """

    id: str
    question: str
    positive: str
    negative: str
    categories: tuple[str, ...] = ()


@dataclass(frozen=True)
class Rubric:
    """Questions about dimensions, in one wording.

    Args:
        name: Name and version of the wording.
        criteria: One per dimension, ids distinct.
        swaps: What changes places between the two renderings, a part of `SWAPPABLE`.
    """

    name: str
    criteria: tuple[Criterion, ...]
    swaps: frozenset[str]

    def criterion(self, id: str) -> Criterion:
        """The question about one dimension.

        Raises:
            KeyError: If there is none.
        """
        for entry in self.criteria:
            if entry.id == id:
                return entry
        raise KeyError(f"the rubric {self.name} asks nothing about {id!r}")

    def as_recipe(self) -> dict[str, Json]:
        """The rubric as plain values, which `read_rubric` reads back."""
        return {
            "name": self.name,
            "swaps": [name for name in SWAPPABLE if name in self.swaps],
            "criterion": [
                {
                    "id": entry.id,
                    "question": entry.question,
                    "positive": entry.positive,
                    "negative": entry.negative,
                    "categories": list(entry.categories),
                }
                for entry in self.criteria
            ],
        }

    def check(self, mapping: RoleMapping, findings: Findings, *, modalities: Collection[str] = ("audio",)) -> None:
        """Report where the rubric does not go with a mapping or with what stands for a clip.

        Args:
            mapping: The dimensions that will be asked about.
            findings: Where it is reported.
            modalities: The modalities in which they will be asked.
        """
        criteria = {entry.id: entry for entry in self.criteria}
        for dimension in mapping.dimensions:
            criterion = criteria.pop(dimension.id, None)
            if criterion is None:
                expected = nearest(dimension.id, [entry.id for entry in self.criteria])
                findings.add(MISSING, file=self.name, id=dimension.id, expected=expected)
                continue
            ours = tuple(name for _, pole in poles(dimension) for name in pole.categories)
            if criterion.categories and criterion.categories != ours:
                found = ", ".join(criterion.categories)
                findings.add(
                    OTHER_CATEGORIES, file=self.name, id=dimension.id, found=found, expected=", ".join(ours) or "none"
                )
            if "transcript" in modalities:
                texts = (criterion.question, criterion.positive, criterion.negative)
                words = [match.group() for text in texts for match in OF_AUDIO.finditer(text)]
                if words:
                    found = ", ".join(dict.fromkeys(words))
                    findings.add(SPEAKS_OF_AUDIO, file=self.name, id=dimension.id, found=found)
        for id in criteria:
            findings.add(UNUSED, file=self.name, id=id)


@lru_cache(maxsize=1)
def default_rubric() -> Rubric:
    """Earmark's own rubric of the nine dimensions."""
    import tomllib

    findings = Findings()
    text = files(__package__).joinpath("rubric.toml").read_text(encoding="utf-8")
    rubric = read_rubric(tomllib.loads(text), findings)
    if rubric is None:
        raise Refused(findings)
    return rubric


def read_rubric(source: Path | Mapping[str, Json], findings: Findings) -> Rubric | None:
    """A rubric from a file: StanceBench's `questions_main.json` by its suffix, else TOML in the form of the default one.

    Args:
        source: The file, or its table as read already.
        findings: Where problems are reported, all at once.

    Returns:
        The rubric, or None where something in it is an error.
    """
    if isinstance(source, Path) and source.suffix.lower() == ".json":
        return read_stancebench(source, findings)
    errors = findings.count(Severity.ERROR)
    top = read_fields(source, _CODES, findings)
    if top is None:
        return None
    top.known(("name", "swaps", "criterion"))
    name = top.text("name")
    swaps = top.texts("swaps")
    for entry in swaps or ():
        if entry not in SWAPPABLE:
            top.bad("swaps", entry, nearest(entry, SWAPPABLE))
    criteria = [_read_criterion(fields, "question" in (swaps or ())) for fields in top.tables("criterion")]
    return _whole(name, criteria, frozenset(swaps or ()), top, errors)


def read_stancebench(path: Path, findings: Findings) -> Rubric | None:
    """StanceBench's question file as it is, misspelt keys included; it swaps the definitions only.

    Its follow-up statements are checked and not kept: no prompt of StanceBench has ever held them.

    Args:
        path: The file.
        findings: Where problems are reported, all at once.

    Returns:
        The rubric, or None where something in it is an error.
    """
    errors = findings.count(Severity.ERROR)
    top = read_fields(path, _CODES, findings, json=True)
    if top is None:
        return None
    top.known(("outside_judge",))
    criteria = [_read_question(fields) for fields in top.tables("outside_judge")]
    return _whole("stancebench", criteria, frozenset(("definitions",)), top, errors)


def _read_criterion(fields: Fields, slotted: bool) -> Criterion | None:
    fields.known(("id", "question", "positive", "negative", "categories"))
    id = fields.text("id", pattern=NAME_PATTERN)
    question, positive, negative = fields.text("question"), fields.text("positive"), fields.text("negative")
    categories = fields.texts("categories", optional=True)
    wanted = 1 if slotted else 0
    if question is not None and not question.count(FIRST) == question.count(SECOND) == wanted:
        fields.bad(
            "question", question, f"{FIRST} and {SECOND} {'once each' if slotted else 'only where it is swapped'}"
        )
    if id is None or question is None or positive is None or negative is None or categories is None:
        return None
    return Criterion(id, question, positive, negative, categories)


def _read_question(fields: Fields) -> Criterion | None:
    texts = ("question", "positive_defination", "negative_defination", "stance_id")
    lists = ("related_categories", "positive_followups", "negative_followups")
    fields.known((*texts, *lists, "index", "source_index"))
    question, positive, negative = (fields.text(key) for key in texts[:3])
    id = fields.text("stance_id", pattern=NAME_PATTERN)
    categories, *followups = (fields.texts(key) for key in lists)
    for key, statements in zip(lists[1:], followups, strict=True):
        if statements is not None and len(statements) != _FOLLOWUPS:
            fields.bad(key, len(statements), f"{_FOLLOWUPS} statements")
    if categories is not None and len(categories) < 2:
        fields.bad("related_categories", len(categories), "two categories or more, the positive pole's first")
    fields.whole("index")
    fields.whole("source_index")
    if id is None or question is None or positive is None or negative is None or categories is None:
        return None
    return Criterion(id, question, positive, negative, categories)


def _whole(
    name: str | None, read: list[Criterion | None], swaps: frozenset[str], top: Fields, errors: int
) -> Rubric | None:
    criteria = tuple(entry for entry in read if entry is not None)
    for id in repeated(entry.id.casefold() for entry in criteria):
        same = [entry.id for entry in criteria if entry.id.casefold() == id]
        top.findings.add(REPEATED_ID, file=top.file, id=same[0], found=", ".join(same), expected="distinct ids")
    if name is None or top.findings.count(Severity.ERROR) > errors:
        return None
    return Rubric(name, criteria, swaps)
