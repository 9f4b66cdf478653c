"""From prediction rows to decisions: every owed presentation gets exactly one outcome, and the denominator is the protocol.

Rows are aligned by id, never by order. Rows of one presentation and run that say the same merge; rows that differ conflict, and
none of them counts. A presentation without a row in any run is missing. Only `ok` decisions carry a choice.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from earmark.manifests.findings import Code, Findings, Severity, declare
from earmark.manifests.revisions.earlier import earlier
from earmark.scoring.decisions.aligning import grouped, places
from earmark.scoring.decisions.readings import Outcome, Readings, read_rows
from earmark.scoring.decisions.strange_ids import look_alike, look_alikes, nearest_ids

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from earmark.manifests.family import Protocol
    from earmark.manifests.grammars import Grammar
    from earmark.manifests.release import Release
    from earmark.scoring.submissions.submission import Submission

__all__ = ["Decisions", "Outcome", "Owed", "Unparsed", "check_declared_release", "decide", "owed_presentations"]

UNKNOWN_ID = declare("submission.unknown-id", Severity.ERROR, "no presentation of the release has this id")
HOMOGLYPH_ID = declare(
    "submission.homoglyph-id", Severity.ERROR, "the id only looks like that of a presentation; it names none"
)
NOT_OWED = declare(
    "submission.not-owed", Severity.ERROR, "the presentation belongs to another protocol than the one marked"
)
REPEATED = declare(
    "submission.repeated",
    Severity.WARNING,
    "a row says again what an earlier one says; they count once",
)
CONFLICTING = declare("submission.conflicting", Severity.ERROR, "rows for one presentation and run differ; none counts")
MISSING = declare("submission.missing", Severity.WARNING, "owed presentations have no row; each counts as wrong")
UNPARSED = declare(
    "submission.unparsable", Severity.WARNING, "a response has no answer that can be read; it counts as wrong"
)
OTHER_RELEASE = declare("submission.other-release", Severity.ERROR, "the file declares another release")
EARLIER_RELEASE = declare(
    "submission.earlier-release",
    Severity.NOTE,
    "the file declares another version; it is marked on what this one has of it",
)
WITHDRAWN = declare(
    "submission.withdrawn", Severity.NOTE, "the presentation is none of this version any more; the row is left out"
)

_ID = "presentation_id"


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
        column: `ids` once more, as Arrow has them, where they are at hand.
    """

    protocol: str
    ids: tuple[str, ...]
    item: tuple[str, ...]
    order: tuple[str, ...]
    column: pa.Array | None = field(default=None, compare=False, repr=False)


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
        withdrawn: How many rows name a presentation that only another version has.
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
    withdrawn: int = 0

    def outcomes(self) -> NDArray[np.int64]:
        """(n,) the one outcome of each owed presentation: ok only if all its runs are, else the worst of them."""
        worst = np.zeros(len(self.owed.ids), np.int64)
        np.maximum.at(worst, self.presentation, self.outcome)
        return worst


def owed_presentations(release: Release, protocol: Protocol) -> Owed:
    """The presentations that a protocol of a release owes."""
    table = release.table("presentations")
    protocols = table["protocols"].combine_chunks()
    naming = pc.equal(protocols.flatten(), protocol.name)
    rows = pc.unique(pc.list_parent_indices(protocols).filter(naming))
    kept = table.select(["presentation_id", "item_id", "order"]).take(rows).sort_by("presentation_id").combine_chunks()
    ids = pa.concat_arrays([pa.array([], pa.string()), *kept["presentation_id"].cast(pa.string()).chunks])
    return Owed(protocol.name, tuple(ids.to_pylist()), _texts(kept["item_id"]), _texts(kept["order"]), ids)


def _texts(column: pa.ChunkedArray) -> tuple[str, ...]:
    """The cells of a column, equal ones one object: two orders of a million items need no two million texts."""
    encoded = pa.chunked_array(column.chunks, column.type).dictionary_encode().unify_dictionaries()
    words = encoded.chunk(0).dictionary.to_pylist() if encoded.num_chunks else []
    return tuple(words[n] for chunk in encoded.chunks for n in chunk.indices.to_pylist())


