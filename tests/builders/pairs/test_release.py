"""A pairs release from beginning to end: built with its audio, killed and resumed, presented, and marked."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
import soundfile
from tests.support.miniature import files_of
from tests.support.speech_miniatures import KEY, recipe

from earmark.builders.making import Order, make
from earmark.builders.presenting import present
from earmark.manifests.criteria import satisfies, transcript_of
from earmark.manifests.families.pairs import FIRST, REVERSED, SECOND, STORED, TIE
from earmark.manifests.findings import Severity
from earmark.manifests.release import Release, open_release
from earmark.manifests.report import Report
from earmark.manifests.rows import Row
from earmark.scoring.face import score
from earmark.scoring.measuring import Options
from earmark.validation.invariants import validate

pytest.importorskip("parselmouth", reason="the extra `build` is not installed")

CRITERIA = ("style", "rate", "emphasis", "age", "gender")

LETTERS = {(FIRST, STORED): "A", (SECOND, STORED): "B", (FIRST, REVERSED): "B", (SECOND, REVERSED): "A"}

BLOCKS = {
    "style": {
        "targets": ["happy", "whisper"],
        "non_tie": {"same": 4, "cross": 4},
        "both_good": {"same": 2, "cross": 2},
        "both_bad": {"same": 2, "cross": 2},
        "sexes": "any",
        "total": 32,
    },
    "rate": {"non_tie": {"same": 4}, "total": 12},
    "emphasis": {"non_tie": {"same": 4, "cross": 2}, "both_bad": {"same": 4, "cross": 2}, "total": 12},
    "age": {
        "targets": ["9-16", "17-28", "55-100"],
        "non_tie": {"same": 2, "cross": 2},
        "both_good": {},
        "both_bad": {},
        "total": 12,
    },
    "gender": {
        "non_tie": {"same": 2, "cross": 2},
        "both_good": {"same": 2, "cross": 2},
        "both_bad": {"same": 2, "cross": 2},
        "total": 24,
    },
}
ITEMS = {"style": 32, "rate": 12, "emphasis": 12, "age": 12, "gender": 24, "control": 6}
CONTROLS = {"identical": 2, "level": 2, "silence": 2}


def quiet(*_: object) -> None:
    """Nobody is told."""


@pytest.fixture(scope="module")
def order(clean_corpora: Path, tmp_path_factory: pytest.TempPathFactory) -> Order:
    """An order for a release of all four miniatures."""
    base = tmp_path_factory.mktemp("pairs")
    (base / "line.key").write_bytes(KEY)
    return Order(
        family="pairs",
        recipe=recipe(pairing={"measure": True}, blocks=BLOCKS, controls=CONTROLS),
        base=clean_corpora,
        out=base / "release",
        key=base / "line.key",
        media=True,
        media_rate=16_000,
    )


@pytest.fixture(scope="module", autouse=True)
def measured_once(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Every build here has the same clips."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("EARMARK_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="module")
def release(order: Order) -> Release:
    """That release."""
    made = make(order, quiet)
    assert [finding.text() for finding in made.findings if finding.code.severity is Severity.ERROR] == []
    return open_release(order.out)


def rows(release: Release, table: str) -> Sequence[Row]:
    """A table's rows."""
    return release.table(table).to_pylist()


def golds(release: Release) -> Mapping[str, Row]:
    """The answers by item."""
    return {str(row["item_id"]): row for row in rows(release, "answers")}


def test_it_is_sound_and_its_quotas_are_filled(release: Release) -> None:
    assert [finding.text() for finding in validate(release)] == []
    assert {facet.id: facet.items for facet in release.manifest.facets} == ITEMS


