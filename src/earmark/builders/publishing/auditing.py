"""Validation of a release while its audio is copied already: either takes long, and each leaves a processor to the other."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass

from earmark.builders.media import Progress
from earmark.manifests.errors import Refused
from earmark.manifests.findings import Findings, Severity, declare
from earmark.manifests.release import Release
from earmark.validation.invariants import validate

UNSOUND = declare("publish.unsound", Severity.ERROR, "the release breaks an invariant")

_TURN_S = 0.0002
"""How long Python goes on with one thread where another waits: whoever copies needs it for a moment at every file."""


@dataclass(frozen=True)
class Auditing:
    """A validation that is under way.

    Args:
        release: The release.
        found: What it will find.
    """

    release: Release
    found: Future[Findings]

    def settled(self, findings: Findings) -> Findings:
        """What it found, once it has; errors stand among the findings of what is published then.

        Args:
            findings: Those.
        """
        audit = self.found.result()
        if audit.failed:
            findings.extend(audit)
            expected = "nothing that validate calls an error"
            findings.add(UNSOUND, file=str(self.release.path), found=audit.summary(), expected=expected)
        return audit

    def heeded(self, progress: Progress) -> Progress:
        """The same progress, at which it ends at once where an error was found meanwhile."""

        def tell(what: str, done: int, total: int) -> None:
            progress(what, done, total)
            if self.found.done() and self.found.result().failed:
                findings = Findings()
                self.settled(findings)
                raise Refused(findings)

        return tell


@contextmanager
def auditing(release: Release) -> Iterator[Auditing]:
    """Validate a release by another thread; the bytes of its audio are not hashed, as whoever copies them does that."""
    turn = sys.getswitchinterval()
    sys.setswitchinterval(_TURN_S)
    try:
        with ThreadPoolExecutor(max_workers=1) as pool:
            yield Auditing(release, pool.submit(validate, release, hears=False))
    finally:
        sys.setswitchinterval(turn)
