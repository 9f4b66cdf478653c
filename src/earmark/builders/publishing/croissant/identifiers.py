"""What the parts of a Croissant file are called: ids that are safe in an IRI, and no two of them the same."""

from __future__ import annotations

import re


class Identifiers:
    """Ids of one file, each given out once.

    >>> ids = Identifiers()
    >>> ids.new("items/a b"), ids.new("items/a?b"), ids.new("cr:Field"), ids.new("../..")
    ('items/a-b', 'items/a-b-2', 'cr-Field', 'x/x')
    """

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def new(self, text: str) -> str:
        """An id like a text: letters of ASCII, digits, `_`, `.`, `+` and `-`, parted by slashes.

        Neither blanks, which mlcroissant refuses, nor colons, which make a prefix, nor dots alone, which an IRI drops.
        """
        parts = (re.sub(r"[^A-Za-z0-9_.+-]+", "-", part).strip(".-") or "x" for part in text.split("/"))
        base = "/".join(parts)
        name, number = base, 2
        while name in self._taken:
            name, number = f"{base}-{number}", number + 1
        self._taken.add(name)
        return name
