"""What each item depends on: its speaker, conversation and prompt, from the private side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from earmark.manifests.errors import ReleaseError
from earmark.manifests.rows import optional_text, text

if TYPE_CHECKING:
    from earmark.manifests.release import Release

UNKNOWN = ""
"""Stands for an absent conversation or prompt; all such items are one cluster, which is the cautious reading."""


@dataclass(frozen=True)
class Clusters:
    """The dependent units of items, parallel to the ids asked for.

    Args:
        speaker: Speaker of each item.
        conversation: Conversation of each item.
        prompt: Elicitation prompt of each item.
    """

    speaker: tuple[str, ...]
    conversation: tuple[str, ...]
    prompt: tuple[str, ...]


def item_clusters(release: Release, items: Sequence[str], *, role: str) -> Clusters:
    """What items depend on, by the first clip that stands in a role.

    Args:
        release: A release with its private side.
        items: Item ids.
        role: The role whose clip carries the answer, such as "target".

    Raises:
        PrivateSideMissing: If the release has no private side.
        ReleaseError: If an item has no such clip, or the clip no source.
    """
    sources = {text(row, "clip_id"): row for row in release.table("sources").to_pylist()}
    clip = {
        text(row, "item_id"): text(row, "clip_id")
        for row in release.table("item_clips").to_pylist()
        if row["role"] == role and row["position"] == 0
    }
    if lost := [item for item in items if clip.get(item) not in sources]:
        raise ReleaseError(
            f"item {lost[0]} of {release.path} has no {role} clip with a source; `earmark validate` says what else is wrong"
        )
    rows = [sources[clip[item]] for item in items]
    return Clusters(
        speaker=tuple(text(row, "speaker") for row in rows),
        conversation=tuple(optional_text(row, "conversation") or UNKNOWN for row in rows),
        prompt=tuple(optional_text(row, "prompt") or UNKNOWN for row in rows),
    )
