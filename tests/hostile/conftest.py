"""The release that hostile files are held against, with its answers and without."""

from __future__ import annotations

import shutil
from collections.abc import Sequence

import pyarrow as pa
import pytest
from tests.hostile.case import ITEMS
from tests.support.tiny import write_tiny_release

from earmark.manifests.release import Release, open_release


class Remembering(Release):
    """A release that reads each of its tables once, for hundreds of checks in a row."""

    def table(self, name: str, columns: Sequence[str] | None = None) -> pa.Table:
        """A table, the same object every time, with all of its columns."""
        known: dict[str, pa.Table] = self.__dict__.setdefault("_known", {})
        if name not in known:
            known[name] = super().table(name)
        return known[name]


@pytest.fixture(scope="session")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Release:
    """Both sides."""
    release = write_tiny_release(tmp_path_factory.mktemp("hostile") / "whole", items=ITEMS)
    return Remembering(release.path, release.manifest)


@pytest.fixture(scope="session")
def public(whole: Release) -> Release:
    """The public side alone: nothing that a check says can be from the answers."""
    path = whole.path.with_name("public")
    shutil.copytree(whole.path, path)
    shutil.rmtree(path / "private")
    return Remembering(path, open_release(path).manifest)
