"""What was found out of files is kept whole, and a store that cannot be used is said once and stops nothing."""

from __future__ import annotations

from pathlib import Path

from earmark.builders.dialogues.voicing.file_cache import FILE, FileCache
from earmark.builders.measuring import CACHE
from earmark.manifests.findings import Findings


def test_what_was_kept_is_there_for_the_next_and_of_its_kind_only(tmp_path: Path) -> None:
    findings = Findings(strict=True)
    FileCache(tmp_path / "new", findings).keep("words", {"a": b"1", "b": b"2"})
    kept = FileCache(tmp_path / "new", findings)
    kept.keep("words", {"b": b"3"})
    assert (kept.of("words"), kept.of("sound")) == ({"a": b"1", "b": b"3"}, {})


def test_a_broken_store_is_said_once_and_stops_nothing(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"this is no database, and it is longer than a header of one" * 20)
    findings = Findings()
    kept = FileCache(tmp_path, findings)
    kept.keep("words", {"a": b"1"})
    assert kept.of("words") == {}
    assert findings.counts == {CACHE.name: 1}
    assert not findings.failed


def test_a_folder_that_is_a_file_stops_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    findings = Findings()
    assert FileCache(tmp_path / "file", findings).of("words") == {}
    assert findings.counts == {CACHE.name: 1}
