"""The words check of dialogues that others have spoken: nothing can be spoken again, so what fails is said and stays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from earmark.builders.dialogues.records import TARGET_TURNS
from earmark.builders.dialogues.voiced import Voiced, VoicedClip, VoicedDialogue
from earmark.builders.dialogues.voicing.file_cache import FileCache
from earmark.builders.dialogues.voicing.listening import WordsCheck, calibrated_limits, transcripts, words_json
from earmark.builders.dialogues.voicing.report import UNCHECKED
from earmark.builders.dialogues.voicing.words import Limits, rate_between, word_error_rate
from earmark.builders.media import Progress
from earmark.manifests.attempts import CONTEXT, OPTIONS
from earmark.manifests.findings import Findings, Severity, declare
from earmark.manifests.hashes import file_hash

OTHER = declare(
    "words.other-words", Severity.WARNING, "an option does not say its script, or not what the other one says"
)


def with_words(
    voiced: Voiced, check: WordsCheck | None, *, cache: Path | None, findings: Findings, progress: Progress
) -> Voiced:
    """Dialogues with the word error rates of their options, and the lines of context where a limit is calibrated on them.

    Args:
        voiced: The dialogues; their files can be read.
        check: Who listens, and what passes; None leaves the words unchecked, and report and recipe say so.
        cache: Folder where transcripts are kept; None keeps nothing.
        findings: Told of every option above the limit, and of a limit that says little.
        progress: Told how far it is.

    Returns:
        The same dialogues; their clips and attempts have rates, and report and recipe say who listened.
    """
    if check is None:
        unchecked = {"words": UNCHECKED}
        return replace(voiced, report={**voiced.report, **unchecked}, recipe={**voiced.recipe, **unchecked})
    heard = {
        (dialogue.name, clip.path): file_hash(voiced.root / clip.path)
        for dialogue in voiced.dialogues
        for clip in dialogue.clips
        if clip.option != CONTEXT or check.limit is None
    }
    files = {digest: voiced.root / path for (_, path), digest in heard.items()}
    kept = FileCache(cache, findings) if cache is not None else None
    known = transcripts(check.listener, files, kept=kept, progress=progress)
    said = {place: known[digest] for place, digest in heard.items()}
    dialogues = tuple(_with_rates(dialogue, said) for dialogue in voiced.dialogues)
    between = {
        (dialogue.name, turn): rate_between(
            *(said[dialogue.name, dialogue.clip(turn, option).path] for option in OPTIONS)
        )
        for dialogue in dialogues
        for turn in TARGET_TURNS
    }
    calibrated = None
    if check.limit is None:
        each = [clip.wer for dialogue in dialogues for clip in dialogue.clips if clip.option == CONTEXT]
        known_rates = [rate for rate in each if rate is not None]
        calibrated = calibrated_limits(known_rates, list(between.values()), check.acceptance, findings)
        limits = Limits(*(found.limit for found in calibrated))
    else:
        limits = Limits(check.limit, check.limit)
    above = _above(dialogues, between, limits, findings)
    rates = {(one.name, clip.turn, clip.option): clip.wer for one in dialogues for clip in one.clips}
    told = words_json(check, limits, calibrated)
    return replace(
        voiced,
        dialogues=dialogues,
        attempts=[
            {**row, "wer": rates.get((str(row["dialogue"]), int(str(row["turn"])), str(row["option"])), row["wer"])}
            for row in voiced.attempts
        ],
        report={**voiced.report, "words": {**told, **above}},
        recipe={**voiced.recipe, "words": told},
    )


def _with_rates(dialogue: VoicedDialogue, said: Mapping[tuple[str, str], str]) -> VoicedDialogue:
    def rated(clip: VoicedClip) -> VoicedClip:
        transcript = said.get((dialogue.name, clip.path))
        return clip if transcript is None else replace(clip, wer=word_error_rate(clip.text, transcript))

    return replace(dialogue, clips=tuple(map(rated, dialogue.clips)))


def _above(
    dialogues: tuple[VoicedDialogue, ...],
    between: Mapping[tuple[str, int], float],
    limits: Limits,
    findings: Findings,
) -> dict[str, int]:
    """Say what is above a limit, and count it."""
    clips = turns = 0
    for dialogue in dialogues:
        for clip in dialogue.clips:
            if clip.option != CONTEXT and clip.wer is not None and clip.wer > limits.each:
                clips += 1
                found = f"{clip.wer:g} word errors a word of the script at turn {clip.turn}, {clip.option}"
                findings.add(OTHER, file=clip.path, id=dialogue.name, found=found, expected=f"at most {limits.each:g}")
        for turn in TARGET_TURNS:
            rate = between[dialogue.name, turn]
            if rate > limits.between:
                turns += 1
                found = f"{rate:g} word errors a word between the options of turn {turn}"
                findings.add(OTHER, id=dialogue.name, found=found, expected=f"at most {limits.between:g}")
    return {"options above": clips, "turns above between options": turns}
