"""The layout of LibriTTS, for `mythicinfinity/libritts` and its restored twin `_r`, which have no table of readers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from earmark.builders.corpora.libritts.ids import FORM, SUBSETS, UtteranceId
from earmark.builders.corpora.libritts.readers import SPEAKERS
from earmark.builders.corpora.mirrors.layouts import BAD_ID, DISAGREES, UNKNOWN_SPLIT, Placed, Wrong, id_in, text_in


@dataclass(frozen=True)
class LibriTTSLayout:
    """Where utterances of LibriTTS belong: id and split say it all; the `path` that mirrors have is not looked at.

    Args:
        speakers: The corpus's `SPEAKERS.txt`, which is copied: mirrors do not say what sex a reader is.
    """

    speakers: Path

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that a mirror must have."""
        return ("id", "text_normalized")

    @property
    def further(self) -> tuple[str, ...]:
        """The words as printed, and columns that must not contradict the id."""
        return ("text_original", "speaker_id", "chapter_id")

    def place(self, row: Mapping[str, object], split: str) -> Placed:
        """Where a row belongs; the split `test.clean` is the subset test-clean.

        Raises:
            Wrong: If its id is none, or reader or chapter are others than in the id.
        """
        subset = split.replace(".", "-").replace("_", "-")
        if subset not in SUBSETS:
            valid = ", ".join(name.replace("-", ".") for name in SUBSETS)
            raise Wrong(UNKNOWN_SPLIT, "split", split, f"one of {valid}")
        name = id_in(row)
        try:
            id = UtteranceId.parse(name)
        except ValueError:
            raise Wrong(BAD_ID, "id", name, FORM) from None
        for column, part in (("speaker_id", id.reader), ("chapter_id", id.chapter)):
            told = row.get(column)
            if told is not None and str(told) != part:
                raise Wrong(DISAGREES, column, told, part)
        normalized = text_in(row, "text_normalized")
        return Placed(name, f"{subset}/{id.folder}/{id}.wav", subset, normalized, text_in(row, "text_original"))

    def lacks(self, splits: Sequence[str]) -> str | None:  # noqa: ARG002 (every layout is asked)
        """Nothing that has not to be given."""
        return None

    def tables(self, placed: Sequence[Placed], splits: Sequence[str]) -> Mapping[str, Sequence[str]]:  # noqa: ARG002 (every layout is told)
        """The table of each chapter."""
        tables: dict[str, list[str]] = defaultdict(list)
        for entry in placed:
            if entry.text is not None:
                id = UtteranceId.parse(entry.id)
                original = entry.text if entry.original is None else entry.original
                table = f"{entry.split}/{id.folder}/{id.session}.trans.tsv"
                tables[table].append(f"{id}\t{original}\t{entry.text}")
        return tables

    def copies(self) -> Mapping[str, Path]:
        """The table of readers."""
        return {SPEAKERS: self.speakers}
