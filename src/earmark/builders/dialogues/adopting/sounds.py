"""The clips of dialogues that were read: decoded, measured, and compared as the gate compares them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from earmark.audio.decode import UndecodableAudio, probe
from earmark.builders.contrast.features import EARMARK, Features, measure_features, of_acoustics
from earmark.builders.contrast.points import Contrast, contrast
from earmark.builders.contrast.profile import Profile
from earmark.builders.corpora.speecheq import GivenClip, GivenDialogue
from earmark.builders.dialogues.records import TARGET_TURNS
from earmark.builders.measuring import UNMEASURABLE, Request, measure_clips
from earmark.builders.media import Progress
from earmark.manifests.attempts import DISSONANT, OPTIONS, RESONANT
from earmark.manifests.findings import Findings, Severity, declare
from earmark.manifests.rows import Row
from earmark.manifests.text import word_count

NOT_MONO = declare("speecheq.not-mono", Severity.WARNING, "a clip has several channels; the first is taken")

TOO_LONG = declare("speecheq.too-long", Severity.ERROR, "a clip is longer than what is read; its dialogue is dropped")

MOST_SECONDS = 300.0
"""Longest clip that is read, s; the known ones have at most 25."""

PairKey: TypeAlias = tuple[str, int]
"""Name of a dialogue and one of its target turns."""


@dataclass(frozen=True, kw_only=True)
class Sound:
    """What a clip is, as decoded.

    Args:
        rate: Hz.
        frames: Samples.
        pcm_hash: Hash of its samples.
        row: Its columns of `earmark.manifests.acoustics.MEASURES`.
        features: What a gate compares, by front end.
    """

    rate: int
    frames: int
    pcm_hash: str
    row: Row
    features: Mapping[tuple[str, str], Features]

    def by(self, profile: Profile) -> Features:
        """The features that a profile compares."""
        return self.features[profile.front, profile.tracker]


def measure_dialogues(
    dialogues: Sequence[GivenDialogue],
    root: Path,
    *,
    profiles: Sequence[Profile],
    cache: Path | None,
    jobs: int,
    progress: Progress,
    findings: Findings,
) -> dict[str, Sound]:
    """Decode and measure the clips of dialogues.

    Args:
        dialogues: The dialogues.
        root: Folder that their paths start from.
        profiles: Whose features are needed: of all clips for the first one, of options alone for further ones.
        cache: Folder of the cache of measures; None keeps nothing.
        jobs: Processes at a time.
        progress: Told how far it is.
        findings: Told of clips that cannot be read.

    Returns:
        By path, what each clip is; clips that cannot be read are not among them.
    """
    requests: dict[str, Request] = {}
    for dialogue in dialogues:
        for clip in dialogue.clips:
            request = _request(clip, dialogue.name, root, findings)
            if request is not None:
                requests[clip.path] = request
    measured = measure_clips(list(requests.values()), cache=cache, jobs=jobs, progress=progress, findings=findings)
    found = {path: result for path, result in zip(requests, measured, strict=True) if result is not None}
    options = {clip.path for dialogue in dialogues for clip in dialogue.clips if clip.option in OPTIONS}
    features: dict[str, dict[tuple[str, str], Features]] = {path: {} for path in found}
    for place, (front, tracker) in enumerate(dict.fromkeys((each.front, each.tracker) for each in profiles)):
        paths = [path for path in found if place == 0 or path in options]
        if front == EARMARK:
            here: Sequence[Features | None] = [of_acoustics(found[path].acoustics) for path in paths]
        else:
            asked = [requests[path] for path in paths]
            here = measure_features(asked, front=front, tracker=tracker, jobs=jobs, findings=findings)
        for path, compared in zip(paths, here, strict=True):
            features[path][front, tracker] = compared or Features()
    return {
        path: Sound(
            rate=requests[path].rate,
            frames=requests[path].spans[0][1],
            pcm_hash=result.pcm_hash,
            row=result.acoustics.as_row(),
            features=features[path],
        )
        for path, result in found.items()
    }


def contrasts(
    dialogues: Sequence[GivenDialogue], sounds: Mapping[str, Sound], profile: Profile
) -> dict[PairKey, Contrast]:
    """How far the two options of every target turn are apart."""
    found = {}
    for dialogue in dialogues:
        for turn in TARGET_TURNS:
            one, other = (sounds[clip_of(dialogue, turn, option).path] for option in (RESONANT, DISSONANT))
            found[dialogue.name, turn] = contrast(one.by(profile), other.by(profile), profile)
    return found


def clip_of(dialogue: GivenDialogue, turn: int, option: str) -> GivenClip:
    """One of the eight clips of a dialogue."""
    return next(clip for clip in dialogue.clips if (clip.turn, clip.option) == (turn, option))


def _request(clip: GivenClip, name: str, root: Path, findings: Findings) -> Request | None:
    path = root.joinpath(*clip.path.split("/"))
    try:
        info = probe(path)
    except UndecodableAudio as error:
        findings.add(UNMEASURABLE, file=clip.path, id=name, found=error)
        return None
    if info.seconds > MOST_SECONDS:
        findings.add(
            TOO_LONG, file=clip.path, id=name, found=f"{info.seconds:.0f} s", expected=f"at most {MOST_SECONDS:g} s"
        )
        return None
    if info.channels > 1:
        findings.add(NOT_MONO, file=clip.path, id=name, found=f"{info.channels} channels", expected="one")
    return Request(
        path=path,
        rate=info.rate,
        spans=((0, info.frames),),
        words=word_count(clip.text),
        id=f"{name} turn {clip.turn}",
    )
