"""A miniature of SpeechEQ, once with one dialogue for each way to be of no use; read it, never change it."""

from __future__ import annotations

from pathlib import Path

import pytest

from earmark.builders.miniatures.speecheq import make_speecheq


@pytest.fixture(scope="session")
def sound_corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("speecheq") / "sound"
    make_speecheq(root)
    return root


@pytest.fixture(scope="session")
def flawed_corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("speecheq") / "flawed"
    make_speecheq(root, flaws=True)
    return root
