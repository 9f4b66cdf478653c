"""From prediction rows to decisions: every owed presentation gets exactly one outcome, and the denominator is the protocol.

Rows are aligned by id, never by order. Identical rows of one presentation and run merge; rows that differ conflict, and none of
them counts. A presentation without a row in any run is missing. Only `ok` decisions carry a choice.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from earmark.manifests.findings import Findings, Severity, declare
from earmark.manifests.grammars import Answer, Unparsable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from earmark.manifests.family import Protocol
    from earmark.manifests.grammars import Grammar
    from earmark.manifests.release import Release
    from earmark.scoring.submissions import Row, Submission

UNKNOWN_ID = declare("submission.unknown-id", Severity.ERROR, "no presentation of the release has this id")
NOT_OWED = declare(
    "submission.not-owed", Severity.ERROR, "the presentation belongs to another protocol than the one marked"
)
REPEATED = declare("submission.repeated", Severity.WARNING, "identical rows for one presentation and run were merged")
CONFLICTING = declare("submission.conflicting", Severity.ERROR, "rows for one presentation and run differ; none counts")
MISSING = declare("submission.missing", Severity.WARNING, "owed presentations have no row; each counts as wrong")
UNPARSED = declare(
    "submission.unparsable", Severity.WARNING, "a response has no answer that can be read; it counts as wrong"
)
OTHER_RELEASE = declare("submission.other-release", Severity.ERROR, "the file declares another release")


class Outcome(IntEnum):
    """What became of an owed presentation. The order says which one stands for a presentation whose runs differ."""

    OK = 0
    ABSTAINED = 1
    FAILED = 2
    UNPARSABLE = 3
    CONFLICTING = 4
    MISSING = 5


@dataclass(frozen=True)
class Unparsed:
    """A response that is kept and shown because nothing could be read from it."""

    presentation: str
    run: int
    response: str
    reason: str


@dataclass(frozen=True)
class Owed:
    """The presentations that a protocol owes, by id.

    Args:
        ids: (n,) presentation ids, ascending.
        item: (n,) item of each.
        order: (n,) order of each.
    """

    protocol: str
    ids: tuple[str, ...]
    item: tuple[str, ...]
    order: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Decisions:
    """One row per presentation and run that was given, and one for each presentation that is missing.

    Args:
        owed: The protocol's presentations.
        presentation: (m,) index into `owed`.
        run: (m,) run number; 0 where missing.
        outcome: (m,) an `Outcome`.
        choice: (m,) index into `choices`, −1 unless ok.
        probability: (m,) in [0, 1]; NaN where none was given.
        choices: What `choice` counts.
        unparsed: Responses that could not be read.
        repeated: How many identical rows were merged.
        unknown: How many rows name no presentation of the release.
        not_owed: How many rows name a presentation of another protocol.
    """

    owed: Owed
    presentation: NDArray[np.int64]
    run: NDArray[np.int64]
    outcome: NDArray[np.int64]
    choice: NDArray[np.int64]
    probability: NDArray[np.float64]
    choices: tuple[str, ...]
    unparsed: tuple[Unparsed, ...] = ()
    repeated: int = 0
    unknown: int = 0
    not_owed: int = 0

    def outcomes(self) -> NDArray[np.int64]:
        """(n,) the one outcome of each owed presentation: ok only if all its runs are, else the worst of them."""
        worst = np.zeros(len(self.owed.ids), np.int64)
        np.maximum.at(worst, self.presentation, self.outcome)
        return worst

    def runs(self) -> NDArray[np.int64]:
        """(n,) how many runs each owed presentation has; a missing one has one."""
        return np.bincount(self.presentation, minlength=len(self.owed.ids))


def owed_presentations(release: Release, protocol: Protocol) -> Owed:
    """The presentations that a protocol of a release owes."""
    table = release.table("presentations")
    rows = zip(
        table["presentation_id"].to_pylist(),
        table["item_id"].to_pylist(),
        table["order"].to_pylist(),
        table["protocols"].to_pylist(),
        strict=True,
    )
    kept = sorted((id, item, order) for id, item, order, protocols in rows if protocol.name in protocols)
    ids, items, orders = zip(*kept, strict=True) if kept else ((), (), ())
    return Owed(protocol.name, ids, items, orders)


def check_declared_release(release: Release, declared: Mapping[str, str], findings: Findings) -> None:
    """A file that names a release must name this one."""
    manifest = release.manifest
    truth = {"release": f"{manifest.name}@{manifest.version}", "content_hash": manifest.content_hash}
    for name, value in declared.items():
        if name in truth and value not in {truth[name], manifest.name if name == "release" else truth[name]}:
            findings.add(OTHER_RELEASE, row=1, column=name, found=value, expected=truth[name])


def decide(
    owed: Owed,
    submission: Submission,
    grammar: Grammar,
    choices: Sequence[str],
    findings: Findings,
    *,
    elsewhere: frozenset[str] = frozenset(),
) -> Decisions:
    """Align rows with the protocol and read what they say.

    Args:
        owed: What the protocol owes.
        submission: The rows that could be read.
        grammar: How a raw response is read.
        choices: What a prediction may say.
        findings: Where problems go.
        elsewhere: Ids of presentations of the release that this protocol does not owe.
    """
    index = {id: n for n, id in enumerate(owed.ids)}
    numbers = {choice: n for n, choice in enumerate(choices)}
    kept: dict[tuple[int, int], _Reading] = {}
    unparsed: list[Unparsed] = []
    counts: Counter[str] = Counter()
    for row in submission.rows:
        at = index.get(row.presentation_id)
        if at is None:
            code = NOT_OWED if row.presentation_id in elsewhere else UNKNOWN_ID
            counts[code.name] += 1
            expected = f"a presentation_id of protocol {owed.protocol}"
            findings.add(code, file=submission.name, row=row.line, id=row.presentation_id, expected=expected)
            continue
        reading = _read(row, grammar, numbers)
        earlier = kept.setdefault((at, row.run), reading)
        if earlier is reading:
            if reading.problem is not None and row.response is not None:
                unparsed.append(Unparsed(row.presentation_id, row.run, row.response, reading.problem))
                findings.add(
                    UNPARSED, file=submission.name, row=row.line, id=row.presentation_id, found=reading.problem
                )
        elif earlier == reading:
            counts["repeated"] += 1
            findings.add(REPEATED, file=submission.name, row=row.line, id=row.presentation_id)
        else:
            kept[at, row.run] = _Reading(Outcome.CONFLICTING)
            findings.add(CONFLICTING, file=submission.name, row=row.line, id=row.presentation_id)
    seen = {at for at, _ in kept}
    for at, id in enumerate(owed.ids):
        if at not in seen:
            kept[at, 0] = _Reading(Outcome.MISSING)
            findings.add(MISSING, file=submission.name, id=id)
    ordered = sorted(kept)
    readings = [kept[place] for place in ordered]
    return Decisions(
        owed=owed,
        presentation=np.array([at for at, _ in ordered], np.int64),
        run=np.array([run for _, run in ordered], np.int64),
        outcome=np.array([reading.outcome for reading in readings], np.int64),
        choice=np.array([reading.choice for reading in readings], np.int64),
        probability=np.array(
            [np.nan if reading.probability is None else reading.probability for reading in readings], np.float64
        ),
        choices=tuple(choices),
        unparsed=tuple(unparsed),
        repeated=counts["repeated"],
        unknown=counts[UNKNOWN_ID.name],
        not_owed=counts[NOT_OWED.name],
    )


@dataclass(frozen=True)
class _Reading:
    """What one row says, without what is only shown."""

    outcome: Outcome
    choice: int = -1
    probability: float | None = None
    problem: str | None = None


def _read(row: Row, grammar: Grammar, numbers: Mapping[str, int]) -> _Reading:
    if row.problem is not None:
        return _Reading(Outcome.UNPARSABLE, problem=row.problem)
    if row.status != "ok":
        return _Reading(Outcome.FAILED if row.status == "failed" else Outcome.ABSTAINED)
    if row.response is None:
        assert row.choice is not None  # noqa: S101 - the reader lets no ok row through without either
        return _Reading(Outcome.OK, numbers[row.choice], row.probability)
    match grammar.parse(row.response):
        case Answer(choice, probability):
            return _Reading(Outcome.OK, numbers[choice], probability)
        case Unparsable(reason):
            return _Reading(Outcome.UNPARSABLE, problem=reason)
