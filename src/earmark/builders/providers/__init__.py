"""Providers of text and of speech over the OpenAI protocol, every call through the ledger; any compatible server will do."""

from earmark.builders.providers.client import Client, ServerSection
from earmark.builders.providers.openai_speech import OpenAISpeech, SpeechRejected, SpeechSection, Spoken
from earmark.builders.providers.openai_text import OpenAIText, Said, TextRejected, TextSection

__all__ = [
    "Client",
    "OpenAISpeech",
    "OpenAIText",
    "Said",
    "ServerSection",
    "SpeechRejected",
    "SpeechSection",
    "Spoken",
    "TextRejected",
    "TextSection",
]
