"""The folder that is kept from run to run, and the key in it."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from earmark.builders.work_folder import held, kept_key
from earmark.manifests.errors import Busy, EarmarkError
from earmark.manifests.keys import read_key


def test_a_key_is_drawn_once(tmp_path: Path) -> None:
    folder, out = tmp_path / "deep" / "work", tmp_path / "out"
    file = kept_key(folder, out)
    assert file is not None
    key = read_key(file)
    assert kept_key(folder, out) == file
    assert read_key(file) == key
    assert read_key(kept_key(tmp_path / "other", out) or Path()) != key
    assert [path.name for path in folder.iterdir()] == ["key"]
    if os.name == "posix":
        assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_build_that_waits_has_a_key_of_its_own(tmp_path: Path) -> None:
    private = tmp_path / "out.partial" / "private"
    private.mkdir(parents=True)
    (private / "key").write_bytes(bytes(32))
    assert kept_key(tmp_path / "work", tmp_path / "out") is None
    assert not (tmp_path / "work").exists()


def test_a_folder_that_cannot_be_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(EarmarkError, match="cannot write"):
        kept_key(tmp_path / "file" / "work", tmp_path / "out")
    with pytest.raises(EarmarkError, match="cannot write"), held(tmp_path / "file" / "work"):
        pass


def test_one_build_at_a_time_works_in_a_folder(tmp_path: Path) -> None:
    folder = tmp_path / "deep" / "work"
    with held(folder):
        with pytest.raises(Busy, match="another process works in"), held(folder):
            pass
        (folder / "clip.wav").write_bytes(b"")
        with held(tmp_path / "other"), held(None):
            pass
    with held(folder):
        assert (folder / "clip.wav").is_file()


def test_nothing_is_left_of_a_folder_that_nothing_was_put_into(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), held(tmp_path / "work"):
        raise ZeroDivisionError
    assert list(tmp_path.iterdir()) == []
