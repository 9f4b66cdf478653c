"""Dialogues written by a model, stage by stage; what fails a check is asked for again with the reasons, a few times.

Every question goes through the ledger and follows from the dialogue's name, its cell and the answers before it, so that a build
that was killed asks for nothing twice and comes to the same dialogues.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from earmark.builders.dialogues.author import AuthorSection, Wording
from earmark.builders.dialogues.makers import Commission, Unwritten, Written
from earmark.builders.dialogues.records import TARGET_TURNS, Author, Dialogue, Selection, TargetTones, Tones
from earmark.builders.dialogues.stages import (
    CONTEXT_TONES,
    SCENARIO,
    SCRIPT,
    SELECTION,
    TARGET_TONES,
    Candidates,
    Lines,
    Stage,
    Target,
)
from earmark.builders.dialogues.stages.largest import LARGEST_SCRIPT, largest_scenario, largest_targets
from earmark.builders.dialogues.stages.stage import AnswerT, GivenT, RecordT
from earmark.builders.ledger.calls import CallRequest, Place
from earmark.builders.providers import OpenAIText, Said
from earmark.builders.providers.openai_text import Prompt, TextRejected
from earmark.manifests.errors import EarmarkError

if TYPE_CHECKING:
    from earmark.builders.ledger import Ledger
    from earmark.builders.providers import Client

MOST_VAIN = 8
"""Dialogues that are given up in one run although no answer of the model has passed yet."""

_NO_ANSWER = "(nothing that can be read)"


class NothingWritten(EarmarkError):
    """A model none of whose answers can be used is asked wrongly, or is the wrong one."""


class _GivenUp(Exception):
    def __init__(self, stage: str, reasons: Sequence[str]) -> None:
        super().__init__(stage)
        self.stage, self.reasons = stage, tuple(reasons)


class LLMWriter:
    """A model that writes dialogues.

    Args:
        client: Its server.
        ledger: What was asked before, and what is to be.
        section: Which model, and how often it may try.
        wording: What it is asked, and what its answers are checked for.

    Raises:
        ValueError: If the section names no model.
    """

    def __init__(self, client: Client, ledger: Ledger, section: AuthorSection, wording: Wording) -> None:
        if section.text is None:
            raise ValueError("a model writes only if the recipe names one")
        self._client, self._ledger, self._attempts = client, ledger, section.attempts
        self._model, self._text = section.text.model, OpenAIText(client, section.text)
        self._templates, self._words = wording.templates, wording.words
        self._writes, self._vain = False, 0  # whether an answer has passed; dialogues given up that were asked for now
        self._left = ""  # why the model is left

    @property
    def provider(self) -> str:
        """The server's address."""
        return self._client.address

    @property
    def model(self) -> str:
        """The model's id."""
        return self._model

    async def write(self, commission: Commission) -> Written:
        """Write one.

        Raises:
            NothingWritten: If this is one of `MOST_VAIN` that are given up, and nothing that the model said has passed.
            EarmarkError: If a call is not answered, see `Ledger.call`; a build that stops here goes on from here.
        """
        rejections: dict[str, list[str]] = {}
        try:
            return await self._dialogue(commission, rejections)
        except _GivenUp as given_up:
            return Unwritten(commission.name, given_up.stage, given_up.reasons)

    def planned(self, commission: Commission) -> Sequence[CallRequest]:
        """The seven calls of a dialogue all of whose answers pass at once, each as large as the checks let it be."""
        name, scenario, script = commission.name, largest_scenario(commission.cell), LARGEST_SCRIPT
        calls = [
            self._planned(SCENARIO, commission, Place(name)),
            self._planned(SCRIPT, scenario, Place(name)),
            self._planned(CONTEXT_TONES, Lines(scenario, script), Place(name)),
        ]
        for turn in TARGET_TURNS:
            calls.append(self._planned(TARGET_TONES, Target(scenario, script, turn), Place(name, turn)))
            candidates = Candidates(name, scenario, script, largest_targets(turn))
            calls.append(self._planned(SELECTION, candidates, Place(name, turn)))
        return calls

    async def _dialogue(self, commission: Commission, rejections: dict[str, list[str]]) -> Dialogue:
        name = commission.name
        scenario = await self._ask(SCENARIO, commission, Place(name), rejections)
        script = await self._ask(SCRIPT, scenario, Place(name), rejections)
        context = await self._ask(CONTEXT_TONES, Lines(scenario, script), Place(name), rejections)
        targets: list[TargetTones] = []
        selections: list[Selection] = []
        for turn in TARGET_TURNS:
            place = Place(name, turn)
            targets.append(await self._ask(TARGET_TONES, Target(scenario, script, turn), place, rejections))
            candidates = Candidates(name, scenario, script, targets[-1])
            selections.append(await self._ask(SELECTION, candidates, place, rejections))
        return Dialogue(
            name=name,
            scenario=scenario,
            script=script,
            tones=Tones(context=context, targets=(targets[0], targets[1])),
            selections=(selections[0], selections[1]),
            author=Author(
                provider=self.provider,
                model=self.model,
                rejections={stage: tuple(reasons) for stage, reasons in rejections.items()},
            ),
        )

    async def _ask(
        self,
        stage: Stage[GivenT, AnswerT, RecordT],
        given: GivenT,
        place: Place,
        rejections: dict[str, list[str]],
    ) -> RecordT:
        """The record of a stage; each attempt that is rejected tells the next one why."""
        first = self._templates.prompt(stage.name, stage.fields(given, self._words))
        prompt, label = first, _label(stage.name, place)
        rejected: list[str] = []
        replayed = True
        for attempt in range(self._attempts):
            request = self._request(stage, prompt, replace(place, attempt=attempt))
            outcome = await self._text.ask(self._ledger, request, stage.shape)
            replayed = outcome.recorded.replayed
            if isinstance(outcome, Said):
                reasons, answer = stage.check(outcome.value, given, self._words), outcome.text
                if not reasons:
                    self._writes = True
                    return stage.record(outcome.value, given)
            else:
                reasons, answer = (_flaw(outcome),), _NO_ANSWER
            rejected.append("; ".join(reasons))
            rejections[label] = rejected
            prompt = self._templates.again(first, "\n".join(f"- {reason}" for reason in reasons), answer)
        self._vain += not replayed
        if self._vain >= MOST_VAIN and not self._writes:
            # Dialogues that were under way meanwhile say the same, whichever of them is heard first.
            self._left = self._left or (
                f"{self.model} of {self.provider} wrote nothing that passes for {self._vain} dialogues; the last one:"
                f" {label}: {rejected[-1]}"
            )
            raise NothingWritten(self._left)
        raise _GivenUp(label, rejected)

    def _planned(self, stage: Stage[GivenT, AnswerT, RecordT], given: GivenT, place: Place) -> CallRequest:
        return self._request(stage, self._templates.prompt(stage.name, stage.fields(given, self._words)), place)

    def _request(self, stage: Stage[GivenT, AnswerT, RecordT], prompt: Prompt, place: Place) -> CallRequest:
        return self._text.request(prompt, stage.shape, place, stage=_label(stage.name, place))


def _label(stage: str, place: Place) -> str:
    """A stage, and the turn that it is for.

    >>> _label("selection", Place("d", 4)), _label("script", Place("d"))
    ('selection 4', 'script')
    """
    return stage if place.turn is None else f"{stage} {place.turn}"


def _flaw(rejected: TextRejected) -> str:
    return f"{rejected.flaw}: {rejected.detail}"
