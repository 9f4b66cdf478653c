"""The formats of other people's that can be converted: whose they are, what they answer, and what is lost on the way.

Readers are imported when they are asked for, so that listing the formats costs nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, cast

from earmark.manifests.errors import DestinationExists, EarmarkError, UnknownName

if TYPE_CHECKING:
    from earmark.builders.converting.conversion import Conversion, Wanted, Written
    from earmark.manifests.findings import Findings
    from earmark.manifests.release import Release


class Reader(Protocol):
    """What reads files of a format."""

    def __call__(self, files: Sequence[Path], release: Release, wanted: Wanted, findings: Findings) -> Conversion:
        """Rows for a release, and an account of what was read."""
        ...


@dataclass(frozen=True)
class Format:
    """A format of prediction files.

    Args:
        name: What `--from` calls it.
        files: What its files are, for people.
        families: The families of release that they answer; empty for any.
        finds: How the presentation of an answer is found.
        losses: What the files do not say, or what is not taken over, one sentence each.
        place: Module and function that read it.
    """

    name: str
    files: str
    families: tuple[str, ...]
    finds: str
    losses: tuple[str, ...]
    place: tuple[str, str]

    @property
    def reader(self) -> Reader:
        """What reads it."""
        module, name = self.place
        return cast("Reader", getattr(import_module(f"earmark.builders.converting.{module}"), name))


_OF_ITEMS = (
    "The runner cut clips of its own. An item is taken for that of the release with which it shares more than half of its time; "
    "what it heard besides, and what it did not hear, is lost.",
    "Where an item failed in one order, the runner kept no answer to the other one: both are written as failed.",
    "A speaker for whom there was no clip looks like one who was not asked: missing, not failed.",
    "The runner read a choice by its first letter and forced probabilities into [0, 1], so that None may stand as N and 85 as 1.",
    "The question was the runner's own, and clips were brought to one peak level before they were heard.",
)
_OF_LOGS = (
    "Scores, targets and metrics of the framework are not read: Earmark marks by its own answers.",
    "Whatever became of a sample that is not in the log is missing.",
)

FORMATS = (
    Format(
        name="stancebench",
        files="result sheets of StanceBench (CSV): choice and probability of each item, in both orders",
        families=("stance",),
        finds="by recording (a_id, b_id), dimension of the role, and time; private/sources.parquet is needed",
        losses=_OF_ITEMS,
        place=("stancebench.rows", "read_choices"),
    ),
    Format(
        name="stancebench-mapped",
        files="the same sheets: each item's score on the runner's scale, -2 to 2, in place of its probability",
        families=("stance",),
        finds="as for stancebench",
        losses=(
            "Probabilities are lost but for three steps: below 0.45, up to 0.75, above. A score of 1 becomes a probability of "
            "0.75, 2 becomes 1, and 0 keeps its choice at 0.5, which counts as wrong.",
            *_OF_ITEMS,
        ),
        place=("stancebench.rows", "read_mapped"),
    ),
    Format(
        name="stancebench-averages",
        files="the same sheets, or those of human raters: one average for each speaker, -2 to 2",
        families=("stance",),
        finds="by recording (a_id, b_id) and dimension of the role; private/sources.parquet is needed",
        losses=(
            "One number stands for all items of a speaker and for both orders: how items differ, and how often the order of "
            "the poles changed an answer, is lost. Order disagreement of such a file is 0 by construction and means nothing.",
            "An average of 0, from a judge who is torn or answers that cancel, takes no pole and is written as abstained.",
            "Which clips were heard is not looked at; the average is given to those of the release.",
            "A speaker without an average is written as failed in all items.",
        ),
        place=("stancebench.rows", "read_averages"),
    ),
    Format(
        name="speecheq",
        files="model_response/*.json of SpeechEQ: three runs at both turns of every dialogue",
        families=("dialogues",),
        finds="by dataset_id and turn, and by which option was the right one, which the file says; the private side is needed",
        losses=(
            "Which answer at turn 4 stood in the history of turn 6 is not in the files: turn 6 counts by itself, in `unlinked`.",
            "The authors' vote over runs is not taken over; `--paper speecheq` votes again.",
            "Where our grammar reads a response otherwise than its authors did, their reading is written, not the response.",
            "Cascades' files have no responses, only the choice and the reasoning.",
        ),
        place=("speecheq.rows", "read"),
    ),
    Format(
        name="audiojudge",
        files="results of AudioJudge (JSON or JSON Lines), a file for each order or both in one",
        families=("pairs",),
        finds="by the two clips in the order they were played, or a presentation_id beside the response",
        losses=(
            "What was asked is not in a result: two questions about one pair cannot be told apart without a presentation_id.",
            'A response such as {"label": "1"} is written as the choice that it names; the words around it are lost.',
            "Audio that was joined into one file (concatenation_method) and examples shown before are not recorded.",
            "A result that is no success is written as failed, whatever the error.",
        ),
        place=("audiojudge", "read"),
    ),
    Format(
        name="inspect",
        files="eval logs of Inspect AI in JSON, samples included",
        families=(),
        finds="by the sample's id, or presentation_id in its metadata",
        losses=(
            "An epoch becomes a run, and of a conversation only the last completion is taken.",
            "A sample that ended in an error or at a limit is written as failed, whatever it had said; one that a filter "
            "withheld as abstained; one without words as failed.",
            *_OF_LOGS,
        ),
        place=("inspect_ai", "read"),
    ),
    Format(
        name="lm-eval",
        files="samples_*.jsonl of lm-evaluation-harness",
        families=(),
        finds="by presentation_id or id in doc, or doc_id where that is a text",
        losses=(
            "What a task's filter read in a response (filtered_resps) is not taken over; our grammar reads the response.",
            "Log-likelihoods of choices become the likeliest one, without a probability; equal ones are written as abstained.",
            "The files do not say who judged: `--judge` does. Errors are not in them; a response without words is failed.",
            *_OF_LOGS,
        ),
        place=("lm_eval", "read"),
    ),
)
"""Every format, in the order of the families."""


def format_named(name: str) -> Format:
    """A format by its name.

    Raises:
        UnknownName: If there is none.
    """
    for form in FORMATS:
        if form.name == name:
            return form
    raise UnknownName("format", name, tuple(form.name for form in FORMATS))


def convert(
    form: Format, files: Sequence[Path], release: Release, out: Path, wanted: Wanted, findings: Findings
) -> Written:
    """Convert files of one judge onto a release.

    Args:
        form: Their format.
        files: The files; together they become one.
        release: The release that they answer.
        out: File to write; must not exist.
        wanted: What the user settles.
        findings: Told of everything that is wrong.

    Raises:
        Refused: If a file is of no use, or nothing in them answers the release.
        DestinationExists: If there is something in the file's place.
        EarmarkError: If the release is of another family, or lacks what the format needs.
    """
    from earmark.builders.converting.conversion import write_conversion
    from earmark.manifests.scratch import scratch_beside

    if out.suffix.lower() != ".jsonl":
        raise EarmarkError(f"{out} is to be JSON Lines; let its name end in .jsonl")
    if out.exists():
        raise DestinationExists(f"{out} exists; choose another file")
    if form.families and release.family.name not in form.families:
        answered = " or ".join(form.families)
        raise EarmarkError(f"{form.name} files answer {answered}; {release.path} is of {release.family.name}")
    conversion = form.reader(files, release, wanted, findings)
    with scratch_beside(out) as path:
        return write_conversion(conversion, release, path, ", ".join(file.name for file in files))
