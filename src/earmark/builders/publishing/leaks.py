"""The last look at a copy: no absolute path and no user's name may be in it and, with hidden gold, no answer and no source."""

from __future__ import annotations

import re
import tarfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc

from earmark.manifests.building import JOURNAL, LOCK, PID
from earmark.manifests.copies.published import CLIP_SHARDS
from earmark.manifests.declarations import RECIPES
from earmark.manifests.findings import Findings, Severity, declare
from earmark.manifests.tables import Side

if TYPE_CHECKING:
    from earmark.manifests.release import Release

LEAK = declare(
    "publish.leak", Severity.ERROR, "the copy repeats what only the private side or whoever made it may know"
)

LEAST_LETTERS = 6
"""Length from which on a private value is looked for; a shorter one would be found in any prose."""

_LEAST_TEXT = 20
"""The same of words that were spoken, which may well stand in any prose."""

_NAMES = ("path", "speaker", "conversation", "prompt", "script")
_WORDS = ("text", "tone_text")

_PARTS = re.compile(r"""[\s"'`,;(){}\[\]<>|=]+""")
_QUOTED = re.compile(r'"([^"\\]*)"')
_ROOTS = "home|Users|root|tmp|mnt|media|var|opt|srv|private|scratch|Volumes|work|workspace"
_BEFORE = r"""(?:^|[\s"'`(=\[,])(?:file://)?"""
ABSOLUTE = rf"""{_BEFORE}(?:/(?:{_ROOTS})/[^\s"']|[A-Za-z]:(?:\\{{1,2}}|/)[^\s"'\\/])"""
"""How an absolute path looks in a text, whatever stands before it."""


@dataclass(frozen=True)
class Secrets:
    """What must not be published.

    Args:
        values: Cells of the private side.
        columns: Names of private columns.
        folders: Absolute paths of folders of whoever publishes.
        user: Their name on this machine; None if it is a word that may stand anywhere.
    """

    values: frozenset[str]
    columns: frozenset[str]
    folders: tuple[str, ...] = ()
    user: str | None = None

    @cached_property
    def array(self) -> pa.Array:
        """The values for Arrow."""
        return pa.array(sorted(self.values), pa.string())

    @cached_property
    def pattern(self) -> str:
        """A regular expression of absolute paths and of the user's name."""
        folders = [rf"{_BEFORE}{re.escape(folder)}(?:[/\\]|$|[\s\"'])" for folder in self.folders]
        # As part of a path or an address; many a name is a word of prose as well.
        user = (
            [rf"[/\\~]{re.escape(self.user)}(?:$|[^\w])", rf"(?:^|[^\w]){re.escape(self.user)}@"] if self.user else []
        )
        return "|".join([ABSOLUTE, *folders, *user])


def secrets_of(release: Release, *, folders: Iterable[Path], user: str | None) -> Secrets:
    """What must not be published of a release.

    Args:
        release: The release; without its private side only columns and paths are known.
        folders: Folders of whoever publishes.
        user: Their name on this machine.
    """
    tables = release.family.tables().values()
    public = {column.name for table in tables if table.side is Side.PUBLIC for column in table.columns}
    private = {column.name for table in tables if table.side is Side.PRIVATE for column in table.columns}
    values: set[str] = set()
    if release.file("sources").is_file():
        sources = release.table("sources")
        for names, least in ((_NAMES, LEAST_LETTERS), (_WORDS, _LEAST_TEXT)):
            for name in names:
                cells = pc.unique(sources[name]).to_pylist()
                values.update(cell for cell in cells if cell is not None and len(cell) >= least)
    known = " ".join(map(str, _leaves(release.manifest.recipe.get("release")))).casefold()
    plain = user is None or len(user) < 4 or user.casefold() in _COMMON or user.casefold() in known
    named = {str(folder) for folder in folders if len(folder.parts) > 1}
    return Secrets(frozenset(values), frozenset(private - public), tuple(sorted(named)), None if plain else user)


_COMMON = frozenset(
    {"root", "user", "admin", "administrator", "runner", "ubuntu", "debian", "build", "jenkins", "test"}
)


