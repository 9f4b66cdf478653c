"""The four miniature corpora, made once."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.speech_miniatures import make_corpora


@pytest.fixture(scope="session")
def corpora(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With the traps of the real ones; read it, never change it."""
    return make_corpora(tmp_path_factory.mktemp("speech"), flaws=True)


@pytest.fixture(scope="session")
def clean_corpora(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Without them; read it, never change it."""
    return make_corpora(tmp_path_factory.mktemp("clean-speech"), flaws=False)
