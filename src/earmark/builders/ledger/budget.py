"""The limit of cost: no call is begun whose upper bound would take the whole beyond it."""

from __future__ import annotations

import asyncio

from earmark.builders.ledger.prices import dollars
from earmark.manifests.errors import EarmarkError


class CostLimit(EarmarkError):
    """The next call could cost more than is left; it was not made.

    Args:
        limit: The limit.
        spent: What is spent or may have been.
        bound: The most that the next call can cost. All in billionths of a US dollar.
    """

    def __init__(self, limit: int, spent: int, bound: int) -> None:
        super().__init__(
            f"stopped before a call that may cost up to {dollars(bound)}: {dollars(spent)} of the limit of"
            f" {dollars(limit)} is spent; raise --max-cost and run again, and nothing recorded is paid twice"
        )
        self.limit, self.spent, self.bound = limit, spent, bound

    def __reduce__(self) -> tuple[type[CostLimit], tuple[int, int, int]]:
        return CostLimit, (self.limit, self.spent, self.bound)


class Budget:
    """What is spent, and the most that calls under way may still cost.

    A call for which there is room only if those under way cost less than they may waits until they are done: a limit stops a
    build when it must, and not because many calls are under way at a time.

    Args:
        limit: Most that may be spent, in billionths of a US dollar; None for no limit.
        spent: What is spent already, doubtful calls at their upper bound.
    """

    def __init__(self, limit: int | None, spent: int = 0) -> None:
        self.limit, self.spent, self.reserved = limit, spent, 0
        self._waiting: set[asyncio.Future[None]] = set()

    async def reserve(self, bound: int) -> None:
        """Keep room for a call; `settle` must follow.

        Args:
            bound: The most that it can cost.

        Raises:
            CostLimit: If there is no room even if all that is under way costs nothing.
        """
        while self.limit is not None and self.spent + self.reserved + bound > self.limit:
            if self.spent + bound > self.limit:
                raise CostLimit(self.limit, self.spent, bound)
            settled = asyncio.get_running_loop().create_future()
            self._waiting.add(settled)
            try:
                await settled
            finally:
                self._waiting.discard(settled)
        self.reserved += bound

    def settle(self, bound: int, units: int) -> None:
        """Put what a call did cost, or may have, in place of the room that was kept for it."""
        self.reserved -= bound
        self.spent += units
        for settled in self._waiting:
            if not settled.done():
                settled.set_result(None)
