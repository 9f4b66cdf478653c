"""The voices of dialogues: one that is offline and costs nothing, and one that a provider sells."""

from earmark.builders.dialogues.speakers.casting import Pools, cast_by_name
from earmark.builders.dialogues.speakers.offline import OfflineSpeaker
from earmark.builders.dialogues.speakers.openai import OpenAISpeaker
from earmark.builders.dialogues.speakers.section import VoiceSection

__all__ = ["OfflineSpeaker", "OpenAISpeaker", "Pools", "VoiceSection", "cast_by_name"]
