"""Single clips: one speaker's speech in order, in clips of 30 to 45 s of active speech.

IPUs that are no backchannels are taken in order, whole, until the clip has 30 s active; then it is closed. An IPU that would
carry it past 45 s is cut at its last cut that fits, and the remainder begins the next clip. Three rules for the rest: a
stretch without a cut that alone is longer than 45 s is dropped (`uncuttable`); a clip that the next stretch would overrun
before it has 30 s is dropped (`closed_short`); what is open at the end is kept from 15 s (`tail_short` otherwise). What is said
later never changes a clip that is closed.
"""

from __future__ import annotations

from earmark.builders.segments.channel import Channel
from earmark.builders.segments.clips import Drop, Reason, Segmentation, Single, Span


def singles(channel: Channel) -> Segmentation[Single]:
    """The single clips of one speaker.

    Args:
        channel: The speaker's side of the conversation.

    Returns:
        Clips of `single_close_s` to `single_most_s` of active speech, the last one from `single_tail_s`, and all drops.
    """
    limits, active = channel.limits, channel.vad.active
    items: list[Single] = []
    drops: list[Drop] = [channel.drop(Reason.BACKCHANNEL, [span]) for span in channel.backchannels]
    spans: list[Span] = []
    held = 0

    def close(least: int, reason: Reason) -> None:
        nonlocal held
        if spans:
            if held >= least:
                items.append(Single(channel.clip(spans)))
            else:
                drops.append(channel.drop(reason, spans))
        spans.clear()
        held = 0

    for start, end in channel.ipus:
        while start < end:
            cut = channel.last_cut((start, end), limits.single_most - held)
            if cut > start:
                spans.append((start, cut))
                held += active([(start, cut)])
                start = cut
                if held >= limits.single_close:
                    close(limits.single_close, Reason.CLOSED_SHORT)
                continue
            cut = channel.next_cut((start, end))
            if active([(start, cut)]) > limits.single_most:
                drops.append(channel.drop(Reason.UNCUTTABLE, [(start, cut)]))
                start = cut
            else:
                close(limits.single_close, Reason.CLOSED_SHORT)
    close(limits.single_tail, Reason.TAIL_SHORT)
    return Segmentation(tuple(items), tuple(sorted(drops, key=lambda drop: drop.spans)))
