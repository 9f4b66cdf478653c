"""The printed digits, typed once more where it matters, and the counts as the only ones that have them."""

from __future__ import annotations

from fractions import Fraction

import msgspec
import numpy as np
import pytest

from earmark.manifests.eqi import COMPOSITES
from earmark.scoring.norms import shipped_norm
from earmark.scoring.papers.speecheq.rounding import prints, reaching
from earmark.scoring.papers.speecheq.tables import (
    COUNTS_TOML,
    TABLES_TOML,
    read_counts,
    read_tables,
    trajectories,
)

TABLES, COUNTS = read_tables(), read_counts()
ALL = 2265


def test_every_table_has_its_rows() -> None:
    assert [len(TABLES.table_1), len(TABLES.table_2), len(TABLES.table_3), len(TABLES.table_4)] == [3, 5, 11, 5]
    assert len(TABLES.table_6) == 8
    for composites in TABLES.table_6.values():
        assert list(composites) == [composite.slug for composite in COMPOSITES]
        assert all(len(row) == 3 for row in composites.values())
    for table in ("table_1", "table_2", "table_3", "table_6"):
        assert list(getattr(TABLES, table)) == list(getattr(COUNTS, table))


def test_corners_of_the_tables() -> None:
    assert TABLES.table_1["Qwen3-30B"].acc_2 == "100.00"
    last = TABLES.table_3["gpt-audio-1.5"]
    assert (last.acc_1, last.acc_2, last.acc_traj, last.seq, last.cost) == ("0.555", "0.545", "0.317", "100.00", "5.63")
    assert TABLES.table_6["Baseline"]["self_perception"] == ["0.779", "0.691", "0.572"]
    assert TABLES.table_6["Deficit"]["stress_management"] == ["0.446", "0.481", "0.283"]
    assert TABLES.table_4["acc_2"].ranks == [1, 3, 5, 1, 5, 3]


def test_each_cell_of_table_6_has_one_count_and_it_is_that() -> None:
    for persona, composites in TABLES.table_6.items():
        for composite, row in composites.items():
            of = COUNTS.table_6[persona][composite]
            assert of.total == (452 if (persona, composite) == ("Baseline", "interpersonal") else 453)
            assert [list(reaching(digits, of.total)) for digits in row] == [[right] for right in of.right]
            first, second, both = of.right
            assert max(0, first + second - of.total) <= both <= min(first, second)


def test_baseline_interpersonal_has_no_counts_of_453() -> None:
    assert [len(reaching(digits, 453)) for digits in TABLES.table_6["Baseline"]["interpersonal"]] == [0, 0, 1]


def test_trajectories_of_personas_are_whole_and_the_baseline_s_is_table_3_s() -> None:
    found = {persona: trajectories(composites) for persona, composites in COUNTS.table_6.items()}
    printed = {persona: found[persona] for persona in TABLES.section_4_4}
    assert list(printed.values()) == [(1320, 2264), (1341, ALL), (1148, ALL), (1230, ALL), (398, ALL), (654, ALL)]
    row = COUNTS.table_3["Qwen3-Omni-30B"]
    assert (row.acc_traj, row.total) == found["Baseline"]


def by_hand(right: int, total: int) -> float:
    """SEQ in floats, from the two whole numbers of Table 3's norm."""
    return float(np.clip(100 + 15 * (right / total - 718 / ALL) / (1.4826 * 129 / ALL), 40, 160))


def test_one_count_of_table_3_has_the_digits_of_its_trajectories_and_of_its_seq() -> None:
    for name, row in TABLES.table_3.items():
        of, random = COUNTS.table_3[name], name == "Random Baseline"
        fits = [
            (right, total)
            for total in (ALL, ALL - 1)
            for right in range(total + 1)
            if abs(by_hand(right, total) - float(row.seq)) < 0.005
            and (random or prints(Fraction(right, total), row.acc_traj))
        ]
        assert (of.acc_traj, of.total) in fits
        assert [right for right, total in fits if total == ALL] == ([] if of.total < ALL else [of.acc_traj])


def test_no_other_whole_median_and_mad_give_the_seq_column() -> None:
    """Ten rows are counts of 2,265; the norm is found from their digits alone."""
    rows = [row for name, row in TABLES.table_3.items() if name not in ("Qwen3-Omni-30B", "Random Baseline")]
    fits = []
    for median in reaching("0.317", ALL):
        for mad in reaching("0.057", ALL):
            seqs = [
                [100 + 15 * (right - median) / (1.4826 * mad) for right in reaching(row.acc_traj, ALL)] for row in rows
            ]
            if all(any(abs(s - float(row.seq)) < 0.005 for s in one) for one, row in zip(seqs, rows, strict=True)):
                fits.append((median, mad))
    assert fits == [(718, 129)]


def test_the_shipped_norm_is_these_counts() -> None:
    rows = {system.name: (system.correct, system.total) for system in shipped_norm().systems}
    assert rows == {name: (of.acc_traj, of.total) for name, of in COUNTS.table_3.items()}


def test_counts_of_table_1_to_3_have_the_digits() -> None:
    for unit, table, counts in ((100, TABLES.table_1, COUNTS.table_1), (1, TABLES.table_3, COUNTS.table_3)):
        for name, row in table.items():
            of = counts[name]
            for right, digits in ((of.acc_1, row.acc_1), (of.acc_2, row.acc_2)):
                assert (right is None) == (name == "Random Baseline")
                assert right is None or right in reaching(digits, of.total, unit=unit)
            if of.acc_1 is not None and of.acc_2 is not None:
                assert max(0, of.acc_1 + of.acc_2 - of.total) <= of.acc_traj <= min(of.acc_1, of.acc_2)
    assert [of.passed for of in COUNTS.table_2.values()] == [150, 147, 139, 147, 141]


@pytest.mark.parametrize(
    "text", ["", "table_1 = 3", TABLES_TOML.replace("acc_traj", "acc_both"), "[", TABLES_TOML + "\n[x]\n"]
)
def test_other_forms_are_refused(text: str) -> None:
    with pytest.raises((msgspec.ValidationError, ValueError)):
        read_tables(text)
    with pytest.raises((msgspec.ValidationError, ValueError)):
        read_counts(text or COUNTS_TOML.replace("total", "of"))
