"""What a published copy has of rules that do not listen: made where files are marked, told to where copies are made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from earmark.builders.media import Progress
    from earmark.builders.publishing.texts.facts import BaselineFacts
    from earmark.manifests.release import Release


@dataclass(frozen=True)
class Baselines:
    """Writes their folder, and tells what the card says of them.

    Args:
        open_gold: Whether the answers are published.
    """

    open_gold: bool

    def __call__(self, release: Release, folder: Path, progress: Progress) -> Sequence[BaselineFacts]:
        """Answer a release into a folder; whatever knows what is right of the very item is no rule to be better than."""
        from earmark.builders.publishing.texts.facts import BaselineFacts
        from earmark.scoring.baselines.published import published_baselines

        told = published_baselines(release, folder, open_gold=self.open_gold, progress=progress)
        return [
            BaselineFacts(
                name=entry.baseline.name,
                means=entry.baseline.means,
                protocol=entry.protocol,
                metric=entry.metric,
                value=entry.value,
                interval=entry.interval_text,
                reason=entry.reason,
            )
            for entry in told
            if entry.baseline.knows != "gold"
        ]
