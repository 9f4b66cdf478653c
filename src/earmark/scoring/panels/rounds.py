"""Two rounds of sheets: raters discuss what they disagree on, and answer those questions again, alone.

Ids are those of the first round, so a sheet of the second one is read as strictly and needs no panel of its own.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from earmark.manifests.findings import Findings, Severity, declare
from earmark.statistics.kappa import MISSING

if TYPE_CHECKING:
    from earmark.manifests.panels import Asked, Panel
    from earmark.scoring.panels.sheets import Labels, Rated

AGREED = declare(
    "panel.agreed", Severity.WARNING, "a second round changes an answer on which the raters agreed in the first"
)
ALONE = declare(
    "panel.no-first-round", Severity.ERROR, "a rater's second sheet comes without a first one; it does not count"
)


def reconciled(first: Rated, second: Rated, findings: Findings) -> Rated:
    """What raters said in the end: in the second round where they said anything there, else in the first.

    Args:
        first: The first round.
        second: The second one, of the same panel; raters who have no sheet of the first do not count in it.
        findings: Told where an answer changes on which raters agreed, and of a second sheet without a first.
    """
    labels, answers = first.labels.copy(), first.answers.copy()
    later = {rater: n for n, rater in enumerate(second.raters)}
    for rater in later:
        if rater not in first.raters:
            findings.add(ALONE, id=rater)
    for n, rater in enumerate(first.raters):
        if rater not in later:
            continue
        for whole, new in ((labels[n], second.labels[later[rater]]), (answers[n], second.answers[later[rater]])):
            whole[new != MISSING] = new[new != MISSING]
    for id, before, after in (
        *zip((entry.item for entry in first.entries), first.labels.T, labels.T, strict=True),
        *(
            (f"{unit} {topic}", first.answers[:, u, t], answers[:, u, t])
            for u, unit in enumerate(first.units)
            for t, topic in enumerate(first.topics)
        ),
    ):
        if len(before) > 1 and agreed(before) and (before != after).any():
            findings.add(AGREED, id=id)
    return replace(first, labels=labels, answers=answers)


def agreed(labels: Labels) -> bool:
    """Whether all raters of something said the same, and all said something."""
    return bool((labels != MISSING).all() and (labels == labels[0]).all())


def disputed(panel: Panel, rated: Rated) -> frozenset[str]:
    """Ids of all questions, on the sheets of raters who said anything, on which two of them differ."""
    item_at = {entry.item: n for n, entry in enumerate(rated.entries)}
    unit_at = {unit: n for n, unit in enumerate(rated.units)}
    topic_at = {topic: n for n, topic in enumerate(rated.topics)}

    def said(asked: Asked) -> Labels:
        if asked.entry is not None:
            return rated.labels[:, item_at[asked.entry.item]]
        return rated.answers[:, unit_at[asked.unit], topic_at[str(asked.topic)]]

    return frozenset(
        asked.id
        for rater in rated.raters
        for asked in panel.questions(rater)
        if not (asked.entry is not None and asked.entry.check) and len(set(said(asked).tolist()) - {MISSING}) > 1
    )
