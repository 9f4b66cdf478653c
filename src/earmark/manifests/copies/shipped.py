"""The private side as it is published: without the key, and with no row that licences forbid.

The manifest's hashes of private tables are salted with the key, and those of a table with fewer columns filled are others. So
`private/shipped.json` says what there is.
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from earmark.manifests.copies.published import SHIPPED
from earmark.manifests.errors import ReleaseError
from earmark.manifests.hashes import file_hash
from earmark.manifests.release import Release
from earmark.manifests.strict import NotStrictJson, read_strict_json
from earmark.manifests.tables import Side

_MOST_BYTES = 1 << 20


class ShippedTable(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A private table that was published: the hash of its file, and whether cells were taken from it."""

    file_hash: str
    reduced: bool


class Shipped(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What `shipped.json` says."""

    canary: str
    release: str
    content_hash: str
    tables: dict[str, ShippedTable]


def shipped(release: Release) -> Shipped | None:
    """What a release says of its private side as it was published; None of one that was not.

    Raises:
        ReleaseError: If it cannot be read, or is of another release.
    """
    file = release.side(Side.PRIVATE) / SHIPPED
    said = read_shipped(file)
    if said is not None and said.content_hash != release.manifest.content_hash:
        raise ReleaseError(f"{file} is of the release {said.release}, {said.content_hash}, and not of {release.path}")
    return said


def read_shipped(file: Path) -> Shipped | None:
    """What a file says of a private side, of whatever release; None where there is no file.

    Raises:
        ReleaseError: If it cannot be read.
    """
    if not file.is_file():
        return None
    try:
        return msgspec.convert(read_strict_json(file, most_bytes=_MOST_BYTES), Shipped)
    except OSError as error:
        raise ReleaseError(f"cannot read {file}: {error.strerror}") from error
    except (NotStrictJson, msgspec.ValidationError) as error:
        raise ReleaseError(f"{file} does not say what was published: {error}") from error


def is_as_shipped(release: Release, table: str, said: Shipped) -> bool:
    """Whether a private table is the one that was published.

    Raises:
        ReleaseError: If it is none of those that were.
    """
    entry = said.tables.get(table)
    if entry is None:
        raise ReleaseError(f"table {table} is none of those on the private side of {said.release} that were published")
    return file_hash(release.file(table)) == entry.file_hash
