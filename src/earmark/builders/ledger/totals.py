"""What a ledger adds up to: totals, calls that may be billed twice, and one row for each call."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from earmark.builders.ledger.calls import Place
from earmark.builders.ledger.store import BILLABLE, State

if TYPE_CHECKING:
    from collections.abc import Sequence

    from earmark.builders.ledger.store import Store

_BILLABLE = ", ".join(f"'{state}'" for state in BILLABLE)

_SUMS = (
    f"count(DISTINCT key), count(*) FILTER (WHERE state = 'answered'), count(*),"
    f" count(*) FILTER (WHERE state IN ({_BILLABLE})),"
    f" count(*) FILTER (WHERE (state = 'answered' AND cost IS NULL) OR (state IN ({_BILLABLE}) AND bound IS NULL)),"
    f" coalesce(sum(cost), 0), coalesce(sum(bound) FILTER (WHERE state IN ({_BILLABLE})), 0),"
    " coalesce(sum(input_tokens), 0), coalesce(sum(output_tokens), 0), coalesce(sum(characters), 0), total(seconds)"
)
"""What is added up over tries, in the order of `Totals`."""


@dataclass(frozen=True, kw_only=True)
class CallRow:
    """One call and what became of it, for a table of attempts.

    Args:
        key: The call's key.
        stage: Stage of the build.
        place: What of the build it is for.
        model: Model asked for.
        served: Model that says it answered.
        tries: How often it was sent.
        state: What became of its last try.
        cost: Price of the answer, billionths of a US dollar; None without an answer or a price.
        bounded: Whether the cost is an upper bound.
        doubtful: Upper bounds of its tries that may have been billed without an answer, billionths of a US dollar; None where one
            has no bound for want of a price.
        latency_s: Of the try that was answered, s.
        input_tokens: Tokens read.
        output_tokens: Tokens written.
        characters: Characters spoken.
        seconds: Audio made, s.
        answer_hash: `sha256:` and the hash of the answer's bytes.
    """

    key: str
    stage: str
    place: Place
    model: str
    served: str | None
    tries: int
    state: State
    cost: int | None
    bounded: bool
    doubtful: int | None
    latency_s: float | None
    input_tokens: int | None
    output_tokens: int | None
    characters: int | None
    seconds: float | None
    answer_hash: str | None


@dataclass(frozen=True, kw_only=True)
class Doubtful:
    """A try that may be billed although no answer of it is recorded.

    Args:
        key: The call's key.
        place: What of the build it is for.
        model: Model asked for.
        started: When it was sent, seconds since 1970, to find it in the provider's bill.
        bound: The most that it can cost, billionths of a US dollar; None where the model has no price.
        reason: What happened.
        twice: Whether the call was sent again, so that it may be billed twice.
    """

    key: str
    place: Place
    model: str
    started: float
    bound: int | None
    reason: str
    twice: bool


@dataclass(frozen=True, kw_only=True)
class Totals:
    """Sums over a ledger.

    Args:
        calls: Calls that were sent at least once.
        answered: Those with an answer.
        tries: How often anything was sent.
        doubtful_tries: Tries that may be billed without an answer.
        unpriced: Tries that may be billed and have no price.
        spent: Price of all answers, billionths of a US dollar.
        doubtful: Upper bounds of doubtful tries, billionths of a US dollar.
        input_tokens: Tokens read, where known.
        output_tokens: Tokens written, where known.
        characters: Characters spoken, where known.
        seconds: Audio made, where known, s.
    """

    calls: int
    answered: int
    tries: int
    doubtful_tries: int
    unpriced: int
    spent: int
    doubtful: int
    input_tokens: int
    output_tokens: int
    characters: int
    seconds: float


@dataclass(frozen=True, kw_only=True)
class StageTotals(Totals):
    """Sums over the calls of one stage to one model.

    Args:
        stage: Stage of the build.
        provider: Address of the server.
        model: Model asked for.
    """

    stage: str
    provider: str
    model: str


def totals(store: Store) -> Totals:
    """Everything that is in the ledger, added up."""
    (row,) = store.rows(f"SELECT {_SUMS} FROM tries")  # noqa: S608 (our own words)
    return _totals(row)


def stage_totals(store: Store) -> tuple[StageTotals, ...]:
    """The ledger added up by stage, provider and model, in their order."""
    found = store.rows(
        f"SELECT stage, provider, model, {_SUMS} FROM calls JOIN tries USING (key)"  # noqa: S608 (our own words)
        " GROUP BY stage, provider, model ORDER BY stage, provider, model"
    )
    return tuple(_stage_totals(row) for row in found)


def _totals(row: tuple[object, ...]) -> Totals:
    """The sums of a row of `_SUMS`."""
    calls, answered, tries, doubts, unpriced, spent, bounds, read, written, characters = cast("Sequence[int]", row[:10])
    return Totals(
        calls=calls,
        answered=answered,
        tries=tries,
        doubtful_tries=doubts,
        unpriced=unpriced,
        spent=spent,
        doubtful=bounds,
        input_tokens=read,
        output_tokens=written,
        characters=characters,
        seconds=float(cast("float", row[10])),
    )


def _stage_totals(row: tuple[object, ...]) -> StageTotals:
    stage, provider, model = cast("tuple[str, str, str]", row[:3])
    return StageTotals(stage=stage, provider=provider, model=model, **vars(_totals(row[3:])))


def doubtful(store: Store) -> tuple[Doubtful, ...]:
    """Tries that may be billed without an answer, in the order in which they were sent."""
    found = store.rows(
        "SELECT key, dialogue, turn, option, attempt, model, started, bound,"  # noqa: S608 (our own words)
        " coalesce(reason, 'the process ended while it was under way'),"
        " EXISTS (SELECT 1 FROM tries AS later WHERE later.key = tries.key AND later.number > tries.number)"
        f" FROM tries JOIN calls USING (key) WHERE state IN ({_BILLABLE}) ORDER BY id"
    )
    return tuple(_doubtful(row) for row in found)


def call_rows(store: Store) -> tuple[CallRow, ...]:
    """One row for each call, by dialogue, turn, option, attempt and key."""
    found = store.rows(
        "WITH sums AS (SELECT key, max(number) AS last, count(*) AS tries,"  # noqa: S608 (our own words)
        f" coalesce(sum(bound) FILTER (WHERE state IN ({_BILLABLE})), 0) AS doubtful,"
        f" count(*) FILTER (WHERE state IN ({_BILLABLE}) AND bound IS NULL) AS unbounded FROM tries GROUP BY key)"
        " SELECT key, stage, dialogue, turn, option, attempt, model, served, sums.tries, state, cost, bounded,"
        " iif(unbounded, NULL, doubtful), iif(state = 'answered', latency, NULL), input_tokens, output_tokens,"
        " characters, seconds, data FROM calls JOIN sums USING (key) JOIN tries USING (key) WHERE number = last"
        " ORDER BY dialogue, coalesce(turn, 0), coalesce(option, 0), attempt, key"
    )
    return tuple(_call_row(row) for row in found)


def _doubtful(row: tuple[object, ...]) -> Doubtful:
    key, dialogue, turn, option, attempt, model, started, bound, reason, twice = row
    return Doubtful(
        key=cast("str", key),
        place=_place(dialogue, turn, option, attempt),
        model=cast("str", model),
        started=cast("float", started),
        bound=cast("int | None", bound),
        reason=cast("str", reason),
        twice=bool(twice),
    )


def _call_row(row: tuple[object, ...]) -> CallRow:
    key, stage, dialogue, turn, option, attempt, model, served, tries, state, cost, bounded, *rest = row
    doubts, latency, read, written, characters, seconds, data = rest
    return CallRow(
        key=cast("str", key),
        stage=cast("str", stage),
        place=_place(dialogue, turn, option, attempt),
        model=cast("str", model),
        served=cast("str | None", served),
        tries=cast("int", tries),
        state=State(cast("str", state)),
        cost=cast("int | None", cost),
        bounded=bool(bounded),
        doubtful=cast("int | None", doubts),
        latency_s=cast("float | None", latency),
        input_tokens=cast("int | None", read),
        output_tokens=cast("int | None", written),
        characters=cast("int | None", characters),
        seconds=cast("float | None", seconds),
        answer_hash=None if data is None else f"sha256:{hashlib.sha256(cast('bytes', data)).hexdigest()}",
    )


def _place(dialogue: object, turn: object, option: object, attempt: object) -> Place:
    return Place(cast("str", dialogue), cast("int | None", turn), cast("int | None", option), cast("int", attempt))
