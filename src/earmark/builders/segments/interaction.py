"""Interaction clips: what the partner said just before a turn switch, and what the speaker said after it.

**Turns.** An IPU that lies wholly within one of the other speaker's takes no turn, nor does a backchannel. All others, of both
speakers, in order of their starts, are grouped into runs of one speaker: the turns. So a turn is everything its speaker says
until the other speaks alone; neither silence, nor the partner's backchannels, nor what the partner says wholly within one of
its IPUs ends it. Of two equal IPUs the partner's counts as the one within.

**Items.** Where a turn of the partner is followed by one of the speaker, with at most 2 s of silence or 0.5 s of overlap
between them, the target is the speaker's turn and the context the partner's. A target is cut to its first 15 s of active
speech, a context to its last 10 s, at the last or first cut that fits; their IPUs are joined as in single clips. A turn gives
at most one such item, so no target speech is used twice. The other kind, with the context after the target
(`context_after`), is cut from the end of what the first kind left of a turn, so it changes none of the first kind's items.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from earmark.builders.segments.channel import Channel
from earmark.builders.segments.clips import Direction, Drop, Interaction, Reason, Segmentation, Span
from earmark.builders.segments.settings import samples


class Turn(NamedTuple):
    """What one speaker says while holding the floor.

    Attributes:
        ours: Whether it is the target speaker's.
        spans: Its IPUs, native samples of its channel.
        start: Start of the first, ticks of the least common multiple of the two rates.
        end: End of the last, in the same ticks.
    """

    ours: bool
    spans: tuple[Span, ...]
    start: int
    end: int


def interactions(speaker: Channel, partner: Channel) -> Segmentation[Interaction]:
    """The interaction clips of one speaker; call it again with the sides exchanged for those of the other.

    Args:
        speaker: The side that is judged.
        partner: The side that gives the context. The two may differ in rate; both start at the same moment.

    Returns:
        The items, and all drops of the judged side. What a turn leaves has the reason that the default kind failed for, or
        `beyond_target` where the turn gave an item.

    Raises:
        ValueError: If the sides were made with different settings.
    """
    settings = speaker.settings
    if partner.settings != settings:
        raise ValueError("the two sides of a conversation are segmented with the same settings")
    turns, within = turns_of(speaker, partner)
    ticks = math.lcm(speaker.rate, partner.rate)
    longest, deepest = samples(settings.switch_gap_s, ticks), samples(settings.switch_overlap_s, ticks)
    items: list[Interaction] = []
    drops: list[Drop] = [
        *(speaker.drop(Reason.BACKCHANNEL, [span]) for span in speaker.backchannels),
        *(speaker.drop(Reason.WITHIN_PARTNER, [span]) for span in within),
    ]

    def pair(first: Turn, second: Turn, left: Sequence[Span]) -> tuple[Interaction, list[Span]] | Reason:
        """An item from two turns and what it leaves of the target's; or why there is none."""
        gap = second.start - first.end
        if gap > longest:
            return Reason.GAP
        if -gap > deepest:
            return Reason.OVERLAP
        if second.ours:
            target, rest = _head(speaker, left, speaker.limits.target_most)
            context, _ = _tail(partner, first.spans, partner.limits.context_most)
        else:
            target, rest = _tail(speaker, left, speaker.limits.target_most)
            context, _ = _head(partner, second.spans, partner.limits.context_most)
        if speaker.vad.active(target) < speaker.limits.target_least or not target:
            long = speaker.vad.active(left) >= speaker.limits.target_least
            return Reason.UNCUTTABLE if long else Reason.TARGET_SHORT
        if partner.vad.active(context) < partner.limits.context_least or not context:
            return Reason.CONTEXT_SHORT
        direction = Direction.CONTEXT_BEFORE if second.ours else Direction.CONTEXT_AFTER
        return Interaction(partner.clip(context), speaker.clip(target), direction, gap / ticks), rest

    for at, turn in enumerate(turns):
        if not turn.ours:
            continue
        left = list(turn.spans)
        made = pair(turns[at - 1], turn, left) if at else Reason.NO_SWITCH
        reason = made if isinstance(made, Reason) else Reason.BEYOND_TARGET
        if not isinstance(made, Reason):
            items.append(made[0])
            left = made[1]
        if settings.context_after and left and at + 1 < len(turns):
            made = pair(turn, turns[at + 1], left)
            if not isinstance(made, Reason):
                items.append(made[0])
                left, reason = made[1], Reason.BEYOND_TARGET
        if left:
            drops.append(speaker.drop(reason, left))
    return Segmentation(tuple(items), tuple(sorted(drops, key=lambda drop: drop.spans)))


def turns_of(speaker: Channel, partner: Channel) -> tuple[list[Turn], list[Span]]:
    """The turns of a conversation in order, which alternate, and the speaker's IPUs that lie within one of the partner's.

    Args:
        speaker: The side whose turns are `ours`.
        partner: The other side.
    """
    ticks = math.lcm(speaker.rate, partner.rate)
    ordered = sorted(
        (span[0] * scale, -span[1] * scale, theirs, span)
        for theirs, side in ((False, speaker), (True, partner))
        for scale in (ticks // side.rate,)
        for span in side.ipus
    )
    turns: list[Turn] = []
    within: list[Span] = []
    for start, minus_end, theirs, span in ordered:
        end, ours = -minus_end, not theirs
        if turns and turns[-1].ours is ours:
            held = turns[-1]
            turns[-1] = held._replace(spans=(*held.spans, span), end=end)
        elif not turns or end > turns[-1].end:
            turns.append(Turn(ours, (span,), start, end))
        elif ours:
            within.append(span)
    return turns, within


def _head(channel: Channel, spans: Sequence[Span], most: int) -> tuple[list[Span], list[Span]]:
    """The longest beginning of spans with at most `most` samples of active speech, and the rest."""
    taken: list[Span] = []
    for at, (start, end) in enumerate(spans):
        cut = channel.last_cut((start, end), most)
        if cut > start:
            taken.append((start, cut))
            most -= channel.vad.active([(start, cut)])
        if cut < end:
            return taken, [(cut, end), *spans[at + 1 :]]
    return taken, []


def _tail(channel: Channel, spans: Sequence[Span], most: int) -> tuple[list[Span], list[Span]]:
    """The longest end of spans with at most `most` samples of active speech, and the rest."""
    taken: list[Span] = []
    for at, (start, end) in reversed(list(enumerate(spans))):
        cut = channel.first_cut((start, end), most)
        if cut < end:
            taken.insert(0, (cut, end))
            most -= channel.vad.active([(cut, end)])
        if cut > start:
            return taken, [*spans[:at], (start, cut)]
    return taken, []
