"""The end of a chapter: the release as others get it, and whether every byte of it is as it was written."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from earmark.builders.publishing.looking_over import Wanted
from earmark.builders.publishing.publish import Published, publish
from earmark.cli.published_baselines import Baselines
from earmark.manifests.copies.verifying import Verified, verify
from earmark.manifests.findings import Findings

if TYPE_CHECKING:
    from earmark.builders.media import Progress
    from earmark.manifests.canonical import Json
    from earmark.manifests.release import Release

WHY = "miniatures bear the names of corpora under stricter licences"
"""What publishing warns of here."""


@dataclass(frozen=True)
class Copy:
    """A published copy with hidden answers that was looked at as whoever downloads it does.

    Args:
        published: What was written.
        verified: What was read again.
        findings: What publishing found.
        checked: What reading it again found.
    """

    published: Published
    verified: Verified
    findings: Findings
    checked: Findings

    def fact(self) -> tuple[str, str]:
        """The copy in a line."""
        told = f"{self.published.path}: {self.verified.files} files, every byte as listed, and no answer among them"
        return "copy", f"{told}; {self.findings.summary()} ({WHY})" if len(self.findings) else told

    def as_json(self) -> dict[str, Json]:
        """The copy for machines."""
        return {**self.published.as_json(), "publish": self.findings.as_json(), "verify": self.checked.as_json()}


def publish_hidden(release: Release, to: Path, progress: Progress) -> Copy:
    """Publish a release without its answers, and verify the copy.

    Args:
        release: The release.
        to: Folder to write; must not exist.
        progress: Told how far it is.

    Raises:
        Refused: If it may not be published, or is not as it was written.
    """
    findings, checked = Findings(), Findings()
    miniatures = tuple(source.corpus for source in release.manifest.sources)
    wanted = Wanted(to=to, baselines=Baselines(open_gold=False), as_stated=miniatures)
    published = publish(release, wanted, findings, progress)
    verified = verify(to, checked, progress=progress)
    checked.require_none()
    return Copy(published, verified, findings, checked)
