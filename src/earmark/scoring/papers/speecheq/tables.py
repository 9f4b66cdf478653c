"""The printed tables of SpeechEQ, and the whole numbers of right answers that stand behind them.

What is printed stands in `tables.toml`, as digits; the counts in `counts.toml`. Nothing here is computed: the tests search every
count that gives the digits again, and the cells of `earmark paper speecheq` are made of the counts alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files

import msgspec

TABLES_TOML = files(__package__).joinpath("tables.toml").read_text(encoding="utf-8")
COUNTS_TOML = files(__package__).joinpath("counts.toml").read_text(encoding="utf-8")

RANDOM = "Random Baseline"
"""The row of Table 3 that is of no system."""

ACCURACIES = ("acc_1", "acc_2", "acc_traj")
"""Right at turn 4, right at turn 6, right at both: the columns of Tables 1, 3 and 6."""

BASELINE = "Baseline"
"""The persona that is none."""


class Accuracies(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A row of Table 1, in percent, or the beginning of one of Table 3, in shares; digits as printed."""

    acc_1: str
    acc_2: str
    acc_traj: str


class SystemRow(Accuracies, frozen=True, forbid_unknown_fields=True):
    """A row of Table 3: cost in dollars for 100 questions, latency in seconds; empty where a dash is printed."""

    seq: str
    cost: str = ""
    latency: str = ""


class Ranking(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A column of Table 4: ranks of models A to F, and how they correlate with people's; empty for people's own."""

    ranks: list[int]
    rho: str = ""
    p: str = ""


class Tables(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All that is printed; accuracies of Table 6 in the order of `ACCURACIES`, by persona and composite."""

    table_1: dict[str, Accuracies]
    table_2: dict[str, str]
    table_3: dict[str, SystemRow]
    table_4: dict[str, Ranking]
    table_6: dict[str, dict[str, list[str]]]
    section_4_4: dict[str, str]


class Right(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Right answers of a row out of `total` dialogues; None where no count stands behind a figure."""

    total: int
    acc_traj: int
    acc_1: int | None = None
    acc_2: int | None = None

    def of(self, accuracy: str) -> int | None:
        """The count behind one of `ACCURACIES`."""
        return {"acc_1": self.acc_1, "acc_2": self.acc_2, "acc_traj": self.acc_traj}[accuracy]


class Passed(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"passed": "pass"}):
    """Ratings that were a pass, out of `total`."""

    total: int
    passed: int


class Each(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Several counts out of one total: by model in Table 4, by accuracy in Table 6."""

    total: int
    right: list[int]


class Counts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The counts behind the tables."""

    table_1: dict[str, Right]
    table_2: dict[str, Passed]
    table_3: dict[str, Right]
    table_4: dict[str, Each]
    table_6: dict[str, dict[str, Each]]


def read_tables(text: str = TABLES_TOML) -> Tables:
    """Read printed tables.

    Args:
        text: TOML in the form of `tables.toml`.

    Raises:
        ValueError: If it is no TOML or of another form.
    """
    return msgspec.toml.decode(text, type=Tables)


def read_counts(text: str = COUNTS_TOML) -> Counts:
    """Read the counts behind printed tables.

    Args:
        text: TOML in the form of `counts.toml`.

    Raises:
        ValueError: If it is no TOML or of another form.
    """
    return msgspec.toml.decode(text, type=Counts)


def trajectories(by_composite: Mapping[str, Each]) -> tuple[int, int]:
    """Dialogues of a persona with both turns right, and all of them, over the composites."""
    at = ACCURACIES.index("acc_traj")
    return sum(each.right[at] for each in by_composite.values()), sum(each.total for each in by_composite.values())
