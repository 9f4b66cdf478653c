"""LibriTTS joined: the same whatever order files and lines stand in, and partners that are missing told in both directions."""

from __future__ import annotations

import os
import shutil
import wave
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.builders.corpora.checks import codes_of, require_sound_rows
from tests.builders.corpora.tiny import write_wav

from earmark.builders.corpora import text_lines
from earmark.builders.corpora.libritts import read_libritts
from earmark.builders.corpora.libritts.corpus import BROKEN, known_flaws
from earmark.builders.corpora.speech import SpeechCorpus
from earmark.builders.miniatures.libritts import READERS, make_libritts
from earmark.manifests.errors import Refused, UnknownName
from earmark.manifests.findings import Findings

FIRST = "61_70968_000000_000000"
FOLDER = "test-clean/61/70968"
SEX = {"F": "female", "M": "male"}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("libritts") / "LibriTTS"
    make_libritts(root, flaws=False)
    return root


@pytest.fixture
def root(made: Path, tmp_path: Path) -> Path:
    return shutil.copytree(made, tmp_path / "LibriTTS")


def read(root: Path, *splits: str) -> tuple[SpeechCorpus, dict[str, int]]:
    findings = Findings()
    corpus = read_libritts(root, splits=splits or ("test-clean", "test-other"), findings=findings)
    return corpus, codes_of(findings, "libritts")


def row(corpus: SpeechCorpus, id: str = FIRST) -> dict[str, object]:
    return next(row for row in corpus.rows if row["utterance"] == f"libritts/{id}")


def test_all_of_a_sound_corpus_is_read(made: Path) -> None:
    corpus, codes = read(made)
    assert codes == {}
    require_sound_rows(corpus)
    expected = [
        (
            f"libritts/{reader.id}_{reader.chapter}_000000_{n:06d}",
            f"libritts/{reader.id}",
            text,
            SEX[reader.sex],
            reader.subset,
        )
        for reader in READERS
        for n, (_, text) in enumerate(reader.sentences)
    ]
    columns = ("utterance", "speaker", "text", "sex", "split")
    assert [tuple(found[name] for name in columns) for found in corpus.rows] == sorted(expected)
    for found in corpus.rows:
        with wave.open(str(made / str(found["path"]))) as audio:
            assert (found["start"], found["end"], found["rate"]) == (0, audio.getnframes(), audio.getframerate())
        assert [found[name] for name in ("script", "age", "age_group", "style", "pace")] == [None] * 5
        assert found["text_source"] == "trans.tsv"
        assert str(found["utterance"]).startswith(f"libritts/{found['session']}_")
    assert row(corpus)["text"] == "He was thirty."


def test_only_the_subsets_asked_for(made: Path) -> None:
    corpus, codes = read(made, "test-other")
    assert codes == {}
    assert {found["speaker"] for found in corpus.rows} == {"libritts/367", "libritts/1688"}
    assert sorted(corpus.metadata) == ["SPEAKERS.txt", "test-other"]
    corpus, codes = read(made, "dev-clean", "test-other")
    assert codes == {"no-subset": 1}
    assert len(corpus.rows) == 6
    with pytest.raises(UnknownName, match="test_clean"):
        read(made, "test_clean")


def test_the_flaws_of_the_miniature_are_found(tmp_path: Path) -> None:
    make_libritts(tmp_path / "LibriTTS")
    corpus, codes = read(tmp_path / "LibriTTS")
    assert codes == {"companion-file": 1, "missing-audio": 1, "unlisted-audio": 1}
    require_sound_rows(corpus)
    assert len(corpus.rows) == 18
    beside = row(corpus, "260_123286_000000_000002")
    assert (beside["text"], beside["text_source"]) == ("Gulls kept us company.", "normalized.txt")


