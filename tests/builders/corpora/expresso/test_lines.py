"""Lines: what cannot be read costs its own line, and where a line stands is what an editor says."""

from __future__ import annotations

import filecmp
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from earmark.builders.corpora import text_lines as module
from earmark.builders.corpora.expresso.lines import either_spelling, read_lines
from earmark.builders.corpora.text_lines import Line
from earmark.manifests.findings import Findings


def read(root: Path, data: bytes) -> tuple[tuple[Line, ...] | None, Findings]:
    (root / "a.txt").write_bytes(data)
    findings = Findings()
    return read_lines(root, "a.txt", findings), findings


@settings(max_examples=50)
@given(st.lists(st.binary(max_size=12).filter(lambda raw: not {10, 13} & set(raw)), max_size=8))
def test_each_line_stands_alone(tmp_path_factory: pytest.TempPathFactory, raws: list[bytes]) -> None:
    found, findings = read(tmp_path_factory.getbasetemp(), b"first\n" + b"\n".join(raws))
    assert found is not None
    good, bad = [Line(1, "first")], 0
    for row, raw in enumerate(raws, start=2):
        try:
            text = raw.decode()
        except UnicodeDecodeError:
            bad += 1
            continue
        if text.strip() and text[0] != "#":
            good.append(Line(row, text))
    assert list(found) == good
    assert findings.counts == ({"expresso.bad-encoding": bad} if bad else {})


def test_windows_and_marks_at_the_top(tmp_path: Path) -> None:
    found, findings = read(tmp_path, b"\xef\xbb\xbfone\r\ntwo\r\n")
    assert found == (Line(1, "one"), Line(2, "two"))
    assert findings.counts == {"corpus.byte-order-mark": 1, "corpus.windows-line-ends": 1}
    assert not findings.failed


def test_no_file_and_too_large_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    findings = Findings()
    assert read_lines(tmp_path, "absent.txt", findings) is None
    assert findings.counts == {"expresso.unreadable-file": 1}
    monkeypatch.setattr(module, "MOST_BYTES", 5)
    assert read(tmp_path, b"12345")[0] == (Line(1, "12345"),)
    found, findings = read(tmp_path, b"123456")
    assert found is None
    assert findings.counts == {"expresso.unreadable-file": 1}


def test_a_second_spelling_that_cannot_be_compared_counts_as_another_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_bytes(b"the same")
    findings = Findings()
    assert either_spelling(tmp_path, ("a.txt", "b.txt"), findings) == "a.txt"
    assert len(findings) == 0

    def unreadable(*_: object, **__: object) -> bool:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(filecmp, "cmp", unreadable)
    assert either_spelling(tmp_path, ("a.txt", "b.txt"), findings) == "a.txt"
    assert findings.counts == {"expresso.two-spellings": 1}
