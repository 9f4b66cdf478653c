"""A panel: which items people rate, who rates them, and the ids that stand on each rater's sheet.

`panel.json` is for whoever runs the panel, not for raters: with its secret anybody can tell whose sheet an id is from and what
it stands for. Ids differ from sheet to sheet, so raters who compare sheets see no item in common, and a row that was copied from
another's sheet is known by its id.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from earmark.manifests.canonical import Json, canonical_json, json_text
from earmark.manifests.errors import EarmarkError, ReleaseError
from earmark.manifests.keys import keyed_id, rank
from earmark.manifests.strict import NotStrictJson, read_strict_json

if TYPE_CHECKING:
    from earmark.manifests.release import Release

PANEL_FILE = "panel.json"
"""Name of the file that makes a folder a panel."""

FORMAT = 1
"""Version of that file."""

RATER_PATTERN = r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}"
"""Names of raters, which are names of files too."""

_NAME = r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}"


class Entry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One item of a panel, in the one presentation that every rater gets.

    Args:
        item: Its id.
        presentation: Id of that presentation.
        check: Whether it is an attention check, which no figure counts.
    """

    item: str
    presentation: str
    check: bool = False


class Panel(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What `panel.json` says.

    Args:
        format: Version of the file.
        name: Name of the panel.
        release: Name and version of the release, `name@version`.
        content_hash: What its public side says.
        protocol: The protocol that the presentations belong to.
        raters: Names of raters.
        secret: 64 hexadecimal digits that ids and orders on sheets are drawn with.
        entries: The items, by id.
        instructions: What raters read above every item.
        embed_most_mb: Megabytes of audio up to which it is in the page itself.
    """

    format: int
    name: str
    release: str
    content_hash: str
    protocol: str
    raters: tuple[str, ...]
    secret: str
    entries: tuple[Entry, ...]
    instructions: str = ""
    embed_most_mb: float = 40.0

    def __post_init__(self) -> None:
        if self.format != FORMAT:
            raise ValueError(f"format {self.format} is not {FORMAT}")
        check_panel_name(self.name)
        if not re.fullmatch("[0-9a-f]{64}", self.secret):
            raise ValueError("secret must be 64 hexadecimal digits")
        check_raters(self.raters)
        if len({entry.item for entry in self.entries}) < len(self.entries):
            raise ValueError("an item stands in it twice")

    def sheet(self, rater: str) -> list[tuple[str, Entry]]:
        """The items of one rater under the ids of that rater's sheet, in that rater's order."""
        key = bytes.fromhex(self.secret)
        ranked = sorted(self.entries, key=lambda entry: (rank(key, 0, f"order {rater}", entry.item), entry.item))
        return [(keyed_id(key, "p", [rater, entry.presentation]), entry) for entry in ranked]

    def require_release(self, release: Release) -> None:
        """Make sure that the panel was drawn from this release.

        Raises:
            ReleaseError: If it was not.
        """
        if self.content_hash != release.manifest.content_hash:
            raise ReleaseError(
                f"the panel {self.name} was drawn from {self.release}, content {self.content_hash}; "
                f"{release.path} has content {release.manifest.content_hash}"
            )

    def text(self) -> str:
        """What stands in `panel.json`; equal panels are equal text."""
        value: Json = msgspec.to_builtins(self)
        return json_text(value)


def check_panel_name(name: str) -> None:
    """Make sure that a panel's name can be part of a file's everywhere.

    Raises:
        ValueError: If it cannot.
    """
    if not re.fullmatch(_NAME, name):
        raise ValueError(f"name {name!r} must match {_NAME}")


def check_raters(raters: Sequence[str]) -> None:
    """Make sure that names of raters can be told apart and be names of files everywhere.

    Raises:
        ValueError: If they cannot.
    """
    if not raters:
        raise ValueError("raters must be 1 or more")
    for rater in raters:
        if not re.fullmatch(RATER_PATTERN, rater):
            raise ValueError(f"rater {rater!r} must match {RATER_PATTERN}, so that it can be a file name everywhere")
    if len({rater.casefold() for rater in raters}) < len(raters):
        raise ValueError("raters must have names that differ by more than capitals")


def panel_secret(key: bytes, panel: str, seed: int) -> str:
    """The secret of a panel, which tells nobody the release key."""
    return hashlib.blake2b(canonical_json(["panel", panel, seed]), key=key, digest_size=32).hexdigest()


def read_panel(folder: Path) -> Panel:
    """A panel from its folder.

    Raises:
        EarmarkError: If the folder holds none, or a wrong one.
    """
    file = folder / PANEL_FILE
    try:
        return msgspec.convert(read_strict_json(file), Panel)
    except OSError as error:
        raise EarmarkError(f"{folder} is no panel: cannot read {PANEL_FILE} ({error.strerror})") from error
    except (NotStrictJson, msgspec.ValidationError) as error:
        raise EarmarkError(f"{file} is no panel: {error}") from error


def choices_offered(answer: str) -> tuple[str, ...]:
    """The choices that a prompt offers, in its order, from what it says of the form of the answer.

    Args:
        answer: The `answer` of a row of `prompts`: marks, or a JSON Schema with one enumerated key.

    Raises:
        ReleaseError: If it is neither.

    >>> choices_offered('{"marks": {"[[A]]": "A", "[[B]]": "B"}}')
    ('A', 'B')
    >>> choices_offered('{"type": "object", "properties": {"choice": {"enum": ["N", "P"]}}}')
    ('N', 'P')
    """
    form: Json = json.loads(answer)
    if isinstance(form, Mapping):
        marks, properties = form.get("marks"), form.get("properties")
        if isinstance(marks, Mapping):
            return tuple(dict.fromkeys(str(choice) for choice in marks.values()))
        for schema in properties.values() if isinstance(properties, Mapping) else ():
            if isinstance(schema, Mapping) and isinstance(offered := schema.get("enum"), Sequence):
                return tuple(str(choice) for choice in offered)
    raise ReleaseError(f"a prompt offers no choices: its answer is {answer[:80]!r}")
