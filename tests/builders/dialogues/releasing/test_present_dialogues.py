"""Presenting dialogues: every protocol, the judge's own choice or the right answer in the history, and nothing that tells it."""

from __future__ import annotations

import json
import re
import shutil
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import soundfile
from tests.support.miniature import files_of, quiet
from tests.support.voiced import release_of, voiced

import earmark
from earmark.builders.presenting import present
from earmark.manifests.declarations import AUDIO, CASCADE_NUMBERS, CASCADE_WORDS, MODALITIES, ORACLE, TEXT_HISTORY
from earmark.manifests.errors import EarmarkError, PrivateSideMissing, Refused, UnknownName
from earmark.manifests.families.dialogues import DIRECT, SEQUENTIAL_2, SEQUENTIAL_4, UNLINKED, protocol_name
from earmark.manifests.release import Release, open_release

CHAINS = (SEQUENTIAL_2, SEQUENTIAL_4, DIRECT)


def presented(release: Release, out: Path, protocol: str, **more: Any) -> list[dict[str, Any]]:
    present(release, out, protocol=protocol, modality=None, roots={}, progress=quiet, **more)
    return [json.loads(line) for line in (out / "requests.jsonl").read_text(encoding="utf-8").splitlines()]


def by_id(release: Release, table: str, id: str) -> dict[str, dict[str, Any]]:
    return {row[id]: row for row in release.table(table).to_pylist()}


def right_clips(release: Release) -> dict[str, str]:
    """The right clip of each item, by the sources rather than by the answers."""
    sources = by_id(release, "sources", "clip_id")
    options = [row for row in release.table("item_clips").to_pylist() if row["role"] == "option"]
    return {row["item_id"]: row["clip_id"] for row in options if sources[row["clip_id"]]["option"] == "resonant"}


@pytest.mark.parametrize("modality", MODALITIES)
@pytest.mark.parametrize("chain", CHAINS)
def test_every_protocol_is_presented(toy_dialogues: Release, tmp_path: Path, chain: str, modality: str) -> None:
    name = protocol_name(chain, modality)
    requests = presented(toy_dialogues, tmp_path / "out", name)
    rows = {
        id: row
        for id, row in by_id(toy_dialogues, "presentations", "presentation_id").items()
        if name in row["protocols"]
    }
    assert {request["presentation_id"] for request in requests} == rows.keys()
    answered: set[str] = set()
    for request in requests:
        row, labels = rows[request["presentation_id"]], [clip["label"] for clip in request["clips"]]
        assert request.get("after") == row["after"]
        assert row["after"] is None or row["after"] in answered
        answered.add(request["presentation_id"])
        assert [label for label in labels if label != "Turn 4"] == row["labels"]
        assert ("$chosen" in request["user"]) == (row["after"] is not None)
        if row["after"] is not None:
            assert labels == ["Turn 4", "Turn 5", "Option 1", "Option 2"]
            chosen = request["clips"][0]
            assert chosen["chosen_in"] == row["after"]
            earlier = rows[row["after"]]["clips"][-2:]
            assert len(chosen["options"]) == 2
            if modality == AUDIO:
                assert [chosen["options"][choice]["audio"] for choice in "12"] == [f"audio/{c}.flac" for c in earlier]
        elif chain == DIRECT and "Turn 5" in labels:
            assert labels == [*(f"Turn {turn}" for turn in range(1, 6)), "Option 1", "Option 2"]
        else:
            assert labels == ["Turn 1", "Turn 2", "Turn 3", "Option 1", "Option 2"]
        for clip in request["clips"]:
            judged = clip["label"].startswith("Option")
            shown = clip["options"]["2"] if "options" in clip else clip
            heard = modality == AUDIO or (modality == TEXT_HISTORY and judged)
            assert ("audio" in shown, "text" in shown) == (heard, not heard)
            if heard:
                assert (tmp_path / "out" / shown["audio"]).is_file()
    assert earmark.check(toy_dialogues, tmp_path / "out" / "sample_submission.jsonl").exit_code == 0


def test_only_the_audio_that_is_named_is_there(toy_dialogues: Release, tmp_path: Path) -> None:
    for modality in (AUDIO, TEXT_HISTORY):
        out = tmp_path / modality
        presented(toy_dialogues, out, protocol_name(DIRECT, modality))
        named = set(re.findall(r"audio/\w+[.]flac", (out / "requests.jsonl").read_text(encoding="utf-8")))
        assert named == {name for name in files_of(out) if name.startswith("audio/")}
    assert not (tmp_path / TEXT_HISTORY / "audio" / "x").exists()


@pytest.mark.parametrize("modality", [AUDIO, TEXT_HISTORY, "transcript", ORACLE])
@pytest.mark.parametrize("chain", [SEQUENTIAL_4, DIRECT])
def test_whoever_presents_is_told_of_the_answers_that_are_in_it(
    toy_dialogues: Release, tmp_path: Path, chain: str, modality: str
) -> None:
    name = protocol_name(chain, modality)
    told = present(toy_dialogues, tmp_path / "out", protocol=name, modality=None, roots={}, progress=quiet)
    shown = chain == DIRECT and modality not in (TEXT_HISTORY, "transcript")
    assert told.get("answers") == (3 if shown else None)
    assert (told["requests"], told["clips"]) == (18 if chain == SEQUENTIAL_4 else 12, 24)


