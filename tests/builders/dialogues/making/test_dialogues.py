"""A whole build against a server that writes, reads and speaks: stopped wherever it can be, and told whatever is wrong."""

from __future__ import annotations

import json
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from tests.builders.dialogues.making_whole import (
    ALIKE,
    CONCURRENCY,
    DISSONANT,
    PRICES,
    SECTION,
    answer,
    make,
    production,
)
from tests.builders.providers.asking import KEY
from tests.builders.providers.killed import POINTS
from tests.docs.reading import ROOT
from tests.support.provider_server import Asked, Reply, failure, provider_server

from earmark.builders.dialogues.making.production import CALLS, CLIPS
from earmark.builders.dialogues.oracle import Arm, OracleSection
from earmark.builders.dialogues.sections import LedgerSection
from earmark.builders.dialogues.speakers.openai import OPENAI_POOLS, NothingSpoken
from earmark.builders.dialogues.voiced import Voiced
from earmark.builders.dialogues.voicing.listeners import FASTER, NoListener, WhisperListener
from earmark.builders.dialogues.voicing.listening import WordsCheck
from earmark.builders.ledger import CostLimit, Ledger, LedgerError, State
from earmark.builders.ledger.calls import KeyRefused, Unanswered, UnknownModel
from earmark.builders.ledger.prices import BILLION, Unpriced
from earmark.builders.ledger.store import Store
from earmark.builders.providers import ServerSection
from earmark.builders.providers.client import KeyMissing
from earmark.manifests.errors import Busy, EarmarkError
from earmark.manifests.findings import Findings

SLOW = pytest.mark.slow  # each starts a process that loads all that a build needs
WRITING, READING, SPEAKING = 7, 12, 8
"""Calls of a dialogue at each stage, where nothing is tried again."""


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("openai", reason="providers need the package openai")
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)


@dataclass(frozen=True)
class Whole:
    """A build that nobody stopped, what it asked and told, and where it lies."""

    made: Voiced
    asked: list[Asked]
    told: list[str]
    url: str
    work: Path

    @property
    def content(self) -> str:
        return content(self.made, self.url)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Whole:
    pytest.importorskip("openai", reason="providers need the package openai")
    told: list[str] = []
    with pytest.MonkeyPatch.context() as patch, provider_server(answer) as server:
        patch.setenv("OPENAI_API_KEY", KEY)
        work = tmp_path_factory.mktemp("whole") / "work"
        made = make(production(work, server.base_url), progress=lambda what, done, total: told.append(what))
        return Whole(made, list(server.asked), told, server.base_url, work)


def content(made: Voiced, url: str) -> str:
    """Everything but what it cost, the server's address being any; pages for people show the rest once more."""
    pages = {name: page for name, page in made.pages.items() if "json" in name and name != "costs.json"}
    report = {name: value for name, value in made.report.items() if name != "costs"}
    parts = (made.dialogues, made.attempts, made.dropped, report, made.recipe, pages)
    return repr(parts).replace(url, "URL")


def test_all_stages_follow_each_other_and_what_fails_is_made_up_for(whole: Whole) -> None:
    made, asked = whole.made, whole.asked
    names = [dialogue.name for dialogue in made.dialogues]
    assert len(names) == 2
    assert {dialogue.subscale for dialogue in made.dialogues} == set(SECTION.chosen("subscales"))
    lost = {str(row["dialogue"]): str(row["dropped"]) for row in made.dropped}
    assert "interpersonal_empathy-0001" in lost  # its second speaker has the voice that speaks both options alike
    assert all("no contrast" in reason for reason in lost.values())
    assert all(clip.voice != ALIKE for dialogue in made.dialogues for clip in dialogue.clips if clip.turn in (4, 6))
    count = len(names) + len(lost)
    stages = Counter("speech" if one.path.endswith("speech") else str(one.body["model"]) for one in asked)
    assert (stages["toy-text"], stages["toy-reader"]) == (WRITING * count, READING * count)
    assert stages["speech"] == len(made.attempts) > SPEAKING * count
    order = [one.body["model"] for one in asked]
    assert order.index("toy-reader") > order.index("toy-text")
    assert order.index("toy-voice") > order.index("toy-reader")


