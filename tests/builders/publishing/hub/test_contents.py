"""What a folder and a commit hold: hashes are git's and SHA256SUMS's own, and nothing that differs goes unseen."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.support.hub_repositories import git_blob
from tests.support.toy_copies import FILES, toy_copy

from earmark.builders.publishing.hub.contents import (
    LocalFile,
    RemoteFile,
    differing,
    git_name,
    listed_files,
    require_true,
    same,
)
from earmark.manifests.errors import Refused


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=600), st.binary(max_size=600))
def test_two_contents_are_the_same_if_they_are(tmp_path: Path, here: bytes, there: bytes) -> None:
    from huggingface_hub.utils.sha import git_hash

    (tmp_path / "file").write_bytes(here)
    local = LocalFile(tmp_path / "file", len(here), hashlib.sha256(here).hexdigest())
    assert git_name(local) == git_hash(here) == git_blob(here)
    for content in (here, there, bytes(byte ^ 1 for byte in here)):
        in_git = RemoteFile(len(content), git_hash(content))
        outside = RemoteFile(len(content), "pointer", hashlib.sha256(content).hexdigest())
        assert same(local, in_git) is same(local, outside) is (content == here)
    assert not same(local, None)


FOLDERS = st.dictionaries(st.sampled_from("abcde"), st.sampled_from([b"one", b"two"]))


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(FOLDERS, FOLDERS)
def test_what_differs(tmp_path: Path, here: dict[str, bytes], there: dict[str, bytes]) -> None:
    for content in (b"one", b"two"):
        (tmp_path / content.decode()).write_bytes(content)
    local = {
        name: LocalFile(tmp_path / content.decode(), 3, hashlib.sha256(content).hexdigest())
        for name, content in here.items()
    }
    remote = {name: RemoteFile(3, git_blob(content)) for name, content in there.items()}
    expected = sorted(name for name in {*here, *there} if here.get(name) != there.get(name))
    assert differing(local, {**remote, ".gitattributes": RemoteFile(1, "x")}) == expected


def test_listed_files_are_those_of_the_list(tmp_path: Path) -> None:
    copy = toy_copy(tmp_path / "copy")
    (copy / "more").write_bytes(b"x")
    files = listed_files(copy)
    assert files.keys() == FILES.keys() | {"release.json", "SHA256SUMS"}
    for file in files.values():
        content = file.path.read_bytes()
        assert (file.size, file.sha256) == (len(content), hashlib.sha256(content).hexdigest())
    require_true(copy)


@pytest.mark.parametrize("name", FILES)
def test_a_tampered_file_is_found(tmp_path: Path, name: str) -> None:
    copy = toy_copy(tmp_path / "copy")
    (copy / name).write_bytes(b"!" + FILES[name][1:])
    with pytest.raises(Refused) as caught:
        require_true(copy)
    assert [finding.file for finding in caught.value.findings] == [name]


@pytest.mark.parametrize("line", [f"{64 * '0'}  ../x\n", "nonsense\n"])
def test_no_path_leads_out(tmp_path: Path, line: str) -> None:
    copy = toy_copy(tmp_path / "copy")
    with (copy / "SHA256SUMS").open("a", encoding="utf-8") as stream:
        stream.write(line)
    with pytest.raises(Refused):
        listed_files(copy)
