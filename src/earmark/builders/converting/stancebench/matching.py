"""Which item of a release is the one that was heard: by the clip's id, by the time that both share, or by their order.

The runner cuts clips of its own, from another measure of speech, so that its items are rarely a release's to the sample. Two are
taken for one if they share more than half of the time that either of them covers. At most one item of a release can, so that
nothing depends on the order in which items are looked at.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import NamedTuple

from earmark.builders.converting.stancebench.cells import INTERACTION, SINGLE, Heard, Span
from earmark.builders.stance.items import CONTEXT_AFTER
from earmark.manifests.release import Release
from earmark.manifests.rows import optional_text, text, texts, whole, wholes

SHARED = 0.5
"""More than this share of the time that either covers must be in both."""


@dataclass(frozen=True)
class Owned:
    """An item of a release as one protocol asks it.

    Args:
        item: Its id.
        clip: The clip that is judged.
        kind: single or interaction.
        spans: Where the target speaks in the recording, ms.
        context_after: Whether its context follows.
        presentations: By order of the poles, the id.
    """

    item: str
    clip: str
    kind: str
    spans: tuple[Span, ...]
    context_after: bool
    presentations: Mapping[str, str]


class Match(NamedTuple):
    """What an item that was heard is taken for.

    Attributes:
        heard: What was heard.
        owned: The item of the release; None where there is none.
        shared: Share of the time that either covers which is in both; None where the two were not compared.
    """

    heard: Heard
    owned: Owned | None
    shared: float | None = None


def owned_items(release: Release, protocol: str) -> dict[str, dict[str, list[Owned]]]:
    """By the stem of a speaker's recording and by facet, the items in which that speaker is judged, in order of time.

    Args:
        release: A stance release; of its private side only `sources` is read, never the answers.
        protocol: The protocol that asks.

    Raises:
        PrivateSideMissing: If this copy does not say where clips are from.
    """
    sources = {text(row, "clip_id"): row for row in release.table("sources").to_pylist()}
    roles: dict[str, dict[str, str]] = defaultdict(dict)
    for row in release.table("item_clips").to_pylist():
        roles[text(row, "item_id")][text(row, "role")] = text(row, "clip_id")
    asked: dict[str, dict[str, str]] = defaultdict(dict)
    for row in release.table("presentations").to_pylist():
        if protocol in texts(row, "protocols"):
            asked[text(row, "item_id")][text(row, "order")] = text(row, "presentation_id")
    found: dict[str, dict[str, list[Owned]]] = defaultdict(lambda: defaultdict(list))
    for row in release.table("items").to_pylist():
        item = text(row, "item_id")
        clip = roles[item].get("target")
        source = sources.get(clip or "")
        if clip is None or source is None or item not in asked:
            continue
        rate = whole(source, "rate")
        owned = Owned(
            item=item,
            clip=clip,
            kind=INTERACTION if "context" in roles[item] else SINGLE,
            spans=tuple(
                Span(round(start * 1000 / rate), round(end * 1000 / rate))
                for start, end in zip(wholes(source, "starts"), wholes(source, "ends"), strict=True)
            ),
            context_after=optional_text(row, "target") == CONTEXT_AFTER,
            presentations=asked[item],
        )
        found[PurePosixPath(text(source, "path")).stem][text(row, "facet")].append(owned)
    for facets in found.values():
        for items in facets.values():
            items.sort(key=lambda owned: (owned.spans, owned.context_after, owned.item))
    return found


def matched(heard: Sequence[Heard], owned: Sequence[Owned]) -> list[Match]:
    """What each item that was heard is taken for.

    Args:
        heard: The items of one speaker in one dimension.
        owned: The release's items of the same, in order of time.
    """
    found = [_placed(item, owned) for item in heard]
    taken = {match.owned.item for match in found if match.owned is not None}
    for kind in (SINGLE, INTERACTION):
        # What nobody could place: failed clips have names without times. Their order is that of the recording.
        waiting = sorted(
            (
                n
                for n, match in enumerate(found)
                if match.owned is None and not match.heard.spans and match.heard.kind == kind
            ),
            key=lambda n: (found[n].heard.number, found[n].heard.label),
        )
        left = [item for item in owned if item.kind == kind and item.item not in taken]
        silent = all(answer.choice is None for n in waiting for answer in found[n].heard.answers)
        if len(waiting) == len(left) or silent:
            for n, item in zip(waiting, left, strict=False):
                found[n] = Match(found[n].heard, item)
    return found


def _placed(heard: Heard, owned: Sequence[Owned]) -> Match:
    fitting = [item for item in owned if item.kind == heard.kind and heard.context_after in (None, item.context_after)]
    for item in fitting:
        if item.clip == heard.clip:
            return Match(heard, item, 1.0)
    shares = [(shared(heard.spans, item.spans), item) for item in fitting] if heard.spans else []
    best = max(shares, key=lambda pair: pair[0], default=None)
    return Match(heard, best[1], best[0]) if best is not None and best[0] > SHARED else Match(heard, None)


def shared(one: Sequence[Span], other: Sequence[Span]) -> float:
    """Share of the time that either covers which is in both, in [0, 1].

    >>> shared([Span(0, 10), Span(20, 30)], [Span(0, 10), Span(25, 30)])
    0.75
    """
    both = sum(max(0, min(a.end, b.end) - max(a.start, b.start)) for a in one for b in other)
    either = sum(span.end - span.start for span in (*one, *other)) - both
    return both / either if either else 0.0