def test_a_direct_turn_6_hears_the_right_turn_4_under_a_name_of_its_own(toy_dialogues: Release, tmp_path: Path) -> None:
    requests = presented(toy_dialogues, tmp_path / "out", DIRECT)
    rows, items = by_id(toy_dialogues, "presentations", "presentation_id"), by_id(toy_dialogues, "items", "item_id")
    groups = {(item["group"], item["target"]): id for id, item in items.items()}
    right = right_clips(toy_dialogues)
    names = set()
    for request in requests:
        item = items[rows[request["presentation_id"]]["item_id"]]
        for clip in request["clips"]:
            if clip["label"] == "Turn 4":
                assert item["target"] == "turn 6"
                wanted = right[groups[item["group"], "turn 4"]]
                assert wanted not in clip["audio"]
                heard, _ = soundfile.read(tmp_path / "out" / clip["audio"])
                said, _ = soundfile.read(toy_dialogues.audio_file(wanted))
                assert np.array_equal(heard, said)
                names.add(clip["audio"])
    assert len(names) == 3
    known = by_id(toy_dialogues, "clips", "clip_id")
    assert not {Path(name).stem for name in names} & known.keys()


@pytest.mark.parametrize("modality", [AUDIO, TEXT_HISTORY, "transcript"])
@pytest.mark.parametrize("chain", [SEQUENTIAL_2, SEQUENTIAL_4])
def test_nothing_in_a_sequential_folder_depends_on_the_answer(
    toy_dialogues: Release, tmp_path: Path, chain: str, modality: str
) -> None:
    """With the golds exchanged and the key gone the folder is the same, byte for byte, so there is no answer in it."""
    name = protocol_name(chain, modality)
    presented(toy_dialogues, tmp_path / "out", name)
    shutil.copytree(toy_dialogues.path, tmp_path / "other")
    answers = pq.read_table(tmp_path / "other" / "private" / "answers.parquet")
    swapped = ["second" if gold == "first" else "first" for gold in answers["gold"].to_pylist()]
    place = answers.column_names.index("gold")
    pq.write_table(
        answers.set_column(place, answers.schema.field("gold"), pa.array(swapped)),
        tmp_path / "other" / "private" / "answers.parquet",
    )
    (tmp_path / "other" / "private" / "key").write_bytes(bytes(32))
    presented(open_release(tmp_path / "other"), tmp_path / "again", name)
    assert files_of(tmp_path / "out") == files_of(tmp_path / "again")


@pytest.mark.parametrize("chain", CHAINS)
@pytest.mark.parametrize("modality", [AUDIO, TEXT_HISTORY])
def test_no_source_and_no_word_of_the_answer_is_in_the_folder(
    toy_dialogues: Release, tmp_path: Path, chain: str, modality: str
) -> None:
    presented(toy_dialogues, tmp_path / "out", protocol_name(chain, modality))
    secret = {"resonant", "dissonant", "secret intent"}
    for row in toy_dialogues.table("sources").to_pylist():
        secret |= {row["path"], Path(row["path"]).stem, row["speaker"], row["conversation"], row["tone_text"]}
    for name, content in files_of(tmp_path / "out").items():
        assert not [word for word in secret if word.encode() in content], name


def test_what_stands_first_tells_nothing(tmp_path: Path) -> None:
    """Over many dialogues the right option is Option 1 as often as Option 2, in each round and in every pair of rounds."""
    made = voiced(0, tmp_path / "clips")
    from dataclasses import replace

    from tests.support.voiced import voiced_dialogues

    release = release_of(
        replace(made, dialogues=tuple(voiced_dialogues(60, subscales=1))),
        tmp_path / "release",
        media=False,
        chains=(SEQUENTIAL_2,),
        modalities=(TEXT_HISTORY, "transcript"),
    )
    rows, right = by_id(release, "presentations", "presentation_id"), right_clips(release)
    place = {id: row["clips"][-2:].index(right[row["item_id"]]) for id, row in rows.items()}
    pairs: defaultdict[tuple[int, int], int] = defaultdict(int)
    for id, row in rows.items():
        if row["after"] is not None and row["modality"] == "transcript":
            pairs[place[row["after"]], place[id]] += 1
    assert sum(pairs.values()) == 120
    assert sum(count for (first, _), count in pairs.items() if first == 0) == 60
    assert sum(count for (_, second), count in pairs.items() if second == 0) == 60
    assert all(12 <= count <= 48 for count in pairs.values())


