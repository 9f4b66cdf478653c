"""The example judge on dialogues: it asks turn 4 first, goes on with what it chose, and leaves out what it cannot ask."""

from __future__ import annotations

import base64
import io
import json
from pathlib import Path
from typing import Any

import pytest
import soundfile
from tests.cli.conftest import Earmark
from tests.cli.test_judge import judge
from tests.support.chat_server import Body, chat_server

from earmark.cli.console import FINE
from earmark.manifests.release import Release

pytest.importorskip("openai", reason="the example judge needs the package openai")


def choice(n: int, body: Body) -> str | None | int:
    """Chooses by turns, in several forms; the third request fails, the fifth answer says nothing that can be used."""
    said = f'{{"reasoning": "It fits.", "selected": "{("Option 1", "option2")[n % 2]}"}}'
    return {2: 500, 4: "Neither."}.get(n, f"Well.\n```json\n{said}\n```" if n % 3 else said)


def wav(part: dict[str, Any]) -> bytes:
    samples, _ = soundfile.read(io.BytesIO(base64.b64decode(part["input_audio"]["data"])), dtype="int16")
    return bytes(samples.tobytes())


def flac(path: Path) -> bytes:
    return bytes(soundfile.read(path, dtype="int16")[0].tobytes())


@pytest.mark.parametrize("modality", ["audio", "transcript"])
def test_a_conversation_goes_on_with_what_was_chosen(
    earmark: Earmark, toy_dialogues: Release, tmp_path: Path, modality: str
) -> None:
    folder, file = tmp_path / "judges", tmp_path / "predictions.jsonl"
    words = ("--modality", modality, "--persona", "adaptive", "--quiet")
    assert earmark("present", toy_dialogues.path, "--out", folder, *words).code == FINE
    requests = [json.loads(line) for line in (folder / "requests.jsonl").read_text(encoding="utf-8").splitlines()]
    with chat_server(choice) as server:
        ran = judge(folder, file, server.base_url)
    assert ran.returncode == 0, ran.stderr.decode()
    head, *rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    assert head["earmark"]["judge"] == {"name": "toy-1", "persona": "adaptive"}
    assert [row["presentation_id"] for row in rows] == [request["presentation_id"] for request in requests]

    first = [request for request in requests if "after" not in request]
    lost = {first[n]["presentation_id"] for n in (2, 4)}
    asked = [request for request in requests if request.get("after") not in lost]
    assert len(server.bodies) == len(asked) == len(requests) - 2
    failed = {row["presentation_id"] for row in rows if row.get("status") == "failed"}
    followers = {request["presentation_id"] for request in requests if request.get("after") in lost}
    assert failed == {first[2]["presentation_id"]} | followers

    sent: dict[str, list[dict[str, Any]]] = {}
    answered = {row["presentation_id"]: row.get("response") for row in rows}
    for request, body in zip(asked, server.bodies, strict=True):
        messages = body["messages"]
        assert isinstance(messages, list)
        sent[request["presentation_id"]] = messages
        after = request.get("after")
        if after is None:
            assert [message["role"] for message in messages] == ["system", "user"]
            assert messages[0]["content"] == request["system"]
            continue
        assert [message["role"] for message in messages] == ["system", "user", "assistant", "user"]
        assert messages[:2] == sent[after]
        assert messages[2]["content"] == answered[after]
        number = "1" if "Option 1" in answered[after] else "2"
        assert messages[3]["content"][-1]["text"] == request["user"].replace("$chosen", f"Option {number}")
        label, chosen = messages[3]["content"][:2]
        option = request["clips"][0]["options"][number]
        if modality == "audio":
            assert label == {"type": "text", "text": "Turn 4:"}
            assert wav(chosen) == flac(folder / option["audio"])
            assert wav(chosen) != flac(folder / request["clips"][0]["options"][{"1": "2", "2": "1"}[number]]["audio"])
        else:
            assert label == {"type": "text", "text": f"Turn 4: {option['text']}"}

    check = earmark("check", file, "--release", toy_dialogues.path)
    assert (check.code, check.err) == (FINE, "")
    counts = f"{len(requests)} presentations owed: {len(requests) - 4} ok, 3 failed, 1 unparsable"
    assert counts in check.out.splitlines()[0]


def test_a_folder_with_answers_says_so(earmark: Earmark, toy_dialogues: Release, tmp_path: Path) -> None:
    said = earmark("present", toy_dialogues.path, "--protocol", "direct", "--out", tmp_path / "direct")
    assert (said.code, said.err) == (FINE, "")
    assert "3 right answers, which stand in the history of this protocol" in said.out.splitlines()[0]
    assert "27 clips" in said.out, "24, and 3 more under names of their own"
    said = earmark("present", toy_dialogues.path, "--modality", "audio-text-history", "--out", tmp_path / "other")
    assert said.out.splitlines()[0].endswith("clips as audio-text-history, no answer")
    assert "12 clips" in said.out
