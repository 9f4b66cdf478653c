"""Measuring many clips: whatever the number of processes, the order, the cache and the kills, the same figures."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import textwrap
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from earmark.audio.acoustics import measures
from earmark.audio.acoustics.settings import DEFAULTS
from earmark.audio.cut import cut, write_flac
from earmark.audio.hashes import pcm_hash
from earmark.builders import measuring
from earmark.builders.measuring import Measured, Request, measure_clips
from earmark.builders.measuring_cache import Cache
from earmark.manifests.errors import MissingExtra
from earmark.manifests.findings import Findings

pytest.importorskip("parselmouth")
pytest.importorskip("pyloudnorm")

RATE = 16_000
CLIPS = 9


def make_clips(folder: Path, count: int, seconds: float = 0.5) -> list[Request]:
    """Tones of different pitch, each behind as much silence as its number says."""
    folder.mkdir(parents=True, exist_ok=True)
    made = []
    for number in range(count):
        times = np.arange(round(seconds * RATE)) / RATE
        tone = np.sin(2 * np.pi * (110 + 10 * number) * times) * 8000
        samples = np.concatenate([np.zeros(160 * number), tone]).astype(np.int16)
        path = folder / f"{number}.flac"
        write_flac(path, samples, RATE)
        made.append(Request(path=path, rate=RATE, spans=((0, len(samples)),), words=number, id=f"u{number}"))
    return made


def run(
    requests: list[Request], *, cache: Path | None = None, jobs: int = 1, findings: Findings | None = None
) -> list[Measured | None]:
    return measure_clips(
        requests, cache=cache, jobs=jobs, progress=None, findings=Findings() if findings is None else findings
    )


@pytest.fixture(scope="module")
def requests(tmp_path_factory: pytest.TempPathFactory) -> list[Request]:
    return make_clips(tmp_path_factory.mktemp("clips"), CLIPS)


@pytest.fixture(scope="module")
def plain(requests: list[Request]) -> list[Measured]:
    """What comes of them in one process, without a cache."""
    measured = [found for found in run(requests) if found is not None]
    assert len(measured) == CLIPS
    return measured


@pytest.fixture
def forbidden(monkeypatch: pytest.MonkeyPatch) -> None:
    """No clip may be measured."""

    def measured_again(*_: object, **__: object) -> None:
        raise AssertionError("a clip was measured that the cache has")

    monkeypatch.setattr(measuring, "measure", measured_again)


def test_each_clip_has_its_own_measures_and_hash(requests: list[Request], plain: list[Measured]) -> None:
    for number, (request, found) in enumerate(zip(requests, plain, strict=True)):
        clip = cut(request.path, request.spans)
        assert found.pcm_hash == pcm_hash(request.path)
        assert found.seconds == len(clip.samples) / RATE
        assert found.acoustics == measures.measure(clip.samples, RATE, words=number)
        assert found.acoustics.f0_median == pytest.approx(110 + 10 * number, rel=0.01)


def test_neither_processes_nor_order_nor_cache_move_a_figure(
    requests: list[Request], plain: list[Measured], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(measuring, "_BATCH", 4)
    order = [int(number) for number in np.random.default_rng(1).permutation(CLIPS)]
    shuffled = [requests[number] for number in order]
    for jobs, cache in ((2, None), (2, tmp_path), (2, tmp_path), (1, tmp_path)):
        assert run(shuffled, jobs=jobs, cache=cache) == [plain[number] for number in order]


def test_one_job_starts_no_process(
    requests: list[Request], plain: list[Measured], monkeypatch: pytest.MonkeyPatch
) -> None:
    joblib = pytest.importorskip("joblib")
    monkeypatch.setattr(joblib, "Parallel", None)
    assert run(requests) == plain
    assert run(requests, jobs=2) == plain  # so few are measured sooner than a process is started
    monkeypatch.setattr(measuring, "_BATCH", 4)
    with pytest.raises(TypeError):
        run(requests, jobs=2)


def test_processes_that_stand_in_another_folder_find_what_is_named_from_here(
    requests: list[Request], plain: list[Measured], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As after a change of folder between two builds of one process: joblib keeps its processes."""
    monkeypatch.setattr(measuring, "_BATCH", 2)
    monkeypatch.chdir(tmp_path)
    assert run(requests, jobs=2) == plain
    monkeypatch.chdir(requests[0].path.parent)
    assert run([replace(request, path=Path(request.path.name)) for request in requests], jobs=2) == plain


