"""What a judge has before it at turn 6: the rendering of turn 4 that it chose itself or, by itself, the right one.

Whoever presents the protocol `direct` shows the right answer of turn 4 where a clip is more than its words.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from earmark.builders.presenting import Earlier
from earmark.manifests.errors import EarmarkError
from earmark.manifests.families.dialogues import (
    DIALOGUES,
    DIRECT,
    FIRST,
    MODALITY_MEANS,
    TURN_4,
    TURN_6,
    UNLINKED,
    protocol_name,
)
from earmark.manifests.release import Release
from earmark.manifests.rows import Row, optional_text, text, texts, whole

_LABEL, _NEXT = "Turn 4", "Turn 5"


def histories(release: Release, protocol: str, rows: Sequence[Row]) -> Mapping[str, Earlier]:
    """What stands in the history of presentations besides their clips.

    Args:
        release: A release of dialogues; its private side is read where a right answer is shown.
        protocol: The protocol that is presented.
        rows: Its presentations.

    Returns:
        By presentation, where there is anything.

    Raises:
        EarmarkError: If it is not known what stood in the history.
        PrivateSideMissing: If the right answer is needed and this copy lacks it.
    """
    if protocol in {protocol_name(UNLINKED, modality) for modality in MODALITY_MEANS}:
        raise EarmarkError(
            f"{protocol} is for answers that came from elsewhere; present sequential-2 or direct instead"
        )
    by_id = {text(row, "presentation_id"): row for row in rows}
    items = {text(row, "item_id"): row for row in release.table("items").to_pylist()}
    alone = protocol in {protocol_name(DIRECT, modality) for modality in MODALITY_MEANS}
    right = _right_turn_4(release, items) if alone else {}
    found = {}
    for id, row in by_id.items():
        item, after = items[text(row, "item_id")], optional_text(row, "after")
        if after is not None:
            clips = dict(zip(DIALOGUES.choices, texts(by_id[after], "clips")[-2:], strict=True))
            found[id] = Earlier(label=_LABEL, before=_NEXT, clips=clips, chosen_in=after)
        elif text(item, "target") == TURN_6:
            found[id] = Earlier(label=_LABEL, before=_NEXT, clips={"": right[text(item, "group")]})
    return found


def _right_turn_4(release: Release, items: Mapping[str, Row]) -> dict[str, str]:
    """The right clip of turn 4 by group."""
    golds = {text(row, "item_id"): text(row, "gold") for row in release.table("answers").to_pylist()}
    right = {}
    for row in release.table("item_clips").to_pylist():
        item = items[text(row, "item_id")]
        position = 0 if golds[text(row, "item_id")] == FIRST else 1
        if item["target"] == TURN_4 and row["role"] == "option" and whole(row, "position") == position:
            right[text(item, "group")] = text(row, "clip_id")
    return right