def test_the_report_says_who_did_it_and_what_it_cost(whole: Whole) -> None:
    made, asked, url = whole.made, whole.asked, whole.url
    report = json.loads(json.dumps(made.report, allow_nan=False))
    assert report["quotas"]["demand"] == report["quotas"]["filled"] == 2
    assert (report["author"]["provider"], report["author"]["model"]) == (url, "toy-text")
    assert report["author"]["commissioned"] == report["author"]["written"] == 2 + len(made.dropped)
    figures = {(row["arm"], row["metric"]): row["accuracy"] for row in report["oracle"]["accuracies"]}
    assert (figures["full", "acc_traj"], figures["words", "acc_all"]) == (1, 0.5)
    costs = report["costs"]
    assert costs["calls"] == costs["answered"] == costs["tries"] == len(asked)
    assert costs["possibly_billed_twice"] == 0
    assert sum(stage["calls"] for stage in costs["stages"]) == len(asked)
    assert sum(stage["spent_usd"] for stage in costs["stages"]) == pytest.approx(costs["spent_usd"])
    assert {stage["model"] for stage in costs["stages"]} == {"toy-text", "toy-reader", "toy-voice"}
    assert json.loads(made.pages["costs.json"]) == costs
    readings = [json.loads(line) for line in made.pages["oracle.jsonl"].splitlines()]
    assert len(readings) == READING * report["author"]["written"]
    recipe = json.loads(json.dumps(made.recipe, allow_nan=False))
    assert recipe["author"]["templates_hash"]
    assert recipe["oracle"]["text"]["model"] == "toy-reader"
    assert "key" not in json.dumps(recipe["oracle"])
    assert (recipe["author"]["attempts"], recipe["oracle"]["tries"]) == (3, 2)
    pools = recipe["voices"]
    assert pools == {kind: list(getattr(OPENAI_POOLS, kind)) for kind in ("female", "male", "nonbinary")}
    assert {str(row["voice"]) for row in made.attempts} <= {voice for pool in pools.values() for voice in pool}


def start(work: Path, url: str, point: str, times: int) -> int:
    command = [sys.executable, "-m", "tests.builders.dialogues.making_whole", str(work), url, point, str(times)]
    return subprocess.run(command, cwd=ROOT, timeout=120, check=False).returncode


KILLS = [
    ("after the answer is recorded", 2 * WRITING + 5),  # while reading
    pytest.param("before the answer is recorded", 2 * (WRITING + READING) + 7, marks=SLOW),  # while speaking
    *(
        pytest.param(point, times, marks=SLOW)
        for point in POINTS
        if "failure" not in point
        for times in (3, 2 * WRITING + 9, 2 * (WRITING + READING) + 9, 2 * (WRITING + READING + SPEAKING) + 8)
    ),
]


@pytest.mark.parametrize(("point", "times"), KILLS)
def test_a_build_that_is_killed_comes_to_the_same_and_pays_for_nothing_recorded_again(
    point: str, times: int, whole: Whole, tmp_path: Path
) -> None:
    work = tmp_path / "work"
    with provider_server(answer) as server:
        assert start(work, server.base_url, point, times) == -getattr(signal, "SIGKILL", signal.SIGTERM)
        with Ledger.open(work / CALLS) as ledger:
            before = {row.key: row.tries for row in ledger.rows() if row.state is State.ANSWERED}
            doubts = len(ledger.doubtful())
        assert 0 < len(before) <= times
        assert doubts <= CONCURRENCY
        asked_before = len(server.asked)
        made = make(production(work, server.base_url))
        again = len(server.asked) - asked_before
        assert content(made, server.base_url) == whole.content
    with Ledger.open(work / CALLS) as ledger:
        after = {row.key: row.tries for row in ledger.rows() if row.state is State.ANSWERED}
        assert all(doubt.twice for doubt in ledger.doubtful())
    assert before.items() <= after.items()  # not one of them was sent again
    assert len(after) == len(whole.asked) == len(before) + again
    costs = made.report["costs"]
    assert isinstance(costs, dict)
    assert costs["possibly_billed_twice"] == doubts


def test_a_build_that_was_made_is_made_again_for_nothing(whole: Whole, tmp_path: Path) -> None:
    """The server is gone, and nobody needs it; neither does the number of calls under way change anything."""
    shutil.copytree(whole.work, tmp_path / "work")
    again = make(production(tmp_path / "work", whole.url, ledger=LedgerSection(concurrency=7)))
    assert content(again, whole.url) == whole.content


