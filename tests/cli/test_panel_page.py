"""A rating page as a rater uses it: headless Chromium, the keyboard, a reload, and the file that comes back."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.cli.conftest import Earmark
from tests.support.dialogue_panels import draw, write_release
from tests.support.miniature import quiet
from tests.support.panel_releases import write_pairs_release

from earmark.builders.panels.sheets import write_sheets
from earmark.cli.console import FINE
from earmark.manifests.panels import read_panel

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on the path")

CELLS = {("style", "non_tie", "same"): 3, ("rate", "non_tie", "same"): 1}
RECIPE = '[panel]\nname = "page"\nraters = ["ann"]\n[quotas]\nfacets = { style = 3, rate = 1 }\n'


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with playwright.sync_playwright() as driver:
        running = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--mute-audio"])
        yield running
        running.close()


@pytest.fixture
def sheets(request: pytest.FixtureRequest, earmark: Earmark, tmp_path: Path) -> Path:
    """Sheets of a drawn panel, with `release` and `panel` beside them."""
    write_pairs_release(tmp_path / "release", CELLS, audio=True)
    (tmp_path / "panel.toml").write_text(RECIPE, encoding="utf-8")
    words = ("--recipe", tmp_path / "panel.toml", "--out", tmp_path / "panel", "--quiet")
    assert earmark("panel", "draw", tmp_path / "release", *words).code == FINE
    words = ("--release", tmp_path / "release", "--out", tmp_path / "sheets", "--audio", request.param)
    assert earmark("panel", "sheet", tmp_path / "panel", *words).code == FINE
    return tmp_path / "sheets"


DECODED = """player => new Promise((resolve, reject) => {
    player.addEventListener("error", () => reject(player.error.message));
    player.addEventListener("loadeddata", resolve);
    if (player.error) reject(player.error.message);
    if (player.readyState >= 2) resolve();
}).then(() => player.duration)"""


def listen(page: Page) -> None:
    """Play both clips by their keys, and make sure that it is sound that is heard."""
    from playwright.sync_api import expect  # the page's policy forbids what waits by evaluating a text

    for number, key in enumerate("qw", start=1):
        page.keyboard.press(key)
        expect(page.locator(".clip.heard")).to_have_count(number)
    for player in page.locator("audio").all():
        assert player.evaluate(DECODED) == pytest.approx(0.1, abs=0.02)


@pytest.mark.parametrize("sheets", ["embed", "beside"], indirect=True)
def test_a_rater_answers_by_keyboard_goes_on_after_a_reload_and_sends_the_file(
    earmark: Earmark, sheets: Path, browser: Browser, tmp_path: Path
) -> None:
    panel = read_panel(tmp_path / "panel")
    ids = [id for id, _ in panel.sheet("ann")]
    context = browser.new_context(accept_downloads=True)
    page = context.new_page()
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("request", lambda request: said.append(request.url) if request.url.startswith("http") else None)
    page.goto((sheets / "ann.html").as_uri())
    status = page.locator("#status")
    assert status.inner_text() == "0 of 4 answered"

    # No answer before both were played.
    page.keyboard.press("1")
    assert page.locator("#note").inner_text() == "Play every recording first."
    assert page.locator("#choices button:disabled").count() == page.locator("#choices button").count()
    expected = {}
    for number, id in enumerate(ids[:2]):
        listen(page)
        page.keyboard.press(str(2 - number))
        expected[id] = "BA"[number]
        assert page.locator("#choices [aria-pressed=true]").inner_text().startswith(expected[id])
        page.keyboard.press("Enter")
    assert page.locator("#number").inner_text() == "Question 3 of 4"

    page.reload()
    assert page.locator("#number").inner_text() == "Question 3 of 4"
    assert status.inner_text() == "2 of 4 answered"
    page.keyboard.press("ArrowLeft")
    assert page.locator("#choices [aria-pressed=true]").inner_text().startswith(expected[ids[1]])
    page.keyboard.press("ArrowRight")
    for id in ids[2:]:
        listen(page)
        page.keyboard.press("1")
        expected[id] = "A"
        page.keyboard.press("Enter")
    assert status.inner_text() == "all 4 answered: download the file"
    with page.expect_download() as waiting:
        page.locator("#download").click()
    assert waiting.value.suggested_filename == "ann.csv"
    waiting.value.save_as(tmp_path / "ann.csv")
    context.close()
    assert said == []

    lines = (tmp_path / "ann.csv").read_text(encoding="utf-8").splitlines()
    assert lines[0] == "presentation_id,choice,latency_s"
    assert {line.split(",")[0]: line.split(",")[1] for line in lines[1:]} == expected
    assert [line.split(",")[0] for line in lines[1:]] == ids
    words = ("--panel", tmp_path / "panel", "--release", tmp_path / "release", "--out", tmp_path / "read")
    read = earmark("panel", "read", tmp_path / "ann.csv", *words, "--resamples", 100)
    assert (read.code, read.err) == (FINE, "")
    assert (tmp_path / "read" / "ratings.csv").read_text(encoding="utf-8").count("ann") == 4


@pytest.mark.parametrize("sheets", ["embed"], indirect=True)
def test_a_mouse_will_do(sheets: Path, browser: Browser) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.goto((sheets / "ann.html").as_uri())
    assert page.locator("#download").is_disabled()
    for player in page.locator("audio").all():
        player.evaluate("player => player.play()")
    page.locator("#choices button").last.click()
    assert page.locator("#status").inner_text() == "1 of 4 answered"
    page.get_by_role("button", name="Next").click()
    page.get_by_role("button", name="First without").click()
    assert page.locator("#number").inner_text() == "Question 2 of 4"
    page.get_by_role("button", name="Back").click()
    assert page.locator("#number").inner_text() == "Question 1 of 4"
    assert page.locator("#choices [aria-pressed=true]").count() == 1
    context.close()


def test_a_form_over_what_was_heard_before(browser: Browser, tmp_path: Path) -> None:
    from playwright.sync_api import expect  # the page's policy forbids what waits by evaluating a text

    release = write_release(tmp_path / "release", 1, audio=True)
    panel = draw(release).panel
    write_sheets(release, panel, tmp_path / "sheets", audio="embed", roots={}, progress=quiet)
    asked = panel.questions("ann")
    context = browser.new_context(accept_downloads=True)
    page = context.new_page()
    said: list[str] = []
    page.on("pageerror", lambda error: said.append(str(error)))
    page.goto((tmp_path / "sheets" / "ann.html").as_uri())

    def play(keys: str, heard: int) -> None:
        for n, key in enumerate(keys, start=1):
            page.keyboard.press(key)
            expect(page.locator(".clip.heard")).to_have_count(heard + n)

    play("qwert", 0)
    page.keyboard.press("1")
    page.keyboard.press("Enter")
    # Turns 1 to 3 were heard at turn 4.
    expect(page.locator(".clip.heard")).to_have_count(3)
    page.keyboard.press("2")
    assert page.locator("#note").inner_text() == "Play every recording first."
    play("rty", 3)
    page.keyboard.press("2")
    page.keyboard.press("Enter")

    # The form plays all of it again if one likes, and asks two things; keys answer the one that is marked.
    assert page.locator("#number").inner_text() == "Questions 3 to 4 of 4"
    expect(page.locator(".clip.heard")).to_have_count(8)
    assert page.locator(".asked.now p").inner_text() == "Do the words do?"
    page.keyboard.press("2")
    assert page.locator(".asked.now p").inner_text().startswith("Is it ")
    page.keyboard.press("1")
    assert page.locator("#choices [aria-pressed=true]").all_inner_texts() == ["fail2", "pass1"]
    page.locator(".asked").first.get_by_role("button", name="pass").click()
    assert page.locator("#status").inner_text() == "all 4 answered: download the file"

    def download(name: str) -> list[list[str]]:
        with page.expect_download() as waiting:
            page.locator("#download").click()
        waiting.value.save_as(tmp_path / name)
        lines = (tmp_path / name).read_text(encoding="utf-8").splitlines()
        return [line.split(",")[:2] for line in lines[1:]]

    # A page hands what it keeps to the browser behind its own back; what was downloaded has come after it.
    rows = download("before.csv")
    page.reload()
    assert page.locator("#status").inner_text() == "all 4 answered: download the file"
    assert page.locator("#choices [aria-pressed=true]").count() == 2
    assert download("after.csv") == rows
    context.close()
    assert said == []
    assert rows == [[one.id, word] for one, word in zip(asked, ["1", "2", "pass", "pass"], strict=True)]
