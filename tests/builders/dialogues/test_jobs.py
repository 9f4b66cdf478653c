"""Many jobs at a time: in order, no more than asked for, and nothing that is under way is thrown away."""

from __future__ import annotations

import asyncio
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from earmark.builders.dialogues.jobs import run_all


@given(count=st.integers(0, 12), workers=st.integers(1, 5), failing=st.integers(0, 12))
@settings(max_examples=25)
def test_jobs(count: int, workers: int, failing: int) -> None:
    under_way, most, ended, told = 0, 0, [], []

    async def job(n: int) -> int:
        nonlocal under_way, most
        under_way += 1
        most = max(most, under_way)
        for _ in range(1 + n % 3):
            await asyncio.sleep(0)
        under_way -= 1
        ended.append(n)
        if n == failing:
            raise LookupError(n)
        return n * n

    jobs = [partial(job, n) for n in range(count)]
    if failing < count:
        with pytest.raises(LookupError, match=str(failing)):
            asyncio.run(run_all(jobs, workers=workers, told=told.append))
        assert set(range(failing + 1)) <= set(ended) | {failing}
        assert len(ended) <= failing + 2 * workers  # those that were begun, and no others
    else:
        assert asyncio.run(run_all(jobs, workers=workers, told=told.append)) == [n * n for n in range(count)]
        assert told == list(range(count + 1)) if count else not told
    assert under_way == 0
    assert most <= workers


def test_a_call_under_way_at_a_failure_is_waited_for() -> None:
    answered = []

    async def fails() -> None:
        raise LookupError("no")

    async def is_paid() -> None:
        await asyncio.sleep(0.01)
        answered.append(True)

    with pytest.raises(LookupError):
        asyncio.run(run_all([fails, is_paid, is_paid], workers=2))
    assert answered == [True]


def test_cancelling_cancels_all() -> None:
    ended = []

    async def job() -> None:
        try:
            await asyncio.sleep(60)
        finally:
            ended.append(True)

    async def main() -> None:
        running = asyncio.create_task(run_all([job, job], workers=2))
        await asyncio.sleep(0.01)
        running.cancel()
        await running

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(main())
    assert ended == [True, True]
