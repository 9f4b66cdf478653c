"""The stored order: drawn with the key, balanced to within one in every cell, and the mirror image of itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from tests.support.speech_miniatures import planned

from earmark.builders.plan import Plan


def firsts(plan: Plan) -> Mapping[tuple[object, ...], Counter[object]]:
    """Per cell as the manifest has them but for sexes, how often each clip of a non-tie pair stands first."""
    answers = {row["item_id"]: row for row in plan.tables["answers"]}
    found: dict[tuple[object, ...], Counter[object]] = {}
    for item in plan.tables["items"]:
        answer = answers[item["item_id"]]
        if answer["kind"] == "non_tie":
            target = None if item["facet"] == "emphasis" else item["target"]
            sex = answer["sex"] if item["facet"] == "age" else None
            cell = (item["facet"], target, answer["transcript"], answer["speakers"], sex, answer["variant"])
            found.setdefault(cell, Counter())[answer["gold"]] += 1
    return found


def test_the_preferred_clip_is_first_in_half_of_every_cell(corpora: Path) -> None:
    plan, _ = planned(corpora, pairing={"allow_shortfall": True, "blocks": ["age", "rate", "emphasis"]})
    cells = firsts(plan)
    assert len(cells) > 8
    for cell, found in cells.items():
        assert abs(found["first"] - found["second"]) <= 1, cell


def test_the_order_is_drawn_with_the_key(corpora: Path) -> None:
    pairing = {"preset": "all", "blocks": ["rate"], "speakers": "same"}
    drawn = []
    for key in (bytes(32), bytes(range(32))):
        plan, _ = planned(corpora, pairing=pairing, key=key)
        paths = {row["clip_id"]: row["path"] for row in plan.tables["sources"]}
        gold = {row["item_id"]: row["gold"] for row in plan.tables["answers"]}
        clips: dict[object, dict[object, object]] = {}
        for row in plan.tables["item_clips"]:
            clips.setdefault(row["item_id"], {})[row["position"]] = paths[row["clip_id"]]
        drawn.append({(clips[item][0], clips[item][1], gold[item]) for item in gold})
    assert drawn[0] != drawn[1]
    assert {frozenset(entry[:2]) for entry in drawn[0]} == {frozenset(entry[:2]) for entry in drawn[1]}
