"""`earmark verify`: what is said of a copy, and what a run owes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.conftest import Earmark
from tests.support.copies import as_published, write_heard_release

from earmark.cli.console import COULD_NOT_RUN, FINE, FOUND, INTERRUPTED
from earmark.manifests.copies import file_digests
from earmark.manifests.copies.checksums import write_checksums


def test_a_copy_as_it_was_published(earmark: Earmark, tmp_path: Path) -> None:
    release = as_published(write_heard_release(tmp_path / "copy"))
    said = earmark("verify", release.path)
    assert (said.code, said.err) == (FINE, "")
    first, second, third = said.out.splitlines()
    assert first.startswith("tiny 1.0.0: ")
    assert first.endswith("checked against its list of hashes")
    assert second == f"content hash {release.manifest.content_hash}"
    assert third == f"{release.path}: no findings"
    assert earmark("verify", release.path, "--quiet") == (FINE, "", "")
    words = ("--expect", release.manifest.content_hash, "--jobs", 1, "--media", "--json")
    value = json.loads(earmark("verify", release.path, *words).out)
    assert value["summary"] == {"error": 0, "warning": 0, "note": 0}
    assert (value["release"], value["content_hash"]) == ("tiny@1.0.0", release.manifest.content_hash)
    assert value["listed"] is True
    assert value["files"] == sum(path.is_file() for path in release.path.rglob("*")) - 1


def test_a_tampered_copy(earmark: Earmark, tmp_path: Path) -> None:
    release = as_published(write_heard_release(tmp_path / "copy"))
    (release.path / "README.md").write_text("other", encoding="utf-8")
    said = earmark("verify", release.path, "--quiet")
    assert (said.code, said.out) == (FOUND, "")
    assert "verify.changed" in said.err
    assert "README.md" in said.err
    other = earmark("verify", release.path, "--expect", 64 * "0", "--json")
    assert (other.code, other.err) == (FOUND, "")
    assert json.loads(other.out)["counts"] == {"verify.changed": 1, "verify.expected": 1}


def test_a_release_without_a_list(earmark: Earmark, tmp_path: Path) -> None:
    release = write_heard_release(tmp_path / "copy")
    assert "checked against its manifest; it has no list of hashes" in earmark("verify", release.path).out


@pytest.mark.parametrize(
    ("said", "named"),
    [
        (
            {"canary": "c", "release": "mini@1.0.0\x1b[2J", "content_hash": "h", "tables": {}},
            "answers of mini 1.0.0\\x1b[2J",
        ),
        ({"release": 7}, "a private side that was published by itself"),
        (None, "a private side that was published by itself"),
    ],
)
def test_a_private_side_by_itself_is_called_what_it_is(
    earmark: Earmark, tmp_path: Path, said: object, named: str
) -> None:
    (tmp_path / "private").mkdir()
    (tmp_path / "private" / "answers.parquet").write_bytes(b"answers")
    if said is not None:
        (tmp_path / "private" / "shipped.json").write_text(json.dumps(said), encoding="utf-8")
    write_checksums(tmp_path, "5b1c9d60-0000-4000-8000-000000000000")
    files = 1 if said is None else 2
    told = earmark("verify", tmp_path)
    assert told.code == FINE
    assert told.out.startswith(f"{named}: {files} files, ")
    value = json.loads(earmark("verify", tmp_path, "--json").out)
    assert value["release"] is None
    assert value["answers_of"] == (said["release"] if isinstance(said, dict) and "canary" in said else None)


def test_what_is_no_copy(earmark: Earmark, tmp_path: Path) -> None:
    said = earmark("verify", tmp_path)
    assert said.code == COULD_NOT_RUN
    assert said.err.startswith("earmark: ")
    assert "Traceback" not in said.err
    write_heard_release(tmp_path / "copy")
    assert earmark("verify", tmp_path / "copy", "--expect", "12").code == COULD_NOT_RUN


def test_an_interrupt_ends_it(earmark: Earmark, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    release = as_published(write_heard_release(tmp_path / "copy"))

    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(file_digests, "wait", interrupted)
    said = earmark("verify", release.path)
    assert (said.code, said.out, said.err) == (INTERRUPTED, "", "earmark: interrupted\n")
