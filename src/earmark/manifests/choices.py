"""The choices that a prompt offers, read from what it says of the form of the answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from earmark.manifests.errors import ReleaseError
from earmark.manifests.grammars import JsonGrammar
from earmark.manifests.strict import NotStrictJson, strict_json

if TYPE_CHECKING:
    from earmark.manifests.canonical import Json
    from earmark.manifests.family import Family


def choices_of(family: Family, answer: str) -> Mapping[str, str]:
    """The choices that a prompt offers, in its order, each with what the prompt calls it.

    Args:
        family: The family that the prompt is of.
        answer: The `answer` of a row of `prompts`.

    Raises:
        ReleaseError: If it offers none.
    """
    grammar = family.grammar
    labels = dict(zip(grammar.shown, grammar.labels, strict=False)) if isinstance(grammar, JsonGrammar) else {}
    return {labels.get(name, name): name for name in choices_offered(answer)}


def choices_offered(answer: str) -> tuple[str, ...]:
    """The choices that a prompt offers, in its order, from what it says of the form of the answer.

    Args:
        answer: The `answer` of a row of `prompts`: marks, or a JSON Schema with one enumerated key.

    Raises:
        ReleaseError: If it is neither.

    >>> choices_offered('{"marks": {"[[A]]": "A", "[[B]]": "B"}}')
    ('A', 'B')
    >>> choices_offered('{"type": "object", "properties": {"choice": {"enum": ["N", "P"]}}}')
    ('N', 'P')
    """
    marks = marks_of(answer)
    if marks:
        return tuple(dict.fromkeys(marks.values()))
    properties = _form(answer).get("properties")
    for schema in properties.values() if isinstance(properties, Mapping) else ():
        if isinstance(schema, Mapping) and isinstance(offered := schema.get("enum"), Sequence):
            return tuple(str(choice) for choice in offered)
    raise ReleaseError(f"a prompt offers no choices: its answer is {answer[:80]!r}")


def marks_of(answer: str) -> Mapping[str, str]:
    """What each mark of a form of answers stands for; none where it does not say.

    >>> marks_of('{"marks": {"[[A]]": "A", "[[B]]": "B"}}')
    {'[[A]]': 'A', '[[B]]': 'B'}
    """
    marks = _form(answer).get("marks")
    return {mark: str(choice) for mark, choice in marks.items()} if isinstance(marks, Mapping) else {}


def _form(answer: str) -> Mapping[str, Json]:
    try:
        value = strict_json(answer.encode("utf-8", "surrogatepass"))
    except NotStrictJson:
        return {}
    return value if isinstance(value, Mapping) else {}
