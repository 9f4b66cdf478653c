"""What is written whole: all of it in its place, or nothing anywhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from earmark.manifests.scratch import scratch_beside


@pytest.mark.parametrize("left_before", [False, True])
@pytest.mark.parametrize("is_folder", [False, True])
def test_it_stands_in_its_place_only_when_it_is_whole(tmp_path: Path, is_folder: bool, left_before: bool) -> None:
    out = tmp_path / "new" / "deep" / "out"
    if left_before:  # by a run that was killed
        (out.parent / ".out.scratch" / "out").mkdir(parents=True)
    with scratch_beside(out) as scratch:
        assert not scratch.exists()
        if is_folder:
            scratch.mkdir()
        (scratch / "file" if is_folder else scratch).write_text("whole", encoding="utf-8")
        assert not out.exists()
    assert (out / "file" if is_folder else out).read_text(encoding="utf-8") == "whole"
    assert [path.name for path in out.parent.iterdir()] == ["out"]


def _half(out: Path) -> None:
    with scratch_beside(out) as scratch:
        scratch.write_text("half", encoding="utf-8")
        raise KeyboardInterrupt


def test_an_error_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        _half(tmp_path / "out")
    assert list(tmp_path.iterdir()) == []
