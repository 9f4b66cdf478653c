"""File ids: spelt as read, and nothing else is one."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders.corpora.tiny import codes

from earmark.builders.corpora.seamless.ids import FileId, parse_id
from earmark.manifests.findings import Findings

numbers = st.text("0123456789", min_size=1, max_size=9)
texts = st.builds("V{}_S{}_I{}_P{}{}".format, numbers, numbers, numbers, numbers, st.sampled_from(["", "A"]))


@given(text=texts)
def test_an_id_is_spelt_as_it_was_read(text: str) -> None:
    file_id = FileId.parse(text)
    assert str(file_id) == text
    assert text == f"{file_id.session}_{file_id.interaction}_{file_id.participant}"
    assert text == f"{file_id.conversation}_{file_id.participant}"
    assert file_id.speaker == f"{text.split('_')[0]}_{text.split('_')[3]}"
    assert f"I{file_id.prompt_hash}" == text.split("_")[2]


@given(one=texts, other=texts)
def test_two_spellings_are_two_ids(one: str, other: str) -> None:
    assert (FileId.parse(one) == FileId.parse(other)) == (one == other)


@given(text=st.text(max_size=40) | st.from_regex(r"V\d+_S\d+_I\d+_P\d+[A-Za-z]?"))
def test_nothing_but_an_id_is_one(text: str) -> None:
    findings = Findings()
    found = parse_id(text, findings, file="t.csv", row=7, column="a_id")
    # What the ids mean is [0-9]; \d would let digits of other scripts in, and $ a line end.
    sound = re.fullmatch(r"V[0-9]{1,9}_S[0-9]{1,9}_I[0-9]{1,9}_P[0-9]{1,9}[A-Z]?", text) is not None
    assert (found is not None) == sound == (len(findings) == 0)
    assert found is None or str(found) == text


def test_the_examples_of_the_corpus() -> None:
    file_id = FileId.parse("V00_S1047_I00000634_P0092A")
    assert file_id.speaker == "V00_P0092A"
    assert file_id.session == "V00_S1047"
    assert file_id.conversation == "V00_S1047_I00000634"
    assert file_id.prompt_hash == "00000634"
    assert file_id != FileId.parse("V00_S1047_I00000634_P0092")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "bad-id"),
        ("V00_S1047_I00000634", "bad-id"),
        ("v00_s1047_i00000634_p0092", "bad-id"),
        ("V00_S1047_I00000634_P0092a", "bad-id"),
        ("V00_S1047_I00000634_P0092A ", "bad-id"),
        ("../V00_S1047_I00000634_P0092", "unsafe-id"),
        ("V00_S1047_I00000634_P0092/x", "unsafe-id"),
        ("V00_S1047_I00000634_P0092\\x", "unsafe-id"),
        ("C:V00_S1047_I00000634_P0092", "unsafe-id"),
        ("..", "unsafe-id"),
        ("~root", "unsafe-id"),
        ("V00_S1047\0_I00000634_P0092", "unsafe-id"),
    ],
)
def test_a_bad_id_is_told_from_a_dangerous_one(text: str, code: str) -> None:
    findings = Findings()
    assert parse_id(text, findings, file="t.csv", row=7, column="a_id") is None
    assert codes(findings) == {code: 1}
    (finding,) = findings
    assert (finding.file, finding.row, finding.column, finding.found) == ("t.csv", 7, "a_id", text)
