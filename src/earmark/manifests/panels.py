"""A panel: which items people rate, what they are asked, who rates them, and the ids that stand on each rater's sheet.

An item is asked about by itself, or together with the others of its group: then the group is the unit, and a form may ask about
it as a whole.

`panel.json` is for whoever runs the panel, not for raters: with its secret anybody can tell whose sheet an id is from and what
it stands for. Ids differ from sheet to sheet, so raters who compare sheets see no item in common, and a row that was copied from
another's sheet is known by its id.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from earmark.manifests.canonical import Json, canonical_json, json_text
from earmark.manifests.errors import EarmarkError, ReleaseError
from earmark.manifests.keys import keyed_id, rank
from earmark.manifests.panel_forms import LETTERS, MOST_SYSTEMS, Criterion, System
from earmark.manifests.revisions.earlier import earlier
from earmark.manifests.strict import NotStrictJson, read_strict_json

if TYPE_CHECKING:
    from earmark.manifests.release import Release

PANEL_FILE = "panel.json"
"""Name of the file that makes a folder a panel."""

FORMAT = 2
"""Version of that file; version 1 knew no groups, forms and rankings, and is read too."""

RATER_PATTERN = r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}"
"""Names of raters, which are names of files too."""

_NAME = r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}"


class Entry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One item of a panel, in the one presentation that every rater gets.

    Args:
        item: Its id.
        presentation: Id of that presentation.
        check: Whether it is an attention check, which no figure counts.
        group: Id of the group that it is asked about with; None where it stands alone.
    """

    item: str
    presentation: str
    check: bool = False
    group: str | None = None

    @property
    def unit(self) -> str:
        """What it is asked about with: its group, or itself."""
        return self.item if self.group is None else self.group


@dataclass(frozen=True, kw_only=True)
class Asked:
    """One question on a sheet: about an entry, about a whole unit, or about what a system said of that unit.

    Args:
        id: Its id on this sheet.
        unit: The unit that it is about.
        entry: The entry whose own question it is.
        criterion: The criterion that it asks about.
        system: The system that is ranked.
        letter: What the sheet calls that system.
    """

    id: str
    unit: str
    entry: Entry | None = None
    criterion: Criterion | None = None
    system: System | None = None
    letter: str = ""

    @property
    def topic(self) -> str | None:
        """What of the unit it asks about: a criterion or a system by its name; None for an entry's own question."""
        named = self.criterion.slug if self.criterion is not None else None
        return self.system.name if self.system is not None else named


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
        entries: The items, by unit and then as they are heard.
        instructions: What raters read above every item.
        embed_most_mb: Megabytes of audio up to which it is in the page itself.
        chooses: Whether raters are asked what the judge is asked of every entry.
        criteria: What they are asked of every unit.
        ranks: What they are asked of every system and unit.
        systems: Whose answers they rank.
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
    chooses: bool = True
    criteria: tuple[Criterion, ...] = ()
    ranks: str = ""
    systems: tuple[System, ...] = ()

    def __post_init__(self) -> None:
        if not 1 <= self.format <= FORMAT:
            raise ValueError(f"format {self.format} is not one of 1 … {FORMAT}")
        check_panel_name(self.name)
        if not re.fullmatch("[0-9a-f]{64}", self.secret):
            raise ValueError("secret must be 64 hexadecimal digits")
        check_raters(self.raters)
        if len({entry.item for entry in self.entries}) < len(self.entries):
            raise ValueError("an item stands in it twice")
        check_topics(self.criteria, self.systems)

    @property
    def units(self) -> Mapping[str, tuple[Entry, ...]]:
        """The entries of each unit, in the panel's order."""
        units: dict[str, tuple[Entry, ...]] = {}
        for entry in self.entries:
            units[entry.unit] = (*units.get(entry.unit, ()), entry)
        return units

    @property
    def topics(self) -> Mapping[str, tuple[str, ...]]:
        """What is asked of every unit, criteria and then systems by name, each with the answers that it may have."""
        places = tuple(str(n) for n in range(1, len(self.systems) + 1))
        return {
            **{criterion.slug: criterion.choices for criterion in self.criteria},
            **{system.name: places for system in self.systems},
        }

    def questions(self, rater: str) -> list[Asked]:
        """Every question of one rater's sheet under its id there, unit by unit in that rater's order."""
        key, units = bytes.fromhex(self.secret), self.units
        ordered = sorted(units, key=lambda unit: (rank(key, 0, f"order {rater}", unit), unit))
        return [asked for unit in ordered for asked in self._of_unit(rater, unit, units[unit], key)]

    def sheet(self, rater: str) -> list[tuple[str, Entry]]:
        """The entries whose own question one rater is asked, under the ids of that rater's sheet, in that rater's order."""
        return [(asked.id, asked.entry) for asked in self.questions(rater) if asked.entry is not None]

    def _of_unit(self, rater: str, unit: str, entries: Sequence[Entry], key: bytes) -> list[Asked]:
        asked = [
            Asked(id=keyed_id(key, "p", [rater, entry.presentation]), unit=unit, entry=entry)
            for entry in entries
            if self.chooses
        ]
        if any(entry.check for entry in entries):
            return asked
        for criterion in self.criteria:
            id = keyed_id(key, "p", [rater, unit, "criterion", criterion.slug])
            asked.append(Asked(id=id, unit=unit, criterion=criterion))
        ranked = sorted(self.systems, key=lambda system: rank(key, 0, f"letters {rater} {unit}", system.name))
        for letter, system in zip(LETTERS, ranked, strict=False):
            id = keyed_id(key, "p", [rater, unit, "system", system.name])
            asked.append(Asked(id=id, unit=unit, system=system, letter=letter))
        return asked

    def left_in(self, release: Release) -> Panel:
        """The panel without what was withdrawn since it was drawn; ids on its sheets and their order stay as they are.

        Args:
            release: The release that it was drawn from, or a later version of it that only withdrawals part from that one.

        Raises:
            ReleaseError: If it is another release, or nothing is left.
        """
        here = release.manifest
        if self.content_hash == here.content_hash:
            return self
        before = earlier(release)
        if self.content_hash not in {version.content_hash for version in before.versions}:
            raise ReleaseError(
                f"the panel {self.name} was drawn from {self.release}, content {self.content_hash}; "
                f"{release.path} has content {here.content_hash}"
            )
        gone = frozenset(before.presentations.to_pylist())
        left = tuple(entry for entry in self.entries if entry.presentation not in gone)
        if not left:
            raise ReleaseError(
                f"all that the panel {self.name} asks about was withdrawn before {here.name}@{here.version}"
            )
        return self if len(left) == len(self.entries) else msgspec.structs.replace(self, entries=left)

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


def check_topics(criteria: Sequence[Criterion], systems: Sequence[System]) -> None:
    """Make sure that criteria and systems can be told apart, and that there are letters for all systems.

    Raises:
        ValueError: If they cannot.
    """
    names = [*(criterion.slug for criterion in criteria), *(system.name for system in systems)]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise ValueError(f"{twice[0]!r} stands twice among criteria and systems")
    if len(systems) > MOST_SYSTEMS:
        raise ValueError(f"{len(systems)} systems are to be ranked; at most {MOST_SYSTEMS} can be")


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
