"""What of a release may be published: of each clip its audio, how it is cut, or nothing, as its corpus's licence lets it."""

from __future__ import annotations

from dataclasses import dataclass

from earmark.manifests.findings import Findings
from earmark.manifests.licences import Licence, licence
from earmark.manifests.release import Release


@dataclass(frozen=True)
class Shipping:
    """What is published of each clip; a clip in neither set is not published at all.

    Args:
        audio: Ids of the clips whose FLAC files are shipped.
        recipes: Ids of the clips of which is told how they are cut instead.
        sources: Ids of the clips whose row of `sources` (speaker, words, path …) may be published where the gold is open.
    """

    audio: frozenset[str]
    recipes: frozenset[str]
    sources: frozenset[str] = frozenset()


def shipping(release: Release, *, recipes: bool, findings: Findings) -> Shipping:
    """What may be published of each clip.

    Args:
        release: The release.
        recipes: Whether clips whose audio may not be shared are described instead; without, each of them is an error.
        findings: Told of every clip that may not be published, and why.
    """
    raise NotImplementedError


def release_licence(release: Release) -> Licence | None:
    """The release's own licence; None where its recipe states none or one that Earmark does not know."""
    section = release.manifest.recipe.get("release")
    text = section.get("licence") if isinstance(section, dict) else None
    return licence(text) if isinstance(text, str) else None


def text_may_ship(clip: Licence | None, release: Licence | None) -> bool:
    """Whether words of a corpus may stand in what is published.

    Args:
        clip: The corpus's licence; None for none.
        release: The release's own.
    """
    raise NotImplementedError


def speakers_may_ship(clip: Licence | None, release: Licence | None) -> bool:
    """Whether rows about a corpus's speakers may stand in what is published.

    Args:
        clip: The corpus's licence; None for none.
        release: The release's own.
    """
    raise NotImplementedError
