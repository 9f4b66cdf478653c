"""Measuring many clips: each decoded once, over processes, with a cache that a killed run leaves whole.

Every clip is decoded even where it is cached: to decode and hash it costs a fiftieth of measuring it, and what a cache
believes of a path, a size and a date can be wrong. So results depend on the samples alone, and neither on the number of
processes nor on the order.
"""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass, replace
from math import ceil
from typing import TYPE_CHECKING, NamedTuple

from earmark.audio.acoustics.measures import Acoustics, measure
from earmark.audio.acoustics.settings import DEFAULTS
from earmark.audio.cut import cut
from earmark.audio.decode import UndecodableAudio
from earmark.audio.hashes import samples_hash
from earmark.builders.measuring_cache import Cache
from earmark.manifests.errors import MissingExtra
from earmark.manifests.findings import Severity, declare

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from earmark.audio.acoustics.settings import Settings
    from earmark.audio.decode import Span
    from earmark.builders.media import Progress
    from earmark.manifests.findings import Findings

UNMEASURABLE = declare("acoustics.unmeasurable", Severity.ERROR, "a clip cannot be read, and nothing is measured of it")
OTHER_RATE = declare("acoustics.other-rate", Severity.ERROR, "a file has another sampling rate than is said of it")
CACHE = declare("acoustics.cache", Severity.WARNING, "the cache cannot be used, and clips are measured anew")

_BATCH = 32  # clips sent to a process at a time, and kept in the cache at a time


@dataclass(frozen=True, kw_only=True)
class Request:
    """A clip to be measured.

    Args:
        path: The audio file.
        rate: Native sampling rate that is said of it, Hz; another one is a finding.
        spans: One or more (start, end) in native samples, in order.
        channel: Channel, from 0.
        joining_silence: Digital silence between two spans, native samples.
        words: Words spoken in it; None where they are not known.
        id: What findings call it.
    """

    path: Path
    rate: int
    spans: tuple[Span, ...]
    channel: int = 0
    joining_silence: int = 0
    words: int | None = None
    id: str | None = None


@dataclass(frozen=True, kw_only=True)
class Measured:
    """What was measured of a clip.

    Args:
        pcm_hash: Hash of its native samples, as `earmark.audio.hashes.samples_hash` has it.
        seconds: Its length, s.
        acoustics: The measures.
    """

    pcm_hash: str
    seconds: float
    acoustics: Acoustics


class _Problem(NamedTuple):
    """Why a clip could not be measured; `rate` is the file's own where it is another than was said."""

    reason: str
    rate: int | None = None


class _Done(NamedTuple):
    """A batch: where it begins, what became of each clip, and which hashes the cache did not have."""

    start: int
    results: list[Measured | _Problem]
    new: frozenset[str]


def measure_clips(
    requests: Sequence[Request],
    *,
    cache: Path | None,
    jobs: int,
    progress: Progress | None,
    findings: Findings,
    settings: Settings = DEFAULTS,
) -> list[Measured | None]:
    """Measure clips.

    Args:
        requests: the clips.
        cache: folder of the cache, for instance `earmark.builders.measuring_cache.cache_folder()`; None keeps nothing.
            What a killed run had kept is not measured again.
        jobs: processes at a time at most, >= 1; with 1, or few clips, none is started.
        progress: told how far it is; None stays silent.
        findings: where clips go that cannot be read, and a cache that cannot be used.
        settings: how to measure.

    Returns:
        One entry per request, in their order; None of what cannot be read.

    Raises:
        MissingExtra: a package of the extra `build` is not installed.
    """
    results: list[Measured | _Problem | None] = [None] * len(requests)
    store = None if cache is None else _opened(cache, settings, findings)
    done = 0
    if progress:
        progress("measuring clips", done, len(requests))
    try:
        for batch in _batches(requests, cache if store else None, jobs, settings):
            results[batch.start : batch.start + len(batch.results)] = batch.results
            if store and not _kept(store, batch, findings):
                store.close()
                store = None
            done += len(batch.results)
            if progress:
                progress("measuring clips", done, len(requests))
    finally:
        if store:
            store.close()
    return [_reported(request, result, findings) for request, result in zip(requests, results, strict=True)]


