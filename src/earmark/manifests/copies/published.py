"""What lies in a published copy of a release, which is a release itself, and how anybody knows one."""

from __future__ import annotations

from pathlib import Path

CHECKSUMS = "SHA256SUMS"
"""The hash of every other file, in the form that `sha256sum --check` reads; a folder that has it is a published copy."""

RECIPES = "recipes.parquet"
"""On the public side, where clips are cut by whoever has the corpora."""

WITHDRAWN = "withdrawn.json"
"""On the public side, where items of earlier versions were withdrawn."""

SHIPPED = "shipped.json"
"""On a private side that was published: the hash of each of its tables, which nobody without the key could check else."""

CARD, EVALUATION, CROISSANT = "README.md", "eval.yaml", "croissant.json"
CITATION, DATASHEET, CHANGES = "CITATION.cff", "DATASHEET.md", "CHANGES.md"

DATA, CLIP_SHARDS, ITEM_SHARDS = "data", "data/clips", "data/items"
"""What `datasets` loads beside the tables of the public side: clips with their audio, and the items of each facet."""

LICENCE = "LICENSE"
"""Spelt as everybody looks for it."""

STREAMED, BASELINES, AUDIT = "webdataset", "baselines", "audit.json"
"""Shards for streaming judges, predictions of rules that do not listen, and what validation found."""

AT_THE_ROOT = frozenset(
    {
        *(CHECKSUMS, CARD, EVALUATION, CROISSANT, CITATION, DATASHEET, CHANGES),
        *(DATA, STREAMED, BASELINES, AUDIT, ".gitattributes", LICENCE),
    }
)
"""What may lie beside `release.json`, `public` and `private`."""

DOWNLOADERS_OWN = (".git", ".cache", ".gitattributes")
"""What `git clone` and `huggingface_hub` leave in a copy."""


def is_published(folder: Path) -> bool:
    """Whether a folder is a published copy."""
    return (folder / CHECKSUMS).is_file()
