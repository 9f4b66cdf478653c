"""Sentences about shelves, buses and soup: words from which no stance can be read.

Every speaker draws from the same frames and the same nouns, whatever the role, so that only the delivery differs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from earmark.builders.miniatures.dice import Dice, Key

_FRAMES = (
    "The {thing} goes beside the {thing2}, and the {place} is on the left.",
    "There are {count} boxes in the {place}, and the {thing} is in one of them.",
    "The bus to the {place} leaves {when}, and it takes {minutes} minutes.",
    "I put the {thing} in the {place} {when}.",
    "We carry the {thing} first, then the {thing2}, then the rest.",
    "The list says {count} of the {thing}, and one {thing2}.",
    "The {place} opens {when}, so there is time for the {task}.",
    "It was in the {place} {when}, next to the {thing}.",
    "The {task} takes {minutes} minutes, and the {task2} takes a little longer.",
    "The {thing} is {colour}, and the {thing2} is {colour2}.",
    "They keep the {thing} in the {place}, on the {count} shelves near the door.",
    "First comes the {task}, and after that comes the {task2}.",
    "The road past the {place} is shorter, and it has {count} turns.",
    "You take the {thing}, I take the {thing2}, and we meet in the {place}.",
    "That is the {colour} one, from the {place}.",
    "The {thing} came {when}, in a {colour} bag.",
)
_WORDS = {
    "thing": (
        "kettle",
        "ladder",
        "lamp",
        "blanket",
        "basket",
        "radio",
        "folder",
        "table",
        "bucket",
        "carpet",
        "clock",
        "toolbox",
    ),
    "place": ("kitchen", "library", "garden", "station", "market", "cellar", "office", "garage", "hall", "bakery"),
    "task": ("sorting", "packing", "painting", "measuring", "washing", "planting", "counting"),
    "colour": ("green", "blue", "yellow", "grey", "brown", "white"),
    "when": (
        "at nine",
        "on Monday",
        "this afternoon",
        "after lunch",
        "on Thursday",
        "at a quarter past four",
        "before noon",
    ),
    "count": ("two", "three", "four", "five", "six", "seven"),
    "minutes": ("ten", "twelve", "fifteen", "twenty", "thirty"),
}

BACKCHANNEL = "Mm."
"""What a listener says without taking the turn."""


def sentence(dice: Dice, *key: Key) -> str:
    """Draw one sentence of 6 to 20 words.

    >>> from earmark.builders.miniatures.dice import Dice
    >>> sentence(Dice(1), "first") == sentence(Dice(1), "first")
    True
    """
    pairs = {name: dice.pick_two(words, *key, name) for name, words in _WORDS.items()}
    firsts = {name: pair[0] for name, pair in pairs.items()}
    seconds = {f"{name}2": pair[1] for name, pair in pairs.items()}
    return dice.pick(_FRAMES, *key).format(**firsts, **seconds)
