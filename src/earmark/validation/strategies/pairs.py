"""How a pairs release looks: the pairs of `pair_tables` as items in both orders, and one control of each kind."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import cast

import msgspec
from hypothesis import strategies as st

from earmark.manifests.acoustics import MEASURES
from earmark.manifests.canonical import Json
from earmark.manifests.families.pairs import (
    BOTH_GOOD,
    CONTROL,
    CONTROLS,
    CRITERIA,
    CROSS,
    FIRST,
    NON_TIE,
    REVERSED,
    SAME,
    SECOND,
    TIE,
)
from earmark.manifests.families.pairs_recipe import SECTION, Pairing
from earmark.manifests.pairing import LABELS
from earmark.validation.strategies.cells import Row
from earmark.validation.strategies.pairing import DrawnPairs, pair_tables
from earmark.validation.strategies.sketches import Sketch, SketchedClip, SketchedItem

_GAINS = {"identical": None, "level": -12.0, "silence": -200.0}
_MEASURED = {measure.name for measure in MEASURES}


def sketches(key: bytes) -> st.SearchStrategy[Sketch]:  # noqa: ARG001  # nothing of it is drawn with the key
    """Releases of a few pairs of every criterion and kind."""
    return st.builds(sketch_of, pair_tables(), st.booleans())


def sketch_of(drawn: DrawnPairs, turned: bool = False) -> Sketch:
    """A release of drawn pairs, sound or broken.

    Args:
        drawn: The pairs.
        turned: Whether controls have their altered clip first.
    """
    rows = {row["utterance"]: row for row in drawn.utterances}
    items = [_item(pair, rows[pair["first"]], rows[pair["second"]]) for pair in drawn.pairs]
    asked = next(pair for pair in drawn.pairs if pair["kind"] == BOTH_GOOD)
    items += _controls(asked, rows[asked["first"]], turned)
    pairing = Pairing(cells=tuple(drawn.cells), caps=drawn.caps, rules=drawn.rules)
    recipe: Mapping[str, Json] = {SECTION: msgspec.to_builtins(pairing)}
    facets = {facet: facet.capitalize() for facet in (*CRITERIA, CONTROL)}
    return Sketch(facets=facets, items=tuple(items), recipe=recipe)


def _item(pair: Row, first: Row, second: Row) -> SketchedItem:
    sexes = {first["sex"], second["sex"]}
    return SketchedItem(
        facet=str(pair["criterion"]),
        gold=str(pair["preferred"] or TIE),
        kind=str(pair["kind"]),
        clips={"clip": (_clip(first), _clip(second))},
        turned=(REVERSED,),
        item={"target": pair["target"]},
        answer={
            "transcript": pair["transcript"],
            "speakers": "same" if first["speaker"] == second["speaker"] else "different",
            "sex": None if None in sexes else "mixed" if len(sexes) > 1 else first["sex"],
            "variant": pair["variant"],
        },
    )


def _controls(asked: Row, heard: Row, turned: bool) -> Iterator[SketchedItem]:
    for variant in CONTROLS:
        clips = (_clip(heard), _clip(heard, _GAINS[variant]))
        silent = variant == "silence"
        yield SketchedItem(
            facet=CONTROL,
            gold=(SECOND if turned else FIRST) if silent else TIE,
            kind=NON_TIE if silent else BOTH_GOOD,
            clips={"clip": clips[::-1] if turned else clips},
            turned=(REVERSED,),
            item={"target": f"{asked['criterion']} {asked['target']}"},
            answer={
                "transcript": CROSS if silent else SAME,
                "speakers": "same",
                "sex": heard["sex"],
                "variant": variant,
            },
        )


def _clip(row: Row, gain: float | None = None) -> SketchedClip:
    start, end, rate = (cast("int", row[name]) for name in ("start", "end", "rate"))
    measured = {name: row.get(name) for name in _MEASURED}
    return SketchedClip(
        corpus=str(row["corpus"]),
        path=f"wav/{row['utterance']}.wav",
        rate=rate,
        spans=((start, end),),
        joining_silence=0,
        speaker=str(row["speaker"]),
        conversation=None,
        text=cast("str | None", row["text"]),
        further={
            **{column.name: row[column.name] for column in LABELS},
            **(measured if gain is None else dict.fromkeys(measured)),
            "gain": gain,
            "pcm_hash": row["pcm_hash"] if gain is None else None,
        },
    )
