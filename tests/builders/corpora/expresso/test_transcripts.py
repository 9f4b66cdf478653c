"""Transcripts of Expresso: marks found, rows that agree merged, rows that do not believed by nobody."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.builders.corpora.checks import codes_of

from earmark.builders.corpora.expresso.transcripts import Transcripts, marked, read_transcripts
from earmark.manifests.findings import Findings
from earmark.manifests.text import normalise_text

STEMS = tuple(f"ex01_default_{number:05d}" for number in range(1, 5))
words = st.sampled_from(("She", "said", "*said*", "*right now*", "it’s", "*It's!*", "<laugh>", "no,", "*"))


def read(root: Path, *lines: str) -> tuple[Transcripts, dict[str, int]]:
    (root / "read_transcriptions.txt").write_text("".join(f"{line}\n" for line in lines), "utf-8")
    findings = Findings()
    found = read_transcripts(root, findings)
    assert found is not None
    return found, codes_of(findings, "expresso")


@given(st.lists(words, min_size=1, max_size=8).map(" ".join))
def test_marks_are_what_a_regular_expression_finds(text: str) -> None:
    inner = [normalise_text(found) for found in re.findall(r"\*([^*]*)\*", text)]
    if text.count("*") % 2 or not all(inner):
        with pytest.raises(ValueError, match="asterisks"):
            marked(text)
    else:
        assert marked(text) == inner
        # All of it is in the text, and nothing is counted as a mark that is not one.
        assert all(phrase in normalise_text(text) for phrase in marked(text))
        assert marked(text.replace("*", "")) == []


@settings(max_examples=40)
@given(
    st.lists(st.tuples(st.sampled_from(STEMS), st.sampled_from(("One.", "*Two*.", "Three *now."))), max_size=7),
    st.randoms(use_true_random=False),
)
def test_order_changes_nothing_and_disagreement_leaves_no_text(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, str]], random: object
) -> None:
    root = tmp_path_factory.getbasetemp()
    shuffled = list(rows)
    random.shuffle(shuffled)  # type: ignore[attr-defined]  # it is a Random
    found, codes = read(root, *(f"{stem}\t{text}" for stem, text in rows))
    again, same_codes = read(root, *(f"{stem}\t{text}" for stem, text in shuffled))
    assert found == again
    assert list(found.texts) == sorted(found.texts)
    assert codes == same_codes
    said = {stem: [text for other, text in rows if other == stem] for stem, _ in rows}
    assert found.texts == {
        stem: texts[0] if len(set(texts)) == 1 and texts[0] != "Three *now." else None for stem, texts in said.items()
    }
    conflicting = sum(len(set(texts)) for texts in said.values() if len(set(texts)) > 1)
    repeated = sum(len(texts) - len(set(texts)) for texts in said.values())
    assert codes.get("conflicting-transcript", 0) == conflicting
    assert codes.get("repeated-transcript", 0) == repeated


def test_the_hash_is_of_what_is_said(tmp_path: Path) -> None:
    one = read(tmp_path, f"{STEMS[0]}\tOne.", f"{STEMS[1]}\tTwo.")[0].hash
    assert read(tmp_path, "# note", f"{STEMS[1]}\tTwo.", f"{STEMS[0]}\tOne.")[0].hash == one
    assert read(tmp_path, f"{STEMS[1]}\tOne.", f"{STEMS[0]}\tTwo.")[0].hash != one


@pytest.mark.parametrize(
    "line",
    [
        STEMS[0],
        f"{STEMS[0]}\t",
        f"{STEMS[0]}\t ",
        f"{STEMS[0]} One.",
        f"{STEMS[0]}\tOne.\tTwo.",
        "ex01-ex02_default_008\tOne.",
        "id\ttext",
    ],
)
def test_lines_that_say_nothing(tmp_path: Path, line: str) -> None:
    found, codes = read(tmp_path, line, f"{STEMS[1]}\tTwo.")
    assert found.texts == {STEMS[1]: "Two."}
    assert codes == {"bad-transcript-line": 1}


@pytest.mark.parametrize("text", ["She *said", "*", "She ** said", "She * * said", "*<laugh>*", "**said**"])
def test_marks_that_do_not_pair_up(tmp_path: Path, text: str) -> None:
    found, codes = read(tmp_path, f"{STEMS[0]}\t{text}")
    assert found.texts == {STEMS[0]: None}
    assert codes["bad-mark"] == 1


def test_sounds_are_no_words(tmp_path: Path) -> None:
    found, codes = read(tmp_path, f"{STEMS[0]}\t<laugh> *Two* <breath> now.")
    assert codes == {"tag": 1}
    assert found.texts[STEMS[0]] == "<laugh> *Two* <breath> now."


def test_no_file(tmp_path: Path) -> None:
    findings = Findings()
    assert read_transcripts(tmp_path, findings) is None
    assert findings.counts == {"expresso.unreadable-file": 1}


def test_real_rows(shared_data: Path, tmp_path: Path) -> None:
    rows = (shared_data / "expresso" / "read_transcriptions.2rows.txt").read_text("utf-8").splitlines()
    found, codes = read(tmp_path, *rows)
    assert codes == {}
    assert len(found.texts) == 2
    assert marked(found.texts["ex04_whisper_00204"] or "") == ["don't"]
    assert marked(found.texts["ex01_confused_00001"] or "") == []
