"""How a release is cited: CITATION.cff, and the same for BibTeX."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from typing import TYPE_CHECKING

from earmark.builders.publishing.texts.markdown import one_line
from earmark.builders.publishing.texts.yaml_text import comment, yaml_text

if TYPE_CHECKING:
    from earmark.builders.publishing.readiness import Creator
    from earmark.builders.publishing.texts.facts import Facts
    from earmark.manifests.canonical import Json

_BODIES = re.compile(
    r"(?i)\b(universit\w*|institut\w*|department|laborator\w*|labs?|school|college|team|group|project|developers|authors|"
    r"inc|ltd|llc|gmbh|corp|co|ag|s\.?a|foundation|society|association|cent(er|re))\b"
)
"""Words of names with a comma in them that are no person's."""

_EMAIL = re.compile(r"\S+@\S+\.\S{2,}")
"""What the schema takes for an address."""

_MOST_PARTS = 4  # words of a family name, and of given names

_LATER = frozenset({"CDLA-Permissive-2.0"})
"""Licences that SPDX lists and the schema of CITATION.cff 1.2.0, which is older, does not know."""


def citation(facts: Facts) -> str:
    """CITATION.cff 1.2.0 of a data set."""
    known = facts.licence.spdx and facts.licence.id not in _LATER
    entry: dict[str, Json] = {
        "cff-version": "1.2.0",
        "message": "If you use this data set, please cite it, and the corpora that its clips are from.",
        "type": "dataset",
        "title": cited_title(facts),
        "abstract": facts.intended_use,
        "authors": [_author(creator) for creator in facts.creators],
        "version": facts.version,
        "date-released": facts.published,
        "url": facts.url,
        **({"license": facts.licence.id} if known else {"license-url": facts.licence.url}),
        "keywords": ["benchmark", "speech", "paralinguistics", "audio", facts.family],
        "identifiers": [
            {"type": "other", "value": facts.content_hash, "description": "Content hash of the release"},
            {"type": "other", "value": f"urn:uuid:{facts.canary}", "description": "Canary of the release line"},
        ],
    }
    return comment(facts.canary_sentence) + yaml_text(entry)


def bibtex(facts: Facts) -> str:
    """The same as an entry for BibTeX, whatever is in the names."""
    key = re.sub(r"[^A-Za-z0-9]+", "-", f"{_ascii(facts.name)}-{facts.version}").strip("-")
    fields = {
        "title": f"{{{_tex(cited_title(facts))}}}",
        "author": " and ".join(map(_tex_author, facts.creators)),
        "year": _tex(facts.published[:4]),
        "version": _tex(facts.version),
        "url": _tex_url(facts.url),
        "note": _tex(f"Content hash {facts.content_hash}"),
    }
    lines = "".join(f"  {name:<7} = {{{value}}},\n" for name, value in fields.items())
    return f"@misc{{{key},\n{lines}}}\n"


def cited_title(facts: Facts) -> str:
    """What a citation calls the release: its own name, then its family's."""
    return f"{facts.name}: {facts.title}"


def person(name: str) -> tuple[str, str] | None:
    """Family and given names, only where a name is written "Family, Given" and is no body's.

    >>> person("Lovelace, Ada"), person("Ada Lovelace"), person("Acme, Inc."), person("University of X, Speech Lab")
    (('Lovelace', 'Ada'), None, None, None)
    """
    parts = [part.strip() for part in name.split(",")]
    if len(parts) != 2 or _BODIES.search(name) or not all(0 < len(part.split()) <= _MOST_PARTS for part in parts):
        return None
    return parts[0], parts[1]


def _author(creator: Creator) -> Mapping[str, Json]:
    names = person(creator.name)
    named = {"name": creator.name} if names is None else {"family-names": names[0], "given-names": names[1]}
    orcid = {} if creator.orcid is None else {"orcid": f"https://orcid.org/{creator.orcid}"}
    email = {} if creator.email is None or not _EMAIL.fullmatch(creator.email) else {"email": creator.email}
    return {**named, **email, **orcid}


def _tex_author(creator: Creator) -> str:
    """A person as BibTeX reads one; any other name in braces, so that neither "and" nor a comma parts it."""
    names = person(creator.name)
    return f"{{{_tex(creator.name)}}}" if names is None else ", ".join(f"{{{_tex(name)}}}" for name in names)


_TEX = {
    **{letter: f"\\{letter}" for letter in "&%$#_"},
    "\\": "\\textbackslash ",
    "{": "(",
    "}": ")",
    "~": "\\textasciitilde ",
    "^": "\\textasciicircum ",
    "`": "'",
}


def _tex(text: str) -> str:
    """A text for BibTeX on one line: braces, which could end a field, become parentheses."""
    return "".join(_TEX.get(letter, letter) for letter in one_line(text))


def _tex_url(url: str) -> str:
    return re.sub(r"[{}\\%\s`]", lambda found: f"\\%{ord(found[0]):02X}" if ord(found[0]) < 0x80 else "", one_line(url))


def _ascii(text: str) -> str:
    return unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
