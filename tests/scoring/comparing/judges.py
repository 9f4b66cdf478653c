"""Synthetic judges of small releases: how often each is right and fails is its own, drawn by its name."""

from __future__ import annotations

import json
import random
from pathlib import Path

from earmark.manifests.release import Release
from earmark.scoring.decisions import owed_presentations


def judge(
    release: Release,
    folder: Path,
    name: str,
    *,
    skill: float,
    fails: float = 0.0,
    protocol: str | None = None,
    **said: str,
) -> Path:
    """Write the predictions of a judge.

    Args:
        release: A release of any family, with its private side.
        folder: Where the file goes.
        name: The judge's name, and the file's.
        skill: How often it is right.
        fails: How often it gives no answer.
        protocol: What it follows.
        said: What else it says of itself.
    """
    chance = random.Random(name)  # noqa: S311 - nothing secret
    family = release.family
    gold = {row["item_id"]: row["gold"] for row in release.table("answers").to_pylist()}
    owed = owed_presentations(release, release.protocol(protocol))
    rows: list[dict[str, object]] = [{"earmark": {"protocol": owed.protocol, "judge": {"name": name, **said}}}]
    for id, item, order in zip(owed.ids, owed.item, owed.order, strict=True):
        choices = {family.decision(order, choice): choice for choice in family.choices}
        right = choices.get(gold[item], family.choices[0])
        wrong = [choice for choice in family.choices if choice != right]
        choice = right if chance.random() < skill else chance.choice(wrong)
        if chance.random() < fails:
            rows.append({"presentation_id": id, "status": "failed"})
        else:
            sure = {"probability": round(chance.uniform(0.5, 1), 3)} if family.probability else {}
            rows.append({"presentation_id": id, "choice": choice, **sure})
    file = folder / f"{name}.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8", newline="\n")
    return file
