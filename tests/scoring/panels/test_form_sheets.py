"""Sheets with a form as they come back: round trips, whatever strangers write, and second rounds."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.support.dialogue_panels import draw, fill, right_choices, write_release

from earmark.manifests.findings import Findings
from earmark.manifests.panels import Asked, Panel
from earmark.manifests.release import Release
from earmark.scoring.panels.sheets import Rated, read_sheets
from earmark.statistics.kappa import MISSING

Found = list[tuple[str, str | None, str | None]]


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Release:
    return write_release(tmp_path_factory.mktemp("forms") / "release", 4)


@pytest.fixture(scope="module")
def panel(release: Release) -> Panel:
    return draw(release).panel


def read(release: Release, panel: Panel, *files: Path, round_2: bool = False) -> tuple[Rated, Found]:
    findings = Findings()
    rated = read_sheets(release, panel, files, findings, round_2=round_2)
    return rated, [(finding.code.name, finding.id, finding.found) for finding in findings]


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_a_filled_sheet_says_what_was_filled_in(
    release: Release, panel: Panel, tmp_path: Path, data: st.DataObject
) -> None:
    right, said = right_choices(release), {}
    for rater in panel.raters:
        for asked in panel.questions(rater):
            offered = ("1", "2") if asked.entry is not None else panel.topics[str(asked.topic)]
            said[asked.id] = data.draw(st.sampled_from([*offered, None]))
    files = [fill(tmp_path / f"{rater}.csv", panel, rater, lambda asked: said[asked.id]) for rater in panel.raters]
    rated, found = read(release, panel, *files)
    assert {name for name, _, _ in found} <= {"submission.missing", "submission.empty", "panel.no-sheet"}
    golds = {row["item_id"]: row["gold"] for row in release.table("answers").to_pylist()}
    for rater, labels, answers in zip(rated.raters, rated.labels, rated.answers, strict=True):
        for asked in panel.questions(rater):
            word = said[asked.id]
            if asked.entry is None:
                code = answers[rated.units.index(asked.unit), rated.topics.index(str(asked.topic))]
                assert code == (MISSING if word is None else ("pass", "fail").index(word))
                continue
            code = labels[panel.entries.index(asked.entry)]
            assert (code == MISSING) == (word is None)
            if word is not None:
                is_gold = ("first", "second")[code] == golds[asked.entry.item]
                assert is_gold == (word == right[asked.entry.presentation])


def passes(asked: Asked) -> str:
    return "1" if asked.entry is not None else "pass"


def test_a_question_takes_its_own_answers_alone(release: Release, panel: Panel, tmp_path: Path) -> None:
    rated, found = read(
        release, panel, fill(tmp_path / "ann.csv", panel, "ann", lambda a: "pass" if a.entry is not None else "1")
    )
    questions = panel.questions("ann")
    assert sorted(found) == sorted(
        [
            ("panel.no-sheet", "ben", None),
            *(("panel.not-offered", a.id, "pass" if a.entry is not None else "1") for a in questions),
        ]
    )
    assert (rated.labels == MISSING).all()
    assert (rated.answers == MISSING).all()
    assert (rated.outcomes["ann"]["ok"], rated.outcomes["ann"]["unparsable"]) == (0, len(questions))


def test_what_is_wrong_with_a_form(release: Release, panel: Panel, tmp_path: Path) -> None:
    own = [asked for asked in panel.questions("ann") if asked.entry is None]
    others = [asked for asked in panel.questions("ben") if asked.entry is None]
    lines = [
        f"{own[0].id},fail",  # differs from the first row
        f"{own[1].id},pass",  # says the same again
        f"{others[0].id},fail",
        f"{own[2].id},PASS",
        f"{own[0].unit},pass",
        "=cmd|' /C calc'!A0,fail",
    ]
    rated, found = read(release, panel, fill(tmp_path / "ann.csv", panel, "ann", passes, *lines))
    named = {(name, id) for name, id, _ in found}
    assert {
        ("submission.conflicting", own[0].id),
        ("submission.repeated", own[1].id),
        ("panel.other-rater", others[0].id),
        ("submission.unknown-value", own[2].id),
        ("submission.conflicting", own[2].id),
        ("submission.unknown-id", own[0].unit),
    } <= named
    spoilt = {(rated.units.index(a.unit), rated.topics.index(str(a.topic))) for a in (own[0], own[2])}
    assert {tuple(at) for at in np.argwhere(rated.answers[0] == MISSING).tolist()} == spoilt
    assert (rated.labels[0] != MISSING).all()


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=20), max_size=4))
def test_strange_lines_are_findings_and_the_rest_counts(
    release: Release, panel: Panel, tmp_path: Path, lines: list[str]
) -> None:
    good = fill(tmp_path / "ann.csv", panel, "ann", passes)
    (tmp_path / "ann.csv").write_text(good.read_text(encoding="utf-8") + "\n".join(lines), encoding="utf-8", newline="")
    rated, _ = read(release, panel, good)
    assert rated.raters == ("ann",)
    assert (rated.answers == 0).all()


def test_in_a_second_round_nothing_is_missing(release: Release, panel: Panel, tmp_path: Path) -> None:
    some = {asked.id for asked in panel.questions("ben")[2:5]}
    back = fill(tmp_path / "ben.csv", panel, "ben", lambda asked: passes(asked) if asked.id in some else None)
    rated, found = read(release, panel, back, round_2=True)
    assert found == []
    assert rated.outcomes["ben"]["owed"] == rated.outcomes["ben"]["ok"] == 3
    assert (rated.labels != MISSING).sum() + (rated.answers != MISSING).sum() == 3
    _, found = read(release, panel, back)
    assert sum(name == "submission.missing" for name, _, _ in found) > 0
    stray = fill(tmp_path / "b.csv", panel, "ben", lambda asked: passes(asked) if asked.id in some else None, "pz,pass")
    assert read(release, panel, stray, round_2=True)[1] == [("submission.unknown-id", "pz", None)]
