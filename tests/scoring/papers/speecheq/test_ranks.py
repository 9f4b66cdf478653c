"""Table 4 against SciPy, and its counts against the authors' public predictions."""

from __future__ import annotations

import json
from itertools import permutations
from pathlib import Path

import pytest
from scipy.stats import rankdata, spearmanr

from earmark.scoring.papers.speecheq.ranks import MODELS, level_models, of_counts, of_printed, ties_broken
from earmark.scoring.papers.speecheq.tables import read_counts, read_tables

TABLES, COUNTS = read_tables(), read_counts()
HUMAN = TABLES.table_4["human"].ranks
COLUMNS = [column for column in TABLES.table_4 if column != "human"]
FILES = {"B": "qwen3-omni-30b-a3b-instruct_001_ser_raw_llm", "D": "gpt-audio-1.5", "E": "qwen2.5-omni-7b_001"}


@pytest.mark.parametrize("column", COLUMNS)
def test_correlations_are_scipy_s(column: str) -> None:
    printed, public = of_printed(TABLES, column), of_counts(TABLES, COUNTS, column)
    ranks, right = TABLES.table_4[column].ranks, COUNTS.table_4[column].right
    assert printed.value == pytest.approx(spearmanr(HUMAN, ranks).statistic)
    assert printed.p_t == pytest.approx(spearmanr(HUMAN, ranks).pvalue)
    assert public.value == pytest.approx(spearmanr(HUMAN, [-one for one in right]).statistic)


@pytest.mark.parametrize("column", COLUMNS)
def test_printed_ranks_are_those_of_the_counts_but_for_ties(column: str) -> None:
    ranks, right = TABLES.table_4[column].ranks, COUNTS.table_4[column].right
    assert all((right[a] > right[b]) <= (ranks[a] < ranks[b]) for a, b in permutations(range(6), 2))
    same = list(rankdata([-one for one in right], method="min")) == ranks
    assert same == (column in ("acc_1", "acc_2"))


def test_with_ties_the_order_reverses() -> None:
    printed = [of_printed(TABLES, column).value for column in ("acc_all", "seq")]
    public = [of_counts(TABLES, COUNTS, column).value for column in ("acc_all", "seq")]
    assert printed == sorted(printed)
    assert public == sorted(public, reverse=True)
    assert max((of_counts(TABLES, COUNTS, column).value or 0, column) for column in COLUMNS)[1] == "acc_all"


def test_the_printed_way_to_break_the_tie_is_the_best() -> None:
    ways = ties_broken(TABLES, COUNTS, "seq")
    ranks = [1, 2, 0, 3, 0, 0]
    tried = []
    for places in permutations((4, 5, 6)):
        for model, place in zip((2, 4, 5), places, strict=True):
            ranks[model] = place
        tried.append(spearmanr(HUMAN, ranks).statistic)
    assert list(ways) == pytest.approx(sorted(tried, reverse=True))
    assert ways[0] == of_printed(TABLES, "seq").value
    assert ways[0] > ways[1]
    assert level_models(COUNTS.table_4["seq"].right) == "C = E = F"


def test_counts_add_up() -> None:
    first, second, all, both = (COUNTS.table_4[column].right for column in COLUMNS)
    assert [a + b for a, b in zip(first, second, strict=True)] == all
    assert all_within(first, second, both)


def all_within(first: list[int], second: list[int], both: list[int]) -> bool:
    return all(max(0, a + b - 15) <= t <= min(a, b) for a, b, t in zip(first, second, both, strict=True))


@pytest.mark.parametrize("model", FILES)
def test_counts_are_those_of_the_public_predictions(model: str, shared_data: Path) -> None:
    file = shared_data / "speecheq_predictions" / f"{FILES[model]}.json"
    responses = json.loads(file.read_text(encoding="utf-8"))["responses"]
    first, second = ([one[f"sentence_{turn}"]["correct"] for one in responses] for turn in (4, 6))
    both = [a and b for a, b in zip(first, second, strict=True)]
    at = MODELS.index(model)
    found = [sum(first), sum(second), sum(first) + sum(second), sum(both)]
    assert found == [COUNTS.table_4[column].right[at] for column in COLUMNS]
