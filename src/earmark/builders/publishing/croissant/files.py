"""The files of a published copy as Croissant lists them, and the sets of files that make one table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from earmark.builders.publishing.croissant.identifiers import Identifiers
    from earmark.manifests.canonical import Json

PARQUET = ("application/vnd.apache.parquet", "application/x-parquet")
"""The registered name of the format, and the only one that mlcroissant reads."""

_FORMATS: Mapping[str, Sequence[str]] = {
    ".parquet": PARQUET,
    ".tar": ("application/x-tar",),
    ".json": ("application/json",),
    ".jsonl": ("application/jsonl", "application/jsonlines"),
    ".html": ("text/html",),
    ".md": ("text/markdown",),
    ".yaml": ("application/yaml",),
    ".cff": ("application/yaml",),
}


@dataclass(frozen=True)
class DataFile:
    """A file of a published copy.

    Args:
        path: POSIX path within the copy.
        sha256: Hash of its bytes, 64 hex digits, with `sha256:` before them or not.
        size: How many bytes it has.
    """

    path: str
    sha256: str
    size: int


class Distribution:
    """What is distributed: every file, and sets of those that are read as one.

    Args:
        files: The files.
        means: One sentence for people on some of them, by path.
        ids: Where ids come from.
    """

    def __init__(self, files: Iterable[DataFile], means: Mapping[str, str], ids: Identifiers) -> None:
        self._ids = ids
        self._files = {file.path: file for file in sorted(files, key=lambda file: file.path)}
        self._named = {path: ids.new(path) for path in self._files}
        self._sets: dict[tuple[str, ...], str] = {}
        self._means = means

    def source(self, patterns: Sequence[str], name: str) -> Mapping[str, Json] | None:
        """Where a table is read from: one file, whose hash a reader checks, or a set, which it reads file by file.

        Args:
            patterns: Paths within the copy, or patterns of them.
            name: What a set is called.

        Returns:
            None if there is no such file.
        """
        found = [path for path in self._files if any(path == each or fnmatchcase(path, each) for each in patterns)]
        if not found:
            return None
        if len(found) == 1:
            return {"fileObject": {"@id": self._named[found[0]]}}
        key = tuple(patterns)
        if key not in self._sets:
            self._sets[key] = self._ids.new(name)
        return {"fileSet": {"@id": self._sets[key]}}

    def nodes(self) -> list[Json]:
        """All that was listed or asked for."""
        sets: list[Json] = [
            {
                "@type": "cr:FileSet",
                "@id": id,
                "name": id,
                "encodingFormat": list(PARQUET),
                "includes": list(patterns),
            }
            for patterns, id in self._sets.items()
        ]
        return [*map(self._file, self._files.values()), *sets]

    def _file(self, file: DataFile) -> Json:
        path = PurePosixPath(file.path)
        described = {"description": self._means[file.path]} if file.path in self._means else {}
        return {
            "@type": "cr:FileObject",
            "@id": self._named[file.path],
            "name": path.name,
            "contentUrl": file.path,
            "contentSize": f"{file.size} B",
            "encodingFormat": list(_FORMATS.get(path.suffix, ("application/octet-stream",))),
            "sha256": file.sha256.removeprefix("sha256:"),
            **described,
        }
