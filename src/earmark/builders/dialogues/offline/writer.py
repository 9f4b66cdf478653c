"""The author itself: one commission, one dialogue, and the same one whatever else is written."""

from __future__ import annotations

from collections.abc import Sequence

from earmark.builders.dialogues.checks.apathy import apathetic_allowed
from earmark.builders.dialogues.makers import Commission
from earmark.builders.dialogues.offline.deliveries import draw_targets, selection_of, tones_of
from earmark.builders.dialogues.offline.draws import Draws
from earmark.builders.dialogues.offline.stories import draw_story, scenario_of, script_of
from earmark.builders.dialogues.records import Author, Dialogue
from earmark.builders.ledger.calls import CallRequest

PROVIDER = "offline"
"""What stands where a server's address would."""

MODEL = "composer/1"
"""The material and how it is composed; another number where the same commission would give another dialogue."""


class OfflineWriter:
    """Composes dialogues.

    Args:
        seed: Public seed of all draws.
        key: The release's key; without one, anybody can write the same dialogues again, tones included.
    """

    def __init__(self, seed: int = 0, key: bytes = b"") -> None:
        self._seed, self._key = seed, key

    @property
    def provider(self) -> str:
        """Stands for a server's address."""
        return PROVIDER

    @property
    def model(self) -> str:
        """The material, with its version."""
        return MODEL

    async def write(self, commission: Commission) -> Dialogue:
        """Write one; what comes out passes all checks, so nothing is tried again.

        Raises:
            UnknownName: If the commission's cell has a name that is unknown.
        """
        return self.compose(commission)

    def compose(self, commission: Commission) -> Dialogue:
        """The same, at once."""
        draws = Draws(commission.name, self._seed, self._key)
        story = draw_story(commission.cell, draws)
        targets = draw_targets(commission.cell, draws, apathetic=apathetic_allowed(commission.name))
        scenario = scenario_of(story, targets[0].failures, draws)
        first, second = (selection_of(target, scenario.intent) for target in targets)
        return Dialogue(
            name=commission.name,
            scenario=scenario,
            script=script_of(story, draws),
            tones=tones_of(commission.cell, targets, draws),
            selections=(first, second),
            author=Author(provider=self.provider, model=self.model),
        )

    def planned(self, commission: Commission) -> Sequence[CallRequest]:  # noqa: ARG002 (others price their calls by it)
        """None: nothing is called."""
        return ()
