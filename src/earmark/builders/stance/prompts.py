"""Prompts: the exact words that go with the clips of an item, in one pole order and one modality.

The clips are sent before the user text, each under its label (`TARGET`, `CONTEXT`), and stand in no text themselves: a recording
as audio, a transcript as its words on one line. So one prompt serves all items of a dimension. Between the two
orders nothing changes but what the rubric says it swaps, and the two have the same characters in another order; no label is
favoured by the examples, which give both with the same probability.
"""

from __future__ import annotations

from dataclasses import dataclass
from string import Template
from typing import Literal, TypeAlias

from earmark.builders.stance.rubric import FIRST, SECOND, Criterion, Rubric
from earmark.manifests.canonical import canonical_json
from earmark.manifests.families.stance import NEGATIVE, POSITIVE
from earmark.manifests.grammars import MOST_EVIDENCE, JsonGrammar

Order: TypeAlias = Literal["PN", "NP"]
"""Which pole stands first."""

Modality: TypeAlias = Literal["audio", "transcript"]
"""What stands for a clip."""

Layout: TypeAlias = Literal["single", "context_before", "context_after"]
"""Which clips there are, in which order: the target alone, or the partner's turn before it or after it."""

_TARGET, _CONTEXT = "TARGET", "CONTEXT"

_LABELS: dict[Layout, tuple[str, ...]] = {
    "single": (_TARGET,),
    "context_before": (_CONTEXT, _TARGET),
    "context_after": (_TARGET, _CONTEXT),
}

_SYSTEM = Template("""\
You judge the manner of one of two people in a conversation, the TARGET speaker.

$given
$clips

You also get a question and two descriptions, $first and $second. Judge from $material alone, by what the TARGET speaker says \
and how they $say it, and choose the description that fits better. Choose one even if neither fits well.

Answer with one JSON object:
- "choice": "$first" or "$second"
- "probability": a number from 0 to 1, how probable it is that your choice is right; 0.5 means that you cannot tell
- "evidence": up to $most short texts, each naming something in $material that speaks for your choice

Two examples of the form, which tell nothing about this case:
{"choice": "$first", "probability": 0.7, "evidence": ["one thing noticed", "another thing noticed"]}
{"choice": "$second", "probability": 0.7, "evidence": ["one thing noticed", "another thing noticed"]}""")

_USER = Template("""\
Question: $question

Descriptions:
$descriptions

Answer with the JSON object only.""")


@dataclass(frozen=True)
class _Words:
    """How a modality is spoken of."""

    one: str
    two: str
    material: str
    say: str
    target: str
    context: str


_WORDS: dict[Modality, _Words] = {
    "audio": _Words(
        one="You get one recording, under its label:",
        two="You get two recordings, each under its label, in this order:",
        material="what you hear",
        say="say",
        target="TARGET: speech of the TARGET speaker, whom you judge. Pauses may have been shortened.",
        context="CONTEXT: what the other person said just $when. It only serves to understand the TARGET; do not judge it.",
    ),
    "transcript": _Words(
        one="You get one transcript, under its label:",
        two="You get two transcripts, each under its label, in this order:",
        material="what you read",
        say="put",
        target="TARGET: words of the TARGET speaker, whom you judge. Some may have been left out.",
        context="CONTEXT: what the other person said just $when. It only serves to understand the TARGET; do not judge it.",
    ),
}


@dataclass(frozen=True)
class Prompt:
    """A row of the prompts table.

    Args:
        prompt_id: Dimension, order, modality, and the layout where it is not the usual one: `S0-PN-audio`.
        system: System text.
        user: User text; the clips stand before it.
        answer: JSON Schema of the answer, canonical JSON.
    """

    prompt_id: str
    system: str
    user: str
    answer: str

    def as_row(self) -> dict[str, object]:
        """The prompt by column."""
        return {"prompt_id": self.prompt_id, "system": self.system, "user": self.user, "answer": self.answer}


def labels(layout: Layout) -> tuple[str, ...]:
    """What the prompt calls the clips, in the order in which they are sent.

    >>> labels("context_before")
    ('CONTEXT', 'TARGET')
    """
    return _LABELS[layout]


def render(rubric: Rubric, dimension: str, *, order: Order, modality: Modality, layout: Layout) -> Prompt:
    """The words that go with an item.

    Args:
        rubric: The wording.
        dimension: Id of the dimension asked about.
        order: Which pole stands first.
        modality: What stands for a clip.
        layout: Which clips there are.

    Raises:
        KeyError: If the rubric asks nothing about the dimension, or has no such order, modality or layout.
    """
    criterion = rubric.criterion(dimension)
    swapped = {"PN": (POSITIVE, NEGATIVE), "NP": (NEGATIVE, POSITIVE)}[order]
    first, second = swapped if "examples" in rubric.swaps else (POSITIVE, NEGATIVE)
    words = _WORDS[modality]
    sent = labels(layout)
    when = "before" if layout == "context_before" else "after"
    lines = {_TARGET: words.target, _CONTEXT: Template(words.context).substitute(when=when)}
    system = _SYSTEM.substitute(
        given=words.one if len(sent) == 1 else words.two,
        clips="\n".join(lines[label] for label in sent),
        material=words.material,
        say=words.say,
        first=first,
        second=second,
        most=MOST_EVIDENCE,
    )
    return Prompt(
        prompt_id="-".join((criterion.id, order, modality, *(["after"] if layout == "context_after" else []))),
        system=system,
        user=_user(criterion, rubric.swaps, swapped),
        answer=canonical_json(JsonGrammar((first, second)).describe()).decode(),
    )


def _user(criterion: Criterion, swaps: frozenset[str], swapped: tuple[str, str]) -> str:
    described = {POSITIVE: criterion.positive, NEGATIVE: criterion.negative}
    definitions = swapped if "definitions" in swaps else (POSITIVE, NEGATIVE)
    question = criterion.question
    if "question" in swaps:
        question = question.replace(FIRST, swapped[0]).replace(SECOND, swapped[1])
    return _USER.substitute(
        question=question, descriptions="\n".join(f"{label}: {described[label]}" for label in definitions)
    )
