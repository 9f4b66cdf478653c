"""Speech that was synthesised for a release: it is called by the release's name, and nobody else has it as a corpus."""

from __future__ import annotations

from earmark.manifests.attempts import ATTEMPTS
from earmark.manifests.release import Release

_ADOPTED = "adopted"
"""Section of the recipe of a release whose dialogues others made."""


def synthesised(release: Release) -> frozenset[str]:
    """The names under which a release lists speech that was synthesised for it as its corpora.

    Args:
        release: A release of any family.
    """
    if ATTEMPTS.name not in release.family.tables() or _ADOPTED in release.manifest.recipe:
        return frozenset()
    return frozenset(source.corpus for source in release.manifest.sources if source.corpus == release.manifest.name)
