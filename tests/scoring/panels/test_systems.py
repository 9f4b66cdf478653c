"""What systems said, as people are to rank it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.dialogue_panels import right_choices, write_release, write_submission
from tests.support.dialogue_releases import some_dialogues, write_dialogue_release

from earmark.manifests.declarations import AUDIO, ORACLE
from earmark.manifests.errors import EarmarkError
from earmark.manifests.families.dialogues import SEQUENTIAL_2
from earmark.manifests.findings import Findings
from earmark.manifests.hashes import file_hash
from earmark.manifests.release import Release
from earmark.scoring.panels.systems import LONGEST_NAME, LONGEST_REASONS, reasons_in, systems_of
from earmark.scoring.submissions.rows import Row


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Release:
    return write_release(tmp_path_factory.mktemp("systems") / "release", 2)


def everywhere(release: Release, *turns: bool) -> dict[str, tuple[bool, bool]]:
    return {str(row["group"]): (turns[0], turns[1]) for row in release.table("items").to_pylist()}


def test_choices_and_reasons_of_every_presentation(release: Release, tmp_path: Path) -> None:
    file = write_submission(tmp_path / "one.jsonl", release, everywhere(release, True, False))
    findings = Findings()
    (system,) = systems_of(release, [file], SEQUENTIAL_2, findings)
    assert len(findings) == 0
    assert (system.name, system.file) == ("one", file_hash(file))
    right = right_choices(release)
    targets = {row["item_id"]: row["target"] for row in release.table("items").to_pylist()}
    shown = {row["presentation_id"]: row for row in release.table("presentations").to_pylist()}
    assert {said.presentation for said in system.said} == {
        id for id, row in shown.items() if SEQUENTIAL_2 in row["protocols"]
    }
    for said in system.said:
        target = targets[shown[said.presentation]["item_id"]]
        assert (said.choice == right[said.presentation]) == (target == "turn 4")
        assert said.reasons == f"It sounds so. {target}"


def test_the_lowest_run_and_no_answer(release: Release, tmp_path: Path) -> None:
    ids = sorted(
        row["presentation_id"] for row in release.table("presentations").to_pylist() if SEQUENTIAL_2 in row["protocols"]
    )
    rows: list[dict[str, object]] = [
        {"presentation_id": ids[0], "run": 2, "choice": "1", "evidence": ["late"]},
        {"presentation_id": ids[0], "run": 1, "choice": "2", "evidence": ["early"]},
        {"presentation_id": ids[1], "status": "failed"},
        {"presentation_id": ids[2], "response": "Neither."},
    ]
    file = tmp_path / "two.jsonl"
    file.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    findings = Findings()
    (system,) = systems_of(release, [file], SEQUENTIAL_2, findings)
    said = {each.presentation: (each.choice, each.reasons) for each in system.said}
    assert [said[id] for id in ids[:4]] == [("2", "early"), (None, ""), (None, ""), (None, "")]
    assert set(said) == set(ids)
    assert {finding.code.name for finding in findings} == {"submission.missing", "submission.unparsable"}


def test_other_modalities_are_shown_at_their_place(tmp_path: Path) -> None:
    chains, modalities = ("sequential-2", "direct"), (AUDIO, ORACLE)
    release = write_dialogue_release(tmp_path / "release", some_dialogues(3), chains, modalities)
    shown = {row["presentation_id"]: row for row in release.table("presentations").to_pylist()}

    def write(protocol: str) -> Path:
        rows = [
            {"presentation_id": id, "choice": row["order"][0], "evidence": [f"{row['item_id']} {row['order']}"]}
            for id, row in shown.items()
            if protocol in row["protocols"]
        ]
        lines = [{"earmark": {"protocol": protocol}}, *rows]
        file = tmp_path / f"{protocol}.jsonl"
        file.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
        return file

    findings = Findings()
    files = [write("sequential-2"), write("sequential-2-oracle")]
    listens, reads = systems_of(release, files, "sequential-2", findings)
    assert len(findings) == 0
    by_id = [{said.presentation: said for said in system.said} for system in (listens, reads)]
    assert by_id[0] == by_id[1]
    for id, said in by_id[1].items():
        assert shown[id]["modality"] == AUDIO
        assert (said.choice, said.reasons) == (shown[id]["order"][0], f"{shown[id]['item_id']} {shown[id]['order']}")
    with pytest.raises(EarmarkError, match="follows direct-oracle, whose conversations are not those of sequential-2"):
        systems_of(release, [write("direct-oracle")], "sequential-2", findings)


def test_names_can_be_told_apart(release: Release, tmp_path: Path) -> None:
    right = everywhere(release, True, True)
    files = [
        write_submission(tmp_path / "a.jsonl", release, right, judge="Judge\n\u202e 7"),
        write_submission(tmp_path / "b.jsonl", release, right, judge="Judge\n\u202e 7"),
        write_submission(tmp_path / "c.jsonl", release, right, judge="x" * 200),
    ]
    systems = systems_of(release, files, SEQUENTIAL_2, Findings())
    assert [system.name for system in systems] == ["Judge  7", "Judge  7 (2)", "x" * LONGEST_NAME]
    with pytest.raises(EarmarkError, match="no such file"):
        systems_of(release, [tmp_path / "nowhere.jsonl"], SEQUENTIAL_2, Findings())


@pytest.mark.parametrize(
    ("response", "words"),
    [
        ('{"reasoning": "It is warm.", "selected": "Option 1"}', "It is warm."),
        ('```json\n{"selected": "1", "reasoning": "Slow {pauses}"}\n```', "Slow {pauses}"),
        ('{"selected": "1"}', '{"selected": "1"}'),
        ('{"reasoning": ["a"], "selected": "1"}', '{"reasoning": ["a"], "selected": "1"}'),
        ("Option 1 } it is {", "Option 1 } it is {"),
        ('{"reasoning": "a", "reasoning": "b"}', '{"reasoning": "a", "reasoning": "b"}'),
    ],
)
def test_reasons_in_a_response(response: str, words: str) -> None:
    assert reasons_in(Row("p", response=response)) == words


@settings(max_examples=25)
@given(st.text(max_size=40) | st.text("{}[]\"':,\\ a", max_size=40), st.integers(1, 100))
def test_any_response_gives_words_of_a_length(response: str, times: int) -> None:
    assert len(reasons_in(Row("p", response=response * times))) <= LONGEST_REASONS + 1
