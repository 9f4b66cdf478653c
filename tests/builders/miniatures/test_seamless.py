"""The miniature Seamless: the real layout, every pole, the same bytes for a seed, and words that say nothing of the pole."""

from __future__ import annotations

import csv
import json
import re
from collections import Counter, defaultdict
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import pytest
import soundfile as sf

from earmark.builders.miniatures.dice import Dice
from earmark.builders.miniatures.seamless import SeamlessMiniature, make_seamless
from earmark.builders.miniatures.seamless_layout import (
    ASSIGNMENT_COLUMNS,
    FILELIST_COLUMNS,
    INTERACTION_COLUMNS,
    write_wav,
)

if TYPE_CHECKING:
    from pathlib import Path

FILE_ID = re.compile(r"V(\d{2})_S(\d{4})_I(\d{8})_P(\d{4}[A-Z]?)")


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def contents(root: Path) -> dict[str, bytes]:
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}


def annotation(corpus: SeamlessMiniature, path: str) -> dict[str, list[dict[str, object]]]:
    return json.loads((corpus.root / path).with_suffix(".json").read_text("utf-8"))


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> SeamlessMiniature:
    """The size of the demo's, short and with tones."""
    return make_seamless(tmp_path_factory.mktemp("tones"), seed=5, dyads=60, speech=False, scale=0.1)


@pytest.fixture(scope="module")
def spoken(tmp_path_factory: pytest.TempPathFactory) -> SeamlessMiniature:
    pytest.importorskip("espeakng_loader")
    return make_seamless(tmp_path_factory.mktemp("speech"), seed=5, dyads=10, scale=0.3)


def test_files_are_where_the_corpus_has_them(corpus: SeamlessMiniature) -> None:
    listed = rows(corpus.filelist)
    assert tuple(listed[0]) == FILELIST_COLUMNS
    wavs = set()
    for row in listed:
        assert FILE_ID.fullmatch(row["file_id"])
        folder = f"{row['label']}/{row['split']}/{int(row['batch_idx']):04d}/{int(row['archive_idx']):04d}"
        wavs.add(f"{folder}/{row['file_id']}.wav")
    assert {path.relative_to(corpus.root).as_posix() for path in corpus.root.rglob("*.wav")} == wavs
    assert {path.with_suffix(".wav") for path in corpus.root.rglob("*.json")} == set(corpus.root.rglob("*.wav"))
    assert len(wavs) == len(listed) == 120


def test_members_of_a_dyad_share_time_and_not_an_archive(corpus: SeamlessMiniature) -> None:
    for _, a, b in corpus.conversations:
        assert a.path.rsplit("/", 1)[0] != b.path.rsplit("/", 1)[0]
        assert a.file_id.split("_")[:3] == b.file_id.split("_")[:3]
        infos = [sf.info(corpus.root / side.path) for side in (a, b)]
        assert infos[0].frames == infos[1].frames
        assert {(info.samplerate, info.channels, info.subtype, info.format) for info in infos} == {
            (48000, 1, "PCM_16", "WAV")
        }


def test_annotations_have_the_corpus_s_keys(corpus: SeamlessMiniature) -> None:
    for _, a, _ in corpus.conversations[:5]:
        described = annotation(corpus, a.path)
        assert set(described) == {"id", "metadata:transcript", "metadata:vad"}
        assert described["id"] == a.file_id
        assert set(described["metadata:transcript"][0]) == {"words", "start", "end", "transcript"}
        assert set(described["metadata:transcript"][0]["words"][0]) == {"word", "start", "end", "score"}
        assert set(described["metadata:vad"][0]) == {"start", "end"}
        assert a.speech == pytest.approx(sum(span["end"] - span["start"] for span in described["metadata:vad"]))


def test_every_pole_is_played_six_times_by_different_people(corpus: SeamlessMiniature) -> None:
    speakers = defaultdict(list)
    for conversation in corpus.conversations:
        for side in conversation[1:]:
            speakers[side.pole.dimension, side.pole.pole].append(side.speaker)
            assert side.role in {role for role, _ in side.pole.roles}
    assert len(speakers.pop(("", ""))) == 12
    assert set(speakers) == {(f"S{n}", pole) for n in range(9) for pole in "PN"}
    assert {len(played) for played in speakers.values()} == {6}
    assert min(len(set(played)) for played in speakers.values()) >= 4


