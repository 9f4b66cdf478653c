"""The user's copies of corpora: files that a recipe names, and others of the same name that lie elsewhere in a copy."""

from __future__ import annotations

import os
import unicodedata
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from threading import Lock

from earmark.builders.materializing.recipes import unsafe
from earmark.manifests.errors import EarmarkError

SUFFIXES = frozenset(
    (".wav", ".flac", ".aif", ".aiff", ".w64", ".rf64", ".caf", ".au", ".sph", ".ogg", ".oga", ".opus", ".mp3", ".m4a")
)
"""What files of audio end in."""

MOST_FILES = 1 << 22
"""Files of a copy that are looked through at most, whatever folder somebody named."""

MOST_OTHERS = 6
"""How many other files of one name are looked into."""


class OutsideCorpus(EarmarkError):
    """A path within a corpus that leads out of it."""


@dataclass
class CorpusFolder:
    """Somebody's copy of a corpus.

    Args:
        root: Its folder.
    """

    root: Path
    _lock: Lock = field(default_factory=Lock, repr=False)
    _by_name: Mapping[str, list[str]] | None = field(default=None, repr=False)

    def file(self, path: str) -> Path:
        """A file of it, links followed, whether or not it is there.

        Raises:
            OutsideCorpus: If the path leads out of the folder, by its parts or over a link.
        """
        why = unsafe(path)
        if why is not None:
            raise OutsideCorpus(f"{path[:200]!r}, {why}")
        real = Path(os.path.realpath(self.root.joinpath(*path.split("/"))))
        if not real.is_relative_to(os.path.realpath(self.root)):
            raise OutsideCorpus(f"a link to {real}")
        return real

    def others(self, path: str) -> list[str]:
        """Other audio files of the same name, whatever they end in, the nearest first.

        Of many of one name, as where each speaker's folder has the same ones, only those in a folder of the same name count.

        Args:
            path: POSIX path of a file that need not be there.

        Returns:
            At most MOST_OTHERS POSIX paths.
        """
        with self._lock:
            if self._by_name is None:
                self._by_name = _listed(self.root)
        own = PurePosixPath(path)
        found = [other for other in self._by_name.get(_name(own.name), []) if other != path]
        if len(found) > MOST_OTHERS:
            parent = _folded(own.parent.name)
            found = [other for other in found if _folded(PurePosixPath(other).parent.name) == parent]
        return sorted(found, key=lambda other: (-_shared(own, PurePosixPath(other)), other))[:MOST_OTHERS]


def _listed(root: Path) -> Mapping[str, list[str]]:
    """Every audio file of a folder, by its name without what it ends in; links to folders are not followed."""
    found: dict[str, list[str]] = defaultdict(list)
    seen = 0
    for folder, _, names in os.walk(root):
        seen += len(names)
        if seen > MOST_FILES:
            break
        within = Path(folder).relative_to(root).as_posix()
        for name in names:
            if Path(name).suffix.lower() in SUFFIXES and not name.startswith("._"):
                found[_name(name)].append(name if within == "." else f"{within}/{name}")
    return found


def _name(name: str) -> str:
    return _folded(PurePosixPath(name).stem)


def _folded(name: str) -> str:
    """A name whatever way a system spells it."""
    return unicodedata.normalize("NFC", name).casefold()


def _shared(a: PurePosixPath, b: PurePosixPath) -> int:
    """How many folders two paths have in common, counted from their ends."""
    count = 0
    for one, other in zip(a.parent.parts[::-1], b.parent.parts[::-1], strict=False):
        if _folded(one) != _folded(other):
            break
        count += 1
    return count
