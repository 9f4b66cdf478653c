"""An offline release of 150 dialogues, eight clips each: written, spoken, measured, passed through the gate, balanced and cut."""

from __future__ import annotations

import tomllib
from collections import Counter
from typing import TYPE_CHECKING

from earmark.builders.dialogues import DEFAULT_RECIPE
from earmark.builders.making import Order, make
from earmark.validation.invariants import validate

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_benchmark.fixture import BenchmarkFixture

    from earmark.builders.making import Made

PER_SUBSCALE = 10
DIALOGUES = 15 * PER_SUBSCALE


def test_an_offline_build_of_150_dialogues(benchmark: BenchmarkFixture, tmp_path: Path) -> None:
    recipe = tomllib.loads(DEFAULT_RECIPE)
    recipe["dialogues"]["per_subscale"] = PER_SUBSCALE
    key = tmp_path / "key"
    key.write_bytes(bytes(32))
    runs = iter(range(100))

    def build() -> Made:
        # A folder of its own for each run: what was spoken before would not be spoken again.
        out = tmp_path / f"run-{next(runs)}" / "release"
        out.parent.mkdir()
        order = Order(family="dialogues", recipe=recipe, base=out.parent, out=out, key=key, jobs=2)
        return make(order, lambda *_: None)

    made = benchmark.pedantic(build, rounds=1, iterations=1)
    release = made.release
    assert release is not None
    assert validate(release).exit_code == 0
    groups = Counter(release.table("items")["group"].to_pylist())
    assert len(groups) == DIALOGUES
    clips = release.table("clips")["duration"].to_pylist()
    assert len(clips) == 8 * DIALOGUES
    benchmark.extra_info.update(dialogues=DIALOGUES, clips=len(clips), minutes_of_speech=sum(clips) / 60)
