"""Folders: other files of a name are found whatever they end in and however a system spells them, the nearest first."""

from __future__ import annotations

import unicodedata
from pathlib import Path

from earmark.builders.materializing.folders import MOST_OTHERS, CorpusFolder


def corpus(root: Path, *paths: str) -> CorpusFolder:
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).touch()
    return CorpusFolder(root)


def test_the_nearest_comes_first_and_the_file_itself_never(tmp_path: Path) -> None:
    folder = corpus(tmp_path, "a/b/x.wav", "x.flac", "c/b/X.MP3", "b/x.txt", "a/b/y.wav", "a/b/._x.wav", "z/x.wav")
    assert folder.others("a/b/x.wav") == ["c/b/X.MP3", "x.flac", "z/x.wav"]
    assert folder.others("q/z/x.wav") == ["z/x.wav", "a/b/x.wav", "c/b/X.MP3", "x.flac"]
    assert folder.others("a/w.wav") == []


def test_a_name_is_the_same_in_either_spelling(tmp_path: Path) -> None:
    name = unicodedata.normalize("NFD", "é.wav")
    assert corpus(tmp_path, name).others("é.wav") == [name]


def test_of_many_of_one_name_only_those_of_the_same_folder_count(tmp_path: Path) -> None:
    """As where each speaker has a file of each sentence."""
    speakers = [f"p{n}/joy.wav" for n in range(MOST_OTHERS + 2)]
    assert corpus(tmp_path, *speakers, "all/p3/joy.flac").others("p3/joy.wav") == ["all/p3/joy.flac"]
