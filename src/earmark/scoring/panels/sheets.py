"""Raters' sheets as they come back: each read by the strict checker of predictions, its ids turned back into items.

A sheet is a prediction file whose ids are those of one rater's sheet, so it needs no name in it: whose it is, its ids say. Rows
with another rater's ids do not count. What is wrong is a finding, and what is good is used.

A second round of sheets has some of the questions alone; see `rounds`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from earmark.manifests.choices import choices_of
from earmark.manifests.errors import EarmarkError
from earmark.manifests.findings import Findings, Severity, declare
from earmark.manifests.rows import text
from earmark.scoring.decisions import Decisions, Outcome, Owed, check_declared_release, decide
from earmark.scoring.submissions import Limits, read_submission
from earmark.statistics.kappa import MISSING

if TYPE_CHECKING:
    from earmark.manifests.panels import Asked, Entry, Panel
    from earmark.manifests.release import Release
    from earmark.scoring.submissions import Submission

NO_RATER = declare("panel.no-rater", Severity.ERROR, "no row of the file is of a sheet of this panel")
OTHER_RATER = declare("panel.other-rater", Severity.ERROR, "the row is of another rater's sheet; it does not count")
OTHER_NAME = declare("panel.other-name", Severity.WARNING, "the file is named after another rater than its sheet is of")
TWICE = declare("panel.rater-twice", Severity.ERROR, "a rater's sheet comes in a second file, which does not count")
NO_SHEET = declare("panel.no-sheet", Severity.WARNING, "a rater's sheet is not there")
SECOND_RUN = declare(
    "panel.run", Severity.ERROR, "a sheet is filled in once, so its only run is 0; the row does not count"
)
NOT_OFFERED = declare("panel.not-offered", Severity.ERROR, "the question does not offer this answer; it does not count")
EARLIER = declare(
    "panel.earlier-release",
    Severity.NOTE,
    "the panel was drawn from an earlier version; what was withdrawn since is left out",
)
Labels: TypeAlias = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Rated:
    """What the raters of a panel said.

    Args:
        raters: Those whose sheet came, in the panel's order.
        entries: The panel's items, by id.
        labels: (raters, entries) index of what each said into the family's golds, `MISSING` where it said nothing that counts.
        outcomes: For each rater, how many questions came to which outcome.
        units: The units that topics are asked about, in the panel's order.
        topics: The panel's criteria, then its systems, by name.
        answers: (raters, units, topics) index of what each said into the topic's choices, or `MISSING`.
    """

    raters: tuple[str, ...]
    entries: tuple[Entry, ...]
    labels: Labels
    outcomes: Mapping[str, Mapping[str, int]]
    units: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    answers: Labels = field(default_factory=lambda: np.zeros((0, 0, 0), np.int64))


def read_sheets(
    release: Release, panel: Panel, files: Sequence[Path], findings: Findings, *, round_2: bool = False
) -> Rated:
    """Read the sheets of a panel.

    Args:
        release: The release that it was drawn from, or a later version of it that only withdrawals part from that one; its
            private side is not needed.
        panel: The panel as it was drawn. What is left of it in this version, which `Panel.left_in` gives, is what is read.
        files: One file for each rater: CSV, JSON Lines or Parquet.
        findings: Where problems go.
        round_2: Whether it is a second round, in which nothing is missing that is not there.

    Raises:
        ReleaseError: If the panel is not of this release.
        EarmarkError: If a file is not there.
    """
    left = panel.left_in(release)
    if left is not panel and not round_2:
        here, gone = release.manifest, len(panel.entries) - len(left.entries)
        findings.add(
            EARLIER,
            id=panel.name,
            found=panel.release,
            expected=f"{here.name}@{here.version}, without {gone} of its items",
        )
    for file in files:
        if not file.is_file():
            raise EarmarkError(f"cannot read {file}: no such file")
    reader = _Reader(release, panel, left, findings, round_2=round_2)
    found: dict[str, tuple[str, _Sheet]] = {}
    for file in files:
        submission = read_submission(
            file,
            choices=reader.choices,
            probability=release.family.probability,
            findings=findings,
            limits=Limits.owing(max(len(panel.questions(rater)) for rater in panel.raters)),
        )
        check_declared_release(release, submission.declared, submission.name, findings)
        rater = reader.rater_of(submission)
        if rater is None:
            continue
        if rater in found:
            findings.add(TWICE, file=file.name, found=rater, expected=f"only {found[rater][0]}")
            continue
        found[rater] = (file.name, reader.sheet(submission, rater))
    for rater in panel.raters:
        if rater not in found and not round_2:
            findings.add(NO_SHEET, id=rater)
    raters = tuple(rater for rater in panel.raters if rater in found)
    sheets = [found[rater][1] for rater in raters]
    return Rated(
        raters,
        left.entries,
        np.stack([reader.no_labels, *(sheet.labels for sheet in sheets)])[1:],
        {rater: found[rater][1].outcomes for rater in raters},
        tuple(reader.units),
        tuple(reader.topics),
        np.stack([reader.no_answers, *(sheet.answers for sheet in sheets)])[1:],
    )


@dataclass(frozen=True, eq=False)
class _Sheet:
    """What one rater said; see `Rated`."""

    labels: Labels
    answers: Labels
    outcomes: Mapping[str, int]


class _Reader:
    """What is looked up for every sheet."""

    def __init__(self, release: Release, drawn: Panel, panel: Panel, findings: Findings, *, round_2: bool) -> None:
        self.family, self.panel, self.findings, self.round_2 = release.family, panel, findings, round_2
        self.sheets = {rater: {asked.id: asked for asked in panel.questions(rater)} for rater in panel.raters}
        self.owner = {asked.id: rater for rater in drawn.raters for asked in drawn.questions(rater)}
        self.withdrawn = self.owner.keys() - {id for sheet in self.sheets.values() for id in sheet}
        self.place = {entry.item: n for n, entry in enumerate(panel.entries)}
        self.topics = panel.topics
        self.choices = tuple(
            dict.fromkeys((*self.family.choices, *(name for names in self.topics.values() for name in names)))
        )
        checks = {entry.unit for entry in panel.entries if entry.check}
        self.units = {unit: n for n, unit in enumerate(unit for unit in panel.units if unit not in checks)}
        self.no_labels = np.full(len(panel.entries), MISSING)
        self.no_answers = np.full((len(self.units), len(self.topics)), MISSING)
        wanted = {entry.presentation for entry in panel.entries}
        prompts = {text(row, "prompt_id"): text(row, "answer") for row in release.table("prompts").to_pylist()}
        self.order: dict[str, str] = {}
        self.offered: dict[str, tuple[str, ...]] = {}
        for row in release.table("presentations").to_pylist():
            if (id := text(row, "presentation_id")) in wanted:
                self.order[id] = text(row, "order")
                self.offered[id] = tuple(choices_of(self.family, prompts[text(row, "prompt_id")]))

    def rater_of(self, submission: Submission) -> str | None:
        """Whose sheet a file is: whose ids most of its rows have."""
        ids = [row.presentation_id for row in submission.rows]
        owners = Counter(self.owner[id] for id in ids if id in self.owner)
        if not owners:
            if ids:
                self.findings.add(
                    NO_RATER, file=submission.name, found=ids[0], expected="an id of a sheet of the panel"
                )
            return None
        rater = min(owners, key=lambda rater: (-owners[rater], self.panel.raters.index(rater)))
        stem = Path(submission.name).stem.casefold()
        named = [other for other in self.panel.raters if other.casefold() == stem]
        if named and named[0] != rater:
            self.findings.add(OTHER_NAME, file=submission.name, found=named[0], expected=rater)
        return rater

    def sheet(self, submission: Submission, rater: str) -> _Sheet:
        """What a rater said, and how many questions came to which outcome."""
        asked = self.sheets[rater]
        kept = self._without_others(submission, rater)
        named = {row.presentation_id for row in kept.rows} if self.round_2 else asked.keys()
        ids = sorted(asked.keys() & named)
        orders = tuple(self._order(asked[id]) for id in ids)
        owed = Owed(self.panel.protocol, tuple(ids), tuple(asked[id].unit for id in ids), orders)
        decisions = decide(owed, kept, self.family.grammar, self.choices, self.findings, withdrawn=self.withdrawn)
        labels, answers, stray = self.no_labels.copy(), self.no_answers.copy(), 0
        for at, choice in zip(decisions.presentation.tolist(), decisions.choice.tolist(), strict=True):
            if choice < 0:
                continue
            said, question = self.choices[choice], asked[ids[at]]
            offered = self._offered(question)
            if said not in offered:
                expected = f"one of {', '.join(offered)}"
                self.findings.add(NOT_OFFERED, file=submission.name, id=ids[at], found=said, expected=expected)
                stray += 1
            elif question.entry is not None:
                gold = self.family.decision(orders[at], said)
                labels[self.place[question.entry.item]] = self.family.golds.index(gold)
            else:
                topic = list(self.topics).index(str(question.topic))
                answers[self.units[question.unit], topic] = offered.index(said)
        counted = _outcomes(decisions)
        ok, unread = Outcome.OK.name.lower(), Outcome.UNPARSABLE.name.lower()
        return _Sheet(labels, answers, {**counted, ok: counted[ok] - stray, unread: counted[unread] + stray})

    def _order(self, asked: Asked) -> str:
        return "" if asked.entry is None else self.order[asked.entry.presentation]

    def _offered(self, asked: Asked) -> tuple[str, ...]:
        if asked.entry is not None:
            return self.offered[asked.entry.presentation]
        return self.topics[str(asked.topic)]

    def _without_others(self, submission: Submission, rater: str) -> Submission:
        """The rows of a rater's own sheet and of no sheet; the others are findings."""
        table = submission.table
        own = np.ones(table.num_rows, np.bool_)
        columns = (table[name].to_pylist() for name in ("presentation_id", "run", "line"))
        for n, (id, run, line) in enumerate(zip(*columns, strict=True)):
            if (owner := self.owner.get(id, rater)) != rater:
                own[n] = False
                self.findings.add(
                    OTHER_RATER, file=submission.name, row=line, id=id, found=owner, expected=f"only rows of {rater}"
                )
            elif run:
                own[n] = False
                self.findings.add(SECOND_RUN, file=submission.name, row=line, id=id, found=run, expected="0")
        bad = tuple(row for row in submission.bad if self.owner.get(row.presentation_id or "", rater) == rater)
        return replace(submission, table=table.filter(pc.equal(pa.array(own), True)), bad=bad)


def _outcomes(decisions: Decisions) -> dict[str, int]:
    outcomes = decisions.outcomes()
    counted = {outcome.name.lower(): int(np.count_nonzero(outcomes == outcome)) for outcome in Outcome}
    return {"owed": len(outcomes), **counted}
