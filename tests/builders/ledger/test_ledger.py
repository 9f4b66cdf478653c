"""The ledger: what is recorded is free for ever, what is sent is written down, and no limit is passed."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.builders.ledger.toys import PRICES, Clock, Sender, again, answer, in_ledger, lost, request

from earmark.builders.ledger import (
    Answer,
    CallRequest,
    CostLimit,
    GaveUp,
    Ledger,
    LedgerError,
    Recorded,
    State,
    Unanswered,
    Usage,
)
from earmark.builders.ledger.calls import KeyRefused
from earmark.builders.ledger.prices import Unpriced, upper_bound
from earmark.manifests.errors import Busy, EarmarkError

BOUND = upper_bound(request(), PRICES) or 0
COST = 10 * 1000 + 5 * 2000


def test_an_answer_is_recorded_and_then_free(tmp_path: Path) -> None:
    sender = Sender()

    async def twice(ledger: Ledger) -> tuple[Recorded, Recorded]:
        return await ledger.call(request(), sender), await ledger.call(request(), sender)

    first, second = in_ledger(tmp_path / "l", twice)
    third = in_ledger(tmp_path / "l", lambda ledger: ledger.call(request(), sender))
    assert len(sender.sent) == 1
    assert (first.replayed, first.tries, first.cost, first.bounded) == (False, 1, COST, False)
    assert first.answer == answer()
    assert second == third == replace(first, replayed=True)


def test_a_regeneration_is_a_new_call(tmp_path: Path) -> None:
    sender = Sender()

    async def three(ledger: Ledger) -> list[Recorded]:
        return [await ledger.call(request(attempt=n), sender) for n in range(3)]

    assert [one.replayed for one in in_ledger(tmp_path / "l", three)] == [False] * 3
    assert len(sender.sent) == 3


def test_who_asks_for_the_same_call_at_the_same_time_pays_once(tmp_path: Path) -> None:
    sender = Sender(again(), answer())

    async def many(ledger: Ledger) -> list[Recorded]:
        return await asyncio.gather(*(ledger.call(request(), sender) for _ in range(9)))

    found = in_ledger(tmp_path / "l", many)
    assert len(sender.sent) == 2
    assert [one.replayed for one in found].count(False) == 1
    assert {one.answer.data for one in found} == {b"good"}


def test_no_more_calls_than_asked_for_are_under_way(tmp_path: Path) -> None:
    sender = Sender()

    async def many(ledger: Ledger) -> None:
        await asyncio.gather(*(ledger.call(request(turn=n), sender) for n in range(1, 30)))

    in_ledger(tmp_path / "l", many, concurrency=4)
    assert (len(sender.sent), sender.most_under_way) == (29, 4)


def test_the_server_is_waited_for_as_it_asks_and_by_all_calls_of_the_model(tmp_path: Path) -> None:
    clock, at = Clock(), list[tuple[str, float]]()

    async def send(asked: CallRequest) -> Answer:
        at.append((asked.model, clock.now()))
        if len(at) == 1:
            raise again(429, wait_s=7.0)
        return answer()

    async def act(ledger: Ledger) -> None:
        first = asyncio.create_task(ledger.call(request(), send))
        while not at:
            await asyncio.sleep(0)
        await asyncio.gather(first, ledger.call(request(turn=2), send), ledger.call(request(model="free"), send))

    in_ledger(tmp_path / "l", act, clock=clock)
    assert at[0] == ("toy", 100.0)
    assert all(when >= 107.0 for model, when in at[1:] if model == "toy")
    assert len(at) == 4


def test_backing_off_grows_and_ends(tmp_path: Path) -> None:
    clock, sender = Clock(), Sender(again())
    with pytest.raises(GaveUp, match=r"4 tries.*status 500"):
        in_ledger(tmp_path / "l", lambda ledger: ledger.call(request(), sender), clock=clock, tries=4)
    assert len(sender.sent) == 4
    assert [0.5 <= pause / 2**n <= 1.0 for n, pause in enumerate(clock.slept)] == [True] * 3


def test_a_server_that_asks_for_an_hour_is_not_waited_for(tmp_path: Path) -> None:
    clock, sender = Clock(), Sender(again(503, wait_s=3600.0))
    with pytest.raises(GaveUp, match="3600 s"):
        in_ledger(tmp_path / "l", lambda ledger: ledger.call(request(), sender), clock=clock)
    assert (len(sender.sent), clock.slept) == (1, [])


def test_what_no_try_can_mend_is_raised_at_once(tmp_path: Path) -> None:
    sender = Sender(KeyRefused("no", status=401), answer())
    with pytest.raises(KeyRefused):
        in_ledger(tmp_path / "l", lambda ledger: ledger.call(request(), sender))
    assert len(sender.sent) == 1
    assert in_ledger(tmp_path / "l", lambda ledger: ledger.call(request(), sender)).tries == 2


@pytest.mark.parametrize("error", [RuntimeError("a slip"), KeyboardInterrupt(), asyncio.CancelledError()])
def test_whatever_ends_a_call_it_is_written_down_as_doubtful(error: BaseException, tmp_path: Path) -> None:
    with pytest.raises(type(error)):
        in_ledger(tmp_path / "l", lambda ledger: ledger.call(request(), Sender(error)))
    with Ledger.open(tmp_path / "l") as ledger:
        (doubt,) = ledger.doubtful()
        assert (doubt.bound, doubt.twice, doubt.place) == (BOUND, False, request().place)
        assert [row.state for row in ledger.rows()] == [State.LOST]


def test_cancelled_calls_leave_no_room_taken_and_no_slot(tmp_path: Path) -> None:
    async def act(ledger: Ledger) -> Recorded:
        never = asyncio.Event()

        async def hang(_: CallRequest) -> Answer:
            await never.wait()
            return answer()

        tasks = [asyncio.create_task(ledger.call(request(turn=n), hang)) for n in range(1, 6)]
        for _ in range(5):
            await asyncio.sleep(0)
        for task in tasks:
            task.cancel()
        ended = await asyncio.gather(*tasks, return_exceptions=True)
        assert all(isinstance(end, asyncio.CancelledError) for end in ended)
        assert ledger.totals().doubtful == 2 * BOUND  # two had been sent; the others cost nothing
        return await ledger.call(request(), Sender())

    assert in_ledger(tmp_path / "l", act, concurrency=2, max_cost=4 * BOUND).tries == 2


def test_one_process_at_a_time(tmp_path: Path) -> None:
    with Ledger.open(tmp_path / "l"), pytest.raises(Busy, match="another process"):
        Ledger.open(tmp_path / "l")
    Ledger.open(tmp_path / "l").close()


@pytest.mark.parametrize("words", [{"concurrency": 0}, {"max_cost": -1}])
def test_bounds_of_a_ledger_are_checked(words: dict[str, int], tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="concurrency"):
        Ledger.open(tmp_path / "l", **words)  # type: ignore[arg-type]


costs = st.integers(0, 1000)
scripts = st.lists(
    st.tuples(
        st.integers(1, 40),
        st.lists(st.sampled_from(["good", "no usage", "again", "lost", "fatal"]), min_size=1, max_size=4),
    ),
    min_size=1,
    max_size=12,
)


@given(scripts, st.integers(0, 600), st.integers(1, 5))
@settings(max_examples=40)
def test_no_limit_is_passed_whatever_happens_and_totals_are_the_sums_of_rows(
    script: list[tuple[int, list[str]]], percent: int, concurrency: int
) -> None:
    limit = BOUND * percent // 100
    results = {
        "good": answer(read=len(request().written), written=40),
        "no usage": answer(read=None, written=None),
        "again": again(),
        "lost": lost(),
        "fatal": Unanswered("no"),
    }
    highest = 0

    async def act(ledger: Ledger) -> list[Recorded | BaseException]:
        async def one(turn: int, happens: list[str]) -> Recorded:
            sender = Sender(*(results[name] for name in happens))

            async def send(asked: CallRequest) -> Answer:
                nonlocal highest
                totals = ledger.totals()  # what is under way counts at its bound
                highest = max(highest, totals.spent + totals.doubtful)
                return await sender(asked)

            return await ledger.call(request(turn=turn), send)

        return await asyncio.gather(*(one(*case) for case in script), return_exceptions=True)

    with TemporaryDirectory() as folder:
        path = Path(folder) / "l"
        ended = in_ledger(path, act, max_cost=limit, concurrency=concurrency)
        assert all(isinstance(end, Recorded | EarmarkError) for end in ended)
        assert highest <= limit
        with Ledger.open(path) as ledger:
            totals, rows = ledger.totals(), ledger.rows()
            assert totals.spent + totals.doubtful <= limit
            assert totals.calls == len(rows)
            assert totals.answered == sum(row.state is State.ANSWERED for row in rows)
            assert totals.tries == sum(row.tries for row in rows)
            assert totals.spent == sum(row.cost or 0 for row in rows)
            assert (
                totals.doubtful
                == sum(row.doubtful or 0 for row in rows)
                == sum(d.bound or 0 for d in ledger.doubtful())
            )
            assert totals.input_tokens == sum(row.input_tokens or 0 for row in rows)
            assert totals.output_tokens == sum(row.output_tokens or 0 for row in rows)
            assert totals.unpriced == 0
            stages = ledger.stage_totals()
            assert [(stage.stage, stage.provider, stage.model) for stage in stages] == (
                [("test", "http://toy/v1", "toy")] if rows else []
            )
            for name in (
                "calls",
                "answered",
                "tries",
                "doubtful_tries",
                "spent",
                "doubtful",
                "input_tokens",
                "output_tokens",
            ):
                assert getattr(totals, name) == sum(getattr(stage, name) for stage in stages)
        # Replays are free: nothing that is recorded is sent again.
        sent = Sender()
        done = {row.place.turn for row in rows if row.state is State.ANSWERED}

        async def replay(ledger: Ledger) -> None:
            for turn in sorted(turn for turn in done if turn):
                assert (await ledger.call(request(turn=turn), sent)).replayed

        in_ledger(path, replay, max_cost=0)
        assert sent.sent == []


def test_the_limit_stops_before_the_call_and_says_the_figures(tmp_path: Path) -> None:
    sender = Sender()

    async def act(ledger: Ledger) -> None:
        for turn in range(1, 10):
            await ledger.call(request(turn=turn), sender)

    with pytest.raises(CostLimit) as raised:
        in_ledger(tmp_path / "l", act, max_cost=BOUND + COST)
    assert (raised.value.spent, raised.value.bound, raised.value.limit) == (2 * COST, BOUND, BOUND + COST)
    assert len(sender.sent) == 2
    assert "--max-cost" in str(raised.value)
    in_ledger(tmp_path / "l", act, max_cost=8 * COST + BOUND)
    assert len(sender.sent) == 9


def test_what_an_earlier_run_spent_or_may_have_counts_toward_the_limit(tmp_path: Path) -> None:
    async def act(ledger: Ledger) -> None:
        await asyncio.gather(
            ledger.call(request(turn=1), Sender()),
            ledger.call(request(turn=2), Sender(RuntimeError())),
            return_exceptions=True,
        )

    in_ledger(tmp_path / "l", act)
    sender = Sender()
    with pytest.raises(CostLimit) as raised:
        in_ledger(tmp_path / "l", lambda ledger: ledger.call(request(turn=3), sender), max_cost=COST + 2 * BOUND - 1)
    assert (raised.value.spent, sender.sent) == (COST + BOUND, [])
    in_ledger(tmp_path / "l", lambda ledger: ledger.call(request(turn=3), sender), max_cost=COST + 2 * BOUND)
    assert len(sender.sent) == 1


def test_a_provider_that_charges_more_than_it_can_is_counted_in_full_and_ends_the_build(tmp_path: Path) -> None:
    greedy = answer(written=1_000)
    sender = Sender(greedy)

    async def act(ledger: Ledger) -> None:
        for turn in (1, 2):
            await ledger.call(request(turn=turn), sender)

    with pytest.raises(CostLimit) as raised:
        in_ledger(tmp_path / "l", act, max_cost=2 * BOUND)
    assert (raised.value.spent, len(sender.sent)) == (10 * 1000 + 1_000 * 2000, 1)


def test_a_call_waits_for_the_room_that_others_may_leave(tmp_path: Path) -> None:
    sender = Sender()

    async def act(ledger: Ledger) -> list[Recorded]:
        return await asyncio.gather(*(ledger.call(request(turn=n), sender) for n in range(1, 4)))

    assert len(in_ledger(tmp_path / "l", act, max_cost=BOUND + 2 * COST)) == 3
    assert sender.most_under_way == 1


def test_a_model_without_a_price_cannot_be_limited(tmp_path: Path) -> None:
    sender = Sender()
    with pytest.raises(Unpriced, match=r"'other'.*free, toy"):
        in_ledger(tmp_path / "l", lambda ledger: ledger.call(request(model="other"), sender), max_cost=10**9)
    assert sender.sent == []
    free = in_ledger(tmp_path / "l", lambda ledger: ledger.call(request(model="other"), sender))
    assert free.cost is None
    with Ledger.open(tmp_path / "l") as ledger:
        assert ledger.totals().unpriced == 1


def test_a_dry_run_knows_what_is_recorded_and_sends_nothing(tmp_path: Path) -> None:
    calls = [request(turn=n) for n in (1, 2, 3)]
    in_ledger(tmp_path / "l", lambda ledger: ledger.call(calls[0], Sender()))
    with Ledger.open(tmp_path / "l", prices=PRICES) as ledger:
        plan = ledger.prices(calls)
        assert (plan.bound, ledger.totals().tries) == (2 * BOUND, 1)


def full(ledger: Ledger, *, pages: int) -> None:
    """Let the disk have room for so many more pages, by SQLite's own limit."""
    database = ledger._store._database
    ((count,),) = database.execute("PRAGMA page_count")
    database.execute(f"PRAGMA max_page_count={count + pages}")


