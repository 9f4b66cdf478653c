"""Work that several threads share: soundfile, soxr and the hashes let each other run."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

ThingT = TypeVar("ThingT")
DoneT = TypeVar("DoneT")


def each(work: Callable[[ThingT], DoneT], things: list[ThingT], jobs: int) -> Iterator[DoneT]:
    """Work on things, several at a time; results in the order of the things.

    Args:
        work: What is done with each.
        things: The things.
        jobs: How many at a time.
    """
    with ThreadPoolExecutor(max_workers=max(1, jobs)) as pool:
        try:
            yield from pool.map(work, things)
        finally:
            pool.shutdown(wait=False, cancel_futures=True)  # where somebody stops, what waits is not begun
