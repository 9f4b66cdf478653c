"""Submissions that stand beside each other: what a family needs to know of them to say in what they differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from earmark.manifests.canonical import Json
    from earmark.scoring.decisions import Decisions
    from earmark.scoring.submissions import Submission

AGAINST = "against:"
"""How the name of a slice begins that sets a submission against another."""


@dataclass(frozen=True)
class Judged:
    """A submission beside another.

    Args:
        name: What it is called, of one kind among those that stand beside it.
        judge: What it says of the judge.
        decisions: What was decided, by its own protocol.
    """

    name: str
    judge: Mapping[str, Json]
    decisions: Decisions

    @property
    def slice(self) -> str:
        """The slice of a report that is set against it."""
        return f"{AGAINST}{self.name}"


def judged(read: Sequence[tuple[Submission, Decisions]], usual: str | None = None) -> list[Judged]:
    """Submissions with names that tell them apart: the judge's or the file's, the persona, and a protocol that is not usual.

    Args:
        read: The submissions, the one that is marked first.
        usual: The protocol that names leave out; without, that of the first. Where all are peers it must not be somebody's, or
            their names would hang on who comes first.
    """
    found: list[Judged] = []
    usual = usual or next((decisions.owed.protocol for _, decisions in read), None)
    for submission, decisions in read:
        judge = submission.described()["judge"]
        said: Mapping[str, Json] = judge if isinstance(judge, Mapping) else {}
        protocol = decisions.owed.protocol
        another = protocol if protocol != usual else None
        parts = [said.get("name") or submission.name.rpartition(".")[0], said.get("persona"), another]
        name = ", ".join(str(part) for part in parts if part)
        taken = {other.name for other in found}
        unique = next(n for n in range(1, len(taken) + 2) if (name if n == 1 else f"{name} ({n})") not in taken)
        found.append(Judged(name if unique == 1 else f"{name} ({unique})", said, decisions))
    return found
