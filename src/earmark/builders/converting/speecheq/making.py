"""A release of the dialogues that prediction files name: without audio and without words, for marking those files and no more.

What is not in the files is not made up. A clip is one sample long, since its length is not known and a clip must have one; it has
no words, no tone and no voice; and no prompt says what the systems were sent. Its sources name no file that could be cut.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from earmark.builders.converting.conversion import Written
from earmark.builders.converting.speecheq.agreement import Named, agreed
from earmark.builders.converting.speecheq.predictions import Predicted, read_predictions
from earmark.builders.converting.speecheq.rows import write_rows
from earmark.builders.corpora.speecheq.names import LICENCE, NAME, NUMBERS
from earmark.builders.dialogues.records import RENDERINGS, Person
from earmark.builders.dialogues.releasing.items import tables, written_row
from earmark.builders.dialogues.releasing.prompts import Questions, Templates, answer_words
from earmark.builders.dialogues.voiced import NOT_STATED, VoicedClip, VoicedDialogue
from earmark.builders.making import UNSOUND, write
from earmark.builders.plan import Plan
from earmark.builders.recipes import ReleaseSection
from earmark.manifests.building import building
from earmark.manifests.declarations import MODALITIES
from earmark.manifests.eqi import SUBSCALES
from earmark.manifests.errors import DestinationExists, Refused
from earmark.manifests.families.dialogues import DIALOGUES, UNLINKED
from earmark.manifests.findings import Findings
from earmark.manifests.hashes import file_hash
from earmark.manifests.release import Release, SourceEntry, open_release
from earmark.manifests.scratch import scratch_beside
from earmark.validation.invariants import validate

RELEASE, PREDICTIONS = "release", "predictions"
"""What is written, under the folder asked for."""

RATE = 24_000
"""Rate of SpeechEQ's audio, Hz."""

_UNKNOWN = "What the systems were sent at this turn is not in the files that this release was made of."
_CLIPS = "without audio: the files tell no clip's length, and each stands here with one sample"


def read_files(files: Sequence[Path], findings: Findings) -> list[Predicted]:
    """Read prediction files, and say what is wrong with all of them.

    Raises:
        Refused: If one of them is of no use.
    """
    read: list[Predicted] = []
    usable = True
    for file in files:
        try:
            read.append(read_predictions(file, findings))
        except Refused:
            if findings.strict:
                raise
            usable = False  # what is wrong with the others is said too
    if not usable:
        raise Refused(findings)
    return read


def make_release(
    files: Sequence[Path], out: Path, *, section: ReleaseSection, key: Path | None, findings: Findings
) -> tuple[Release, list[Written]]:
    """Make a release of prediction files, and our own prediction files beside it.

    Args:
        files: The files; all of the same data.
        out: Folder to be made; gets `release` and `predictions`.
        section: What the release is called.
        key: File with the release line's key; a fresh one is drawn without it.
        findings: Told of everything that is wrong.

    Raises:
        Refused: If a file is of no use, or the files contradict each other; nothing is written then.
        DestinationExists: If the folder exists.
    """
    if out.exists():
        raise DestinationExists(f"{out} exists; choose another folder")
    read = read_files(files, findings)
    named = agreed(read, findings)
    with scratch_beside(out) as whole:
        (whole / PREDICTIONS).mkdir(parents=True)
        with building(whole / RELEASE, DIALOGUES, key=key) as work:
            write(work, DIALOGUES, section, release_plan(read, named, section, work.key), None)
            checked = validate(open_release(work.partial), building=True)
            if checked.failed:
                findings.extend(replace(checked, strict=False))
                findings.add(UNSOUND, file=str(out), found=checked.summary())
                raise Refused(findings)
        release = open_release(whole / RELEASE)
        written = [write_rows(file, release, whole / PREDICTIONS / f"{file.stem}.jsonl", findings) for file in read]
    return open_release(out / RELEASE), written


def release_plan(files: Sequence[Predicted], named: Sequence[Named], section: ReleaseSection, key: bytes) -> Plan:
    """The plan of the release: both turns of each dialogue, each by itself and in both orders, in every modality of the files.

    Args:
        files: The files.
        named: Their dialogues.
        section: What the release is called, and its seed.
        key: The release key; draws which option is stored first.
    """
    data_set = files[0].data_set
    dialogues = [_dialogue(entry, data_set) for entry in named]
    modalities = [modality for modality in MODALITIES if any(file.modality == modality for file in files)]
    made = tables(dialogues, _templates(), key=key, seed=section.seed, chains=[UNLINKED], modalities=modalities)
    for row in made["sources"]:
        row["text"] = row["text_source"] = None
    return Plan(
        facets={subscale.slug: subscale.name for subscale in SUBSCALES},
        tables={**made, "attempts": [], "dialogues": [written_row(dialogue) for dialogue in dialogues]},
        roots={},
        sources=(
            SourceEntry(
                corpus=NAME,
                version=data_set,
                licence=LICENCE,
                metadata={file.path.name: file_hash(file.path) for file in files},
            ),
        ),
        recipe={
            "release": {"name": section.name, "version": section.version, "seed": section.seed},
            "converted": {"from": NAME, "data_set": data_set, "clips": _CLIPS, "publish": "never"},
            "presentations": {"chains": [UNLINKED], "modalities": modalities},
        },
        report={},
    )


def _dialogue(named: Named, data_set: str) -> VoicedDialogue:
    nobody = Person(name="", role="", gender="nonbinary")
    record = {"dataset_id": named.name, "subscale_slug": named.subscale.slug, "scenario_title": named.title}
    return VoicedDialogue(
        name=named.name,
        corpus=NAME,
        corpus_version=data_set,
        licence=LICENCE,
        subscale=named.subscale.slug,
        valence=None,
        type=None,
        title=named.title,
        context="",
        description="",
        first=nobody,
        second=nobody,
        clips=tuple(_clip(named.name, turn, option) for turn, option in RENDERINGS),
        record=json.dumps(record, ensure_ascii=False, sort_keys=True),
    )


def _clip(name: str, turn: int, option: str) -> VoicedClip:
    return VoicedClip(
        turn=turn,
        option=option,
        path=f"{name}/{NUMBERS[turn, option]}",
        rate=RATE,
        frames=1,
        text="",
        tone=None,
        voice=NOT_STATED,
        provider=NAME,
        model=NOT_STATED,
        pcm_hash=None,
        sound={},
    )


def _templates() -> Templates:
    question = f"{_UNKNOWN}\n\n{answer_words()}"
    given = dict.fromkeys(MODALITIES, _UNKNOWN)
    return Templates(
        system=_UNKNOWN, given=given, questions=Questions(round_1=question, round_2=question, direct=question)
    )
