"""What the rows of a prediction file say, as columns: outcome, choice and probability, raw responses read by the grammar."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, TypeVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from earmark.manifests.grammars import Unparsable
from earmark.scoring.submissions.rows import STATUSES

if TYPE_CHECKING:
    from earmark.manifests.grammars import Grammar
    from earmark.scoring.submissions.submission import Submission


class Outcome(IntEnum):
    """What became of an owed presentation. The order says which one stands for a presentation whose runs differ."""

    OK = 0
    ABSTAINED = 1
    FAILED = 2
    UNPARSABLE = 3
    CONFLICTING = 4
    MISSING = 5


_OUTCOME_OF = {"ok": Outcome.OK, "failed": Outcome.FAILED, "abstained": Outcome.ABSTAINED}
_AT_ONCE = 1 << 12

NumberT = TypeVar("NumberT", np.int64, np.float64)
_NONE = -1


@dataclass(frozen=True, eq=False)
class Readings:
    """What each row says, without what is only shown: good rows in the order of the file, then bad ones that name a presentation.

    Args:
        ids: (m,) the presentations they name.
        run: (m,) run.
        line: (m,) where they stand in the file, from 1.
        outcome: (m,) an `Outcome`, neither conflicting nor missing.
        choice: (m,) index into `choices`, −1 unless ok.
        probability: (m,) in [0, 1]; NaN where none was given.
        problem: (m,) index into `problems`, −1 unless unparsable.
        choices: What `choice` counts.
        problems: Why nothing could be read.
        responses: The raw response of each row in which the grammar found no answer.
    """

    ids: pa.Array
    run: NDArray[np.int64]
    line: NDArray[np.int64]
    outcome: NDArray[np.int64]
    choice: NDArray[np.int64]
    probability: NDArray[np.float64]
    problem: NDArray[np.int64]
    choices: tuple[str, ...]
    problems: tuple[str, ...]
    responses: Mapping[int, str]

    def id(self, row: int) -> str:
        """The presentation that a row names."""
        return str(self.ids[row])

    def differ(self, one: NDArray[np.int64], other: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Whether rows say something else than other rows, element by element."""
        columns = (self.outcome, self.choice, self.problem, np.nan_to_num(self.probability, nan=-1.0))
        differing: NDArray[np.bool_] = np.logical_or.reduce([column[one] != column[other] for column in columns])
        return differing

    def words(self, row: int) -> str:
        """What a row says, for people."""
        if self.problem[row] >= 0:
            return self.problems[int(self.problem[row])]
        if self.outcome[row] != Outcome.OK:
            return Outcome(int(self.outcome[row])).name.lower()
        probability = self.probability[row]
        return self.choices[int(self.choice[row])] + ("" if np.isnan(probability) else f" {probability:.12g}")


def read_rows(submission: Submission, grammar: Grammar, choices: Sequence[str]) -> Readings:
    """Read what the rows of a file say.

    Args:
        submission: The file.
        grammar: How a raw response is read.
        choices: What a prediction may say.
    """
    table, bad = submission.table, [row for row in submission.bad if row.presentation_id is not None]
    outcomes = np.array([_OUTCOME_OF[status] for status in STATUSES], np.int64)
    outcome = outcomes[pc.index_in(table["status"], pa.array(STATUSES)).to_numpy()]
    choice = pc.fill_null(pc.index_in(table["choice"], pa.array(list(choices))), -1).to_numpy().astype(np.int64)
    probability = table["probability"].to_numpy().astype(np.float64)
    problem = np.full(len(table), -1)
    numbers = {name: n for n, name in enumerate(choices)}
    problems: dict[str, int] = {}
    responses: dict[int, str] = {}
    for rows, texts, which in _given(table["response"], outcome == Outcome.OK):
        answers = [grammar.parse(text) for text in texts]
        said = np.array([_NONE if isinstance(answer, Unparsable) else numbers[answer.choice] for answer in answers])
        sure = [None if isinstance(answer, Unparsable) else answer.probability for answer in answers]
        choice[rows] = said[which]
        probability[rows] = np.array(sure, np.float64)[which]
        for at in np.flatnonzero(said[which] == _NONE).tolist():
            row, answer = int(rows[at]), answers[which[at]]
            assert isinstance(answer, Unparsable)  # noqa: S101 - for type checkers: it has no choice
            outcome[row] = Outcome.UNPARSABLE
            problem[row] = problems.setdefault(answer.reason, len(problems))
            responses[row] = texts[which[at]]
    of_bad = [problems.setdefault(row.reason, len(problems)) for row in bad]
    none = np.full(len(bad), -1)
    return Readings(
        ids=pa.concat_arrays(
            [*table["presentation_id"].chunks, pa.array([row.presentation_id for row in bad], pa.string())]
        ),
        run=_joined(table["run"].to_numpy(), np.array([row.run for row in bad], np.int64)),
        line=_joined(table["line"].to_numpy(), np.array([row.line for row in bad], np.int64)),
        outcome=_joined(outcome, none * 0 + Outcome.UNPARSABLE),
        choice=_joined(choice, none),
        probability=_joined(probability, none * np.nan),
        problem=_joined(problem, np.array(of_bad, np.int64)),
        choices=tuple(choices),
        problems=tuple(problems),
        responses=responses,
    )


def _joined(good: NDArray[NumberT], bad: NDArray[NumberT]) -> NDArray[NumberT]:
    """Both, without a copy where there is nothing bad: a million rows of a dozen columns are many bytes."""
    return np.append(good, bad).astype(good.dtype) if len(bad) else good


def _given(
    column: pa.ChunkedArray, asked: NDArray[np.bool_]
) -> Iterator[tuple[NDArray[np.int64], list[str], NDArray[np.int64]]]:
    """The texts of a column in some rows, a few at a time: the rows, the different texts, and which of them each row has."""
    first = 0
    for chunk in column.chunks:
        for begin in range(0, len(chunk) if chunk.null_count < len(chunk) else 0, _AT_ONCE):
            part = chunk[begin : begin + _AT_ONCE]
            places = first + begin + np.arange(len(part))
            wanted = part.is_valid().to_numpy(zero_copy_only=False) & asked[places]
            if wanted.any():
                encoded = part.filter(pa.array(wanted)).dictionary_encode()
                yield places[wanted], encoded.dictionary.to_pylist(), encoded.indices.to_numpy().astype(np.int64)
        first += len(chunk)
