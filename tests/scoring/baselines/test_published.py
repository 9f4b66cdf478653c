"""The folder of baselines of a published copy: whole with open gold, and with hidden gold nothing that tells an answer."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from tests.scoring.baselines.altered import altered, golden, with_golds
from tests.support.tiny import write_tiny_release

from earmark.manifests.release import Release, open_release
from earmark.manifests.report import read_report
from earmark.scoring.baselines import UNIFORM, Baseline
from earmark.scoring.baselines import published as module
from earmark.scoring.baselines.answers import ORACLE, read_answers
from earmark.scoring.baselines.every import every_baseline
from earmark.scoring.baselines.published import TOO_FEW, headline_entry, published_baselines, tells_single_answers
from earmark.scoring.decisions import owed_presentations
from earmark.scoring.face import check, score
from earmark.scoring.families import family_marks
from earmark.scoring.guesses import guessed
from earmark.scoring.measuring import Options

FAMILIES = ("stance", "pairs", "dialogues")
FEW = Options(resamples=100)


def silent(what: str, done: int, total: int) -> None:
    """Nobody listens."""


def files_of(folder: Path) -> Mapping[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Release:
    """A release of 240 items, over which one answer does not show in two decimals."""
    return write_tiny_release(tmp_path_factory.mktemp("releases") / "large", items=240)


@pytest.mark.parametrize("family", FAMILIES)
def test_with_hidden_gold_and_few_items_nothing_in_the_folder_depends_on_an_answer(family: str, tmp_path: Path) -> None:
    release = golden(family)
    told = published_baselines(release, tmp_path / "baselines", open_gold=False, progress=silent)
    assert [entry.baseline for entry in told] == list(every_baseline(family_marks(release)))
    files = files_of(tmp_path / "baselines")
    assert files.keys() == {entry.file for entry in told if entry.file} | {"headlines.json"}
    assert {entry.baseline.knows for entry in told if entry.file} == {"nothing"}
    assert all(release.manifest.canary.encode() in content for content in files.values())
    for name in files.keys() - {"headlines.json"}:
        assert check(release, tmp_path / "baselines" / name).counts == {}
    # So few units that two decimals would tell answers, and each rule says why it has no value.
    assert {(entry.value, entry.interval_text) for entry in told} == {(None, None)}
    assert all(entry.reason for entry in told)
    assert TOO_FEW in {entry.reason for entry in told}
    said = json.loads(files["headlines.json"])
    assert (said["canary"], said["content_hash"]) == (release.manifest.canary, release.manifest.content_hash)
    assert [entry["name"] for entry in said["baselines"]] == [entry.baseline.name for entry in told]
    # The same release if something else were right of every item.
    golds, gold = release.family.golds, read_answers(release, owed_presentations(release, release.protocol()))
    other = with_golds(release, {item: golds[(golds.index(right) + 1) % len(golds)] for item, right in gold.items()})
    published_baselines(other, tmp_path / "other", open_gold=False, progress=silent)
    assert files_of(tmp_path / "other") == files


def test_of_many_items_one_value_of_each_rule_is_told_to_two_decimals(large: Release, tmp_path: Path) -> None:
    told = published_baselines(large, tmp_path / "baselines", open_gold=False, progress=silent, options=FEW)
    values = {entry.baseline.name: entry.value for entry in told}
    assert values["oracle"] == 1
    assert values["always P"] == values["majority"] == 0.5
    assert sorted(path.name for path in (tmp_path / "baselines").iterdir() if path.suffix == ".jsonl") == sorted(
        f"{rule.stem}.jsonl" for rule in every_baseline(family_marks(large)) if rule.knows == "nothing"
    )
    [uniform] = [entry for entry in told if entry.baseline is UNIFORM]
    headline = score(large, tmp_path / "baselines" / "uniform.jsonl", options=FEW).report.find("balanced_accuracy")
    assert headline is not None
    [first, *_] = headline.intervals
    assert (uniform.value, uniform.metric, uniform.protocol) == (
        round(headline.value or 0, 2),
        headline.metric,
        "both-orders",
    )
    assert uniform.interval is not None
    assert (uniform.interval.low, uniform.interval.high) == (round(first.low or 0, 2), round(first.high or 0, 2))
    assert (uniform.interval.by, uniform.interval.clusters, uniform.interval.reason) == ("", 0, None)
    assert uniform.interval_text == f"95 % interval {uniform.interval.low:.3f} to {uniform.interval.high:.3f}"
    for entry in json.loads((tmp_path / "baselines" / "headlines.json").read_text(encoding="utf-8"))["baselines"]:
        assert entry["value"] == values[entry["name"]]
        assert entry.keys() == {"name", "means", "file", "value", "level", "low", "high", "reason"}


@pytest.mark.parametrize(("items", "tells"), [(99, True), (100, False)])
def test_one_answer_does_not_show_in_two_decimals_from_a_hundred_units_on(
    items: int, tells: bool, tmp_path: Path
) -> None:
    """Units are speakers in conversations, two items each but for their poles: as many units as items; of each pole half."""
    release = write_tiny_release(tmp_path / "release", items=items)
    owed = owed_presentations(release, release.protocol())
    guesses = ORACLE.guess(release, owed)
    assert not isinstance(guesses, str)
    assert tells_single_answers(release, guessed(owed, guesses, release.family.choices)) == tells


@pytest.mark.parametrize("family", FAMILIES)
def test_the_headline_alone_is_that_of_the_report(family: str) -> None:
    release = golden(family)
    owed = owed_presentations(release, release.protocol())
    guesses = UNIFORM.guess(release, owed)
    assert not isinstance(guesses, str)
    decisions = guessed(owed, guesses, release.family.choices)
    found = headline_entry(release, decisions, FEW)
    assert found is not None
    [other] = [
        entry
        for entry in family_marks(release).evaluate(release, decisions, FEW)
        if (entry.metric, entry.facet, entry.slice) == (release.family.headline, "overall", "all")
    ]
    assert (found.value, found.n) == (other.value, other.n)
    assert [(each.low, each.high) for each in found.intervals] == [(each.low, each.high) for each in other.intervals]


def test_with_open_gold_there_is_all_of_it_and_the_canary_in_each_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    release = golden("dialogues")
    silent_rule = Baseline("silent", "Says nothing.", lambda *_: "it has no voice")
    monkeypatch.setattr(module, "every_baseline", lambda _: (ORACLE, silent_rule))
    told = published_baselines(release, tmp_path, open_gold=True, progress=silent, options=FEW)
    files = files_of(tmp_path)
    assert files.keys() == {"oracle.jsonl", "oracle/report.json", "oracle/report.html"}
    assert all(release.manifest.canary.encode() in content for content in files.values())
    report = read_report(tmp_path / "oracle" / "report.json")
    assert report.submission["canary"] == release.manifest.canary
    assert [(entry.value, entry.file, entry.reason) for entry in told] == [
        (1.0, "oracle.jsonl", None),
        (None, None, "it has no voice"),
    ]
    assert told[0].interval_text == "95 % interval 1.000 to 1.000"


def test_without_a_private_side_there_is_what_can_be_said(tmp_path: Path) -> None:
    release = golden("pairs")
    (tmp_path / "copy").mkdir()
    (tmp_path / "copy" / "release.json").write_bytes((release.path / "release.json").read_bytes())
    (tmp_path / "copy" / "public").symlink_to(release.path / "public")
    public = open_release(tmp_path / "copy")
    told = published_baselines(public, tmp_path / "baselines", open_gold=False, progress=silent)
    assert {entry.file for entry in told} == {
        None,
        *("uniform.jsonl", "always-Tie.jsonl", "always-A.jsonl", "always-B.jsonl", "longer.jsonl"),
    }
    assert {entry.value for entry in told} == {None}
    assert all(entry.reason for entry in told)


def test_a_value_that_is_undefined_does_not_say_which_answers_there_are_none_of(large: Release, tmp_path: Path) -> None:
    gold = {row["item_id"]: "P" for row in large.table("answers").to_pylist()}
    answers = with_golds(large, gold).table("answers")
    one_pole = altered(large, answers=answers)
    told = published_baselines(one_pole, tmp_path, open_gold=False, progress=silent, options=FEW)
    assert {entry.value for entry in told} == {None}
    assert {entry.reason for entry in told if entry.file} <= {TOO_FEW, "undefined"}