def test_every_answer_follows_from_the_corpora_labels(release: Release) -> None:
    clips = {row["clip_id"]: row for row in rows(release, "sources")}
    items = {row["item_id"]: row for row in rows(release, "items")}
    places: dict[str, list[str]] = {}
    for row in sorted(rows(release, "item_clips"), key=lambda row: (row["item_id"], row["position"])):
        places.setdefault(str(row["item_id"]), []).append(str(row["clip_id"]))
    for id, answer in golds(release).items():
        item = items[id]
        if item["facet"] == "control":
            continue
        first, second = (satisfies(clips[clip], item["facet"], item["target"]) for clip in places[id])
        assert answer["gold"] == (TIE if first == second else FIRST if first else SECOND)
        kinds = {2: "both_good", 1: "non_tie", 0: "both_bad"}
        assert answer["kind"] == kinds[first + second]
        assert answer["transcript"] == transcript_of(*(clips[clip]["text"] for clip in places[id]))
        speakers = {clips[clip]["speaker"] for clip in places[id]}
        assert (answer["speakers"] == "same") == (len(speakers) == 1)


def test_its_audio_is_as_long_as_the_tables_say(release: Release) -> None:
    folder = release.path / "public" / "audio"
    lengths = {row["clip_id"]: row["duration"] for row in rows(release, "clips")}
    assert {path.stem for path in folder.iterdir()} == lengths.keys()
    for clip, seconds in lengths.items():
        info = soundfile.info(folder / f"{clip}.flac")
        assert info.samplerate == 16_000
        assert info.frames / info.samplerate == pytest.approx(seconds, abs=1 / 8_000)


class Killed(Exception):
    """Stands for a kill."""


def test_a_build_that_is_killed_goes_on_where_it_was(release: Release, order: Order, tmp_path: Path) -> None:
    again = replace(order, out=tmp_path / "release")

    def kill(doing: str, done: int, _total: int) -> None:
        if doing == "cutting clips" and done == 7:
            raise Killed

    with pytest.raises(Killed):
        make(again, kill)
    assert not again.out.exists()
    make(replace(again, resume=True), quiet)
    assert files_of(again.out) == files_of(release.path)


# What a judge is sent.


def requests(release: Release, out: Path, *, modality: str) -> dict[str, Row]:
    """What `present` writes, by presentation."""
    present(release, out, protocol=None, modality=modality, roots={}, progress=quiet)
    lines = (out / "requests.jsonl").read_text(encoding="utf-8").splitlines()
    return {request["presentation_id"]: request for request in map(json.loads, lines)}


@pytest.fixture(scope="module")
def asked(release: Release, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Row]:
    """All that is asked about the clips' sound."""
    return requests(release, tmp_path_factory.mktemp("asked") / "out", modality="audio")


def by_item(release: Release, asked: Mapping[str, Row]) -> dict[str, dict[str, Row]]:
    """Requests by item and order."""
    found: dict[str, dict[str, Row]] = {}
    for row in rows(release, "presentations"):
        if row["presentation_id"] in asked:
            found.setdefault(str(row["item_id"]), {})[str(row["order"])] = asked[str(row["presentation_id"])]
    return found


def test_both_orders_have_the_same_words_and_swapped_clips(release: Release, asked: Mapping[str, Row]) -> None:
    items = by_item(release, asked)
    assert len(items) == sum(ITEMS.values())
    for orders in items.values():
        stored, turned = orders[STORED], orders[REVERSED]
        assert (stored["system"], stored["user"], stored["answer"]) == (
            turned["system"],
            turned["user"],
            turned["answer"],
        )
        assert [clip["label"] for clip in stored["clips"]] == [clip["label"] for clip in turned["clips"]]
        heard, other = ([clip["audio"] for clip in request["clips"]] for request in (stored, turned))
        assert heard == other[::-1]


def test_tie_is_offered_where_it_can_be_right(release: Release, asked: Mapping[str, Row]) -> None:
    facets = {row["item_id"]: row["facet"] for row in rows(release, "items")}
    for item, orders in by_item(release, asked).items():
        for request in orders.values():
            marks = request["answer"]["marks"]
            if facets[item] == "rate":
                assert marks == {"[[A]]": "A", "[[B]]": "B"}
            elif facets[item] != "control":
                assert marks == {"[[A]]": "A", "[[B]]": "B", "[[Tie]]": "Tie"}
            assert all(mark in request["system"] for mark in marks)