def test_speakers_and_prompts_recur_and_ids_collide_over_vendors(corpus: SeamlessMiniature) -> None:
    speakers = Counter(side.speaker for conversation in corpus.conversations for side in conversation[1:])
    prompts = Counter(conversation.prompt_id for conversation in corpus.conversations)
    assert min(speakers.values()) >= 2
    assert set(prompts.values()) == {2}
    matched = [FILE_ID.fullmatch(side.file_id) for conversation in corpus.conversations for side in conversation[1:]]
    ids = {vendor: {found[4] for found in matched if found and found[1] == vendor} for vendor in ("00", "01")}
    assert any(name.endswith("A") for name in ids["00"])
    assert any(not name.endswith("A") for name in ids["00"])
    assert not any(name.endswith("A") for name in ids["01"])
    assert ids["00"] & ids["01"]


def test_tables_have_the_corpus_s_columns_and_agree(corpus: SeamlessMiniature) -> None:
    prompts = {row["prompt_id_unique"]: row for row in rows(corpus.interactions)}
    assigned = rows(corpus.assignment)
    assert tuple(next(iter(prompts.values()))) == INTERACTION_COLUMNS
    assert tuple(assigned[0]) == ASSIGNMENT_COLUMNS
    assert len(assigned) == 60
    for row, conversation in zip(assigned, corpus.conversations, strict=True):
        prompt = prompts[row["prompt_id_unique"]]
        assert prompt["prompt_hash"] == FILE_ID.fullmatch(row["a_id"])[3]
        assert (row["a_id"], row["b_id"]) == (conversation.a.file_id, conversation.b.file_id)
        for side in "ab":
            text = prompt[f"participant_{side}_prompt_text"]
            assert row[f"participant_{side}_prompt_text"] == text
            (line,) = [line for line in text.splitlines() if line.lstrip().startswith("(")]
            assert re.match(r"\s*\(([^)]+)\)", line)[1] == row[f"role_{side}"]
            assert row[f"ipc_{side}"] == prompt[f"ipc_{side}"]
    texts = [prompt["participant_a_prompt_text"] for prompt in prompts.values() if "RP" in prompt["prompt_id_unique"]]
    assert {text.startswith("Scenario: ") for text in texts} == {True, False}
    assert any(text.startswith(" (") for text in texts)
    assert sum(not re.search(r"^\([\w-]+\): As the ", text, re.M) for text in texts) >= 3
    assert all("\n" in text for text in texts)


def test_real_tables_have_these_columns(shared_data: Path) -> None:
    folder = shared_data / "seamless"
    assert tuple(rows(folder / "interactions.csv")[0]) == INTERACTION_COLUMNS
    assert tuple(rows(folder / "filelist_rows_seen.csv")[0]) == FILELIST_COLUMNS[:5]
    assert set(ASSIGNMENT_COLUMNS) <= set(rows(folder / "abmapped_proxy_dev_test.csv")[0])


def test_words_do_not_tell_the_pole(tmp_path: Path) -> None:
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.model_selection import cross_val_score
    from sklearn.naive_bayes import MultinomialNB
    from sklearn.pipeline import make_pipeline

    corpus = make_seamless(tmp_path, seed=5, dyads=60, speech=False, scale=0.3)
    texts, poles = [], []
    for conversation in corpus.conversations:
        for side in (side for side in conversation[1:] if side.pole.pole):
            texts.append(
                " ".join(str(line["transcript"]) for line in annotation(corpus, side.path)["metadata:transcript"])
            )
            poles.append(side.pole.pole)
    reader = make_pipeline(CountVectorizer(ngram_range=(1, 2)), MultinomialNB())
    accuracy = cross_val_score(reader, texts, poles, cv=6).mean()
    assert 0.35 < accuracy < 0.65  # 108 texts: chance is 0.5 with a standard deviation of 0.05


def levels(corpus: SeamlessMiniature) -> list[tuple[str, bool, float]]:
    """Dimension, whether the pole is the positive one, and level within voice activity, dB, of every side."""
    found = []
    for conversation in corpus.conversations:
        for side in conversation[1:]:
            samples = sf.read(corpus.root / side.path)[0]
            spans = [(span["start"], span["end"]) for span in annotation(corpus, side.path)["metadata:vad"]]
            active = np.concatenate([samples[round(48000 * start) : round(48000 * end)] for start, end in spans])
            found.append((side.pole.dimension, side.pole.pole == "P", float(10 * np.log10(np.mean(active**2)))))
    return found


def test_level_tells_some_poles_misleads_on_others_and_settles_none(corpus: SeamlessMiniature) -> None:
    from sklearn.metrics import roc_auc_score

    by_dimension = defaultdict(list)
    for dimension, positive, level in levels(corpus):
        by_dimension[dimension].append((positive, level))
    del by_dimension[""]
    auroc = {dimension: roc_auc_score(*zip(*sides, strict=True)) for dimension, sides in by_dimension.items()}
    assert np.mean([auroc[dimension] for dimension in ("S3", "S5", "S6")]) > 0.7
    assert np.mean([auroc[dimension] for dimension in ("S1", "S2", "S7", "S8")]) < 0.4
    assert sum(0 < value < 1 for value in auroc.values()) >= 7


