"""Whether a release says of itself all that whoever cites, hosts or uses it must know."""

from __future__ import annotations

from dataclasses import dataclass

from earmark.manifests.findings import Findings
from earmark.manifests.licences import Licence
from earmark.manifests.release import Release


@dataclass(frozen=True, kw_only=True)
class Creator:
    """Somebody who made the release.

    Args:
        name: Their name, or an organisation's.
        email: Where they can be reached.
        orcid: Their ORCID iD, such as 0000-0002-1825-0097.
    """

    name: str
    email: str | None = None
    orcid: str | None = None


@dataclass(frozen=True, kw_only=True)
class Publication:
    """What a published copy says of itself.

    Args:
        name: Name of the release line.
        version: Semantic version of the data.
        published: Date, YYYY-MM-DD.
        creators: Who made it, in the recipe's order; at least one.
        url: Where it is published, http or https.
        licence: The release's own licence.
        intended_use: What it is for, from its family.
        out_of_scope: What it is not for, from its family.
    """

    name: str
    version: str
    published: str
    creators: tuple[Creator, ...]
    url: str
    licence: Licence
    intended_use: str
    out_of_scope: str


def ready(release: Release, findings: Findings) -> Publication | None:
    """What a release says of itself, from its stored recipe and its family.

    Args:
        release: The release.
        findings: Told of everything that is lacking or wrong.

    Returns:
        None where anything is.
    """
    raise NotImplementedError
