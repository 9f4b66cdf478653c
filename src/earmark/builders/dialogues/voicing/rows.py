"""What was spoken, as a release takes it: the dialogues that are kept, and a row for every clip and every dialogue."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec

from earmark.builders.contrast.features import Features
from earmark.builders.dialogues.records import RENDERINGS, Dialogue
from earmark.builders.dialogues.voiced import Voiced, VoicedClip, VoicedDialogue
from earmark.builders.dialogues.voicing.page import pages
from earmark.builders.dialogues.voicing.report import recipe, report
from earmark.builders.dialogues.voicing.spoken import SpokenDialogues, best_points
from earmark.builders.dialogues.voicing.takes import Take, Takes
from earmark.manifests.attempts import DISSONANT
from earmark.manifests.canonical import canonical_json


def assemble(spoken: SpokenDialogues, folder: Path, *, with_pages: bool = True) -> Voiced:
    """Everything that a release is made of.

    Args:
        spoken: What came of speaking.
        folder: What the clips' paths start from.
        with_pages: Whether the files of the private side are made too.
    """
    told = report(spoken)
    return Voiced(
        dialogues=tuple(_voiced(spoken, takes) for takes in spoken.takes if takes.dropped is None),
        root=folder,
        attempts=[row for takes in spoken.takes for row in attempt_rows(spoken, takes)],
        dropped=[written_row(takes.dialogue, takes.dropped) for takes in spoken.takes if takes.dropped is not None],
        report=dict(told),
        recipe=dict(recipe(spoken)),
        pages=pages(spoken, told) if with_pages else {},
    )


def attempt_rows(spoken: SpokenDialogues, takes: Takes) -> Iterator[dict[str, object]]:
    """A row of the table of attempts for every clip of a dialogue."""
    points = best_points(takes, spoken.profile)
    for take in takes.every():
        line = take.line
        yield {
            "dialogue": line.dialogue,
            "turn": line.turn,
            "option": line.option,
            "attempt": line.attempt,
            "provider": spoken.provider,
            "model": spoken.model,
            "voice": line.voice,
            "tone": line.tone,
            "failure": _failure(takes, take),
            "valence": takes.dialogue.scenario.valence,
            "seed": take.spoken.seed if take.spoken else None,
            "file_hash": take.spoken.file_hash if take.spoken else None,
            "rejected": take.rejected,
            "wer": take.wer,
            **(take.heard.features if take.heard else Features()).as_row(),
            "points": points.get((take.rendering, line.attempt)),
            "remade": take.remade,
            "used": take.used,
        }


def written_row(dialogue: Dialogue, dropped: str | None) -> dict[str, object]:
    """A row of the table of dialogues.

    Args:
        dialogue: The dialogue.
        dropped: Why it is not in the release; None where it is.
    """
    return {
        "dialogue": dialogue.name,
        "subscale": dialogue.scenario.subscale,
        "valence": dialogue.scenario.valence,
        "scenario_type": dialogue.scenario.type,
        "title": dialogue.scenario.title,
        "record": record_of(dialogue),
        "dropped": dropped,
    }


def record_of(dialogue: Dialogue) -> str:
    """The whole of a dialogue as JSON text."""
    return canonical_json(msgspec.to_builtins(dialogue)).decode()


def _voiced(spoken: SpokenDialogues, takes: Takes) -> VoicedDialogue:
    scenario = takes.dialogue.scenario
    used = {take.rendering: take for take in takes.every() if take.used}
    return VoicedDialogue(
        name=takes.dialogue.name,
        corpus=spoken.origin.corpus,
        corpus_version=spoken.origin.version,
        licence=spoken.origin.licence,
        subscale=scenario.subscale,
        valence=scenario.valence,
        type=scenario.type,
        title=scenario.title,
        context=scenario.context,
        description=scenario.description,
        first=scenario.first,
        second=scenario.second,
        clips=tuple(_clip(spoken, takes, used[rendering]) for rendering in RENDERINGS),
        record=record_of(takes.dialogue),
    )


def _clip(spoken: SpokenDialogues, takes: Takes, take: Take) -> VoicedClip:
    if take.spoken is None or take.heard is None:
        raise AssertionError("a clip that is used was spoken and measured")
    return VoicedClip(
        turn=take.line.turn,
        option=take.line.option,
        path=take.spoken.path,
        rate=take.heard.rate,
        frames=take.heard.frames,
        text=take.line.text,
        tone=take.line.tone,
        failure=_failure(takes, take),
        voice=take.line.voice,
        provider=spoken.provider,
        model=spoken.model,
        attempt=take.line.attempt,
        pcm_hash=take.heard.pcm_hash,
        wer=take.wer,
        sound=take.heard.sound,
    )


def _failure(takes: Takes, take: Take) -> str | None:
    if take.line.option != DISSONANT:
        return None
    return takes.dialogue.tone(take.line.turn, take.line.option).failure
