"""The release that complaints are tried on."""

from __future__ import annotations

import pytest
from tests.support.tiny import write_tiny_release

from earmark.manifests.release import Release


@pytest.fixture(scope="session")
def eight(tmp_path_factory: pytest.TempPathFactory) -> Release:
    """Eight items of one facet, half of them P, in both orders."""
    return write_tiny_release(tmp_path_factory.mktemp("complaints") / "eight", items=8)
