"""Killed anywhere, a build goes on: nothing recorded is sent again, and what may be billed twice is listed."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from tests.builders.providers.asking import GOOD
from tests.builders.providers.killed import CALLS, CONCURRENCY, POINTS, build
from tests.docs.reading import ROOT
from tests.support.provider_server import Asked, ProviderServer, Reply, audio, completion, failure, provider_server

from earmark.builders.ledger import Ledger, State

TEXT, SPEECH = completion(GOOD), audio()
SLOW = pytest.mark.slow  # each starts a process that loads the client


def number(asked: Asked) -> int:
    found = re.search(r"call (\d+)", json.dumps(asked.body))
    assert found
    return int(found[1])


def recorded(path: Path) -> set[int]:
    with Ledger.open(path) as ledger:
        return {(row.place.turn or 0) - 1 for row in ledger.rows() if row.state is State.ANSWERED}


def start(path: Path, server: ProviderServer, point: str, times: int) -> subprocess.Popen[bytes]:
    words = [sys.executable, "-m", "tests.builders.providers.killed", str(path), server.base_url, point, str(times)]
    return subprocess.Popen(words, cwd=ROOT, stderr=subprocess.PIPE)


@pytest.mark.parametrize(
    ("point", "times"),
    [
        ("mid-answer", 5),
        ("before the answer is recorded", 5),
        *(pytest.param(point, times, marks=SLOW) for point in POINTS for times in (1, 4)),
        *(pytest.param("mid-answer", times, marks=SLOW) for times in (0, 10)),
    ],
)
def test_the_next_run_goes_on(point: str, times: int, tmp_path: Path) -> None:
    path, killed = tmp_path / "ledger.sqlite", False

    def reply(n: int, asked: Asked) -> Reply:
        good = SPEECH if asked.path.endswith("speech") else TEXT
        if point == "mid-answer" and not killed and n == times:
            return replace(good, stall=20)
        return failure(500) if n % 3 == 1 and not killed else good

    with provider_server(reply) as server:
        with start(path, server, point, times) as child:
            if point == "mid-answer":
                assert server.stalled.wait(60)
                child.kill()
            child.wait(60)
            assert child.returncode != 0
            assert child.stderr is not None
            assert child.stderr.read() == b""  # it had no time for a word
        killed = True
        first = len(server.asked)
        before = recorded(path)
        with Ledger.open(path) as ledger:
            doubts = {(doubt.place.turn or 0) - 1 for doubt in ledger.doubtful()}
        asyncio.run(build(path, server.base_url))
        asked = [number(one) for one in server.asked]

    again = Counter(asked[first:])
    assert not before & again.keys()
    assert again.keys() == set(range(CALLS)) - before
    assert set(again.values()) == {1}
    assert recorded(path) == set(range(CALLS))
    assert len(doubts) <= CONCURRENCY
    assert not doubts & before
    with Ledger.open(path) as ledger:
        assert all(doubt.twice for doubt in ledger.doubtful())
        assert ledger.totals().answered == CALLS
        # Whatever was answered well and is not recorded is among the doubtful ones; a failure is not billed.
        well = Counter(n for at, n in enumerate(asked[:first]) if at % 3 != 1)
        assert {n for n in well if n not in before} <= doubts
    count = len(server.asked)
    with pytest.raises(Exception, match="cannot be reached"):  # the server is gone, and nothing needs it …
        asyncio.run(build(tmp_path / "another", server.base_url))
    asyncio.run(build(path, server.base_url))  # … where all is recorded
    assert len(server.asked) == count