@SLOW
def test_the_limit_of_cost_stops_a_build_and_a_higher_one_continues_it(whole: Whole, tmp_path: Path) -> None:
    with closing(sqlite3.connect(whole.work / CALLS)) as database:
        ((bound, spent),) = database.execute("SELECT max(bound), sum(cost) FROM tries")
    limit = (bound + spent // 2) / BILLION  # half is spent when the next call might take more than is left
    with provider_server(answer) as server:
        with pytest.raises(CostLimit, match="raise --max-cost"):
            make(production(tmp_path, server.base_url, ledger=LedgerSection(max_cost=limit, concurrency=2)))
        with Ledger.open(tmp_path / CALLS) as ledger:
            totals = ledger.totals()
            assert 0 < totals.answered < len(whole.asked)
            assert spent // 2 <= totals.spent <= limit * BILLION
            assert totals.doubtful_tries == 0  # what was under way was waited for
        made = make(production(tmp_path, server.base_url, ledger=LedgerSection(max_cost=50)))
        assert len(server.asked) == len(whole.asked)
    assert content(made, server.base_url) == whole.content


@pytest.mark.parametrize("model", PRICES)
def test_without_a_price_no_limit_can_be_kept_and_nothing_is_asked(model: str, tmp_path: Path) -> None:
    prices = {other: price for other, price in PRICES.items() if other != model}
    with provider_server(answer) as server, pytest.raises(Unpriced, match=model):
        make(production(tmp_path, server.base_url, prices=prices, ledger=LedgerSection(max_cost=1)))
    assert server.asked == []


def test_a_listener_that_cannot_listen_says_so_before_anything_is_asked(tmp_path: Path) -> None:
    pytest.importorskip("faster_whisper", reason="the words check needs the package faster-whisper")
    for name in ("model.bin", "config.json", "tokenizer.json"):
        (tmp_path / name).write_bytes(b"no model")
    words = WordsCheck(listener=WhisperListener(FASTER, tmp_path))
    with provider_server(answer) as server, pytest.raises(NoListener, match="cannot load"):
        make(production(tmp_path / "work", server.base_url, words=words))
    assert server.asked == []


def test_without_a_key_nothing_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    with provider_server(answer) as server, pytest.raises(KeyMissing, match="OPENAI_API_KEY"):
        make(production(tmp_path, server.base_url))
    assert server.asked == []


UNKNOWN = failure(404, "The model does not exist", code="model_not_found")


REFUSED = failure(401, "bad key")


@pytest.mark.parametrize(
    ("model", "said", "error", "words"),
    [
        ("toy-text", REFUSED, KeyRefused, "OPENAI_API_KEY"),
        ("toy-reader", UNKNOWN, UnknownModel, "the model's id"),
        ("toy-voice", REFUSED, KeyRefused, "OPENAI_API_KEY"),
        ("toy-voice", UNKNOWN, UnknownModel, "the model's id"),
    ],
)
def test_a_key_or_a_model_that_is_refused_at_any_stage_ends_it_with_one_line(
    model: str, said: Reply, error: type[EarmarkError], words: str, tmp_path: Path
) -> None:
    def refuse(n: int, asked: Asked) -> Reply:
        return said if asked.body["model"] == model else answer(n, asked)

    with provider_server(refuse) as server:
        with pytest.raises(error, match=words) as raised:
            make(production(tmp_path, server.base_url))
        assert "\n" not in str(raised.value)
        assert KEY not in str(raised.value)
        with Ledger.open(tmp_path / CALLS) as ledger:
            assert ledger.doubtful() == ()
            counted = Counter(row.model for row in ledger.rows() if row.state is State.ANSWERED)
        assert counted[model] == 0


@SLOW
def test_a_question_that_is_refused_for_what_it_says_ends_a_dialogue_and_not_the_build(
    whole: Whole, tmp_path: Path
) -> None:
    scenarios = [one.body for one in whole.asked if "ScenarioAnswer" in json.dumps(one.body)]

    def refuse(n: int, asked: Asked) -> Reply:
        return failure(400, "This prompt is not allowed") if asked.body == scenarios[0] else answer(n, asked)

    findings = Findings()
    with provider_server(refuse) as server:
        made = make(production(tmp_path, server.base_url), findings)
    lost = [row for row in made.dropped if str(row["dropped"]).startswith("not written")]
    assert len(lost) == 1
    assert "not allowed" in str(lost[0]["record"])
    assert findings.counts["dialogues.unwritten"] == 1
    assert len(made.dialogues) == 2


def test_a_server_that_refuses_all_questions_ends_the_build(tmp_path: Path) -> None:
    refuse = failure(400, "Unknown parameter: seed")
    with provider_server(lambda *_: refuse) as server, pytest.raises(EarmarkError, match="Unknown parameter"):
        make(production(tmp_path, server.base_url))


@SLOW
def test_a_full_disk_ends_it_with_one_line_and_the_next_run_goes_on(
    whole: Whole, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite says that the disk is full where it may not grow further."""
    opened: Callable[..., None] = Store.__init__

    def small(self: Store, path: Path, **words: bool) -> None:
        opened(self, path, **words)
        self._database.execute("PRAGMA max_page_count = 60")

    monkeypatch.setattr(Store, "__init__", small)
    with provider_server(answer) as server:
        with pytest.raises(LedgerError, match="full"):
            make(production(tmp_path, server.base_url))
        monkeypatch.undo()
        monkeypatch.setenv("OPENAI_API_KEY", KEY)
        made = make(production(tmp_path, server.base_url))
    assert content(made, server.base_url) == whole.content


def test_a_folder_of_clips_that_cannot_be_written_ends_it_with_one_line(tmp_path: Path) -> None:
    (tmp_path / CLIPS).write_text("no folder", encoding="utf-8")
    with provider_server(answer) as server, pytest.raises(EarmarkError, match="cannot write") as raised:
        make(production(tmp_path, server.base_url))
    assert "\n" not in str(raised.value)


@SLOW
def test_html_in_place_of_audio_ends_it_with_one_line_and_the_next_run_goes_on(whole: Whole, tmp_path: Path) -> None:
    page = Reply(b"<html><body>Bad gateway</body></html>", form="text/html")
    mended = False

    def proxy(n: int, asked: Asked) -> Reply:
        spoken = asked.path.endswith("speech")
        return page if spoken and asked.body["voice"] == ALIKE and not mended else answer(n, asked)

    with provider_server(proxy) as server:
        with pytest.raises(Unanswered, match=r"answers with a page.*Bad gateway"):
            make(production(tmp_path, server.base_url))
        mended = True
        made = make(production(tmp_path, server.base_url))
    assert content(made, server.base_url) == whole.content


@SLOW
def test_cells_that_cannot_be_filled_are_named_with_the_reason(tmp_path: Path) -> None:
    def silent(n: int, asked: Asked) -> Reply:
        if asked.path.endswith("speech") and asked.body["instructions"] in DISSONANT:
            return replace(answer(n, asked), body=b"{}", form="application/json")
        return answer(n, asked)

    findings = Findings()
    with provider_server(silent) as server:
        made = make(production(tmp_path, server.base_url), findings)
    assert made.dialogues == ()
    assert findings.counts["dialogues.short"] == 2
    short = [finding for finding in findings if finding.code.name == "dialogues.short"]
    assert all("0 of 1; 3 not spoken well" in (finding.found or "") for finding in short)
    assert len(made.dropped) == 2 * (1 + SECTION.spare)


def test_what_the_oracle_reads_wrongly_is_not_spoken(tmp_path: Path) -> None:
    def misread(n: int, asked: Asked) -> Reply:
        said = answer(n, asked)
        if asked.body["model"] != "toy-reader":
            return said
        turned = {b"Option 1": b"Option 2", b"Option 2": b"Option 1"}
        return replace(said, body=re.sub(rb"Option [12]", lambda found: turned[found[0]], said.body))

    with provider_server(misread) as server:
        oracle = OracleSection(
            provider="openai",
            server=ServerSection(base_url=server.base_url),
            model="toy-reader",
            tries=1,
            arms=(Arm.FULL,),
            drop_if_wrong="all",
        )
        made = make(production(tmp_path, server.base_url, oracle=oracle))
        assert not [one for one in server.asked if one.path.endswith("speech")]
    assert made.dialogues == ()
    assert len(made.dropped) == 2 * (1 + SECTION.spare)
    assert all("the oracle read 0 of 4 rightly" in str(row["dropped"]) for row in made.dropped)


def test_one_process_at_a_time_works_with_a_folder(tmp_path: Path) -> None:
    with Ledger.open(tmp_path / CALLS), provider_server(answer) as server, pytest.raises(Busy):
        make(production(tmp_path, server.base_url))


def test_progress_is_told_stage_by_stage(whole: Whole) -> None:
    stages = list(dict.fromkeys(whole.told))
    assert stages[:3] == ["writing dialogues", "asking the oracle", "speaking lines"]


@SLOW
def test_a_line_that_is_refused_is_unspoken_and_drops_its_dialogue(tmp_path: Path) -> None:
    def refuse(n: int, asked: Asked) -> Reply:
        spoken = asked.path.endswith("speech")
        return failure(400, "not allowed") if spoken and asked.body["voice"] == ALIKE else answer(n, asked)

    with provider_server(refuse) as server:
        made = make(production(tmp_path, server.base_url))
    assert len(made.dialogues) == 2
    assert (
        "not allowed"
        in {str(row["dialogue"]): str(row["dropped"]) for row in made.dropped}["interpersonal_empathy-0001"]
    )


@pytest.mark.parametrize(
    ("said", "error", "why"),
    [
        (failure(400, "no instructions"), NothingSpoken, "no instructions"),
        (Reply(b"<html>Sign in to go on</html>", form="text/html"), Unanswered, "Sign in to go on"),
    ],
)
def test_a_server_that_says_nothing_at_all_ends_the_build_with_one_line(
    said: Reply, error: type[EarmarkError], why: str, tmp_path: Path
) -> None:
    def mute(n: int, asked: Asked) -> Reply:
        return said if asked.path.endswith("speech") else answer(n, asked)

    with (
        provider_server(mute) as server,
        pytest.raises(error, match=why) as raised,
    ):
        make(production(tmp_path, server.base_url))
    assert "\n" not in str(raised.value)
