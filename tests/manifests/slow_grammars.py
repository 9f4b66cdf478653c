"""Answer grammars as they were before they were quick: every brace followed by its tokens, every line looked at."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from earmark.manifests.canonical import Json
from earmark.manifests.grammars import MOST_EVIDENCE, Answer, JsonGrammar, MarksGrammar, Unparsable, is_probability

MOST_NESTING = 64
OPENING = re.compile(r"\{(?=[ \t\n\r]*[\"}])")
TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+"|"|[{}\[\]]', re.DOTALL)


class Found(NamedTuple):
    """An object and the first key that stands twice in it or in what it holds."""

    value: Mapping[str, Json]
    repeated: str | None


def parse_json(grammar: JsonGrammar, text: str) -> Answer | Unparsable:
    """What `JsonGrammar.parse` says."""
    having = [found for found in top_level_objects(text) if grammar.choice in found.value]
    if not having:
        return Unparsable(f"no JSON object with the key {grammar.choice!r}")
    value, repeated = having[-1]
    if repeated is not None:
        return Unparsable(f"the key {repeated!r} stands twice in one object")
    said, shown = value[grammar.choice], grammar.shown or grammar.labels
    choice = label(grammar, said)
    if choice is None:
        return Unparsable(f"{grammar.choice} is {short(said)}, not one of {', '.join(shown)}")
    probability = None if grammar.probability is None else value.get(grammar.probability)
    if probability is not None and not is_probability(probability):
        return Unparsable(f"{grammar.probability} is {short(probability)}, not a number in [0, 1]")
    evidence = None if grammar.evidence is None else value.get(grammar.evidence)
    texts = [entry for entry in evidence if isinstance(entry, str)] if isinstance(evidence, list) else []
    writable = tuple(text.encode("utf-8", "replace").decode() for text in texts[:MOST_EVIDENCE])
    return Answer(choice, None if probability is None else float(probability), writable)


def label(grammar: JsonGrammar, said: Json) -> str | None:
    """The label that is meant."""
    if not isinstance(said, str) or said in grammar.labels:
        return said if isinstance(said, str) else None
    meant = {"".join(name.split()).lower(): label for name, label in zip(grammar.shown, grammar.labels, strict=False)}
    return meant.get("".join(said.split()).lower())


def short(value: Json) -> str:
    """A value, cut short."""
    shown = repr(value)
    return shown if len(shown) <= 40 else f"{shown[:40]}…"


def top_level_objects(text: str) -> Iterator[Found]:
    """Every JSON object that is not inside another."""
    repeated: list[str] = []

    def unique(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
        counts = Counter(name for name, _ in pairs)
        repeated.extend(name for name, count in counts.items() if count > 1)
        return dict(pairs)

    opening = OPENING.search(text)
    while opening:
        at = opening.start()
        end, whole = end_of_object(text, at)
        if whole:
            repeated.clear()
            try:
                value = json.loads(text[at:end], object_pairs_hook=unique)
            except ValueError:
                whole = False
            else:
                yield Found(value, repeated[0] if repeated else None)
        if not whole:
            end = at + 1
        opening = OPENING.search(text, end)


def end_of_object(text: str, at: int) -> tuple[int, bool]:
    """Where an object ends by its brackets alone, or how far it was followed in vain."""
    depth = 0
    for token in TOKEN.finditer(text, at):
        if token[0] in ("{", "["):
            depth += 1
            if depth > MOST_NESTING:
                return token.end(), False
        elif token[0] in ("}", "]"):
            depth -= 1
            if depth == 0:
                return token.end(), True
        elif token[0] == '"':
            break
    return len(text), False


def parse_marks(grammar: MarksGrammar, text: str) -> Answer | Unparsable:
    """What `MarksGrammar.parse` says."""

    def folded(mark: str) -> str:
        return mark.lower() if grammar.ignore_case else mark

    marks = sorted((mark for mark, _ in grammar.marks), key=len, reverse=True)
    flags = re.ASCII | re.IGNORECASE if grammar.ignore_case else re.ASCII
    chosen = {folded(mark): (mark, choice) for mark, choice in grammar.marks}
    for line in reversed(text.splitlines()):
        found = {chosen[folded(mark)] for mark in re.findall("|".join(map(re.escape, marks)), line, flags)}
        if len(found) > 1:
            return Unparsable(f"different marks on one line: {', '.join(sorted(mark for mark, _ in found))}")
        if found:
            return Answer(found.pop()[1])
    return Unparsable(f"none of the marks {', '.join(mark for mark, _ in grammar.marks)}")
