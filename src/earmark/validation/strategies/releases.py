"""Whole releases: consistent rows of every table, drawn without a file, and written as a builder writes them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import cast

from hypothesis import strategies as st

from earmark.manifests import registry
from earmark.manifests.building import building
from earmark.manifests.family import Family
from earmark.manifests.release import (
    FORMAT,
    FacetEntry,
    Manifest,
    ProtocolEntry,
    Release,
    SourceEntry,
    TableEntry,
    canary,
    open_release,
)
from earmark.manifests.rows import texts
from earmark.validation.strategies.sketches import Rows, Sketch, plain_sketches, rows_of

NAME, VERSION = "drawn", "1.0.0"


@dataclass(frozen=True)
class Drawn:
    """A release before it is written.

    Args:
        family: Its family.
        key: Its key, 32 bytes.
        sketch: What the family decided.
        rows: The rows of every table, which a test may change before it writes them.
    """

    family: Family
    key: bytes
    sketch: Sketch
    rows: Rows


@st.composite
def releases(draw: st.DrawFn, family: str | Family = "stance") -> Drawn:
    """A small sound release of any registered family: `validate` finds nothing wrong with it.

    Args:
        draw: Given by Hypothesis.
        family: Name or record of the family. If its module in `earmark.validation` has a function `sketches(key)`, that
            decides what the release is about.

    Example:
        >>> @given(releases("stance"))                              # doctest: +SKIP
        ... def test_every_item_is_counted(drawn): ...
    """
    record = registry.family(family) if isinstance(family, str) else family
    key = draw(st.binary(min_size=32, max_size=32))
    sketch = draw(_sketches(record, key))
    return Drawn(record, key, sketch, rows_of(sketch, record, key))


def write_release(drawn: Drawn, folder: Path) -> Release:
    """Write a drawn release with both sides and no audio, and open it.

    Args:
        drawn: What to write.
        folder: Must not exist.

    Raises:
        DestinationExists: If the folder exists.
    """
    with TemporaryDirectory() as scratch:
        key = Path(scratch) / "key"
        key.write_bytes(drawn.key)
        with building(folder, drawn.family, key=key) as work:
            for name in drawn.family.tables():
                work.write_table(name, drawn.rows[name])
            work.write_manifest(manifest(drawn, work.entries))
    return open_release(folder)


def manifest(drawn: Drawn, entries: dict[str, TableEntry]) -> Manifest:
    """What `release.json` says of a drawn release whose tables are written."""
    items = Counter(row["facet"] for row in drawn.rows["items"])
    owed = Counter(name for row in drawn.rows["presentations"] for name in texts(row, "protocols"))
    corpora = {(str(row["corpus"]), str(row["corpus_version"])) for row in drawn.rows["sources"]}
    return Manifest(
        format=FORMAT,
        name=NAME,
        version=VERSION,
        family=drawn.family.name,
        builder="earmark strategies",
        canary=canary(NAME, VERSION),
        seed=drawn.sketch.seed,
        gold="hidden",
        recipe=cast("dict[str, object]", drawn.sketch.recipe),
        sources=[
            SourceEntry(corpus=corpus, version=version, licence="CC0-1.0", metadata={})
            for corpus, version in sorted(corpora)
        ],
        facets=[FacetEntry(id=id, name=name, items=items[id]) for id, name in drawn.sketch.facets.items() if items[id]],
        protocols=[
            ProtocolEntry(
                name=protocol.name,
                modality=protocol.modality,
                orders=list(protocol.orders),
                presentations=owed[protocol.name],
            )
            for protocol in drawn.family.protocols
            if owed[protocol.name]
        ],
        tables=dict(entries),
        media=None,
    )


def _sketches(family: Family, key: bytes) -> st.SearchStrategy[Sketch]:
    module = registry.family_module("validation", family.name)
    own: Callable[[bytes], st.SearchStrategy[Sketch]] | None = getattr(module, "sketches", None)
    return plain_sketches(family) if own is None else own(key)
