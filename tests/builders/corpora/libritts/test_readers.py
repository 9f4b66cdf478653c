"""The tables of readers: names with pipes in them, padding lost, and a header that has a field too few."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.builders.corpora.checks import codes_of

from earmark.builders.corpora.libritts.readers import Reader, Readers, parse_speakers_line, parse_tsv_line, read_readers
from earmark.manifests.findings import Findings

# What the columns of the real tables hold; a name may be anything that stands on one line without spaces around it.
names = st.text(st.characters(exclude_categories=["C", "Z"]), max_size=8) | st.text("|CBW", max_size=6)
readers = st.builds(
    Reader,
    st.integers(1, 10_000).map(str),
    st.sampled_from(["female", "male"]),
    st.sampled_from(["test-clean", "train-other-500"]),
    names.map(lambda name: name or None),
)
LETTER = {"female": "F", "male": "M"}


def read(root: Path) -> tuple[Readers, dict[str, int]]:
    findings = Findings()
    return read_readers(root, findings), codes_of(findings, "libritts")


@settings(max_examples=50)
@given(reader=readers, pad=st.booleans())
def test_a_line_is_read_whatever_the_name_and_the_padding(reader: Reader, pad: bool) -> None:
    between = " | " if pad else "|"
    fields = [reader.id.ljust(5 * pad), LETTER[str(reader.sex)], reader.subset, "25.03", reader.name or ""]
    assert parse_speakers_line(between.join(fields)) == reader
    row = [reader.id, LETTER[str(reader.sex)], reader.subset, *((reader.name,) if reader.name else ())]
    assert parse_tsv_line("\t".join(row)) == reader


@pytest.mark.parametrize("line", ["; comment", ";ID  |SEX| SUBSET", "  ; 14 | F | test-clean | 1 | x"])
def test_comments_are_no_readers(line: str) -> None:
    assert parse_speakers_line(line) is None


@pytest.mark.parametrize(
    "line", ["14 | F | test-clean", "x | F | test-clean | 1 | n", "٣ | F | a | 1 | n", "14|f|a|1|n", "14|||1|"]
)
def test_what_describes_no_reader(line: str) -> None:
    with pytest.raises(ValueError, match=r"fields|id|sex"):
        parse_speakers_line(line)


@pytest.mark.parametrize("line", ["14\tF", "14", "F\t14\ttest-clean\tname", "14 F test-clean name"])
def test_what_describes_no_reader_in_the_other_table(line: str) -> None:
    with pytest.raises(ValueError, match=r"fields|id|sex"):
        parse_tsv_line(line)


def test_every_bad_line_costs_itself_alone(tmp_path: Path) -> None:
    lines = ["\ufeff; comment", "14 | F | test-clean | 1 | A", "15 | X | test-clean | 1 | B", "no", "", "16|M|a|1|C"]
    (tmp_path / "SPEAKERS.txt").write_bytes("\r\n".join(lines).encode() + b"\r\n17 | M | a | 1 | \xff\r\n")
    found, codes = read(tmp_path)
    assert {id: reader.sex for id, reader in found.by_id.items()} == {"14": "female", "16": "male"}
    assert codes == {
        "bad-speaker": 2,
        "bad-encoding": 1,
        "corpus.byte-order-mark": 1,
        "corpus.windows-line-ends": 1,
    }


def test_the_other_table_serves_where_the_first_is_absent(tmp_path: Path) -> None:
    assert read(tmp_path) == (Readers({}, {}), {"no-speakers": 1})
    (tmp_path / "speakers.tsv").write_text("READER\tGENDER\tSUBSET NAME\n14\tF\ttest-clean\tA\n15\tM\ttest-clean\n")
    found, codes = read(tmp_path)
    assert {id: (reader.sex, reader.name) for id, reader in found.by_id.items()} == {
        "14": ("female", "A"),
        "15": ("male", None),
    }
    assert codes == {"no-speakers-txt": 1}
    (tmp_path / "SPEAKERS.txt").write_text("14 | F | test-clean | 1.0 | B\n")
    found, codes = read(tmp_path)
    assert [reader.name for reader in found.by_id.values()] == ["B"]
    assert codes == {}


def test_a_reader_of_two_sexes_has_none(tmp_path: Path) -> None:
    lines = ["14|F|a|1|A", "15|F|a|1|B", "14|M|a|1|A", "15|F|b|1|B"]
    (tmp_path / "SPEAKERS.txt").write_text("\n".join(lines))
    found, codes = read(tmp_path)
    assert {id: reader.sex for id, reader in found.by_id.items()} == {"14": None, "15": "female"}
    assert codes == {"reader-disagrees": 1, "repeated-reader": 1}
    random.Random(3).shuffle(lines)  # noqa: S311
    (tmp_path / "SPEAKERS.txt").write_text("\n".join(lines))
    assert read(tmp_path)[0].metadata == found.metadata
