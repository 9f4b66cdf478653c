"""Hidden answers and their copy: wherever a kill comes, the same command once more makes both whole; nothing else is taken."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.support.miniature import files_of
from tests.support.publishable import publishable

from earmark.builders.publishing.looking_over import Wanted
from earmark.builders.publishing.publish import publish
from earmark.manifests.errors import DestinationExists
from earmark.manifests.findings import Findings
from earmark.manifests.release import Release

STEPS = ("replace", "rename", "unlink", "remove", "rmdir")
"""What changes names; where a process is killed only counts in relation to these."""

WORKING = ("journal.jsonl", "pid", "lock")
"""What is taken away, in this order, before a copy gets its name."""


def wanted(folder: Path) -> Wanted:
    return Wanted(to=folder / "copy", answers_to=folder / "answers", shard_bytes=4000, baselines=None)


def quiet(_what: str, _done: int, _total: int) -> None:
    """Tell nobody."""


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Release:
    """Read it, never change it."""
    return publishable(tmp_path_factory.mktemp("answers") / "release")


@pytest.fixture(scope="module")
def moments(release: Release, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """What lies there before each step of a publication, and last what is there at its end: what a kill would leave."""
    base = tmp_path_factory.mktemp("moments")
    work, kept = base / "work", []
    work.mkdir()

    def seen(step: Callable[..., object]) -> Callable[..., object]:
        def taken(path: object, *others: object, **options: object) -> object:
            if options.get("dir_fd") is None and str(path).startswith(str(work)):
                kept.append(base / f"{len(kept):03d}")
                shutil.copytree(work, kept[-1])
            return step(path, *others, **options)

        return taken

    with pytest.MonkeyPatch.context() as patch:
        for name in STEPS:
            patch.setattr(os, name, seen(getattr(os, name)))
        publish(release, wanted(work), Findings(), quiet)
    return [*kept, work]


def check_going_on(release: Release, left: Path, whole: Path, work: Path) -> None:
    """Go on where a kill came."""
    shutil.copytree(left, work)
    publish(release, wanted(work), Findings(), quiet)
    assert files_of(work) == files_of(whole)
    assert sorted(path.name for path in work.iterdir()) == ["answers", "copy"]
    shutil.rmtree(work)


@pytest.mark.parametrize("gone", [(), WORKING[:1], WORKING])
def test_a_kill_when_the_answers_have_their_name_and_the_copy_has_not(
    release: Release, moments: list[Path], tmp_path: Path, gone: tuple[str, ...]
) -> None:
    expected = {*WORKING} - {*gone}
    *_, left = [
        moment
        for moment in moments[:-1]
        if (moment / "answers").exists()
        and {name for name in WORKING if (moment / "copy.partial" / name).exists()} == expected
    ]
    check_going_on(release, left, moments[-1], tmp_path / "work")


@pytest.mark.slow
def test_a_kill_at_any_step(release: Release, moments: list[Path], tmp_path: Path) -> None:
    assert len(moments) > len(WORKING) + 6
    for left in moments[:-1]:
        check_going_on(release, left, moments[-1], tmp_path / "work")


@pytest.mark.parametrize("strange", ["changed", "more", "link", "empty", "of another release"])
def test_other_answers_are_not_taken_and_not_touched(
    release: Release, moments: list[Path], tmp_path: Path, strange: str
) -> None:
    answers = tmp_path / "answers"
    shutil.copytree(moments[-1] / "answers", answers)
    match strange:
        case "changed":
            (answers / "README.md").write_text("mine", encoding="utf-8")
        case "more":
            (answers / "notes.txt").write_text("mine", encoding="utf-8")
        case "link":
            answers.rename(tmp_path / "elsewhere")
            answers.symlink_to(tmp_path / "elsewhere")
        case "empty":
            shutil.rmtree(answers)
            answers.mkdir()
        case "of another release":
            said = (answers / "private" / "shipped.json").read_text(encoding="utf-8")
            (answers / "private" / "shipped.json").write_text(said.replace("@1.0.0", "@0.9.0"), encoding="utf-8")
    before = files_of(answers)
    with pytest.raises(DestinationExists, match="choose another folder"):
        publish(release, wanted(tmp_path), Findings(), quiet)
    assert files_of(answers) == before
    assert not (tmp_path / "copy").exists()


def test_what_is_no_copy_of_this_release_is_somebody_else_s(
    release: Release, moments: list[Path], tmp_path: Path
) -> None:
    partial = tmp_path / "copy.partial"
    shutil.copytree(moments[-1] / "copy", partial)
    (partial / "notes.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(DestinationExists, match="something else"):
        publish(release, wanted(tmp_path), Findings(), quiet)
    (partial / "notes.txt").unlink()
    manifest = partial / "release.json"
    manifest.write_text(manifest.read_text(encoding="utf-8").replace("blake2b-256:", "blake2b-256:0"), encoding="utf-8")
    with pytest.raises(DestinationExists, match="something else"):
        publish(release, wanted(tmp_path), Findings(), quiet)
    assert (partial / "README.md").is_file()
    assert not (tmp_path / "answers").exists()


def test_a_run_that_fails_leaves_the_answers_that_it_found(
    release: Release, moments: list[Path], tmp_path: Path
) -> None:
    shutil.copytree(moments[-1] / "answers", tmp_path / "answers")

    def stop(what: str, _done: int, _total: int) -> None:
        if what == "looking for leaks":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        publish(release, wanted(tmp_path), Findings(), stop)
    assert files_of(tmp_path / "answers") == files_of(moments[-1] / "answers")
    assert not (tmp_path / "copy").exists()
