"""A small stance release, a judge that hears it, and its marks, for tests named after what went wrong elsewhere."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from earmark.manifests.release import Release
from earmark.scoring.decisions import owed_presentations
from earmark.scoring.face import Scored, score
from earmark.scoring.measuring import Options

QUICK = Options(resamples=100)
Line = dict[str, object]


def hearing(release: Release, *, wrong: Sequence[int] = (), probability: float = 0.9) -> list[Line]:
    """Rows of a judge that is right in every item but the numbered ones, in both orders."""
    gold = {row["item_id"]: row["gold"] for row in release.table("answers").to_pylist()}
    owed = owed_presentations(release, release.protocol())
    number = {item: n for n, item in enumerate(dict.fromkeys(owed.item))}
    turned = {"P": "N", "N": "P"}
    return [
        {
            "presentation_id": id,
            "choice": turned[gold[item]] if number[item] in wrong else gold[item],
            "probability": probability,
        }
        for id, item in zip(owed.ids, owed.item, strict=True)
    ]


def saved(path: Path, lines: Sequence[Line], **header: object) -> Path:
    """The rows as JSON Lines."""
    head: list[Line] = [{"earmark": header}] if header else []
    path.write_text("".join(json.dumps(line) + "\n" for line in [*head, *lines]), encoding="utf-8", newline="\n")
    return path


def marked(release: Release, folder: Path, lines: Sequence[Line], **header: object) -> Scored:
    """What the rows get."""
    return score(release, saved(folder / "f.jsonl", lines, **header), options=QUICK)


def value(scored: Scored, metric: str) -> float | None:
    """One overall figure."""
    entry = scored.report.find(metric)
    assert entry is not None, metric
    return entry.value
