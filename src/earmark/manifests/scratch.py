"""Writing a file or a folder whole: beside its place first, and into it by one rename."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def folder_beside(out: Path) -> Iterator[Path]:
    """A hidden folder beside OUT, empty at first and gone at the end; what a killed run left in it is removed.

    Args:
        out: A file or folder; its parents are made where they are missing.
    """
    # Not `.partial`, which may be a build that waits to be resumed.
    folder = out.with_name(f".{out.name}.scratch")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def scratch_beside(out: Path) -> Iterator[Path]:
    """A path to write to, which takes OUT's place where the block ends well; where it does not, nothing is left.

    Args:
        out: The file or folder to be made; its parents are made where they are missing.

    Yields:
        A path of the same name in a hidden folder beside it, with nothing there yet: what a killed run left is removed.
    """
    with folder_beside(out) as folder:
        yield folder / out.name
        (folder / out.name).replace(out)
