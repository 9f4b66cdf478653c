"""How long it takes until a command line answers: a bare interpreter, `import earmark`, and `earmark --help`.

The clock is the processor time of the processes started, so it is the same on a busy machine; it reads as 0 on Windows.
"""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pytest_benchmark.fixture import BenchmarkFixture

MOST_SECONDS = 0.4
TIMES = 10

COMMANDS = {
    "a bare interpreter": ["-c", "pass"],
    "import earmark": ["-c", "import earmark"],
    "earmark --help": ["-m", "earmark", "--help"],
    "earmark score --help": ["-m", "earmark", "score", "--help"],
}


def child_seconds() -> float:
    """Processor time of all processes that this one has waited for, s."""
    times = os.times()
    return times.children_user + times.children_system


@pytest.mark.benchmark(group="start-up", timer=child_seconds)
@pytest.mark.parametrize("name", COMMANDS)
def test_startup(benchmark: BenchmarkFixture, name: str) -> None:
    """Ten processes from start to end, files cached, as the system's clock ticks every 10 ms."""

    def start() -> list[bytes]:
        command = [sys.executable, *COMMANDS[name]]
        return [subprocess.run(command, capture_output=True, check=True, timeout=60).stdout for _ in range(TIMES)]  # noqa: S603 (our own interpreter)

    said = benchmark.pedantic(start, rounds=3, warmup_rounds=1)
    assert all(bool(output) == name.endswith("--help") for output in said)
    assert benchmark.stats.stats.min / TIMES < MOST_SECONDS
