"""The file list: flags are passed over and order decides nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders.corpora.tiny import LIST_COLUMNS, UNTIMED, A, B, C, codes, write_csv

from earmark.builders.corpora.seamless.filelist import Listed, Place, read_filelist
from earmark.builders.corpora.seamless.ids import FileId
from earmark.manifests.findings import Findings

ROWS = [[A, "improvised", "dev", "0", "32", "1"], [B, "improvised", "dev", "0", "0", "0"]]


def read(path: Path) -> tuple[tuple[Listed, ...], Findings]:
    findings = Findings()
    return read_filelist(path, findings), findings


def test_further_flags_are_passed_over(tmp_path: Path) -> None:
    path = write_csv(tmp_path / "f.csv", LIST_COLUMNS, ROWS)
    listed, findings = read(path)
    assert len(findings) == 0
    assert listed == read(write_csv(tmp_path / "g.csv", LIST_COLUMNS[:5], [row[:5] for row in ROWS]))[0]
    assert listed[0] == (FileId.parse(A), Place("improvised", "dev", 0, 32))
    assert listed[0].place.folder == "improvised/dev/0000/0032"


@UNTIMED
@given(
    order=st.permutations(
        [*ROWS, ROWS[0], [A, "improvised", "dev", "0", "9", "1"], [A, "improvised", "dev", "0", "10", "1"]]
    )
)
def test_the_first_place_in_order_holds_whatever_the_order(
    tmp_path_factory: pytest.TempPathFactory, order: list[list[str]]
) -> None:
    path = write_csv(tmp_path_factory.mktemp("list") / "f.csv", LIST_COLUMNS, order)
    listed, findings = read(path)
    assert [(str(entry.file_id), entry.place.archive) for entry in listed] == [(A, 9), (B, 0)]
    assert codes(findings) == {"listed-twice": 2, "repeated-row": 1}
    assert not findings.failed


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (["x", "improvised", "dev", "0", "0", "0"], {"bad-id": 1}),
        ([C, "Improvised", "dev", "0", "0", "0"], {"bad-place": 1}),
        ([C, "improvised", "../..", "-1", "1.0", "0"], {"bad-place": 3}),
        ([C, "improvised", "dev", "²", "00000", "0"], {"bad-place": 2}),
    ],
)
def test_bad_rows_are_dropped(tmp_path: Path, row: list[str], expected: dict[str, int]) -> None:
    listed, findings = read(write_csv(tmp_path / "f.csv", LIST_COLUMNS, [*ROWS, row]))
    assert len(listed) == 2
    assert codes(findings) == expected
    assert {finding.row for finding in findings} == {4}


def test_a_list_of_no_use(tmp_path: Path) -> None:
    listed, findings = read(write_csv(tmp_path / "f.csv", LIST_COLUMNS[1:], [ROWS[0][1:]]))
    assert listed == ()
    assert codes(findings) == {"missing-column": 1}


def test_real_rows(shared_data: Path) -> None:
    path = shared_data / "seamless" / "filelist_rows_seen.csv"
    listed, findings = read(path)
    assert codes(findings) == {"windows-line-ends": 1}  # it was saved so; the corpus's own lists are not
    assert len(listed) == len(path.read_bytes().splitlines()) - 1 == 106
    assert (FileId.parse("V00_S0152_I00000135_P0216"), Place("naturalistic", "dev", 0, 25)) in listed
