"""Assignments: sound rows are taken whatever their order, and each kind of bad row is named and dropped."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders.corpora.tiny import (
    ASSIGNMENT_COLUMNS,
    PROMPT_COLUMNS,
    PROMPT_IDS,
    UNTIMED,
    A,
    B,
    C,
    D,
    assignment_row,
    codes,
    prompt_row,
    write_csv,
)

from earmark.builders.corpora.seamless.assignments import COLUMNS, Assignment, read_assignments
from earmark.builders.corpora.seamless.prompts import Prompt, read_prompts
from earmark.manifests.errors import Refused
from earmark.manifests.findings import Finding, Findings, Severity


@pytest.fixture(scope="module")
def prompts(tmp_path_factory: pytest.TempPathFactory) -> tuple[Prompt, ...]:
    path = tmp_path_factory.mktemp("prompts") / "p.csv"
    write_csv(path, PROMPT_COLUMNS, [prompt_row("00000634"), prompt_row("00000635")])
    return read_prompts(path, Findings())


def read(path: Path | None, prompts: tuple[Prompt, ...] | None) -> tuple[tuple[Assignment, ...], Findings]:
    findings = Findings()
    return read_assignments(path, prompts, findings), findings


def changed(column: str, value: str) -> list[str]:
    row = assignment_row(A, B)
    row[ASSIGNMENT_COLUMNS.index(column)] = value
    return row


def test_a_sound_table(tmp_path: Path, prompts: tuple[Prompt, ...]) -> None:
    path = write_csv(tmp_path / "a.csv", ASSIGNMENT_COLUMNS, [assignment_row(C, D), assignment_row(A, B)])
    found, findings = read(path, prompts)
    assert len(findings) == 0
    assert [(str(entry.a), str(entry.b), entry.role_a, entry.role_b) for entry in found] == [
        (A, B, "Warm", "Aloof"),
        (C, D, "Polite", "Firm"),
    ]
    assert found[0].prompt_id == PROMPT_IDS["00000634"]
    assert found[0].conversation == "V00_S0001_I00000634"
    assert read(path, None) == (found, findings)


@pytest.mark.parametrize("name", [None, "absent.csv"])
def test_without_a_table_it_says_what_is_not_public_and_what_is_needed(tmp_path: Path, name: str | None) -> None:
    findings = Findings()
    with pytest.raises(Refused) as refused:
        read_assignments(None if name is None else tmp_path / name, None, findings)
    assert refused.value.findings is findings
    (finding,) = findings
    assert finding.code.name == "corpus.no-assignments"
    text = finding.text()
    assert "not public" in text
    assert all(column in text for column in COLUMNS)


def test_a_table_of_no_use_is_refused(tmp_path: Path) -> None:
    findings = Findings()
    with pytest.raises(Refused):
        read_assignments(write_csv(tmp_path / "a.csv", ("prompt_id_unique", "a_id"), [["x", A]]), None, findings)
    assert [finding.column for finding in findings] == ["b_id", "role_a", "role_b"]
    assert codes(findings) == {"missing-column": 3}


OTHER = "V00_S0001_I00000635_P0002"
UNKNOWN = "V00_S0001_I00000999_P000"


@pytest.mark.parametrize(
    ("row", "code", "column", "expected"),
    [
        (changed("a_id", "nobody"), "bad-id", "a_id", "V<digits>"),
        (changed("b_id", f"../{B}"), "unsafe-id", "b_id", "V<digits>"),
        (changed("b_id", OTHER), "two-conversations", "b_id", "V00_S0001_I00000634"),
        (changed("b_id", "V01_S0001_I00000634_P0002"), "two-conversations", "b_id", "V00_S0001_I00000634"),
        (changed("b_id", "V00_S0002_I00000634_P0002"), "two-conversations", "b_id", "V00_S0001_I00000634"),
        (changed("b_id", A), "same-participant", "b_id", "partner"),
        (changed("prompt_id_unique", "P0634"), "unknown-prompt", "prompt_id_unique", PROMPT_IDS["00000634"]),
        (
            ["P9", f"{UNKNOWN}1", f"{UNKNOWN}2", "Warm", "Aloof", ""],
            "unknown-prompt",
            "prompt_id_unique",
            "one of the 2",
        ),
        (changed("role_a", "warm"), "role-case", "role_a", "did you mean Warm?"),
        (changed("role_b", " Aloof"), "role-case", "role_b", "Aloof"),
        (changed("role_a", "Cold"), "role-not-in-prompt", "role_a", "Warm"),
        (changed("role_b", ""), "role-not-in-prompt", "role_b", "Aloof"),
        ([*changed("role_a", "Aloof")[:4], "Warm", ""], "roles-swapped", "role_a", "Warm as role_a"),
        ([*changed("role_a", "")[:4], "", ""], "blank-role", "role_a", "a role"),
    ],
)
def test_a_bad_row_is_named_and_dropped(
    tmp_path: Path, prompts: tuple[Prompt, ...], row: list[str], code: str, column: str, expected: str
) -> None:
    path = write_csv(tmp_path / "a.csv", ASSIGNMENT_COLUMNS, [assignment_row(C, D), row])
    found, findings = read(path, prompts)
    assert [str(entry.a) for entry in found] == [C]
    assert codes(findings) == {code: 1}
    (finding,) = findings
    assert (finding.file, finding.row, finding.column) == (str(path), 3, column)
    assert finding.expected is not None
    assert expected in finding.expected
    assert finding.code.severity is Severity.ERROR


def test_both_roles_wrong_are_two_findings(tmp_path: Path, prompts: tuple[Prompt, ...]) -> None:
    path = write_csv(tmp_path / "a.csv", ASSIGNMENT_COLUMNS, [[*assignment_row(A, B)[:3], "warm", "Cold", ""]])
    found, findings = read(path, prompts)
    assert found == ()
    assert codes(findings) == {"role-case": 1, "role-not-in-prompt": 1}


def test_a_prompt_of_another_number_is_believed_and_told(tmp_path: Path, prompts: tuple[Prompt, ...]) -> None:
    row = [PROMPT_IDS["00000635"], A, B, "Polite", "Firm", ""]
    found, findings = read(write_csv(tmp_path / "a.csv", ASSIGNMENT_COLUMNS, [row]), prompts)
    assert [entry.role_a for entry in found] == ["Polite"]
    assert codes(findings) == {"prompt-of-other-interaction": 1}
    assert not findings.failed


def test_a_side_without_a_role_takes_a_blank_and_nothing_else(tmp_path: Path) -> None:
    row = prompt_row("00000634")
    row[4] = "Actor 2 (Aloof): As the guest, …"
    prompts = read_prompts(write_csv(tmp_path / "p.csv", PROMPT_COLUMNS, [row]), Findings())
    found, findings = read(write_csv(tmp_path / "a.csv", ASSIGNMENT_COLUMNS, [changed("role_b", "")]), prompts)
    assert [(entry.role_a, entry.role_b) for entry in found] == [("Warm", None)]
    assert len(findings) == 0
    found, findings = read(write_csv(tmp_path / "b.csv", ASSIGNMENT_COLUMNS, [assignment_row(A, B)]), prompts)
    assert found == ()
    assert codes(findings) == {"role-not-in-prompt": 1}


rows = st.sampled_from(
    [
        assignment_row(A, B),
        [*assignment_row(A, B)[:5], "another remark"],
        assignment_row(C, D),
        assignment_row(D, C),
        changed("role_a", "warm"),
        changed("a_id", "nobody"),
    ]
)


@UNTIMED
@given(table=st.lists(rows, min_size=1, max_size=8), data=st.data(), checked=st.booleans())
def test_the_order_of_rows_decides_nothing(
    tmp_path_factory: pytest.TempPathFactory,
    prompts: tuple[Prompt, ...],
    table: list[list[str]],
    data: st.DataObject,
    checked: bool,
) -> None:
    folder = tmp_path_factory.mktemp("order")
    known = prompts if checked else None

    def kinds(findings: Findings) -> list[tuple[str, str | None]]:
        return sorted((finding.code.name, finding.id) for finding in findings)

    found, findings = read(write_csv(folder / "a.csv", ASSIGNMENT_COLUMNS, table), known)
    shuffled = write_csv(folder / "b.csv", ASSIGNMENT_COLUMNS, data.draw(st.permutations(table)))
    again, findings_again = read(shuffled, known)
    assert again == found
    assert kinds(findings_again) == kinds(findings)
    said = {tuple(row[:5]) for row in table if row[1] != "nobody"}
    for conversation in ("V00_S0001_I00000634", "V01_S0001_I00000635"):
        versions = [row for row in said if row[1].startswith(conversation)]
        sound = len(versions) == 1 and not (checked and versions[0][3] == "warm")
        assert any(entry.conversation == conversation for entry in found) == sound


def test_equal_rows_are_merged_and_counted(tmp_path: Path, prompts: tuple[Prompt, ...]) -> None:
    table = [assignment_row(A, B)] * 3
    found, findings = read(write_csv(tmp_path / "a.csv", ASSIGNMENT_COLUMNS, table), prompts)
    assert len(found) == 1
    assert codes(findings) == {"repeated-row": 2}
    assert [(finding.row, finding.found) for finding in findings] == [
        (3, "the same as row 2"),
        (4, "the same as row 2"),
    ]


def test_rows_that_disagree_are_all_dropped(tmp_path: Path, prompts: tuple[Prompt, ...]) -> None:
    table = [assignment_row(A, B), [*assignment_row(A, B)[:1], B, A, "Warm", "Aloof", ""]]
    found, findings = read(write_csv(tmp_path / "a.csv", ASSIGNMENT_COLUMNS, table), prompts)
    assert found == ()
    kept: list[Finding] = list(findings)
    assert [(f.code.name, f.row, f.found) for f in kept] == [
        ("corpus.conflicting-assignments", 2, "rows 2, 3"),
        ("corpus.conflicting-assignments", 3, "rows 2, 3"),
    ]


def test_real_rows(shared_data: Path) -> None:
    prompts = read_prompts(shared_data / "seamless" / "interactions.csv", Findings())
    path = shared_data / "seamless" / "abmapped_proxy_dev_test.csv"
    found, findings = read(path, prompts)
    assert codes(findings) == {"windows-line-ends": 1}  # it was saved so
    assert len(found) == 241
    with path.open(encoding="utf-8", newline="") as stream:
        expected = {tuple(row[column] for column in COLUMNS) for row in csv.DictReader(stream)}
    assert {(entry.prompt_id, str(entry.a), str(entry.b), entry.role_a, entry.role_b) for entry in found} == expected
    assert len({side.speaker for entry in found for side in (entry.a, entry.b)}) == 42
