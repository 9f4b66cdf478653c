"""`SHA256SUMS`: what is written is what `sha256sum` checks, one spelling alone is right, and no path in it is followed."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from earmark.manifests.copies.checksums import (
    LINE,
    LIST,
    OUTSIDE,
    TWICE,
    Listed,
    checksums_text,
    leads_out,
    read_checksums,
    write_checksums,
)
from earmark.manifests.copies.published import CHECKSUMS
from earmark.manifests.errors import EarmarkError
from earmark.manifests.findings import Findings

UUID = "0a1b2c3d-0000-5000-8000-000000000000"
PARTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="/\0"), min_size=1, max_size=6)
PATHS = st.lists(PARTS, min_size=1, max_size=3).map("/".join).filter(lambda path: not leads_out(path))
HASHES = st.integers(0, 2**256 - 1).map(lambda number: f"sha256:{number:064x}")
LISTS = st.dictionaries(PATHS, HASHES, max_size=5)


def read(path: Path, content: bytes) -> tuple[Listed, Findings]:
    path.write_bytes(content)
    findings = Findings()
    return read_checksums(path, findings), findings


@given(hashes=LISTS)
def test_what_is_written_is_read(tmp_path_factory: pytest.TempPathFactory, hashes: dict[str, str]) -> None:
    listed, findings = read(tmp_path_factory.mktemp("list") / CHECKSUMS, checksums_text(hashes, UUID).encode())
    assert not findings
    assert listed == Listed(hashes, UUID)


@given(hashes=LISTS, at=st.integers(0), byte=st.integers(1, 255))
def test_no_other_spelling_is_right(
    tmp_path_factory: pytest.TempPathFactory, hashes: dict[str, str], at: int, byte: int
) -> None:
    """Whichever byte is another, either the list is found to be wrong or it says something else."""
    content = bytearray(checksums_text(hashes, UUID).encode())
    content[at % len(content)] ^= byte
    listed, findings = read(tmp_path_factory.mktemp("list") / CHECKSUMS, bytes(content))
    assert findings.failed or listed != Listed(hashes, UUID)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (f"# canary {UUID}\n{64 * 'A'}  a\n", LINE),
        (f"# canary {UUID}\n{64 * 'a'} *a\n", LINE),
        (f"# canary {UUID}\n{64 * 'a'}  a\n# more\n", LINE),
        (f"# canary {UUID}\n{64 * 'a'}  a\r\n", LINE),
        (f"# canary {UUID}\n{64 * 'a'}  a", LINE),
        (f"# canary {UUID}\n\\{64 * 'a'}  a\\x\n", LINE),
        (f"# canary {UUID}\n\\{64 * 'a'}  a\n", LINE),
        (f"# canary {UUID}\n{64 * 'a'}  b\n{64 * 'a'}  a\n", LINE),
        (f"# canary {UUID}\n{64 * 'a'}  a\n{64 * 'a'}  a\n", TWICE),
        (f"# canary {UUID}\n{64 * 'a'}  ../a\n", OUTSIDE),
        (f"# canary {UUID}\n{64 * 'a'}  /a\n", OUTSIDE),
        (f"# canary {UUID}\n{64 * 'a'}  a/../../b\n", OUTSIDE),
        (f"# canary {UUID}\n{64 * 'a'}  C:\\a\n", OUTSIDE),
        (f"# canary {UUID}\n{64 * 'a'}  ./a\n", OUTSIDE),
    ],
)
def test_what_is_wrong_has_a_code(tmp_path: Path, text: str, code: object) -> None:
    _, findings = read(tmp_path / CHECKSUMS, text.encode())
    assert [finding.code for finding in findings] == [code]


def test_a_list_that_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert read(tmp_path / "text", b"\xff\xfe")[1].counts == {LIST.name: 1}
    monkeypatch.setattr("earmark.manifests.copies.checksums.MOST_BYTES", 10)
    assert read(tmp_path / "long", b"# canary 00")[1].counts == {LIST.name: 1}
    findings = Findings()
    assert read_checksums(tmp_path / "nowhere", findings) == Listed()
    assert findings.counts == {LIST.name: 1}


ODD = ["plain", "with space", "#mark", "back\\slash", "new\nline", "return\rit", "*x", "ünï", "deep/er/x"]


def odd_folder(base: Path) -> Path:
    """Files whose names are hard to spell, where the system has such names."""
    folder = base / "copy"
    for name in ODD if os.name == "posix" else [name for name in ODD if name.isascii() and name.isprintable()]:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(name.encode() * 99_999)
    return folder


@pytest.mark.skipif(not shutil.which("sha256sum"), reason="sha256sum is not installed")
def test_sha256sum_checks_it(tmp_path: Path) -> None:
    """That program is the oracle: its own list has the same lines, and it finds a byte that is another."""
    folder = odd_folder(tmp_path)
    write_checksums(folder, UUID)
    run = ["sha256sum", "--check", "--strict", CHECKSUMS]
    assert subprocess.run(run, cwd=folder, check=False, capture_output=True).returncode == 0
    theirs = subprocess.run(["sha256sum", *sorted(ODD)], cwd=folder, check=False, capture_output=True).stdout
    ours = (folder / CHECKSUMS).read_bytes().partition(b"\n")[2]
    assert sorted(ours.splitlines()) == sorted(theirs.splitlines())
    (folder / "plain").write_bytes(b"other")
    assert subprocess.run(run, cwd=folder, check=False, capture_output=True).returncode == 1


def test_known_hashes_are_taken_and_others_made(tmp_path: Path) -> None:
    folder = odd_folder(tmp_path)
    known = {"plain": f"sha256:{64 * 'e'}", "gone": f"sha256:{64 * 'f'}"}
    path = write_checksums(folder, UUID, known)
    listed = read_checksums(path, Findings())
    assert listed.hashes["plain"] == known["plain"]
    assert "gone" not in listed.hashes
    assert CHECKSUMS not in listed.hashes
    digest = hashlib.sha256((folder / "with space").read_bytes()).hexdigest()
    assert listed.hashes["with space"] == f"sha256:{digest}"
    first = path.read_bytes()
    assert write_checksums(folder, UUID, known).read_bytes() == first


@pytest.mark.skipif(sys.platform == "win32", reason="links and pipes of POSIX")
def test_what_is_no_file_is_not_listed(tmp_path: Path) -> None:
    for make in (
        lambda path: path.symlink_to("plain"),
        os.mkfifo,
        lambda path: (path.parent / b"\xff".decode(errors="surrogateescape")).touch(),
    ):
        folder = odd_folder(tmp_path)
        make(folder / "other")
        with pytest.raises(EarmarkError, match="cannot be listed"):
            write_checksums(folder, UUID)
        assert not (folder / CHECKSUMS).exists()
        shutil.rmtree(folder)
