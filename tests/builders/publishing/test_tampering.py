"""Whatever is changed in a copy as `publish` writes it is found by `verify`."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.miniature import files_of
from tests.support.publishable import publishable, published
from tests.support.tampering import require_found

from earmark.manifests.copies.verifying import verify
from earmark.manifests.findings import Findings


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("tampering")


@cache
def copy(base: Path, family: str) -> tuple[Path, dict[str, bytes]]:
    # Of Sonos SVC no audio may be published as it is, and here it is the audio that is tampered with.
    freer = {"svc": "CC-BY-4.0"} if family == "pairs" else {}
    release = publishable(base / family, family, licences=freer)
    folder = published(release, base / f"{family}-copy", answers="open", as_stated=tuple(freer)).path
    findings = Findings()
    verify(folder, findings, media=True)
    assert not findings
    return folder, {name: content for name, content in files_of(folder).items() if content}


@pytest.mark.slow
@pytest.mark.parametrize("family", ["stance", "pairs", "dialogues"])
@settings(max_examples=100)
@given(data=st.data())
def test_whatever_is_tampered_with_is_found(base: Path, family: str, data: st.DataObject) -> None:
    require_found(data, *copy(base, family))