def test_words_stand_for_clips_with_how_they_are_said_or_sound(toy_dialogues: Release, tmp_path: Path) -> None:
    sources, rows = by_id(toy_dialogues, "sources", "clip_id"), by_id(toy_dialogues, "presentations", "presentation_id")
    for modality in (ORACLE, CASCADE_NUMBERS, CASCADE_WORDS):
        for request in presented(toy_dialogues, tmp_path / modality, protocol_name(SEQUENTIAL_2, modality)):
            row = rows[request["presentation_id"]]
            shown = {clip["label"]: clip.get("text") for clip in request["clips"]}
            for label, clip in zip(row["labels"], row["clips"], strict=True):
                source = sources[clip]
                values = [source[f"affect_{name}"] for name in ("valence", "arousal", "dominance")]
                words = ["low" if value < 1 / 3 else "middle" if value < 2 / 3 else "high" for value in values]
                note = {
                    ORACLE: source["tone_text"],
                    CASCADE_NUMBERS: "valence {:.2f}, arousal {:.2f}, dominance {:.2f}".format(*values),
                    CASCADE_WORDS: "valence {}, arousal {}, dominance {}".format(*words),
                }[modality]
                assert shown[label] == f"{source['text']} [{note}]"


def write_affect(path: Path, values: Mapping[str, float], *, by: str = "clip_id") -> Path:
    numbers = list(values.values())
    pq.write_table(pa.table({by: [*values], "valence": numbers, "arousal": numbers, "dominance": numbers}), path)
    return path


def test_a_table_of_ones_own_wins(toy_dialogues: Release, tmp_path: Path) -> None:
    clips = by_id(toy_dialogues, "clips", "clip_id")
    file = write_affect(tmp_path / "a.parquet", dict.fromkeys([*clips, "c" + 26 * "a"], 0.125))
    requests = presented(toy_dialogues, tmp_path / "out", "sequential-2-cascade-numbers", affect=file)
    texts = [clip["text"] for request in requests for clip in request["clips"] if "text" in clip]
    assert all(text.endswith("[valence 0.12, arousal 0.12, dominance 0.12]") for text in texts)


def test_what_a_cascade_or_the_oracle_lacks_is_said_of_every_clip(tmp_path: Path) -> None:
    release = release_of(voiced(1, tmp_path / "clips"), tmp_path / "release")
    with pytest.raises(Refused) as refused:
        presented(release, tmp_path / "out", "sequential-2-cascade-words")
    assert refused.value.findings.counts == {"present.no-affect": 8}
    clips = sorted(by_id(release, "clips", "clip_id"))
    few = write_affect(tmp_path / "few.parquet", dict.fromkeys(clips[3:], 0.5))
    with pytest.raises(Refused) as refused:
        presented(release, tmp_path / "out", "sequential-2-cascade-words", affect=few)
    assert [finding.id for finding in refused.value.findings] == clips[:3]
    by_path = write_affect(tmp_path / "path.parquet", dict.fromkeys(clips, 0.5), by="path")
    with pytest.raises(EarmarkError, match="by clip_id is needed"):
        presented(release, tmp_path / "out", "sequential-2-cascade-words", affect=by_path)
    assert not (tmp_path / "out").exists()


def test_a_persona_stands_in_place_of_the_system_text(toy_dialogues: Release, tmp_path: Path) -> None:
    plain = presented(toy_dialogues, tmp_path / "plain", SEQUENTIAL_2)
    other = presented(toy_dialogues, tmp_path / "other", SEQUENTIAL_2, persona="stress_management")
    assert len({request["system"] for request in other}) == 1
    assert "kitchen" in other[0]["system"]
    assert [{**request, "system": ""} for request in other] == [{**request, "system": ""} for request in plain]
    head = json.loads((tmp_path / "other" / "sample_submission.jsonl").read_text(encoding="utf-8").splitlines()[0])
    assert head["earmark"]["judge"]["persona"] == "stress_management"
    assert earmark.check(toy_dialogues, tmp_path / "other" / "sample_submission.jsonl").exit_code == 0
    with pytest.raises(UnknownName, match="no persona named 'kind'; there is adaptive"):
        presented(toy_dialogues, tmp_path / "out", SEQUENTIAL_2, persona="kind")


def test_a_family_without_personas_says_so(miniature_release: Release, tmp_path: Path) -> None:
    with pytest.raises(EarmarkError, match="stance has no personas"):
        presented(miniature_release, tmp_path / "out", "both-orders", persona="adaptive")


def test_a_public_copy_presents_what_needs_no_answer(toy_dialogues: Release, tmp_path: Path) -> None:
    shutil.copytree(toy_dialogues.path / "public", tmp_path / "copy" / "public")
    shutil.copy(toy_dialogues.path / "release.json", tmp_path / "copy")
    public = open_release(tmp_path / "copy")
    presented(public, tmp_path / "a", SEQUENTIAL_2)
    presented(toy_dialogues, tmp_path / "b", SEQUENTIAL_2)
    assert files_of(tmp_path / "a") == files_of(tmp_path / "b")
    with pytest.raises(PrivateSideMissing):
        presented(public, tmp_path / "c", DIRECT)


def test_unlinked_is_not_presented(tmp_path: Path) -> None:
    release = release_of(
        voiced(1, tmp_path / "clips"), tmp_path / "release", media=False, chains=(UNLINKED,), modalities=("transcript",)
    )
    with pytest.raises(EarmarkError, match="present sequential-2 or direct"):
        presented(release, tmp_path / "out", "unlinked-transcript")
