"""A rating sheet as one HTML page: it plays, asks, keeps answers in the browser, and hands them over as CSV.

It is the only page with a script, and that script is all it may run: the policy in its head names the script's hash, and lets
nothing in or out but the clips.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files

from earmark.manifests.canonical import Json
from earmark.pages.shown import shown, shown_lines
from earmark.pages.templates import render_template


@dataclass(frozen=True, kw_only=True)
class Question:
    """One question on a screen.

    Args:
        id: Its id on this sheet.
        asks: Paragraphs of the question, where the screen asks more than one.
        choices: Each choice with what it means, or an empty text.
    """

    id: str
    asks: tuple[str, ...] = ()
    choices: tuple[tuple[str, str], ...]


@dataclass(frozen=True, kw_only=True)
class Screen:
    """What is on the screen at once: recordings, and one question or several about them.

    Args:
        unit: Number of what it is about: what was heard of that on an earlier screen need not be heard again.
        about: Paragraphs on what is heard and how to judge.
        asks: Paragraphs of the question itself, or of what stands above all of them.
        clips: What each clip is called and its id, in the order they are played.
        questions: The questions.
    """

    unit: int
    about: tuple[str, ...]
    asks: tuple[str, ...]
    clips: tuple[tuple[str, str], ...]
    questions: tuple[Question, ...]


def rating_sheet_html(
    panel: str, rater: str, instructions: str, screens: Sequence[Screen], sources: Mapping[str, str]
) -> str:
    """The page of one rater.

    Args:
        panel: Name of the panel.
        rater: Name of the rater; the CSV is called by it.
        instructions: What stands above every question.
        screens: The screens, in the rater's order.
        sources: For each clip its address: a data URI, or a path beside the page.

    Returns:
        An HTML document. Equal input is equal bytes.
    """
    clips = list(dict.fromkeys(clip for screen in screens for _, clip in screen.clips))
    number = {clip: n for n, clip in enumerate(clips)}
    asked: list[Json] = [
        {
            "unit": screen.unit,
            "about": [shown_lines(part) for part in screen.about],
            "asks": [shown_lines(part) for part in screen.asks],
            "clips": [[shown(label, 80), number[clip]] for label, clip in screen.clips],
            "questions": [
                {
                    "id": question.id,
                    "asks": [shown_lines(part) for part in question.asks],
                    "choices": [[choice, shown(means, 400)] for choice, means in question.choices],
                }
                for question in screen.questions
            ],
        }
        for screen in screens
    ]
    ids = [question.id for screen in screens for question in screen.questions]
    sheet: Json = {
        # Another sheet under the same names must not resume with this one's answers.
        "id": hashlib.blake2b("\n".join(ids).encode(), digest_size=12).hexdigest(),
        "rater": rater,
        "screens": asked,
        "audio": [sources[clip] for clip in clips],
    }
    script = _asset("rating_sheet.js")
    return render_template(
        "rating_sheet.html.j2",
        {
            "title": shown(panel, 120),
            "rater": shown(rater, 60),
            "instructions": [shown_lines(part) for part in instructions.split("\n\n") if part.strip()],
            "count": len(ids),
            "script": script,
            "script_hash": base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
            "style": _asset("rating_sheet.css"),
            # No text can end the element that holds it.
            "sheet": json.dumps(sheet, ensure_ascii=True, allow_nan=False).replace("<", "\\u003c"),
        },
    )


def _asset(name: str) -> str:
    return files("earmark.pages.templates").joinpath(name).read_text(encoding="utf-8").strip()
