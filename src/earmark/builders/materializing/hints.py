"""What may explain clips of which nothing is proved: what others of the same file or copy show, and how deep a corpus is."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

from earmark.builders.materializing.deviations import CHANNELS, DIFFERS, LOSSY, RATE, SHORT, Deviation
from earmark.builders.materializing.inverses import DEEPER, INVERTED, SCALED, SHIFTED, SWAPPED
from earmark.manifests.findings import Code

TELLING = frozenset({CHANNELS, LOSSY, RATE, SHORT, DEEPER, INVERTED, SCALED, SHIFTED, SWAPPED})
"""What is likely to have been done to the other clips of a file, or to all files of a copy."""

BITS: Mapping[str, int] = {"expresso": 24}
"""Bits a sample of corpora that are given out with more than 16."""

_FEWER = {"samples as PCM_16": 16, "samples as PCM_S8": 8, "samples as PCM_U8": 8}


def with_hints(deviations: Sequence[Deviation]) -> list[Deviation]:
    """The same deviations of one copy; those that nothing explains say what may.

    Args:
        deviations: What the copy does not give, each looked into.
    """
    by_file: dict[str, list[Deviation]] = defaultdict(list)
    for one in deviations:
        if one.code in TELLING:
            by_file[one.recipe.path].append(one)
    everywhere = Counter(one.code for those in by_file.values() for one in those)
    return [
        replace(one, expected=f"{one.expected}; {why}")
        if one.code is DIFFERS and (why := _why(one, by_file.get(one.recipe.path, ()), everywhere))
        else one
        for one in deviations
    ]


def _why(one: Deviation, of_file: Sequence[Deviation], everywhere: Counter[Code]) -> str | None:
    corpus, found = one.recipe.corpus, one.found or ""
    if of_file:
        other = of_file[0]
        said = f"{other.code.means} ({other.found}, for {other.expected})"
        return f"another clip of this file, {other.recipe.clip}, may tell why: {said}"
    if found in _FEWER and _FEWER[found] < BITS.get(corpus, 0):
        return f"{corpus} has {BITS[corpus]} bits a sample, and what was rounded or dithered cannot be had back"
    if everywhere:
        # Of as many the first by name, so that what is said does not depend on their order.
        code, count = min(everywhere.items(), key=lambda each: (-each[1], each[0].name))
        others = "another clip" if count == 1 else f"{count} other clips"
        return f"what {others} of this copy show may tell why: {code.means} ({code.name})"
    return None
