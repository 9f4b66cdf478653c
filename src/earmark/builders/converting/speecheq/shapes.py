"""The parts of a prediction file of SpeechEQ's, as its authors wrote them; keys that are not read are let be."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

MOST_BYTES = 1 << 27
"""Largest file that is read; the known ones have 200 kB for 15 dialogues."""

MOST_RESPONSES, MOST_RUNS = 100_000, 64
"""Dialogues of a file, and runs of a turn, that are read at most."""

_Name = Annotated[str, Meta(min_length=1, max_length=200, pattern=r"^[^\x00-\x1f]*$")]
_Text = Annotated[str, Meta(max_length=1 << 20)]


class Sentence(msgspec.Struct, frozen=True, kw_only=True):
    """`sentence_4` or `sentence_6`: what was said of one turn.

    Args:
        individual_results: One entry for each run; each is judged by itself.
        correct: What the vote came to.
        error: Why there is no result.
    """

    individual_results: Annotated[list[object], Meta(max_length=MOST_RUNS)] = []
    correct: bool | None = None
    error: _Text | None = None


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """An entry of `individual_results`.

    Args:
        selected_option: option1, option2, or error where nothing could be read.
        high_eq_option: Which of them was the resonant one.
        correct: Whether it was right.
        reasoning: What was said besides.
        raw_response: All that was said; cascaded systems' files lack it.
    """

    selected_option: Annotated[str, Meta(max_length=200)]
    high_eq_option: Literal["option1", "option2"]
    correct: bool | None = None
    reasoning: _Text | None = None
    raw_response: _Text | None = None


class Level(msgspec.Struct, frozen=True, kw_only=True):
    """`sample_level`: what both turns came to."""

    correct: bool | None = None


class Response(msgspec.Struct, frozen=True, kw_only=True):
    """An entry of `responses`: one dialogue."""

    dataset_id: _Name
    subscale_slug: _Name
    eq_scale: _Name | None = None
    scenario_title: Annotated[str, Meta(max_length=4096)] = ""
    found: bool = True
    sentence_4: Sentence | None = None
    sentence_6: Sentence | None = None
    sample_level: Level | None = None


class File(msgspec.Struct, frozen=True, kw_only=True):
    """The file.

    Args:
        dataset_name: The data that were judged.
        model: Who judged.
        responses: One entry for each dialogue; each is judged by itself.
        source_file: Name of the file that the authors made it of; tells what a cascade was given.
    """

    dataset_name: Annotated[str, Meta(pattern=r"^[A-Za-z0-9][A-Za-z0-9 _.+/-]{0,99}$")]
    model: _Name
    responses: Annotated[list[object], Meta(max_length=MOST_RESPONSES)]
    source_file: Annotated[str, Meta(max_length=1000)] = ""
