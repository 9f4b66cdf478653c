"""A line of `requests.jsonl`: what to send for a presentation, in the order to send it."""

from __future__ import annotations

import json
from collections.abc import Mapping

from earmark.builders.presenting.history import Earlier
from earmark.builders.presenting.showing import Showing
from earmark.manifests.canonical import Json
from earmark.manifests.rows import Row, optional_text, text, texts


def request(
    row: Row,
    prompt: Row,
    showing: Showing,
    earlier: Earlier | None = None,
    names: Mapping[str, str] | None = None,
    system: str | None = None,
) -> Mapping[str, Json]:
    """The request of a presentation.

    Args:
        row: A presentation.
        prompt: Its prompt.
        showing: What stands for each clip.
        earlier: What stands in its history besides its clips; None where nothing does.
        names: By clip, the name of its file where it is a right answer that is shown.
        system: A persona's system text; the prompt's own without.
    """
    clips: list[Json] = []
    for label, clip in zip(texts(row, "labels"), texts(row, "clips"), strict=True):
        if earlier is not None and earlier.before == label:
            clips.append(_in_history(earlier, showing, names or {}))
        clips.append({"label": label, **showing.of(clip)})
    answer: Json = json.loads(text(prompt, "answer"))
    after = optional_text(row, "after")
    return {
        "presentation_id": text(row, "presentation_id"),
        **({} if after is None else {"after": after}),
        "system": system or text(prompt, "system"),
        "clips": clips,
        "user": text(prompt, "user"),
        "answer": answer,
    }


def _in_history(earlier: Earlier, showing: Showing, names: Mapping[str, str]) -> Json:
    if earlier.told is not None:
        return {"label": earlier.label, **showing.in_history(earlier.told, names.get(earlier.told))}
    options: dict[str, Json] = {choice: showing.in_history(clip) for choice, clip in earlier.clips.items()}
    return {"label": earlier.label, "chosen_in": earlier.chosen_in, "options": options}
