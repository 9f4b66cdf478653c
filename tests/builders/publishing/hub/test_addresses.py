"""Addresses: what is taken for one is one to the client too, and nothing else gets through."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from earmark.builders.publishing.hub.addresses import destination, on_a_hub
from earmark.manifests.errors import EarmarkError


@settings(max_examples=50)
@given(st.text("aZ09_-.", min_size=1, max_size=99), st.text("aZ09_-./é \n", min_size=1, max_size=99))
def test_what_is_taken_is_what_the_client_takes(owner: str, name: str) -> None:
    from huggingface_hub.utils import HFValidationError, validate_repo_id

    place = Path(f"hub:{owner}/{name}")
    try:
        validate_repo_id(said := place.as_posix().removeprefix("hub:"))
        theirs = True
    except HFValidationError:
        theirs = len(said) > 96  # the client counts both names; a hub counts them apart
    try:
        to = destination(place)
    except EarmarkError:
        return
    assert theirs
    assert str(to) == place.as_posix()


@pytest.mark.parametrize("word", ["copy", "Hub:a/b", "hub", "/hub:a/b"])
def test_folders(word: str) -> None:
    assert not on_a_hub(Path(word))


@pytest.mark.parametrize(
    "word",
    [
        "hub:",
        "hub:a",
        "hub:a/b/c",
        "hub:../b",
        "hub:a/..",
        "hub:a/b--c",
        "hub:a/-b",
        "hub:a/b.git",
        "hub:a b/c",
        "hub:/a/b",
    ],
)
def test_no_addresses(word: str) -> None:
    assert on_a_hub(Path(word))
    with pytest.raises(EarmarkError, match="is no address of a repository; one is hub:owner/name"):
        destination(Path(word))


@pytest.mark.parametrize("branch", ["", "-x", "a..b", "refs/pr/1", "a b", "x.lock", 40 * "a", "a/", "a\n", "../x"])
def test_no_branches(branch: str) -> None:
    with pytest.raises(EarmarkError, match="no branch can be called"):
        destination(Path("hub:a/b"), branch=branch)


@pytest.mark.parametrize("branch", ["main", "fixes/2.x", "v2", "a_b"])
def test_branches(branch: str) -> None:
    assert destination(Path("hub:a/b"), branch=branch).branch == branch
