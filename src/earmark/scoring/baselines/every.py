"""All rules of a family, those that stand in reports and those that are only written as files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from earmark.scoring.baselines.answers import MAJORITY, ORACLE

if TYPE_CHECKING:
    from earmark.scoring.baselines.rule import Baseline
    from earmark.scoring.families import Marks


def every_baseline(marks: Marks) -> tuple[Baseline, ...]:
    """Rules of a family: `BASELINES`, which stand in its reports, `FURTHER_BASELINES` if it has any, then those of any family.

    Of several that would be written to one file the first is kept, so that a family may have a `majority` of its own.
    """
    rules: dict[str, Baseline] = {}
    for rule in (*marks.BASELINES, *getattr(marks, "FURTHER_BASELINES", ()), MAJORITY, ORACLE):
        rules.setdefault(rule.stem.casefold(), rule)
    return tuple(rules.values())
