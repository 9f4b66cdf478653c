"""Text normalisation: two spellings of the same words are equal."""

from __future__ import annotations

import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from earmark.manifests.text import NORMALISATION, normalise_text

NASTY = st.sampled_from([*"aıIßſǰΐʼŉ´`’'*<>_-. \t\0\u0301\u0345\u0338\u0327\u200d\ufeffΣςﬁ½٣가ㅏ", "<laugh>", "İ"])
TEXT = st.text() | st.lists(NASTY, max_size=12).map("".join) | st.text(st.characters(categories=["L", "M", "N"]))


@given(TEXT)
def test_normalising_twice_is_normalising_once(text: str) -> None:
    once = normalise_text(text)
    assert normalise_text(once) == once


@given(TEXT)
def test_what_is_left(text: str) -> None:
    normal = normalise_text(text)
    assert normal == unicodedata.normalize("NFKC", normal)
    assert all(c in " '" or unicodedata.category(c)[0] in "LNM" for c in normal)
    assert normal == normal.strip()
    assert "  " not in normal
    for word in normal.split(" "):
        assert not word.startswith("'")
        assert not word.endswith("'")
        assert "''" not in word


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_composition_leaves_no_trace(text: str) -> None:
    assert normalise_text(unicodedata.normalize("NFD", text)) == normalise_text(unicodedata.normalize("NFC", text))


@given(st.lists(st.text(st.characters(codec="ascii", categories=["L", "N"]), min_size=1), max_size=5))
def test_case_punctuation_and_space_leave_no_trace(words: list[str]) -> None:
    plain = " ".join(words).lower()
    assert normalise_text("  " + "!\n ".join(words).upper() + " … ") == plain
    assert normalise_text(" <laugh> ".join(f"*{word}*" for word in words)) == plain


def test_every_letter_of_unicode() -> None:
    # Only what changes under a mapping can go wrong; the rest is covered by what is drawn.
    for point in range(sys.maxunicode + 1):
        if chr(point).casefold() != chr(point) or unicodedata.decomposition(chr(point)):
            for text in (chr(point), f"a{chr(point)}'b"):
                once = normalise_text(text)
                assert normalise_text(once) == once, hex(point)


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("", ""),
        ("I *don’t* use it, <laugh> period!", "i don't use it period"),
        ("don`t don´t donʼt don＇t don‘t", "don't don't don't don't don't"),
        ("'quoted' rock 'n' roll dogs'", "quoted rock n roll dogs"),
        ("Straße ＡＢＣ ﬁ", "strasse abc fi"),
        ("room 12, 3.5", "room 12 3 5"),
        ("a<b", "a b"),
        ("x < y > z", "x z"),
        ("snake_case'_x", "snake case x"),
        ("a\0b", "a b"),
        ("e*\u0301", "é"),
        ("*word*s", "words"),
        ("\u0345", "ι"),
        ("它很好。", "它很好"),
    ],
)
def test_examples(text: str, normal: str) -> None:
    assert normalise_text(text) == normal
    assert NORMALISATION == "normalise_text/1"
