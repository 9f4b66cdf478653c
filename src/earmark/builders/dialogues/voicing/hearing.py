"""What is measured of clips: the gate's features and the acoustics that every release has of its clips.

By the package's own front end both are one measurement; by librosa they are two. Features are rounded to the steps of the
table of attempts before anything is decided by them, so that each decision can be made again from what is stored.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from math import log10
from pathlib import Path

import msgspec

from earmark.audio.acoustics.measures import Acoustics
from earmark.audio.acoustics.settings import DEFAULTS
from earmark.audio.decode import UndecodableAudio
from earmark.builders.contrast.features import EARMARK, Features, measure_features, of_acoustics, whole_file
from earmark.builders.contrast.profile import Profile
from earmark.builders.dialogues.voicing.file_cache import FileCache
from earmark.builders.measuring import Request, measure_clips
from earmark.builders.media import Progress
from earmark.manifests.attempts import ATTEMPTS
from earmark.manifests.findings import Findings
from earmark.manifests.rows import Row
from earmark.manifests.text import word_count

_AT_A_TIME = 256
"""Clips after which what was measured is kept."""

_DECIMALS = {column.name: -round(log10(column.step)) for column in ATTEMPTS.columns if column.step}


@dataclass(frozen=True)
class ToHear:
    """A file to be measured.

    Args:
        path: Where it is.
        file_hash: sha256 of its bytes, hex.
        text: What it says.
    """

    path: Path
    file_hash: str
    text: str


class Heard(msgspec.Struct, frozen=True, kw_only=True):
    """What was measured of a file.

    Args:
        rate: Hz.
        frames: Samples.
        pcm_hash: Hash of its samples.
        features: By the profile's front end, rounded.
        sound: Its columns of `earmark.manifests.acoustics.MEASURES`.
        speaks: Whether there is any speech in it.
    """

    rate: int
    frames: int
    pcm_hash: str
    features: Features
    sound: Row
    speaks: bool


class _Found(msgspec.Struct, frozen=True):
    """What is kept of a file: nothing that its text has a part in but by the front end that counts words itself."""

    rate: int
    frames: int
    pcm_hash: str
    acoustics: Acoustics
    features: Features | None


def hear(
    clips: Sequence[ToHear], profile: Profile, *, kept: FileCache, jobs: int, progress: Progress
) -> list[Heard | str]:
    """Measure clips; a file that was measured before is not measured again.

    Args:
        clips: The files.
        profile: Names the front end and the tracker.
        kept: What was measured before.
        jobs: Processes at a time, >= 1.
        progress: Told how far it is.

    Returns:
        One entry per clip, in their order; of one that cannot be measured, why: that is no finding, but an attempt that failed.

    Raises:
        MissingExtra: A package of the extra `build` is not installed.
    """
    made: list[Heard | str | None] = [None] * len(clips)
    waiting: dict[tuple[str, int], list[int]] = {}
    for place, clip in enumerate(clips):
        waiting.setdefault((clip.file_hash, word_count(clip.text)), []).append(place)
    kinds = {words: _kind(profile, words) for _, words in waiting}
    known = {kind: kept.of(kind) for kind in set(kinds.values())}
    found: dict[tuple[str, int], _Found | str] = {}
    for key in waiting:
        value = known[kinds[key[1]]].get(key[0])
        if value is not None:
            try:
                found[key] = msgspec.json.decode(value, type=_Found)
            except msgspec.DecodeError:
                continue
    new = sorted(waiting.keys() - found.keys())
    progress("measuring clips", len(clips) - len(new), len(clips))
    for start in range(0, len(new), _AT_A_TIME):
        batch = new[start : start + _AT_A_TIME]
        measured = _measure([clips[waiting[key][0]] for key in batch], profile, jobs)
        found |= dict(zip(batch, measured, strict=True))
        for kind in sorted(set(kinds.values())):
            kept.keep(
                kind,
                {
                    key[0]: msgspec.json.encode(one)
                    for key, one in zip(batch, measured, strict=True)
                    if kinds[key[1]] == kind and not isinstance(one, str)
                },
            )
        progress("measuring clips", len(clips) - len(new) + start + len(batch), len(clips))
    for key, places in waiting.items():
        one = found[key]
        for place in places:
            made[place] = one if isinstance(one, str) else _heard(one, key[1])
    return [one for one in made if one is not None]


def rounded(features: Features) -> Features:
    """Features as the table of attempts holds them."""
    return Features(**{name: _rounded(value, _DECIMALS[name]) for name, value in features.as_row().items()})  # type: ignore[arg-type]  # by name, each of its own type


def _rounded(value: float | list[float] | None, decimals: int) -> float | tuple[float, ...] | None:
    if value is None:
        return None
    if isinstance(value, list):
        return tuple(round(entry, decimals) + 0.0 for entry in value)
    return round(value, decimals) + 0.0  # −0.0 and 0.0 are one number


def _kind(profile: Profile, words: int) -> str:
    """What makes two measurements of a file the same one."""
    if profile.front == EARMARK:
        return f"sound {DEFAULTS.digest()}"
    try:
        librosa = version("librosa")
    except PackageNotFoundError:
        librosa = "none"
    return f"sound {DEFAULTS.digest()} {profile.front} {librosa} {profile.tracker} {words}"


def _measure(clips: Sequence[ToHear], profile: Profile, jobs: int) -> list[_Found | str]:
    """Measure in this process or several; what cannot be read is said of the clip and is no finding."""
    requests: list[Request] = []
    results: list[_Found | str | None] = [None] * len(clips)
    places: list[int] = []
    for place, clip in enumerate(clips):
        try:
            request = whole_file(clip.path, words=word_count(clip.text), id=str(place))
        except (UndecodableAudio, OSError) as error:
            results[place] = str(error)
            continue
        requests.append(request)
        places.append(place)
    problems = Findings(cap=len(clips) + 1)
    acoustics = measure_clips(requests, cache=None, jobs=jobs, progress=None, findings=problems)
    features: Sequence[Features | None] = [None] * len(requests)
    if profile.front != EARMARK:
        features = measure_features(
            requests, front=profile.front, tracker=profile.tracker, jobs=jobs, findings=problems
        )
    said = {finding.id: finding.found for finding in problems}
    for place, request, measured, own in zip(places, requests, acoustics, features, strict=True):
        if measured is None or (own is None and profile.front != EARMARK):
            results[place] = said.get(request.id) or "it cannot be measured"
            continue
        frames = request.spans[0][1]
        results[place] = _Found(request.rate, frames, measured.pcm_hash, measured.acoustics.with_words(None), own)
    return [one if one is not None else "it cannot be measured" for one in results]


def _heard(found: _Found, words: int) -> Heard:
    acoustics = found.acoustics.with_words(words)
    return Heard(
        rate=found.rate,
        frames=found.frames,
        pcm_hash=found.pcm_hash,
        features=rounded(found.features or of_acoustics(acoustics)),
        sound=acoustics.as_row(),
        speaks=acoustics.speech is not None,
    )
