"""What stands in brackets behind a clip's words: how it was to be said, or the valence, arousal and dominance of its voice."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TypeAlias

from earmark.manifests.declarations import CASCADE_NUMBERS, CASCADE_WORDS, ORACLE
from earmark.manifests.errors import EarmarkError
from earmark.manifests.findings import Findings, Severity, declare
from earmark.manifests.rows import Row, optional_real, optional_text

NO_TONE = declare("present.no-tone", Severity.ERROR, "it is not known how a clip was to be said")
NO_AFFECT = declare("present.no-affect", Severity.ERROR, "a clip has no valence, arousal and dominance")

Affect: TypeAlias = tuple[float, float, float]
"""Valence (unpleasant to pleasant), arousal (calm to excited) and dominance (weak to in control), 0 to 1 each."""

NAMES = ("valence", "arousal", "dominance")
COLUMNS = ("affect_valence", "affect_arousal", "affect_dominance")
"""Columns of sources that a family may have, in the order of `Affect`."""

LOW, HIGH = 1 / 3, 2 / 3
"""Below the one a value is called low, from the other on high, between them middle."""


def notes(modality: str, sources: Mapping[str, Row], affect: Path | None, findings: Findings) -> dict[str, str]:
    """The notes of clips; none in a modality that has none.

    Args:
        modality: What stands for a clip.
        sources: Of each clip, its source.
        affect: Parquet with valence, arousal and dominance by clip_id, in place of the sources' own.
        findings: Told of every clip that lacks what is needed.

    Raises:
        Refused: If the file is no such table.
        EarmarkError: If it cannot be read, or names no clips.
    """
    if modality == ORACLE:
        tones = {clip: optional_text(row, "tone_text") for clip, row in sources.items()}
        for clip in sorted(clip for clip, tone in tones.items() if tone is None):
            findings.add(NO_TONE, id=clip)
        return {clip: tone for clip, tone in tones.items() if tone is not None}
    if modality not in (CASCADE_NUMBERS, CASCADE_WORDS):
        return {}
    numbers = {clip: _own(row) for clip, row in sources.items()} if affect is None else _of_file(affect)
    said = in_numbers if modality == CASCADE_NUMBERS else in_words
    found = {}
    for clip in sorted(sources):
        values = numbers.get(clip)
        if values is None:
            findings.add(NO_AFFECT, id=clip, expected="a row of it in the table of --affect")
        else:
            found[clip] = said(values)
    return found


def in_numbers(affect: Affect) -> str:
    """As numbers, to two places.

    >>> in_numbers((0.5, 0.256, 1.0))
    'valence 0.50, arousal 0.26, dominance 1.00'
    """
    return ", ".join(f"{name} {value:.2f}" for name, value in zip(NAMES, affect, strict=True))


def in_words(affect: Affect) -> str:
    """As words, by the cuts at a third and at two thirds.

    >>> in_words((0.2, 1 / 3, 2 / 3))
    'valence low, arousal middle, dominance high'
    """
    words = ("low" if value < LOW else "middle" if value < HIGH else "high" for value in affect)
    return ", ".join(f"{name} {word}" for name, word in zip(NAMES, words, strict=True))


def _own(row: Row) -> Affect | None:
    valence, arousal, dominance = (optional_real(row, name) for name in COLUMNS)
    return None if valence is None or arousal is None or dominance is None else (valence, arousal, dominance)


def _of_file(path: Path) -> Mapping[str, Affect | None]:
    from earmark.builders.affect.table import read_affect

    table = read_affect(path)
    if table.key != "clip_id":
        raise EarmarkError(f"{path} names its clips by {table.key}; by clip_id is needed")
    return table.heard
