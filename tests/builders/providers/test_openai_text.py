"""The real client against a server on this machine: whatever comes back is a record, a reason, or one clear error."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from tests.builders.ledger.toys import Clock
from tests.builders.providers.asking import GOOD, KEY, PRICES, TEXT, Scene, ask
from tests.support.provider_server import Reply, completion, failure, provider_server

from earmark.builders.ledger import GaveUp, Ledger, State, Unanswered
from earmark.builders.ledger.calls import KeyRefused, NoCredit, RequestRefused, UnknownModel
from earmark.builders.providers.client import Client, KeyMissing, ServerSection
from earmark.builders.providers.openai_text import Said, TextFlaw, TextRejected
from earmark.builders.providers.shapes import strict_schema


def test_a_good_answer_is_a_record_and_all_that_was_sent_is_known(tmp_path: Path) -> None:
    with provider_server(lambda *_: completion(GOOD, used=(20, 10))) as server:
        said = ask(server, tmp_path / "ledger.sqlite")
        again = ask(server, tmp_path / "ledger.sqlite")
    assert isinstance(said, Said)
    assert said.value == Scene(title="At the counter", lines=["one", "two"])
    (asked,) = server.asked
    assert (asked.path, asked.key) == ("/v1/chat/completions", f"Bearer {KEY}")
    assert asked.body == {
        "model": "toy-text",
        "messages": [{"role": "system", "content": "You write."}, {"role": "user", "content": "Write a scene."}],
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "Scene", "strict": True, "schema": strict_schema(Scene)},
        },
        "max_completion_tokens": TEXT.most_tokens,
        "seed": TEXT.seed,
        "temperature": TEXT.temperature,
    }
    answer = said.recorded.answer
    assert (answer.model, answer.id, answer.usage.input_tokens, answer.usage.output_tokens) == (
        "toy-text-2026",
        "req-1",
        20,
        10,
    )
    assert said.recorded.cost == 20 * 2_500 + 10 * 10_000
    assert isinstance(again, Said)
    assert (again.value, again.recorded.replayed, again.recorded.answer) == (said.value, True, answer)


HTML = Reply(b"\xef\xbb\xbf<!doctype html><title>Sign in</title>" + KEY.encode(), form="text/html")

REJECTED = {
    "a refusal": (completion(None, refusal="I cannot help with that."), TextFlaw.REFUSED, "cannot help"),
    "a filter": (completion("", finish="content_filter"), TextFlaw.FILTERED, "filter"),
    "too long": (completion('{"title": "At the', finish="length"), TextFlaw.CUT_SHORT, "most_tokens"),
    "nothing": (completion(" "), TextFlaw.EMPTY, "nothing"),
    "no content": (completion(None), TextFlaw.EMPTY, "nothing"),
    "prose": (completion("Here is your scene!"), TextFlaw.NOT_JSON, "Here is your scene"),
    "a key twice": (completion('{"title": "a", "title": "b", "lines": []}'), TextFlaw.NOT_JSON, "title"),
    "NaN": (completion('{"title": NaN, "lines": []}'), TextFlaw.NOT_JSON, "NaN"),
    "a field missing": (completion('{"title": "a"}'), TextFlaw.WRONG_SHAPE, "lines"),
    "a field too many": (completion('{"title": "a", "lines": [], "mood": 1}'), TextFlaw.WRONG_SHAPE, "mood"),
    "another type": (completion('{"title": "a", "lines": "one"}'), TextFlaw.WRONG_SHAPE, "lines"),
    "no choice": (Reply(b'{"choices": []}'), TextFlaw.NO_COMPLETION, "choices"),
    "null": (Reply(b"null"), TextFlaw.NO_COMPLETION, "null"),
    "an empty body": (Reply(b""), TextFlaw.NO_COMPLETION, "truncated"),
    "half a body": (replace(completion(GOOD), body=completion(GOOD).body[:90]), TextFlaw.NO_COMPLETION, "truncated"),
    "no UTF-8": (Reply(b'{"choices": [{"message": {"content": "\xff"}}]}'), TextFlaw.NO_COMPLETION, "UTF-8"),
    "half a surrogate": (Reply(completion(GOOD.replace("At the", "\\ud800")).body), TextFlaw.NOT_JSON, "surrogate"),
    "half a surrogate around it": (
        Reply(completion(GOOD).body.replace(b"At the", b"\\ud800")),
        TextFlaw.NO_COMPLETION,
        "surrogate",
    ),
}


@pytest.mark.parametrize("name", REJECTED)
def test_an_answer_that_cannot_be_used_says_why_is_paid_and_is_not_asked_for_again(name: str, tmp_path: Path) -> None:
    reply, flaw, part = REJECTED[name]
    with provider_server(lambda *_: reply) as server:
        first, again = (ask(server, tmp_path / "ledger.sqlite") for _ in range(2))
    assert len(server.asked) == 1
    for outcome in (first, again):
        assert isinstance(outcome, TextRejected)
        assert outcome.flaw is flaw
        assert part in outcome.detail
        assert outcome.recorded.answer.data == reply.body
        assert outcome.recorded.cost


def test_the_ledger_tries_again_as_the_server_asks_and_every_try_is_in_it(tmp_path: Path) -> None:
    replies = [
        failure(429, "slow down", retry_after="1"),
        failure(500),
        failure(503, retry_after="2"),
        Reply(b"<html>bad gateway</html>", form="text/html", status=502),
        replace(completion(GOOD), cut=40),
        completion(GOOD),
    ]
    clock = Clock()
    with provider_server(lambda n, _: replies[n]) as server:
        said = ask(server, tmp_path / "ledger.sqlite", tries=len(replies), clock=clock)
    first, backed_off, second, *_ = clock.slept
    assert (first, second) == (1.0, 2.0)
    assert 1.0 <= backed_off <= 2.0
    assert isinstance(said, Said)
    assert said.recorded.tries == len(server.asked) == len(replies)
    with Ledger.open(tmp_path / "ledger.sqlite") as ledger:
        assert ledger.totals().tries == len(replies)
        (lost,) = ledger.doubtful()
        assert lost.twice
        assert "no whole answer" in lost.reason
        assert [row.state for row in ledger.rows()] == [State.ANSWERED]


def test_a_server_that_stalls_is_left_after_a_while(tmp_path: Path) -> None:
    with provider_server(lambda *_: replace(completion(GOOD), stall=30)) as server, pytest.raises(GaveUp) as raised:
        ask(server, tmp_path / "ledger.sqlite", tries=2, timeout_s=0.2)
    assert "no whole answer in 0.2 s" in str(raised.value)
    with Ledger.open(tmp_path / "ledger.sqlite") as ledger:
        assert [doubt.twice for doubt in ledger.doubtful()] == [True, False]


FATAL = {
    "key": (failure(401, f"Incorrect API key provided: {KEY}."), KeyRefused, "OPENAI_API_KEY"),
    "country": (failure(403, "Not here."), KeyRefused, "Not here"),
    "model": (failure(404, "The model does not exist", code="model_not_found"), UnknownModel, "'toy-text'"),
    "address": (Reply(b"<html>no such page</html>", form="text/html", status=404), Unanswered, "base_url"),
    "quota": (failure(429, "You exceeded your quota", code="insufficient_quota"), NoCredit, "quota"),
    "request": (failure(400, "seed: not supported"), RequestRefused, "seed: not supported"),
    "page": (HTML, Unanswered, "is base_url right? It says: \ufeff<!doctype html><title>Sign in</title>"),
}


@pytest.mark.parametrize("name", FATAL)
def test_what_no_other_try_can_mend_is_one_clear_error_at_once(name: str, tmp_path: Path) -> None:
    reply, kind, part = FATAL[name]
    with provider_server(lambda *_: reply) as server, pytest.raises(Unanswered) as raised:
        ask(server, tmp_path / "ledger.sqlite")
    assert type(raised.value) is kind
    assert part in str(raised.value)
    assert KEY not in str(raised.value)
    assert "\n" not in str(raised.value)
    assert len(server.asked) == 1
    with Ledger.open(tmp_path / "ledger.sqlite", prices=PRICES) as ledger:
        totals = ledger.totals()
        assert (totals.calls, totals.answered, totals.spent, totals.doubtful) == (1, 0, 0, 0)
        assert KEY.encode() not in (tmp_path / "ledger.sqlite").read_bytes()


def test_once_a_page_is_gone_the_same_call_is_answered(tmp_path: Path) -> None:
    with provider_server(lambda n, _: completion(GOOD) if n else HTML) as server:
        with pytest.raises(Unanswered, match="page"):
            ask(server, tmp_path / "ledger.sqlite")
        said = ask(server, tmp_path / "ledger.sqlite")
    assert isinstance(said, Said)
    assert said.recorded.tries == 2


@pytest.mark.parametrize("count", [-1, 10**12, 10**30])
def test_a_count_of_tokens_that_cannot_be_is_not_known(count: int, tmp_path: Path) -> None:
    with provider_server(lambda *_: completion(GOOD, used=(count, 10))) as server:
        said = ask(server, tmp_path / "ledger.sqlite")
    assert isinstance(said, Said)
    assert said.recorded.answer.usage.input_tokens is None
    assert said.recorded.bounded


def test_a_server_that_is_not_there_is_said_and_costs_nothing(tmp_path: Path) -> None:
    with provider_server(lambda *_: completion(GOOD)) as server:
        pass
    with pytest.raises(GaveUp, match="cannot be reached"):
        ask(server, tmp_path / "ledger.sqlite", tries=2)
    with Ledger.open(tmp_path / "ledger.sqlite") as ledger:
        assert (ledger.totals().tries, ledger.doubtful()) == (2, ())


def test_a_missing_key_is_said_with_the_name_of_its_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", "  ")
    with pytest.raises(KeyMissing, match=r"MY_KEY is not set.*http://127\.0\.0\.1:1"):
        Client(ServerSection(base_url="http://127.0.0.1:1/v1", key_variable="MY_KEY"))


@pytest.mark.parametrize("key", ["sk-tö", "sk-one\nsk-two", "sk-\x7f"])
def test_a_key_that_no_header_can_carry_is_said_before_anything_is_sent(
    key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_KEY", key)
    with pytest.raises(KeyMissing, match="MY_KEY holds what can be no API key") as raised:
        Client(ServerSection(base_url="http://127.0.0.1:1/v1", key_variable="MY_KEY"))
    assert key not in str(raised.value)


def test_a_word_in_place_of_a_key_does_not_maim_what_a_server_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "e")
    refuse = failure(400, "the seed is refused")
    with provider_server(lambda *_: refuse) as server, pytest.raises(RequestRefused, match="the seed is refused"):
        ask(server, tmp_path / "ledger.sqlite")


def test_a_plan_needs_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    client = Client(ServerSection(base_url="http://127.0.0.1:1/v1"), to_send=False)
    assert client.address == "http://127.0.0.1:1/v1"


@pytest.mark.parametrize("section", [{"base_url": "127.0.0.1"}, {"timeout_s": 0}, {"timeout_s": float("nan")}])
def test_a_server_section_is_checked(section: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=next(iter(section))):
        ServerSection(**section)  # type: ignore[arg-type]


def test_the_schema_is_what_strict_outputs_want() -> None:
    schema = strict_schema(Scene)
    assert json.loads(json.dumps(schema)) == {
        "title": "Scene",
        "type": "object",
        "properties": {"title": {"type": "string"}, "lines": {"type": "array", "items": {"type": "string"}}},
        "required": ["title", "lines"],
        "additionalProperties": False,
    }