@settings(max_examples=15)
@given(seed=st.integers(0, 1 << 30))
def test_no_order_of_files_or_lines_changes_anything(made: Path, seed: int) -> None:
    expected = read(made)
    random, listdir = Random(seed), os.listdir  # noqa: S311
    tables = [made / "SPEAKERS.txt", *sorted(made.rglob("*.tsv"))]
    before = [path.read_bytes() for path in tables]

    def shuffled(folder: Path) -> list[str]:
        names = listdir(folder)
        random.shuffle(names)
        return names

    try:
        for path in tables:
            lines = path.read_text("utf-8").splitlines()
            random.shuffle(lines)
            path.write_text("\n".join(lines), "utf-8")
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(os, "listdir", shuffled)
            assert read(made, "test-other", "test-clean", "test-other") == expected
    finally:
        for path, data in zip(tables, before, strict=True):
            path.write_bytes(data)


def test_partners_missing_in_either_direction(root: Path) -> None:
    folder = root / FOLDER
    (folder / f"{FIRST}.wav").unlink()
    second = folder / "61_70968_000000_000001"
    lines = (folder / "61_70968.trans.tsv").read_text("utf-8").splitlines()
    (folder / "61_70968.trans.tsv").write_text(lines[0] + "\n", "utf-8")
    Path(f"{second}.normalized.txt").unlink()
    corpus, codes = read(root)
    assert codes == {"missing-audio": 1, "no-text": 1, "unlisted-audio": 1}
    assert len(corpus.rows) == 17
    found = row(corpus, second.name)
    assert (found["text"], found["text_source"]) == (None, None)
    require_sound_rows(corpus)


def test_a_chapter_without_its_table_is_read_file_by_file(root: Path) -> None:
    expected = [(found["utterance"], found["text"]) for found in read(root)[0].rows]
    (root / FOLDER / "61_70968.trans.tsv").unlink()
    corpus, codes = read(root)
    assert codes == {"no-trans": 1}
    assert [(found["utterance"], found["text"]) for found in corpus.rows] == expected
    assert row(corpus)["text_source"] == "normalized.txt"
    (root / FOLDER / f"{FIRST}.normalized.txt").write_bytes(b"\xff")
    assert read(root)[1] == {"no-trans": 1, "no-text": 1}


def test_what_the_book_leaves_out_stays_out(root: Path) -> None:
    book = root / FOLDER / "61_70968.book.tsv"
    book.write_text(book.read_text("utf-8").replace("true", "false", 1), "utf-8")
    corpus, codes = read(root)
    assert codes == {"excluded": 1}
    assert len(corpus.rows) == 17


def test_files_that_lie_or_are_named_wrong(root: Path) -> None:
    shutil.copyfile(root / FOLDER / f"{FIRST}.wav", root / "test-clean/121/121726" / f"{FIRST}.wav")
    write_wav(root / FOLDER / "61_70968_0_0.wav", rate=24_000)
    for name in ("._61_70968.wav", "notes.txt"):
        (root / "test-clean" / name).write_bytes(b"x")
    (root / FOLDER / f"._{FIRST}.wav").write_bytes(b"x")
    corpus, codes = read(root)
    assert codes == {"other-folder": 1, "bad-id": 1, "companion-file": 1}
    assert len(corpus.rows) == 18


def test_an_utterance_in_two_subsets_is_of_neither_and_its_reader_counts_once(root: Path) -> None:
    other = root / "test-other/61/70968"
    shutil.copytree(root / FOLDER, other)
    (other / "61_70968_000000_000002.wav").rename(other / "61_70968_000009_000002.wav")
    (other / "61_70968.trans.tsv").write_text("61_70968_000009_000002\ta\ta\n")
    (other / "61_70968.book.tsv").unlink()
    corpus, codes = read(root)
    assert codes == {"two-places": 2, "two-subsets": 1}
    assert len(corpus.rows) == 17
    assert len({found["speaker"] for found in corpus.rows}) == len(READERS)


def test_audio_of_no_use_or_another_rate(root: Path) -> None:
    folder = root / FOLDER
    (folder / f"{FIRST}.wav").write_bytes(b"RIFF")
    write_wav(folder / "61_70968_000000_000001.wav", channels=2, rate=24_000)
    write_wav(folder / "61_70968_000000_000002.wav", rate=16_000)
    corpus, codes = read(root)
    assert codes == {"unreadable-audio": 1, "channels": 1, "rate": 1}
    assert len(corpus.rows) == 16
    assert row(corpus, "61_70968_000000_000002")["rate"] == 16_000


