"""Media: the clips of a plan, cut from the corpora into the public side, each journalled as it is done."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from earmark.manifests.canonical import Json
from earmark.manifests.errors import EarmarkError, MissingExtra
from earmark.manifests.findings import Findings, Severity, declare
from earmark.manifests.hashes import file_hash
from earmark.manifests.rows import Row, optional_real, text, whole, wholes

if TYPE_CHECKING:
    from earmark.audio.cut import Cut
    from earmark.builders.plan import Plan
    from earmark.manifests.building import Building

SILENCE_DB = -200.0
"""The gain that leaves digital silence."""

Progress = Callable[[str, int, int], None]
"""Told (what is being done, how much is done, how much there is)."""

UNCUTTABLE = declare("media.uncuttable", Severity.ERROR, "a clip cannot be cut from its file and was dropped")
SILENT = declare("media.silent", Severity.WARNING, "a clip is digital silence")
CLIPPED = declare("media.clipped", Severity.WARNING, "samples were held at full scale while resampling")


@dataclass(frozen=True)
class CutClip:
    """What became of a clip.

    Args:
        clip: Its id.
        pcm_hash: Hash of its native samples.
        level: RMS level in dBFS; None of digital silence.
        file_hash: Hash of the file written.
        clipped: Samples held at full scale.
    """

    clip: str
    pcm_hash: str
    level: float | None
    file_hash: str
    clipped: int

    def as_json(self) -> Mapping[str, Json]:
        """The line of the journal."""
        return {
            "clip": self.clip,
            "pcm_hash": self.pcm_hash,
            "level": self.level,
            "file_hash": self.file_hash,
            "clipped": self.clipped,
        }


def cut_clips(
    plan: Plan, building: Building, findings: Findings, *, rate: int | None, jobs: int, progress: Progress
) -> Plan:
    """Cut every clip of a plan; what cannot be cut is reported and left out.

    Args:
        plan: The plan.
        building: Where the files go; clips that its journal has and whose file is unchanged are not cut again.
        findings: Where problems go.
        rate: Rate of the files in Hz, None for each clip's own.
        jobs: How many clips are cut at a time.
        progress: Told how far it is.

    Returns:
        The plan with hashes and levels, without the items that lost a clip; its report counts both under `media`.
    """
    folder = building.partial / "public" / "audio"
    folder.mkdir(parents=True, exist_ok=True)
    sources = {text(row, "clip_id"): row for row in plan.tables["sources"]}
    done = _journalled(building, folder, rate)
    waiting = sorted(sources.keys() - done.keys())
    lost: set[str] = set()
    noting = Lock()

    def work(clip: str) -> CutClip | EarmarkError:
        row = sources[clip]
        path = plan.roots[text(row, "corpus")].joinpath(*text(row, "path").split("/"))
        try:
            result = _cut(clip, row, path, folder, rate)
        except MissingExtra:
            raise  # no fault of the clip's
        except EarmarkError as error:
            return error
        # At once, and not when its turn has come: whoever stops this build keeps all that is written.
        with noting:
            building.note_done({"rate": rate, **result.as_json()}, sync=False)
        return result

    progress("cutting clips", len(done), len(sources))
    with ThreadPoolExecutor(max_workers=max(1, jobs)) as pool:
        for clip, result in zip(waiting, pool.map(work, waiting), strict=True):
            if isinstance(result, EarmarkError):
                lost.add(clip)
                findings.add(UNCUTTABLE, file=text(sources[clip], "path"), id=clip, found=result)
            else:
                done[clip] = result
            progress("cutting clips", len(done) + len(lost), len(sources))
    for clip, result in sorted(done.items()):
        sources[clip] = {**sources[clip], "pcm_hash": result.pcm_hash, "level": result.level}
        if result.level is None and not meant_silent(sources[clip]):
            findings.add(SILENT, file=text(sources[clip], "path"), id=clip)
        if result.clipped:
            findings.add(CLIPPED, file=text(sources[clip], "path"), id=clip, found=f"{result.clipped} samples")
    tables = {**plan.tables, "sources": [dict(sources[clip]) for clip in sorted(sources)]}
    kept = replace(plan, tables=tables).without_clips(lost)
    names = {f"{text(row, 'clip_id')}.flac" for row in kept.tables["clips"]}
    for path in folder.iterdir():
        if path.name not in names:
            path.unlink()
    counts: Mapping[str, Json] = {
        "clips": len(names),
        "lost_clips": len(lost),
        "lost_items": len(plan.tables["items"]) - len(kept.tables["items"]),
    }
    return replace(kept, report={**kept.report, "media": counts})


def _cut(clip: str, row: Row, path: Path, folder: Path, rate: int | None) -> CutClip:
    from earmark.audio.hashes import samples_hash
    from earmark.audio.level import measure

    target, native = folder / f"{clip}.flac", cut_native(row, path)
    clipped = write_media(native, target, rate)
    level = measure(native.samples).rms_dbfs
    return CutClip(clip, samples_hash(native.samples, native.rate), level, file_hash(target), clipped)


def cut_native(row: Row, path: Path) -> Cut:
    """The native samples of a clip.

    Args:
        row: A row of the sources, or a recipe.
        path: The corpus's file.

    Raises:
        UndecodableAudio: If it cannot be cut.
    """
    from earmark.audio.cut import cut

    spans = list(zip(wholes(row, "starts"), wholes(row, "ends"), strict=True))
    silence, gain = whole(row, "joining_silence"), optional_real(row, "gain")
    return cut(path, spans, channel=whole(row, "channel"), joining_silence=silence, gain=gain)


def write_media(native: Cut, target: Path, rate: int | None) -> int:
    """Write a clip as it stands on the public side.

    Args:
        native: Its native samples.
        target: The file.
        rate: Rate of the file in Hz, None for the clip's own.

    Returns:
        How many samples were held at full scale.

    Raises:
        UndecodableAudio: If FLAC has no such rate.
        OSError: If the file cannot be written.
    """
    from earmark.audio.cut import write_flac
    from earmark.audio.resample import quantise, resample

    samples, clipped = native.samples, native.clipped
    if rate not in (None, native.rate):
        bits = 8 * min(samples.dtype.itemsize, 3)
        samples, clipped = quantise(resample(samples, native.rate, rate), bits)
    write_flac(target, samples, rate or native.rate)
    return clipped


def meant_silent(source: Row) -> bool:
    """Whether a clip is a control that nothing is heard of."""
    gain = optional_real(source, "gain")
    return gain is not None and gain <= SILENCE_DB


def _journalled(building: Building, folder: Path, rate: int | None) -> dict[str, CutClip]:
    """Clips that an earlier run finished at this rate and whose files are still as it left them."""
    done = {}
    for entry in building.done():
        match entry:
            case {
                "clip": str(clip),
                "rate": at,
                "pcm_hash": str(pcm),
                "level": float() | None as level,
                "file_hash": str(hash),
                "clipped": int(clipped),
            } if at == rate:
                target = folder / f"{clip}.flac"
                if target.is_file() and file_hash(target) == hash:
                    done[clip] = CutClip(clip, pcm, level, hash, clipped)
            case _:
                continue
    return done
