"""Draws that depend on a seed and a name, and on nothing drawn before.

Each value is read off a BLAKE2b hash of the seed and a key: no draw shifts another, and no library's random stream can
change under it.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b, shake_256
from statistics import NormalDist
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Sequence

T = TypeVar("T")
Key = str | int


@dataclass(frozen=True, slots=True)
class Dice:
    """A source of named draws; the same seed, scope and key give the same value.

    Attributes:
        seed: any integer.
        scope: keys that stand before every other one.
    """

    seed: int
    scope: tuple[Key, ...] = ()

    def within(self, *scope: Key) -> Dice:
        """The same dice, with more keys before every other one."""
        return Dice(self.seed, (*self.scope, *scope))

    def unit(self, *key: Key) -> float:
        """A value from the open interval (0, 1), uniform.

        >>> Dice(1).unit("a") == Dice(1).within("a").unit()
        True
        """
        return (int.from_bytes(blake2b(self._name(key), digest_size=6).digest(), "big") + 0.5) / (1 << 48)

    def between(self, low: float, high: float, *key: Key) -> float:
        """A value from low to high, uniform."""
        return low + (high - low) * self.unit(*key)

    def whole(self, low: int, high: int, *key: Key) -> int:
        """An integer from low to high, both included."""
        return low + int((high - low + 1) * self.unit(*key))

    def normal(self, *key: Key) -> float:
        """A value from the standard normal distribution."""
        return NormalDist().inv_cdf(self.unit(*key))

    def chance(self, probability: float, *key: Key) -> bool:
        """True with the given probability."""
        return self.unit(*key) < probability

    def pick(self, values: Sequence[T], *key: Key) -> T:
        """One of the values, each as likely as the next."""
        return values[int(len(values) * self.unit(*key))]

    def pick_two(self, values: Sequence[T], *key: Key) -> tuple[T, T]:
        """Two of the values that stand at different places."""
        first = int(len(values) * self.unit(*key, "first"))
        second = int((len(values) - 1) * self.unit(*key, "second"))
        return values[first], values[second + (second >= first)]

    def noise(self, count: int, *key: Key) -> bytes:
        """As many uniform bytes."""
        return shake_256(self._name(key)).digest(count)

    def _name(self, key: tuple[Key, ...]) -> bytes:
        return repr((self.seed, *self.scope, *key)).encode()
