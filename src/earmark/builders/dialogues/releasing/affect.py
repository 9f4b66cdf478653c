"""Putting what a model heard in voices beside the clips: valence, arousal and dominance from a table, by the clips' paths."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from earmark.builders.affect.table import AffectTable, read_affect
from earmark.builders.dialogues.voiced import Voiced
from earmark.manifests.errors import EarmarkError
from earmark.manifests.findings import Findings, Severity, declare

UNHEARD = declare("dialogues.no-affect", Severity.ERROR, "the table of affect has no numbers of a clip")


def affect_by_path(file: Path) -> AffectTable:
    """A table of affect that names its clips by their paths.

    Args:
        file: Parquet with path, valence, arousal and dominance.

    Raises:
        Refused: If the file is no such table.
        EarmarkError: If it cannot be read, or names no paths.
    """
    table = read_affect(file)
    if table.key != "path":
        raise EarmarkError(f"{file} names its clips by {table.key}; by path is needed")
    return table


def with_affect(voiced: Voiced, table: AffectTable, findings: Findings, *, file: str) -> Voiced:
    """Dialogues whose clips have what a model heard in them.

    Args:
        voiced: The dialogues.
        table: What was heard, by path.
        findings: Told of every clip of which there are no numbers.
        file: Name of the table's file, for findings.
    """
    dialogues = []
    for dialogue in voiced.dialogues:
        for clip in dialogue.clips:
            if table.heard.get(clip.path) is None:
                findings.add(UNHEARD, file=file, id=clip.path, expected="a row with three numbers")
        clips = tuple(replace(clip, affect=table.heard.get(clip.path)) for clip in dialogue.clips)
        dialogues.append(replace(dialogue, clips=clips))
    return replace(voiced, dialogues=tuple(dialogues), recipe={**voiced.recipe, "affect": {"model": table.model}})
