"""Prompts: the role in every form that the real table has, and the real table whole."""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders.corpora.tiny import PROMPT_COLUMNS, UNTIMED, codes, prompt_row, write_csv

from earmark.builders.corpora.seamless.prompts import Prompt, read_prompts, role_of
from earmark.manifests.findings import Findings, Severity

roles = st.text(
    st.characters(exclude_categories=["Cs", "Cc", "Z"], exclude_characters="()"), min_size=1, max_size=12
).filter(lambda role: role.strip() == role)
prose = st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="("), max_size=30)


def read(path: Path) -> tuple[tuple[Prompt, ...], Findings]:
    findings = Findings()
    return read_prompts(path, findings), findings


@given(role=roles, before=st.sampled_from(["", " ", "\t "]), after=prose, scenario=prose, follows=prose)
def test_the_role_is_what_opens_a_line_in_parentheses(
    role: str, before: str, after: str, scenario: str, follows: str
) -> None:
    line = f"{before}({role}){after} (Other): {follows}"
    assert role_of(line) == role
    assert role_of(f"Scenario: {scenario} (x).\n{line}\n(Later): {follows}") == role


@given(text=prose, role=roles)
def test_parentheses_within_a_line_are_no_role(text: str, role: str) -> None:
    assert role_of(text) is None
    assert role_of(f"Actor 2 ({role}): {text}") is None


@pytest.mark.parametrize(
    ("text", "role"),
    [
        ("(Firm) (Bartender): As the bartender, …", "Firm"),
        ("(Devious), Driver: As the driver, …", "Devious"),
        ("(Self-effacing) - Student: …", "Self-effacing"),
        ("(Zoned out): As …", "Zoned out"),
        ("( Warm ): As …", "Warm"),
        ("Scenario: Deadline: They meet.\r\n (Callous): As …", "Callous"),
        ("\n\n(Cold): As …", "Cold"),
        ("(): As …", None),
        ("( ): As …", None),
        ("(Warm: As …", None),
        ("", None),
    ],
)
def test_forms_of_a_role(text: str, role: str | None) -> None:
    assert role_of(text) == role


def test_a_sound_table(tmp_path: Path) -> None:
    rows = [prompt_row("00000635"), prompt_row("00000634", 1)]
    prompts, findings = read(write_csv(tmp_path / "p.csv", PROMPT_COLUMNS, rows))
    assert len(findings) == 0
    assert [(prompt.hash, prompt.role_a, prompt.role_b) for prompt in prompts] == [
        ("00000634", "Warm", "Aloof"),
        ("00000635", "Polite", "Firm"),
    ]
    assert prompts[0].text_a == "Scenario: Shop: Two\nmeet.\n (Warm): As the clerk, …"
    assert (prompts[0].ipc_a, prompts[0].ipc_b, prompts[0].interaction_type) == ("ANCP", "AMCM", "ipc_conversation")
    assert all(prompt.is_role_play for prompt in prompts)


@UNTIMED
@given(order=st.permutations(["00000634", "00000635", "00000634"]), line_end=st.sampled_from(["\n", "\r\n"]))
def test_neither_order_nor_line_ends_matter(
    tmp_path_factory: pytest.TempPathFactory, order: list[str], line_end: str
) -> None:
    folder = tmp_path_factory.mktemp("prompts")
    rows = [prompt_row(hash, index) for index, hash in enumerate(order)]
    prompts, findings = read(write_csv(folder / "p.csv", PROMPT_COLUMNS, rows, line_end=line_end))
    plain = write_csv(folder / "q.csv", PROMPT_COLUMNS, [prompt_row("00000634"), prompt_row("00000635")])
    assert prompts == read(plain)[0]
    assert codes(findings)["repeated-row"] == 1


def changed(hash: str, column: str, value: str) -> list[str]:
    row = prompt_row(hash)
    row[PROMPT_COLUMNS.index(column)] = value
    return row


