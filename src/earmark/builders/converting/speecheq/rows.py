"""Prediction rows of ours, from SpeechEQ's runs: each stands for the presentation whose order its run was asked in.

A run keeps its number at both turns and in both orders, so that a run's two turns stay together and its order can be told.
Where the file has the raw response and our grammar reads it as its authors did, that is what is written; else the choice that
the authors read; and where they read none, a row that failed, which counts as wrong as it did with them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from earmark.builders.converting.conversion import (
    NOT_IN_RELEASE,
    Account,
    Conversion,
    Row,
    Wanted,
    Written,
    judge_name,
    write_conversion,
)
from earmark.builders.converting.saying import MOST_RESPONSE, Said, evidence_of, writable
from earmark.builders.converting.speecheq.predictions import Predicted, PredictedRun, read_predictions
from earmark.manifests.canonical import Json
from earmark.manifests.declarations import AUDIO
from earmark.manifests.errors import EarmarkError, Refused, ReleaseError, UnknownName
from earmark.manifests.families.dialogues import DIALOGUES, FIRST, REVERSED, STORED, UNLINKED, protocol_name
from earmark.manifests.findings import Findings, Severity, declare
from earmark.manifests.grammars import Answer
from earmark.manifests.release import Release
from earmark.manifests.rows import optional_text, text, texts

READ_OTHERWISE = declare(
    "convert.read-otherwise",
    Severity.WARNING,
    "our grammar reads a response otherwise than its authors did; what they read is written",
)
TWO_OF_A_NAME = declare("convert.two-of-a-name", Severity.ERROR, "the release has two dialogues of one name")


@dataclass(frozen=True)
class Asked:
    """An item of a release as it is asked in one protocol.

    Args:
        gold: Which of its options fits, as stored.
        presentations: By order, the id.
    """

    gold: str
    presentations: Mapping[str, str]

    def shown(self, *, gold_first: bool) -> str:
        """The presentation in which the right option stands first, or second."""
        return self.presentations[STORED if gold_first == (self.gold == FIRST) else REVERSED]


def asked_in(release: Release, protocol: str, findings: Findings) -> dict[tuple[str, str], Asked]:
    """By name of a dialogue and target, its item as asked in a protocol.

    Args:
        release: A release of dialogues, private side included.
        protocol: Name of an unlinked protocol.
        findings: Told of names that stand twice.

    Raises:
        PrivateSideMissing: If the release lacks its private side.
        EarmarkError: If it does not offer the protocol, or is unsound.
        Refused: If two dialogues have one name.
    """
    try:
        name = release.protocol(protocol).name
    except UnknownName:
        expected = (
            f'build it with "{UNLINKED}" among its chains and the modality among its modalities, or use --make-release'
        )
        raise EarmarkError(f"{release.path} does not offer the protocol {protocol}: {expected}") from None
    before = findings.count(Severity.ERROR)
    try:
        found = _asked(release, name, findings)
    except KeyError as error:
        raise ReleaseError(
            f"{release.path} is unsound: {error} is named and not there; earmark validate says more"
        ) from None
    if findings.count(Severity.ERROR) > before:
        raise Refused(findings)
    return found


def _asked(release: Release, protocol: str, findings: Findings) -> dict[tuple[str, str], Asked]:
    conversation = {text(row, "clip_id"): optional_text(row, "conversation") for row in _rows(release, "sources")}
    of_item = {text(row, "item_id"): conversation[text(row, "clip_id")] for row in _rows(release, "item_clips")}
    golds = {text(row, "item_id"): text(row, "gold") for row in _rows(release, "answers")}
    shown: dict[str, dict[str, str]] = {}
    for row in _rows(release, "presentations"):
        if protocol in texts(row, "protocols"):
            shown.setdefault(text(row, "item_id"), {})[text(row, "order")] = text(row, "presentation_id")
    found: dict[tuple[str, str], Asked] = {}
    for row in _rows(release, "items"):
        item = text(row, "item_id")
        place = of_item[item] or "", text(row, "target")
        if place in found:
            findings.add(TWO_OF_A_NAME, id=place[0], expected="one, so that a file can name it")
        found[place] = Asked(golds[item], {order: shown[item][order] for order in (STORED, REVERSED)})
    return found


def read(files: Sequence[Path], release: Release, wanted: Wanted, findings: Findings) -> Conversion:
    """Read a prediction file onto a release that has its dialogues.

    Args:
        files: The file, one alone: a file has the runs of a judge from 0.
        release: The release, private side included: which order a run was asked in follows from the gold.
        wanted: What the user settles; the file itself says which protocol it answers.
        findings: Told of everything that is wrong.

    Raises:
        Refused: If the file is of no use.
        PrivateSideMissing: If the release lacks its private side.
        EarmarkError: If it offers no unlinked protocol of the file's modality, or another one is wanted.
    """
    if len(files) > 1:
        raise EarmarkError(f"{len(files)} files cannot become one; convert them one by one")
    predicted = read_predictions(files[0], findings)
    protocol = protocol_name(UNLINKED, predicted.modality)
    if wanted.protocol not in (None, protocol):
        raise EarmarkError(f"{files[0].name} answers {protocol}, not {wanted.protocol}")
    return _converted(predicted, release, wanted, findings)


def write_rows(predicted: Predicted, release: Release, path: Path, findings: Findings) -> Written:
    """Write the prediction file of what was read.

    Args:
        predicted: What was read.
        release: The release that it is to answer.
        path: The file to write; what stands there is replaced.
        findings: Told of dialogues that the release lacks, and of responses that are read otherwise.

    Raises:
        PrivateSideMissing: If the release lacks its private side.
        EarmarkError: If it offers no unlinked protocol of the file's modality.
        Refused: If it has none of the dialogues.
    """
    return write_conversion(_converted(predicted, release, Wanted(), findings), release, path, predicted.path.name)


def _converted(predicted: Predicted, release: Release, wanted: Wanted, findings: Findings) -> Conversion:
    protocol, file = protocol_name(UNLINKED, predicted.modality), predicted.path.name
    asked, account = asked_in(release, protocol, findings), Account(findings)
    account.left_out += predicted.left_out
    account.read = predicted.left_out.total()
    names = {name for name, _ in asked}
    for name, dialogue in predicted.dialogues.items():
        if name not in names:
            count = sum(map(len, dialogue.runs.values()))
            account.leave(NOT_IN_RELEASE, count=count, file=file, id=name, expected="a dialogue of the release")
            continue
        for target, runs in dialogue.runs.items():
            for run in runs:
                place = f"{name} {target} run {run.number}"
                presentation = asked[name, target].shown(gold_first=run.gold_first)
                account.take(Row(presentation, run.number, _said(run, place, file, findings), place))
    return Conversion(account, release.protocol(protocol), _judge(predicted, wanted))


def answer_of(run: PredictedRun) -> tuple[Said, bool]:
    """What a row says of a run, and whether our grammar reads the response as its authors did, or was not asked.

    >>> answer_of(PredictedRun(0, "2", True, "It is calmer.", None))[0].row()
    {'choice': '2', 'evidence': ['It is calmer.']}
    >>> answer_of(PredictedRun(0, None, True, None, '{"selected": "Neither"}'))[0].row()
    {'response': '{"selected": "Neither"}'}
    """
    response = run.response
    if response is not None and len(response) <= MOST_RESPONSE and writable(response):
        read = DIALOGUES.grammar.parse(response)
        if (read.choice if isinstance(read, Answer) else None) == run.choice:
            return Said(response=response), True
    if run.choice is None:
        return Said(status="failed"), response is None
    return Said(choice=run.choice, evidence=evidence_of([run.reasoning] if run.reasoning else [])), response is None


def _said(run: PredictedRun, place: str, file: str, findings: Findings) -> Said:
    said, alike = answer_of(run)
    if not alike:
        found = (run.response or "")[-80:]
        findings.add(READ_OTHERWISE, file=file, id=place, found=found, expected=run.choice or "none")
    return said


def _judge(predicted: Predicted, wanted: Wanted) -> dict[str, Json]:
    cascaded = predicted.modality != AUDIO
    name = judge_name(wanted, predicted.model)
    return {
        # A cascade has the name of its language model, which may have judged by itself too.
        "name": f"{name} ({predicted.modality})" if cascaded and wanted.judge is None else name,
        "architecture": "cascaded" if cascaded else "end_to_end",
        "modality": predicted.modality,
        "template": "the authors' own",
    }


def _rows(release: Release, table: str) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = release.table(table).to_pylist()
    return rows
