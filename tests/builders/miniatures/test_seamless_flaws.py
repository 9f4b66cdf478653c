"""Each flaw is there, where it is said to be, and nowhere else."""

from __future__ import annotations

import csv
import json
from typing import TYPE_CHECKING

import numpy as np
import pytest
import soundfile as sf

from earmark.audio.decode import UndecodableAudio, probe, read_span
from earmark.audio.level import is_silent
from earmark.builders.miniatures.seamless import SeamlessMiniature, make_seamless
from earmark.builders.miniatures.seamless_flaws import FLAWS, chosen_flaws

if TYPE_CHECKING:
    from pathlib import Path


def rows(path: Path, encoding: str = "utf-8-sig") -> list[dict[str, str]]:
    with path.open(encoding=encoding, newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def clean(tmp_path_factory: pytest.TempPathFactory) -> SeamlessMiniature:
    return make_seamless(tmp_path_factory.mktemp("clean"), seed=3, dyads=4, speech=False, scale=0.15)


@pytest.fixture(scope="module")
def flawed(tmp_path_factory: pytest.TempPathFactory) -> SeamlessMiniature:
    return make_seamless(tmp_path_factory.mktemp("flawed"), seed=3, dyads=4, speech=False, scale=0.15, flaws=True)


@pytest.fixture(scope="module")
def where(flawed: SeamlessMiniature) -> dict[str, str]:
    return dict(flawed.flaws)


def wav(flawed: SeamlessMiniature, file_id: str) -> Path:
    (path,) = flawed.root.rglob(f"{file_id}.wav")
    return path


def vad(path: Path) -> list[tuple[float, float]]:
    described = json.loads(path.with_suffix(".json").read_text("utf-8"))
    return [(span["start"], span["end"]) for span in described["metadata:vad"]]


def test_sound_conversations_are_left_alone(clean: SeamlessMiniature, flawed: SeamlessMiniature) -> None:
    assert clean.conversations == flawed.conversations
    for path in (path for path in clean.root.rglob("*") if path.is_file() and path.suffix != ".csv"):
        assert (flawed.root / path.relative_to(clean.root)).read_bytes() == path.read_bytes()
    assert rows(flawed.assignment)[0]["a_id"] == rows(clean.assignment)[0]["a_id"]
    assert len(rows(flawed.assignment)) == 4 + 16


def test_all_but_the_fatal_one_are_there(where: dict[str, str]) -> None:
    assert set(where) == set(FLAWS) - {"missing_column"}


def test_files_that_are_damaged(flawed: SeamlessMiniature, where: dict[str, str]) -> None:
    assert not list(flawed.root.rglob(f"{where['missing_partner']}.*"))
    assert len(list(flawed.root.rglob("V03_S0001_*.wav"))) == 1
    assert is_silent(read_span(wav(flawed, where["silent"])))
    assert vad(wav(flawed, where["silent"])) == []
    with pytest.raises(UndecodableAudio, match="truncated"):
        probe(wav(flawed, where["truncated_wav"]))
    assert sf.info(wav(flawed, where["wrong_rate"])).samplerate == 44_100
    nan = sf.read(wav(flawed, where["nan_samples"]))[0]
    assert np.isnan(nan).sum() == 5
    with pytest.raises(json.JSONDecodeError):
        json.loads(wav(flawed, where["broken_json"]).with_suffix(".json").read_text("utf-8"))
    assert list(flawed.root.rglob(where["apple_double"]))
    assert list(flawed.root.rglob(".DS_Store"))


def test_annotations_that_are_damaged(flawed: SeamlessMiniature, where: dict[str, str]) -> None:
    beyond = wav(flawed, where["vad_beyond_end"])
    assert vad(beyond)[-1][1] > sf.info(beyond).duration + 2
    overlapping = vad(wav(flawed, where["overlapping_vad"]))
    assert overlapping[1][0] < overlapping[0][1] < overlapping[1][1]
    untimed = json.loads(wav(flawed, where["words_without_times"]).with_suffix(".json").read_text("utf-8"))
    keys = {frozenset(word) for line in untimed["metadata:transcript"] for word in line["words"]}
    assert keys == {frozenset({"word"}), frozenset({"word", "start", "end", "score"})}
    bare = json.loads(wav(flawed, where["no_transcript"]).with_suffix(".json").read_text("utf-8"))
    assert set(bare) == {"id", "metadata:vad"}


def test_rows_that_are_damaged(flawed: SeamlessMiniature, where: dict[str, str]) -> None:
    assigned = {row["a_id"]: row for row in rows(flawed.assignment)}
    listed = [row["file_id"] for row in rows(flawed.filelist)]
    assert where["absent_file"] in assigned
    assert where["absent_file"] not in listed
    assert where["path_in_id"].startswith("../")
    assert where["path_in_id"] in assigned
    assert assigned[where["role_case"]]["role_a"].islower()
    prompts = {row["prompt_id_unique"]: row for row in rows(flawed.interactions)}
    text = prompts[where["no_role_tag"]]["participant_b_prompt_text"]
    assert not any(line.lstrip().startswith("(") for line in text.splitlines())
    assert [row["role_b"] for row in assigned.values() if row["prompt_id_unique"] == where["no_role_tag"]] == [""]
    assert listed.count(where["duplicate_id"]) == 2
    assert len(list(flawed.root.rglob(f"{where['duplicate_id']}.wav"))) == 2
    assert len(listed) - len(set(listed)) == 1
    assert where["not_downloaded"] in listed
    assert not list(flawed.root.rglob(f"{where['not_downloaded']}.*"))


def test_tables_come_from_windows(flawed: SeamlessMiniature, clean: SeamlessMiniature) -> None:
    for path in (flawed.assignment, flawed.interactions, flawed.filelist):
        raw = path.read_bytes()
        assert raw.startswith(b"\xef\xbb\xbf")
        assert raw.count(b"\n") == raw.count(b"\r\n") > 0
    assert b"\r" not in clean.interactions.read_bytes()


def test_the_fatal_one_by_name(tmp_path: Path) -> None:
    corpus = make_seamless(tmp_path, seed=3, dyads=1, speech=False, scale=0.1, flaws={"missing_column"})
    assert "role_b" not in rows(corpus.assignment)[0]
    assert rows(corpus.assignment)[0]["role_a"] == corpus.conversations[0].a.role
    assert dict(corpus.flaws) == {"missing_column": "assignment.csv"}


def test_names_are_checked() -> None:
    assert chosen_flaws({"silent", "missing_partner"}) == ("missing_partner", "silent")
    assert chosen_flaws(False) == ()
    with pytest.raises(ValueError, match="no flaw named loud; there is missing_partner"):
        chosen_flaws({"loud"})
