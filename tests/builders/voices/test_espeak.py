"""The offline voice: repeatable, obedient to its controls, and plain about what went wrong."""

from __future__ import annotations

from time import time
from typing import TYPE_CHECKING

import numpy as np
import pytest

from earmark.builders.voices import espeak
from earmark.builders.voices.espeak import Speech, Utterance, VoiceFailed, render_script, render_scripts
from earmark.manifests.errors import MissingExtra

if TYPE_CHECKING:
    from pathlib import Path

pytest.importorskip("espeakng_loader")

TEXT = "The bus leaves at nine, and it stops near the old mill."
SCRIPT = [Utterance(TEXT), Utterance(TEXT, voice="en-us+f3", rate=220, volume=60), Utterance("Two trips will do.")]


def rms(speech: Speech) -> float:
    return float(np.sqrt(np.mean(speech.samples.astype(float) ** 2)))


def test_the_same_script_gives_the_same_samples() -> None:
    first, second = render_script(SCRIPT), render_script(SCRIPT)
    assert [len(speech.samples) for speech in first] == [len(speech.samples) for speech in second]
    for one, other in zip(first, second, strict=True):
        np.testing.assert_array_equal(one.samples, other.samples)
        assert one.words == other.words


def test_the_time_of_day_changes_nothing() -> None:
    begun = int(time())
    first = render_script(SCRIPT[:1])[0]
    while int(time()) - begun < 2:  # the engine's own seed is the second, so render until it is another
        later = render_script(SCRIPT[:1])[0]
        np.testing.assert_array_equal(first.samples, later.samples)
    assert int(time()) > begun


def test_the_number_of_jobs_changes_nothing() -> None:
    scripts = [SCRIPT, SCRIPT[::-1], SCRIPT[:1], []]
    for alone, together in zip(render_scripts(scripts, jobs=1), render_scripts(scripts, jobs=3), strict=True):
        assert len(alone) == len(together)
        for one, other in zip(alone, together, strict=True):
            np.testing.assert_array_equal(one.samples, other.samples)


def test_words_stand_where_the_text_has_them() -> None:
    (speech,) = render_script([Utterance(TEXT)])
    assert [TEXT[word.start : word.start + word.length] for word in speech.words] == TEXT.replace(",", "").rstrip(
        "."
    ).split()
    starts = [word.sample for word in speech.words]
    assert starts == sorted(starts)
    assert 0 <= starts[0] < starts[-1] < len(speech.samples)
    assert speech.rate == 22050
    assert speech.engine.startswith("eSpeak NG 1.")


def test_each_control_moves_what_it_names() -> None:
    base, slow, fast, loud, quiet, gaps = render_script(
        [
            Utterance(TEXT),
            Utterance(TEXT, rate=120),
            Utterance(TEXT, rate=260),
            Utterance(TEXT, volume=160),
            Utterance(TEXT, volume=40),
            Utterance(TEXT, word_gap=20),
        ]
    )
    assert len(slow.samples) > 1.2 * len(base.samples) > 1.5 * len(fast.samples)
    assert rms(loud) > 1.3 * rms(base) > 2 * rms(quiet)
    assert len(gaps.samples) > len(base.samples) + 9 * 0.1 * base.rate


def test_pitch_and_range_move_the_fundamental() -> None:
    parselmouth = pytest.importorskip("parselmouth")
    low, high, flat, lively = render_script(
        [Utterance(TEXT, pitch=30), Utterance(TEXT, pitch=90), Utterance(TEXT, range=0), Utterance(TEXT, range=100)]
    )

    def f0(speech: Speech) -> np.ndarray:
        pitch = parselmouth.Sound(speech.samples / 32768, speech.rate).to_pitch_ac(
            pitch_floor=60.0, pitch_ceiling=400.0
        )
        return pitch.selected_array["frequency"][pitch.selected_array["frequency"] > 0]

    assert np.median(f0(high)) > 1.3 * np.median(f0(low))
    assert f0(lively).std() > 2 * f0(flat).std()


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("rate", 79, "rate is 80 to 450, not 79"),
        ("pitch", 100, "pitch is 0 to 99, not 100"),
        ("range", -1, "range is 0 to 100, not -1"),
        ("volume", 201, "volume is 0 to 200, not 201"),
        ("word_gap", 501, "word_gap is 0 to 500, not 501"),
        ("text", " \n", "needs text"),
        ("text", "a\0b", "needs text"),
    ],
)
def test_what_is_out_of_range(field: str, value: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Utterance(**{"text": "Yes.", field: value})  # type: ignore[arg-type]  # wrong on purpose


@pytest.mark.parametrize("voice", ["xx-nope", "en-us+nope"])
def test_a_voice_that_is_not_there_is_named(voice: str) -> None:
    with pytest.raises(VoiceFailed, match=f"no voice.*{voice[-4:]}"):
        render_script([Utterance("Yes.", voice=voice)])


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("import os; os._exit(9)", "ended with 9 .*it said nothing"),
        ("import os; os.abort()", "ended with -?\\d+ at a script of 3 utterances"),
        ("raise RuntimeError('no such luck')", "RuntimeError: no such luck"),
        ("print('hello')", "not readable"),
        ('print(\'{"rate": 22050, "engine": "e", "spoken": []}\')', "not whole"),
    ],
)
def test_a_child_that_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, body: str, message: str) -> None:
    worker = tmp_path / "worker.py"
    worker.write_text(body)
    monkeypatch.setattr(espeak, "_WORKER", worker)
    with pytest.raises(VoiceFailed, match=message):
        render_scripts([SCRIPT, SCRIPT], jobs=2)


def test_a_child_that_hangs_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    worker = tmp_path / "worker.py"
    worker.write_text("import threading; threading.Event().wait()")
    monkeypatch.setattr(espeak, "_WORKER", worker)
    with pytest.raises(VoiceFailed, match="did not finish a script of 3 utterances that begins 'The bus"):
        render_script(SCRIPT, timeout=0.5)


def test_an_interpreter_that_does_not_start(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("sys.executable", str(tmp_path / "python"))
    with pytest.raises(VoiceFailed, match="does not start"):
        render_script(SCRIPT)


def test_without_the_voice_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(espeak, "find_spec", lambda _: None)
    with pytest.raises(MissingExtra, match=r"earmark\[voice\]"):
        render_script(SCRIPT)


def test_jobs_are_at_least_one() -> None:
    with pytest.raises(ValueError, match="not 0"):
        render_scripts([SCRIPT], jobs=0)
