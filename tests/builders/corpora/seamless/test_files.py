"""Files: found in whatever folder and order they lie, copies told from rivals."""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.builders.corpora.tiny import A, B, C, D, Tiny, codes

from earmark.builders.corpora.seamless.files import Files, find_files
from earmark.builders.corpora.seamless.ids import FileId
from earmark.manifests.findings import Findings

ID = {text: FileId.parse(text) for text in (A, B, C, D)}


@pytest.fixture
def tiny(tmp_path: Path) -> Tiny:
    return Tiny(tmp_path).write()


def copy(tiny: Tiny, file_id: str, folder: str, *suffixes: str) -> None:
    (tiny.root / folder).mkdir(parents=True)
    for suffix in suffixes:
        shutil.copyfile(tiny.path(file_id, suffix), tiny.root / folder / f"{file_id}{suffix}")


def find(tiny: Tiny, **options: object) -> tuple[dict[FileId, Files], Findings]:
    findings = Findings()
    return dict(find_files(tiny.root, findings, **options)), findings  # type: ignore[arg-type]  # by keyword


def test_members_of_a_dyad_lie_in_different_archives(tiny: Tiny) -> None:
    found, findings = find(tiny)
    assert found == {
        ID[text]: Files(f"{tiny.places[text]}/{text}.wav", f"{tiny.places[text]}/{text}.json") for text in ID
    }
    assert list(found) == sorted(found)
    assert len(findings) == 0


def test_what_is_of_no_concern_is_passed_over(tiny: Tiny) -> None:
    before, _ = find(tiny)
    folder = tiny.path(A).parent
    for name in (f"._{A}.wav", f"._{A}.json", f"{A}.npz", f"{A}.mp4", ".DS_Store", "notes.wav", f"{A} copy.json"):
        (folder / name).write_bytes(b"x")
    (folder / f"{B}.wav").mkdir()
    (folder.parent / f"{C}.wav").write_bytes(b"x")
    after, findings = find(tiny)
    assert after == before
    assert len(findings) == 0


def test_no_folder_below_an_archive_is_entered(tiny: Tiny, monkeypatch: pytest.MonkeyPatch) -> None:
    inner = tiny.path(A).parent / "inner"
    inner.mkdir()
    entered: list[Path] = []
    scandir = os.scandir

    def noted(path: Path) -> object:
        entered.append(path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", noted)
    find(tiny)
    assert inner.parent in entered
    assert inner not in entered
    assert len(entered) == len(set(entered))


def test_only_what_is_wanted_is_returned(tiny: Tiny) -> None:
    found, _ = find(tiny, wanted={ID[A], FileId.parse("V09_S0001_I00000634_P0001")})
    assert set(found) == {ID[A]}


def test_a_label_without_a_folder(tiny: Tiny) -> None:
    found, findings = find(tiny, labels=("improvised", "naturalistic"))
    assert len(found) == 4
    assert codes(findings) == {"no-label-folder": 1}
    assert [finding.file for finding in findings] == ["naturalistic"]


def test_equal_copies_stand_for_one_another(tiny: Tiny) -> None:
    copy(tiny, B, "improvised/dev/0000/0003", ".wav", ".json")
    found, findings = find(tiny)
    assert found[ID[B]] == Files(f"improvised/dev/0000/0003/{B}.wav", f"improvised/dev/0000/0003/{B}.json")
    assert codes(findings) == {"repeated-file": 2}
    assert not findings.failed


def grown(path: Path) -> None:
    path.write_bytes(path.read_bytes() + b"\0")


def same_size(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-1] + b"\1")


@pytest.mark.parametrize("change", [grown, same_size])
def test_rivals_are_all_dropped(tiny: Tiny, change: Callable[[Path], None]) -> None:
    copy(tiny, B, "improvised/dev/0000/0003", ".wav")
    change(tiny.path(B))
    found, findings = find(tiny)
    assert found[ID[B]] == Files(None, f"{tiny.places[B]}/{B}.json", ambiguous=True)
    assert codes(findings) == {"duplicate-id": 1}
    (finding,) = findings
    assert finding.id == B
    assert finding.found == f"improvised/dev/0000/0003/{B}.wav, {tiny.places[B]}/{B}.wav"


def test_the_order_of_folders_decides_nothing(tiny: Tiny, monkeypatch: pytest.MonkeyPatch) -> None:
    copy(tiny, B, "improvised/dev/0000/0003", ".wav", ".json")
    copy(tiny, B, "improvised/test/0000/0003", ".wav")
    scandir = os.scandir
    results = []
    for seed in range(8):

        class Shuffled:
            def __init__(self, path: Path, seed: int = seed) -> None:
                with scandir(path) as entries:
                    self.entries = sorted(entries, key=lambda entry: entry.name)
                random.Random(seed).shuffle(self.entries)  # noqa: S311  (an order, no secret)

            def __enter__(self) -> list[os.DirEntry[str]]:
                return self.entries

            def __exit__(self, *error: object) -> None: ...

        monkeypatch.setattr(os, "scandir", Shuffled)
        found, findings = find(tiny)
        results.append((list(found.items()), [finding.text() for finding in findings]))
    assert all(result == results[0] for result in results)
    assert results[0][0][1][1].audio == f"improvised/dev/0000/0003/{B}.wav"


def test_a_folder_that_cannot_be_listed_is_told(tiny: Tiny, monkeypatch: pytest.MonkeyPatch) -> None:
    scandir = os.scandir

    def guarded(path: Path) -> object:
        if path.name == "0040":
            raise PermissionError(13, "Permission denied")
        return scandir(path)

    monkeypatch.setattr(os, "scandir", guarded)
    found, findings = find(tiny)
    assert set(found) == {ID[A], ID[C], ID[D]}
    assert [(f.code.name, f.file, f.found) for f in findings] == [
        ("corpus.unreadable-folder", "improvised/dev/0000/0040", "Permission denied")
    ]


def test_a_copy_that_cannot_be_read_is_no_copy(tiny: Tiny, monkeypatch: pytest.MonkeyPatch) -> None:
    copy(tiny, B, "improvised/dev/0000/0003", ".wav")
    opened = Path.open

    def guarded(self: Path, *args: object, **options: object) -> object:
        if self.parent.name == "0040":
            raise PermissionError(13, "Permission denied")
        return opened(self, *args, **options)  # type: ignore[call-overload]  # handed through

    monkeypatch.setattr(Path, "open", guarded)
    found, findings = find(tiny)
    assert found[ID[B]].ambiguous
    assert codes(findings) == {"duplicate-id": 1}
