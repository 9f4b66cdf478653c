"""A release: a directory with a public and a private side, opened lazily.

`release.json` says what it is and carries the hash of every table. The public side is all that a judge's author or a checker
needs; the private side holds the answers, where the clips are from, and the key.
"""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import msgspec

from earmark.manifests import registry
from earmark.manifests.canonical import Json
from earmark.manifests.damage import damage_of, repeats_of
from earmark.manifests.errors import PrivateSideMissing, ReleaseError, UnknownName
from earmark.manifests.hashes import json_hash
from earmark.manifests.keys import ID_PATTERN, read_key
from earmark.manifests.strict import NotStrictJson, read_strict_json
from earmark.manifests.tables import Side

if TYPE_CHECKING:
    import pyarrow as pa

    from earmark.manifests.family import Family, Protocol

FORMAT = 1
"""Version of the release format; older ones stay readable."""

MANIFEST = "release.json"
"""Name of the file that makes a folder a release."""

LINE_PATTERN = r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}"
"""Names of release lines, which are file names everywhere."""

VERSION_PATTERN = r"(0|[1-9][0-9]{0,8})\.(0|[1-9][0-9]{0,8})\.(0|[1-9][0-9]{0,8})"
"""Versions: MAJOR.MINOR.PATCH of the data."""

_MOST_MANIFEST = 1 << 25

Gold = Literal["hidden", "open", "derivable"]
"""hidden: private; open: published; derivable: published recipes tell it."""


class SourceEntry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A corpus that clips are from, and the hashes of the metadata files that were used."""

    corpus: str
    version: str
    licence: str
    metadata: dict[str, str]


class ProtocolEntry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A protocol that the release offers and how many presentations it owes."""

    name: str
    modality: str
    orders: list[str]
    presentations: int


class FacetEntry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A facet and what people call it."""

    id: str
    name: str
    items: int


class TableEntry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Size and hashes of a table; the hash of a private one is salted, and its file is not hashed in public."""

    side: Side
    rows: int
    content_hash: str
    file_hash: str | None


class MediaEntry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The audio files on the public side: their rate (null: native), their number, and one hash over all."""

    rate: int | None
    files: int
    hash: str


class WithdrawnEntry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How many items earlier versions had that were withdrawn, and the hash of the list of them."""

    items: int
    file_hash: str


