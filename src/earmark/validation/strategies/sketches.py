"""Sketches: what a family decides about a release; ids, presentations, prompts and durations follow for all families alike."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import cast

from hypothesis import strategies as st

from earmark.manifests import keys
from earmark.manifests.canonical import Json, canonical_json
from earmark.manifests.family import Family
from earmark.manifests.tables import Column
from earmark.validation.strategies.cells import Row, cells

Rows = dict[str, list[Row]]

_WORDLESS = (None, "")


@dataclass(frozen=True, kw_only=True)
class SketchedClip:
    """Where a clip is from; `further` fills the family's own source columns."""

    corpus: str = "toy"
    corpus_version: str = "1.0"
    path: str
    channel: int = 0
    rate: int
    spans: tuple[tuple[int, int], ...]
    joining_silence: int
    speaker: str
    conversation: str | None
    prompt: str | None = None
    text: str | None = None
    further: Mapping[str, object] = field(default_factory=dict)

    def id(self, key: bytes) -> str:
        """Its id under a key."""
        return keys.clip_id(
            key,
            corpus=self.corpus,
            version=self.corpus_version,
            path=self.path,
            channel=self.channel,
            rate=self.rate,
            spans=self.spans,
            joining_silence=self.joining_silence,
            gain=cast("float | None", self.further.get("gain")),
        )

    @property
    def duration(self) -> float:
        """Seconds, joining silence included."""
        spoken = sum(end - start for start, end in self.spans)
        return float(Fraction(spoken + self.joining_silence * (len(self.spans) - 1), self.rate))


@dataclass(frozen=True, kw_only=True)
class SketchedItem:
    """An item: its clips by role in the order in which they are sent; the mappings fill the family's own columns.

    In the orders that `turned` lists they are sent the other way round, under the same words.
    """

    facet: str
    gold: str
    kind: str | None = None
    clips: Mapping[str, SketchedClip | tuple[SketchedClip, ...]]
    turned: tuple[str, ...] = ()
    item: Mapping[str, object] = field(default_factory=dict)
    answer: Mapping[str, object] = field(default_factory=dict)

    @property
    def placed(self) -> list[tuple[str, int, SketchedClip]]:
        """Role, position and clip of each."""
        every = {role: clips if isinstance(clips, tuple) else (clips,) for role, clips in self.clips.items()}
        return [(role, position, clip) for role, clips in every.items() for position, clip in enumerate(clips)]

    @property
    def labels(self) -> list[str]:
        """What the clips are called, in the order in which they are sent; clips of one role are numbered."""
        alone = {role for role, clips in self.clips.items() if not isinstance(clips, tuple)}
        return [role.upper() if role in alone else f"{role.upper()} {at + 1}" for role, at, _ in self.placed]


@dataclass(frozen=True, kw_only=True)
class Sketch:
    """What a family decides about a release.

    Args:
        facets: Facet ids and their names; those without an item are left out.
        items: The items.
        selection: Rows of the selection table.
        recipe: The resolved recipe.
        seed: The public seed.
        rows: Makes the rows of every table with the key, where they do not follow from `items`.
    """

    facets: Mapping[str, str]
    items: tuple[SketchedItem, ...] = ()
    selection: tuple[Row, ...] = ()
    recipe: Mapping[str, Json] = field(default_factory=dict)
    seed: int = 1
    rows: Callable[[bytes], Rows] | None = None


@st.composite
def plain_sketches(draw: st.DrawFn, family: Family) -> Sketch:
    """Sketches for a family that says nothing more: one clip in each role, the family's own columns filled as declared."""
    facets = {f"F{n}": f"Facet {n}" for n in range(draw(st.integers(1, 2)))}
    items = []
    for n in range(draw(st.integers(2, 5))):
        clips = {
            role: SketchedClip(
                path=f"wav/talk-{n:02d}.wav",
                channel=place,
                rate=draw(st.sampled_from((16_000, 44_100, 48_000))),
                spans=((start := draw(st.integers(0, 9999)), start + draw(st.integers(1, 99_999))),),
                joining_silence=0,
                speaker=f"toy-speaker-{n // 2}-{role}",
                conversation=f"toy-talk-{n:02d}",
                further=_filled(draw, family.source_columns),
            )
            for place, role in enumerate(family.roles)
        }
        items.append(
            SketchedItem(
                facet=draw(st.sampled_from(sorted(facets))),
                gold=draw(st.sampled_from(family.golds)),
                kind=draw(st.sampled_from(family.kinds)) if family.kinds else None,
                clips=clips,
                item=_filled(draw, family.item_columns),
                answer=_filled(draw, family.answer_columns),
            )
        )
    return Sketch(facets=facets, items=tuple(items))


