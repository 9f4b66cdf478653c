"""Hidden answers in a folder of their own, which is there before the copy is.

A kill between the two leaves the answers alone. The next run knows them again by their bytes and takes them as they are.
"""

from __future__ import annotations

import filecmp
from contextlib import suppress
from pathlib import Path

from earmark.builders.publishing.data.private_side import write_private_side
from earmark.builders.publishing.texts.writing import answers_card, write_text
from earmark.manifests.copies.checksums import write_checksums
from earmark.manifests.copies.file_digests import walk
from earmark.manifests.copies.published import CARD, SHIPPED
from earmark.manifests.errors import DestinationExists
from earmark.manifests.release import Release
from earmark.manifests.scratch import folder_beside, scratch_beside
from earmark.manifests.tables import Side


def may_be_answers(folder: Path) -> bool:
    """Whether a folder may hold answers that an earlier run wrote; `answers_are_there` looks whether it does."""
    return not folder.is_symlink() and (folder / Side.PRIVATE.value / SHIPPED).is_file()


def answers_are_there(release: Release, whole: frozenset[str], to: Path) -> bool:
    """Whether the answers need not be written, as a run that was killed before its copy stood wrote them.

    Args:
        release: The release, with its private side and key.
        whole: Ids of the clips whose rows may be published as they are.
        to: Where the answers go.

    Raises:
        DestinationExists: If anything else is there.
    """
    if not (to.exists() or to.is_symlink()):
        return False
    with folder_beside(to) as folder:
        _write(release, whole, folder / to.name)
        if to.is_symlink() or not _same(to, folder / to.name):
            raise DestinationExists(f"{to} exists and holds other answers than this copy's; choose another folder")
    return True


def write_answers(release: Release, whole: frozenset[str], to: Path) -> None:
    """Write the private side as a repository of its own, whole or not at all.

    Args:
        release: The release, with its private side and key.
        whole: Ids of the clips whose rows may be published as they are.
        to: The folder to be made.
    """
    with scratch_beside(to) as scratch:
        _write(release, whole, scratch)


def remove_answers(to: Path) -> None:
    """Remove answers of a copy that there is not, by one rename out of their place: a kill leaves no half of them there."""
    with suppress(OSError), folder_beside(to) as folder:
        to.replace(folder / to.name)


def _write(release: Release, whole: frozenset[str], folder: Path) -> None:
    folder.mkdir()
    write_private_side(release, whole, folder)
    write_text(folder / CARD, answers_card(release.manifest))
    write_checksums(folder, release.manifest.canary)


def _same(one: Path, other: Path) -> bool:
    """Whether two folders hold the same files, byte for byte, and nothing else."""
    there, here = walk(one), walk(other)
    return there == here and all(filecmp.cmp(one / name, other / name, shallow=False) for name in here.files)
