"""Why the copies do not give some clips: looked into clip by clip, told as findings, and counted."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise

from earmark.builders.materializing.deviations import DIFFERS, Deviation, looked_into
from earmark.builders.materializing.folders import CorpusFolder
from earmark.builders.materializing.hints import with_hints
from earmark.builders.materializing.inverses import QUICKLY_UNDONE
from earmark.builders.materializing.threads import each
from earmark.builders.materializing.versions import other_version
from earmark.builders.media import Progress
from earmark.manifests.findings import Code, Findings
from earmark.manifests.release import Release

MOST_LOOKED_INTO = 200
"""Clips of a corpus whose samples are searched for every cause; of more, only causes that were found are tried."""


MOST_SCALED = 12
"""Clips of a copy that are searched for a gain before one was found. It takes 25 s to find none in 5 s of 24 bits."""


def explained(
    release: Release,
    deviations: Iterable[Deviation],
    folders: Mapping[str, CorpusFolder],
    findings: Findings,
    *,
    jobs: int,
    progress: Progress,
) -> list[Deviation]:
    """Deviations with their causes, as far as these can be proved, and each told as a finding.

    Args:
        release: The release.
        deviations: What the copies do not give, in any order.
        folders: The copies, by corpus.
        findings: Told of every clip, and of metadata that differ.
        jobs: How many clips are looked into at a time.
        progress: Told how far it is.
    """
    by_corpus: dict[str, list[Deviation]] = defaultdict(list)
    for deviation in sorted(deviations, key=lambda deviation: deviation.recipe.clip):
        by_corpus[deviation.recipe.corpus].append(deviation)
    total, told = sum(map(len, by_corpus.values())), list[Deviation]()
    for corpus, those in sorted(by_corpus.items()):
        version = other_version(release, corpus, folders[corpus].root, findings, progress)
        ends: dict[str, int] = defaultdict(int)
        for one in those:
            ends[one.recipe.path] = max(ends[one.recipe.path], one.recipe.last)
        found: list[Deviation] = []
        codes: Sequence[Code] | None = None
        ends_of = (0, min(MOST_SCALED, MOST_LOOKED_INTO), MOST_LOOKED_INTO, len(those))
        for few in (those[start:end] for start, end in pairwise(ends_of)):
            look = partial(looked_into, folder=folders[corpus], codes=codes, ends=ends)
            for result in each(look, few, jobs):
                found.append(result)
                progress("looking for causes", len(told) + len(found), total)
            cheap = QUICKLY_UNDONE if len(found) < MOST_LOOKED_INTO else frozenset()
            codes = sorted({one.code for one in found} | cheap, key=lambda code: code.name)
        told += [_with_version(one, version) for one in with_hints(found)]
    for one in told:
        file = f"{one.recipe.corpus}/{one.recipe.path}"
        findings.add(one.code, file=file, id=one.recipe.clip, found=one.found, expected=one.expected)
    return told


def counted(deviations: Iterable[Deviation]) -> Mapping[str, Mapping[str, int]]:
    """How many clips each cause costs, by corpus and code."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for one in deviations:
        counts[one.recipe.corpus][one.code.name] += 1
    return {corpus: dict(sorted(counts[corpus].items())) for corpus in sorted(counts)}


def _with_version(deviation: Deviation, version: str | None) -> Deviation:
    """What nothing else explains, put down to another version where there is something to be said for it."""
    if deviation.code is not DIFFERS or version is None:
        return deviation
    return replace(deviation, expected=f"{deviation.expected}; {version}")
