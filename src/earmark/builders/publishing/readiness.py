"""Whether a release says of itself all that whoever cites, hosts or uses it must know."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from earmark.builders.publishing.policy import release_licence
from earmark.manifests.findings import Findings, Severity, declare
from earmark.manifests.licences import Licence, stated, valid_licences
from earmark.manifests.release import Release

DATE = declare("publish.date", Severity.ERROR, "the release has no date of publication")
CREATORS = declare("publish.creators", Severity.ERROR, "the release names nobody who made it")
CREATOR = declare("publish.creator", Severity.ERROR, "a creator cannot be cited by what is said of them")
URL = declare("publish.url", Severity.ERROR, "the release has no address")
LICENCE = declare("publish.licence", Severity.ERROR, "the release itself has no licence")
NO_USE = declare("publish.no-intended-use", Severity.ERROR, "the family does not say what its releases are for")
NO_SCOPE = declare("publish.no-out-of-scope", Severity.ERROR, "the family does not say what its releases are not for")

MOST_CREATORS, _MOST_NAME, _MOST_URL = 1000, 200, 2000

_EMAIL = r"[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+"
_CREATOR = re.compile(
    rf"(?P<name>[^<>()@]*[^<>()@\s])(\s*<(?P<email>{_EMAIL})>)?(\s*\((https://orcid\.org/)?(?P<orcid>([0-9]{{4}}-){{3}}[0-9]{{3}}[0-9X])\))?"
)
_HOW = "a name, and if wanted an address and an ORCID iD: Ada Lovelace <ada@example.org> (0000-0002-1825-0097)"


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
    before = findings.count(Severity.ERROR)
    stored = release.manifest.recipe.get("release")
    said: Mapping[str, object] = stored if isinstance(stored, Mapping) else {}
    published = _date(said.get("published"), findings)
    creators = _creators(said.get("creators"), findings)
    url = _url(said.get("url"), findings)
    own = _licence(release, said.get("licence"), findings)
    family = release.family
    for text, code, field in (
        (family.intended_use, NO_USE, "intended_use"),
        (family.out_of_scope, NO_SCOPE, "out_of_scope"),
    ):
        if not text.strip():
            findings.add(code, id=family.name, expected=f"{field} in the family's record")
    if own is None or findings.count(Severity.ERROR) > before:
        return None
    return Publication(
        name=release.manifest.name,
        version=release.manifest.version,
        published=published,
        creators=creators,
        url=url,
        licence=own,
        intended_use=family.intended_use,
        out_of_scope=family.out_of_scope,
    )


def _date(value: object, findings: Findings) -> str:
    text = value if isinstance(value, str) else ""
    try:
        return dt.date.fromisoformat(text if re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", text) else "").isoformat()
    except ValueError:
        findings.add(DATE, id="[release]", column="published", found=value, expected='a day, such as "2026-03-31"')
        return ""


def _creators(value: object, findings: Findings) -> tuple[Creator, ...]:
    if not isinstance(value, list | tuple) or not 0 < len(value) <= MOST_CREATORS:
        found = f"{len(value)} of them" if isinstance(value, list | tuple) and value else None
        expected = f"1 to {MOST_CREATORS} of them, each {_HOW}"
        findings.add(CREATORS, id="[release]", column="creators", found=found, expected=expected)
        return ()
    creators = []
    for entry in value:
        creator = read_creator(entry) if isinstance(entry, str) else None
        if creator is None:
            findings.add(CREATOR, id="[release]", column="creators", found=entry, expected=_HOW)
        else:
            creators.append(creator)
    return tuple(creators)


def read_creator(text: str) -> Creator | None:
    """Somebody by what a recipe says of them; None where that is no name that can be printed on one line.

    >>> read_creator("Ada Lovelace <ada@example.org> (0000-0002-1825-0097)")
    Creator(name='Ada Lovelace', email='ada@example.org', orcid='0000-0002-1825-0097')
    """
    found = _CREATOR.fullmatch(text.strip()) if len(text) <= _MOST_NAME and text.isprintable() else None
    if found is None or not any(letter.isalpha() for letter in found["name"]):
        return None
    orcid = found["orcid"]
    if orcid is not None and not _is_orcid(orcid):
        return None
    return Creator(name=" ".join(found["name"].split()), email=found["email"], orcid=orcid)


def _is_orcid(text: str) -> bool:
    """Whether the last character is the check of the others: ISO 7064, MOD 11-2."""
    total = 0
    for digit in text[:-1].replace("-", ""):
        total = (total + int(digit)) * 2
    return text[-1] == "0123456789X"[(12 - total % 11) % 11]


def _url(value: object, findings: Findings) -> str:
    text = value if isinstance(value, str) else ""
    if not _is_address(text):
        expected = "an http or https address, such as https://example.org/name"
        findings.add(URL, id="[release]", column="url", found=value, expected=expected)
        return ""
    return text


def _is_address(text: str) -> bool:
    if len(text) > _MOST_URL or re.fullmatch(r"https?://[!-~]+", text) is None or set(text) & set('<>"\\^`{|}'):
        return False
    try:
        parts = urlsplit(text)
        return bool(parts.hostname) and parts.username is None and (parts.port is None or parts.port > 0)
    except ValueError:
        return False


def _licence(release: Release, value: object, findings: Findings) -> Licence | None:
    own = release_licence(release)
    if own is None:
        text = value if isinstance(value, str) and stated(value) else None
        expected = valid_licences("" if text is None else text)
        findings.add(LICENCE, id="[release]", column="licence", found=value, expected=expected)
    return own
