"""The small EARS: layout, counts and lengths are those that its docstring promises."""

from __future__ import annotations

import hashlib
from itertools import permutations
from pathlib import Path

import pytest
import soundfile as sf
from tests.builders.corpora.checks import codes_of, require_sound_rows
from tests.support.miniature import files_of

from earmark.builders.corpora.ears import contradicted_paces, read_ears
from earmark.builders.corpora.speech import SpeechCorpus
from earmark.builders.miniatures.ears import make_ears
from earmark.manifests.findings import Findings
from earmark.manifests.rows import Row, text, whole

SPEAKERS = tuple(f"p{n}" for n in range(102, 108))
LENGTHS = {"fast": 0.7, "regular": 1.0, "slow": 1.4}


@pytest.fixture(scope="module")
def roots(tmp_path_factory: pytest.TempPathFactory) -> dict[bool, Path]:
    """A corpus with flaws and one without."""
    base = tmp_path_factory.mktemp("ears")
    for flaws in (True, False):
        make_ears(base / str(flaws), flaws=flaws)
    return {flaws: base / str(flaws) for flaws in (True, False)}


def read(root: Path, *splits: str) -> tuple[SpeechCorpus, dict[str, int]]:
    findings = Findings()
    corpus = read_ears(root, splits=splits or ("test",), findings=findings)
    require_sound_rows(corpus)
    return corpus, codes_of(findings, "ears")


def rate_pairs(rows: list[Row]) -> int:
    """Ordered pairs of one speaker's readings of one text at two paces."""
    paced = [row for row in rows if row["pace"] is not None]
    return sum(
        (one["speaker"], one["text"]) == (other["speaker"], other["text"]) and one["pace"] != other["pace"]
        for one, other in permutations(paced, 2)
    )


def test_without_flaws_nothing_is_found(roots: dict[bool, Path]) -> None:
    corpus, codes = read(roots[False])
    assert codes == {}
    assert len(corpus.rows) == 36
    assert rate_pairs(list(corpus.rows)) == 72


def test_each_flaw_is_found(roots: dict[bool, Path]) -> None:
    corpus, codes = read(roots[True])
    assert codes == {"pace": 1}
    assert len(corpus.rows) == 39
    assert rate_pairs(list(corpus.rows)) == 72
    bad = contradicted_paces(corpus.rows)
    assert list(bad) == ["ears/p105/rainbow_02_fast"]
    assert rate_pairs([row for row in corpus.rows if row["utterance"] not in bad]) == 68
    assert len(read(roots[True], "valid")[0].rows) == 2


def test_awkward_recordings(roots: dict[bool, Path]) -> None:
    rows = {text(row, "utterance").removeprefix("ears/"): row for row in read(roots[True])[0].rows}
    assert rows["p102/freeform_speech_01"]["text"] is None
    assert rows["p104/rainbow_01_whisper"]["pace"] is None
    assert [name for name, row in rows.items() if row["script"] == "sentences_15"] == ["p102/sentences_15_regular"]
    sexes = {text(row, "speaker").removeprefix("ears/"): row["sex"] for row in rows.values()}
    assert sexes == dict(zip(SPEAKERS, ("male", None, "female", "male", "female", "male"), strict=True))


def test_layout_and_form(roots: dict[bool, Path]) -> None:
    files = {path.relative_to(roots[False]).as_posix(): path for path in roots[False].rglob("*") if path.is_file()}
    wavs = {
        f"{speaker}/{script}_{pace}.wav"
        for speaker in SPEAKERS
        for script in ("rainbow_01", "rainbow_02")
        for pace in LENGTHS
    }
    assert set(files) == {"transcripts.json", "speaker_statistics.json"} | wavs
    hashes = {hashlib.sha256(sf.read(files[name], dtype="int16")[0].tobytes()).digest() for name in wavs}
    assert len(hashes) == 36
    for name in wavs:
        info = sf.info(files[name])
        assert (info.samplerate, info.channels, info.subtype) == (48_000, 1, "PCM_16")


@pytest.mark.parametrize("flaws", [True, False])
def test_lengths_are_in_proportion(roots: dict[bool, Path], flaws: bool) -> None:
    rows = {text(row, "utterance"): row for row in read(roots[flaws])[0].rows}
    for speaker in SPEAKERS:
        for script in ("rainbow_01", "rainbow_02"):
            frames = {pace: whole(rows[f"ears/{speaker}/{script}_{pace}"], "end") for pace in LENGTHS}
            expected = dict(LENGTHS)
            if flaws and (speaker, script) == ("p105", "rainbow_02"):
                expected["fast"] = 1.1
            for pace, factor in expected.items():
                assert frames[pace] == pytest.approx(factor * frames["regular"], rel=1e-4)


def test_a_seed_is_all_there_is(roots: dict[bool, Path], tmp_path: Path) -> None:
    make_ears(tmp_path / "again", seed=1)
    make_ears(tmp_path / "other", seed=2)
    first, again, other = (files_of(root) for root in (roots[True], tmp_path / "again", tmp_path / "other"))
    assert first == again
    assert first.keys() == other.keys()
    assert {name for name in first if first[name] == other[name]} == {
        name for name in first if not name.endswith(".wav")
    }


def test_a_folder_that_is_not_empty(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("keep me")
    with pytest.raises(ValueError, match="not empty"):
        make_ears(tmp_path)
    assert files_of(tmp_path) == {"mine.txt": b"keep me"}