@pytest.mark.parametrize("pages", [0, 3])
def test_a_full_disk_is_one_clear_error_and_ends_all_paying(pages: int, tmp_path: Path) -> None:
    big, sender = answer("x" * 200_000), Sender()

    async def act(ledger: Ledger) -> list[Recorded | BaseException]:
        await ledger.call(request(turn=1), Sender())
        full(ledger, pages=pages)
        first = asyncio.gather(ledger.call(request(turn=2), Sender(big)), return_exceptions=True)
        return [*await first, *await asyncio.gather(ledger.call(request(turn=3), sender), return_exceptions=True)]

    ended = in_ledger(tmp_path / "l", act)
    assert [type(end) for end in ended] == [LedgerError, LedgerError]
    assert "full" in str(ended[0])
    assert "nothing more is sent" in str(ended[1])
    assert sender.sent == []
    with Ledger.open(tmp_path / "l") as ledger:
        states = {row.place.turn: row.state for row in ledger.rows()}
        assert states.pop(1) is State.ANSWERED
        assert set(states.values()) <= {State.KILLED, State.LOST}
        assert ledger.totals().answered == 1
        assert ledger._store._database.execute("PRAGMA integrity_check").fetchone() == ("ok",)


@pytest.mark.parametrize("content", [b"no database" * 1000, None])
def test_what_is_no_ledger_is_left_alone(content: bytes | None, tmp_path: Path) -> None:
    path = tmp_path / "l"
    if content is None:
        with sqlite3.connect(path) as other:
            other.execute("CREATE TABLE mine (x)")
        other.close()
        before = path.read_bytes()
    else:
        path.write_bytes(content)
        before = content
    with pytest.raises(LedgerError, match=r"cannot be opened|no ledger"):
        Ledger.open(path)
    assert path.read_bytes() == before
    with suppress(FileNotFoundError):
        path.unlink()
    Ledger.open(path).close()


