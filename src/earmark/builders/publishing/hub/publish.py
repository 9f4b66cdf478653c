"""Publishing to a hub: a copy is made beside the release, checked byte for byte and uploaded; answers go where nobody looks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from earmark.builders.media import Progress
from earmark.builders.publishing.hub.addresses import Destination
from earmark.builders.publishing.hub.contents import require_true
from earmark.builders.publishing.hub.staged import Staged, staged
from earmark.builders.publishing.hub.upload import Uploaded, require_repository, upload
from earmark.manifests.canonical import Json
from earmark.manifests.copies.verifying import verify
from earmark.manifests.errors import EarmarkError
from earmark.manifests.findings import Findings

if TYPE_CHECKING:
    from earmark.builders.publishing.hub.client import Hub
    from earmark.builders.publishing.looking_over import Wanted
    from earmark.manifests.release import Release


@dataclass(frozen=True)
class Places:
    """Where a copy goes.

    Args:
        to: The copy's repository.
        answers_to: That of the hidden answers, if they go to the hub as well; it is private whatever this says.
        staging: Folder that the copy waits in.
    """

    to: Destination
    staging: Path
    answers_to: Destination | None = None


@dataclass(frozen=True)
class OnHub:
    """What is on a hub now.

    Args:
        staged: The copy that was uploaded.
        copy: What became of it.
        answers: What became of the hidden answers, if they went there.
    """

    staged: Staged
    copy: Uploaded
    answers: Uploaded | None

    def as_json(self) -> Mapping[str, Json]:
        """The same for machines."""
        return {"copy": self.copy.as_json(), "answers": None if self.answers is None else self.answers.as_json()}


def publish_on_hub(
    release: Release, wanted: Wanted, places: Places, hub: Hub, findings: Findings, progress: Progress
) -> OnHub:
    """Publish a release to a hub.

    Args:
        release: The release, as it was built.
        wanted: What is wanted of the copy.
        places: Where it goes.
        hub: The hub.
        findings: What was found on the way.
        progress: Told how far it is.

    Raises:
        Refused: If something speaks against publishing it, or the copy is not as it was made.
        HubError: If the hub or what is there speaks against it.
        EarmarkError: If the copy cannot be made.
    """
    hidden = places.answers_to
    if hidden is not None:
        if hidden.repository.lower() == places.to.repository.lower():
            raise EarmarkError(f"{places.to} is for everybody; the answers need a repository of their own")
        hidden = Destination(hidden.repository, hidden.branch, private=True)
    hub.account()
    made = staged(release, wanted, places.staging, answers=hidden is not None, findings=findings, progress=progress)
    copy, answers = made.published.path, made.published.answers
    found = Findings()
    verify(copy, found, progress=progress)
    found.require_none()
    # Whether answers may go where they are to is settled before anything is shown.
    if hidden is not None and answers is not None:
        require_true(answers)
        require_repository(hub, hidden)
    uploaded = upload(hub, copy, places.to, progress)
    if hidden is None or answers is None:
        return OnHub(made, uploaded, None)
    return OnHub(made, uploaded, upload(hub, answers, hidden, progress))