def test_nothing_that_is_sent_tells_the_answer(release: Release, asked: Mapping[str, Row]) -> None:
    sent = json.dumps([asked[id] for id in sorted(asked)])
    secret = {
        f'"{word}"' for word in ("non_tie", "both_good", "both_bad", "gold", "kind", "same", "cross", FIRST, SECOND)
    }
    for row in rows(release, "sources"):
        secret |= {str(row["path"]), Path(str(row["path"])).stem, f'"{row["speaker"]}"'}
    assert [word for word in secret if word in sent] == []


def test_transcripts_stand_for_the_same_pairs(release: Release, asked: Mapping[str, Row], tmp_path: Path) -> None:
    words = {row["clip_id"]: row["text"] for row in rows(release, "sources")}
    read = requests(release, tmp_path / "out", modality="transcript")
    heard = by_item(release, asked)
    told = by_item(release, read)
    assert told.keys() == heard.keys()
    assert not read.keys() & asked.keys()
    for item, orders in told.items():
        for order, request in orders.items():
            clips = [Path(str(clip["audio"])).stem for clip in heard[item][order]["clips"]]
            assert [clip["text"] for clip in request["clips"]] == [words[clip] or "(no words)" for clip in clips]
            assert [clip["label"] for clip in request["clips"]] == ["Transcript A", "Transcript B"]
    assert not (tmp_path / "out" / "audio").exists()


# What it gets.


def marks(release: Release, choices: Mapping[tuple[str, str], str], file: Path) -> Report:
    """The marks of a judge that says this of an item in an order."""
    owed = [row for row in rows(release, "presentations") if "both-orders" in row["protocols"]]
    lines = [
        json.dumps({"presentation_id": row["presentation_id"], "choice": choices[row["item_id"], row["order"]]})
        for row in owed
    ]
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return score(release, file, options=Options(resamples=100)).report


def listening(release: Release) -> dict[tuple[str, str], str]:
    """What a judge says that is always right."""
    return {
        (id, order): LETTERS.get((str(answer["gold"]), order), "Tie")
        for id, answer in golds(release).items()
        for order in (STORED, REVERSED)
    }


def value(report: Report, metric: str, facet: str = "overall") -> float | None:
    """A figure."""
    entry = report.find(metric, facet)
    assert entry is not None
    return entry.value


def test_a_judge_that_is_always_right_gets_everything(release: Release, tmp_path: Path) -> None:
    report = marks(release, listening(release), tmp_path / "perfect.jsonl")
    for facet in ("overall", *CRITERIA, "control"):
        for metric in ("accuracy", "consistency", "consistent_accuracy"):
            assert value(report, metric, facet) == 1.0, (metric, facet)
    assert value(report, "position_gap") == 0.0


def test_a_judge_that_mixes_up_the_clips_gets_the_ties(release: Release, tmp_path: Path) -> None:
    other = {"A": "B", "B": "A", "Tie": "Tie"}
    report = marks(
        release, {place: other[said] for place, said in listening(release).items()}, tmp_path / "other.jsonl"
    )
    assert value(report, "accuracy_non_tie") == 0.0
    assert value(report, "accuracy_tie") == 1.0
    ties = {"style": 16, "rate": 0, "emphasis": 6, "age": 0, "gender": 16}
    for criterion, count in ties.items():
        assert value(report, "accuracy", criterion) == pytest.approx(count / ITEMS[criterion])
    assert value(report, "consistency") == 1.0


def test_a_judge_that_repeats_its_letter_is_right_in_one_order(release: Release, tmp_path: Path) -> None:
    said = listening(release)
    stuck = {(id, order): said[id, STORED] for id, order in said}
    report = marks(release, stuck, tmp_path / "stuck.jsonl")
    assert value(report, "accuracy_non_tie") == 0.5
    assert value(report, "accuracy_tie") == 1.0
    assert value(report, "consistency", "rate") == 0.0
    assert value(report, "letter_stickiness", "rate") == 1.0
