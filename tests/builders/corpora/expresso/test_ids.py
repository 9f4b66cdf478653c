"""Stems of Expresso: read back as they were spelt, and nothing else taken for one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from earmark.builders.corpora.expresso.ids import ConversationStem, ReadStem, Stem, parse_stem

speakers = st.integers(1, 99).map("ex{:02d}".format)
words = st.text("abcdefghijklmnopqrstuvwxyz", min_size=1, max_size=12)
reads = st.builds(
    ReadStem,
    speakers,
    st.lists(words, min_size=1, max_size=3).map("_".join),
    st.integers(0, 99999).map("{:05d}".format),
)
conversations = st.builds(
    ConversationStem, st.tuples(speakers, speakers), st.tuples(words, words), st.integers(0, 999).map("{:03d}".format)
)


@given(st.one_of(reads, conversations))
def test_what_is_spelt_is_read_back(stem: Stem) -> None:
    assert parse_stem(str(stem)) == stem
    assert stem.path.startswith("audio_48khz/")
    assert stem.path.endswith(f"/{stem}.wav")


@given(reads)
def test_folders_are_speaker_style_and_part(stem: ReadStem) -> None:
    _, kind, speaker, style, part, _ = stem.path.split("/")
    assert (kind, speaker, style) == ("read", stem.speaker, stem.style)
    assert stem.substyle.split("_")[0] == stem.style
    assert part == ("longform" if stem.substyle.split("_")[-1] == "longform" else "base")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "ex01",
        "ex1_happy_00379",
        "ex01_happy_379",
        "ex01_Happy_00379",
        "ex01__00379",
        "ex01_happy_00379 ",
        "ex01_happy_00379.wav",
        "._ex01_happy_00379",
        "ex01_happy-sad_00379",
        "ex01-ex02_happy_00379",
        "ex01-ex02_happy-happy_003",
        "ex01-ex02_a-b-c_003",
        "ex01_happy_٠٠٣٧٩",
        "../ex01_happy_00379",
    ],
)
def test_what_is_no_stem(text: str) -> None:
    with pytest.raises(ValueError, match="no stem of Expresso"):
        parse_stem(text)
