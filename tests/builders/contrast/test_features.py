"""Features: of tones whose figures are known, by both front ends, and of what cannot be measured."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import soundfile as sf

from earmark.audio.acoustics.measures import measure
from earmark.builders.contrast.features import Features, by_librosa, measure_features, of_acoustics, whole_file
from earmark.builders.measuring import UNMEASURABLE, Request
from earmark.manifests.findings import Findings

RATE = 24_000


def tone(hertz: float = 200.0, seconds: float = 1.0, peak: float = 0.5) -> np.ndarray:
    """A tone with one overtone."""
    t = np.arange(int(seconds * RATE)) / RATE
    return peak * (0.7 * np.sin(2 * np.pi * hertz * t) + 0.3 * np.sin(4 * np.pi * hertz * t))


def test_both_front_ends_of_a_tone() -> None:
    padded = np.concatenate([np.zeros(RATE // 2), tone(), np.zeros(RATE // 2)])
    ours = of_acoustics(measure(padded, RATE, words=4))
    theirs = by_librosa(padded, RATE, words=4)
    assert ours.f0 == pytest.approx(200, rel=0.01)
    assert theirs.f0 == pytest.approx(200, rel=0.01)
    assert ours.seconds == pytest.approx(1.0, abs=0.05)  # of the speech
    assert theirs.seconds == 2.0  # of the file
    assert theirs.words_per_second == 2.0
    assert ours.words_per_second == pytest.approx(4, rel=0.05)
    assert ours.zero_crossing_rate is None
    assert theirs.syllables_per_second is None
    assert ours.centroid == pytest.approx(260, rel=0.05)  # 0.7 of 200 Hz and 0.3 of 400 Hz
    # Half of the signal's power is silence, and its RMS is 0.5 · √((0.7² + 0.3²) / 2).
    assert ours.level == pytest.approx(20 * np.log10(0.5 * np.sqrt(0.29) / np.sqrt(2)), abs=0.1)


def test_processes_change_nothing(tmp_path: Path) -> None:
    requests = []
    for n in range(3):
        sf.write(tmp_path / f"{n}.wav", tone(150 + 30 * n), RATE)
        requests.append(whole_file(tmp_path / f"{n}.wav", words=n + 1))
    one, two = (
        measure_features(requests, front="earmark", tracker="praat", jobs=jobs, findings=Findings()) for jobs in (1, 2)
    )
    assert (
        one == two == [of_acoustics(measure(sf.read(r.path, dtype="int16")[0], RATE, words=r.words)) for r in requests]
    )


def test_zero_crossings_and_level_of_a_sine() -> None:
    found = by_librosa(0.5 * np.sin(2 * np.pi * 1000 * np.arange(RATE) / RATE + 0.1), RATE)
    assert found.zero_crossing_rate == pytest.approx(2 * 1000 / RATE, rel=0.03)
    assert found.level == pytest.approx(20 * np.log10(0.5 / np.sqrt(2)), abs=0.3)
    assert found.mfcc is not None
    assert len(found.mfcc) == 13


def test_silence_has_a_length_alone() -> None:
    silence = np.zeros(RATE, dtype=np.int16)
    assert by_librosa(silence, RATE, words=3) == Features(seconds=1.0)
    assert of_acoustics(measure(silence, RATE, words=3)) == Features()
    assert Features(mfcc=(1.0, 2.0)).as_row()["mfcc"] == [1.0, 2.0]


def test_many_clips_one_of_them_no_audio(tmp_path: Path) -> None:
    sf.write(tmp_path / "a.wav", tone(), RATE)
    (tmp_path / "page.mp3").write_text("<html>busy</html>", encoding="utf-8")
    good = whole_file(tmp_path / "a.wav", words=4, id="a")
    bad = Request(path=tmp_path / "page.mp3", rate=RATE, spans=((0, 100),), id="b")
    for front in ("earmark", "librosa"):
        findings = Findings()
        found = measure_features(
            [good, bad, replace(good, words=None)],
            front=front, tracker="praat", jobs=1, findings=findings,
        )  # fmt: skip
        assert [features is None for features in found] == [False, True, False]
        assert [(finding.code, finding.id) for finding in findings] == [(UNMEASURABLE, "b")]
        assert found[0] is not None
        assert found[2] is not None
        assert found[2] == replace(found[0], words_per_second=None)
        findings = Findings()
        assert measure_features(
            [replace(good, rate=8000)], front=front, tracker="praat", jobs=1, findings=findings
        ) == [None]
        assert "not 8000" in str(next(iter(findings)).found)
    for front, tracker in (("earmark", "pyin"), ("praat", "praat"), ("librosa", "crepe")):
        with pytest.raises(ValueError, match="tracker"):
            measure_features(
                [], front=front, tracker=tracker, jobs=1, findings=Findings()
            )  # fmt: skip


@pytest.mark.slow
def test_every_tracker_finds_a_tone_but_piptrack_may_not() -> None:
    samples = tone(150.0, 2.0)
    for tracker in ("praat", "pyin", "yin"):
        assert by_librosa(samples, RATE, tracker=tracker).f0 == pytest.approx(150, rel=0.03), tracker
    assert (by_librosa(samples, RATE, tracker="piptrack").f0 or 0) > 0
    with pytest.raises(ValueError, match="crepe"):
        by_librosa(samples, RATE, tracker="crepe")