def test_speech_is_as_loud_as_it_is_to_be(spoken: SeamlessMiniature, tmp_path: Path) -> None:
    tones = make_seamless(tmp_path, seed=5, dyads=10, speech=False, scale=0.3)
    spoken_levels, planned_levels = ([level for *_, level in levels(made)] for made in (spoken, tones))
    assert np.corrcoef(spoken_levels, planned_levels)[0, 1] > 0.8


def test_speech_has_pauses_and_words_have_times(spoken: SeamlessMiniature) -> None:
    lengths, pauses = [], []
    for conversation in spoken.conversations:
        for side in conversation[1:]:
            described = annotation(spoken, side.path)
            spans = [(span["start"], span["end"]) for span in described["metadata:vad"]]
            lengths += [end - start for start, end in spans]
            pauses += [after[0] - before[1] for before, after in pairwise(spans)]
            words = [word for line in described["metadata:transcript"] for word in line["words"]]
            inside = [any(start - 0.02 <= word["start"] < end for start, end in spans) for word in words]
            assert np.mean(inside) > 0.98
            assert all(word["start"] < word["end"] for word in words)
    assert min(pauses) > 0.11
    assert sum(pause >= 0.3 for pause in pauses) > 40
    assert sum(pause < 0.3 for pause in pauses) > 40
    assert sum(length < 0.2 for length in lengths) > 5  # backchannels


def test_a_seed_is_all_there_is(tmp_path: Path) -> None:
    pytest.importorskip("espeakng_loader")
    for name, seed, jobs in (("one", 7, 1), ("two", 7, 3), ("other", 8, 1)):
        make_seamless(tmp_path / name, seed=seed, dyads=3, scale=0.1, flaws={"nan_samples"}, jobs=jobs)
    one, two, other = (contents(tmp_path / name) for name in ("one", "two", "other"))
    assert one == two
    assert one != other


def test_one_dyad_will_do(tmp_path: Path) -> None:
    corpus = make_seamless(tmp_path / "new" / "folder", seed=1, dyads=1, speech=False, scale=0.1)
    assert len(corpus.conversations) == 1
    assert corpus.flaws == ()


@pytest.mark.parametrize("dyads", [2, 3, 7, 20, 33])
def test_file_ids_are_unique_whatever_the_size(tmp_path: Path, dyads: int) -> None:
    corpus = make_seamless(tmp_path, seed=2, dyads=dyads, speech=False, scale=0.01)
    ids = [side.file_id for conversation in corpus.conversations for side in conversation[1:]]
    assert len(set(ids)) == 2 * dyads
    assert all(a.speaker != b.speaker for _, a, b in corpus.conversations)


def test_what_cannot_be_made(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="not 0 and 1"):
        make_seamless(tmp_path, seed=1, dyads=0)
    with pytest.raises(ValueError, match="not 1 and -1"):
        make_seamless(tmp_path, seed=1, dyads=1, scale=-1)
    (tmp_path / "mine.txt").write_text("keep me")
    with pytest.raises(ValueError, match="not empty"):
        make_seamless(tmp_path, seed=1, speech=False)
    assert contents(tmp_path) == {"mine.txt": b"keep me"}


@pytest.mark.parametrize(
    "samples", [np.array([1, -2, 32767], dtype=np.int16), np.array([0.5, -1.5, 0.0], dtype=np.float32)]
)
def test_written_files_are_what_soundfile_reads(tmp_path: Path, samples: np.ndarray) -> None:
    write_wav(tmp_path / "a.wav", samples, 44_100)
    read, rate = sf.read(tmp_path / "a.wav", dtype=samples.dtype.name)
    np.testing.assert_array_equal(read, samples)
    assert rate == 44_100
    if samples.dtype == np.int16:
        sf.write(tmp_path / "b.wav", samples, 44_100)
        assert (tmp_path / "a.wav").read_bytes() == (tmp_path / "b.wav").read_bytes()


def test_the_seed_of_the_dice_is_the_seed_of_the_corpus(corpus: SeamlessMiniature) -> None:
    # Who played A is a draw of the conversation's own: about half of all pairs are in either order.
    firsts = sum(a.speaker < b.speaker for _, a, b in corpus.conversations)
    assert 15 < firsts < 45
    assert Dice(5).unit("a") != Dice(6).unit("a")
