"""A model writes dialogues: the real client against a server on this machine that answers well, badly, or not at all."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace
from tests.builders.dialogues.writing_many import CONCURRENCY, PRICES, SEVERAL, write
from tests.builders.dialogues.written import COMMISSION, DIALOGUE, SCENARIO, answers, reply, stage_of
from tests.builders.providers.asking import KEY
from tests.builders.providers.killed import POINTS
from tests.docs.reading import ROOT
from tests.support.provider_server import Answering, Asked, ProviderServer, Reply, completion, failure, provider_server

from earmark.builders.dialogues.author import AuthorSection, read_wording
from earmark.builders.dialogues.checks import check_dialogue
from earmark.builders.dialogues.llm_writer import MOST_VAIN, LLMWriter, NothingWritten
from earmark.builders.dialogues.makers import Unwritten, Writer, Written
from earmark.builders.dialogues.quotas import DialoguesSection, commissions
from earmark.builders.dialogues.records import Dialogue
from earmark.builders.ledger import CallRequest, Ledger, State
from earmark.builders.ledger.calls import KeyRefused
from earmark.builders.ledger.prices import upper_bound
from earmark.manifests.errors import Refused
from earmark.manifests.findings import Findings

GOOD = answers()
STAGES = ["scenario", "script", "context_tones", "target_tones 4", "selection 4", "target_tones 6", "selection 6"]
SLOW = pytest.mark.slow  # each starts a process that loads the client


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("openai", reason="providers need the package openai")
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)


def well(_: int, asked: Asked) -> Reply:
    return reply(asked, GOOD)


def first(stage: str, *bad: Reply) -> Answering:
    """Some bad answers at one stage, then good ones."""
    left = list(bad)

    def answer(_: int, asked: Asked) -> Reply:
        return left.pop(0) if left and stage_of(asked) == stage else reply(asked, GOOD)

    return answer


def saying(stage: str, **changes: object) -> Reply:
    return completion(json.dumps({**GOOD[stage], **changes}))


def text_of(asked: Asked) -> str:
    messages = asked.body["messages"]
    assert isinstance(messages, list)
    return "\n".join(message["content"] for message in messages)


def one(server: ProviderServer, path: Path, **changes: object) -> Written:
    (made,) = write(path, server.base_url, [COMMISSION], **changes)  # type: ignore[arg-type]
    return made


def test_a_dialogue_is_written_in_seven_calls_and_a_replay_gives_the_same_without_any(tmp_path: Path) -> None:
    path = tmp_path / "ledger.sqlite"
    with provider_server(well) as server:
        made = one(server, path)
        assert [stage_of(asked) for asked in server.asked] == STAGES
        again = one(server, path)
        assert len(server.asked) == len(STAGES)
        assert isinstance(made, Dialogue)
        assert again == made
        assert (made.author.provider, made.author.model, made.author.rejections) == (server.base_url, "toy-text", {})
    assert check_dialogue(made) == ()
    assert (made.scenario, made.script, made.tones) == (SCENARIO, DIALOGUE.script, DIALOGUE.tones)
    for selection, wanted in zip(made.selections, DIALOGUE.selections, strict=True):
        assert replace(selection, reasoning=wanted.reasoning) == wanted
        assert selection.reasoning.endswith(wanted.reasoning)
    with Ledger.open(path) as ledger:
        rows = ledger.rows()
    assert sorted(row.stage for row in rows) == sorted(STAGES)
    assert {row.place.dialogue for row in rows} == {COMMISSION.name}


def test_a_dry_run_knows_the_calls_and_the_most_that_each_can_cost(tmp_path: Path) -> None:
    planned: list[CallRequest] = []

    def plan(ledger: Ledger, writer: LLMWriter) -> None:
        as_writer: Writer = writer
        planned.extend(as_writer.planned(COMMISSION))
        assert ledger.prices(planned).bound is not None

    with provider_server(well) as server:
        write(tmp_path / "ledger.sqlite", server.base_url, [COMMISSION], then=plan)
    assert [request.stage for request in planned] == STAGES
    largest = {request.stage: len(request.written) for request in planned}
    for asked in server.asked:
        sent = CallRequest(
            provider=planned[0].provider,
            endpoint=planned[0].endpoint,
            body=asked.body,  # type: ignore[arg-type]
            place=planned[0].place,
        )
        assert len(sent.written) <= largest[stage_of(asked)]
        assert upper_bound(sent, PRICES) is not None


LINES = msgspec.convert(GOOD["script"]["lines"], list[dict[str, object]])
BAD = {
    "refusal": (completion(None, refusal="I would rather not."), "refused: I would rather not."),
    "no JSON": (completion("Of course! Here are your lines."), "not JSON"),
    "wrong shape": (completion('{"lines": "six"}'), "wrong shape"),
    "cut short": (completion('{"lines": [', finish="length"), "cut short"),
    "a failed check": (
        saying("script", lines=[*LINES[:5], {"turn": 6, "speaker": "second", "text": "Oh wow, that is sad!"}]),
        "turn 6 has an exclamation mark",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_what_is_rejected_is_asked_for_again_with_the_reason(name: str, tmp_path: Path) -> None:
    bad, reason = BAD[name]
    path = tmp_path / "ledger.sqlite"
    with provider_server(first("script", bad)) as server:
        made = one(server, path)
        again = one(server, path)
    assert again == made
    assert isinstance(made, Dialogue)
    assert list(made.author.rejections) == ["script"]
    (said,) = made.author.rejections["script"]
    assert reason in said
    assert [stage_of(asked) for asked in server.asked] == [STAGES[0], "script", *STAGES[1:]]
    once, twice = (text_of(asked) for asked in server.asked[1:3])
    assert twice.startswith(once)
    assert all(part in twice.removeprefix(once) for part in said.split("; "))
    if name == "a failed check":
        assert "Oh wow, that is sad!" in twice
    with Ledger.open(path) as ledger:
        assert sorted(row.place.attempt for row in ledger.rows() if row.stage == "script") == [0, 1]


@pytest.mark.parametrize("stage", STAGES)
def test_a_stage_that_never_passes_is_given_up_and_nothing_after_it_is_paid_for(stage: str, tmp_path: Path) -> None:
    with provider_server(lambda n, a: completion("{}") if stage_of(a) == stage else well(n, a)) as server:
        made = one(server, tmp_path / "ledger.sqlite", attempts=2)
        assert one(server, tmp_path / "ledger.sqlite", attempts=2) == made
    assert isinstance(made, Unwritten)
    assert (made.name, made.stage, len(made.reasons)) == (COMMISSION.name, stage, 2)
    assert all("wrong shape" in reason for reason in made.reasons)
    at = STAGES.index(stage)
    assert [stage_of(asked) for asked in server.asked] == [*STAGES[:at], stage, stage]


MANY = commissions(DialoguesSection(per_subscale=1))
EMPTY = completion("{}")


def test_a_model_that_writes_nothing_that_passes_is_left_after_a_few_dialogues(tmp_path: Path) -> None:
    says = f"wrote nothing that passes for {MOST_VAIN} dialogues; the last one: scenario: wrong shape"
    with provider_server(lambda *_: EMPTY) as server, pytest.raises(NothingWritten, match=says):
        write(tmp_path / "ledger.sqlite", server.base_url, MANY, attempts=1)
    assert MOST_VAIN <= len(server.asked) < MOST_VAIN + CONCURRENCY


def test_a_model_that_passes_once_is_asked_for_every_dialogue(tmp_path: Path) -> None:
    with provider_server(lambda n, a: EMPTY if n else well(n, a)) as server:
        made = write(tmp_path / "ledger.sqlite", server.base_url, MANY, attempts=1)
    assert all(isinstance(one, Unwritten) for one in made)
    assert len(made) == len(MANY) > MOST_VAIN


def test_what_was_recorded_of_a_model_that_wrote_nothing_does_not_stop_the_next_run(tmp_path: Path) -> None:
    path, mended = tmp_path / "ledger.sqlite", False
    with provider_server(lambda n, a: well(n, a) if mended else EMPTY) as server:
        with pytest.raises(NothingWritten):
            write(path, server.base_url, MANY[:MOST_VAIN], attempts=1)
        mended = True
        made = write(path, server.base_url, MANY[: MOST_VAIN + 2], attempts=1)
    assert [isinstance(one, Dialogue) for one in made] == [False] * MOST_VAIN + [True] * 2


def test_the_next_attempt_is_told_of_the_last_one_alone(tmp_path: Path) -> None:
    bad = [saying("context_tones", turn_1=f"{word}.") for word in ("Low", "Slowly spoken")]
    with provider_server(first("context_tones", *bad)) as server:
        made = one(server, tmp_path / "ledger.sqlite")
    assert isinstance(made, Dialogue)
    assert ["has 1 words" in made.author.rejections["context_tones"][0], len(made.author.rejections)] == [True, 1]
    third = text_of(server.asked[4])
    assert ("has 1 words" in third, "has 2 words" in third) == (False, True)


def test_rejections_of_several_stages_are_all_kept(tmp_path: Path) -> None:
    bad = {
        "context_tones": saying("context_tones", turn_1="Low."),
        "selection 4": completion(json.dumps({"reasoning": "So.", "resonant": 1, "dissonant": 1})),
    }

    def answer(n: int, asked: Asked) -> Reply:
        return bad.pop(stage_of(asked), None) or well(n, asked)

    with provider_server(answer) as server:
        made = one(server, tmp_path / "ledger.sqlite")
    assert isinstance(made, Dialogue)
    assert {stage: len(reasons) for stage, reasons in made.author.rejections.items()} == {
        "context_tones": 1,
        "selection 4": 1,
    }
    assert "named twice" in made.author.rejections["selection 4"][0]


def test_a_server_that_is_busy_is_waited_for(tmp_path: Path) -> None:
    with provider_server(first("script", failure(429, retry_after="0"), failure(500))) as server:
        made = one(server, tmp_path / "ledger.sqlite")
    assert isinstance(made, Dialogue)
    assert made.author.rejections == {}
    with Ledger.open(tmp_path / "ledger.sqlite") as ledger:
        assert [row.tries for row in ledger.rows() if row.stage == "script"] == [3]


def test_what_stops_a_build_is_no_rejection(tmp_path: Path) -> None:
    with provider_server(lambda *_: failure(401, "no such key")) as server, pytest.raises(KeyRefused):
        one(server, tmp_path / "ledger.sqlite")


def test_templates_and_lists_of_ones_own_are_used(tmp_path: Path) -> None:
    templates, words = tmp_path / "mine.toml", tmp_path / "words.toml"
    templates.write_text('[again]\nuser = "Noch einmal: $reasons"\n', encoding="utf-8")
    words.write_text('emotion = ["winter"]\n', encoding="utf-8")
    with provider_server(well) as server:
        made = one(server, tmp_path / "l.sqlite", templates=str(templates), words=str(words), attempts=2)
    assert isinstance(made, Unwritten)
    assert "winter" in made.reasons[0]
    assert text_of(server.asked[-1]).endswith(f"Noch einmal: - {made.reasons[0]}")


def test_what_is_wrong_with_either_file_is_said_at_once(tmp_path: Path) -> None:
    templates, words = tmp_path / "mine.toml", tmp_path / "words.toml"
    templates.write_text('[script]\nuser = "$mood"\n', encoding="utf-8")
    words.write_text('bland = ["?"]\n', encoding="utf-8")
    findings = Findings()
    wording = read_wording(AuthorSection(templates=str(templates), words=str(words)), findings)
    assert findings.counts.keys() == {"dialogues.template", "dialogues.word-list"}
    with pytest.raises(Refused):
        findings.require_none()
    assert wording.as_recipe()["templates_hash"] != read_wording(AuthorSection(), Findings()).templates.hash


@pytest.mark.parametrize(
    ("value", "part"),
    [
        ({"provider": "openai"}, r"\[author.text\]"),
        ({"attempts": 0}, "attempts 0"),
        ({"provider": "oracle"}, "provider"),
        ({"prompts": "x"}, "prompts"),
    ],
)
def test_the_section_is_checked(value: dict[str, object], part: str) -> None:
    with pytest.raises(msgspec.ValidationError, match=part):
        msgspec.convert(value, AuthorSection)
    assert msgspec.convert({"attempts": 5}, AuthorSection).provider == "offline"


KILLS = [
    ("after the answer is recorded", 9),
    *(pytest.param(point, 6, marks=SLOW) for point in POINTS if "failure" not in point),
    *(pytest.param("before the answer is recorded", number, marks=SLOW) for number in (1, 14, 26)),
]


@pytest.mark.parametrize(("point", "times"), KILLS)
def test_a_build_that_is_killed_goes_on_and_pays_for_no_recorded_answer_again(
    point: str, times: int, tmp_path: Path
) -> None:
    path = tmp_path / "ledger.sqlite"
    with provider_server(first("context_tones", saying("context_tones", turn_1="Low."))) as server:
        command = [sys.executable, "-m", "tests.builders.dialogues.writing_many", str(path), server.base_url]
        ended = subprocess.run([*command, point, str(times)], cwd=ROOT, timeout=120, check=False)
        assert ended.returncode == -getattr(signal, "SIGKILL", signal.SIGTERM)
        with Ledger.open(path) as ledger:
            before = {row.key: row.tries for row in ledger.rows() if row.state is State.ANSWERED}
            lost, tries = len(ledger.doubtful()), ledger.totals().tries
        if "answer" in point:
            assert len(before) == times - point.startswith("before")
        assert len(before) <= times
        assert (len(before) + lost, lost <= CONCURRENCY) == (tries, True)
        made = write(path, server.base_url)
        with Ledger.open(path) as ledger:
            after = {row.key: row.tries for row in ledger.rows() if row.state is State.ANSWERED}
            assert ledger.totals().tries - tries == len(after) - len(before)
        assert before.items() <= after.items()
        assert len(server.asked) <= tries + len(after) - len(before)
        assert write(path, server.base_url) == made
    assert [dialogue.name for dialogue in made] == [commission.name for commission in SEVERAL]
    assert all(isinstance(dialogue, Dialogue) and check_dialogue(dialogue) == () for dialogue in made)


def test_many_at_once_are_each_their_own(tmp_path: Path) -> None:
    with provider_server(well) as server:
        made = write(tmp_path / "ledger.sqlite", server.base_url)
    assert Counter(map(stage_of, server.asked)) == dict.fromkeys(STAGES, len(SEVERAL))
    for dialogue, commission in zip(made, SEVERAL, strict=True):
        assert isinstance(dialogue, Dialogue)
        assert (dialogue.name, dialogue.scenario.subscale) == (commission.name, commission.cell.subscale)
