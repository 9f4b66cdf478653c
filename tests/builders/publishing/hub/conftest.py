"""A hub of one's own on this machine, and a client that talks to no other."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from tests.support.hub_server import TOKEN, HubServer, hub_server

from earmark.builders.publishing.hub.client import Hub

pytest.importorskip("huggingface_hub", reason="the extra `publish` is not installed")


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[HubServer]:
    """A hub without repositories, which the client takes for the only one; and nobody waits."""
    from huggingface_hub import constants
    from huggingface_hub.utils import _http

    with hub_server() as hub:
        settings = {
            "ENDPOINT": hub.endpoint,
            "HUGGINGFACE_CO_URL_TEMPLATE": hub.endpoint + "/{repo_id}/resolve/{revision}/{filename}",
            "HF_HUB_DISABLE_XET": True,
            "HF_HUB_DISABLE_TELEMETRY": True,
            "HF_HUB_OFFLINE": False,
            "HF_TOKEN_PATH": str(tmp_path / "no-token"),
        }
        for name, value in settings.items():
            monkeypatch.setattr(constants, name, value)
        for name in ("HF_TOKEN", "HUGGING_FACE_HUB_TOKEN"):
            monkeypatch.delenv(name, raising=False)
        monkeypatch.setattr(_http, "time", SimpleNamespace(sleep=lambda seconds: None))
        yield hub  # the client's session stays open, since opening one reads all certificates there are


@pytest.fixture
def hub(server: HubServer) -> Hub:
    """The hub as ada sees it."""
    return Hub(server.endpoint, TOKEN, wait=lambda seconds: None)
