"""`[prices]`: what a call costs, and the most that it can cost before it is made.

Money is counted in whole billionths of a US dollar, rounded up, so that a total is the sum of its rows to the last digit.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple, TypeAlias, cast

import msgspec

from earmark.builders.ledger.calls import CallRequest, Usage
from earmark.manifests.canonical import Json
from earmark.manifests.errors import EarmarkError

BILLION = 1_000_000_000
"""Units of a dollar."""

_MILLION = 1_000_000
_LEAST_SECONDS = 2.0  # a pause before and after even the shortest line


class ModelPrice(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[prices."MODEL"]`: what a model's provider charges, US dollars; what is not named is free.

    Args:
        input_per_million_tokens: For a million tokens read.
        output_per_million_tokens: For a million tokens written.
        per_million_characters: For a million characters spoken.
        per_minute: For a minute of audio made.
        most_output_tokens: Most tokens that an answer has where the request sets no limit of its own.
        least_characters_per_second: The slowest that a voice speaks; bounds the audio of a text before it is made.

    Raises:
        ValueError: If a price is negative or not finite, or a bound is not positive.
    """

    input_per_million_tokens: float = 0.0
    output_per_million_tokens: float = 0.0
    per_million_characters: float = 0.0
    per_minute: float = 0.0
    most_output_tokens: int = 16_384
    least_characters_per_second: float = 2.0

    def __post_init__(self) -> None:
        for name in self.__struct_fields__[:4]:
            price = cast("float", getattr(self, name))
            if not (math.isfinite(price) and price >= 0):
                raise ValueError(f"{name} {price} must be a number of dollars, 0 or more")
        if self.most_output_tokens < 1:
            raise ValueError(f"most_output_tokens {self.most_output_tokens} must be at least 1")
        if not (math.isfinite(self.least_characters_per_second) and self.least_characters_per_second > 0):
            raise ValueError(f"least_characters_per_second {self.least_characters_per_second} must be above 0")


Prices: TypeAlias = Mapping[str, ModelPrice]
"""The section: a price for each model id."""


class Unpriced(EarmarkError):
    """A limit of cost is set, and a model has no price."""

    def __init__(self, model: str, prices: Prices) -> None:
        known = ", ".join(sorted(prices)) or "none"
        super().__init__(
            f"the model {model!r} has no price, so no limit of cost can be kept; add [prices.{model!r}] to the recipe"
            f" (0 for a model that costs nothing); there is a price for {known}"
        )
        self.model = model


class Cost(NamedTuple):
    """Price of a call.

    Attributes:
        units: Billionths of a US dollar.
        bounded: Whether what is charged for was not all known, and its upper bound is taken.
    """

    units: int
    bounded: bool


def most_usage(request: CallRequest, price: ModelPrice) -> Usage:
    """The most that a call can be charged for.

    A token is at least one byte of UTF-8, and what is sent, with its names and punctuation, has more bytes than its text has
    tokens with the few that mark turns. Audio is bounded by the slowest voice.
    """
    text = request.body.get("input")
    characters = len(text) if isinstance(text, str) else 0
    answers = _whole(request.body.get("n"), 1)
    limit = _whole(request.body.get("max_completion_tokens", request.body.get("max_tokens")), price.most_output_tokens)
    return Usage(
        input_tokens=len(request.written),
        output_tokens=answers * limit,
        characters=characters,
        seconds=_LEAST_SECONDS + characters / price.least_characters_per_second if characters else 0.0,
    )


def cost(request: CallRequest, usage: Usage, price: ModelPrice) -> Cost:
    """What a call costs, its unknown parts at their upper bound.

    Args:
        request: The call.
        usage: What the provider says it charges for.
        price: Its model's price.
    """
    most = most_usage(request, price)
    units, bounded = Fraction(0), False
    for dollars, per, known, bound in (
        (price.input_per_million_tokens, _MILLION, usage.input_tokens, most.input_tokens),
        (price.output_per_million_tokens, _MILLION, usage.output_tokens, most.output_tokens),
        (price.per_million_characters, _MILLION, usage.characters, most.characters),
        (price.per_minute, 60, usage.seconds, most.seconds),
    ):
        amount = bound if known is None else known
        if not dollars or not amount:
            continue
        units += _exact(dollars) * Fraction(amount) * BILLION / per
        bounded |= known is None
    return Cost(math.ceil(units), bounded)


def upper_bound(request: CallRequest, prices: Prices) -> int | None:
    """The most that a call can cost, in billionths of a US dollar; None where its model has no price."""
    price = prices.get(request.model)
    return None if price is None else cost(request, Usage(), price).units


def dollars(units: int) -> str:
    """An amount for people, at least two places and no more than it needs.

    >>> dollars(1_500_000_000), dollars(1_234), dollars(0)
    ('$1.50', '$0.000001234', '$0.00')
    """
    whole, part = divmod(units, BILLION)
    places = f"{part:09d}".rstrip("0").ljust(2, "0")
    return f"${whole:,}.{places}"


@lru_cache(maxsize=1024)
def _exact(dollars: float) -> Fraction:
    """A price as it is written in the recipe, and not as the nearest binary fraction."""
    return Fraction(repr(dollars))


def _whole(value: Json, otherwise: int) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else otherwise
