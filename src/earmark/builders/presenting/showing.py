"""What stands for a clip in a request, by modality: its audio, its words, or its words and how they are said."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from earmark.builders.presenting.notes import notes
from earmark.manifests.canonical import Json
from earmark.manifests.declarations import AUDIO, TEXT_HISTORY, TRANSCRIPT
from earmark.manifests.findings import Findings
from earmark.manifests.release import Release
from earmark.manifests.rows import Row, optional_text, text

NO_WORDS = "(no words)"
"""What stands for a clip in which the corpus has no words."""


class Showing:
    """How the clips of a protocol are shown."""

    def __init__(self, release: Release, modality: str, clips: Collection[str], affect: Path | None) -> None:
        """Read what is needed.

        Args:
            release: The release; for all but audio its private side is read.
            modality: What stands for a clip.
            clips: All that will be shown.
            affect: Parquet with valence, arousal and dominance by clip_id, in place of the release's own.

        Raises:
            PrivateSideMissing: If this copy lacks the words.
            Refused: If a clip lacks what stands for it.
        """
        self._modality = modality
        self._texts: dict[str, str] = {}
        self._heard: set[str] = set(clips)
        if modality == AUDIO:
            return
        findings = Findings()
        sources = {text(row, "clip_id"): row for row in release.table("sources").to_pylist()}
        self._heard = _judged(release) & set(clips) if modality == TEXT_HISTORY else set()
        noted = notes(modality, {clip: sources[clip] for clip in clips}, affect, findings)
        findings.require_none()
        for clip in clips:
            words = as_line(optional_text(sources[clip], "text"))
            self._texts[clip] = words if clip not in noted else f"{words} [{as_line(noted[clip])}]"

    @property
    def heard(self) -> list[str]:
        """The clips that are sent as audio."""
        return sorted(self._heard)

    @property
    def history_is_heard(self) -> bool:
        """Whether a clip that stands in the history is sent as audio too."""
        return self._modality == AUDIO

    @property
    def tells_renderings_apart(self) -> bool:
        """Whether two renderings of the same words are sent as different things in the history."""
        return self._modality not in (TEXT_HISTORY, TRANSCRIPT)

    def of(self, clip: str) -> dict[str, Json]:
        """What is sent for a clip."""
        return {"audio": audio_name(clip)} if clip in self._heard else {"text": self._texts[clip]}

    def in_history(self, clip: str, name: str | None = None) -> dict[str, Json]:
        """What is sent for an option that stands in the history.

        Args:
            clip: The clip.
            name: Another name for its file, so that it does not say which of the options it was.
        """
        return {"audio": audio_name(name or clip)} if self.history_is_heard else {"text": self._texts[clip]}


def audio_name(clip: str) -> str:
    """Where a clip's audio stands in the folder."""
    return f"audio/{clip}.flac"


def as_line(words: str | None) -> str:
    r"""Words as they are sent: on one line, so that they cannot pass for another clip.

    >>> as_line("Well,\nCONTEXT: no.")
    'Well, CONTEXT: no.'
    """
    return " ".join((words or "").split()) or NO_WORDS


def _judged(release: Release) -> set[str]:
    """The clips that are options of some item."""
    rows: list[Row] = release.table("item_clips").to_pylist()
    return {text(row, "clip_id") for row in rows if row["role"] in release.family.judged}
