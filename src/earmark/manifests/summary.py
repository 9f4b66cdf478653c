"""What a release holds, counted: items, speakers and conversations per facet, gold and group."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field

from earmark.manifests.canonical import Json
from earmark.manifests.release import Release
from earmark.manifests.rows import optional_text, text

EVERY = ""
"""Stands for all golds or all groups together."""

UNGROUPED = "not known"
"""Stands for the group of an item that has none, where others have one."""


@dataclass(frozen=True)
class Counts:
    """Distinct things in one cell; speakers and conversations are those of the clips that are judged."""

    items: int
    speakers: int
    conversations: int


@dataclass
class _Cell:
    items: set[str] = field(default_factory=set)
    speakers: set[str] = field(default_factory=set)
    conversations: set[str] = field(default_factory=set)

    def counts(self) -> Counts:
        return Counts(len(self.items), len(self.speakers), len(self.conversations))


@dataclass(frozen=True)
class Summary:
    """A release counted.

    Args:
        cells: (facet, gold, group) → counts; an empty string stands for all of them. Without the private side only items per
            facet are known, and speakers and conversations are 0.
        golds: The golds, in the family's order.
        private: Whether the private side was at hand.
    """

    cells: Mapping[tuple[str, str, str], Counts]
    golds: tuple[str, ...]
    private: bool

    def ratio(self, facet: str) -> float | None:
        """Items of the commonest gold over those of the rarest; None where one has none, or golds are not known."""
        items = [self.cells[facet, gold, EVERY].items for gold in self.golds if (facet, gold, EVERY) in self.cells]
        return max(items) / min(items) if self.private and len(items) == len(self.golds) else None

    def as_json(self) -> list[Mapping[str, Json]]:
        """One record per cell."""
        return [
            {
                "facet": facet or None,
                "gold": gold or None,
                "group": group or None,
                "items": counts.items,
                "speakers": counts.speakers if self.private else None,
                "conversations": counts.conversations if self.private else None,
            }
            for (facet, gold, group), counts in sorted(self.cells.items())
        ]


def summarise(release: Release) -> Summary:
    """Count a release; the group is the family's first own answer column, such as the role."""
    family, private = release.family, release.has_private_side
    facets = {text(row, "item_id"): text(row, "facet") for row in release.table("items").to_pylist()}
    places: dict[str, tuple[str, str]] = dict.fromkeys(facets, (EVERY, EVERY))
    who: dict[str, set[tuple[str, str]]] = defaultdict(set)
    if private:
        group = family.answer_columns[0].name if family.answer_columns else None
        answers = release.table("answers").to_pylist()
        # Where no item has a group there is nothing to tell apart; where some have, the others are said to have none.
        grouped = group is not None and any(row[group] is not None for row in answers)
        for row in answers:
            name = (optional_text(row, group) or UNGROUPED) if group is not None and grouped else EVERY
            places[text(row, "item_id")] = (text(row, "gold"), name)
        sources = {text(row, "clip_id"): row for row in release.table("sources").to_pylist()}
        for row in release.table("item_clips").to_pylist():
            if row["role"] in family.judged:
                source = sources[text(row, "clip_id")]
                who[text(row, "item_id")].add((text(source, "speaker"), optional_text(source, "conversation") or EVERY))
    cells: dict[tuple[str, str, str], _Cell] = defaultdict(_Cell)
    for item, facet in facets.items():
        gold, group_name = places[item]
        for key in {(f, g, n) for f in (facet, EVERY) for g in (gold, EVERY) for n in (group_name, EVERY)}:
            cell = cells[key]
            cell.items.add(item)
            cell.speakers |= {speaker for speaker, _ in who[item]}
            cell.conversations |= {conversation for _, conversation in who[item]} - {EVERY}  # what is no part of any
    return Summary({key: cell.counts() for key, cell in cells.items()}, family.golds, private)