def rows_of(sketch: Sketch, family: Family, key: bytes) -> Rows:
    """The rows of every table of a sketched release, ids made with the key."""
    if sketch.rows is not None:
        return sketch.rows(key)
    made = _Made(family, key)
    for item in sketch.items:
        made.add(item)
    made.rows["selection"] = [dict(row) for row in sketch.selection]
    return made.rows


class _Made:
    """Rows as they grow; what several items share stands in them once."""

    def __init__(self, family: Family, key: bytes) -> None:
        self.family, self.key = family, key
        self.rows: Rows = {name: [] for name in family.tables()}
        self.ids: set[str] = set()

    def put(self, table: str, id: str, row: Row) -> None:
        if f"{table} {id}" not in self.ids:
            self.ids.add(f"{table} {id}")
            self.rows[table].append(row)

    def add(self, sketched: SketchedItem) -> None:
        clips = [clip.id(self.key) for _, _, clip in sketched.placed]
        facet = sketched.facet
        target = cast("str | None", sketched.item.get("target"))
        item = keys.item_id(self.key, family=self.family.name, facet=facet, target=target, clips=clips, script=None)
        if f"items {item}" in self.ids:
            return  # another item of the same clips, which a family may draw and a release may not hold
        self.put("items", item, {"item_id": item, "facet": facet, "group": None, "target": None, **sketched.item})
        answer: Row = {"item_id": item, "gold": sketched.gold, "kind": sketched.kind, **sketched.answer}
        self.put("answers", item, answer)
        for (role, position, sketch), clip in zip(sketched.placed, clips, strict=True):
            row: Row = {"item_id": item, "role": role, "position": position, "clip_id": clip}
            self.put("item_clips", f"{item} {role} {position}", row)
            self._add_clip(clip, sketch)
        for protocol in self.family.protocols:
            for order in protocol.orders:
                prompt = f"{facet}-{protocol.modality}" if sketched.turned else f"{facet}-{order}-{protocol.modality}"
                self.put("prompts", prompt, self._prompt(prompt))
                id = keys.presentation_id(self.key, item=item, order=order, after=None, modality=protocol.modality)
                presentation: Row = {
                    "presentation_id": id,
                    "item_id": item,
                    "order": order,
                    "after": None,
                    "modality": protocol.modality,
                    "prompt_id": prompt,
                    "protocols": [protocol.name],
                    "labels": sketched.labels,
                    "clips": clips[::-1] if order in sketched.turned else list(clips),
                }
                self.put("presentations", id, presentation)

    def _prompt(self, id: str) -> Row:
        answer = canonical_json(self.family.grammar.describe()).decode()
        return {
            "prompt_id": id,
            "system": "You judge what you are given.",
            "user": f"Which one? ({id})",
            "answer": answer,
        }

    def _add_clip(self, id: str, clip: SketchedClip) -> None:
        self.put("clips", id, {"clip_id": id, "duration": clip.duration, "rate": clip.rate, "licence": "CC0-1.0"})
        source: Row = {
            "clip_id": id,
            "corpus": clip.corpus,
            "corpus_version": clip.corpus_version,
            "path": clip.path,
            "channel": clip.channel,
            "rate": clip.rate,
            "starts": [start for start, _ in clip.spans],
            "ends": [end for _, end in clip.spans],
            "joining_silence": clip.joining_silence,
            "speaker": clip.speaker,
            "conversation": clip.conversation,
            "prompt": clip.prompt,
            "script": None,
            "text": clip.text,
            "text_source": None if clip.text in _WORDLESS else "by hand",
            "tone_text": None,
            "pcm_hash": None,
            "level": None,
            **clip.further,
        }
        self.put("sources", id, source)


def _filled(draw: st.DrawFn, columns: tuple[Column, ...]) -> Mapping[str, object]:
    return {column.name: draw(cells(column)) for column in columns}
