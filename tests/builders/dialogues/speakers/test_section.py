"""`[voice]`: what a recipe may say of the speaker, and what is said where it is wrong."""

from __future__ import annotations

import tomllib

import msgspec
import pytest

from earmark.builders.dialogues.speakers.offline import OfflineSpeaker
from earmark.builders.dialogues.speakers.offline_voices import OFFLINE_POOLS
from earmark.builders.dialogues.speakers.openai import OPENAI_POOLS
from earmark.builders.dialogues.speakers.section import VoiceSection
from earmark.builders.providers.speech_checks import Form

FEMALE = ["female-1", "female-2"]


def section(text: str) -> VoiceSection:
    return msgspec.convert(tomllib.loads(text), VoiceSection)


def test_the_default_is_offline() -> None:
    found = section("")
    assert found == VoiceSection()
    assert not found.online
    assert found.cast_from == OFFLINE_POOLS
    assert isinstance(found.offline_speaker(), OfflineSpeaker)


def test_a_server_with_all_that_can_be_said_of_it() -> None:
    found = section(
        """
        provider = "openai"
        model = "gpt-4o-mini-tts-2025-03-20"
        form = "flac"
        server = { base_url = "http://127.0.0.1:9/v1", timeout_s = 5 }
        checks = { least_s = 0.3 }
        [pools]
        female = ["a", "b"]
        male = ["c", "d"]
        nonbinary = ["a", "c"]
        """
    )
    assert found.online
    assert (found.speech.model, found.speech.form) == ("gpt-4o-mini-tts-2025-03-20", Form.FLAC)
    assert found.speech.checks.least_s == 0.3
    assert found.cast_from.voices == ("a", "b", "c", "d")
    assert section('provider = "openai"\nmodel = "m"').cast_from == OPENAI_POOLS
    assert msgspec.convert(msgspec.to_builtins(found), VoiceSection) == found


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('provider = "openai"', "needs a model"),
        ('provider = "openai"\nmodel = " "', "needs a model"),
        ('model = "m"', "'offline' has no models, and model is 'm'"),
        ('provider = "acme"', "acme"),
        ('pools = { female = ["nova", "sage"], male = ["male-1", "male-2"], nonbinary = ["mid-1", "mid-2"] }', "nova"),
        (f'pools = {{ female = {FEMALE}, male = {FEMALE}, nonbinary = ["female-1"] }}', "two different"),
        ('provider = "openai"\nmodel = "m"\nform = "ogg"', "ogg"),
        ("voices = 3", "voices"),
    ],
)
def test_what_is_wrong_is_said(text: str, message: str) -> None:
    with pytest.raises(msgspec.ValidationError, match=message):
        section(text)
