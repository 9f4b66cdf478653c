"""Prices: exact to the last unit, and no call costs more than its bound."""

from __future__ import annotations

import math
from decimal import Decimal

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.builders.ledger.toys import PRICES, request

from earmark.builders.ledger import CallRequest, ModelPrice, Place, Usage
from earmark.builders.ledger.dry_run import price_plan
from earmark.builders.ledger.prices import cost, dollars, most_usage, upper_bound

money = st.floats(0, 100).map(lambda dollars: round(dollars, 4))
prices = st.builds(
    ModelPrice,
    input_per_million_tokens=money,
    output_per_million_tokens=money,
    per_million_characters=money,
    per_minute=money,
    most_output_tokens=st.integers(1, 5000),
    least_characters_per_second=st.floats(0.5, 30),
)


def spoken(text: str) -> CallRequest:
    return CallRequest(provider="p", endpoint="audio/speech", body={"model": "toy", "input": text}, place=Place("d"))


@given(
    prices,
    st.sampled_from(["hello", "ÄÖ 日本"]),
    st.booleans(),
    st.lists(st.none() | st.floats(0, 1), min_size=4, max_size=4),
)
@settings(max_examples=50)
def test_no_call_that_keeps_to_its_most_usage_costs_more_than_its_bound(
    price: ModelPrice, text: str, speech: bool, shares: list[float | None]
) -> None:
    asked = spoken(text) if speech else request(text)
    most = most_usage(asked, price)
    read, written, characters = (
        None if share is None else int(share * (limit or 0))
        for share, limit in zip(shares, (most.input_tokens, most.output_tokens, most.characters), strict=False)
    )
    seconds = None if shares[3] is None else shares[3] * (most.seconds or 0)
    usage = Usage(input_tokens=read, output_tokens=written, characters=characters, seconds=seconds)
    assert 0 <= cost(asked, usage, price).units <= (upper_bound(asked, {"toy": price}) or 0)


@given(prices, st.integers(0, 10**7), st.integers(0, 10**7), st.integers(0, 10**4), st.integers(0, 3600))
@settings(max_examples=50)
def test_a_cost_is_the_sum_in_decimal_arithmetic_rounded_up(
    price: ModelPrice, read: int, written: int, characters: int, seconds: int
) -> None:
    usage = Usage(input_tokens=read, output_tokens=written, characters=characters, seconds=seconds)
    found = cost(request(), usage, price)
    exact = (
        Decimal(str(price.input_per_million_tokens)) * read * 1000
        + Decimal(str(price.output_per_million_tokens)) * written * 1000
        + Decimal(str(price.per_million_characters)) * characters * 1000
        + Decimal(str(price.per_minute)) * seconds * Decimal(10**9) / 60
    )
    assert not found.bounded
    assert found.units == math.ceil(exact.quantize(Decimal("1e-9")))


def test_bounds_are_of_what_is_sent() -> None:
    limited = CallRequest(
        provider="p", endpoint="e", body={"model": "toy", "max_completion_tokens": 7, "n": 3}, place=Place("d")
    )
    assert most_usage(limited, PRICES["toy"]).output_tokens == 21
    assert most_usage(request(), PRICES["toy"]).output_tokens == 50
    assert (most_usage(request("é" * 100), PRICES["toy"]).input_tokens or 0) > 200
    most = most_usage(spoken("abcd"), ModelPrice(least_characters_per_second=2.0))
    assert (most.characters, most.seconds) == (4, 4.0)


def test_what_is_not_known_is_taken_at_its_bound_and_said() -> None:
    price = PRICES["toy"]
    known = cost(request(), Usage(input_tokens=10, output_tokens=5), price)
    assert known == (10 * 1000 + 5 * 2000, False)
    assert cost(request(), Usage(input_tokens=10), price) == (10 * 1000 + 50 * 2000, True)
    assert cost(request(), Usage(), ModelPrice()) == (0, False)
    assert upper_bound(request(model="other"), PRICES) is None


@pytest.mark.parametrize(
    "section",
    [
        {"per_minute": -1},
        {"per_minute": float("inf")},
        {"most_output_tokens": 0},
        {"least_characters_per_second": 0},
        {"per_hour": 1},
    ],
)
def test_a_price_section_is_checked(section: dict[str, float]) -> None:
    with pytest.raises(msgspec.ValidationError, match=next(iter(section))):
        msgspec.convert({"toy": section}, dict[str, ModelPrice])


def test_amounts_read_well() -> None:
    assert [dollars(units) for units in (0, 1, 10_000_000, 123_456_000_000_000)] == [
        "$0.00",
        "$0.000000001",
        "$0.01",
        "$123,456.00",
    ]


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from(["toy", "free", "other"])), max_size=12))
@settings(max_examples=40)
def test_a_plan_is_the_sum_of_its_different_calls(wanted: list[tuple[str, str]]) -> None:
    calls = [request(text, model=model) for text, model in wanted]
    plan = price_plan(calls, PRICES, recorded=lambda call: "a" in str(call.body["messages"]))
    different = {(text, model) for text, model in wanted}
    owed = [(text, model) for text, model in different if text not in "a"]
    assert sum(model.calls for model in plan.models) == len(different)
    assert sum(model.recorded for model in plan.models) == len(different) - len(owed)
    if any(model == "other" for _, model in owed):
        assert (plan.bound, plan.unpriced) == (None, ("other",))
    else:
        assert plan.bound == sum(upper_bound(request(text, model=model), PRICES) or 0 for text, model in owed)
        assert plan.unpriced == ()
