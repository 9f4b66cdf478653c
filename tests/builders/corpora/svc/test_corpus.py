"""SVC joined: the same whatever the order of records and files, and every disagreement of metadata and audio found."""

from __future__ import annotations

import json
import os
import shutil
import wave
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.builders.corpora.checks import codes_of, require_sound_rows
from tests.builders.corpora.tiny import write_wav

from earmark.builders.corpora.speech import SpeechCorpus
from earmark.builders.corpora.svc import read_svc
from earmark.builders.miniatures.svc import COMMANDS, TEST_SPEAKERS, make_svc
from earmark.manifests.errors import Refused
from earmark.manifests.findings import Findings
from earmark.manifests.pairing import AGE_GROUPS

Records = dict[str, dict[str, object]]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("svc") / "svc-dataset"
    make_svc(root, flaws=False)
    return root


@pytest.fixture(params=["svc-dataset", "svc_dataset"])
def root(made: Path, tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    return shutil.copytree(made, tmp_path / request.param)


def read(root: Path, *splits: str) -> tuple[SpeechCorpus, dict[str, int]]:
    findings = Findings()
    corpus = read_svc(root, splits=splits or ("test",), findings=findings)
    return corpus, codes_of(findings, "svc")


def change(root: Path, how: Callable[[Records], object], split: str = "test") -> None:
    path = root / "metadata" / f"{split}_metadata.json"
    records = json.loads(path.read_text("utf-8"))
    how(records)
    path.write_text(json.dumps(records), "utf-8")


def audio_id(n: int) -> str:
    return f"audio_AAAAAAAAAAAAAA{n:02d}"


def speaker_of(records: Records, n: int) -> dict[str, object]:
    speaker = records[audio_id(n)]["speaker"]
    assert isinstance(speaker, dict)
    return speaker


def test_all_of_a_sound_corpus_is_read(root: Path) -> None:
    corpus, codes = read(root)
    assert codes == {}
    require_sound_rows(corpus)
    assert len(corpus.rows) == len(TEST_SPEAKERS) * len(COMMANDS)
    assert {(row["speaker"], row["text"]) for row in corpus.rows} == {
        (f"svc/{speaker.id}", command) for speaker in TEST_SPEAKERS for command in COMMANDS
    }
    by_speaker = {speaker.id: speaker for speaker in TEST_SPEAKERS}
    for row in corpus.rows:
        speaker = by_speaker[str(row["speaker"]).removeprefix("svc/")]
        assert (str(row["age"]), row["age_group"], row["sex"]) == (speaker.age, speaker.group, speaker.sex)
        with wave.open(str(root / str(row["path"]))) as audio:
            assert (row["start"], row["end"], row["rate"]) == (0, audio.getnframes(), audio.getframerate())
        assert [row[name] for name in ("session", "script", "style", "pace", "emphasised")] == [
            None,
            None,
            None,
            None,
            [],
        ]


def test_only_the_splits_asked_for(root: Path) -> None:
    corpus, codes = read(root, "train", "dev")
    assert codes == {}
    require_sound_rows(corpus)
    assert [(row["split"], row["text"], row["text_source"]) for row in corpus.rows] == [
        ("train", "pause the music", "normalized_text"),
        ("dev", "play nineteen ninety nine", "normalized_text"),
    ]
    assert sorted(corpus.metadata) == ["metadata/dev_metadata.json", "metadata/train_metadata.json"]


def test_the_flaw_of_the_miniature_is_found_and_costs_one_row(tmp_path: Path) -> None:
    make_svc(tmp_path / "svc-dataset")
    corpus, codes = read(tmp_path / "svc-dataset")
    assert codes == {"age-disagrees": 1}
    assert len(corpus.rows) == 23
    assert [row["text"] for row in corpus.rows if row["speaker"] == "svc/90003"] == list(COMMANDS[:3])


@settings(max_examples=25)
@given(seed=st.integers(0, 1 << 30))
def test_no_order_of_records_or_files_changes_anything(made: Path, seed: int) -> None:
    expected = read(made, "test", "dev")
    files = sorted((made / "metadata").iterdir())
    before = [path.read_bytes() for path in files]
    random, listdir = Random(seed), os.listdir  # noqa: S311

    def shuffled(folder: Path) -> list[str]:
        names = listdir(folder)
        random.shuffle(names)
        return names

    try:
        for path in files:
            entries = list(json.loads(path.read_bytes()).items())
            random.shuffle(entries)
            path.write_text(json.dumps(dict(entries), indent=random.choice([None, 2])), "utf-8")
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(os, "listdir", shuffled)
            assert read(made, "dev", "test", "test") == expected
    finally:
        for path, data in zip(files, before, strict=True):
            path.write_bytes(data)


def test_the_hash_follows_what_is_said(root: Path) -> None:
    before = read(root)[0].metadata
    change(root, lambda records: records[audio_id(1)].update(audioLengthMs=1))
    assert read(root)[0].metadata != before


def test_words_as_written_where_they_were_not_normalised(root: Path) -> None:
    change(root, lambda records: records[audio_id(1)].update(transcript={"text": "volume 9"}))
    change(root, lambda records: records[audio_id(2)].update(transcript={"text": "", "normalized_text": None}))
    corpus, codes = read(root)
    assert [(row["text"], row["text_source"]) for row in corpus.rows[:2]] == [("volume 9", "text"), (None, None)]
    assert codes == {"no-text": 1}
    require_sound_rows(corpus)


@pytest.mark.parametrize(
    ("longer_ms", "found"), [(49, {}), (-49, {}), (51, {"other-length": 1}), (-51, {"other-length": 1})]
)
def test_audio_of_another_length_than_told(root: Path, longer_ms: int, found: dict[str, int]) -> None:
    def longer(records: Records) -> None:
        entry = records[audio_id(3)]
        assert isinstance(entry["audioLengthMs"], int)
        entry["audioLengthMs"] += longer_ms

    change(root, longer)
    corpus, codes = read(root)
    assert codes == found
    assert len(corpus.rows) == 24


def test_audio_and_records_without_their_partner(root: Path) -> None:
    folder = root / "audios" / "test"
    (folder / f"{audio_id(1)}.wav").rename(folder / f"{audio_id(99)}.wav")
    for name in (f"._{audio_id(2)}.wav", "notes.txt"):
        (folder / name).write_bytes(b"x")
    corpus, codes = read(root)
    assert codes == {"missing-audio": 1, "unlisted-audio": 1}
    assert len(corpus.rows) == 23


def test_audio_of_no_use(root: Path) -> None:
    folder = root / "audios" / "test"
    (folder / f"{audio_id(1)}.wav").write_bytes(b"RIFF")
    write_wav(folder / f"{audio_id(2)}.wav", 0)
    whole = (folder / f"{audio_id(3)}.wav").read_bytes()
    (folder / f"{audio_id(3)}.wav").write_bytes(whole[:-100])
    (folder / f"{audio_id(4)}.wav").unlink()
    (folder / f"{audio_id(4)}.wav").mkdir()
    coded = (folder / f"{audio_id(5)}.wav").read_bytes()
    (folder / f"{audio_id(5)}.wav").write_bytes(coded[:20] + b"\x07\x00" + coded[22:])  # µ-law, says its header
    corpus, codes = read(root)
    assert codes == {"bad-audio": 5}
    assert len(corpus.rows) == 19
    write_wav(folder / f"{audio_id(2)}.wav", 4800, channels=2)
    assert read(root)[1] == {"bad-audio": 4, "not-mono": 1, "other-length": 1}


def test_an_id_in_two_splits_is_of_neither(root: Path) -> None:
    change(root, lambda records: records.update({audio_id(1): next(iter(records.values()))}), split="train")
    corpus, codes = read(root)
    assert codes == {"in-two-splits": 1}
    assert len(corpus.rows) == 23


def test_a_speaker_of_two_sexes_is_dropped_whole(root: Path) -> None:
    change(root, lambda records: speaker_of(records, 1).update(gender="male"))
    change(root, lambda records: speaker_of(records, 5).update(age="13"))
    change(root, lambda records: speaker_of(records, 9).update(age="29", age_group="29-41"))
    corpus, codes = read(root)
    assert codes == {"speaker-disagrees": 2, "several-ages": 1}
    assert {row["speaker"] for row in corpus.rows} == {f"svc/9000{n}" for n in (2, 4, 5, 6)}


def test_other_files_than_three(root: Path) -> None:
    folder = root / "metadata"
    (folder / "._test_metadata.json").write_bytes(b"x")
    assert read(root)[1] == {}
    shutil.copyfile(folder / "dev_metadata.json", folder / "extra_metadata.json")
    assert read(root)[1] == {"metadata-files": 1, "in-two-splits": 1}
    (folder / "extra_metadata.json").rename(folder / "test_more_metadata.json")
    corpus, codes = read(root)
    assert codes == {"metadata-files": 1, "unknown-split": 1}
    assert corpus.rows == []
    (folder / "test_more_metadata.json").unlink()
    (folder / "train_metadata.json").unlink()
    corpus, codes = read(root)
    assert codes == {"metadata-files": 1}
    assert len(corpus.rows) == 24


def test_a_split_that_is_not_there(root: Path) -> None:
    corpus, codes = read(root, "test", "validation")
    assert codes == {"unknown-split": 1}
    assert len(corpus.rows) == 24
    shutil.rmtree(root / "audios")
    assert read(root)[1] == {"missing-audio": 25}  # the folder, and what should lie in it


def test_no_corpus_and_the_folder_around_it(root: Path) -> None:
    findings = Findings()
    with pytest.raises(Refused):
        read_svc(root.parent, findings=findings)
    assert [finding.expected for finding in findings] == [f"did you mean {root}?"]
    with pytest.raises(Refused):
        read_svc(root / "nothing", findings=findings)
    assert codes_of(findings, "svc") == {"no-corpus": 2}


def test_the_first_error_stops_a_strict_reading(tmp_path: Path) -> None:
    make_svc(tmp_path / "svc-dataset")
    with pytest.raises(Refused):
        read_svc(tmp_path / "svc-dataset", findings=Findings(strict=True))


def test_progress_ends_at_the_end(root: Path) -> None:
    told: list[tuple[int, int]] = []
    read_svc(root, findings=Findings(), progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (24, 24)


def test_age_groups_are_those_of_the_real_test_split(shared_data: Path) -> None:
    marginals = json.loads((shared_data / "svc" / "test_split_marginals.json").read_text("utf-8"))
    assert tuple(marginals["age_group"]["speakers"]) == AGE_GROUPS
    assert sum(marginals["age_group"]["audios"].values()) == marginals["total"]["audios"]
