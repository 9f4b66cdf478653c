"""What `datasets` can load of a published copy by name: each config, its files and its columns."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

import pyarrow as pa

from earmark.manifests.copies.published import CLIP_SHARDS, ITEM_SHARDS
from earmark.manifests.declarations import CLIPS, ITEM_CLIPS
from earmark.manifests.family import Family
from earmark.manifests.release import FacetEntry, Gold
from earmark.manifests.tables import Column, Table

SPLIT = "test"
"""The only split: a benchmark is not trained on."""

CLIPS_CONFIG, ITEMS_CONFIG = "clips", "items"

AUDIO = pa.struct([pa.field("bytes", pa.binary()), pa.field("path", pa.string())])
"""How a Parquet file holds audio that `datasets` knows as such."""

AUDIO_COLUMN = Column(name="audio", type=AUDIO, means="The clip as FLAC, and its name in a release: id and suffix.")

ITEM_CLIPS_COLUMN = Column(
    name="clips",
    type=pa.list_(
        pa.struct([pa.field(name, ITEM_CLIPS.column(name).type) for name in ("role", "position", "clip_id")])
    ),
    means="The clips that the item is about: part in it, order among those of that part from 0, and id.",
)


@dataclass(frozen=True, kw_only=True)
class Config:
    """What `datasets.load_dataset(folder, name)` opens.

    Args:
        name: Its name, safe in file names.
        files: Its files within the copy, POSIX paths; the shards of clips as a pattern.
        columns: Its columns in order.
        means: One sentence for people.
        facet: The facet whose items it holds, None if it is not about one.
    """

    name: str
    files: tuple[str, ...]
    columns: tuple[Column, ...]
    means: str
    facet: str | None = None


def configs_of(family: Family, facets: Iterable[FacetEntry], *, gold: Gold, audio: bool) -> tuple[Config, ...]:
    """The configs of a published copy, the default one first.

    Args:
        family: The family of the release.
        facets: Its facets; those without an item get no config.
        gold: Whether the answers are published: only if it is open.
        audio: Whether any clip's audio is shipped; if none is, there is no config of clips, and items come first.
    """
    tables = family.tables()
    item_columns = (*tables["items"].columns, ITEM_CLIPS_COLUMN)
    answered = gold == "open"
    reserved = [CLIPS_CONFIG, ITEMS_CONFIG, *tables]
    named = [facet for facet in facets if facet.items]
    names = config_names([facet.id for facet in named], reserved)
    of_facets = [
        Config(
            name=names[facet.id],
            files=(item_shard(names[facet.id]),),
            columns=item_columns,
            means=f"The items of the facet {facet.name}.",
            facet=facet.id,
        )
        for facet in named
    ]
    every = Config(
        name=ITEMS_CONFIG,
        files=tuple(config.files[0] for config in of_facets),
        columns=item_columns,
        means="The items of every facet.",
    )
    clips = Config(
        name=CLIPS_CONFIG,
        files=(f"{CLIP_SHARDS}/{SPLIT}-*.parquet",),
        columns=(CLIPS.column("clip_id"), AUDIO_COLUMN, *CLIPS.columns[1:]),
        means="One row per clip whose audio is shipped.",
    )
    stored = [_stored(tables[name]) for name in ("presentations", "prompts", *(["answers"] if answered else []))]
    return (*([clips] if audio else []), every, *of_facets, *stored)


def item_shard(config: str) -> str:
    """Where the items of a facet stand in a published copy.

    Args:
        config: Name of the facet's config.
    """
    return f"{ITEM_SHARDS}/{config}-{SPLIT}-00000-of-00001.parquet"


def config_names(facets: Iterable[str], reserved: Iterable[str]) -> dict[str, str]:
    """A name for each facet's config that is a file name everywhere, and nobody else's.

    >>> config_names(["S0", "loud, or not", "Items", "loud; or not"], ["items"])
    {'S0': 'S0', 'loud, or not': 'loud-or-not', 'Items': 'facet-Items', 'loud; or not': 'loud-or-not-2'}
    """
    taken = {name.casefold() for name in reserved}
    names = {}
    for facet in facets:
        plain = re.sub(r"[^A-Za-z0-9_.+-]+", "-", facet).strip("-.")[:80] or "facet"
        base = f"facet-{plain}" if plain.casefold() in {name.casefold() for name in reserved} else plain
        name, number = base, 2
        while name.casefold() in taken:
            name, number = f"{base}-{number}", number + 1
        taken.add(name.casefold())
        names[facet] = name
    return names


def _stored(table: Table) -> Config:
    return Config(
        name=table.name,
        files=(f"{table.side.value}/{table.filename}",),
        columns=table.columns,
        means=table.means,
    )
