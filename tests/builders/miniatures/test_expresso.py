"""The small Expresso: layout, counts and sound are those that its docstring promises."""

from __future__ import annotations

import hashlib
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
import soundfile as sf
from tests.builders.corpora.checks import codes_of, require_sound_rows
from tests.support.miniature import files_of

from earmark.builders.corpora.expresso import read_expresso
from earmark.builders.corpora.speech import SpeechCorpus
from earmark.builders.miniatures.expresso import make_expresso
from earmark.manifests.criteria import kind_of, satisfies, transcript_of
from earmark.manifests.findings import Findings
from earmark.manifests.rows import Row, text, texts

SPEAKERS = ("ex01", "ex02", "ex03", "ex04")


@pytest.fixture(scope="module")
def roots(tmp_path_factory: pytest.TempPathFactory) -> dict[bool, Path]:
    """A corpus with flaws and one without."""
    base = tmp_path_factory.mktemp("expresso")
    for flaws in (True, False):
        make_expresso(base / str(flaws), flaws=flaws)
    return {flaws: base / str(flaws) for flaws in (True, False)}


def read(root: Path, *splits: str) -> tuple[SpeechCorpus, dict[str, int]]:
    findings = Findings()
    corpus = read_expresso(root, splits=splits or ("test",), findings=findings)
    require_sound_rows(corpus)
    return corpus, codes_of(findings, "expresso")


def said(rows: list[Row]) -> list[Row]:
    return [row for row in rows if row["text"] is not None]


def pairs(rows: list[Row], criterion: str, target: str, *, same_speaker: bool | None = None) -> list[tuple[str, str]]:
    """Kind and transcript of every unordered pair of clips of which both are known to satisfy the target or not."""
    found = []
    for one, other in combinations(rows, 2):
        known = satisfies(one, criterion, target), satisfies(other, criterion, target)
        if None in known or same_speaker not in {None, one["speaker"] == other["speaker"]}:
            continue
        found.append((kind_of(bool(known[0]), bool(known[1])), transcript_of(text(one, "text"), text(other, "text"))))
    return found


def test_without_flaws_nothing_is_found(roots: dict[bool, Path]) -> None:
    for splits in (("test",), ("train", "dev", "test")):
        corpus, codes = read(roots[False], *splits)
        assert codes == {}
        assert len(corpus.rows) == 32 + len(splits)


def test_each_flaw_is_found(roots: dict[bool, Path]) -> None:
    corpus, codes = read(roots[True])
    assert codes == {
        "bad-mark": 1,
        "companion-file": 1,
        "conversations-left-out": 1,
        "missing-audio": 1,
        "tag": 1,
        "two-splits": 2,
        "unlisted-audio": 1,
    }
    sound = {text(row, "utterance"): row for row in read(roots[False])[0].rows}
    flawed = {text(row, "utterance"): row for row in corpus.rows}
    assert flawed.keys() - sound.keys() == {f"expresso/ex03_default_emphasis_0019{n}" for n in (6, 7, 8)}
    assert {name for name in sound if flawed[name] != sound[name]} == {"expresso/ex02_happy_00380"}


def test_layout(roots: dict[bool, Path]) -> None:
    files = {path.relative_to(roots[False]).as_posix() for path in roots[False].rglob("*") if path.is_file()}
    read_folder = "audio_48khz/read"
    assert files == {
        *("README.txt", "LICENSE.txt", "read_transcriptions.txt", "VAD_segments.txt", "splits/README"),
        *(f"splits/{split}.txt" for split in ("train", "dev", "test")),
        *(
            f"{read_folder}/{speaker}/{style}/base/{speaker}_{style}_{number}.wav"
            for speaker in SPEAKERS
            for style in ("default", "happy", "whisper")
            for number in ("00379", "00380")
        ),
        *(
            f"{read_folder}/{speaker}/default/base/{speaker}_default_emphasis_{number}.wav"
            for speaker in SPEAKERS
            for number in ("00199", "00200")
        ),
        f"{read_folder}/ex01/default/longform/ex01_default_longform_00001.wav",
    }


@pytest.mark.parametrize("flaws", [True, False])
def test_style_pairs_that_can_be_made(roots: dict[bool, Path], flaws: bool) -> None:
    rows = [row for row in said(list(read(roots[flaws])[0].rows)) if row["style"] == row["substyle"]]
    assert len(rows) == 24
    assert pairs(rows, "style", "happy", same_speaker=True).count(("non_tie", "same")) == 16
    assert pairs(rows, "style", "happy", same_speaker=False).count(("both_good", "same")) == 12
    assert pairs(rows, "style", "happy", same_speaker=True).count(("both_good", "same")) == 0


