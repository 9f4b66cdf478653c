"""What stands in the history of a presentation without being among its clips: a choice of the judge's own, or a right answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from earmark.manifests import keys, registry
from earmark.manifests.errors import UnknownName
from earmark.manifests.release import Release
from earmark.manifests.rows import Row


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


Histories = Callable[[Release, str, Sequence[Row]], Mapping[str, Earlier]]
"""What a family may have as `histories`: by presentation, what stands in its history besides its clips."""


def has_histories(release: Release) -> bool:
    """Whether the family says anything of histories."""
    return _histories(release) is not None


def histories_of(release: Release, protocol: str, rows: Sequence[Row]) -> Mapping[str, Earlier]:
    """What the family says of histories; nothing where it has no `histories`."""
    histories = _histories(release)
    return {} if histories is None else histories(release, protocol, rows)


def _histories(release: Release) -> Histories | None:
    try:
        module = registry.family_module("builders", release.family.name)
    except UnknownName:
        return None  # a family that is only marked
    return cast("Histories | None", getattr(module, "histories", None))


def names_of_answers(release: Release, histories: Mapping[str, Earlier]) -> dict[str, str]:
    """By clip that is shown as a right answer, a name that does not say which option it was."""
    told = sorted({earlier.told for earlier in histories.values() if earlier.told is not None})
    return {clip: keys.keyed_id(release.key, "c", ["shown as an answer", clip]) for clip in told}