def _batches(requests: Sequence[Request], cache: Path | None, jobs: int, settings: Settings) -> Iterator[_Done]:
    """Batches as they are finished, in any order."""
    jobs = min(jobs, len(requests) // _BATCH)  # to start a process takes as long as to measure a batch or two
    size = min(_BATCH, ceil(len(requests) / (4 * jobs))) if jobs > 1 else _BATCH
    if jobs > 1:  # a process that joblib kept from before may stand in another folder
        requests = [replace(request, path=request.path.absolute()) for request in requests]
    parts = [(start, requests[start : start + size], cache, settings) for start in range(0, len(requests), size)]
    if jobs <= 1:
        for part in parts:
            yield _measure_batch(*part)
        return
    try:
        from joblib import Parallel, delayed
    except ImportError as error:
        raise MissingExtra("build", "joblib") from error
    yield from Parallel(n_jobs=jobs, return_as="generator_unordered")(delayed(_measure_batch)(*part) for part in parts)


def _measure_batch(start: int, requests: Sequence[Request], cache: Path | None, settings: Settings) -> _Done:
    """Measure some clips in this process, whichever that is; the cache is read here and written by the process that asked."""
    store = None
    if cache is not None:
        try:
            store = Cache(cache, settings.digest())
        except (OSError, sqlite3.Error):
            store = None  # the process that asked has reported it, or will
    new: set[str] = set()
    try:
        results = [_measure_one(request, store, new, settings) for request in requests]
    finally:
        if store:
            store.close()
    return _Done(start, results, frozenset(new))


def _measure_one(request: Request, store: Cache | None, new: set[str], settings: Settings) -> Measured | _Problem:
    try:
        clip = cut(request.path, request.spans, channel=request.channel, joining_silence=request.joining_silence)
        if clip.rate != request.rate:
            return _Problem(f"{request.path.name} has {clip.rate} Hz", clip.rate)
        pcm = samples_hash(clip.samples, clip.rate)
        found = store.get(pcm) if store else None
        if found is None:
            found = measure(clip.samples, clip.rate, settings=settings)
            new.add(pcm)
        return Measured(pcm_hash=pcm, seconds=found.seconds, acoustics=found.with_words(request.words))
    except (UndecodableAudio, ValueError, OSError) as error:
        return _Problem(str(error))


def _opened(folder: Path, settings: Settings, findings: Findings) -> Cache | None:
    try:
        return Cache(folder, settings.digest())
    except (OSError, sqlite3.Error) as error:
        findings.add(
            CACHE, file=str(folder), found=error, expected="a folder that can be written, with a cache or none"
        )
        return None


def _kept(store: Cache, batch: _Done, findings: Findings) -> bool:
    """Keep what is new of a batch; whether the cache took it."""
    measured = {result.pcm_hash: result for result in batch.results if isinstance(result, Measured)}
    try:
        store.put((pcm, measured[pcm].acoustics.with_words(None)) for pcm in sorted(batch.new))
    except sqlite3.Error as error:
        findings.add(CACHE, found=error, expected="a disk with room, and no other process that holds the cache")
        return False
    return True


def _reported(request: Request, result: Measured | _Problem | None, findings: Findings) -> Measured | None:
    if isinstance(result, Measured):
        return result
    if result is not None and result.rate is not None:
        findings.add(
            OTHER_RATE, file=str(request.path), id=request.id, found=result.rate, expected=f"{request.rate} Hz"
        )
    elif result is not None:
        findings.add(UNMEASURABLE, file=str(request.path), id=request.id, found=result.reason)
    return None
