"""What was got of each dialogue, against a slow twin, and that the figures of a report are its means."""

from __future__ import annotations

import csv
import io
from fractions import Fraction
from statistics import fmean

import pytest
from hypothesis import given, settings
from tests.scoring.dialogues.slow_dialogues import OneDialogue
from tests.scoring.dialogues.studies import Study, decisions_of, release_of, studies
from tests.support.dialogue_releases import item_id

from earmark.scoring.dialogues.figures import figures, number
from earmark.scoring.dialogues.gold import read_gold
from earmark.scoring.dialogues.listing import METRICS, listed
from earmark.scoring.dialogues.marks import mark
from earmark.scoring.listing import Listed, items_csv


def rows_of(study: Study) -> Listed:
    return listed(release_of(study), decisions_of(study))


@settings(max_examples=25)
@given(studies())
def test_each_row_is_that_of_the_twin(study: Study) -> None:
    rows = {row["item_1"]: row for row in rows_of(study)}
    assert rows.keys() == {item_id(n, 0) for n in range(len(study.dialogues))}
    for n, dialogue in enumerate(study.dialogues):
        row, twin = rows[item_id(n, 0)], OneDialogue(n, study)
        assert (row["item_2"], row["facet"]) == (item_id(n, 1), dialogue.facet)
        first, second, votes = twin.right(0), twin.right(1), [Fraction(twin.vote(turn)) for turn in (0, 1)]
        right = {
            "acc_traj": twin.paths()[0],
            "acc_1": first,
            "acc_2": second,
            "acc_all": (first + second) / 2,
            "acc_traj_vote": votes[0] * votes[1],
            "acc_1_vote": votes[0],
            "acc_2_vote": votes[1],
            "acc_all_vote": sum(votes) / 2,
            "failed": twin.failed(),
        }
        assert {name: row[name] for name in right} == pytest.approx(
            {name: float(value) for name, value in right.items()}
        )


@settings(max_examples=25)
@given(studies())
def test_figures_are_means_of_the_rows(study: Study) -> None:
    rows = rows_of(study)
    every = figures(mark(read_gold(release_of(study)), decisions_of(study)))
    numbering = number("dialogue", every)
    checked = 0
    for figure in every:
        kind, _, name = figure.slice.partition(":")
        if figure.metric not in METRICS or kind == "failure":
            continue
        here = [
            row for row in rows if figure.facet in ("overall", row["facet"]) and (kind == "all" or row[kind] == name)
        ]
        mean = fmean(float(row[figure.metric] or 0.0) for row in here) if here else None
        assert figure.statistic(numbering).value() == pytest.approx(mean)
        checked += 1
    assert checked >= len(METRICS)


@settings(max_examples=10)
@given(studies())
def test_a_table_reads_back(study: Study) -> None:
    rows = rows_of(study)
    read = list(csv.DictReader(io.StringIO(items_csv(rows))))
    assert [row["group"] for row in read] == [row["group"] for row in rows]
    for one, other in zip(read, rows, strict=True):
        assert one["valence"] == (other["valence"] or "")
        assert float(one["acc_traj"]) == pytest.approx(other["acc_traj"], rel=1e-5)


def test_of_no_rows_there_is_no_table() -> None:
    assert items_csv([]) == ""
