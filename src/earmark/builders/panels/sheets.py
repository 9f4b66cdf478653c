"""Rating sheets: for each rater a page that plays and asks, and the bare form of the answers as CSV.

A rater gets every item once, so never an item and its swapped twin, in an order of their own. Nothing here reads the private
side, except to cut audio that the release does not hold. A sheet may be of some questions alone, for a second round.
"""

from __future__ import annotations

import base64
import shutil
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, TypeAlias

from earmark.builders.clip_audio import copy_audio
from earmark.builders.media import Progress
from earmark.builders.panels.screens import Screens
from earmark.manifests.errors import DestinationExists, ReleaseError
from earmark.manifests.panels import Panel
from earmark.manifests.release import Release
from earmark.manifests.rows import Row, text
from earmark.manifests.scratch import scratch_beside
from earmark.pages.rating_sheet import rating_sheet_html

Audio: TypeAlias = Literal["auto", "embed", "beside"]
"""Whether audio is in the page or in a folder beside it; "auto" decides by size."""

_MB = 1 << 20


@dataclass(frozen=True)
class Sheets:
    """What was written.

    Args:
        raters: Whose sheets.
        items: Questions on each; the most of any rater's.
        clips: Clips that they play.
        embedded: Whether their audio is in the pages.
        withdrawn: Items of the panel that were withdrawn since it was drawn, and are asked of nobody.
    """

    raters: tuple[str, ...]
    items: int
    clips: int
    embedded: bool
    withdrawn: int = 0


def write_sheets(
    release: Release,
    panel: Panel,
    out: Path,
    *,
    audio: Audio,
    roots: Mapping[str, Path],
    progress: Progress,
    only: Collection[str] | None = None,
) -> Sheets:
    """Write `RATER.html` and `RATER.csv` for every rater of a panel.

    Args:
        release: The release that the panel was drawn from, or a later version of it that only withdrawals part from that one.
            Audio is copied from its public side or, where that has none, cut from the corpora.
        panel: The panel.
        out: Folder to write; must not exist.
        audio: Whether audio is in the page or beside it.
        roots: Where corpora lie, by name, for releases without audio.
        progress: Told how far it is.
        only: Ids of the questions that are asked; None for all. A rater who has none of them gets no sheet.

    Raises:
        DestinationExists: If the folder exists.
        ReleaseError: If the panel is not of this release.
        EarmarkError: If the audio is neither in the release nor under `roots`.
    """
    left = panel.left_in(release)
    if out.exists():
        raise DestinationExists(f"{out} exists; choose another folder")
    with scratch_beside(out) as scratch:
        scratch.mkdir()
        written = _write(release, left, scratch, audio, roots, progress, only)
        return replace(written, withdrawn=len(panel.entries) - len(left.entries))


def _write(
    release: Release,
    panel: Panel,
    folder: Path,
    audio: Audio,
    roots: Mapping[str, Path],
    progress: Progress,
    only: Collection[str] | None,
) -> Sheets:
    screens = Screens(release, panel, _presentations(release, panel))
    asked = {
        rater: kept
        for rater in panel.raters
        if (kept := [one for one in panel.questions(rater) if only is None or one.id in only])
    }
    if not asked:
        raise ReleaseError(f"the panel {panel.name} has none of the questions that sheets are wanted of")
    shown = {rater: screens.of(questions) for rater, questions in asked.items()}
    clips = sorted({clip for each in shown.values() for screen in each for _, clip in screen.clips})
    beside = folder / "audio"
    beside.mkdir()
    copy_audio(release, clips, beside, roots, progress)
    size = sum((beside / f"{clip}.flac").stat().st_size for clip in clips) * 4 / 3  # as base64
    embed = audio == "embed" or (audio == "auto" and size <= panel.embed_most_mb * _MB)
    sources = {clip: _data_uri(beside / f"{clip}.flac") if embed else f"audio/{clip}.flac" for clip in clips}
    for number, (rater, questions) in enumerate(asked.items(), start=1):
        page = rating_sheet_html(panel.name, rater, panel.instructions, shown[rater], sources)
        (folder / f"{rater}.html").write_text(page, encoding="utf-8", newline="\n")
        form = "presentation_id,choice\r\n" + "".join(f"{one.id},\r\n" for one in questions)
        (folder / f"{rater}.csv").write_text(form, encoding="utf-8", newline="")
        progress("writing sheets", number, len(asked))
    if embed:
        shutil.rmtree(beside)
    return Sheets(tuple(asked), max(map(len, asked.values())), len(clips), embed)


def _presentations(release: Release, panel: Panel) -> dict[str, Row]:
    """The presentations of a panel, by id.

    Raises:
        ReleaseError: If one is not in the release.
    """
    wanted = {entry.presentation for entry in panel.entries}
    found: dict[str, Row] = {
        id: row for row in release.table("presentations").to_pylist() if (id := text(row, "presentation_id")) in wanted
    }
    if lost := sorted(wanted - found.keys()):
        raise ReleaseError(f"{release.path} has no presentation {lost[0]}, which the panel {panel.name} names")
    return found


def _data_uri(path: Path) -> str:
    return "data:audio/flac;base64," + base64.b64encode(path.read_bytes()).decode()
