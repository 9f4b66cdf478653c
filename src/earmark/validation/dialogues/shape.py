"""Invariants of what a dialogue is made of: an item of turn 4 and one of turn 6 that follows it, with context and options."""

from __future__ import annotations

from collections.abc import Mapping

from earmark.manifests.eqi import SUBSCALES
from earmark.manifests.families.dialogues import CONTEXT_TURNS, DIALOGUES, REVERSED, SHOWN, TARGETS, TURN_4, TURN_6
from earmark.manifests.findings import Findings, Severity, declare
from earmark.manifests.rows import Row, optional_text, text, texts
from earmark.validation.contents import Contents, Invariant
from earmark.validation.dialogues.reading import dialogues, groups, roles_of

FACET = declare("dialogues.facet", Severity.ERROR, "an item's facet or target is none of a dialogue")
GROUP = declare(
    "dialogues.group", Severity.ERROR, "a dialogue is not one item of turn 4 and one of turn 6 that follows it"
)
CLIPS = declare("dialogues.clips", Severity.ERROR, "an item has not its context in order and two options")
ORDER = declare("dialogues.order", Severity.ERROR, "a presentation does not show what its item, order and history say")
AFTER = declare("dialogues.after", Severity.ERROR, "a presentation follows none of turn 4 of the same dialogue")

_SLUGS = tuple(subscale.slug for subscale in SUBSCALES)


def _facets_are_subscales(contents: Contents, findings: Findings) -> None:
    for row in contents.rows("items"):
        if row["facet"] not in _SLUGS or row["target"] not in TARGETS:
            found, expected = f"{row['facet']}, {row['target']}", f"a subscale's slug, and {' or '.join(TARGETS)}"
            findings.add(FACET, file="items.parquet", id=text(row, "item_id"), found=found, expected=expected)


def _groups_are_dialogues(contents: Contents, findings: Findings) -> None:
    roles = roles_of(contents)
    for group, rows in groups(contents).items():
        targets = sorted(str(row["target"]) for row in rows)
        if group is None or targets != list(TARGETS) or len({row["facet"] for row in rows}) > 1:
            found = f"{', '.join(targets)} of {', '.join(sorted({str(row['facet']) for row in rows}))}"
            expected = f"{' and '.join(TARGETS)} of one subscale"
            for row in rows if group is None else rows[:1]:
                id = text(row, "item_id") if group is None else group
                findings.add(GROUP, file="items.parquet", id=id, found=found, expected=expected)
    for row in contents.rows("items"):
        wanted = CONTEXT_TURNS.get(str(row["target"]))
        clips = roles.get(text(row, "item_id"), {})
        sizes = {role: len(clips.get(role, ())) for role in DIALOGUES.roles}
        distinct = len({clip for some in clips.values() for clip in some})
        if wanted and (list(sizes.values()) != [len(wanted), 2] or distinct != len(wanted) + 2):
            expected = f"{len(wanted)} of context and 2 options, all different"
            findings.add(CLIPS, file="item_clips.parquet", id=text(row, "item_id"), found=sizes, expected=expected)
    for group, four, six in dialogues(contents):
        before, later = roles[four]["context"], roles[six]["context"]
        if list(later[: len(before)]) != list(before) or set(roles[four]["option"]) & set(contents.item_clips[six]):
            expected = "the context of turn 4 and then turn 5, and none of turn 4's options"
            findings.add(GROUP, file="item_clips.parquet", id=group, found=" ".join(later), expected=expected)


def _presentations_are_the_items(contents: Contents, findings: Findings) -> None:
    items = {text(row, "item_id"): row for row in contents.rows("items")}
    every = {text(row, "presentation_id"): row for row in contents.rows("presentations")}
    roles = roles_of(contents)
    for id, row in every.items():
        item = items.get(text(row, "item_id"))
        if item is None or item["target"] not in TARGETS:
            continue
        target, after = str(item["target"]), optional_text(row, "after")
        earlier = every.get(after) if after is not None else None
        if after is not None and not _may_follow(target, item, row, earlier, items):
            expected = "null at turn 4; at turn 6 one of turn 4 of the dialogue, in the same modality, or null"
            findings.add(AFTER, file="presentations.parquet", id=id, found=after, expected=expected)
        clips = roles[text(row, "item_id")]
        history = list(zip(CONTEXT_TURNS[target], clips["context"], strict=False))
        shown = history if after is None else history[len(CONTEXT_TURNS[TURN_4]) :]
        options = clips["option"][::-1] if row["order"] == REVERSED else clips["option"]
        labels = [*(f"Turn {turn}" for turn, _ in shown), *SHOWN]
        if texts(row, "labels") != labels or texts(row, "clips") != [*(clip for _, clip in shown), *options]:
            expected = f"{', '.join(labels)} in the order {row['order']}"
            findings.add(ORDER, file="presentations.parquet", id=id, found=texts(row, "labels"), expected=expected)


def _may_follow(target: str, item: Row, row: Row, earlier: Row | None, items: Mapping[str, Row]) -> bool:
    before = items.get(text(earlier, "item_id")) if earlier is not None else None
    return (
        target == TURN_6
        and earlier is not None
        and before is not None
        and before["target"] == TURN_4
        and before["group"] == item["group"]
        and earlier["modality"] == row["modality"]
        and earlier["after"] is None
    )


SHAPE = (
    Invariant("dialogues-facets", "Facets are subscales, and targets turns 4 and 6.", False, _facets_are_subscales),
    Invariant("dialogues-groups", "A dialogue is two items, turn 6 following turn 4.", False, _groups_are_dialogues),
    Invariant(
        "dialogues-orders", "Presentations show context and options in order.", False, _presentations_are_the_items
    ),
)
