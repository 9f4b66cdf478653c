"""A model as a reader, against a server on this machine: every question is recorded, and a useless answer is asked for again."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from string import Template

import pytest
from tests.builders.dialogues.oracle.toys import RESONANT, dialogue
from tests.support.provider_server import Asked, Reply, completion, failure, provider_server

from earmark.builders.dialogues.oracle import Arm, ModelReader, check_dialogues, planned_calls
from earmark.builders.dialogues.oracle.templates import FIELDS, ORACLE_TEMPLATES, read_oracle_templates
from earmark.builders.ledger import Ledger, ModelPrice
from earmark.builders.ledger.calls import RequestRefused
from earmark.builders.ledger.prices import upper_bound
from earmark.builders.providers import Client, ServerSection, TextSection
from earmark.manifests.errors import Refused
from earmark.manifests.findings import Findings

TEXT = TextSection(model="toy-reader", seed=1)
PRICES = {"toy-reader": ModelPrice(input_per_million_tokens=1.0, output_per_million_tokens=2.0)}
OWN = read_oracle_templates(None, Findings())
ONE, TWO = dialogue("one"), dialogue("two")


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("openai", reason="providers need the package openai")
    monkeypatch.setenv("OPENAI_API_KEY", "any")
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)


def taken(option: int) -> Reply:
    return completion(
        json.dumps({"demand": "quiet", "option_1": "so", "option_2": "so", "selected": f"Option {option}"})
    )


def user(asked: Asked) -> str:
    messages = asked.body["messages"]
    assert isinstance(messages, list)
    return str(messages[-1]["content"])


def understands(_: int, asked: Asked) -> Reply:
    first = user(asked).find(RESONANT, user(asked).find("Option 1")) < user(asked).find("Option 2")
    return taken(1 if first else 2)


def run(path: Path, answer: Callable[[int, Asked], Reply]) -> tuple[tuple[list[bool], ...], list[Asked], Ledger]:
    async def go(url: str) -> tuple[list[bool], ...]:
        async with Client(ServerSection(base_url=url)) as client:
            with Ledger.open(path, prices=PRICES) as ledger:
                reader = ModelReader(client, ledger, TEXT, OWN, tries=2)
                verdicts = await check_dialogues(
                    [ONE, TWO],
                    reader,
                    arms=tuple(Arm),
                    drop_if_wrong="all",
                    seed=3,
                    workers=4,
                    progress=lambda *_: None,
                )
                planned = [call for one in (ONE, TWO) for call in planned_calls(one, reader, tuple(Arm), seed=3)]
                totals = ledger.totals()
                assert len(planned) == 24
                assert totals.spent <= sum(upper_bound(call, PRICES) or 0 for call in planned) * totals.calls
                return tuple([answer.correct for answer in verdict.of(Arm.FULL)] for verdict in verdicts)

    with provider_server(answer) as server:
        found = asyncio.run(go(server.base_url))
        again = asyncio.run(go(server.base_url)) if path.exists() else found
        assert found == again  # from the ledger
        return found, list(server.asked), Ledger.open(path)


def test_every_question_is_asked_and_recorded_once(tmp_path: Path) -> None:
    found, asked, ledger = run(tmp_path / "ledger", understands)
    with ledger:
        assert found == ([True] * 4, [True] * 4)
        assert len(asked) == ledger.totals().answered == 24
        stages = {row.stage for row in ledger.rows()}
        assert stages == {"oracle full", "oracle words", "oracle tones"}
        assert {row.place.option for row in ledger.rows()} == {1, 2}
    words = [user(one) for one in asked if "recordings" in json.dumps(one.body)]
    assert len(words) == 8
    assert not any(RESONANT in text for text in words)


def test_an_answer_that_cannot_be_used_is_asked_for_again_with_the_reason(tmp_path: Path) -> None:
    def answer(n: int, asked: Asked) -> Reply:
        if "could not be used" in user(asked):
            assert "not JSON" in user(asked)
            return taken(1)
        return completion("Both are fine.")

    found, asked, ledger = run(tmp_path / "ledger", answer)
    with ledger:
        assert {row.place.attempt for row in ledger.rows()} == {0, 1}
    assert len(asked) == 48
    assert all(len(four) == 4 for four in found)


def test_after_the_last_try_there_is_no_answer(tmp_path: Path) -> None:
    found, asked, ledger = run(tmp_path / "ledger", lambda n, asked: completion(None, refusal="I would rather not."))
    ledger.close()
    assert found == ([False] * 4, [False] * 4)
    assert len(asked) == 48


def test_a_question_that_is_refused_has_no_answer(tmp_path: Path) -> None:
    def answer(n: int, asked: Asked) -> Reply:
        return failure(400, "not allowed") if "recordings" in json.dumps(asked.body) else understands(n, asked)

    found, asked, ledger = run(tmp_path / "ledger", answer)
    ledger.close()
    assert found == ([True] * 4, [True] * 4)
    assert len(asked) == 24 + 8  # what was refused is no recorded answer, and is asked again by the second run


def test_a_server_that_refuses_all_questions_is_asked_wrongly(tmp_path: Path) -> None:
    with pytest.raises(RequestRefused, match="no such parameter"):
        run(tmp_path / "ledger", lambda *_: failure(400, "no such parameter"))


def test_templates_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('[tones]\nsystem = "Choose."\nquestion = "$option_1 or $option_2, for $$5?"\n', encoding="utf-8")
    findings = Findings()
    mine = read_oracle_templates(path, findings)
    assert not findings.counts
    assert mine.full == OWN.full
    assert mine.tones.system == "Choose."


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('[tones]\nsystem = "a"\nquestion = "$option_1"\n', "$option_1"),
        ('[tones]\nsystem = "a"\nquestion = "$option_1 $option_2 $gold"\n', "$gold"),
        ('[words]\nsystem = "$line"\nquestion = "$context $description $history $speaker $line"\n', "$line"),
        ('[words]\nsystem = ""\nquestion = "$context $description $history $speaker $line $"\n', "begins no"),
    ],
)
def test_a_template_with_an_unknown_or_missing_field_is_refused(text: str, found: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    findings = Findings()
    read_oracle_templates(path, findings)
    assert set(findings.counts) == {"oracle.template"}
    assert found in (next(iter(findings)).found or "")


def test_an_unknown_section_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('[sound]\nsystem = "a"\nquestion = "b"\n', encoding="utf-8")
    with pytest.raises(Refused):
        read_oracle_templates(path, Findings())


def test_the_own_templates_use_every_field() -> None:
    findings = Findings()
    read_oracle_templates(None, findings)
    assert not findings.counts
    for arm in Arm:
        assert set(Template(OWN.of(arm).question).get_identifiers()) == FIELDS[arm]
    assert "$$" in ORACLE_TEMPLATES
