"""The price of a build before it is made: the upper bound of each planned call, model by model."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from earmark.builders.ledger.prices import Prices, upper_bound

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from earmark.builders.ledger.calls import CallRequest


@dataclass(frozen=True)
class PlannedModel:
    """Planned calls of one model.

    Args:
        model: Its id.
        calls: Different calls.
        recorded: Those whose answer is recorded, so that they cost nothing more.
        bound: The most that the others can cost, billionths of a US dollar; None where the model has no price.
    """

    model: str
    calls: int
    recorded: int
    bound: int | None


@dataclass(frozen=True)
class Planned:
    """Planned calls of all models.

    Args:
        models: By id.
    """

    models: tuple[PlannedModel, ...]

    @property
    def bound(self) -> int | None:
        """The most that everything can cost, each call answered at its first try; None where a model has no price."""
        bounds = [model.bound for model in self.models]
        known = [bound for bound in bounds if bound is not None]
        return sum(known) if len(known) == len(bounds) else None

    @property
    def unpriced(self) -> tuple[str, ...]:
        """Models without a price that are still to be paid for."""
        return tuple(model.model for model in self.models if model.bound is None)


def price_plan(
    requests: Iterable[CallRequest], prices: Prices, *, recorded: Callable[[CallRequest], bool] = lambda _: False
) -> Planned:
    """Price planned calls, one that stands twice once.

    Args:
        requests: The calls.
        prices: Price of each model.
        recorded: Says whether a call has an answer already.
    """
    seen: set[str] = set()
    calls: defaultdict[str, int] = defaultdict(int)
    done: defaultdict[str, int] = defaultdict(int)
    bounds: defaultdict[str, int | None] = defaultdict(int)
    for request in requests:
        if request.key in seen:
            continue
        seen.add(request.key)
        calls[request.model] += 1
        if recorded(request):
            done[request.model] += 1
        else:
            so_far, bound = bounds[request.model], upper_bound(request, prices)
            bounds[request.model] = None if so_far is None or bound is None else so_far + bound
    return Planned(tuple(PlannedModel(model, calls[model], done[model], bounds[model]) for model in sorted(calls)))