@pytest.fixture(scope="module")
def filled(requests: list[Request], plain: list[Measured], tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("filled")
    assert run(requests, cache=folder) == plain
    return folder


@pytest.mark.usefixtures("forbidden")
def test_what_the_cache_has_is_not_measured_again(requests: list[Request], plain: list[Measured], filled: Path) -> None:
    assert run(requests, cache=filled) == plain


@pytest.mark.usefixtures("forbidden")
def test_what_the_cache_has_is_known_under_another_name(
    requests: list[Request], plain: list[Measured], filled: Path, tmp_path: Path
) -> None:
    other = tmp_path / "renamed.flac"
    shutil.copy(requests[3].path, other)
    assert run([replace(requests[3], path=other)], cache=filled) == [plain[3]]


@pytest.mark.usefixtures("forbidden")
def test_what_the_cache_has_is_known_with_other_words(
    requests: list[Request], plain: list[Measured], filled: Path
) -> None:
    (found,) = run([replace(requests[3], words=12)], cache=filled)
    assert found is not None
    assert found.acoustics == plain[3].acoustics.with_words(12)
    assert found.acoustics.words_per_second == pytest.approx(12 / 0.5, rel=0.05)


@pytest.mark.usefixtures("forbidden")
def test_what_the_cache_has_is_another_thing_when_the_samples_are(
    requests: list[Request], filled: Path, tmp_path: Path
) -> None:
    with pytest.raises(AssertionError, match="measured"):
        run([replace(requests[3], spans=((0, 6000),))], cache=filled)


@pytest.mark.usefixtures("forbidden")
def test_what_the_cache_has_is_another_thing_under_other_settings(requests: list[Request], filled: Path) -> None:
    with pytest.raises(AssertionError, match="measured"):
        measure_clips(
            requests,
            cache=filled,
            jobs=1,
            progress=None,
            findings=Findings(),
            settings=replace(DEFAULTS, pitch_floor=60.0),
        )


def test_spans_are_joined_and_channels_kept_apart(requests: list[Request], tmp_path: Path) -> None:
    import soundfile

    path = tmp_path / "two.wav"
    left, right = (cut(requests[number].path, ((0, 8000),)).samples for number in (0, 1))
    soundfile.write(path, np.stack([left, right], axis=1), RATE)
    (found,) = run([Request(path=path, rate=RATE, channel=1, spans=((0, 4000), (2000, 8000)), joining_silence=800)])
    whole = np.concatenate([right[:4000], np.zeros(800, np.int16), right[2000:]])
    assert found is not None
    assert found.acoustics == measures.measure(whole, RATE)


def test_everything_that_cannot_be_read_is_reported_at_once(requests: list[Request], tmp_path: Path) -> None:
    text = tmp_path / "text.wav"
    text.write_text("no audio")
    bad = [
        replace(requests[0], path=tmp_path / "absent.flac", id="absent"),
        replace(requests[0], path=text, id="text"),
        replace(requests[0], spans=((0, 10**6),), id="long"),
        replace(requests[0], spans=((50, 10),), id="reversed"),
        replace(requests[0], spans=(), id="empty"),
        replace(requests[0], channel=3, id="channel"),
        replace(requests[0], rate=44_100, id="rate"),
    ]
    findings = Findings()
    measured = run([*bad, requests[0]], findings=findings)
    assert measured[:-1] == [None] * len(bad)
    assert measured[-1] is not None
    said = {finding.id: finding for finding in findings}
    assert findings.counts == {"acoustics.other-rate": 1, "acoustics.unmeasurable": 6}
    assert said.keys() == {request.id for request in bad}
    assert (said["rate"].found, said["rate"].expected) == ("16000", "44100 Hz")
    assert "8000 samples" in str(said["long"].found)


def test_a_file_that_may_not_be_opened_is_a_finding(requests: list[Request], monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(path: Path, *_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(measuring, "cut", refused)
    findings = Findings()
    assert run(requests[:1], findings=findings) == [None]
    assert findings.counts == {"acoustics.unmeasurable": 1}


def test_what_is_not_installed_is_said(requests: list[Request], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "joblib", None)
    monkeypatch.setattr(measuring, "_BATCH", 2)
    with pytest.raises(MissingExtra, match=r"earmark\[build\]"):
        run(requests, jobs=2)


def test_progress_is_told_from_none_to_all(requests: list[Request]) -> None:
    told: list[tuple[str, int, int]] = []
    measure_clips(requests, cache=None, jobs=1, progress=lambda *seen: told.append(seen), findings=Findings())
    assert told[0] == ("measuring clips", 0, CLIPS)
    assert told[-1] == ("measuring clips", CLIPS, CLIPS)


@pytest.mark.parametrize("jobs", [1, 2])
def test_nothing_asked_is_nothing_done(jobs: int, tmp_path: Path) -> None:
    assert run([], jobs=jobs, cache=tmp_path) == []


def test_a_cache_that_is_none_is_a_warning_and_no_more(
    requests: list[Request], plain: list[Measured], tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("in the way")
    (tmp_path / "acoustics.sqlite").write_bytes(b"no database" * 1000)
    for folder in (tmp_path / "file", tmp_path):
        findings = Findings()
        assert run(requests, cache=folder, findings=findings) == plain
        assert findings.counts == {"acoustics.cache": 1}
        assert findings.exit_code == 0


def test_a_cache_that_takes_nothing_more_is_a_warning(
    requests: list[Request], plain: list[Measured], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import sqlite3

    def full(*_: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(Cache, "put", full)
    monkeypatch.setattr(measuring, "_BATCH", 2)
    findings = Findings()
    assert run(requests, cache=tmp_path, findings=findings) == plain
    assert findings.counts == {"acoustics.cache": 1}


CHILD = """
    import sys
    from pathlib import Path
    from tests.builders.test_measuring import make_clips
    from earmark.builders import measuring
    from earmark.builders.measuring_cache import Cache
    from earmark.manifests.findings import Findings

    if __name__ == "__main__":
        folder, cache, stop = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
        measuring._BATCH = 2

        def told(what, done, of):
            print(done, flush=True)

        def stuck(self, rows):
            # In the middle of a transaction, with rows written and none committed.
            self._database.execute("BEGIN IMMEDIATE")
            for pcm, found in rows:
                self._database.execute("INSERT INTO acoustics VALUES (?, ?, ?)", (pcm, self._settings, b"{}"))
            print("stuck", flush=True)
            sys.stdin.read()

        clips = make_clips(folder, 40)
        if stop == "stuck":
            measuring.measure_clips(clips[:4], cache=cache, jobs=1, progress=None, findings=Findings())
            Cache.put = stuck
        measuring.measure_clips(clips, cache=cache, jobs=1, progress=told, findings=Findings())
"""


@pytest.mark.parametrize("stop", ["8", "stuck"])
def test_a_killed_run_leaves_whole_figures_and_the_rest_is_measured(
    stop: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / "child.py"
    script.write_text(textwrap.dedent(CHILD), encoding="utf-8")
    folder, cache = tmp_path / "clips", tmp_path / "cache"
    root = Path(__file__).resolve().parents[2]
    child = subprocess.Popen(
        [sys.executable, script, folder, cache, stop],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(root)},
    )
    with child:
        assert child.stdout is not None
        for line in child.stdout:
            if line.strip() == stop:
                break
        child.kill()
    assert child.returncode != 0
    requests = make_clips(folder, 40)
    expected = run(requests)
    with Cache(cache, DEFAULTS.digest()) as store:
        kept = store.known()
    assert 4 <= len(kept) < 40
    known = {found.pcm_hash: found.acoustics.with_words(None) for found in expected if found}
    assert kept == {pcm: known[pcm] for pcm in kept}
    calls: list[int] = []

    def counted(*samples: object, **how: object) -> object:
        calls.append(1)
        return measures.measure(*samples, **how)  # type: ignore[arg-type]

    monkeypatch.setattr(measuring, "measure", counted)
    assert run(requests, cache=cache) == expected
    assert len(calls) == 40 - len(kept)
