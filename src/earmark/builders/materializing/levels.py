"""Folders that were named one level too high or too low: found where nothing lies as it should, before anything is cut."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path

from earmark.builders.materializing.folders import CorpusFolder, OutsideCorpus
from earmark.builders.materializing.recipes import Recipe
from earmark.manifests.errors import EarmarkError

MOST_ABOVE = 3
"""Levels above the named folder that are looked at; below it there are two."""

MOST_LISTED = 500
"""Folders below the named one that are looked at."""

MOST_PATHS = 20
"""Files by which another folder is known for the one that was meant."""


def require_levels(folders: Mapping[str, CorpusFolder], recipes: Iterable[Recipe]) -> None:
    """Make sure that no folder is merely of another level, as the one that a corpus was unpacked into.

    Where a file lies as it should, or the folder that was meant is not near, all is left to be told clip by clip.

    Args:
        folders: What was named, by corpus.
        recipes: How clips are cut.

    Raises:
        EarmarkError: If none of a corpus's files lies in its folder, and some do in one above or below it.
    """
    paths: dict[str, set[str]] = {name: set() for name in folders}
    for recipe in recipes:
        paths[recipe.corpus].add(recipe.path)
    wrong = [
        f"--corpus {name}={folder.root} has none of the {len(paths[name])} files, did you mean {name}={meant}?"
        for name, folder in folders.items()
        if (meant := _meant(folder, paths[name])) is not None
    ]
    if wrong:
        raise EarmarkError("; ".join(wrong))


def _meant(folder: CorpusFolder, paths: Collection[str]) -> Path | None:
    if any(_has(folder, path) for path in paths):
        return None
    some = sorted(paths)[:MOST_PATHS]
    near = (root for root in _near(folder.root) if any(_has(CorpusFolder(root), path) for path in some))
    return next(near, None)


def _near(root: Path) -> Iterator[Path]:
    """Folders within a folder, and those that it lies in."""
    here = Path(root.absolute())
    yield from list(here.parents)[:MOST_ABOVE]
    listed = 0
    inner = [root]
    for _ in range(2):
        outer, inner = inner, []
        for folder in outer:
            for child in _children(folder):
                listed += 1
                if listed > MOST_LISTED:
                    return
                yield child
                inner.append(child)


def _children(folder: Path) -> list[Path]:
    try:
        return sorted(child for child in folder.iterdir() if child.is_dir() and not child.is_symlink())
    except OSError:
        return []


def _has(folder: CorpusFolder, path: str) -> bool:
    try:
        return folder.file(path).is_file()
    except (OutsideCorpus, OSError):
        return False
