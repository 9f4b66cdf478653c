"""The speaker that is paid, through the real client against a server on this machine."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import TypeVar

import pytest
from tests.builders.dialogues.speakers.lines import dialogue, line
from tests.support.provider_server import Answering, Asked, ProviderServer, Reply, audio, failure, provider_server

from earmark.builders.dialogues.makers import LineToSpeak, Speaker, SpokenLine, Unspoken
from earmark.builders.dialogues.speakers.openai import MOST_MUTE, OPENAI_POOLS, NothingSpoken, OpenAISpeaker
from earmark.builders.ledger import CallRow, CostLimit, Ledger, ModelPrice, Place, RetriesSection
from earmark.builders.ledger.calls import KeyRefused
from earmark.builders.providers import Client, ServerSection, SpeechSection
from earmark.builders.providers.speech_checks import Form
from earmark.manifests.errors import EarmarkError

T = TypeVar("T")

LINES = [
    line(turn=1, option="context", tone="Quick and bright.", voice="nova", text="Did it come?"),
    line(option="resonant", tone="Low and slow.", voice="echo"),
    line(option="dissonant", tone="Loud and clipped.", voice="echo"),
    line(option="dissonant", tone="Loud and clipped.", voice="echo", attempt=1),
]
PRICES = {"toy-voice": ModelPrice(per_minute=0.6)}


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("openai", reason="the speaker needs the package openai")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-toy")
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)


def acted(
    server: ProviderServer,
    folder: Path,
    act: Callable[[OpenAISpeaker, Ledger], Awaitable[T]],
    *,
    form: Form = Form.WAV,
    max_cost: int | None = None,
) -> T:
    async def run() -> T:
        async with Client(ServerSection(base_url=server.base_url)) as client:
            retries = RetriesSection(tries=2)
            with Ledger.open(folder / "calls.sqlite", prices=PRICES, retries=retries, max_cost=max_cost) as ledger:
                speaker = OpenAISpeaker(client, ledger, SpeechSection(model="toy-voice", form=form), workers=3)
                return await act(speaker, ledger)

    return asyncio.run(run())


def spoken(
    server: ProviderServer, folder: Path, lines: Sequence[LineToSpeak] = LINES, *, form: Form = Form.WAV
) -> Sequence[SpokenLine | Unspoken]:
    return acted(server, folder, lambda speaker, _: speaker.speak(lines, folder / "clips"), form=form)


def by_voice(**replies: Reply) -> Answering:
    def answer(_: int, asked: Asked) -> Reply:
        return replies[str(asked.body["voice"])]

    return answer


def test_each_line_is_one_call_and_the_file_is_what_came(tmp_path: Path) -> None:
    replies = {"nova": audio(seconds=0.3), "echo": audio(seconds=0.6)}
    with provider_server(by_voice(**replies)) as server:
        first, again = (spoken(server, tmp_path) for _ in range(2))
    assert first == again
    assert len(server.asked) == 4
    asked = sorted(server.asked, key=lambda asked: str(asked.body["instructions"]))
    assert [(a.body["instructions"], a.body["voice"]) for a in asked] == [
        ("Loud and clipped.", "echo"),
        ("Loud and clipped.", "echo"),
        ("Low and slow.", "echo"),
        ("Quick and bright.", "nova"),
    ]
    assert {a.body["model"] for a in asked} == {"toy-voice"}
    for one, said in zip(first, LINES, strict=True):
        body = replies[said.voice].body
        assert one == SpokenLine(said.filename, hashlib.sha256(body).hexdigest(), None)
        assert (tmp_path / "clips" / said.filename).read_bytes() == body


def test_files_that_were_lost_come_back_from_the_ledger_for_nothing(tmp_path: Path) -> None:
    reply = audio()
    with provider_server(lambda *_: reply) as server:
        first = spoken(server, tmp_path)
        for path in (tmp_path / "clips").rglob("*.wav"):
            path.unlink()
        assert spoken(server, tmp_path) == first
    assert len(server.asked) == 4
    assert len(list((tmp_path / "clips").rglob("*.wav"))) == 4


def test_what_is_no_speech_is_unspoken_and_paid_all_the_same(tmp_path: Path) -> None:
    replies = by_voice(nova=audio(gain=0.0, seconds=2.0), echo=Reply(b'{"error": "no voice"}', form="audio/wav"))
    with provider_server(replies) as server:
        found = spoken(server, tmp_path)
        assert spoken(server, tmp_path) == found
        calls = acted(server, tmp_path, _rows)
    assert len(server.asked) == 4
    assert [one.reason.split(":")[0] for one in found if isinstance(one, Unspoken)] == ["silent", *["a message"] * 3]
    assert not (tmp_path / "clips").exists()
    assert all(call.cost for call in calls if call.place.turn == 1)
    assert {call.place for call in calls} == {
        Place("d-0001", 1, None, 0),
        Place("d-0001", 4, 1, 0),
        Place("d-0001", 4, 2, 0),
        Place("d-0001", 4, 2, 1),
    }


async def _rows(_: OpenAISpeaker, ledger: Ledger) -> tuple[CallRow, ...]:
    return ledger.rows()


def test_another_form_is_in_its_name(tmp_path: Path) -> None:
    reply = audio("flac")
    with provider_server(lambda *_: reply) as server:
        (found,) = spoken(server, tmp_path, LINES[:1], form=Form.FLAC)
    assert isinstance(found, SpokenLine)
    assert found.path == "d-0001/1-context-0.flac"
    assert (tmp_path / "clips" / found.path).read_bytes() == reply.body


def test_a_dry_run_names_the_calls_and_makes_none(tmp_path: Path) -> None:
    async def plan(speaker: OpenAISpeaker, ledger: Ledger) -> tuple[int, int | None, int]:
        before = ledger.prices(speaker.planned(LINES))
        await speaker.speak(LINES[:2], tmp_path / "clips")
        after = ledger.prices(speaker.planned(LINES))
        assert before.bound is not None
        return before.models[0].calls, before.bound, after.models[0].recorded

    reply = audio()
    with provider_server(lambda *_: reply) as server:
        calls, bound, recorded = acted(server, tmp_path, plan)
    assert (calls, recorded, len(server.asked)) == (4, 2, 2)
    seconds = sum(2 + len(one.text) / 2 for one in LINES)
    assert bound == pytest.approx(seconds / 60 * 0.6e9, abs=4)


def test_a_refused_key_ends_it_and_loses_nothing_that_was_paid(tmp_path: Path) -> None:
    good, refused = audio(), failure(401, "no such key")
    many = [line(turn=2, option="context", voice="nova", attempt=n) for n in range(30)]
    with provider_server(lambda n, _: refused if n == 5 else good) as server, pytest.raises(KeyRefused):
        spoken(server, tmp_path, many)
    assert len(server.asked) < 12
    assert len(list((tmp_path / "clips").rglob("*.wav"))) == len(server.asked) - 1


def test_a_server_that_is_mute_is_left_after_a_few_lines(tmp_path: Path) -> None:
    many = [line(turn=2, option="context", voice="nova", attempt=n) for n in range(3 * MOST_MUTE)]
    silent, says = audio(gain=0.0), rf"none of {MOST_MUTE} lines; of the first it says silent"
    with provider_server(lambda *_: silent) as server, pytest.raises(NothingSpoken, match=says):
        spoken(server, tmp_path, many)
    assert MOST_MUTE <= len(server.asked) <= MOST_MUTE + 3


def test_what_a_mute_server_sent_before_does_not_stop_the_next_run(tmp_path: Path) -> None:
    first, second = (
        [line(turn=2, option="context", voice="nova", attempt=8 * k + n) for n in range(8)] for k in (0, 1)
    )
    silent, good = audio(gain=0.0), audio()
    mended = False
    with provider_server(lambda *_: good if mended else silent) as server:
        with pytest.raises(NothingSpoken, match="none of 8 lines"):
            spoken(server, tmp_path, first)
        mended = True

        async def both(speaker: OpenAISpeaker, _: Ledger) -> tuple[Sequence[SpokenLine | Unspoken], ...]:
            return tuple([await speaker.speak(lines, tmp_path / "clips") for lines in (first, second)])

        before, after = acted(server, tmp_path, both)
    assert all(isinstance(one, Unspoken) for one in before)
    assert all(isinstance(one, SpokenLine) for one in after)


def test_the_limit_of_cost_holds(tmp_path: Path) -> None:
    reply = audio()
    with provider_server(lambda *_: reply) as server, pytest.raises(CostLimit):
        acted(server, tmp_path, lambda speaker, _: speaker.speak(LINES, tmp_path), max_cost=100)
    assert server.asked == []


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "clips").write_text("a file where a folder must be")
    reply = audio()
    with provider_server(lambda *_: reply) as server, pytest.raises(EarmarkError, match="cannot write"):
        spoken(server, tmp_path, LINES[:1])


def test_who_it_is_and_whom_it_casts(tmp_path: Path) -> None:
    async def told(speaker: Speaker, _: Ledger) -> tuple[str, str, tuple[str, str]]:
        return speaker.provider, speaker.model, speaker.cast(dialogue("d", "nonbinary", "female"))

    with provider_server(lambda *_: audio()) as server:
        provider, model, (one, other) = acted(server, tmp_path, told)
    assert (provider, model) == (server.base_url, "toy-voice")
    assert one != other
    assert one in OPENAI_POOLS.nonbinary
    assert other in OPENAI_POOLS.female
