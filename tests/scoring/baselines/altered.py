"""A golden release of which some tables say something else, in memory."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from types import SimpleNamespace
from typing import cast

import msgspec
import pyarrow as pa
from tests.support.golden import GOLDENS

from earmark.manifests.release import Release, open_release

Row = Mapping[str, object]


@cache
def golden(family: str) -> Release:
    """The golden release of a family."""
    return open_release(GOLDENS[family].path / "release")


def altered(release: Release, *, seed: int | None = None, **tables: pa.Table) -> Release:
    """The same release with other tables, or with another public seed."""
    manifest = release.manifest if seed is None else msgspec.structs.replace(release.manifest, seed=seed)
    stands_for = SimpleNamespace(
        table=lambda name: tables[name] if name in tables else release.table(name),
        file=release.file,
        family=release.family,
        manifest=manifest,
        path=release.path,
        protocol=release.protocol,
        has_private_side=True,
    )
    return cast("Release", stands_for)


def changed(release: Release, table: str, change: Callable[[Row], Mapping[str, object]]) -> pa.Table:
    """A table of which each row has some other cells."""
    old = release.table(table)
    return pa.Table.from_pylist([{**row, **change(row)} for row in old.to_pylist()], schema=old.schema)


def with_golds(release: Release, golds: Mapping[str, str]) -> Release:
    """The same release where something else is right of some items."""
    return altered(
        release,
        answers=changed(release, "answers", lambda row: {"gold": golds.get(str(row["item_id"]), row["gold"])}),
    )


def backwards(release: Release) -> Release:
    """The same release, every table from its end."""
    names = ("items", "item_clips", "answers", "sources", "clips", "prompts")
    return altered(release, **{name: release.table(name)[::-1] for name in names})