def test_a_reader_whom_no_table_knows_has_no_sex(root: Path) -> None:
    speakers = root / "SPEAKERS.txt"
    lines = [line for line in speakers.read_text("utf-8").splitlines() if not line.startswith("61")]
    speakers.write_text("\n".join(lines), "utf-8")
    corpus, codes = read(root)
    assert codes == {"unknown-reader": 1}
    assert row(corpus)["sex"] is None
    speakers.unlink()
    corpus, codes = read(root)
    assert codes == {"no-speakers-txt": 1}
    assert row(corpus)["sex"] == "male"
    (root / "speakers.tsv").unlink()
    corpus, codes = read(root)
    assert codes == {"no-speakers": 1}
    assert {found["sex"] for found in corpus.rows} == {None}
    require_sound_rows(corpus)


def test_libritts_r_leaves_out_what_its_note_names(root: Path) -> None:
    (root / "NOTE.txt").write_text(f"Removed: {FIRST}.wav,\n61_70968_000000_000001 and 61_70968.\n")
    assert known_flaws(root) == frozenset()
    assert read(root)[1] == {}
    restored = root.rename(root.parent / "LibriTTS_R")
    (restored / FOLDER / f"{FIRST}.wav").unlink()
    assert known_flaws(restored) == BROKEN | {FIRST, "61_70968_000000_000001"}
    corpus, codes = read(restored)
    assert codes == {"known-flaw": 2}
    assert len(corpus.rows) == 16
    (restored / "NOTE.txt").unlink()
    assert known_flaws(restored) == BROKEN
    renamed = restored.rename(root.parent / "audio books")
    assert known_flaws(renamed) == frozenset()
    (renamed / "README_libritts_r.txt").write_text("")
    assert known_flaws(renamed) == BROKEN


def test_a_folder_or_table_that_cannot_be_read(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    listdir = os.listdir

    def denied(folder: Path) -> list[str]:
        if folder.name == "121":
            raise PermissionError(13, "Permission denied")
        return listdir(folder)

    with monkeypatch.context() as patch:
        patch.setattr(os, "listdir", denied)
        corpus, codes = read(root)
    assert codes == {"unreadable-folder": 1}
    assert len(corpus.rows) == 15
    monkeypatch.setattr(text_lines, "MOST_BYTES", 500)
    (root / FOLDER / "61_70968.trans.tsv").write_text("\n" * 501)
    corpus, codes = read(root)
    assert codes == {"unreadable-file": 1, "unlisted-audio": 3}
    assert len(corpus.rows) == 18


def test_no_corpus_and_the_folder_around_it(root: Path) -> None:
    findings = Findings()
    with pytest.raises(Refused):
        read_libritts(root.parent, findings=findings)
    assert [finding.expected for finding in findings] == [f"did you mean {root}?"]
    with pytest.raises(Refused):
        read_libritts(root / "nothing", findings=findings)
    assert codes_of(findings, "libritts") == {"no-corpus": 2}


def test_the_first_error_stops_a_strict_reading(tmp_path: Path) -> None:
    make_libritts(tmp_path / "LibriTTS")
    with pytest.raises(Refused):
        read_libritts(tmp_path / "LibriTTS", findings=Findings(strict=True))


def test_progress_ends_at_the_end(made: Path) -> None:
    told: list[tuple[int, int]] = []
    read_libritts(made, findings=Findings(), progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (18, 18)


def test_the_hash_follows_what_is_said(root: Path) -> None:
    before = read(root)[0].metadata
    trans = root / FOLDER / "61_70968.trans.tsv"
    trans.write_text(trans.read_text("utf-8").replace("thirty", "forty"), "utf-8")
    after = read(root)[0].metadata
    assert {name for name in before if before[name] != after[name]} == {"test-clean"}
