"""How long it takes until a command line answers: a bare interpreter, `import earmark`, and `earmark --help`."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pytest_benchmark.fixture import BenchmarkFixture

MOST_SECONDS = 0.4

COMMANDS = {
    "a bare interpreter": ["-c", "pass"],
    "import earmark": ["-c", "import earmark"],
    "earmark --help": ["-m", "earmark", "--help"],
    "earmark score --help": ["-m", "earmark", "score", "--help"],
}


@pytest.mark.benchmark(group="start-up", disable_gc=True)
@pytest.mark.parametrize("name", COMMANDS)
def test_startup(benchmark: BenchmarkFixture, name: str) -> None:
    """A process from its start to its end, files cached; best of 15."""

    def start() -> bytes:
        return subprocess.run(  # noqa: S603 (our own interpreter)
            [sys.executable, *COMMANDS[name]], capture_output=True, check=True, timeout=60
        ).stdout

    said = benchmark.pedantic(start, rounds=15, warmup_rounds=2)
    assert bool(said) == name.endswith("--help")
    assert benchmark.stats.stats.min < MOST_SECONDS
