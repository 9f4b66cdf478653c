"""What is asked of each dialogue and what is right at both of its turns, and which option is the quieter and the calmer one."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from earmark.manifests.eqi import SUBSCALES
from earmark.manifests.errors import ReleaseError
from earmark.manifests.families.dialogues import FIRST, SECOND, TARGETS
from earmark.manifests.rows import optional_real, optional_text, text, whole

if TYPE_CHECKING:
    from earmark.manifests.release import Release
    from earmark.manifests.rows import Row
    from earmark.scoring.measuring import Codes

Texts = NDArray[np.str_]

GOLDS = (FIRST, SECOND)
"""What a decision counts."""

NEITHER = -1
"""Stands for the option with less of a measure where none has, or one of them is not measured."""

UNKNOWN = "unknown"
"""Stands for what the answers do not say of a dialogue."""

COMPOSITE_OF = {subscale.slug: subscale.composite.slug for subscale in SUBSCALES}

AROUSAL, LOUDNESS, LEVEL = "affect_arousal", "loudness", "level"


@dataclass(frozen=True, eq=False)
class Gold:
    """Dialogues, ordered by facet and id; the second axis of (k, 2) is the turn, 4 and 6.

    Args:
        groups: (k,) ids of the dialogues.
        items: (k,) the items of each, turn 4 and turn 6.
        facet: (k,) subscale.
        composite: (k,) its composite; UNKNOWN of a facet that is no subscale.
        valence: (k,) valence of the scenario.
        scenario_type: (k,) where it is set.
        failure: (k, 2) what the wrong option does wrong.
        gold: (k, 2) index of the right option in `GOLDS`.
        calmer: (k, 2) index of the option with lower arousal, or NEITHER.
        quieter: (k, 2) index of the option that is less loud, or NEITHER.
        after: Presentation id → the round-1 presentation whose own answer stands in its history.
    """

    groups: tuple[str, ...]
    items: tuple[tuple[str, str], ...]
    facet: Texts
    composite: Texts
    valence: Texts
    scenario_type: Texts
    failure: Texts
    gold: Codes
    calmer: Codes
    quieter: Codes
    after: Mapping[str, str]

    def narrowed(self, groups: Collection[str]) -> Gold:
        """The same of some dialogues alone."""
        kept = np.array([group in groups for group in self.groups], np.bool_)
        if kept.all():
            return self
        columns = ("facet", "composite", "valence", "scenario_type", "failure", "gold", "calmer", "quieter")
        fewer: dict[str, NDArray[np.generic]] = {name: getattr(self, name)[kept] for name in columns}
        return replace(
            self,
            groups=tuple(group for group in self.groups if group in groups),
            items=tuple(items for items, keep in zip(self.items, kept.tolist(), strict=True) if keep),
            **fewer,  # type: ignore[arg-type]  # by name, each of its own type
        )


def read_gold(release: Release) -> Gold:
    """The gold of a release.

    Raises:
        PrivateSideMissing: If this copy has none.
        ReleaseError: If an item is of no dialogue, a dialogue has not both turns, or an item no gold.
    """
    answers = {text(row, "item_id"): row for row in release.table("answers").to_pylist()}
    turns: dict[str, dict[str, str]] = {}
    facets: dict[str, str] = {}
    for row in release.table("items").to_pylist():
        item, group, target = text(row, "item_id"), optional_text(row, "group"), optional_text(row, "target")
        if group is None or target not in TARGETS or target in turns.get(group, {}):
            raise unsound(release, f"item {item} is not turn 4 or turn 6 of one dialogue")
        if item not in answers or answers[item]["gold"] not in GOLDS:
            raise unsound(release, f"item {item} has no gold")
        turns.setdefault(group, {})[target] = item
        facets[group] = text(row, "facet")
    groups = tuple(sorted(turns, key=lambda group: (facets[group], group)))
    for group in groups:
        if len(turns[group]) != len(TARGETS):
            raise unsound(release, f"dialogue {group} has not both turns")
    items = tuple((turns[group][TARGETS[0]], turns[group][TARGETS[1]]) for group in groups)
    options = stored_options(release)
    sources = measured(release, "sources", (AROUSAL, LOUDNESS, LEVEL))
    heard = [[sources.get(clip, {}) for clip in options.get(item, ())] for pair in items for item in pair]
    of_turn_4 = [answers[pair[0]] for pair in items]
    rows = [answers[item] for pair in items for item in pair]
    return Gold(
        groups=groups,
        items=items,
        facet=np.array([facets[group] for group in groups], np.str_),
        composite=np.array([COMPOSITE_OF.get(facets[group], UNKNOWN) for group in groups], np.str_),
        valence=_texts(of_turn_4, "valence"),
        scenario_type=_texts(of_turn_4, "scenario_type"),
        failure=_texts(rows, "failure").reshape(-1, 2),
        gold=np.array([GOLDS.index(text(row, "gold")) for row in rows], np.int64).reshape(-1, 2),
        calmer=np.array([less(two, (AROUSAL,)) for two in heard], np.int64).reshape(-1, 2),
        quieter=np.array([less(two, (LOUDNESS, LEVEL)) for two in heard], np.int64).reshape(-1, 2),
        after=read_after(release),
    )


def measured(release: Release, table: str, measures: tuple[str, ...]) -> Mapping[str, Row]:
    """What clips measure, by clip; the tables are wide, so only what is asked for is read."""
    rows = release.table(table).select(["clip_id", *measures]).to_pylist()
    return {text(row, "clip_id"): row for row in rows}


def stored_options(release: Release) -> Mapping[str, tuple[str, ...]]:
    """The options of each item, in the order that they are stored in."""
    rows = [row for row in release.table("item_clips").to_pylist() if row["role"] == "option"]
    clips: dict[str, tuple[str, ...]] = {}
    for row in sorted(rows, key=lambda row: whole(row, "position")):
        item = text(row, "item_id")
        clips[item] = (*clips.get(item, ()), text(row, "clip_id"))
    return clips


def read_after(release: Release) -> Mapping[str, str]:
    """Which round-1 presentation stands in the history of each presentation that has one."""
    table = release.table("presentations")
    pairs = zip(table["presentation_id"].to_pylist(), table["after"].to_pylist(), strict=True)
    return {id: after for id, after in pairs if after is not None}


def less(options: list[Row], measures: tuple[str, ...]) -> int:
    """Which of two options has less of a measure, by the first that both have; NEITHER where none has, or they are level.

    >>> less([{"loudness": -20.0}, {"loudness": -23.0}], ("loudness",)), less([{"level": None}, {"level": -3.0}], ("level",))
    (1, -1)
    """
    if len(options) != len(GOLDS):
        return NEITHER
    for measure in measures:
        first, second = (optional_real(option, measure) for option in options)
        if first is not None and second is not None:
            return NEITHER if first == second else int(second < first)
    return NEITHER


def unsound(release: Release, what: str) -> ReleaseError:
    """The error that a release raises which `earmark validate` would refuse."""
    return ReleaseError(f"{what} in {release.path}; `earmark validate` says what else is wrong")


def _texts(rows: list[Row], name: str) -> Texts:
    return np.array([optional_text(row, name) or UNKNOWN for row in rows], np.str_)
