"""Fixtures that every room's tests may use."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# No example fails for being slow: that is the machine's affair. Under CI the same examples are tried every time, so that a red
# run is a change's doing; the search for new counterexamples goes on wherever people work.
settings.register_profile("search", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("repeat", settings.get_profile("search"), derandomize=True)
settings.load_profile("repeat" if os.environ.get("CI") else "search")


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Real metadata beside the checkout; other people's, so never part of the project."""
    folder = Path(__file__).resolve().parents[2] / "shared" / "data"
    if not folder.is_dir():
        pytest.skip("the folder ../shared/data with real metadata is absent")
    return folder
