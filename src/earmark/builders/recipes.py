"""Recipes: what a build is told, as TOML. Every section is checked, and all that is wrong is said at once."""

from __future__ import annotations

import codecs
import re
import tomllib
from collections.abc import Mapping, Sequence
from enum import Enum
from pathlib import Path
from typing import Literal, TypeVar, get_args, get_origin

import msgspec

from earmark.manifests.canonical import Json
from earmark.manifests.errors import EarmarkError, Refused
from earmark.manifests.findings import Findings, Severity, declare
from earmark.manifests.release import LINE_PATTERN, VERSION_PATTERN

UNREADABLE = declare("recipe.unreadable", Severity.ERROR, "the recipe cannot be read")
SECTION = declare("recipe.section", Severity.ERROR, "a section of the recipe is wrong")
UNKNOWN_SECTION = declare(
    "recipe.unknown-section", Severity.ERROR, "the recipe has a section that this family does not know"
)

MOST_BYTES = 1 << 20
"""Largest recipe that is read."""

RecipeT = TypeVar("RecipeT", bound=msgspec.Struct)

_AT = re.compile(r" - at `\$\.(?P<name>[^.\[`]+)(\[[^\]]*\])?`$")
"""A field of the section itself, or an entry of it."""


class ReleaseSection(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[release]`: what the release is called.

    Args:
        name: Name of the release line.
        version: Semantic version of the data.
        seed: Public seed of what is drawn independently of the gold, and of one draw among others under one key.
        published: Date, ISO 8601.
        creators: Names of people.
        url: Where it is published.
        licence: Licence of the release.
    """

    name: str
    version: str
    seed: int = 0
    published: str | None = None
    creators: tuple[str, ...] = ()
    url: str | None = None
    licence: str | None = None

    def __post_init__(self) -> None:
        if not re.fullmatch(LINE_PATTERN, self.name):
            raise ValueError(f"name {self.name!r} must match {LINE_PATTERN}, so that it can be a file name everywhere")
        if not re.fullmatch(VERSION_PATTERN, self.version):
            raise ValueError(f"version {self.version!r} must be MAJOR.MINOR.PATCH")
        if not 0 <= self.seed < 2**63:
            raise ValueError(f"seed {self.seed} must be in 0 … 2⁶³ − 1")


def read_toml(path: Path) -> Mapping[str, Json]:
    """A TOML file as plain values.

    Raises:
        Refused: If it cannot be read.
    """
    findings = Findings()
    try:
        if path.exists() and (not path.is_file() or path.stat().st_size > MOST_BYTES):
            raise EarmarkError(f"cannot read {path}: a recipe is a file of at most {MOST_BYTES:,} bytes")
        data = path.read_bytes()
        # What Windows PowerShell redirects into a file, such as the output of --print-recipe, is UTF-16.
        encoding = "utf-16" if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else "utf-8-sig"
        value = _plain(tomllib.loads(data.decode(encoding)))
    except OSError as error:
        raise EarmarkError(f"cannot read {path}: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        findings.add(UNREADABLE, file=str(path), found=error)
        raise Refused(findings) from error
    return value


def _plain(table: Mapping[str, object]) -> Mapping[str, Json]:
    """The same with dates as texts: TOML has them, and whoever writes when something was published need not quote it."""
    plain: Mapping[str, Json] = msgspec.to_builtins(table)
    return plain


def known_fields(error: Exception, section: object) -> str | None:
    """What may stand where a section has an unknown field or an unknown word; None of other errors, and further within.

    Args:
        error: What msgspec said.
        section: The section's record.
    """
    if not isinstance(section, type) or not issubclass(section, msgspec.Struct):
        return None
    fields = {field.encode_name: field for field in msgspec.structs.fields(section)}
    said, at = str(error), _AT.search(str(error))
    known: Sequence[str] = ()
    if "unknown field" in said and " - at " not in said:
        known = list(fields)
    elif said.startswith("Invalid enum value") and at is not None and at["name"] in fields:
        known = _words(fields[at["name"]].type)
    return f"one of {', '.join(known)}" if known else None


def _words(kind: object) -> list[str]:
    """The words that a type allows: those of its literals and enumerations."""
    if isinstance(kind, type) and issubclass(kind, Enum):
        return [str(member.value) for member in kind]
    if get_origin(kind) is Literal:
        return [str(value) for value in get_args(kind)]
    return [word for part in get_args(kind) for word in _words(part)]


def check_recipe(value: Mapping[str, Json], recipe: type[RecipeT], *, file: str | None = None) -> RecipeT:
    """A recipe as its family's record, every section checked.

    Args:
        value: Plain values, as from TOML.
        recipe: The family's record; each field is a section.
        file: Name to say in findings.

    Raises:
        Refused: If a section is unknown, missing or wrong.
    """
    findings = Findings()
    sections = {field.encode_name: field for field in msgspec.structs.fields(recipe)}
    made: dict[str, object] = {}
    for name in value.keys() - sections.keys():
        findings.add(UNKNOWN_SECTION, file=file, id=f"[{name}]", expected=f"one of {', '.join(sections)}")
    for name, field in sections.items():
        if name not in value and not field.required:
            continue
        try:
            made[name] = msgspec.convert(value.get(name, {}), field.type)
        except (msgspec.ValidationError, ValueError) as error:
            findings.add(SECTION, file=file, id=f"[{name}]", found=str(error), expected=known_fields(error, field.type))
    findings.require_none()
    return recipe(**made)
