"""Adopting: a release of SpeechEQ's own dialogues, as their authors made them.

Nothing is made again: each clip is the only attempt at it, the gate is measured and decides nothing, and a dialogue is dropped
only where it contradicts itself or cannot be heard. The generation of the data that it is of stands as its corpus's version.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import cast

import msgspec

from earmark.builders.contrast.points import Contrast
from earmark.builders.contrast.profile import Profile
from earmark.builders.corpora.speecheq import LICENCE, NAME, Dropped, GivenClip, GivenDialogue, read_speecheq
from earmark.builders.dialogues.adopting.report import counted, found_without_listening, gate, person_of, told, traces
from earmark.builders.dialogues.adopting.sounds import PairKey, Sound, clip_of, contrasts, measure_dialogues
from earmark.builders.dialogues.records import TARGET_TURNS
from earmark.builders.dialogues.voiced import NOT_STATED, Voiced, VoicedClip, VoicedDialogue
from earmark.builders.media import Progress
from earmark.manifests.attempts import DISSONANT, RESONANT
from earmark.manifests.findings import Findings, Severity, declare
from earmark.manifests.hashes import file_hash

SAME_AUDIO = declare(
    "speecheq.same-audio", Severity.ERROR, "the two options of a turn are one audio; the dialogue is dropped"
)
REPEATED_AUDIO = declare("speecheq.repeated-audio", Severity.WARNING, "one audio is the clip of several places")
NO_CONTRAST = declare("speecheq.no-contrast", Severity.WARNING, "the two options of a turn do not pass the gate; kept")
TELLS = declare("speecheq.told", Severity.WARNING, "what judges read tells something of the answer; kept")


def adopt(
    root: Path,
    *,
    profile: Profile,
    findings: Findings,
    progress: Progress,
    jobs: int,
    beside: Sequence[Profile] = (),
    cache: Path | None = None,
) -> Voiced:
    """Read SpeechEQ's dialogues and measure their clips.

    Args:
        root: Folder in the authors' layout.
        profile: The gate's profile; attempts hold its features and points.
        findings: Told of everything that is wrong or odd; bad dialogues are dropped and counted.
        progress: Told how far it is.
        jobs: Processes to measure with.
        beside: Further profiles that the report counts passing pairs of.
        cache: Folder of the cache of measures; None keeps nothing.

    Returns:
        The dialogues, each with the corpus version of its own generation (v1, v2). Of the report, `adopted` holds the counts,
        `gate` what passes which profile, `shortcuts` what rules find without listening, `told` what descriptions tell,
        and `traces` what encoding left. Of the recipe, `adopted` holds what a manifest says of the corpus, and `gate` the
        profile whose points stand beside the attempts.

    Raises:
        Refused: If the folder holds no dialogue.
    """
    given = read_speecheq(root, findings=findings, progress=progress)
    profiles = [profile, *(other for other in beside if other.name != profile.name)]
    sounds = measure_dialogues(
        given.dialogues, root, profiles=profiles, cache=cache, jobs=jobs, progress=progress, findings=findings
    )
    unheard = {dialogue.name: why for dialogue in given.dialogues if (why := _unheard(dialogue, sounds, findings))}
    kept = [dialogue for dialogue in given.dialogues if dialogue.name not in unheard]
    reasons = {**{entry.name: entry.reasons for entry in given.dropped}, **unheard}
    points = contrasts(kept, sounds, profile)
    _say_what_is_odd(kept, sounds, points, findings)
    tells = told(kept)
    for row in tells:
        findings.add(TELLS, id=str(row["dialogue"]), found="; ".join(map(str, cast("list[str]", row["tells"]))))
    return Voiced(
        dialogues=tuple(_voiced(dialogue, sounds) for dialogue in kept),
        root=root,
        attempts=[
            _attempt(dialogue, clip, root, sounds, points, profile) for dialogue in kept for clip in dialogue.clips
        ],
        dropped=[
            *(_dropped_row(entry) for entry in given.dropped if entry.subscale is not None),
            *(
                _unheard_row(dialogue, unheard[dialogue.name])
                for dialogue in given.dialogues
                if dialogue.name in unheard
            ),
        ],
        report={
            "adopted": counted(given, kept, reasons),
            "gate": gate(kept, sounds, profiles),
            "shortcuts": found_without_listening(kept, sounds, profile),
            "told": tells,
            "traces": traces(kept, sounds),
        },
        recipe={
            "adopted": {
                "corpus": NAME,
                "version": "+".join(sorted({dialogue.generation for dialogue in kept})),
                "licence": LICENCE,
                "publish": "never",
                "metadata": given.metadata,
            },
            "gate": {"profile": msgspec.to_builtins(profile)},
        },
        pages={},
    )


def _unheard(dialogue: GivenDialogue, sounds: Mapping[str, Sound], findings: Findings) -> tuple[str, ...]:
    """Why a dialogue cannot be asked about though its record is sound."""
    reasons = [f"{clip.path} cannot be read" for clip in dialogue.clips if clip.path not in sounds]
    for turn in TARGET_TURNS:
        one, other = (sounds.get(clip_of(dialogue, turn, option).path) for option in (RESONANT, DISSONANT))
        if one is not None and other is not None and one.pcm_hash == other.pcm_hash:
            findings.add(SAME_AUDIO, id=dialogue.name, found=f"turn {turn}", expected="two renderings")
            reasons.append(f"the two options of turn {turn} are one audio")
    return tuple(reasons)


def _say_what_is_odd(
    kept: Sequence[GivenDialogue],
    sounds: Mapping[str, Sound],
    points: Mapping[PairKey, Contrast],
    findings: Findings,
) -> None:
    places: dict[str, list[str]] = defaultdict(list)
    for dialogue in kept:
        for clip in dialogue.clips:
            places[sounds[clip.path].pcm_hash].append(clip.path)
    for paths in places.values():
        if len(paths) > 1:
            findings.add(REPEATED_AUDIO, file=paths[0], found=", ".join(paths), expected="an audio for each clip")
    for (name, turn), found in points.items():
        if not found.passed:
            findings.add(NO_CONTRAST, id=f"{name} turn {turn}", found=f"{found.total:g} points")


def _voiced(dialogue: GivenDialogue, sounds: Mapping[str, Sound]) -> VoicedDialogue:
    return VoicedDialogue(
        name=dialogue.name,
        corpus=NAME,
        corpus_version=dialogue.generation,
        licence=LICENCE,
        subscale=dialogue.subscale,
        valence=dialogue.valence,
        type=None,
        title=dialogue.title,
        context=dialogue.context,
        description=dialogue.description,
        first=person_of(dialogue.first),
        second=person_of(dialogue.second),
        clips=tuple(_clip(clip, sounds[clip.path]) for clip in dialogue.clips),
        record=dialogue.record,
    )


def _clip(clip: GivenClip, sound: Sound) -> VoicedClip:
    return VoicedClip(
        turn=clip.turn,
        option=clip.option,
        path=clip.path,
        rate=sound.rate,
        frames=sound.frames,
        text=clip.text,
        tone=clip.tone,
        failure=clip.failure,
        voice=clip.voice,
        provider=NAME,
        model=NOT_STATED,
        pcm_hash=sound.pcm_hash,
        sound=sound.row,
    )


def _attempt(
    dialogue: GivenDialogue,
    clip: GivenClip,
    root: Path,
    sounds: Mapping[str, Sound],
    points: Mapping[PairKey, Contrast],
    profile: Profile,
) -> dict[str, object]:
    pair = points.get((dialogue.name, clip.turn))
    return {
        "dialogue": dialogue.name,
        "turn": clip.turn,
        "option": clip.option,
        "attempt": 0,
        "provider": NAME,
        "model": NOT_STATED,
        "voice": clip.voice,
        "tone": clip.tone or "",
        "failure": clip.failure,
        "valence": dialogue.valence,
        "seed": None,
        "file_hash": file_hash(root.joinpath(*clip.path.split("/"))).removeprefix("sha256:"),
        "rejected": None,
        "wer": None,
        **sounds[clip.path].by(profile).as_row(),
        "points": None if pair is None else pair.total,
        "remade": None,
        "used": True,
    }


def _dropped_row(entry: Dropped) -> dict[str, object]:
    return {
        "dialogue": entry.name,
        "subscale": entry.subscale,
        "valence": entry.valence,
        "scenario_type": None,
        "title": entry.title,
        "record": entry.record,
        "dropped": "; ".join(entry.reasons),
    }


def _unheard_row(dialogue: GivenDialogue, reasons: tuple[str, ...]) -> dict[str, object]:
    return _dropped_row(
        Dropped(
            name=dialogue.name,
            subscale=dialogue.subscale,
            valence=dialogue.valence,
            title=dialogue.title,
            record=dialogue.record,
            reasons=reasons,
        )
    )
