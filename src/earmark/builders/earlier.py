"""What stands in the history of a presentation without being among its clips: a choice of the judge's own, or a right answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Earlier:
    """A place in the history.

    Args:
        label: What it is called.
        before: Label of the clip that it stands before.
        clips: By choice, the clip that a judge who made it hears here; a right answer under the choice "".
        chosen_in: The presentation in which the judge chose; None of a right answer.
    """

    label: str
    before: str
    clips: Mapping[str, str]
    chosen_in: str | None = None

    @property
    def told(self) -> str | None:
        """The clip that is the right answer; None where the judge chose."""
        return self.clips[""] if self.chosen_in is None else None