def check_declared_release(release: Release, declared: Mapping[str, str], file: str, findings: Findings) -> None:
    """A file that names a release must name this one, or a version before it of which nothing but withdrawals parts it.

    Args:
        release: The release that it is held against.
        declared: What it names, of "release" (name or name@version) and "content_hash".
        file: Its name.
        findings: Where problems go.

    Raises:
        ReleaseError: If the list of what was withdrawn is not the manifest's.
    """
    manifest = release.manifest
    truth = {"release": f"{manifest.name}@{manifest.version}", "content_hash": manifest.content_hash}
    for name, right in truth.items():
        found = declared.get(name, right)
        if found == right or (name == "release" and found == manifest.name):
            continue
        others = earlier(release).versions
        known = {entry.content_hash for entry in others} | {f"{manifest.name}@{entry.version}" for entry in others}
        if found in known:
            findings.add(EARLIER_RELEASE, file=file, row=1, column=name, found=found, expected=f"marked on {right}")
        else:
            findings.add(OTHER_RELEASE, file=file, row=1, column=name, found=found, expected=right)


def decide(
    owed: Owed,
    submission: Submission,
    grammar: Grammar,
    choices: Sequence[str],
    findings: Findings,
    *,
    elsewhere: Collection[str] | pa.ChunkedArray = (),
    withdrawn: Collection[str] | pa.ChunkedArray = (),
) -> Decisions:
    """Align rows with the protocol and read what they say.

    Args:
        owed: What the protocol owes.
        submission: The rows of a file, good and bad.
        grammar: How a raw response is read.
        choices: What a prediction may say.
        findings: Where problems go.
        elsewhere: Ids of presentations of the release, those that this protocol owes among them or not.
        withdrawn: Ids of presentations that only other versions of it have.
    """
    said = read_rows(submission, grammar, choices)
    told = _Telling(findings, submission.name, said)
    known = pa.array(owed.ids, pa.string()) if owed.column is None else owed.column
    at = places(said.ids, known)

    strange = np.flatnonzero(at < 0)
    of_another, gone = (_among(said.ids, strange, ids) for ids in (elsewhere, withdrawn))
    gone &= ~of_another
    expected = f"a presentation_id of protocol {owed.protocol}"
    told.unknown(strange[~of_another & ~gone], known, expected)
    told.rows(WITHDRAWN, strange[gone], lambda _: (None, None), column=_ID)
    declared = submission.protocol
    if declared is not None and declared != owed.protocol:
        expected += f"; the file declares {declared[:80]}"
    else:
        expected += ", or a first line that names the protocol that was asked"
    told.rows(NOT_OWED, strange[of_another], lambda _: (None, expected), column=_ID)

    # Rows of one presentation and run come to stand together, in the order of the file; those that are not owed come first.
    order = grouped(at, said.run)[len(strange) :]
    begins = (np.diff(at[order], prepend=-1) != 0) | (np.diff(said.run[order], prepend=-1) != 0)
    kept, group = order[begins], np.cumsum(begins) - 1
    later, group = order[~begins], group[~begins]
    differing = said.differ(later, kept[group])
    conflicting = np.bincount(group[differing], minlength=len(kept)) > 0
    repeated = ~conflicting[group]
    told.rows(REPEATED, later[repeated], _against(said, later[repeated], kept[group[repeated]], "once"))
    conflicts, which = np.unique(group[differing], return_index=True)
    odd = later[differing][which]
    told.rows(CONFLICTING, odd, _against(said, odd, kept[conflicts]))

    outcome = np.where(conflicting, np.int64(Outcome.CONFLICTING), said.outcome[kept])
    unread = [row for row in kept[outcome == Outcome.UNPARSABLE].tolist() if row in said.responses]
    told.rows(UNPARSED, np.array(unread, np.int64), lambda row: (said.words(row), f"one of {', '.join(choices)}"))
    missing = np.flatnonzero(np.bincount(at[kept], minlength=len(owed.ids)) == 0)
    told.ids(MISSING, [owed.ids[n] for n in missing])

    presentation, none = np.append(at[kept], missing), np.full(len(missing), -1)
    ordered = np.argsort(presentation, kind="stable") if len(missing) else slice(None)  # as they are already
    return Decisions(
        owed=owed,
        presentation=presentation[ordered],
        run=np.append(said.run[kept], none * 0)[ordered],
        outcome=np.append(outcome, none * 0 + Outcome.MISSING)[ordered],
        choice=np.append(np.where(conflicting, -1, said.choice[kept]), none)[ordered],
        probability=np.append(np.where(conflicting, np.nan, said.probability[kept]), none * np.nan)[ordered],
        choices=tuple(choices),
        unparsed=tuple(
            Unparsed(said.id(row), int(said.run[row]), said.responses[row], said.words(row)) for row in unread
        ),
        repeated=int(repeated.sum()),
        unknown=int((~of_another & ~gone).sum()),
        not_owed=int(of_another.sum()),
        withdrawn=int(gone.sum()),
    )


