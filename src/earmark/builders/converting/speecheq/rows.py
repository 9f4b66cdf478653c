"""Prediction rows of ours, from SpeechEQ's runs: each stands for the presentation whose order its run was asked in.

A run keeps its number at both turns and in both orders, so that a run's two turns stay together and its order can be told.
Where the file has the raw response and our grammar reads it as its authors did, that is what is written; else the choice that
the authors read; and where they read none, a row that failed, which counts as wrong as it did with them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from earmark.builders.converting.speecheq.predictions import Predicted, PredictedRun
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
NOT_IN_RELEASE = declare(
    "convert.not-in-release", Severity.WARNING, "the release has no such dialogue; nothing is written for it"
)
NONE_IN_RELEASE = declare("convert.none-in-release", Severity.ERROR, "the release has none of the file's dialogues")
TWO_OF_A_NAME = declare("convert.two-of-a-name", Severity.ERROR, "the release has two dialogues of one name")

MOST_RESPONSE, MOST_EVIDENCE = 1 << 16, 4096
"""Characters of a response and of an entry of evidence that a prediction row may have."""


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


@dataclass(frozen=True)
class Written:
    """What was written of a file.

    Args:
        file: Where, its name alone.
        model: Who judged.
        protocol: The protocol that it answers.
        dialogues: How many dialogues.
        rows: How many rows.
        responses: How many of them hold what was said.
        failed: How many hold no answer.
    """

    file: str
    model: str
    protocol: str
    dialogues: int
    rows: int
    responses: int
    failed: int


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
    protocol = protocol_name(UNLINKED, predicted.modality)
    asked = asked_in(release, protocol, findings)
    names = {name for name, _ in asked}
    known = [dialogue for name, dialogue in predicted.dialogues.items() if name in names]
    for name in predicted.dialogues:
        if name not in names:
            findings.add(NOT_IN_RELEASE, file=predicted.path.name, id=name, expected="a dialogue of the release")
    if not known:
        expected = "the release that these were made for, or --make-release"
        findings.add(NONE_IN_RELEASE, file=predicted.path.name, found=release.manifest.name, expected=expected)
        raise Refused(findings)
    rows = [
        {"presentation_id": asked[dialogue.name, target].shown(gold_first=run.gold_first), "run": run.number, **answer}
        for dialogue in known
        for target, runs in dialogue.runs.items()
        for run, answer in _answers(runs, f"{dialogue.name} {target}", predicted.path.name, findings)
    ]
    rows.sort(key=lambda row: (str(row["presentation_id"]), int(str(row["run"]))))
    lines: list[Mapping[str, object]] = [{"earmark": _header(predicted, release, protocol)}, *rows]
    written = "".join(json.dumps(line, ensure_ascii=False, allow_nan=False) + "\n" for line in lines)
    path.write_text(written, encoding="utf-8", newline="\n")
    return Written(
        file=path.name,
        model=predicted.model,
        protocol=protocol,
        dialogues=len(known),
        rows=len(rows),
        responses=sum("response" in row for row in rows),
        failed=sum("status" in row for row in rows),
    )


def answer_of(run: PredictedRun) -> tuple[dict[str, object], bool]:
    """What a row says of a run, and whether our grammar reads the response as its authors did, or was not asked.

    >>> answer_of(PredictedRun(0, "2", True, "It is calmer.", None))
    ({'choice': '2', 'evidence': ['It is calmer.']}, True)
    >>> answer_of(PredictedRun(0, None, True, None, '{"selected": "Neither"}'))
    ({'response': '{"selected": "Neither"}'}, True)
    """
    response = run.response
    if response is not None and len(response) <= MOST_RESPONSE and "\0" not in response:
        read = DIALOGUES.grammar.parse(response)
        if (read.choice if isinstance(read, Answer) else None) == run.choice:
            return {"response": response}, True
    answer: dict[str, object] = {"status": "failed"} if run.choice is None else {"choice": run.choice}
    if run.choice is not None and run.reasoning and "\0" not in run.reasoning:
        answer["evidence"] = [run.reasoning[:MOST_EVIDENCE]]
    return answer, response is None


def _answers(
    runs: tuple[PredictedRun, ...], id: str, file: str, findings: Findings
) -> Iterator[tuple[PredictedRun, dict[str, object]]]:
    for run in runs:
        answer, alike = answer_of(run)
        if not alike:
            found = (run.response or "")[-80:]
            findings.add(
                READ_OTHERWISE, file=file, id=f"{id} run {run.number}", found=found, expected=run.choice or "none"
            )
        yield run, answer


def _header(predicted: Predicted, release: Release, protocol: str) -> dict[str, object]:
    manifest, cascaded = release.manifest, predicted.modality != AUDIO
    return {
        "release": f"{manifest.name}@{manifest.version}",
        "content_hash": manifest.content_hash,
        "protocol": protocol,
        "judge": {
            # A cascade has the name of its language model, which may have judged by itself too.
            "name": f"{predicted.model} ({predicted.modality})" if cascaded else predicted.model,
            "architecture": "cascaded" if cascaded else "end_to_end",
            "modality": predicted.modality,
            "template": "the authors' own",
        },
    }


def _rows(release: Release, table: str) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = release.table(table).to_pylist()
    return rows
