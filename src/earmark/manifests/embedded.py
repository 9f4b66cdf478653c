"""JSON objects in prose: every one that is not inside another, found in time linear in the text whatever stands in it.

A place that opens an object is followed at most once. From two places that are read alike, both outside of strings, the same
comes of what follows; so whoever follows one of them learns of all that open on the way, which close and which do not. What
stands in a string may be read as objects too, from inside it: what is outside then is inside here, and no third way is left.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from earmark.manifests.canonical import Json
from earmark.manifests.strict import MOST_NESTING


class Embedded(NamedTuple):
    """A decoded object and the first key that stands twice in it or in what it holds."""

    value: Mapping[str, Json]
    repeated: str | None


def last_object(text: str, key: str) -> Embedded | None:
    """The last object of a text that has a key and is not inside another; what is nested deeper than 64 is none.

    Args:
        text: What may hold objects, and anything between them.
        key: The key.
    """
    if not _may_say(text, key):
        return None
    plain = _plain_objects(text)
    if plain is not None:
        for value in reversed(plain):
            if key in value:
                return Embedded(value, None)
        return None
    for begin, end in reversed(list(_places(text))):
        said = text[begin:end]
        if _may_say(said, key) and (found := _decoded(said)) is not None and key in found.value:
            return found
    return None


def _may_say(text: str, key: str) -> bool:
    return key in text or "\\" in text


def _plain_objects(text: str) -> list[dict[str, Json]] | None:
    """All objects, where every brace that could open one with a key does and no key stands twice; else None.

    The decoder finds the ends by itself then, which takes a tenth of the time.
    """
    objects = []
    opening = _BRACE.search(text)
    while opening:
        at = opening.start()
        try:
            value, end = _PLAIN.raw_decode(text, at)
        except (ValueError, RecursionError):
            return None
        if end - at > MOST_NESTING and text.count("{", at, end) + text.count("[", at, end) > MOST_NESTING:
            return None  # it may be nested too deeply
        objects.append(value)
        opening = _BRACE.search(text, end)
    return objects


def _all_different(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    value = dict(pairs)
    if len(value) < len(pairs):
        raise ValueError("a key stands twice")
    return value


_PLAIN = json.JSONDecoder(object_pairs_hook=_all_different)


def _decoded(said: str) -> Embedded | None:
    repeated: list[str] = []

    def unique(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
        value = dict(pairs)
        if len(value) < len(pairs):
            counts = Counter(name for name, _ in pairs)
            repeated.extend(name for name, count in counts.items() if count > 1)
        return value

    try:
        value = json.loads(said, object_pairs_hook=unique)
    except ValueError:  # where the interpreter was told to read fewer digits than it does by itself
        return None
    return Embedded(value, repeated[0] if repeated else None)


def _places(text: str) -> Iterator[tuple[int, int]]:
    """Where each object begins and ends that has a key and is not inside another, in order."""
    ends: dict[int, int] = {}
    opening = _OPENING.search(text)
    while opening:
        at = opening.start()
        if at not in ends:
            _follow(text, at, ends)
        end = ends[at]
        if end:
            yield at, end
        opening = _OPENING.search(text, end or at + 1)


def _follow(text: str, at: int, ends: dict[int, int]) -> None:
    """Follow an object to its end or to what no JSON has; note where each ends that opens on the way, 0 if it does not."""
    opened, heights, height = [at], [], 1
    found = _WITHIN["{"](text, at + 1)
    while found:
        end = found.end()
        if found.lastindex is not None and height == 1:
            height = 2  # it holds an empty one
        last = text[end - 1]
        if last in "{[":
            opened.append(end - 1)
            heights.append(height)
            height = 1
            found = _WITHIN[last](text, end)
            continue
        ends[opened.pop()] = end if height <= MOST_NESTING else 0
        if not opened:
            return
        height = max(heights.pop(), height + 1)
        found = _BEHIND[text[opened[-1]]](text, end)
    ends.update(dict.fromkeys(opened, 0))


_SPACE = r"[ \t\n\r]*+"
_TEXT = r'"(?:[^"\\\x00-\x1f]++|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*+"'
# A whole number of more digits than the decoder turns into one is none.
_NUMBER = (
    r"-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++(?:[eE][-+]?[0-9]++)?+|[eE][-+]?[0-9]++)"
    r"|-?(?:0|[1-9][0-9]{0,4299}+)(?![0-9])"
)
_EMPTY = rf"\[{_SPACE}\]|\{{{_SPACE}\}}"
_LEAF = rf"{_TEXT}|{_NUMBER}|true|false|null|NaN|-?Infinity"
_MEMBERS = {"{": rf"{_SPACE}{_TEXT}{_SPACE}:{_SPACE}", "[": _SPACE}
_CLOSING = {"{": r"\}", "[": r"\]"}


def _run(kind: str) -> str:
    """What stands in an object or a list up to the next bracket that holds something, or to its own end."""
    name, leaf = _MEMBERS[kind], rf"(?>{_LEAF}|({_EMPTY})){_SPACE}"
    return rf"(?:{name}{leaf},)*+{name}(?:{leaf}{_CLOSING[kind]}|[\[{{])"


_BRACE = re.compile(r"\{(?=[ \t\n\r]*\")")
_OPENING = re.compile(rf"\{{(?={_MEMBERS['{']})")
_WITHIN = {kind: re.compile(_run(kind)).match for kind in "{["}
_BEHIND = {kind: re.compile(rf"{_SPACE}(?:{_CLOSING[kind]}|,{_run(kind)})").match for kind in "{["}
