"""Speech from the real client against a server on this machine: only audio that can be heard is kept."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import soundfile
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.builders.providers.asking import speak
from tests.support.provider_server import RATE, Reply, audio, failure, provider_server

from earmark.audio import level
from earmark.builders.ledger import Ledger
from earmark.builders.ledger.calls import Unanswered, UnknownModel
from earmark.builders.providers import SpeechRejected, Spoken
from earmark.builders.providers.speech_checks import Form, Heard, SpeechChecks, SpeechFlaw, Unheard, check_speech


@pytest.mark.parametrize("form", list(Form))
def test_good_audio_of_every_form_is_kept_as_it_came(form: Form, tmp_path: Path) -> None:
    reply = audio(form)
    with provider_server(lambda *_: reply) as server:
        first, again = (speak(server, tmp_path / "ledger.sqlite", form) for _ in range(2))
    (asked,) = server.asked
    assert asked.path == "/v1/audio/speech"
    assert asked.body == {
        "model": "toy-voice",
        "input": "Good morning.",
        "voice": "sage",
        "instructions": "Say it slowly and low.",
        "response_format": form.value,
    }
    assert isinstance(first, Spoken)
    assert isinstance(again, Spoken)
    assert first.data == again.data == reply.body
    assert first.heard == again.heard
    assert (first.heard.rate, again.recorded.replayed) == (RATE, True)
    assert first.heard.seconds == pytest.approx(0.5, abs=0.06)
    used = first.recorded.answer.usage
    assert (used.characters, used.seconds) == (len("Good morning."), first.heard.seconds)
    assert first.recorded.cost == pytest.approx(first.heard.seconds / 60 * 0.015 * 1e9, abs=1)


WHOLE = {form: audio(form, seconds=0.2).body for form in Form}
STREAMED = bytearray(audio().body)
STREAMED[4:8] = STREAMED[40:44] = b"\xff\xff\xff\xff"
REJECTED = {
    "no byte": (b"", SpeechFlaw.EMPTY),
    "no sample": (audio(seconds=0.0).body, SpeechFlaw.EMPTY),
    "JSON": (b'{"error": "no voice"}', SpeechFlaw.MESSAGE),
    "text": (b"no such voice", SpeechFlaw.MESSAGE),
    "another form": (audio("flac").body, SpeechFlaw.OTHER_FORM),
    "no known form": (b"\x00\x91\x92\x93", SpeechFlaw.OTHER_FORM),
    "half a file": (audio().body[:5000], SpeechFlaw.BROKEN),
    "a head alone": (b"RIFF\x00\x00\x00\x00WAVE", SpeechFlaw.BROKEN),
    "short": (audio(seconds=0.05).body, SpeechFlaw.SHORT),
    "all zero": (audio(gain=0.0).body, SpeechFlaw.SILENT),
    "too soft": (audio(gain=0.001).body, SpeechFlaw.SILENT),
    "clipped": (audio(gain=3.0).body, SpeechFlaw.CLIPPED),
}


@pytest.mark.parametrize("name", REJECTED)
def test_a_body_that_cannot_be_used_says_why_and_is_not_asked_for_again(name: str, tmp_path: Path) -> None:
    body, flaw = REJECTED[name]
    with provider_server(lambda *_: Reply(body, form="audio/wav")) as server:
        first, again = (speak(server, tmp_path / "ledger.sqlite") for _ in range(2))
    assert len(server.asked) == 1
    for outcome in (first, again):
        assert isinstance(outcome, SpeechRejected)
        assert (outcome.flaw, outcome.recorded.answer.data) == (flaw, body)
        assert outcome.detail
        assert outcome.recorded.cost


def test_a_page_is_no_answer_whatever_it_says_it_is(tmp_path: Path) -> None:
    replies = [Reply(b"\n<!doctype html><p>Sign in</p>", form="audio/wav"), audio()]
    with provider_server(lambda n, _: replies[n]) as server:
        with pytest.raises(Unanswered, match=r"audio/speech answers with a page.*Sign in"):
            speak(server, tmp_path / "ledger.sqlite")
        assert isinstance(speak(server, tmp_path / "ledger.sqlite"), Spoken)
    with Ledger.open(tmp_path / "ledger.sqlite") as ledger:
        assert (ledger.totals().tries, ledger.doubtful()) == (2, ())


def test_a_wav_whose_writer_never_knew_its_length_is_good() -> None:
    assert isinstance(check_speech(bytes(STREAMED), Form.WAV), Heard)


def test_a_page_that_an_earlier_version_recorded_is_known_for_one() -> None:
    found = check_speech(b"\n<!doctype html><p>Sign in</p>", Form.WAV)
    assert isinstance(found, Unheard)
    assert (found.flaw, "Sign in" in found.detail) == (SpeechFlaw.PAGE, True)


def test_a_body_that_breaks_off_is_asked_for_again(tmp_path: Path) -> None:
    replies = [replace(audio(), cut=3000), failure(429, retry_after="0"), audio()]
    with provider_server(lambda n, _: replies[n]) as server:
        spoken = speak(server, tmp_path / "ledger.sqlite")
    assert isinstance(spoken, Spoken)
    assert (spoken.data, spoken.recorded.tries) == (audio().body, 3)
    with Ledger.open(tmp_path / "ledger.sqlite") as ledger:
        assert len(ledger.doubtful()) == 1


def test_an_unknown_model_is_said(tmp_path: Path) -> None:
    reply = failure(404, "no such model", code="model_not_found")
    with provider_server(lambda *_: reply) as server, pytest.raises(UnknownModel, match="'toy-voice'"):
        speak(server, tmp_path / "ledger.sqlite")


@given(
    st.sampled_from(list(Form)),
    st.lists(st.tuples(st.floats(0, 1, exclude_max=True), st.integers(0, 255)), max_size=6),
    st.floats(0.0, 1.0),
)
@settings(max_examples=30)
def test_no_damage_crashes_the_check(form: Form, damage: list[tuple[float, int]], kept: float) -> None:
    data = bytearray(WHOLE[form])
    for at, byte in damage:
        data[int(at * min(len(data), 400))] = byte  # most of what can go wrong stands in the head
    assert isinstance(check_speech(bytes(data[: int(kept * len(data))]), form), Heard | Unheard)


@given(st.floats(0.01, 3.0), st.floats(0.1, 0.6), st.sampled_from(["PCM_16", "PCM_24", "FLOAT", "PCM_U8"]))
@settings(max_examples=30)
def test_the_figures_are_those_of_the_audio_room(gain: float, seconds: float, subtype: str) -> None:
    at = np.arange(round(seconds * RATE)) / RATE
    file = io.BytesIO()
    soundfile.write(file, np.clip(gain * np.sin(1500 * at), -1, 1), RATE, format="WAV", subtype=subtype)
    heard = check_speech(file.getvalue(), Form.WAV, SpeechChecks(most_clipped=1.0))
    file.seek(0)
    native = {"PCM_24": "int32", "FLOAT": "float32"}.get(subtype, "int16")
    samples, rate = soundfile.read(file, dtype=native)
    expected = level.measure(samples)
    assert isinstance(heard, Heard)
    assert (heard.rate, heard.seconds) == (rate, len(samples) / rate)
    assert heard.peak_dbfs == pytest.approx(expected.peak_dbfs, abs=1e-5)
    assert heard.clipped == pytest.approx(expected.clipped)


def test_samples_that_are_no_numbers_are_broken() -> None:
    file = io.BytesIO()
    soundfile.write(file, np.full(RATE, np.nan), RATE, format="WAV", subtype="FLOAT")
    found = check_speech(file.getvalue(), Form.WAV)
    assert isinstance(found, Unheard)
    assert found.flaw is SpeechFlaw.BROKEN


def test_limits_can_be_set_and_are_checked() -> None:
    assert isinstance(check_speech(audio(gain=3.0).body, Form.WAV, SpeechChecks(most_clipped=1.0)), Heard)
    with pytest.raises(ValueError, match="silent_dbfs"):
        SpeechChecks(silent_dbfs=1.0)
