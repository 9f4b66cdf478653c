"""Units that fail a criterion: which they are, and how many others may.

A unit fails a criterion if anybody says so in the last round. The limits say how many fail among the units nobody looked at, by
the hypergeometric distribution: they are a finite number, and so many of each facet were drawn without replacement. The binomial
limit beside it is for units that the same recipe would go on to make.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from earmark.manifests.rows import optional_text, text
from earmark.scoring.panels.agreement import GROUP, ITEM
from earmark.statistics.kappa import MISSING
from earmark.statistics.upper_limits import failing_at_most, rate_at_most

if TYPE_CHECKING:
    from earmark.manifests.panels import Panel
    from earmark.manifests.release import Release
    from earmark.scoring.panels.sheets import Labels

MET, FAILED = 0, 1
"""Whether a rater says that a unit meets a criterion; `MISSING` where nothing counts."""

ANY = "any"
"""Stands for all criteria together among the limits."""

ALL_SEEN = "every one of them was looked at"
NONE_SEEN = "none was looked at"


@dataclass(frozen=True, kw_only=True)
class Limit:
    """How many of the units that nobody looked at may fail.

    Args:
        criterion: The criterion, or `any` of them.
        failed: Units that fail it, by what anybody said in the last round.
        looked_at: Units that anybody said anything of.
        population: Units that the sample was drawn from.
        level: Coverage of the limits, one-sided.
        unseen: Units that nobody looked at.
        at_most: Of those, how many fail at most; None where undefined.
        rate: The same as a share of them.
        rate_of_more: The share that fails at most of what the same recipe would go on to make.
        reason: Why a limit is undefined, or what it takes for granted.
    """

    criterion: str
    failed: int
    looked_at: int
    population: int
    level: float
    unseen: int
    at_most: int | None
    rate: float | None
    rate_of_more: float | None
    reason: str | None = None


@dataclass(frozen=True)
class Failure:
    """A unit that fails a criterion.

    Args:
        unit: Id of the group or item.
        items: Its items.
        criterion: The criterion.
        raters: Who says so.
    """

    unit: str
    items: tuple[str, ...]
    criterion: str
    raters: tuple[str, ...]


def unit_level(panel: Panel) -> str:
    """What the units of a panel are."""
    return GROUP if any(entry.group is not None for entry in panel.entries) else ITEM


def limits(
    release: Release, panel: Panel, said: Labels, names: Sequence[str], units: Sequence[str], level: float
) -> list[Limit]:
    """How many units may fail among those that nobody looked at, for each criterion and for all together.

    Args:
        release: The release that the panel was drawn from.
        panel: The panel.
        said: (raters, units, criteria) `MET`, `FAILED` or `MISSING`.
        names: The criteria.
        units: The units.
        level: Coverage of each limit.
    """
    facet_of = _facets(release, panel)
    facets = list(dict.fromkeys(facet_of[unit] for unit in units))
    there = Counter(facet_of.values())
    sizes = [there[facet] for facet in facets]
    found = []
    for name in (*names, ANY):
        here = said if name == ANY else said[:, :, [names.index(name)]]
        fails = (here == FAILED).any(axis=(0, 2))
        # Who meets all criteria must have been asked about all of them.
        seen = fails | (here != MISSING).any(axis=0).all(axis=1)
        looked_at = Counter(facet_of[unit] for unit, looked in zip(units, seen.tolist(), strict=True) if looked)
        drawn, failed = [looked_at[facet] for facet in facets], int(fails.sum())
        unseen, known = sum(sizes) - sum(drawn), any(drawn)
        at_most = failing_at_most(failed, drawn, sizes, level) - failed if known and unseen else None
        found.append(
            Limit(
                criterion=name,
                failed=failed,
                looked_at=sum(drawn),
                population=sum(sizes),
                level=level,
                unseen=unseen,
                at_most=at_most,
                rate=None if at_most is None else at_most / unseen,
                rate_of_more=rate_at_most(failed, sum(drawn), level) if known else None,
                reason=_unlike(drawn, sizes) if at_most is not None else (ALL_SEEN if known else NONE_SEEN),
            )
        )
    return found


def _facets(release: Release, panel: Panel) -> dict[str, str]:
    """The facet of every unit of the release."""
    grouped = unit_level(panel) == GROUP
    found: dict[str, str] = {}
    for row in release.table("items").to_pylist():
        unit = optional_text(row, "group") if grouped else text(row, "item_id")
        if unit is not None:
            found[unit] = text(row, "facet")
    return found


def _unlike(drawn: Sequence[int], sizes: Sequence[int]) -> str | None:
    """What a limit takes for granted where facets were not looked at alike."""
    shares = [n / size for n, size in zip(drawn, sizes, strict=True)]
    if max(shares) == min(shares):
        return None
    return f"{min(shares):.1%} to {max(shares):.1%} of a facet was looked at: the limit takes it that facets fail alike"


def failures(
    panel: Panel, raters: Sequence[str], units: Sequence[str], said: Labels, names: Sequence[str]
) -> list[Failure]:
    """Every unit and criterion that it fails, by unit.

    Args:
        panel: The panel.
        raters: Who rated.
        units: The units.
        said: (raters, units, criteria) `MET`, `FAILED` or `MISSING`.
        names: The criteria.
    """
    found, entries = [], panel.units
    for n, unit in sorted(enumerate(units), key=lambda each: each[1]):
        items = tuple(entry.item for entry in entries[unit])
        for at, name in enumerate(names):
            saying = tuple(
                rater for rater, label in zip(raters, said[:, n, at].tolist(), strict=True) if label == FAILED
            )
            if saying:
                found.append(Failure(unit, items, name, saying))
    return found


def withdrawals_csv(failures: Sequence[Failure]) -> str:
    """The failures as CSV, a row for each item and criterion."""
    rows = [
        f"{item},{failure.unit},{failure.criterion},{' '.join(failure.raters)}\n"
        for failure in failures
        for item in failure.items
    ]
    return "".join(["item_id,unit_id,criterion,raters\n", *rows])


def withdrawals_text(failures: Sequence[Failure]) -> str:
    """Ids of the items that fail anything, a line each: both turns of a dialogue go."""
    return "".join(f"{item}\n" for item in sorted({item for failure in failures for item in failure.items}))