class Manifest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What `release.json` says; `recipes` and `withdrawn` are not written where there is nothing to say."""

    format: int
    name: str
    version: str
    family: str
    builder: str
    canary: str
    seed: int
    gold: Gold
    recipe: dict[str, object]
    sources: list[SourceEntry]
    facets: list[FacetEntry]
    protocols: list[ProtocolEntry]
    tables: dict[str, TableEntry]
    media: MediaEntry | None
    recipes: TableEntry | None = None
    withdrawn: WithdrawnEntry | None = None

    def as_json(self) -> Mapping[str, Json]:
        """The manifest as plain JSON values."""
        value: Mapping[str, Json] = msgspec.to_builtins(self)
        return value

    @property
    def content_hash(self) -> str:
        """Hash of what the public side says; predictions may name it, and reports do."""
        said: list[Json] = [self.name, self.version, self.family, self.format]
        tables = {name: entry.content_hash for name, entry in self.tables.items() if entry.side is Side.PUBLIC}
        return json_hash([*said, tables])

    @property
    def answers_hash(self) -> str:
        """Salted hash of the answers."""
        return self.tables["answers"].content_hash


def canary(name: str, version: str) -> str:
    """The UUID that stands in every text of a release line, so that training data can be searched for it.

    >>> canary("toy", "1.2.0") == canary("toy", "1.9.3") != canary("toy", "2.0.0")
    True
    """
    return str(uuid.uuid5(uuid.NAMESPACE_URL, f"earmark:{name}:{version.split('.')[0]}"))


@dataclass(frozen=True)
class Release:
    """A release on disk.

    Args:
        path: Its folder.
        manifest: What its `release.json` says.
        private: Where its private side stands, if not in that folder.
    """

    path: Path
    manifest: Manifest
    private: Path | None = None

    @cached_property
    def family(self) -> Family:
        """The family's record.

        Raises:
            UnknownName: If no installed package has the family.
        """
        return registry.family(self.manifest.family)

    @property
    def has_private_side(self) -> bool:
        """Whether this copy holds the answers."""
        return self.file("answers").is_file()

    def side(self, side: Side) -> Path:
        """The folder of one side, whether or not it is there."""
        if side is Side.PRIVATE and self.private is not None:
            return self.private
        return self.path / side.value

    def file(self, table: str) -> Path:
        """Where a table stands, whether or not it is there."""
        declaration = self.family.tables()[table]
        return self.side(declaration.side) / declaration.filename

    def audio_file(self, clip: str) -> Path:
        """Where a clip's audio stands on the public side, whether or not it is there.

        Raises:
            ReleaseError: If the id is none, and so could lead out of the release.
        """
        if re.fullmatch(ID_PATTERN, clip) is None:
            raise ReleaseError(f"{clip[:80]!r} in {self.path} is no id of a clip")
        return self.side(Side.PUBLIC) / "audio" / f"{clip}.flac"

    @cached_property
    def key(self) -> bytes:
        """The release key.

        Raises:
            PrivateSideMissing: If this copy lacks the private side.
        """
        path = self.side(Side.PRIVATE) / "key"
        if not path.is_file():
            raise PrivateSideMissing(f"{self.path} has no private side, so no key")
        return read_key(path)

    def table(self, name: str, columns: Sequence[str] | None = None) -> pa.Table:
        """A table with the columns that it should have and maybe others.

        Args:
            name: Its name.
            columns: Those that are needed; only they and the key are read, and looked at. All of them without.

        Raises:
            PrivateSideMissing: If it is private and this copy lacks the private side.
            ReleaseError: If its file is absent or unreadable, or a column is absent, of another type, null where none may be, or
                of lists that are too long, or if a key stands twice.
        """
        try:
            rows = self.stored_table(name, columns)
        except PrivateSideMissing:
            raise
        except ReleaseError as error:
            raise ReleaseError(f"{error}; {self.remedy}") from error
        declared = self.family.tables()[name]
        needed = (
            declared.columns
            if columns is None
            else [declared.column(of) for of in dict.fromkeys([*declared.key, *columns])]
        )
        damages = (damage for column in needed if (damage := damage_of(column, rows)) is not None)
        damage = next(damages, None) or (None if name in self._unique else repeats_of(declared, rows))
        if damage is not None:
            raise ReleaseError(f"table {name} of {self.path} is damaged: {damage}; {self.remedy}")
        self._unique.add(name)
        return rows

    @cached_property
    def _unique(self) -> set[str]:
        """Tables of which it is known that no key stands twice."""
        return set()

    @property
    def remedy(self) -> str:
        """What to do about damage, for messages."""
        return f"earmark validate {self.path} says all that is wrong"

    @contextmanager
    def trusted(self, what: str) -> Iterator[None]:
        """Tables that are sound one by one need not fit together: what is lost between them is damage.

        Args:
            what: What is being done, for the message.

        Raises:
            ReleaseError: In place of what raw rows raise where an id or a value is not there.
        """
        try:
            yield
        except (LookupError, TypeError, ValueError, AssertionError) as error:
            said = str(error).splitlines()[0][:200] if str(error) else type(error).__name__
            raise ReleaseError(f"{self.path} is damaged, found out when {what}: {said}; {self.remedy}") from error

    def stored_table(self, name: str, columns: Sequence[str] | None = None) -> pa.Table:
        """A table as it is stored, whatever its columns are.

        Args:
            name: Its name.
            columns: Those that are needed; only they and the key are read. All of them without.

        Raises:
            PrivateSideMissing: If it is private and this copy lacks the private side.
            ReleaseError: If its file is absent or unreadable, or would come to far more than the manifest says.
        """
        import pyarrow as pa

        from earmark.manifests.parquet.stored import TooLarge, read_stored

        declared = self.family.tables()[name]
        path, side = self.file(name), declared.side
        if not path.is_file():
            missing = PrivateSideMissing if side is Side.PRIVATE else ReleaseError
            if side is Side.PRIVATE and self.private is not None:
                inside = path.parent / side.value
                hint = f"; {inside} has it" if (inside / path.name).is_file() else ""
                raise missing(f"{path.parent} lacks {path.name}{hint}")
            elsewhere = (
                "; if it stands elsewhere, say where (--answers, or private= in Python)" if name == "answers" else ""
            )
            raise missing(f"{self.path} lacks {side.value}/{path.name}{elsewhere}")
        try:
            needed = None if columns is None else list(dict.fromkeys([*declared.key, *columns]))
            return read_stored(path, rows=self.manifest.tables[name].rows, table=declared, columns=needed)
        except TooLarge as error:
            raise ReleaseError(f"table {name} of {self.path} is not read: {error}") from error
        except (pa.ArrowException, OSError, ValueError, LookupError) as error:  # all come of damaged metadata
            said = " ".join(str(error).split())[:300]
            raise ReleaseError(f"{side.value}/{path.name} is no readable Parquet file: {said}") from error

    def protocol(self, name: str | None = None) -> Protocol:
        """A protocol that this release offers, its first one without a name.

        Raises:
            UnknownName: If it offers no such protocol.
        """
        offered = tuple(entry.name for entry in self.manifest.protocols)
        wanted = offered[0] if name is None else name
        if wanted not in offered:
            raise UnknownName("protocol", wanted, offered)
        return self.family.protocol(wanted)


def open_release(path: str | Path, *, private: str | Path | None = None) -> Release:
    """Open a release; only its manifest is read.

    Args:
        path: Its folder.
        private: Folder of its private side, where that is kept apart.

    Raises:
        ReleaseError: If the folder is no release, or one of a newer format, or lacks what each release has.
        UnknownName: If its family is not installed.
    """
    folder = Path(path)
    file = folder / MANIFEST
    try:
        if not file.is_file() and file.exists():
            raise ReleaseError(f"{folder} is no release: {MANIFEST} is no file")
        manifest = msgspec.convert(read_strict_json(file, most_bytes=_MOST_MANIFEST), Manifest)
    except OSError as error:
        raise ReleaseError(f"{folder} is no release: cannot read {MANIFEST} ({error.strerror})") from error
    except (NotStrictJson, msgspec.ValidationError) as error:
        raise ReleaseError(f"{file} is no release manifest: {error}") from error
    if not 1 <= manifest.format <= FORMAT:
        raise ReleaseError(
            f"{folder} has release format {manifest.format}; this version of Earmark reads 1 up to {FORMAT}"
        )
    for what, value, pattern in (("name", manifest.name, LINE_PATTERN), ("version", manifest.version, VERSION_PATTERN)):
        if re.fullmatch(pattern, value) is None:
            raise ReleaseError(f"{file} has the {what} {value[:80]!r}; one matches {pattern}")
    if not manifest.protocols:
        raise ReleaseError(f"{file} offers no protocol")
    declared = registry.family(manifest.family).tables()
    if manifest.tables.keys() != declared.keys():
        differing = ", ".join(sorted(manifest.tables.keys() ^ declared.keys()))
        raise ReleaseError(f"{file} and the family {manifest.family!r} do not have the same tables: {differing}")
    return Release(folder, manifest, None if private is None else Path(private))
