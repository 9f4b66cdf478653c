"""A model as a reader, every question through the ledger."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from earmark.builders.dialogues.oracle.questions import Question, Reply
from earmark.builders.dialogues.oracle.templates import OracleTemplates, prompt
from earmark.builders.ledger.calls import CallRequest, Place, RequestRefused
from earmark.builders.ledger.ledger import Ledger
from earmark.builders.providers.client import Client
from earmark.builders.providers.openai_text import OpenAIText, TextRejected, TextSection

STAGE = "oracle"
"""Stage of its calls in the ledger; the arm stands behind it."""


class Taken(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a model answers.

    Args:
        demand: What the moment asks of the voice.
        option_1: How the first option meets it.
        option_2: How the second does.
        selected: Which it takes.
    """

    demand: str
    option_1: str
    option_2: str
    selected: Literal["Option 1", "Option 2"]


class ModelReader:
    """Asks a model.

    Args:
        client: Its server.
        ledger: Where its answers are recorded.
        text: Which model, and how.
        templates: What it is asked.
        tries: How often it is asked at most where its answers cannot be used.
    """

    def __init__(
        self, client: Client, ledger: Ledger, text: TextSection, templates: OracleTemplates, *, tries: int
    ) -> None:
        self._client, self._ledger, self._templates, self._tries = client, ledger, templates, tries
        self._text, self._model = OpenAIText(client, text), text.model

    @property
    def provider(self) -> str:
        """Address of the server."""
        return self._client.address

    @property
    def model(self) -> str:
        """Id of the model."""
        return self._model

    async def read(self, question: Question) -> Reply:
        """Answer a question; an answer that cannot be used is asked for again, with the reason.

        Raises:
            EarmarkError: See `Ledger.call`.
        """
        flaws: list[str] = []
        for attempt in range(self._tries):
            request = self._request(question, attempt, flaws[-1] if flaws else None)
            try:
                outcome = await self._text.ask(self._ledger, request, Taken)
            except RequestRefused as error:
                return Reply(None, f"refused: {error.reason}", error)
            if not isinstance(outcome, TextRejected):
                taken = outcome.value
                reasoning = f"{taken.demand} / 1: {taken.option_1} / 2: {taken.option_2}"
                return Reply(1 if taken.selected == "Option 1" else 2, reasoning)
            flaws.append(f"{outcome.flaw}: {outcome.detail}")
        return Reply(None, "; ".join(flaws))

    def planned(self, question: Question) -> Sequence[CallRequest]:
        """One call."""
        return (self._request(question, 0, None),)

    def _request(self, question: Question, attempt: int, wrong: str | None) -> CallRequest:
        place = Place(question.dialogue, question.turn, question.order, attempt)
        asked = prompt(self._templates, question, wrong)
        return self._text.request(asked, Taken, place, stage=f"{STAGE} {question.arm}")
