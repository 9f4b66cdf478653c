"""The page of a rater as text: nothing can break out of it, and its script is the one it allows."""

from __future__ import annotations

import base64
import hashlib
import json
import re

from hypothesis import given, settings
from hypothesis import strategies as st

from earmark.pages.rating_sheet import Question, Screen, rating_sheet_html

WORDS = st.text(st.characters(exclude_categories=["Cs"]), max_size=30) | st.sampled_from(
    ["</script><script>alert(1)</script>", "<!--", "{{ 7 * 7 }}", "\u2028", '"', "&lt;"]
)


def page(words: str = "Which?", rater: str = "ann") -> str:
    questions = tuple(Question(id=id, asks=(words,), choices=(("A", words),)) for id in ("p1", "p2"))
    screen = Screen(unit=0, about=(words,), asks=(words,), clips=((words, "c1"),), questions=questions)
    return rating_sheet_html(words, rater, words, [screen], {"c1": "audio/c1.flac"})


def data(html: str) -> dict[str, object]:
    found = re.findall(r'<script type="application/json" id="sheet">(.*?)</script>', html, re.DOTALL)
    assert len(found) == 1
    value: dict[str, object] = json.loads(found[0])
    return value


@settings(max_examples=40)
@given(WORDS)
def test_no_words_break_out(words: str) -> None:
    html = page(words)
    assert html.count("<script") == 2
    assert html.count("</script") == 2
    assert html == page(words)
    screens = data(html)["screens"]
    assert isinstance(screens, list)
    assert [question["id"] for question in screens[0]["questions"]] == ["p1", "p2"]
    if words.isprintable():
        assert screens[0]["asks"] == [words]
        assert screens[0]["questions"][1]["asks"] == [words]


def test_only_its_own_script_may_run() -> None:
    html = page()
    script = re.findall(r"<script>(.*?)</script>", html, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(script[0].encode()).digest()).decode()
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', html)
    assert policy is not None
    assert f"script-src &#39;sha256-{digest}&#39;" in policy[1] or f"script-src 'sha256-{digest}'" in policy[1]
    assert "default-src 'none'" in policy[1]
    assert "http" not in html.replace("http-equiv", "")


def test_sheets_of_other_ids_keep_other_answers() -> None:
    def kept(id: str) -> object:
        screen = Screen(unit=0, about=(), asks=(), clips=(), questions=(Question(id=id, choices=()),))
        return data(rating_sheet_html("p", "ann", "", [screen], {}))["id"]

    assert kept("p1") != kept("p2")
