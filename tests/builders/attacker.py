"""Somebody who wants the answers and has no private side: what they see, what they try, and how well they do.

Whatever is tried is a number per item; it tells the gold if items of one pole tend to have greater numbers than those of the
other. Success is the area under the ROC curve, so that a preponderance of one pole, which the counts in a report tell anyway,
is no success; a number that is lower for P is as good as one that is higher.
"""

from __future__ import annotations

import base64
import json
import statistics
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from scipy.stats import rankdata

from earmark.builders.plan import Plan
from earmark.builders.stance import plan
from earmark.manifests.canonical import Json
from earmark.manifests.families.stance import STANCE
from earmark.manifests.findings import Findings
from earmark.manifests.keys import rank
from earmark.manifests.tables import Side

TABLES = STANCE.tables()
PUBLIC = [name for name, table in TABLES.items() if table.side is Side.PUBLIC]


@dataclass(frozen=True)
class Seen:
    """One release as a stranger sees it, and what only the judge of the attack knows.

    Args:
        tables: The public tables in the order of their rows.
        speaker: Speaker of each item's target and
        conversation: its conversation, for an attacker who has the corpus and found the clips in it by their lengths.
        gold: The answers.
    """

    tables: Mapping[str, pa.Table]
    speaker: Mapping[str, str]
    conversation: Mapping[str, str]
    gold: Mapping[str, str]


Leak = Callable[[dict[str, list[dict[str, object]]]], None]
"""Changes the rows of a plan so that they tell; the order of the rows it leaves is the order that is seen."""


def planned(recipe: Mapping[str, Json], base: Path, key: bytes) -> Plan:
    """A release that is only planned."""
    return plan(recipe, base, key, Findings(), lambda *_: None)[1]


def seen(made: Plan, leak: Leak | None = None) -> Seen:
    """What a stranger sees of a plan once it is written."""
    rows = {name: [dict(row) for row in made.tables[name]] for name in made.tables}
    if leak is None:
        tables = {name: TABLES[name].from_rows(rows[name]) for name in PUBLIC}
    else:
        rows = {
            name: sorted(r, key=lambda row, n=name: [str(row[k]) for k in TABLES[n].key]) for name, r in rows.items()
        }  # type: ignore[misc]  # a default is how a lambda keeps it
        leak(rows)
        tables = {name: pa.Table.from_pylist(rows[name], schema=TABLES[name].arrow_schema()) for name in PUBLIC}
    source = {row["clip_id"]: row for row in rows["sources"]}
    target = {row["item_id"]: source[row["clip_id"]] for row in rows["item_clips"] if row["role"] == "target"}
    return Seen(
        tables,
        {str(item): str(row["speaker"]) for item, row in target.items()},
        {str(item): str(row["conversation"]) for item, row in target.items()},
        {str(row["item_id"]): str(row["gold"]) for row in rows["answers"]},
    )


