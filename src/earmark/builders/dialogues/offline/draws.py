"""Draws for one dialogue, each by its own name: none depends on another, on other dialogues, or on a random stream."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from earmark.manifests.keys import rank

T = TypeVar("T")


@dataclass(frozen=True)
class Draws:
    """What is drawn for one dialogue.

    Args:
        name: Name of the dialogue.
        seed: Any integer.
        key: The release's key, or nothing. With a key nobody who has only the public side can write the dialogue again.
    """

    name: str
    seed: int = 0
    key: bytes = b""

    def pick(self, values: Sequence[T], what: str) -> T:
        """One of some values, each as likely as the next.

        Args:
            values: At least one.
            what: What it is drawn for; the same name gives the same place in the row.

        >>> draws = Draws("interpersonal_empathy-0001")
        >>> draws.pick("abc", "letter") == draws.pick("abc", "letter")
        True
        """
        return values[rank(self.key, self.seed, what, self.name) % len(values)]
