"""Addresses of dataset repositories on a hub, as they are named on the command line: `hub:owner/name`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from earmark.manifests.errors import EarmarkError

PREFIX = "hub:"

_NAME = re.compile(r"(?!.*(?:--|\.\.))[A-Za-z0-9_](?:[A-Za-z0-9._-]{0,94}[A-Za-z0-9_])?")
_BRANCH = re.compile(r"(?!.*(?:\.\.|//|\.lock(?:/|$)))[A-Za-z0-9_](?:[A-Za-z0-9._/-]{0,253}[A-Za-z0-9_-])?")


@dataclass(frozen=True)
class Destination:
    """Where on a hub something goes.

    Args:
        repository: `owner/name` of a dataset repository.
        branch: The branch that is to show it.
        private: Whether nobody but its owners may read the repository.
    """

    repository: str
    branch: str = "main"
    private: bool = False

    def __str__(self) -> str:
        return PREFIX + self.repository


def on_a_hub(place: Path | None) -> bool:
    """Whether a place is named as one on a hub."""
    return place is not None and place.as_posix().startswith(PREFIX)


def destination(place: Path, *, branch: str = "main", private: bool = False) -> Destination:
    """Read an address.

    Args:
        place: The address, as the command line takes it.
        branch: The branch.
        private: Whether the repository is private.

    Raises:
        EarmarkError: If it is no address, or no branch can be called that.

    >>> destination(Path("hub:ada/mini-stance")).repository
    'ada/mini-stance'
    """
    said = place.as_posix()
    owner, _, name = said.removeprefix(PREFIX).partition("/")
    if not said.startswith(PREFIX) or not _NAME.fullmatch(owner) or not _NAME.fullmatch(name) or name.endswith(".git"):
        form = "hub:owner/name, of letters, digits, '-', '_' and '.', neither '--' nor '..'"
        raise EarmarkError(f"{said!r} is no address of a repository; one is {form}")
    if not _BRANCH.fullmatch(branch) or re.fullmatch("[0-9a-f]{40}", branch) or branch.startswith("refs/"):
        raise EarmarkError(f"no branch can be called {branch!r}; 'main' is what everybody loads")
    return Destination(f"{owner}/{name}", branch, private)