def test_a_ledger_of_a_later_format_is_refused(tmp_path: Path) -> None:
    Ledger.open(tmp_path / "l").close()
    with sqlite3.connect(tmp_path / "l") as database:
        database.execute("PRAGMA user_version=99")
    database.close()
    with pytest.raises(LedgerError, match="format 99"):
        Ledger.open(tmp_path / "l")


def test_a_folder_that_cannot_be_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(LedgerError, match="cannot be opened"):
        Ledger.open(tmp_path / "file" / "l")


@pytest.mark.parametrize("power_safe", [False, True])
def test_rows_say_all_that_is_known(power_safe: bool, tmp_path: Path) -> None:
    async def act() -> tuple[Recorded, float]:
        with Ledger.open(tmp_path / "l", prices=PRICES, power_safe=power_safe) as ledger:
            usage = Usage(input_tokens=3, output_tokens=None, characters=4, seconds=1.25)
            made = await ledger.call(request(), Sender(replace(answer(), usage=usage, model=None)))
            (row,) = ledger.rows()
            assert (row.key, row.stage, row.place, row.model, row.served) == (
                request().key,
                "test",
                request().place,
                "toy",
                None,
            )
            assert (row.tries, row.state, row.cost, row.bounded, row.doubtful) == (
                1,
                State.ANSWERED,
                made.cost,
                True,
                0,
            )
            assert (row.input_tokens, row.output_tokens, row.characters, row.seconds) == (3, None, 4, 1.25)
            assert row.answer_hash is not None
            assert row.answer_hash.startswith("sha256:")
            return made, row.latency_s or 0.0

    made, latency = asyncio.run(act())
    assert latency == made.latency_s >= 0


def test_stages_and_models_are_told_apart(tmp_path: Path) -> None:
    async def act(ledger: Ledger) -> None:
        spoken = Usage(input_tokens=1, characters=4, seconds=1.25)
        for stage, model, count in (("script", "toy", 2), ("script", "free", 1), ("speech", "free", 3)):
            for turn in range(1, count + 1):
                asked = replace(request(turn=turn, model=model, text=stage), stage=stage)
                await ledger.call(asked, Sender(replace(answer(), usage=spoken)))

    in_ledger(tmp_path / "l", act)
    with Ledger.open(tmp_path / "l") as ledger:
        stages = ledger.stage_totals()
    assert [(one.stage, one.model, one.calls, one.characters, one.seconds) for one in stages] == [
        ("script", "free", 1, 4, 1.25),
        ("script", "toy", 2, 8, 2.5),
        ("speech", "free", 3, 12, 3.75),
    ]
