"""Segments: from one conversation's voice activity and words to the clips that are judged. No audio, no files.

`Channel.of` puts a side on its time line, `singles` makes one speaker's single clips, `interactions` the clips around its turn
switches. Everything is a pure function of its arguments in native samples; clips come as recipes, and whatever is not taken
is counted with its reason.
"""

from earmark.builders.segments.channel import Channel
from earmark.builders.segments.clips import (
    Clip,
    Count,
    Direction,
    Drop,
    Interaction,
    Reason,
    Segmentation,
    Single,
    Span,
    duration,
)
from earmark.builders.segments.interaction import interactions
from earmark.builders.segments.settings import Settings
from earmark.builders.segments.single import singles
from earmark.builders.segments.words import Word

__all__ = [
    "Channel",
    "Clip",
    "Count",
    "Direction",
    "Drop",
    "Interaction",
    "Reason",
    "Segmentation",
    "Settings",
    "Single",
    "Span",
    "Word",
    "duration",
    "interactions",
    "singles",
]
