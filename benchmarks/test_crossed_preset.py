"""The `crossed` preset at the corpora's true sizes: every criterion chosen exactly, on one core, the gap printed.

Clips are in the numbers of the real test splits, their texts and lengths made up (`tests/support/true_sizes.py`); nothing but
length and words is balanced. `pytest benchmarks/test_crossed_preset.py --benchmark-only -s` prints the table.
"""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

import pytest
from tests.support.true_sizes import ears, expresso, svc

from earmark.builders.pairs.choosing import choose, plan_blocks
from earmark.builders.pairs.columns import Columns
from earmark.builders.pairs.presets import with_preset
from earmark.builders.pairs.recipe import PairsRecipe
from earmark.builders.pairs.sound import measures
from earmark.builders.recipes import check_recipe
from earmark.manifests.findings import Findings

if TYPE_CHECKING:
    from pytest_benchmark.fixture import BenchmarkFixture

SIZES = {"style": 1440, "rate": 180, "emphasis": 860, "age": 1520, "gender": 1008}


@pytest.fixture(scope="module")
def columns() -> Columns:
    """95,272 utterances."""
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    rows = sorted(expresso() + ears() + svc(), key=lambda row: str(row["utterance"]))
    return Columns(rows, measures(rows, [None] * len(rows)))


@pytest.mark.parametrize("criterion", SIZES)
def test_crossed_preset(benchmark: BenchmarkFixture, columns: Columns, criterion: str) -> None:
    """Demands the preset's quotas of one criterion, whose blocks are planned first."""
    head = {"release": {"name": "x", "version": "1.0.0"}, "corpora": {"expresso": {"root": "."}}}
    recipe = check_recipe(with_preset(head), PairsRecipe)
    ((asked, blocks),) = plan_blocks(recipe, columns, [criterion], Findings()).items()
    began = time.process_time()
    chosen = benchmark.pedantic(choose, args=(asked, blocks, recipe, bytes(32), Findings()), rounds=1)
    spent = time.process_time() - began
    (solve,) = chosen.allocation.solves
    print(
        f"\n{criterion}: {len(chosen.columns)} clips, {len(chosen.cells)} cells, {solve.edges} edges, {solve.filled} pairs, "
        f"gap {solve.gap:.1g}, {spent:.1f} s of CPU"
    )
    assert solve.filled == SIZES[criterion] == sum(cell.demand or 0 for cell in chosen.cells)
    assert solve.gap <= 1e-4
