"""A stranger's text stays text to another Markdown reader."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from earmark.builders.publishing.texts.markdown import MOST, code, link, plain
from earmark.pages.shown import shown

READER = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=40) | st.text(
    "ab |\\`*_[](){}<>#~&-+=:!$.1\n\t/", max_size=30
)


def cells(markdown: str) -> list[list[Token]]:
    """What stands in each cell of the row of a table."""
    tokens = READER.parse(f"| a | b |\n|---|---|\n{markdown}\n")
    inside = [token.children or [] for token in tokens if token.type == "inline"]
    assert [token.type for token in tokens if token.type.endswith("_open")].count("tr_open") == 2
    return inside[2:]


@given(TEXTS)
@example("| x | y |")
@example("a\\|b\\\\|c")
@example("<script>alert(1)</script>")
@example("[a](https://example.org) ![b](c)")
@example("&lt; &#124; &amp;")
def test_a_text_is_one_cell_that_says_just_it(text: str) -> None:
    first, second = cells(f"| {plain(text)} | end |")
    assert {token.type for token in first} <= {"text"}
    assert "".join(token.content for token in first) == shown(text).strip()
    assert "".join(token.content for token in second) == "end"


@given(TEXTS)
@example("- a")
@example("1) a")
@example("# a")
@example("a\n===")
@example("```")
@example("    a")
def test_a_text_is_one_paragraph_that_says_just_it(text: str) -> None:
    tokens = READER.parse(f"before\n\n{plain(text)}\n\nafter\n")
    assert {token.type for token in tokens} == {"paragraph_open", "inline", "paragraph_close"}
    said = ["".join(child.content for child in token.children or []) for token in tokens if token.type == "inline"]
    assert said == ["before", *([shown(text).strip()] if shown(text).strip() else []), "after"]


@given(TEXTS)
def test_code_and_links_say_just_what_they_are_of(text: str) -> None:
    for written in (code(text), link(text), link(f"https://example.org/{text}")):
        first, second = cells(f"| {written} | end |")
        assert {token.type for token in first} <= {"text", "code_inline", "link_open", "link_close"}
        assert "".join(token.content for token in second) == "end"
    assert "".join(token.content for token in cells(f"| {code(text)} | end |")[0]).strip() == shown(text).strip()


def test_only_addresses_of_the_web_are_links() -> None:
    assert link("https://example.org/a_b?c=d#e") == "<https://example.org/a_b?c=d#e>"
    for text in (
        "javascript:alert(1)",
        "https://exa mple.org",
        "https://example.org/|",
        "https://example.org/>x",
        "file:///a",
    ):
        assert not link(text).startswith("<")


def test_a_text_is_not_longer_than_a_reader_bears() -> None:
    assert len(plain("a" * 10 * MOST)) < MOST + 50