@pytest.mark.parametrize(
    ("row", "expected", "kept"),
    [
        (changed("00000635", "prompt_hash", "635"), {"bad-prompt-hash": 1}, 1),
        (changed("00000635", "prompt_hash", "0000063²"), {"bad-prompt-hash": 1}, 1),
        (changed("00000635", "prompt_id_unique", " "), {"blank-prompt-id": 1}, 1),
        (changed("00000635", "prompt_hash", "00000634"), {"duplicate-prompt": 2}, 0),
        (changed("00000635", "prompt_id_unique", prompt_row("00000634")[2]), {"duplicate-prompt": 2}, 0),
        (changed("00000635", "participant_b_prompt_text", "Listen (well)."), {"prompt-without-role": 1}, 2),
    ],
)
def test_traps(tmp_path: Path, row: list[str], expected: dict[str, int], kept: int) -> None:
    path = write_csv(tmp_path / "p.csv", PROMPT_COLUMNS, [prompt_row("00000634"), row])
    prompts, findings = read(path)
    assert codes(findings) == expected
    assert len(prompts) == kept
    assert {finding.file for finding in findings} == {str(path)}
    assert 5 in {finding.row for finding in findings}  # the first prompt takes lines 2 to 4, as its text has three


def test_a_prompt_of_another_kind_needs_no_role(tmp_path: Path) -> None:
    row = ["0", "00000001", "P0066_v3.4.fam_AMCM_XXXX", "Tell (all).", "Listen.", "AMCM", "", "ipc_conversation"]
    prompts, findings = read(write_csv(tmp_path / "p.csv", PROMPT_COLUMNS, [row]))
    assert len(findings) == 0
    assert not prompts[0].is_role_play


def test_a_role_makes_a_role_play_whatever_the_id(tmp_path: Path) -> None:
    path = write_csv(tmp_path / "p.csv", PROMPT_COLUMNS, [changed("00000634", "prompt_id_unique", "X1")])
    assert read(path)[0][0].is_role_play


# The real table.


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def test_the_real_table(shared_data: Path) -> None:
    path = shared_data / "seamless" / "interactions.csv"
    prompts, findings = read(path)
    role_plays = [prompt for prompt in prompts if prompt.is_role_play]
    assert (len(prompts), len(role_plays)) == (1312, 538)
    (finding,) = findings
    assert (finding.code.name, finding.code.severity) == ("corpus.prompt-without-role", Severity.WARNING)
    assert (finding.id, finding.column) == ("00000893", "participant_b_prompt_text")
    lines = path.read_bytes().split(b"\n")
    assert finding.row is not None
    assert lines[finding.row - 1].startswith(b"891,00000893,")
    expected = {
        row["prompt_hash"]: (row["prompt_id_unique"], row["role_a"] or None, row["role_b"] or None)
        for row in rows_of(shared_data / "seamless" / "roleplay_prompts_roles.csv")
    }
    assert {prompt.hash: (prompt.id, prompt.role_a, prompt.role_b) for prompt in role_plays} == expected
    named = {role for prompt in role_plays for role in (prompt.role_a, prompt.role_b)}
    categories = rows_of(shared_data / "stancebench" / "category_roles.csv")
    known = {role.strip() for row in categories for role in row["Adjectives assigned"].split(",")}
    assert len(known) == 122
    assert known <= named


def test_the_real_counts(shared_data: Path) -> None:
    prompts, _ = read(shared_data / "seamless" / "interactions.csv")
    as_a = Counter(prompt.role_a for prompt in prompts)
    as_b = Counter(prompt.role_b for prompt in prompts)
    either = Counter(role for prompt in prompts for role in {prompt.role_a, prompt.role_b})
    rows = rows_of(shared_data / "seamless" / "stancebench_role_prompt_counts.csv")
    assert len(rows) == 68
    for row in rows:
        role = row["role"]
        counts = (as_a[role], as_b[role], either[role])
        assert counts == tuple(
            int(row[column]) for column in ("n_prompts_as_A", "n_prompts_as_B", "n_distinct_prompts")
        ), role
