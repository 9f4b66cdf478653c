"""How a stance release looks: roles of two poles, conversations sampled by role, clips as long as the recipe allows."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import floor as whole_part

from hypothesis import strategies as st

from earmark.manifests import keys
from earmark.manifests.canonical import Json
from earmark.manifests.families.stance import NEGATIVE, POSITIVE
from earmark.validation.strategies.sketches import Sketch, SketchedClip, SketchedItem

_RATE, _SILENCE = 16_000, 4_000

_SEGMENTS: Mapping[str, Json] = {
    "single_close_s": 3.0,
    "single_most_s": 4.5,
    "single_tail_s": 1.5,
    "context_least_s": 1.0,
    "context_most_s": 2.0,
    "target_least_s": 1.0,
    "target_most_s": 3.0,
}

_DIMENSIONS = (
    ("S0", "Interpersonal Warmth", "single", ("Friendly", "Warm"), ("Aloof",)),
    ("S6", "Social Engagement", "interaction", ("Outgoing",), ("Taciturn", "Withdrawn")),
)
_CATEGORIES = {"Friendly": "Warmth", "Warm": "Warmth", "Outgoing": "Sociability"}


@dataclass(frozen=True)
class _Talk:
    """A conversation that could be sampled: its dimension, and the role of each side, side 1 having one at times only."""

    id: str
    dimension: int
    roles: tuple[str, str | None]


@st.composite
def sketches(draw: st.DrawFn, key: bytes) -> Sketch:
    """Releases of one or two dimensions with a few items of each, sampled as the recipe says from a population of talks."""
    portion, floor = draw(st.sampled_from(((1.0, 0), (0.5, 1), (0.25, 2))))
    seed = draw(st.integers(0, 99))
    talks = draw(_talks())
    strata: dict[str, set[str]] = defaultdict(set)
    for talk in talks:
        for role in talk.roles:
            if role is not None:
                strata[role].add(talk.id)
    drawn = {role: _choose(ids, portion, floor, key, seed) for role, ids in strata.items()}
    taken = set().union(*drawn.values())
    items: list[SketchedItem] = []
    for talk in talks:
        for side, role in enumerate(talk.roles) if talk.id in taken else ():
            if role is not None:
                items += draw(_items(talk, side, role))
    selection = tuple(
        {"stratum": role, "id": id, "drawn": id in drawn[role]} for role, ids in strata.items() for id in sorted(ids)
    )
    dimension: list[Json] = [
        {"id": id, "name": name, "mode": mode, "positive": _pole(positive), "negative": _pole(negative)}
        for id, name, mode, positive, negative in _DIMENSIONS
    ]
    recipe: Mapping[str, Json] = {
        "sample": {"method": "hash", "share": portion, "floor": floor},
        "segments": _SEGMENTS,
        "mapping": {"dimension": dimension},
    }
    facets = {id: name for id, name, *_ in _DIMENSIONS}
    return Sketch(facets=facets, items=tuple(items), selection=selection, recipe=recipe, seed=seed)


@st.composite
def _talks(draw: st.DrawFn) -> list[_Talk]:
    """Both poles of both dimensions occur, so that every fault can be put into every release."""
    talks = []
    for number, (_, _, _, positive, negative) in enumerate(_DIMENSIONS):
        for n in range(draw(st.integers(1, 3))):
            first = draw(st.sampled_from(positive))
            second = draw(st.sampled_from((*negative, None))) if n else draw(st.sampled_from(negative))
            talks.append(_Talk(f"toy-talk-{number}{n:02d}", number, (first, second)))
    return talks


@st.composite
def _items(draw: st.DrawFn, talk: _Talk, side: int, role: str) -> list[SketchedItem]:
    facet, _, mode, positive, _ = _DIMENSIONS[talk.dimension]
    items, at = [], draw(st.integers(0, _RATE))
    for _ in range(draw(st.integers(1, 2))):
        low, high = (1.5, 4.5) if mode == "single" else (1.0, 3.0)
        target, end = draw(_clip(talk, side, at, low, high))
        clips = {"target": target}
        if mode == "interaction":
            context, end = draw(_clip(talk, 1 - side, at, 1.0, 2.0))
            clips = {"context": context, "target": target}
        at = max(end, target.spans[-1][1]) + draw(st.integers(0, _RATE))
        gold = POSITIVE if role in positive else NEGATIVE
        answer = {"role": role, "category": _CATEGORIES.get(role)}
        items.append(SketchedItem(facet=facet, gold=gold, clips=clips, answer=answer))
    return items


@st.composite
def _clip(draw: st.DrawFn, talk: _Talk, side: int, at: int, low: float, high: float) -> tuple[SketchedClip, int]:
    """A clip that begins at a sample or a little later, and where it ends."""
    count = draw(st.integers(1, 3))
    active = draw(st.integers(round(low * _RATE), round(high * _RATE)))
    lengths = [active // count] * (count - 1)
    lengths.append(active - sum(lengths))
    spans = []
    for length in lengths:
        start = at + draw(st.integers(0, 9_600))
        at = start + length
        spans.append((start, at))
    clip = SketchedClip(
        path=f"wav/{talk.id}-{side}.wav",
        rate=_RATE,
        spans=tuple(spans),
        joining_silence=_SILENCE,
        speaker=f"toy-speaker-{talk.id[-2:]}-{side}",
        conversation=talk.id,
        prompt=f"toy-prompt-{talk.dimension}",
        text=draw(st.none() | st.sampled_from(("Well, then.", "I don't know."))),
        further={"active": float(Fraction(active, _RATE))},
    )
    return clip, at


def _pole(roles: tuple[str, ...]) -> Mapping[str, Json]:
    return {"roles": roles, "categories": sorted({_CATEGORIES[role] for role in roles if role in _CATEGORIES})}


def _choose(ids: set[str], share: float, floor: int, key: bytes, seed: int) -> set[str]:
    quota = whole_part(Fraction(str(share)) * len(ids) + Fraction(1, 2))
    return set(keys.choose(ids, min(len(ids), max(quota, floor)), key=key, seed=seed, stratum="sample"))