def find_leaks(folder: Path, secrets: Secrets, findings: Findings) -> None:
    """Look through every text and every column of texts of a copy, but not through audio.

    Args:
        folder: The copy.
        secrets: What must not be in it.
        findings: Where it goes what is.
    """
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if not path.is_file() or name in (JOURNAL, LOCK, PID):
            continue
        if path.suffix == ".parquet":
            _look_at_table(path, name, secrets, findings)
        elif path.suffix == ".tar":
            _look_at_archive(path, name, secrets, findings)
        else:
            with path.open(encoding="utf-8", errors="replace") as stream:
                _look_at_lines(stream, name, secrets, findings)


def _look_at_table(path: Path, name: str, secrets: Secrets, findings: Findings) -> None:
    import pyarrow.parquet as pq

    recipes = name == f"{Side.PUBLIC.value}/{RECIPES.filename}"
    with pq.ParquetFile(path, memory_map=False) as file:
        schema = file.schema_arrow
        allowed = {column.name for column in RECIPES.columns} if recipes else set()
        for column in sorted((set(schema.names) & secrets.columns) - allowed):
            findings.add(LEAK, file=name, column=column, expected="no column of the private side")
        said = [schema.metadata, *(field.metadata for field in schema)]
        words = [part.decode("utf-8", "replace") for entry in said for pair in (entry or {}).items() for part in pair]
        _look_at_lines(words, name, secrets, findings)
        texts = [
            column.path
            for column in map(file.schema.column, range(len(file.schema)))
            if column.physical_type == "BYTE_ARRAY"
            and not (name.startswith(f"{CLIP_SHARDS}/") and _is_bytes(column.path))
        ]
        for batch in file.iter_batches(batch_size=1 << 16, columns=texts) if texts else ():
            for column, cells in zip(batch.schema.names, batch.columns, strict=True):
                for flat in _flat(cells):
                    for value in _told(flat, secrets, values=not recipes):
                        findings.add(LEAK, file=name, column=column, found=value)


def _told(cells: pa.Array, secrets: Secrets, *, values: bool) -> set[str]:
    """The cells that tell something."""
    # Paths and addresses have one of these; nearly all cells are ids, which have none.
    maybe = cells.filter(pc.match_substring_regex(cells, r"[/\\~@]"))
    told = set(maybe.filter(pc.match_substring_regex(maybe, secrets.pattern)).to_pylist())
    if values and len(secrets.array):
        told |= set(cells.filter(pc.is_in(cells, secrets.array)).to_pylist())
    return told


def _is_bytes(path: str) -> bool:
    return path.endswith(".bytes")


def _flat(cells: pa.Array) -> Iterator[pa.Array]:
    """The texts in a column, whatever they are nested in."""
    if pa.types.is_list(cells.type) or pa.types.is_large_list(cells.type):
        yield from _flat(cells.flatten())
    elif pa.types.is_struct(cells.type):
        for part in cells.flatten():
            yield from _flat(part)
    elif pa.types.is_string(cells.type) or pa.types.is_large_string(cells.type):
        yield cells


def _look_at_archive(path: Path, name: str, secrets: Secrets, findings: Findings) -> None:
    with tarfile.open(path) as archive:
        for member in archive:
            told = f"{name}/{member.name}"
            if member.isfile() and not member.name.endswith(".flac"):
                stream = archive.extractfile(member)
                lines = [] if stream is None else (line.decode("utf-8", "replace") for line in stream)
                _look_at_lines(lines, told, secrets, findings)


def _look_at_lines(lines: Iterable[str], name: str, secrets: Secrets, findings: Findings) -> None:
    pattern = re.compile(secrets.pattern)
    for number, line in enumerate(lines, start=1):
        told = secrets.values.intersection((line.strip(), *_PARTS.split(line), *_QUOTED.findall(line)))
        for value in sorted(told):
            findings.add(LEAK, file=name, row=number, found=value)
        for match in pattern.finditer(line):
            findings.add(LEAK, file=name, row=number, found=line[match.start() : match.end() + 80].strip())


def _leaves(value: object) -> Iterator[object]:
    if isinstance(value, dict):
        for entry in value.values():
            yield from _leaves(entry)
    elif isinstance(value, list | tuple):
        for entry in value:
            yield from _leaves(entry)
    else:
        yield value
