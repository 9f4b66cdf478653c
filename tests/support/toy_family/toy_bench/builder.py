"""How a toy release is made: from nothing but a number of pairs."""

from collections.abc import Mapping
from pathlib import Path

import msgspec

from earmark.builders.media import Progress
from earmark.builders.plan import Plan
from earmark.builders.recipes import ReleaseSection, check_recipe
from earmark.manifests import keys
from earmark.manifests.canonical import Json
from earmark.manifests.findings import Findings
from earmark.manifests.release import SourceEntry
from toy_bench.family import TOY

DEFAULT_RECIPE = """\
[release]
name = "toy"
version = "1.0.0"

[toy]
pairs = 6 # how many
"""

RATE = 16_000


class ToySection(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    pairs: int = 6


class Recipe(msgspec.Struct, frozen=True, kw_only=True):
    release: ReleaseSection
    toy: ToySection = ToySection()


def plan(
    recipe: Mapping[str, Json], base: Path, key: bytes, findings: Findings, progress: Progress
) -> tuple[ReleaseSection, Plan]:
    checked = check_recipe(recipe, Recipe)
    rows: dict[str, list[dict[str, object]]] = {name: [] for name in TOY.tables()}
    answer = '{"marks": {"[[A]]": "A", "[[B]]": "B", "[[Tie]]": "Tie"}}'
    rows["prompts"].append({"prompt_id": "which", "system": "Two clips.", "user": "Which one asks?", "answer": answer})
    for n in range(checked.toy.pairs):
        clips = [clip(key, rows, f"{n:02d}-{role}.wav", speaker=f"speaker-{n // 2}") for role in TOY.roles]
        item = keys.item_id(key, family="toy", facet="asking", target=None, clips=clips, script=f"script-{n}")
        rows["items"].append({"item_id": item, "facet": "asking", "group": None, "target": None})
        for role, id in zip(TOY.roles, clips, strict=True):
            rows["item_clips"].append({"item_id": item, "role": role, "position": 0, "clip_id": id})
            rows["sources"][-2 + TOY.roles.index(role)]["script"] = f"script-{n}"
        gold = TOY.golds[n % 3]
        kind = "both" if gold == "tie" else "plain"
        rows["answers"].append({"item_id": item, "gold": gold, "kind": kind, "asked": "Is it?"})
        for order in TOY.orders:
            modality = "transcript"
            rows["presentations"].append(
                {
                    "presentation_id": keys.presentation_id(key, item=item, order=order, after=None, modality=modality),
                    "item_id": item,
                    "order": order,
                    "after": None,
                    "modality": modality,
                    "prompt_id": "which",
                    "protocols": ["both-orders", "one-order"] if order == "AB" else ["both-orders"],
                    "labels": ["Audio A", "Audio B"],
                    "clips": clips if order == "AB" else clips[::-1],
                }
            )
    return checked.release, Plan(
        facets={"asking": "Asking"},
        tables=rows,
        roots={},
        sources=(SourceEntry(corpus="Toys", version="1", licence="CC0-1.0", metadata={}),),
        recipe=msgspec.to_builtins(checked),
        report={"pairs": checked.toy.pairs},
    )


def clip(key: bytes, rows: dict[str, list[dict[str, object]]], path: str, *, speaker: str) -> str:
    recipe = {"corpus": "Toys", "path": path, "channel": 0, "rate": RATE, "joining_silence": 0}
    id = keys.clip_id(key, version="1", spans=[(0, RATE)], **recipe)
    rows["clips"].append({"clip_id": id, "duration": 1.0, "rate": RATE, "licence": "CC0-1.0"})
    absent = dict.fromkeys(("conversation", "prompt", "tone_text", "pcm_hash", "level"))
    spoken = {"speaker": speaker, "text": "It is.", "text_source": "made up", "script": None}
    spans = {"corpus_version": "1", "starts": [0], "ends": [RATE]}
    rows["sources"].append({"clip_id": id, **recipe, **spans, **spoken, **absent})
    return id
