"""WAV files of speech corpora: found wherever they lie, and every way of being wrong told from the others."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.builders.corpora.checks import codes_of
from tests.builders.corpora.tiny import write_wav

from earmark.builders.corpora.wav_files import declare_wav_codes, find_wavs, read_checked_header
from earmark.manifests.findings import Findings, Severity, declared_codes

CODES = declare_wav_codes("toy")


def find(root: Path, folder: str = "audio", depth: int = 2) -> tuple[dict[str, list[str]], dict[str, int]]:
    findings = Findings()
    return find_wavs(root, folder, depth, CODES, findings), codes_of(findings, "toy")


def test_every_corpus_has_codes_of_its_own() -> None:
    names = {code.name for code in declared_codes()}
    assert {code.name for code in CODES} <= names
    assert len({code.name for code in CODES}) == len(CODES) == 8
    assert all(code.name.startswith("toy.") for code in CODES)


def test_files_are_found_by_stem_in_any_order_of_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for path in ("b/x/2.wav", "a/1.wav", "b/1.wav", "0.wav", "a/x/deep/9.wav", "a/1.txt", "b/3.WAV"):
        write_wav(tmp_path / "audio" / path, 1)
    (tmp_path / "audio" / "4.wav").mkdir()
    expected = {
        "0": ["audio/0.wav"],
        "1": ["audio/a/1.wav", "audio/b/1.wav"],
        "2": ["audio/b/x/2.wav"],
    }
    assert find(tmp_path) == (expected, {})
    assert find(tmp_path, depth=3)[0] == expected | {"9": ["audio/a/x/deep/9.wav"]}
    assert list(find(tmp_path)[0]) == sorted(expected)
    real = os.scandir

    class Backwards:
        def __init__(self, path: str) -> None:
            with real(path) as entries:
                self.entries = sorted(entries, key=lambda entry: entry.name, reverse=True)

        def __enter__(self) -> list[os.DirEntry[str]]:
            return self.entries

        def __exit__(self, *_: object) -> None:
            pass

    monkeypatch.setattr(os, "scandir", Backwards)
    assert find(tmp_path) == (expected, {})


def test_companions_and_absent_folders_hold_nothing(tmp_path: Path) -> None:
    write_wav(tmp_path / "audio" / "a.wav")
    (tmp_path / "audio" / "._a.wav").write_bytes(b"Mac OS X")
    assert find(tmp_path) == ({"a": ["audio/a.wav"]}, {"companion-file": 1})
    assert find(tmp_path, "video") == ({}, {})


def test_a_link_to_itself_hides_none_of_its_neighbours(tmp_path: Path) -> None:
    for name in ("a", "b", "d", "e"):
        write_wav(tmp_path / "audio" / f"{name}.wav", 1)
    (tmp_path / "audio" / "c.wav").symlink_to("c.wav")
    found, codes = find(tmp_path)
    assert list(found) == ["a", "b", "d", "e"]
    assert codes == {"unreadable-audio": 1}


def test_a_folder_that_cannot_be_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_wav(tmp_path / "audio" / "a.wav")
    (tmp_path / "audio" / "shut").mkdir()
    real = os.scandir

    def scandir(path: Path) -> object:
        if Path(path).name == "shut":
            raise PermissionError(13, "Permission denied")
        return real(path)

    monkeypatch.setattr(os, "scandir", scandir)
    assert find(tmp_path) == ({"a": ["audio/a.wav"]}, {"unreadable-folder": 1})


@pytest.mark.parametrize(
    ("channels", "rate", "frames", "cut", "code", "kept"),
    [
        (1, 48_000, 100, 0, None, True),
        (2, 48_000, 100, 0, "channels", False),
        (1, 16_000, 100, 0, "rate", True),
        (1, 48_000, 0, 0, "empty-audio", False),
        (1, 48_000, 100, 7, "truncated", False),
        (1, 48_000, 100, 210, "unreadable-audio", False),
    ],
)
def test_each_way_of_being_wrong(
    tmp_path: Path, channels: int, rate: int, frames: int, cut: int, code: str | None, kept: bool
) -> None:
    path = write_wav(tmp_path / "a.wav", frames, rate=rate, channels=channels)
    if cut:
        path.write_bytes(path.read_bytes()[:-cut])
    findings = Findings()
    header = read_checked_header(tmp_path, "a.wav", CODES, findings, id="a", channels=1, rate=48_000)
    assert codes_of(findings, "toy") == ({code: 1} if code else {})
    assert (header is not None) is kept
    assert findings.failed is not kept
    if header is not None:
        assert (header.rate, header.frames) == (rate, frames)


def test_floats_and_absent_files(tmp_path: Path) -> None:
    path = write_wav(tmp_path / "float.wav", 10, width=4)
    data = bytearray(path.read_bytes())
    data[20:22] = (3).to_bytes(2, "little")  # the format tag
    path.write_bytes(data)
    for name, code in (("float.wav", "not-pcm"), ("absent.wav", "unreadable-audio")):
        findings = Findings()
        assert read_checked_header(tmp_path, name, CODES, findings, id="a", channels=1, rate=48_000) is None
        assert codes_of(findings, "toy") == {code: 1}
        assert findings.count(Severity.ERROR) == 1


def test_all_that_is_wrong_with_one_file_is_said(tmp_path: Path) -> None:
    path = write_wav(tmp_path / "a.wav", 100, rate=8000, channels=2)
    path.write_bytes(path.read_bytes()[:-9])
    findings = Findings()
    assert read_checked_header(tmp_path, "a.wav", CODES, findings, id="a", channels=1, rate=48_000) is None
    assert codes_of(findings, "toy") == {"channels": 1, "rate": 1, "truncated": 1}
