"""A baseline's guesses as a prediction file."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from earmark.manifests.release import Release
    from earmark.scoring.baselines.rule import Baseline, Guesses
    from earmark.scoring.decisions import Owed


def write_predictions(
    baseline: Baseline, release: Release, owed: Owed, path: Path, *, canary: str | None = None
) -> str | None:
    """Write a baseline as a prediction file.

    Args:
        baseline: The rule.
        release: The release.
        owed: The presentations that a protocol owes.
        path: The file.
        canary: UUID of the release line, in a file that is published with it.

    Returns:
        None, or why the rule cannot answer and nothing was written.
    """
    guesses = baseline.guess(release, owed)
    if isinstance(guesses, str):
        return guesses
    write_guesses(baseline, guesses, release, owed, path, canary=canary)
    return None


def write_guesses(
    baseline: Baseline, guesses: Guesses, release: Release, owed: Owed, path: Path, *, canary: str | None = None
) -> None:
    """Write what a baseline said.

    Args:
        baseline: The rule.
        guesses: What it said of every presentation.
        release: The release.
        owed: The presentations that a protocol owes.
        path: The file.
        canary: UUID of the release line, in a file that is published with it.
    """
    manifest = release.manifest
    header: dict[str, object] = {
        "release": f"{manifest.name}@{manifest.version}",
        "content_hash": manifest.content_hash,
        "protocol": owed.protocol,
        **({} if canary is None else {"canary": canary}),
        "judge": {"name": baseline.name, "architecture": "rule"},
    }
    rows: list[dict[str, object]] = [{"earmark": header}]
    for id in owed.ids:
        guess = guesses[id]
        stated = {} if guess.probability is None else {"probability": guess.probability}
        rows.append({"presentation_id": id, "choice": guess.choice, **stated})
    text = "".join(json.dumps(row, ensure_ascii=False, allow_nan=False) + "\n" for row in rows)
    path.write_text(text, encoding="utf-8", newline="\n")
