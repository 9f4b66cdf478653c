"""Which clip of a release a path of somebody else's is: by its name, if that is a clip's id, else by where the corpus has it."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from pathlib import PurePosixPath

from earmark.manifests.keys import ID_PATTERN
from earmark.manifests.release import Release
from earmark.manifests.rows import text


class Clips:
    """The clips of a release, found by paths.

    A path is a clip's where its stem is the clip's id, as in what `earmark present` writes, or where it ends in the path that the
    clip has in its corpus and no other clip is cut from the same file.
    """

    def __init__(self, release: Release) -> None:
        """Read the ids, and where the clips are from if this copy says."""
        self._ids = frozenset(release.table("clips")["clip_id"].to_pylist())
        self._by_name: dict[str, list[tuple[PurePosixPath, str]]] = defaultdict(list)
        self.expected = "…/<clip id>.flac, as earmark present names it"
        if release.file("sources").is_file():
            self.expected += ", or the path in its corpus, of which no other clip is cut"
            for row in release.table("sources").to_pylist():
                path = PurePosixPath(text(row, "path"))
                self._by_name[path.name].append((path, text(row, "clip_id")))

    def of(self, path: str) -> str | None:
        """The clip of a path; None where there is none, or are several."""
        posix = PurePosixPath(unicodedata.normalize("NFC", path.replace("\\", "/")))
        if re.fullmatch(ID_PATTERN, posix.stem):
            return posix.stem if posix.stem in self._ids else None
        found = {clip for source, clip in self._by_name.get(posix.name, ()) if _ends_in(posix, source)}
        return found.pop() if len(found) == 1 else None


def _ends_in(path: PurePosixPath, source: PurePosixPath) -> bool:
    return path.parts[-len(source.parts) :] == source.parts
