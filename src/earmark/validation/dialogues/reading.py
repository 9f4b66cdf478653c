"""The items of a release of dialogues, read as dialogues."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from earmark.manifests.families.dialogues import TARGETS, TURN_4, TURN_6
from earmark.manifests.rows import Row, optional_text, text, whole
from earmark.validation.contents import Contents


def groups(contents: Contents) -> Mapping[str | None, list[Row]]:
    """By group, its items."""
    found: dict[str | None, list[Row]] = defaultdict(list)
    for row in contents.rows("items"):
        found[optional_text(row, "group")].append(row)
    return found


def dialogues(contents: Contents) -> Iterator[tuple[str, str, str]]:
    """Group, item of turn 4 and item of turn 6 of every dialogue that has both."""
    for group, rows in groups(contents).items():
        items = {row["target"]: text(row, "item_id") for row in rows}
        if group is not None and len(rows) == len(TARGETS) and set(items) == set(TARGETS):
            yield group, items[TURN_4], items[TURN_6]


def roles_of(contents: Contents) -> Mapping[str, Mapping[str, Sequence[str]]]:
    """By item and role, the clips in the order of their positions."""
    roles: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for row in sorted(contents.rows("item_clips"), key=lambda row: whole(row, "position")):
        roles[text(row, "item_id")][text(row, "role")].append(text(row, "clip_id"))
    return roles
