"""Hypothesis strategies for other people's tests: rows, corpora, assignments, and whole releases, sound and broken.

    from hypothesis import given
    from earmark.validation import strategies

    @given(strategies.releases("stance"))
    def test_my_reader(drawn):
        with TemporaryDirectory() as folder:
            release = strategies.write_release(drawn, Path(folder) / "release")
            assert my_reader(release) == ...

`utterances`, `pair_tables` and `broken_pair_tables` are for tests of pairing, whether or not a release is made of the pairs.
A sound release is found without fault by `validate`; a broken one has one named fault, and the code that must be found. A family
may say how its own releases look by a function `sketches(key)` in its module of this room; without it they are plain.
"""

try:
    import hypothesis as _hypothesis  # noqa: F401  # asked for here, so that its absence is said in one sentence
except ImportError:
    from earmark.manifests.errors import MissingExtra

    raise MissingExtra("test", "hypothesis") from None

from earmark.validation.strategies.cells import cells, names, rows, tables
from earmark.validation.strategies.corruptions import CORRUPTIONS, Broken, Corruption, broken_releases, write_broken
from earmark.validation.strategies.pair_faults import PAIR_FAULTS, BrokenPairs, PairFault, broken_pair_tables, put_fault
from earmark.validation.strategies.pairing import DrawnPairs, pair_tables, utterances
from earmark.validation.strategies.releases import Drawn, releases, write_release
from earmark.validation.strategies.sketches import Sketch, SketchedClip, SketchedItem, plain_sketches
from earmark.validation.strategies.talk import (
    ASSIGNMENT_COLUMNS,
    Conversation,
    Side,
    TimedWord,
    assignments,
    conversations,
    corpora,
)

__all__ = [
    "ASSIGNMENT_COLUMNS",
    "CORRUPTIONS",
    "PAIR_FAULTS",
    "Broken",
    "BrokenPairs",
    "Conversation",
    "Corruption",
    "Drawn",
    "DrawnPairs",
    "PairFault",
    "Side",
    "Sketch",
    "SketchedClip",
    "SketchedItem",
    "TimedWord",
    "assignments",
    "broken_pair_tables",
    "broken_releases",
    "cells",
    "conversations",
    "corpora",
    "names",
    "pair_tables",
    "plain_sketches",
    "put_fault",
    "releases",
    "rows",
    "tables",
    "utterances",
    "write_broken",
    "write_release",
]
