"""The pairs behind the tables: as many as are printed, with as many right answers as the counts say."""

from __future__ import annotations

from collections import Counter

import pytest
from tests.scoring.papers.parapair.printed import TABLES, sizes

from earmark.manifests.families.pairs import BOTH_BAD, BOTH_GOOD, CRITERIA, CROSS, NON_TIE, SAME, TIE
from earmark.manifests.report import ALL
from earmark.scoring.papers.parapair.counts import solve
from earmark.scoring.papers.parapair.study import Study, pairs_of, study


def models() -> Study:
    return study(sizes(), {judge: solve(sizes(), judge) for judge in TABLES.models})


def people() -> Study:
    return study(sizes(), {TABLES.humans: solve(sizes(), TABLES.humans)})


def test_pairs_of_models_are_those_of_table_1() -> None:
    pairs = [pair for cell in models().cells for pair in pairs_of(cell)]
    assert len(pairs) == len({pair.item for pair in pairs}) == 5175
    kinds = Counter((pair.criterion, pair.kind) for pair in pairs)
    assert {c: kinds[c, NON_TIE] for c in CRITERIA} == TABLES.non_tie
    assert {c: kinds[c, BOTH_GOOD] + kinds[c, BOTH_BAD] for c in CRITERIA} == TABLES.tie
    for criterion in ("style", "age", "gender"):
        assert kinds[criterion, BOTH_GOOD] == kinds[criterion, BOTH_BAD]
    assert kinds["emphasis", BOTH_GOOD] == 0
    words = Counter((pair.criterion, pair.transcript) for pair in pairs)
    assert {c: words[c, SAME] for c in CRITERIA} == {
        "style": 362, "rate": 375, "emphasis": 445, "age": 750, "gender": 500
    }  # fmt: skip
    # 47.0 and 53.0 % are printed of all pairs.
    same = sum(words[criterion, SAME] for criterion in CRITERIA)
    assert (same, 5175 - same) == (2432, 2743)


def test_sides_alternate_and_ties_have_none() -> None:
    for cell in models().cells:
        golds = Counter(pair.gold for pair in pairs_of(cell))
        if cell.kind == TIE:
            assert golds == {TIE: cell.pairs}
        else:
            assert abs(golds["first"] - golds["second"]) <= 1


def test_people_saw_50_pairs_of_each_criterion_in_one_order() -> None:
    here = people()
    assert (here.orders, here.shown) == (("12",), 6)
    assert {c: sum(cell.pairs for cell in here.cells if cell.criterion == c) for c in CRITERIA} == dict.fromkeys(
        CRITERIA, 50
    )


@pytest.mark.parametrize("judge", TABLES.judges)
def test_right_answers_are_the_counts_in_every_part(judge: str) -> None:
    here = people() if judge == TABLES.humans else models()
    right = here.right(judge)
    for criterion, counts in solve(sizes(), judge).items():
        found = {
            ALL: sum(n for cell, n in right.items() if cell.criterion == criterion),
            **{
                kind: sum(n for cell, n in right.items() if (cell.criterion, cell.kind) == (criterion, kind))
                for kind in (NON_TIE, TIE)
            },
            **{
                words: sum(n for cell, n in right.items() if (cell.criterion, cell.transcript) == (criterion, words))
                for words in (SAME, CROSS)
            },
        }
        assert {part: found[part] for part, n in counts.parts.items() if n is not None} == {
            part: n for part, n in counts.parts.items() if n is not None
        }
    assert all(0 <= n <= here.shown * cell.pairs for cell, n in right.items())
