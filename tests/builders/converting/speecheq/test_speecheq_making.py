"""A release of what prediction files name: sound, without a word that they do not have, and marked as its authors mark it."""

from __future__ import annotations

import json
import shutil
from collections import defaultdict
from pathlib import Path

import pytest
from tests.support.speecheq_predictions import AUDIO, NUMBERS, WORDS, counted, dialogue_id, prediction_file, write_file

from earmark.builders.converting.conversion import Wanted, Written
from earmark.builders.converting.formats import convert, format_named
from earmark.builders.converting.speecheq.making import make_release
from earmark.builders.recipes import ReleaseSection
from earmark.manifests.errors import DestinationExists, EarmarkError, PrivateSideMissing, Refused, ReleaseError
from earmark.manifests.findings import Findings
from earmark.manifests.release import Release, open_release
from earmark.scoring.decisions import Outcome
from earmark.scoring.face import read
from earmark.validation.invariants import validate

SECTION = ReleaseSection(name="toy", version="1.0.0")
KINDS = {"ears": AUDIO, "numbers": NUMBERS, "words": WORDS}


def convert_onto(file: Path, release: Release, out: Path, findings: Findings) -> Written:
    return convert(format_named("speecheq"), [file], release, out, Wanted(), findings)


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    base = tmp_path_factory.mktemp("making")
    (base / "line.key").write_bytes(bytes(range(32)))
    for name, kind in KINDS.items():
        write_file(base / f"{name}.json", prediction_file(kind=kind, count=16, swap=name != "ears"))
    return base


@pytest.fixture(scope="module")
def made(base: Path) -> tuple[Release, list[Written]]:
    findings = Findings()
    files = [base / f"{name}.json" for name in KINDS]
    result = make_release(files, base / "out", section=SECTION, key=base / "line.key", findings=findings)
    assert findings.counts == {}
    return result


def verdicts(release: Release, file: Path, protocol: str) -> dict[tuple[str, str], dict[int, bool]]:
    """By dialogue and turn, of each run whether it is right, as our own readers of predictions have it."""
    _, decisions = read(release, file, protocol, Findings())
    conversation = {row["clip_id"]: row["conversation"] for row in release.table("sources").to_pylist()}
    named = {row["item_id"]: conversation[row["clip_id"]] for row in release.table("item_clips").to_pylist()}
    target = {row["item_id"]: row["target"] for row in release.table("items").to_pylist()}
    gold = {row["item_id"]: row["gold"] for row in release.table("answers").to_pylist()}
    found: dict[tuple[str, str], dict[int, bool]] = defaultdict(dict)
    for place, run, outcome, choice in zip(
        decisions.presentation, decisions.run, decisions.outcome, decisions.choice, strict=True
    ):
        if outcome == Outcome.MISSING:
            continue
        item, order = decisions.owed.item[place], decisions.owed.order[place]
        said = release.family.decision(order, decisions.choices[choice]) if outcome == Outcome.OK else None
        found[named[item], target[item]][int(run)] = said == gold[item]
    return found


def test_the_release_is_sound_and_holds_no_word(made: tuple[Release, list[Written]]) -> None:
    release, _ = made
    assert [finding.text() for finding in validate(release)] == []
    assert [entry.name for entry in release.manifest.protocols] == [
        "unlinked",
        "unlinked-cascade-numbers",
        "unlinked-cascade-words",
    ]
    assert release.manifest.media is None
    assert {(row["text"], row["tone_text"], row["pcm_hash"]) for row in release.table("sources").to_pylist()} == {
        (None, None, None)
    }
    assert {row["duration"] for row in release.table("clips").to_pylist()} == {1 / 24_000}
    assert {row["licence"] for row in release.table("clips").to_pylist()} == {"none stated"}


@pytest.mark.parametrize(
    ("name", "protocol"), [("ears", ""), ("numbers", "-cascade-numbers"), ("words", "-cascade-words")]
)
def test_every_run_is_as_right_as_its_file_says(
    base: Path, made: tuple[Release, list[Written]], name: str, protocol: str
) -> None:
    release, written = made
    (entry,) = [entry for entry in written if entry.file == f"{name}.jsonl"]
    path = base / "out" / "predictions" / entry.file
    assert (entry.protocol, entry.read, entry.rows) == (f"unlinked{protocol}", 96, 96)
    found = verdicts(release, path, entry.protocol)
    expected = counted(prediction_file(kind=KINDS[name], count=16, swap=name != "ears"))
    assert {place: [runs[n] for n in range(3)] for place, runs in found.items()} == expected.right
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    judge = lines[0]["earmark"]["judge"]
    assert judge["architecture"] == ("end_to_end" if name == "ears" else "cascaded")
    assert all(("response" in line) == (name == "ears") for line in lines[1:])


def test_the_same_key_makes_the_same_release(base: Path, made: tuple[Release, list[Written]], tmp_path: Path) -> None:
    files = [base / f"{name}.json" for name in reversed(KINDS)]
    again, _ = make_release(files, tmp_path / "again", section=SECTION, key=base / "line.key", findings=Findings())
    assert again.manifest.content_hash == made[0].manifest.content_hash
    for name in KINDS:
        one, other = (folder / "predictions" / f"{name}.jsonl" for folder in (base / "out", tmp_path / "again"))
        assert one.read_bytes() == other.read_bytes()