def _among(ids: pa.Array, rows: NDArray[np.int64], known: Collection[str] | pa.ChunkedArray) -> NDArray[np.bool_]:
    """Whether the ids of some rows are known."""
    if not len(rows):
        return np.zeros(0, np.bool_)
    values = known if isinstance(known, pa.ChunkedArray) else pa.array(sorted(known), pa.string())
    found: NDArray[np.bool_] = pc.is_in(ids.take(pa.array(rows)), values).to_numpy(zero_copy_only=False)
    return found


@dataclass(frozen=True)
class _Telling:
    """Findings about rows: the first of each kind by their line, and how many more there are."""

    findings: Findings
    file: str
    said: Readings

    def rows(
        self,
        code: Code,
        rows: NDArray[np.int64],
        words: Callable[[int], tuple[str | None, str | None]],
        *,
        column: str | None = None,
    ) -> None:
        """Rows that are odd in one way; in words what was found and what would be right."""
        first = self.first(rows)
        for row in first:
            found, expected = words(row)
            line, id = int(self.said.line[row]), self.said.id(row)
            self.findings.add(code, file=self.file, row=line, column=column, id=id, found=found, expected=expected)
        self.findings.count_more(code, len(rows) - len(first))

    def first(self, rows: NDArray[np.int64]) -> list[int]:
        """Those rows of which it is told where they stand."""
        kept: list[int] = rows[np.argsort(self.said.line[rows], kind="stable")][: self.findings.cap].tolist()
        return kept

    def unknown(self, rows: NDArray[np.int64], known: pa.Array, expected: str) -> None:
        """Rows that name no presentation: those whose id looks like one that is known, and the others."""
        if not len(rows):
            return
        like = look_alikes(self.said.ids.take(pa.array(rows)), known)
        right = dict(zip(rows.tolist(), like.tolist(), strict=True))

        def looks(row: int) -> tuple[str, str]:
            alike = look_alike(self.said.id(row), str(known[right[row]]))
            return alike.where, alike.right

        self.rows(HOMOGLYPH_ID, rows[like >= 0], looks, column=_ID)
        others = rows[like < 0]
        shown = self.first(others)
        near = dict(zip(shown, nearest_ids([self.said.id(row) for row in shown], known), strict=True))

        def is_near(row: int) -> tuple[None, str]:
            return None, expected if near[row] is None else f"did you mean {near[row]}?"

        self.rows(UNKNOWN_ID, others, is_near, column=_ID)

    def ids(self, code: Code, ids: Sequence[str]) -> None:
        """Presentations, ascending."""
        for id in ids[: self.findings.cap]:
            self.findings.add(code, file=self.file, id=id)
        self.findings.count_more(code, len(ids) - len(ids[: self.findings.cap]))


def _against(
    said: Readings, rows: NDArray[np.int64], earlier: NDArray[np.int64], right: str | None = None
) -> Callable[[int], tuple[str | None, str]]:
    """Says of each row what it has and where it should have it from."""
    order = np.argsort(rows)

    def words(row: int) -> tuple[str | None, str]:
        before = int(earlier[order[np.searchsorted(rows, row, sorter=order)]])
        return said.words(row), f"{right or said.words(before)}, as in line {said.line[before]}"

    return words
