"""The ledger of paid calls: each is written down before it is sent, its answer after, and no answer is paid for twice.

A process may be killed at any moment: the next one replays every recorded answer, sends the rest, and lists the calls that were
under way as possibly billed twice. One process at a time works with a ledger.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeVar

import filelock

from earmark.builders.ledger import totals as adding
from earmark.builders.ledger.budget import Budget
from earmark.builders.ledger.calls import Answer, CallRequest, GaveUp, Recorded, Send, Unanswered
from earmark.builders.ledger.dry_run import Planned, price_plan
from earmark.builders.ledger.prices import ModelPrice, Prices, Unpriced, cost, upper_bound
from earmark.builders.ledger.retries import RetriesSection
from earmark.builders.ledger.store import LedgerError, State, Store, TryId
from earmark.manifests.errors import Busy

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self

CONCURRENCY = 8
"""Calls under way at a time, unless another number is asked for."""

WrittenT = TypeVar("WrittenT")

_NO_PRICES: Prices = MappingProxyType({})


class Ledger:
    """A ledger that is open. Made by `Ledger.open`; to be used in one event loop and closed, best by `with`.

    Args:
        store: Its file.
        lock: The lock that is held.
        prices: Price of each model.
        max_cost: Most that all its calls may cost together, earlier runs included, billionths of a US dollar; None for no limit.
        concurrency: Calls under way at a time.
        retries: When a call is sent again.
        sleep: Waits so many seconds.
        now: A clock that never goes back, s.
    """

    def __init__(
        self,
        store: Store,
        lock: filelock.BaseFileLock,
        *,
        prices: Prices,
        max_cost: int | None,
        concurrency: int,
        retries: RetriesSection,
        sleep: Callable[[float], Awaitable[None]],
        now: Callable[[], float],
    ) -> None:
        self._store, self._lock, self._sleep, self._now = store, lock, sleep, now
        self._prices, self._retries = dict(prices), retries
        before = adding.totals(store)
        self._budget = Budget(max_cost, before.spent + before.doubtful)
        self._slots = asyncio.Semaphore(concurrency)
        self._turns: dict[str, asyncio.Lock] = {}
        self._asking: Counter[str] = Counter()
        self._not_before: dict[tuple[str, str], float] = {}
        self._broken: LedgerError | None = None

    @classmethod
    def open(
        cls,
        path: Path,
        *,
        prices: Mapping[str, ModelPrice] = _NO_PRICES,
        max_cost: int | None = None,
        concurrency: int = CONCURRENCY,
        retries: RetriesSection = RetriesSection(),  # noqa: B008 (frozen)
        power_safe: bool = False,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        now: Callable[[], float] = time.monotonic,
    ) -> Self:
        """Open a ledger, or begin one.

        Args:
            path: Its file; a lock stands beside it.
            prices: Price of each model.
            max_cost: Most that all its calls may cost together, billionths of a US dollar; None for no limit.
            concurrency: Calls under way at a time, at least 1.
            retries: When a call is sent again.
            power_safe: Whether even a power failure may undo no row; costs some milliseconds a row.
            sleep: Waits so many seconds; tests give their own.
            now: A clock that never goes back, s.

        Raises:
            Busy: If another process works with it.
            LedgerError: If the file is no ledger, or cannot be written.
            ValueError: If the limit is negative or the concurrency below 1.
        """
        if concurrency < 1 or (max_cost is not None and max_cost < 0):
            raise ValueError(f"concurrency {concurrency} must be at least 1 and max_cost {max_cost} at least 0")
        lock = filelock.FileLock(path.with_name(f"{path.name}.lock"))
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            lock.acquire(timeout=0)
        except filelock.Timeout:
            raise Busy(f"another process works with the ledger {path}") from None
        except OSError as error:
            raise LedgerError(f"the ledger {path} cannot be opened: {error.strerror or error}") from error
        try:
            store = Store(path, power_safe=power_safe)
        except BaseException:
            lock.release()
            raise
        try:
            store.adopt_orphans()
            return cls(
                store,
                lock,
                prices=prices,
                max_cost=max_cost,
                concurrency=concurrency,
                retries=retries,
                sleep=sleep,
                now=now,
            )
        except BaseException:
            store.close()
            lock.release()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file and the lock."""
        self._store.close()
        self._lock.release()

    async def call(self, request: CallRequest, send: Send) -> Recorded:
        """The answer to a call: the recorded one, else a new one, recorded before it is given.

        Args:
            request: The call.
            send: Sends it once.

        Raises:
            CostLimit: If it could cost more than is left; it was not sent.
            Unpriced: If there is a limit of cost, and its model has no price.
            Unanswered: If no answer came; every try is in the ledger.
            LedgerError: If the ledger cannot be read or written. After that it sends nothing more, for what cannot be written
                down must not be paid for.
        """
        async with self._alone(request.key):
            if (kept := self.find(request)) is not None:
                return kept
            bound = upper_bound(request, self._prices)
            if bound is None and self._budget.limit is not None:
                raise Unpriced(request.model, self._prices)
            failures = 0
            while True:
                try:
                    return await self._try(request, send, bound)
                except Unanswered as error:
                    failures += 1
                    await self._wait(request, error, failures)

    def find(self, request: CallRequest) -> Recorded | None:
        """The recorded answer of a call; None where there is none. Nothing is sent.

        Raises:
            LedgerError: If the ledger cannot be read.
        """
        kept = self._store.find(request.key)
        if kept is None:
            return None
        return Recorded(
            key=request.key,
            answer=kept.answer,
            cost=kept.cost,
            bounded=kept.bounded,
            latency_s=kept.latency_s,
            tries=kept.tries,
            replayed=True,
        )

    def prices(self, requests: Iterable[CallRequest]) -> Planned:
        """What calls that are planned would cost at most, those with a recorded answer for nothing. Nothing is sent.

        Raises:
            LedgerError: If the ledger cannot be read.
        """
        return price_plan(requests, self._prices, recorded=lambda request: self._store.find(request.key) is not None)

    def totals(self) -> adding.Totals:
        """Sums over the ledger, earlier runs included."""
        return adding.totals(self._store)

    def stage_totals(self) -> tuple[adding.StageTotals, ...]:
        """Sums by stage, provider and model, earlier runs included."""
        return adding.stage_totals(self._store)

    def doubtful(self) -> tuple[adding.Doubtful, ...]:
        """Tries that may be billed although no answer of them is recorded, as those under way at a kill."""
        return adding.doubtful(self._store)

    def rows(self) -> tuple[adding.CallRow, ...]:
        """One row for each call, for a table of attempts."""
        return adding.call_rows(self._store)

    async def _try(self, request: CallRequest, send: Send, bound: int | None) -> Recorded:
        """Send a call once; whatever happens is written down. No wait lies between an answer and its row."""
        async with self._slot(request):
            await self._budget.reserve(bound or 0)
            spent = 0
            try:
                id = self._written(lambda: self._store.intend(request, bound, time.time()))
                spent, begun = bound or 0, self._now()  # until something better is known
                try:
                    answer = await send(request)
                except BaseException as error:
                    state, status, reason = _failure(error)
                    spent = spent if state is State.LOST else 0
                    took = self._now() - begun
                    self._written(lambda: self._store.failed(id, state, took, status, reason))
                    raise
                recorded, spent = self._record(request, id, answer, self._now() - begun)
                return recorded
            finally:
                self._budget.settle(bound or 0, spent)

    def _record(self, request: CallRequest, id: TryId, answer: Answer, took: float) -> tuple[Recorded, int]:
        price = self._prices.get(request.model)
        units, bounded = (None, False) if price is None else cost(request, answer.usage, price)
        self._written(lambda: self._store.answered(id, answer, took, units, bounded=bounded))
        recorded = Recorded(
            key=request.key,
            answer=answer,
            cost=units,
            bounded=bounded,
            latency_s=took,
            tries=id.number,
            replayed=False,
        )
        return recorded, units or 0

    async def _wait(self, request: CallRequest, error: Unanswered, failures: int) -> None:
        """Wait for the next try; raise the error where there is none."""
        if not error.again:
            raise error
        if failures >= self._retries.tries:
            raise GaveUp(
                f"{request.model} did not answer in {failures} tries; the last time: {error.reason}",
                billed=error.billed,
                status=error.status,
            ) from error
        if error.wait_s is None:
            await self._sleep(self._retries.pause(request.key, failures))
        elif error.wait_s > self._retries.most_s:
            raise GaveUp(
                f"{request.model} asks to wait {error.wait_s:.0f} s, longer than the {self._retries.most_s:.0f} s of"
                f" most_s in [retries]: {error.reason}",
                status=error.status,
                wait_s=error.wait_s,
            ) from error
        else:  # what a server asks of one call holds for all calls of that model
            place = (request.provider, request.model)
            self._not_before[place] = max(self._not_before.get(place, 0.0), self._now() + error.wait_s)

    @asynccontextmanager
    async def _slot(self, request: CallRequest) -> AsyncIterator[None]:
        """One of the calls under way. Whoever must wait for a model's server keeps no slot from the calls of another."""
        place = (request.provider, request.model)
        while True:
            while (left := self._not_before.get(place, 0.0) - self._now()) > 0:
                await self._sleep(left)
            async with self._slots:
                if self._not_before.get(place, 0.0) <= self._now():
                    yield
                    return

    @asynccontextmanager
    async def _alone(self, key: str) -> AsyncIterator[None]:
        """Whoever asks for the same call at the same time waits for the first, and finds its answer recorded."""
        turn = self._turns.setdefault(key, asyncio.Lock())
        self._asking[key] += 1
        try:
            async with turn:
                yield
        finally:
            self._asking[key] -= 1
            if not self._asking[key]:
                del self._asking[key], self._turns[key]

    def _written(self, write: Callable[[], WrittenT]) -> WrittenT:
        if self._broken is not None:
            raise LedgerError(f"{self._broken}; nothing more is sent") from self._broken
        try:
            return write()
        except LedgerError as error:
            self._broken = error
            raise


def _failure(error: BaseException) -> tuple[State, int | None, str]:
    """What an error says of the try: whether it may be billed, the server's status and the reason."""
    if isinstance(error, Unanswered):
        return State.LOST if error.billed else State.FAILED, error.status, error.reason
    if isinstance(error, asyncio.CancelledError):
        return State.LOST, None, "cancelled while it was under way"
    return State.LOST, None, repr(error)[:500]
