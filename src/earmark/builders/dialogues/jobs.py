"""Many jobs at a time, so that a failure costs nothing that is already paid for.

A task group cancels what is under way when one of its tasks fails; a call that is cancelled may be billed, and its answer is
lost. So after a failure no further job is begun, those that were begun are waited for, and then the failure is raised.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

ResultT = TypeVar("ResultT")


async def run_all(
    jobs: Sequence[Callable[[], Awaitable[ResultT]]],
    *,
    workers: int,
    told: Callable[[int], None] = lambda _: None,
) -> list[ResultT]:
    """Run jobs, some at a time.

    Args:
        jobs: What is to be done; begun in this order.
        workers: How many at a time, at least 1.
        told: Told how many are done, after each and once before the first.

    Returns:
        What came of each, in the order of the jobs.

    Raises:
        Exception: The failure of the first job, by their order, that failed. Cancelling cancels them all.
    """
    results: dict[int, ResultT] = {}
    failures: dict[int, Exception] = {}
    left = iter(range(len(jobs)))

    async def work() -> None:
        for place in left:
            try:
                results[place] = await jobs[place]()
            except Exception as error:  # kept until the others are done
                failures[place] = error
            if failures:
                return
            told(len(results))

    if jobs:
        told(0)
    async with asyncio.TaskGroup() as group:
        for _ in range(min(workers, len(jobs))):
            group.create_task(work())
    if failures:
        raise failures[min(failures)]
    return [results[place] for place in range(len(jobs))]
