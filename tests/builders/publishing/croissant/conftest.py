"""Published folders to describe, and a fence around the library that reads them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.published_copies import Copy, published_copy


@pytest.fixture(scope="session")
def pairs(tmp_path_factory: pytest.TempPathFactory) -> Copy:
    """Pairs with open gold; read it, never change it."""
    return published_copy(tmp_path_factory.mktemp("pairs"), "pairs", "open")


@pytest.fixture
def fenced(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Whatever would connect fails; whatever would be kept for later would be kept here, and nothing is."""
    import socket

    from mlcroissant import constants

    def refuse(*_: object) -> None:
        raise AssertionError("there is no network")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    for name in ("DOWNLOAD_PATH", "EXTRACT_PATH"):
        monkeypatch.setattr(constants, name, tmp_path / "cache" / name)
    yield
    assert not (tmp_path / "cache").exists()
