"""The layout of Expresso, for `ylacombe/expresso`, which has dropped the official splits, and `shangeth/expresso`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from earmark.builders.corpora.expresso.ids import READ_FORM, ReadStem, parse_stem
from earmark.builders.corpora.expresso.splits import SPLITS
from earmark.builders.corpora.expresso.transcripts import TRANSCRIPTS
from earmark.builders.corpora.mirrors.layouts import (
    BAD_ID,
    DISAGREES,
    UNKNOWN_SPLIT,
    WINDOW,
    Placed,
    Wrong,
    id_in,
    text_in,
)

_SPELLINGS = {**{split: split for split in SPLITS}, "validation": "dev", "valid": "dev"}


@dataclass(frozen=True)
class ExpressoLayout:
    """Where read recordings of Expresso belong: a stem says it all, and no other column of a mirror names a folder.

    Args:
        splits: Folder with the official `train.txt`, `dev.txt` and `test.txt`, which are copied; None writes the mirror's own
            splits, if it has more than one.
    """

    splits: Path | None = None

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that both mirrors have."""
        return ("id", "text")

    @property
    def further(self) -> tuple[str, ...]:
        """Columns that must not contradict the id, and those that make a row a window."""
        return ("speaker_id", "start_s", "end_s")

    def place(self, row: Mapping[str, object], split: str) -> Placed:
        """Where a row belongs.

        Raises:
            Wrong: If its id is no read stem, its speaker another one, or it is a window of a longer recording.
        """
        if split not in _SPELLINGS:
            raise Wrong(UNKNOWN_SPLIT, "split", split, f"one of {', '.join(SPLITS)}")
        name = id_in(row)
        try:
            stem = parse_stem(name)
        except ValueError:
            raise Wrong(BAD_ID, "id", name, READ_FORM) from None
        if not isinstance(stem, ReadStem):
            raise Wrong(BAD_ID, "id", name, READ_FORM)
        if row.get("start_s") is not None or row.get("end_s") is not None:
            raise Wrong(WINDOW, "id", name)
        speaker = row.get("speaker_id")
        spelled = f"ex{speaker:02d}" if isinstance(speaker, int) else speaker
        if spelled is not None and spelled != stem.speaker:
            raise Wrong(DISAGREES, "speaker_id", speaker, stem.speaker)
        return Placed(name, stem.path, _SPELLINGS[split], text_in(row, "text"))

    def lacks(self, splits: Sequence[str]) -> str | None:
        """The official splits, if nobody gives them and a mirror knows of `train` alone."""
        if self.splits is not None or set(splits) != {"train"}:
            return None
        return f"the folder with the official {', '.join(f'{split}.txt' for split in SPLITS)}"

    def tables(self, placed: Sequence[Placed], splits: Sequence[str]) -> Mapping[str, Sequence[str]]:
        """The transcripts, and the splits where the mirror has kept them."""
        tables: dict[str, list[str]] = defaultdict(list)
        tables[TRANSCRIPTS] = [f"{entry.id}\t{entry.text}" for entry in placed if entry.text]
        if self.splits is None and self.lacks(splits) is None:
            for entry in placed:
                tables[f"splits/{entry.split}.txt"].append(entry.id)
        return tables

    def copies(self) -> Mapping[str, Path]:
        """The official splits."""
        return {} if self.splits is None else {f"splits/{split}.txt": self.splits / f"{split}.txt" for split in SPLITS}