def test_a_file_is_converted_onto_a_release_that_is_there(
    base: Path, made: tuple[Release, list[Written]], tmp_path: Path
) -> None:
    findings = Findings()
    written = convert_onto(base / "words.json", made[0], tmp_path / "words.jsonl", findings)
    assert (written.rows, findings.counts) == (96, {})
    assert (tmp_path / "words.jsonl").read_bytes() == (base / "out" / "predictions" / "words.jsonl").read_bytes()
    larger = write_file(tmp_path / "larger.json", prediction_file(count=18))
    larger_ones = convert_onto(larger, made[0], tmp_path / "larger.jsonl", findings)
    assert (larger_ones.rows, larger_ones.left_out) == (96, {"convert.not-in-release": 12})
    assert findings.counts == {"convert.not-in-release": 2}


def test_what_cannot_be_converted_leaves_nothing_behind(
    base: Path, made: tuple[Release, list[Written]], tmp_path: Path
) -> None:
    release = made[0]
    out = tmp_path / "out" / "x.jsonl"
    stranger = prediction_file(count=1)
    stranger["responses"][0]["dataset_id"] = dialogue_id(999)
    other = write_file(tmp_path / "other.json", stranger)
    with pytest.raises(Refused):
        convert_onto(other, release, out, Findings())
    public = tmp_path / "public"
    shutil.copytree(release.path, public, ignore=shutil.ignore_patterns("private"))
    with pytest.raises(PrivateSideMissing):
        convert_onto(base / "ears.json", open_release(public), out, Findings())
    heard, _ = make_release(
        [base / "ears.json"], tmp_path / "heard", section=SECTION, key=base / "line.key", findings=Findings()
    )
    with pytest.raises(EarmarkError, match='unlinked-cascade-words: build it with "unlinked" among its chains'):
        convert_onto(base / "words.json", heard, out, Findings())
    mended = write_file(tmp_path / "bad.json", {"dataset_name": "d"})
    with pytest.raises(Refused):
        make_release([base / "ears.json", mended], out, section=SECTION, key=None, findings=Findings())
    with pytest.raises(EarmarkError, match="cannot read the key file"):
        make_release([base / "ears.json"], out, section=SECTION, key=base / "none", findings=Findings())
    assert list((tmp_path / "out").iterdir()) == []


def test_nothing_is_replaced(base: Path, made: tuple[Release, list[Written]], tmp_path: Path) -> None:
    with pytest.raises(DestinationExists):
        convert_onto(base / "ears.json", made[0], base / "out" / "predictions" / "ears.jsonl", Findings())
    with pytest.raises(DestinationExists):
        make_release([base / "ears.json"], tmp_path, section=SECTION, key=None, findings=Findings())


def test_two_dialogues_of_one_name_cannot_be_told_apart(made: tuple[Release, list[Written]], tmp_path: Path) -> None:
    import pyarrow.parquet as pq

    copy = tmp_path / "copy"
    shutil.copytree(made[0].path, copy)
    rows = made[0].table("sources").to_pylist()
    for row in rows:
        row["conversation"] = dialogue_id(0)
    schema = made[0].table("sources").schema
    pq.write_table(made[0].table("sources").from_pylist(rows, schema=schema), copy / "private" / "sources.parquet")
    findings = Findings()
    file = write_file(tmp_path / "some.json", prediction_file())
    with pytest.raises(Refused):
        convert_onto(file, open_release(copy), tmp_path / "x.jsonl", findings)
    assert findings.counts["convert.two-of-a-name"] == 30
    assert not (tmp_path / "x.jsonl").exists()


@pytest.mark.parametrize("table", ["answers", "item_clips", "presentations", "sources"])
def test_an_unsound_release_is_said_to_be(
    base: Path, made: tuple[Release, list[Written]], tmp_path: Path, table: str
) -> None:
    import pyarrow.parquet as pq

    copy = tmp_path / "copy"
    shutil.copytree(made[0].path, copy)
    file = open_release(copy).file(table)
    pq.write_table(made[0].table(table).slice(0, 3), file)
    with pytest.raises(ReleaseError, match="is unsound"):
        convert_onto(base / "ears.json", open_release(copy), tmp_path / "x.jsonl", Findings())


def test_the_real_files_come_to_their_authors_marks(shared_data: Path, tmp_path: Path) -> None:
    files = sorted((shared_data / "speecheq_predictions").glob("*.json"))
    findings = Findings()
    release, written = make_release(files, tmp_path / "out", section=SECTION, key=None, findings=findings)
    assert findings.counts == {}
    printed = {"gpt-audio-1.5": ((7, 9, 3), (8, 21)), "qwen2.5-omni-7b_001": ((7, 5, 2), (13, 30))}
    printed["qwen3-omni-30b-a3b-instruct_001_ser_raw_llm"] = ((9, 7, 5), (25, 30))
    for file, entry in zip(files, written, strict=True):
        assert entry.rows == 90
        own = counted(json.loads(file.read_text("utf-8")))
        found = verdicts(release, tmp_path / "out" / "predictions" / entry.file, entry.protocol)
        assert {place: [runs[n] for n in range(3)] for place, runs in found.items()} == own.right
        assert (own.votes, (own.alike, own.swapped)) == printed[file.stem]
        assert own.votes == _votes(found)


def _votes(found: dict[tuple[str, str], dict[int, bool]]) -> tuple[int, int, int]:
    """How many votes are right at turn 4, at turn 6 and at both."""
    names = {name for name, _ in found}
    right = {place: 2 * sum(runs.values()) > len(runs) for place, runs in found.items()}
    four, six = (sum(right[name, turn] for name in names) for turn in ("turn 4", "turn 6"))
    return four, six, sum(right[name, "turn 4"] and right[name, "turn 6"] for name in names)
