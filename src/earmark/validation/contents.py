"""What an invariant sees of a release: its tables as rows, read once for all of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from earmark.manifests.errors import EarmarkError
from earmark.manifests.rows import Row, rows_of, text, whole

if TYPE_CHECKING:
    import pyarrow as pa

    from earmark.manifests.copies.shipped import Shipped
    from earmark.manifests.family import Family
    from earmark.manifests.findings import Findings
    from earmark.manifests.release import Release


class Contents:
    """The tables of a release as rows.

    Every cell is of its column's type and there where it must be; whether values and ids are right is what invariants ask.
    """

    def __init__(
        self,
        release: Release,
        tables: Mapping[str, pa.Table],
        *,
        recipes: pa.Table | None = None,
        shipped: Shipped | None = None,
        hears: bool = True,
    ) -> None:
        self.release = release
        self.tables = tables
        self.recipes = recipes
        self.shipped = shipped
        self.hears = hears
        self._rows: dict[str, list[dict[str, object]]] = {}

    def rows(self, name: str) -> list[dict[str, object]]:
        """A table as rows; empty where this copy lacks it."""
        if name not in self._rows:
            self._rows[name] = rows_of(self.tables[name]) if name in self.tables else []
        return self._rows[name]

    @property
    def family(self) -> Family:
        """The release's family."""
        return self.release.family

    @cached_property
    def key(self) -> bytes | None:
        """The release key; None where it is absent or bad."""
        try:
            return self.release.key
        except EarmarkError:
            return None

    @cached_property
    def item_clips(self) -> Mapping[str, Sequence[str]]:
        """The clips of each item, those of one role in the order of their positions."""
        clips: dict[str, list[str]] = defaultdict(list)
        for row in sorted(self.rows("item_clips"), key=lambda row: whole(row, "position")):
            clips[text(row, "item_id")].append(text(row, "clip_id"))
        return clips

    @cached_property
    def facets(self) -> Mapping[str, str]:
        """The facet of each item."""
        return {text(row, "item_id"): text(row, "facet") for row in self.rows("items")}

    @cached_property
    def sources(self) -> Mapping[str, Row]:
        """The source of each clip."""
        return {text(row, "clip_id"): row for row in self.rows("sources")}


@dataclass(frozen=True)
class Invariant:
    """Something that must hold.

    Args:
        name: Short stable name.
        means: What must hold, one sentence.
        needs_private: Whether it can only be checked with the private side at hand.
        check: Looks and adds findings; it meets any value and any id, and raises nothing.
    """

    name: str
    means: str
    needs_private: bool
    check: Callable[[Contents, Findings], None]
