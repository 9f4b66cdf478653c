"""Modalities: what stood for a clip where a judge judged. Protocols and modalities keep tables apart, and are no fault."""

from __future__ import annotations

from typing import TYPE_CHECKING

from earmark.manifests import registry
from earmark.manifests.errors import EarmarkError
from earmark.manifests.findings import Findings, Severity, declare
from earmark.manifests.leaderboard import UNDECLARED

if TYPE_CHECKING:
    from earmark.scoring.leaderboard.reading import Reported

OTHER_MODALITY = declare(
    "leaderboard.other-modality", Severity.WARNING, "the judge was given something else than its protocol presents"
)


class Modalities:
    """What each protocol presents; each is looked up once, since that asks all installed packages."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], str | None] = {}

    def of(self, one: Reported, findings: Findings) -> str:
        """What stood for a clip: what the submitter says, else what the protocol presents, else `UNDECLARED`.

        Args:
            one: The report.
            findings: Where it is said that the two differ.
        """
        declared, presented = one.judge.get("modality"), self.presented(one)
        if not isinstance(declared, str):
            return presented or UNDECLARED
        if presented is not None and declared != presented:
            expected = (
                f"{presented}, as protocol {one.report.signature['protocol']} has it; it stands in a table of its own"
            )
            findings.add(OTHER_MODALITY, file=one.file, column="judge.modality", found=declared, expected=expected)
        return declared

    def presented(self, one: Reported) -> str | None:
        """What a report's protocol presents; None where its family is not installed or has no such protocol."""
        names = str(one.report.signature["family"]), str(one.report.signature["protocol"])
        if names not in self._known:
            try:
                self._known[names] = registry.family(names[0]).protocol(names[1]).modality
            except EarmarkError:
                self._known[names] = None
        return self._known[names]
