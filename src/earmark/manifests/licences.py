"""Licences: what the one that a corpus states lets anybody do with clips that are cut from it.

A clip is an adapted copy: cut, often resampled, and embedded in a file of others. A licence that Earmark does not know is no
licence, and nothing that is from a corpus without one may be shared, not even where its clips start and end.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from earmark.manifests.findings import nearest


@dataclass(frozen=True, kw_only=True)
class Licence:
    """What a licence asks for and lets be done.

    Args:
        id: SPDX identifier; one of SPDX's form for others where it has none.
        name: What people call it.
        url: Where its words stand.
        spdx: Whether SPDX lists it; only such ones can be a release's own.
        attribution: Whether whoever shares copies must say whose the original is.
        non_commercial: Whether copies may be used for non-commercial purposes only.
        share_alike: Whether adapted copies may be shared under the same licence only.
        modified_allowed: Whether adapted copies may be shared at all; where not, neither are texts nor rows about speakers.
        share: Whether anything may be shared, if only how clips are cut.
    """

    id: str
    name: str
    url: str
    spdx: bool = True
    attribution: bool = True
    non_commercial: bool = False
    share_alike: bool = False
    modified_allowed: bool = True
    share: bool = True

    @property
    def conditions(self) -> frozenset[str]:
        """What it asks for, so that a licence with more of them is the stricter one."""
        asked = {
            "attribution": self.attribution,
            "non-commercial": self.non_commercial,
            "share-alike": self.share_alike,
            "unmodified": not self.modified_allowed,
            "unshared": not self.share,
        }
        return frozenset(name for name, holds in asked.items() if holds)

    def looser_than(self, other: Licence) -> bool:
        """Whether it lacks a condition that another one has."""
        return not self.conditions >= other.conditions


_CLAUSES = {"by": "Attribution", "nc": "NonCommercial", "sa": "ShareAlike", "nd": "NoDerivatives"}
_SUFFIX = {"4.0": "International", "3.0": "Unported", "2.5": "Generic", "2.0": "Generic"}


def _creative_commons() -> list[Licence]:
    """All of Creative Commons, the newest before the others."""
    made = [
        Licence(
            id="CC0-1.0",
            name="Creative Commons Zero 1.0 Universal",
            url="https://creativecommons.org/publicdomain/zero/1.0/",
            attribution=False,
        )
    ]
    for version, suffix in _SUFFIX.items():
        for clauses in ("by", "by-sa", "by-nc", "by-nc-sa", "by-nd", "by-nc-nd"):
            words = "-".join(_CLAUSES[clause] for clause in clauses.split("-"))
            made.append(
                Licence(
                    id=f"CC-{clauses.upper()}-{version}",
                    name=f"Creative Commons {words} {version} {suffix}",
                    url=f"https://creativecommons.org/licenses/{clauses}/{version}/",
                    non_commercial="nc" in clauses,
                    share_alike="sa" in clauses,
                    modified_allowed="nd" not in clauses,
                )
            )
    return made


SVC_TERMS = "Sonos Crowdsourced Data Licence Terms"
"""What Sonos SVC is under: research, and publication of the unmodified data only."""

_OTHERS = [
    Licence(id="MIT", name="MIT License", url="https://opensource.org/license/mit"),
    Licence(id="Apache-2.0", name="Apache License 2.0", url="https://www.apache.org/licenses/LICENSE-2.0"),
    Licence(
        id="ODC-By-1.0",
        name="Open Data Commons Attribution License 1.0",
        url="https://opendatacommons.org/licenses/by/1-0/",
    ),
    Licence(
        id="CDLA-Permissive-2.0",
        name="Community Data License Agreement Permissive 2.0",
        url="https://cdla.dev/permissive-2-0/",
    ),
    Licence(
        id="LicenseRef-Sonos-Crowdsourced-Data",
        name=SVC_TERMS,
        url="https://github.com/sonos/svc-demographic-bias-assessment",
        spdx=False,
        non_commercial=True,
        share_alike=True,
        modified_allowed=False,
    ),
    Licence(
        id="LicenseRef-All-Rights-Reserved",
        name="All rights reserved",
        url="https://www.wipo.int/treaties/en/ip/berne/",
        spdx=False,
        non_commercial=True,
        share_alike=True,
        modified_allowed=False,
        share=False,
    ),
]

LICENCES: Mapping[str, Licence] = {licence.id: licence for licence in (*_creative_commons(), *_OTHERS)}
"""Every licence that Earmark knows, by its id."""

USUAL: Mapping[str, str] = {
    "seamless-interaction": "CC-BY-NC-4.0",
    "expresso": "CC-BY-NC-4.0",
    "ears": "CC-BY-NC-4.0",
    "svc": SVC_TERMS,
    "libritts": "CC-BY-4.0",
}
"""The licence that each corpus that Earmark reads is given out under; a recipe may state another one of a copy."""

_NOT_STATED = frozenset({"", "none", "not-stated", "none-stated", "unknown", "pending", "license-pending"})
_MOST = 300  # characters that a licence may be called by


def licence(text: str | None) -> Licence | None:
    """The licence that a text names: its SPDX id, its name or its address, however it is spaced or cased.

    Args:
        text: What a corpus or a recipe states.

    Returns:
        None where it states none, or one that Earmark does not know.

    >>> licence("CC BY-NC 4.0").id, licence("https://creativecommons.org/licenses/by/4.0/").id, licence("not stated")
    ('CC-BY-NC-4.0', 'CC-BY-4.0', None)
    """
    return None if text is None or len(text) > _MOST else _BY_SPELLING.get(_spelt(text))


def stated(text: str | None) -> bool:
    """Whether a text names any licence at all, known or not."""
    return text is not None and _spelt(text[:_MOST]) not in _NOT_STATED


def valid_licences(text: str) -> str:
    """What could be meant by a licence that Earmark does not know, as a phrase for `expected`."""
    return nearest(text[:_MOST], LICENCES)


def _spelt(text: str) -> str:
    """A spelling that does not depend on case, spaces, hyphens, whose English it is, or how an address begins and ends."""
    bare = re.sub(r"^https?://(www\.)?", "", text.strip().casefold())
    bare = re.sub(r"/((deed|legalcode)(\.[a-z_-]+)?)?$", "", bare)
    return re.sub(r"[\s_-]+", "-", bare.replace("licence", "license"))


def _spellings(entry: Licence) -> list[str]:
    creative = entry.name.removeprefix("Creative Commons ")
    short = creative.removesuffix(" International").removesuffix(" Unported").removesuffix(" Generic")
    names = [entry.id, entry.name, entry.url, creative, short, f"Creative Commons {short}"]
    return [*names, "CC0", "CC-Zero"] if entry.id == "CC0-1.0" else names


_BY_SPELLING = {_spelt(spelling): entry for entry in LICENCES.values() for spelling in _spellings(entry)}