def bits(id: str, most: int = 24) -> Iterator[int]:
    """The first bits of an opaque id."""
    raw = base64.b32decode(id[1:].upper() + "======")
    return ((raw[at // 8] >> (at % 8)) & 1 for at in range(most))


def features(release: Seen, seed: int) -> dict[str, dict[str, float]]:
    """Item → everything that might tell."""
    told: dict[str, dict[str, float]] = defaultdict(dict)
    place = {name: {} for name in PUBLIC}  # type: dict[str, dict[str, list[int]]]
    for name in ("items", "item_clips", "presentations"):
        for at, item in enumerate(release.tables[name]["item_id"].to_pylist()):
            place[name].setdefault(item, []).append(at)
    clips = {row["clip_id"]: (at, row) for at, row in enumerate(release.tables["clips"].to_pylist())}
    prompts = {id: at for at, id in enumerate(release.tables["prompts"]["prompt_id"].to_pylist())}
    of_item: dict[str, dict[str, str]] = defaultdict(dict)
    for row in release.tables["item_clips"].to_pylist():
        of_item[row["item_id"]][row["role"]] = row["clip_id"]
    asked: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in release.tables["presentations"].to_pylist():
        asked[row["item_id"]].append(row)
    for item, roles in of_item.items():
        tell = told[item]
        for name, places in place.items():
            if item in places:
                tell[f"row in {name}"] = statistics.fmean(places[item]) / release.tables[name].num_rows
                tell[f"parity in {name}"] = places[item][0] % 2
        tell |= {f"item bit {n}": bit for n, bit in enumerate(bits(item))}
        for role, clip in roles.items():
            at, row = clips[clip]
            tell[f"row of {role}"] = at / len(clips)
            tell[f"length of {role}"] = row["duration"]
            tell[f"samples of {role}, last bits"] = round(row["duration"] * row["rate"]) % 16
            tell[f"rate of {role}"] = row["rate"]
            tell |= {f"{role} bit {n}": bit for n, bit in enumerate(bits(clip))}
        order = sorted(asked[item], key=lambda row: row["presentation_id"])
        tell["first order by id"] = float(order[0]["order"] == "PN")
        tell["orders"] = len(order)
        tell["labels"] = float(len(order[0]["labels"]))
        tell["first label"] = float(order[0]["labels"][0] == "TARGET")
        tell["protocols"] = sum(len(row["protocols"]) for row in order)
        for row in order:
            name = f"{row['order']} {row['modality']}"
            tell[f"prompt of {name}"] = prompts[row["prompt_id"]]
            tell |= {f"{name} bit {n}": bit for n, bit in enumerate(bits(row["presentation_id"], 8))}
        # With the corpus in hand: who they are, how they stand to their partner, and every rank that needs no key.
        speaker, talk = release.speaker[item], release.conversation[item]
        others = [other for other, where in release.conversation.items() if where == talk and other != item]
        tell["items of the conversation"] = len(others) + 1
        tell["items of the speaker"] = sum(release.speaker[other] == speaker for other in others) + 1
        tell["number of the speaker"] = float("".join(c for c in speaker if c.isdecimal()))
        tell["before the partner"] = float(all(speaker <= release.speaker[other] for other in others))
        for draw in ("sample", "", "P", "N", *{role for pole in ROLES for role in pole}):
            tell[f"public rank in {draw!r}"] = rank(b"", seed, draw, talk)
        sizes = [clips[of_item[other]["target"]][1]["duration"] for other in others]
        tell["longer than the others"] = clips[roles["target"]][1]["duration"] - statistics.fmean([0.0, *sizes])
    return told


ROLES = (("Friendly", "Warm"), ("Aloof", "Distant"))


def auroc(scores: NDArray[np.float64], positive: NDArray[np.bool_]) -> float:
    """Area under the ROC curve, ties ½."""
    ranks = rankdata(scores)
    p, n = int(positive.sum()), int((~positive).sum())
    return float((ranks[positive].sum() - p * (p + 1) / 2) / (p * n))


def spread(groups: NDArray[np.int64], positive: NDArray[np.bool_]) -> float:
    """An upper bound of an attack's standard deviation by chance: items of one conversation rise and fall together.

    With independent items the variance of an AUROC is at most 1/(12 p n) · (p + n + 1); with groups, items are fewer than they
    look by a factor of at most the mean group size weighted by items.
    """
    p, n = int(positive.sum()), int((~positive).sum())
    sizes = np.unique(groups, return_counts=True)[1]
    design = float((sizes**2).sum() / sizes.sum())
    return float(np.sqrt(design * (p + n + 1) / (12 * p * n)))


def public_bytes(folder: Path) -> dict[str, bytes]:
    """Every file that a stranger gets, by name; of the manifest, without what is keyed."""
    files = {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted((folder / "public").rglob("*"))
        if path.is_file()
    }
    manifest = json.loads((folder / "release.json").read_text(encoding="utf-8"))
    for entry in manifest["tables"].values():
        if entry["side"] == "private":
            del entry["content_hash"]
    for entry in manifest["sources"]:
        del entry["metadata"]["assignments"]
    return {**files, "release.json": json.dumps(manifest).encode()}
