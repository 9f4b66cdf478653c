"""Seamless Interaction as stance builders need it: conversations with both sides' recordings, prompt and roles.

Everything is joined by id and sorted, so that neither the order of rows nor that of folders changes the result. What is bad is
dropped where it stands and is a finding: a side, where its own files are wrong; a conversation, where nothing of it is left.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, TypeAlias

from earmark.builders.corpora.csv_rows import hash_records
from earmark.builders.corpora.seamless.assignments import Assignment, read_assignments
from earmark.builders.corpora.seamless.filelist import Listed, Place, read_filelist
from earmark.builders.corpora.seamless.files import Files, find_files
from earmark.builders.corpora.seamless.ids import FileId
from earmark.builders.corpora.seamless.prompts import Prompt, read_prompts
from earmark.builders.corpora.seamless.recordings import Recording, read_recording
from earmark.manifests.errors import Refused
from earmark.manifests.findings import Findings, Severity, declare

NO_CORPUS = declare("corpus.no-corpus", Severity.ERROR, "the corpus's folder is absent")
MISSING_CONVERSATION = declare(
    "corpus.missing-conversation", Severity.ERROR, "the assignment names a conversation without any file; dropped"
)
NO_PARTNER = declare(
    "corpus.no-partner", Severity.ERROR, "one side of the conversation has no file; that side is dropped"
)
UNLISTED_ID = declare("corpus.unlisted-id", Severity.WARNING, "the file list does not name the id")
OTHER_LABEL = declare("corpus.other-label", Severity.ERROR, "the file list puts the id under a label that is not read")

Progress: TypeAlias = Callable[[int, int], None]
"""Is told how many conversations are read, and of how many."""


@dataclass(frozen=True, slots=True)
class Participant:
    """One side of a conversation.

    Args:
        file_id: Who, and in which conversation.
        role: The role that the prompt gives that side; None where it gives none.
        recording: What was recorded; None where it is missing or of no use.
    """

    file_id: FileId
    role: str | None
    recording: Recording | None


@dataclass(frozen=True, slots=True)
class Conversation:
    """Two participants at one prompt; at least one of them has a recording.

    Args:
        prompt_id: `prompt_id_unique` of the prompt.
        a: Who played side A.
        b: Who played side B.
    """

    prompt_id: str
    a: Participant
    b: Participant

    @property
    def id(self) -> str:
        """Vendor, session and interaction."""
        return self.a.file_id.conversation

    @property
    def is_complete(self) -> bool:
        """Whether both sides have a recording, so that turns can be found."""
        return self.a.recording is not None and self.b.recording is not None


class MetadataHash(NamedTuple):
    """The hash of one kind of metadata by what it says, as rows come in any order.

    Attributes:
        name: "assignments", "filelist", "prompts" or "recordings".
        hash: "sha256:" and 64 hex digits.
    """

    name: str
    hash: str


@dataclass(frozen=True)
class SeamlessCorpus:
    """What of the corpus can be used.

    Args:
        conversations: By id.
        prompts: The prompt table by number; empty where none was given.
        metadata: Hashes of the metadata that was used, by name.
    """

    conversations: tuple[Conversation, ...]
    prompts: tuple[Prompt, ...]
    metadata: tuple[MetadataHash, ...]


def read_seamless(
    root: Path,
    assignments: Path | None,
    *,
    prompts: Path | None = None,
    filelist: Path | None = None,
    labels: Sequence[str] = ("improvised",),
    findings: Findings,
    progress: Progress | None = None,
) -> SeamlessCorpus:
    """Read all conversations that the assignment table names.

    Args:
        root: The corpus's folder, in which one folder per label lies.
        assignments: The table that says who played which side, in StanceBench's columns.
        prompts: `interactions.csv`; without it roles and prompts are not checked.
        filelist: `filelist.csv`; without it a missing file is reported without its place.
        labels: The labels to look in.
        findings: What is wrong is added to them.
        progress: Told after every conversation.

    Returns:
        The conversations with at least one recording.

    Raises:
        Refused: If the corpus's folder or a usable assignment table is absent, or at the first error if `findings` is strict.
    """
    read_prompt_table = read_prompts(prompts, findings) if prompts is not None else ()
    listed = read_filelist(filelist, findings) if filelist is not None else ()
    # A prompt table of no use is one finding; checking against it would make one of every row.
    assigned = read_assignments(assignments, read_prompt_table or None, findings)
    if not root.is_dir():
        findings.add(NO_CORPUS, file=str(root), expected=f"a folder with {', '.join(labels)}")
        raise Refused(findings)
    wanted = {file_id for entry in assigned for file_id in (entry.a, entry.b)}
    files = find_files(root, findings, labels=labels, wanted=wanted)
    places = dict(listed) if listed else None
    conversations: list[Conversation] = []
    for done, entry in enumerate(assigned, start=1):
        conversation = _conversation(root, entry, files, places, labels, findings)
        if conversation is not None:
            conversations.append(conversation)
        if progress is not None:
            progress(done, len(assigned))
    return SeamlessCorpus(
        tuple(conversations), read_prompt_table, _hashes(assigned, listed, read_prompt_table, conversations)
    )


def _conversation(
    root: Path,
    entry: Assignment,
    files: Mapping[FileId, Files],
    places: Mapping[FileId, Place] | None,
    labels: Sequence[str],
    findings: Findings,
) -> Conversation | None:
    here = [file_id for file_id in (entry.a, entry.b) if file_id in files]
    if places is not None:
        for file_id in (entry.a, entry.b):
            _check_place(file_id, places, labels, findings)
    if not here:
        findings.add(
            MISSING_CONVERSATION,
            id=entry.conversation,
            found=f"neither {entry.a} nor {entry.b}",
            expected=_expected(entry.a, places) or "their WAV and JSON files",
        )
        return None
    sides: dict[FileId, Recording | None] = {}
    for file_id in (entry.a, entry.b):
        if file_id in files:
            expected_in = places[file_id].folder if places and file_id in places else None
            sides[file_id] = read_recording(root, file_id, files[file_id], findings, expected_in=expected_in)
        else:
            sides[file_id] = None
            findings.add(NO_PARTNER, id=str(file_id), found=f"{here[0]} alone", expected=_expected(file_id, places))
    if not any(sides.values()):
        return None
    return Conversation(
        entry.prompt_id,
        Participant(entry.a, entry.role_a, sides[entry.a]),
        Participant(entry.b, entry.role_b, sides[entry.b]),
    )


def _check_place(file_id: FileId, places: Mapping[FileId, Place], labels: Sequence[str], findings: Findings) -> None:
    place = places.get(file_id)
    if place is None:
        findings.add(UNLISTED_ID, id=str(file_id), expected="an id of the file list")
    elif place.label not in labels:
        findings.add(OTHER_LABEL, id=str(file_id), found=place.label, expected=f"one of {', '.join(labels)}")


def _expected(file_id: FileId, places: Mapping[FileId, Place] | None) -> str | None:
    place = places.get(file_id) if places else None
    return None if place is None else f"its files in {place.folder}"


def _hashes(
    assigned: Sequence[Assignment],
    listed: Sequence[Listed],
    prompts: Sequence[Prompt],
    conversations: Sequence[Conversation],
) -> tuple[MetadataHash, ...]:
    recordings = [
        side.recording for entry in conversations for side in (entry.a, entry.b) if side.recording is not None
    ]
    hashes = [
        MetadataHash(
            "assignments",
            hash_records(
                [entry.prompt_id, str(entry.a), str(entry.b), entry.role_a, entry.role_b] for entry in assigned
            ),
        ),
        MetadataHash(
            "recordings", hash_records([str(r.file_id), r.rate, r.frames, r.metadata_hash] for r in recordings)
        ),
    ]
    return tuple(sorted([*hashes, *table_hashes(listed, prompts)]))


def table_hashes(listed: Sequence[Listed], prompts: Sequence[Prompt]) -> Iterator[MetadataHash]:
    """The hashes of the tables that lie beside the recordings, of those that say anything.

    Args:
        listed: What `filelist.csv` says.
        prompts: What `interactions.csv` says.
    """
    if listed:
        yield MetadataHash("filelist", hash_records([str(entry.file_id), *entry.place] for entry in listed))
    if prompts:
        records = ([p.hash, p.id, p.text_a, p.text_b, p.ipc_a, p.ipc_b, p.interaction_type] for p in prompts)
        yield MetadataHash("prompts", hash_records(records))
