"""What a person reads of a prompt: the question without what is said about the form of a judge's answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from earmark.manifests.choices import choices_of, marks_of

if TYPE_CHECKING:
    from earmark.manifests.family import Family


def paragraphs(words: str, answer: str) -> tuple[str, ...]:
    r"""The paragraphs of a system or user text that are not about the form of the answer.

    A paragraph is about the form if it holds a mark or an example, or names JSON. Should nothing else be left, all is kept with
    choices in place of their marks.

    Args:
        words: The text, its paragraphs divided by empty lines.
        answer: The `answer` of the prompt.

    >>> marks = '{"marks": {"[[A]]": "A", "[[B]]": "B"}}'
    >>> paragraphs("Which is louder?\n\nEnd with one of these:\n[[A]] if A is\n[[B]] if B is", marks)
    ('Which is louder?',)
    >>> paragraphs("Which is louder, [[A]] or [[B]]?", marks)
    ('Which is louder, A or B?',)
    """
    marks = marks_of(answer)
    forms = (*marks, "JSON", '{"')
    every = tuple(part.strip() for part in words.split("\n\n") if part.strip())
    kept = tuple(part for part in every if not any(form in part for form in forms))
    if kept:
        return kept
    for mark, choice in marks.items():
        every = tuple(part.replace(mark, choice) for part in every)
    return every


def choices(family: Family, words: str, answer: str) -> tuple[tuple[str, str], ...]:
    r"""The choices offered, each with what a line that begins with its mark says of it, or else what the prompt calls it.

    Args:
        family: The family that the prompt is of.
        words: System and user text.
        answer: The `answer` of the prompt.

    >>> from earmark.manifests.families.pairs import PAIRS
    >>> choices(PAIRS, "End with:\n[[A]] if A is", '{"marks": {"[[A]]": "A", "[[B]]": "B"}}')
    (('A', 'if A is'), ('B', ''))
    """
    said = {choice: "" if name == choice else name for choice, name in choices_of(family, answer).items()}
    for line in words.splitlines():
        for mark, choice in marks_of(answer).items():
            if line.strip().startswith(mark):
                said[choice] = line.strip().removeprefix(mark).strip()
    return tuple(said.items())
