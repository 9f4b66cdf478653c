"""Every printed figure comes out of the counts, and a digit that is changed is a difference."""

from __future__ import annotations

import msgspec
import pytest
from tests.scoring.papers.speecheq.mutations import mutated, printed_paths

from earmark.scoring.papers.speecheq.cells import LOCAL, paper_values, worked_values
from earmark.scoring.papers.speecheq.tables import Counts, read_counts, read_tables


def test_all_200_figures_are_there_and_none_is_unexplained() -> None:
    cells = paper_values()
    assert len(cells) == len({(cell.case, cell.quantity) for cell in cells}) == 200
    assert [cell.problem for cell in cells] == [None] * 200
    by_table = [sum(cell.case.startswith(f"Table {n},") for cell in cells) for n in (1, 2, 3, 4, 6)]
    assert by_table == [9, 5, 52, 8, 120]


def test_what_is_explained_is_known() -> None:
    explained = {
        (cell.case, cell.quantity): (cell.printed, cell.known, cell.corrected) for cell in paper_values() if cell.why
    }
    assert explained == {
        ("Table 3, Random Baseline", "Acc_traj"): ("0.250", 0.252, None),
        ("Table 4, with people", "Acc1, p"): ("0.046", 0.067, None),
        ("Table 4, with people", "Acc2, p"): ("0.039", 0.067, 0.038),
        ("Table 4, with people", "Acc_all, rho"): ("0.886", 0.928, None),
        ("Table 4, with people", "Acc_all, p"): ("0.018", 0.033, 0.019),
        ("Table 4, with people", "SEQ, rho"): ("0.943", 0.880, None),
        ("Table 4, with people", "SEQ, p"): ("0.005", 0.017, None),
    }


def test_every_changed_digit_is_an_unexplained_difference() -> None:
    paths = [path for path in printed_paths(msgspec.to_builtins(read_tables())) if not _of_service(path)]
    assert len(paths) == 200
    assert [cell.quantity for cell in worked_values(mutated(*paths)) if cell.problem is None] == []
    for path in paths[::12]:
        problems = [cell for cell in worked_values(mutated(path)) if cell.problem is not None]
        assert len(problems) == 1, path


def _of_service(path: tuple[str | int, ...]) -> bool:
    return path[-1] == "cost" and path[1] not in LOCAL


@pytest.mark.parametrize("by", [-1, 1])
def test_another_count_of_trajectories_is_another_seq(by: int) -> None:
    for name, of in read_counts().table_3.items():
        plain = msgspec.to_builtins(read_counts())
        plain["table_3"][name]["acc_traj"] = of.acc_traj + by
        problems = [cell for cell in worked_values(counts=msgspec.convert(plain, Counts)) if cell.problem is not None]
        assert (f"Table 3, {name}", "SEQ") in {(cell.case, cell.quantity) for cell in problems}


def test_another_count_of_table_6_is_a_difference_there_and_in_seq() -> None:
    plain = msgspec.to_builtins(read_counts())
    plain["table_6"]["Adaptive"]["interpersonal"]["right"][2] += 1
    problems = [cell for cell in worked_values(counts=msgspec.convert(plain, Counts)) if cell.problem is not None]
    assert [(cell.case, cell.quantity) for cell in problems] == [
        ("Table 6, Adaptive", "Interpersonal, Acc_traj"),
        ("Section 4.4, persona", "Adaptive, SEQ"),
    ]
