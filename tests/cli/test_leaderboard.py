"""`earmark leaderboard`: what it writes, what it refuses, what it prints; and the page as a reader without a mouse uses it."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.cli.conftest import Earmark
from tests.support.leaderboards import OTHER_HASH, report, write
from tests.support.tiny import write_tiny_release

from earmark.cli.console import COULD_NOT_RUN, FINE, FOUND
from earmark.manifests.families.stance import STANCE

if TYPE_CHECKING:
    from playwright.sync_api import Browser

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


def test_reports_become_a_file_a_page_and_a_table(earmark: Earmark, tmp_path: Path) -> None:
    paths = write(tmp_path, report("a", 0.9), report("b", None), report("c", 0.6))
    said = earmark("leaderboard", *paths, "--out", tmp_path / "board")
    assert (said.code, said.err) == (FINE, "")
    names = ["leaderboard.csv", "leaderboard.html", "leaderboard.json"]
    assert sorted(path.name for path in (tmp_path / "board").iterdir()) == names
    lines = [line.split()[0] for line in said.out.splitlines() if line[:2] in ("a ", "b ", "c ")]
    assert lines == ["a", "c", "b"]
    assert "Positions are not ranks" in said.out
    assert said.out.isascii()
    other = earmark(
        "leaderboard", *(path / "report.json" for path in paths[::-1]), "--out", tmp_path / "again", "--quiet"
    )
    assert (other.code, other.out) == (FINE, "")
    for name in names:
        assert (tmp_path / "board" / name).read_bytes() == (tmp_path / "again" / name).read_bytes()
    text = (tmp_path / "board" / "leaderboard.json").read_text(encoding="utf-8")
    assert str(tmp_path) not in text
    assert "use" not in json.loads(text)["boards"][0], "the reports do not repeat it"
    page = (tmp_path / "board" / "leaderboard.html").read_text(encoding="utf-8")
    assert STANCE.out_of_scope.replace("'", "&#39;") in page


def test_a_family_that_is_not_installed_says_nothing_of_its_use(earmark: Earmark, tmp_path: Path) -> None:
    paths = write(tmp_path, report("a", signature={"family": "sarcasm"}))
    assert earmark("leaderboard", *paths, "--out", tmp_path / "board").code == FINE
    assert "Out of scope" not in (tmp_path / "board" / "leaderboard.html").read_text(encoding="utf-8")


def test_what_cannot_be_compared_is_refused_and_nothing_is_written(earmark: Earmark, tmp_path: Path) -> None:
    paths = write(tmp_path, report("a"), report("b"), report("old", signature={"answers_hash": OTHER_HASH}))
    words = ("leaderboard", *paths, "--eee", tmp_path / "eee", "--out", tmp_path / "board")
    said = earmark(*words)
    assert (said.code, said.out) == (FOUND, "")
    assert "leaderboard.not-comparable" in said.err
    assert "signature.answers_hash" in said.err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["report-0", "report-1", "report-2"]
    found = json.loads(earmark(*words, "--json").out)
    assert (found["counts"], found["written"]) == ({"leaderboard.not-comparable": 1}, [])
    said = earmark(*words, "--separate", "--json", "--retrieved", 0)
    assert said.code == FINE
    told = json.loads(said.out)
    assert (told["boards"], len(told["written"])) == (2, 3 + 3)
    assert all(Path(path).is_file() for path in told["written"])


def test_what_ends_a_run(earmark: Earmark, tmp_path: Path) -> None:
    paths = write(tmp_path, report("a"))
    (tmp_path / "there").mkdir()
    for words, code, says in (
        ((tmp_path / "none", "--out", tmp_path / "board"), COULD_NOT_RUN, "is not there"),
        ((*paths, "--out", tmp_path / "there"), COULD_NOT_RUN, "exists"),
        ((*paths, "--out", tmp_path / "board", "--eee", tmp_path / "there"), COULD_NOT_RUN, "exists"),
        ((*paths, "--out", tmp_path / "board", "--relationship", "friend"), COULD_NOT_RUN, "there is first_party"),
        ((*paths, "--out", tmp_path / "board", "--eee", tmp_path / "board"), COULD_NOT_RUN, "neither in the other"),
        (
            (*paths, "--out", tmp_path / "board", "--eee", tmp_path / "board" / "e"),
            COULD_NOT_RUN,
            "neither in the other",
        ),
        (("--out", tmp_path / "board"), COULD_NOT_RUN, "Missing argument"),
        (
            (*paths, "--out", tmp_path / "board", "--release", write_tiny_release(tmp_path / "release").path),
            FOUND,
            "leaderboard.other-release",
        ),
    ):
        said = earmark("leaderboard", *words)
        assert said.code == code
        assert says in said.err
        assert not (tmp_path / "board").exists()


def test_a_name_can_do_nothing_to_a_terminal(earmark: Earmark, tmp_path: Path) -> None:
    name = "\x1b[2J\u202e=1+1\r\n<b>" + "x" * 10_000
    said = earmark("leaderboard", *write(tmp_path, report(name), report(None)), "--out", tmp_path / "board")
    assert said.code == FINE
    assert "leaderboard.unnamed" in said.out
    for text in (said.out, (tmp_path / "board" / "leaderboard.json").read_text(encoding="utf-8")):
        assert all(letter.isprintable() or letter == "\n" for letter in text)
        assert text.isascii() or text is said.out
    assert max(map(len, said.out.splitlines())) < 500
    (table,) = json.loads((tmp_path / "board" / "leaderboard.json").read_text(encoding="utf-8"))["boards"]
    assert name in [one["name"] for one in table["standings"]]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with playwright.sync_playwright() as driver:
        running = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield running
        running.close()


SORTED = """table => Array.from(table.tHead.rows[0].cells).flatMap((head, at) => [1, 2].map(() => {
    head.querySelector("button").click();
    const values = Array.from(table.tBodies[0].rows).map(row => row.cells[at].dataset.by);
    const marked = Array.from(table.tHead.rows[0].cells).filter(cell => cell.hasAttribute("aria-sort"));
    return [at, head.dataset.number, marked.map(cell => [cell.cellIndex, cell.getAttribute("aria-sort")]), values];
}))"""
"""Every column sorted by its button, twice: which it is, whether it is of numbers, what is marked as sorted, and what stands."""


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on the path")
def test_a_reader_sorts_by_any_column_with_the_keyboard(earmark: Earmark, browser: Browser, tmp_path: Path) -> None:
    reports = [
        report("b", 0.9, judge={"access": "commercial", "revision": "2"}),
        report("a", 0.6, judge={"access": "open_weights"}, ok=30),
        report("c", None, judge={"access": "open_weights", "revision": "1"}, ok=0),
    ]
    assert earmark("leaderboard", *write(tmp_path, *reports), "--out", tmp_path / "board", "--quiet").code == FINE
    page = browser.new_page()
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.goto((tmp_path / "board" / "leaderboard.html").as_uri())
    table = page.locator("table.board")
    heads = table.locator("thead th")
    assert heads.locator("button").count() == heads.count()
    found = table.evaluate(SORTED)
    assert len(found) == 2 * heads.count() > 40
    for at, number, marked, values in found:
        ((sorted_by, way),) = marked
        assert sorted_by == at
        known = [value for value in values if value != ""]
        assert values == known + [""] * (len(values) - len(known)), "what has no value stands last, whichever way"
        keys = [float(value) if number == "yes" else value.lower() for value in known]
        assert keys == sorted(keys, reverse=way == "descending")
    ways = [marked[0][1] for _, _, marked, _ in found]
    assert all(
        {first, second} == {"ascending", "descending"} for first, second in zip(ways[::2], ways[1::2], strict=True)
    )
    heads.nth(1).locator("button").focus()
    page.keyboard.press("Enter")
    assert heads.nth(1).get_attribute("aria-sort") == "descending"
    page.keyboard.press("Space")
    assert heads.nth(1).get_attribute("aria-sort") == "ascending"
    assert [name.split()[0] for name in table.locator("tbody th").all_inner_texts()] == [
        "uniform",
        "a",
        "b",
        "c",
        "louder",
    ]
    assert page.locator("[role=status]").inner_text().startswith("sorted by ")
    page.locator("select").select_option("access")
    groups = table.locator("tr.group").all_inner_texts()
    assert groups == ["commercial", "open weights", "rules that do not listen"]
    assert table.locator("tbody tr:not(.group)").count() == 5
    page.locator("select").select_option("")
    assert table.locator("tr.group").count() == 0
    assert said == []
    plain = browser.new_context(java_script_enabled=False).new_page()
    plain.goto((tmp_path / "board" / "leaderboard.html").as_uri())
    assert plain.locator("table.board tbody tr").count() == 5
    assert plain.locator("thead button").count() == 0
    assert not plain.locator("select").is_visible()
    assert not plain.locator("td.of-facet").first.is_visible()
    plain.locator("input.show-facet").check()
    assert plain.locator("td.of-facet").first.is_visible()
