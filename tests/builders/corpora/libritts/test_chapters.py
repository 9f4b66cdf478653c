"""A chapter's tables: words of what was kept, and word of what was not."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.builders.corpora.checks import codes_of

from earmark.builders.corpora.libritts.chapters import Chapter, parse_book_line, parse_trans_line, read_chapter
from earmark.builders.corpora.libritts.ids import UtteranceId, ids_in
from earmark.builders.corpora.libritts.lines import read_lines
from earmark.manifests.findings import Findings

SESSION = "61_70968"
ids = st.builds(UtteranceId, *(st.from_regex(rf"[0-9]{{{n}}}", fullmatch=True) for n in ("1,5", "1,6", "6", "6")))
texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\t\n\r"), max_size=12).map(str.strip)


def id_of(sentence: int) -> str:
    return f"{SESSION}_000000_{sentence:06d}"


def read(root: Path, trans: str | None, book: str | None = None) -> tuple[Chapter, dict[str, int]]:
    for name, text in (("trans", trans), ("book", book)):
        if text is not None:
            (root / f"{SESSION}.{name}.tsv").write_bytes(text.encode())
    findings = Findings()
    return read_chapter(root, ".", SESSION, findings), codes_of(findings, "libritts")


@settings(max_examples=50)
@given(id=ids, original=texts, normalized=texts, kept=st.booleans())
def test_lines_are_read_as_they_stand(id: UtteranceId, original: str, normalized: str, kept: bool) -> None:
    assert parse_trans_line(f"{id}\t{original}\t{normalized}") == (id, original, normalized)
    flag = "true" if kept else "false"
    assert parse_book_line(f"{id}\t{original}\t{normalized}\t{flag}\t1.95\t4.18\t24.15") == (id, kept)
    assert ids_in(f"see {id}.wav, and {id}") == {str(id)}


@pytest.mark.parametrize(
    "text", ["61_70968_000000", "61_70968_00000_000000", "61-70968_000000_000000", "a_1_000000_000000", ""]
)
def test_what_is_no_id(text: str) -> None:
    with pytest.raises(ValueError, match="no id"):
        UtteranceId.parse(text)
    assert ids_in(text) == frozenset()


def test_quotation_marks_are_part_of_the_words(tmp_path: Path) -> None:
    said = '"Is it," he asked, "a\'tis or a\'twas?'
    found, codes = read(tmp_path, f"{id_of(0)}\t{said}\t{said}\r\n{id_of(1)}\tx\ty\r\n")
    assert found == Chapter({id_of(0): said, id_of(1): "y"}, frozenset(), True)
    assert codes == {"corpus.windows-line-ends": 1}


def test_what_was_left_out_is_known(tmp_path: Path) -> None:
    book = f"{id_of(0)}\ta\ta\ttrue\t1\t2\t3\n{id_of(1)}\ta\ta\tfalse\t1\t2\t3\n{id_of(2)}\ta\ta\tTRUE\n"
    book += f"{id_of(3)}\ta\ta\n"
    found, codes = read(tmp_path, f"{id_of(0)}\ta\ta\n", book)
    assert found.excluded == {id_of(1)}
    assert codes == {"bad-line": 2}


def test_bad_lines_cost_themselves_alone(tmp_path: Path) -> None:
    lines = [f"{id_of(0)}\ta\ta", f"{id_of(1)}\ta", "61_1_000000_000000\ta\ta", "x\ta\ta", f"{id_of(2)}\ta\tb\tc"]
    found, codes = read(tmp_path, "\n".join(lines))
    assert list(found.texts) == [id_of(0)]
    assert codes == {"bad-line": 4}


@pytest.mark.parametrize("order", [1, -1])
def test_an_utterance_with_two_texts_has_neither(tmp_path: Path, order: int) -> None:
    lines = [f"{id_of(0)}\ta\ta", f"{id_of(1)}\tb\tb", f"{id_of(1)}\tb\tb", f"{id_of(0)}\ta\tc"][::order]
    found, codes = read(tmp_path, "\n".join(lines))
    assert found.texts == {id_of(1): "b"}
    assert codes == {"lines-disagree": 1, "repeated-line": 1}


def test_a_table_that_is_a_folder(tmp_path: Path) -> None:
    (tmp_path / f"{SESSION}.trans.tsv").mkdir()
    assert read(tmp_path, None) == (Chapter({}, frozenset(), False), {"no-trans": 1})
    assert read_lines(tmp_path, f"{SESSION}.trans.tsv", Findings()) is None


def test_no_table_at_all(tmp_path: Path) -> None:
    assert read(tmp_path, None) == (Chapter({}, frozenset(), False), {"no-trans": 1})
