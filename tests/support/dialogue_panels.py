"""Releases of dialogues that panels are drawn from, and sheets of such panels as they come back."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from tests.support.dialogue_releases import Spoken, some_dialogues, write_dialogue_release

from earmark.builders.panels.draw import Draw, draw_panel
from earmark.builders.panels.recipe import panel_recipe
from earmark.manifests.canonical import Json
from earmark.manifests.declarations import AUDIO
from earmark.manifests.eqi import FAILURES
from earmark.manifests.families.dialogues import DIRECT, SEQUENTIAL_2
from earmark.manifests.findings import Findings
from earmark.manifests.panels import Asked, Panel
from earmark.manifests.release import Release

CHAINS = (SEQUENTIAL_2, DIRECT)

FORM: Json = {"criteria": [{"slug": "words", "asks": "Do the words do?"}, {"slug": "scene", "asks": "Is it $facet?"}]}
"""Two criteria, the second of which names the facet."""

Answer = Callable[[Asked], str | None]
"""What somebody says to a question; None leaves its line out."""


def spoken(count: int) -> list[Spoken]:
    """Dialogues of all subscales in turn whose wrong options fail in many ways."""
    slugs = [failure.slug for failure in FAILURES]
    return [
        replace(one, failure=(slugs[(n * 7 + n // 15) % 6], slugs[(n * 5 + n // 7) % 6]))
        for n, one in enumerate(some_dialogues(count))
    ]


def write_release(out: Path, count: int, *, swap_golds: bool = False, audio: bool = False) -> Release:
    """A release of so many dialogues in audio; with `swap_golds` all that was right is wrong."""
    other = {"first": "second", "second": "first"}
    dialogues = [
        replace(one, gold=(other[one.gold[0]], other[one.gold[1]])) if swap_golds else one for one in spoken(count)
    ]
    return write_dialogue_release(out, dialogues, CHAINS, (AUDIO,), audio=audio)


def draw(release: Release, groups: int = 1, form: Json = FORM, **sections: Json) -> Draw:
    """A panel of some dialogues of each subscale for two raters, with the form of two criteria."""
    recipe: dict[str, Json] = {
        "panel": {"name": "p", "raters": ["ann", "ben"], "protocol": DIRECT},
        "quotas": {"groups": groups},
        "form": form,
        **sections,
    }
    return draw_panel(release, panel_recipe(recipe), Findings())


def fill(path: Path, panel: Panel, rater: str, answer: Answer, *lines: str) -> Path:
    """A sheet of one rater, with further lines."""
    rows = [f"{asked.id},{said}" for asked in panel.questions(rater) if (said := answer(asked)) is not None]
    path.write_text("\r\n".join(["presentation_id,choice", *rows, *lines, ""]), encoding="utf-8", newline="")
    return path


def right_choices(release: Release) -> dict[str, str]:
    """The right choice of every presentation of a release."""
    golds = {row["item_id"]: row["gold"] for row in release.table("answers").to_pylist()}
    family = release.family
    return {
        row["presentation_id"]: next(
            choice for choice in family.choices if family.decision(row["order"], choice) == golds[row["item_id"]]
        )
        for row in release.table("presentations").to_pylist()
    }


def write_submission(
    path: Path,
    release: Release,
    right: Mapping[str, tuple[bool, bool]],
    *,
    reasons: str = "It sounds so.",
    judge: str | None = None,
) -> Path:
    """A prediction file that is right at turn 4 and turn 6 of each dialogue in all of its orders, or wrong in all of them."""
    choices = right_choices(release)
    items = {row["item_id"]: row for row in release.table("items").to_pylist()}
    lines = [] if judge is None else [{"earmark": {"protocol": SEQUENTIAL_2, "judge": {"name": judge}}}]
    for row in release.table("presentations").to_pylist():
        if SEQUENTIAL_2 not in row["protocols"]:
            continue
        item, id = items[row["item_id"]], row["presentation_id"]
        choice = choices[id] if right[item["group"]][item["target"] == "turn 6"] else {"1": "2", "2": "1"}[choices[id]]
        response = json.dumps({"reasoning": f"{reasons} {item['target']}", "selected": f"Option {choice}"})
        lines.append({"presentation_id": id, "response": response})
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    return path
