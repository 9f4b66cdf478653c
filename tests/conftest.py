"""Fixtures that every room's tests may use."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from tests.support.console import tree_of
from tests.support.examples import THOROUGH
from tests.support.miniature import MINIATURE_KEY, Miniature

from earmark.builders.miniatures.seamless import make_seamless
from earmark.manifests.release import Release

# No example fails for being slow: that is the machine's affair. Under CI the same examples are tried every time, so that a red
# run is a change's doing; the search for new counterexamples goes on wherever people work.
settings.register_profile("search", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("repeat", settings.get_profile("search"), derandomize=True)
settings.register_profile(THOROUGH, settings.get_profile("search"))
settings.load_profile("repeat" if os.environ.get("CI") else "search")


@pytest.fixture(scope="session", autouse=True)
def commands_are_made_once() -> Iterator[None]:
    """Typer makes the commands of an application anew at each call, which is longer than many of them take."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("typer.main.get_command", tree_of)
        yield


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Real metadata beside the checkout; other people's, so never part of the project."""
    folder = Path(__file__).resolve().parents[2] / "shared" / "data"
    if not folder.is_dir():
        pytest.skip("the folder ../shared/data with real metadata is absent")
    return folder


@pytest.fixture(scope="session")
def miniature(tmp_path_factory: pytest.TempPathFactory) -> Miniature:
    """Ten made-up conversations, tones in place of the voice; read it, never change it."""
    base = tmp_path_factory.mktemp("miniature")
    (base / "line.key").write_bytes(MINIATURE_KEY)
    return Miniature(base, make_seamless(base / "corpus", seed=1, dyads=10, speech=False, scale=0.6))


@pytest.fixture(scope="session")
def miniature_release(miniature: Miniature) -> Release:
    """A release of the miniature with both sides and audio at 16 kHz; read it, never change it."""
    release = miniature.build(miniature.base / "release", media=True).release
    assert release is not None
    return release


@pytest.fixture(scope="session")
def toy_dialogues(tmp_path_factory: pytest.TempPathFactory) -> Release:
    """Three dialogues whose voices are tones, in every protocol of the default; read it, never change it."""
    from tests.support.voiced import release_of, voiced

    pytest.importorskip("soundfile", reason="the extra `build` is not installed")
    base = tmp_path_factory.mktemp("toy-dialogues")
    return release_of(voiced(3, base / "clips", affect=True), base / "release")