def emphasis(row: Row) -> str:
    return text(row, "utterance").removeprefix("expresso/").replace("_default_emphasis", "")


@pytest.mark.parametrize("flaws", [True, False])
def test_emphasis_pairs_that_can_be_made(roots: dict[bool, Path], flaws: bool) -> None:
    rows = {emphasis(row): row for row in said(list(read(roots[flaws])[0].rows))}

    def pair(criterion_word: str, one: str, other: str) -> tuple[str, str]:
        (found,) = pairs([rows[one], rows[other]], "emphasis", criterion_word)
        return found

    for speaker in ("ex01", "ex03", "ex04"):
        for word in ("said", "mine"):
            assert pair(word, f"{speaker}_00199", f"{speaker}_00200") == ("non_tie", "same")
    assert pair("said", "ex02_00199", "ex01_00200") == ("non_tie", "cross")
    assert pair("mine", "ex02_00200", "ex01_00199") == ("both_bad", "cross")
    assert [texts(rows[f"ex02_{number}"], "emphasised") for number in ("00199", "00200")] == [["said"], ["yours"]]


def test_awkward_marks(roots: dict[bool, Path]) -> None:
    rows = {emphasis(row): row for row in read(roots[True])[0].rows}
    assert texts(rows["ex03_00196"], "emphasised") == ["right now"]
    assert satisfies(rows["ex03_00196"], "emphasis", "now") is None
    assert (rows["ex03_00197"]["text"], rows["ex03_00197"]["emphasised"]) == (None, [])
    assert text(rows["ex03_00198"], "text").lower().count("said") == 2


def heard(root: Path, row: Row) -> np.ndarray:
    samples: np.ndarray = sf.read(root / text(row, "path"))[0]
    return samples


def test_form_and_lengths(roots: dict[bool, Path]) -> None:
    hashes = set()
    wavs = [path for path in roots[True].rglob("*.wav") if not path.name.startswith("._")]
    for path in wavs:
        info = sf.info(path)
        assert (info.samplerate, info.channels, info.subtype) == (48_000, 1, "PCM_24")
        assert info.duration < 3 or "longform" in path.name
        assert info.duration >= 1
        samples = sf.read(path, dtype="int32")[0]
        # The quiet at the start tells them apart too, so that no two are near copies.
        hashes |= {hashlib.sha256(part.tobytes()).digest() for part in (samples, samples[:2000])}
    assert len(wavs) == 38
    assert len(hashes) == 2 * len(wavs)
    assert len(list(roots[False].rglob("*.wav"))) == 33


def test_happy_is_higher_and_whispering_has_no_pitch(roots: dict[bool, Path]) -> None:
    parselmouth = pytest.importorskip("parselmouth")
    rows = {text(row, "utterance").removeprefix("expresso/"): row for row in read(roots[False])[0].rows}
    for speaker in SPEAKERS:
        pitch: dict[str, float] = {}
        level: dict[str, float] = {}
        for style in ("default", "happy", "whisper"):
            samples = heard(roots[False], rows[f"{speaker}_{style}_00379"])
            track = parselmouth.Sound(samples, 48_000).to_pitch_ac(pitch_floor=60, pitch_ceiling=500)
            voiced = track.selected_array["frequency"]
            pitch[style] = float(np.median(voiced[voiced > 0])) if np.mean(voiced > 0) > 0.3 else 0.0
            level[style] = 10 * np.log10(np.mean(samples**2))
        assert pitch["happy"] > 1.2 * pitch["default"]
        assert pitch["whisper"] == 0
        assert level["whisper"] == pytest.approx(level["default"] - 20, abs=1)
        assert (pitch["default"] > 160) == (rows[f"{speaker}_default_00379"]["sex"] == "female")


def test_a_seed_is_all_there_is(roots: dict[bool, Path], tmp_path: Path) -> None:
    make_expresso(tmp_path / "again", seed=1)
    make_expresso(tmp_path / "other", seed=2)
    first, again, other = (files_of(root) for root in (roots[True], tmp_path / "again", tmp_path / "other"))
    assert first == again
    assert first.keys() == other.keys()
    assert {name for name in first if first[name] == other[name]} == {
        name for name in first if not name.endswith(".wav") or "/._" in name
    }


def test_a_folder_that_is_not_empty(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("keep me")
    with pytest.raises(ValueError, match="not empty"):
        make_expresso(tmp_path)
    assert files_of(tmp_path) == {"mine.txt": b"keep me"}
