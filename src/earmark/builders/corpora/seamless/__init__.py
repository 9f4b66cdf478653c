"""Seamless Interaction in its official layout, with the assignment table that says who played which role.

Role-play prompts ask each of two strangers to be somebody (`(Warm): As the nurse, …`), one mono recording each. `read_seamless`
joins prompts, assignments and recordings; the modules below it read one kind of file each.
"""

from earmark.builders.corpora.seamless.assignments import Assignment, read_assignments
from earmark.builders.corpora.seamless.corpus import (
    Conversation,
    MetadataHash,
    Participant,
    SeamlessCorpus,
    read_seamless,
)
from earmark.builders.corpora.seamless.filelist import Listed, Place, read_filelist
from earmark.builders.corpora.seamless.files import Files, find_files
from earmark.builders.corpora.seamless.ids import FileId
from earmark.builders.corpora.seamless.prompts import Prompt, read_prompts, role_of
from earmark.builders.corpora.seamless.recordings import Recording, read_recording
from earmark.builders.corpora.seamless.words import Word, Words

__all__ = [
    "Assignment",
    "Conversation",
    "FileId",
    "Files",
    "Listed",
    "MetadataHash",
    "Participant",
    "Place",
    "Prompt",
    "Recording",
    "SeamlessCorpus",
    "Word",
    "Words",
    "find_files",
    "read_assignments",
    "read_filelist",
    "read_prompts",
    "read_recording",
    "read_seamless",
    "role_of",
]
