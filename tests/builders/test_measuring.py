"""Measuring many clips: whatever the number of processes, the order and the cache, the same figures."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from earmark.audio.cut import write_flac
from earmark.builders.measuring import Request, measure_clips
from earmark.manifests.findings import Findings

RATE = 16_000


@pytest.fixture(scope="module")
def requests(tmp_path_factory: pytest.TempPathFactory) -> list[Request]:
    folder = tmp_path_factory.mktemp("clips")
    made = []
    for number in range(5):
        tone = np.sin(np.arange(RATE) * (0.05 + 0.01 * number)) * 8000
        path = folder / f"{number}.flac"
        write_flac(path, tone.astype(np.int16), RATE)
        made.append(Request(path=path, rate=RATE, spans=((0, RATE),), words=number, id=f"u{number}"))
    return made


def test_a_clip_that_cannot_be_read_is_a_finding(requests: list[Request], tmp_path: Path) -> None:
    findings = Findings()
    absent = Request(path=tmp_path / "absent.flac", rate=RATE, spans=((0, 10),), id="gone")
    measured = measure_clips([absent, requests[0]], cache=None, jobs=1, progress=None, findings=findings)
    assert measured[0] is None
    assert measured[1] is not None
    assert [(found.code.name, found.id) for found in findings] == [("acoustics.unmeasurable", "gone")]
