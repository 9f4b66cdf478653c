"""The example judge as a user runs it: with the real OpenAI client, against a server on this machine, then checked and marked."""

from __future__ import annotations

import base64
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import soundfile
from tests.cli.conftest import Earmark
from tests.support.chat_server import Body, chat_server

from earmark.cli.console import FINE, FOUND
from earmark.manifests.release import Release

pytest.importorskip("openai", reason="the example judge needs the package openai")


def answers(n: int, body: Body) -> str | None | int:
    """Answers in the forms that judges have; the second request is the server's fault, the fourth comes to nothing."""
    sure = json.dumps({"choice": "PN"[n % 2], "probability": 0.5 + n % 5 / 10, "evidence": ["é…"]})
    return {1: 500, 3: None}.get(n, f"Let me think.\n```json\n{sure}\n```" if n % 3 else sure)


def judge(folder: Path, file: Path, base_url: str) -> subprocess.CompletedProcess[bytes]:
    environment = {**os.environ, "OPENAI_BASE_URL": base_url, "OPENAI_API_KEY": "k", "NO_PROXY": "127.0.0.1"}
    return subprocess.run(
        [sys.executable, folder / "judge.py", "toy-1", file],
        capture_output=True,
        check=False,
        env=environment,
        timeout=120,
    )


def content(body: Body) -> list[dict[str, object]]:
    messages = body["messages"]
    assert isinstance(messages, list)
    assert [message["role"] for message in messages] == ["system", "user"]
    parts = messages[1]["content"]
    assert isinstance(parts, list)
    return parts


@pytest.mark.parametrize("modality", ["audio", "transcript"])
def test_the_example_judge_makes_a_submission_that_is_marked(
    earmark: Earmark, miniature_release: Release, tmp_path: Path, modality: str
) -> None:
    folder, file = tmp_path / "judges", tmp_path / "predictions.jsonl"
    present = earmark("present", miniature_release.path, "--out", folder, "--modality", modality, "--quiet")
    assert present.code == FINE
    requests = [json.loads(line) for line in (folder / "requests.jsonl").read_text(encoding="utf-8").splitlines()]
    with chat_server(answers) as server:
        ran = judge(folder, file, server.base_url)
    assert ran.returncode == 0, ran.stderr.decode()
    assert ran.stdout == b""

    assert server.paths == ["/v1/chat/completions"] * len(requests)
    assert set(server.keys) == {"Bearer k"}
    for request, body in zip(requests, server.bodies, strict=True):
        assert (body["model"], body["temperature"]) == ("toy-1", 0)
        assert body["messages"][0]["content"] == request["system"]  # type: ignore[index]  # seen to be a list above
        *clips, question = content(body)
        assert question == {"type": "text", "text": request["user"]}
        if modality == "transcript":
            said = [f"{clip['label']}: {clip['text']}" for clip in request["clips"]]
            assert clips == [{"type": "text", "text": text} for text in said]
            continue
        assert len(clips) == 2 * len(request["clips"])
        for clip, label, sent in zip(request["clips"], clips[::2], clips[1::2], strict=True):
            assert label == {"type": "text", "text": f"{clip['label']}:"}
            audio = sent["input_audio"]
            assert isinstance(audio, dict)
            assert (sent["type"], audio["format"]) == ("input_audio", "wav")
            samples, rate = soundfile.read(io.BytesIO(base64.b64decode(audio["data"], validate=True)), dtype="int16")
            original, _ = soundfile.read(folder / clip["audio"], dtype="int16")
            assert rate == 16_000
            assert np.array_equal(samples, original)

    head, *rows = [json.loads(line) for line in file.read_bytes().decode("ascii").splitlines()]
    assert head["earmark"]["judge"]["name"] == "toy-1"
    assert [row["presentation_id"] for row in rows] == [request["presentation_id"] for request in requests]
    assert [n for n, row in enumerate(rows) if row.get("status") == "failed"] == [1]
    assert b"the server is unwell" in ran.stderr

    check = earmark("check", file, "--release", miniature_release.path)
    assert (check.code, check.err) == (FINE, "")
    owed = len(requests)
    assert check.out.splitlines()[0].endswith(f": {owed} presentations owed: {owed - 2} ok, 1 failed, 1 unparsable")
    words = ("score", file, "--release", miniature_release.path, "--resamples", 100, "--json")
    score = earmark(*words, "--out", tmp_path / "marks")
    assert score.code == FINE
    counts = json.loads(score.out)["report"]["counts"]["overall"]
    assert (counts["ok"], counts["failed"], counts["unparsable"], counts["missing"]) == (owed - 2, 1, 1, 0)


def test_the_sample_submission_is_in_order_and_answers_nothing(
    earmark: Earmark, miniature_release: Release, tmp_path: Path
) -> None:
    earmark("present", miniature_release.path, "--out", tmp_path / "judges", "--quiet")
    file = tmp_path / "judges" / "sample_submission.jsonl"
    said = earmark("check", file, "--release", miniature_release.path)
    assert said.code == FINE
    assert said.out.splitlines()[0].endswith(" abstained")
    other = earmark("check", file, "--release", miniature_release.path, "--protocol", "both-orders-transcript")
    assert other.code == FOUND or " missing" in other.out
