"""A toy corpus of noise that sounds like speech to a histogram, and a published recipe release of it, written by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec
import numpy as np
import soundfile
from numpy.typing import NDArray
from tests.support.tiny import TINY_KEY, tiny_manifest, tiny_rows

from earmark.builders.publishing.data.recipes import write_recipes
from earmark.manifests.building import building
from earmark.manifests.canonical import json_text
from earmark.manifests.families.stance import STANCE
from earmark.manifests.hashes import folder_hash
from earmark.manifests.release import MANIFEST, MediaEntry, Release, open_release

RATE = 16_000


@dataclass(frozen=True)
class Spec:
    """A clip that a toy release has.

    Args:
        path: Its file.
        spans: Its spans.
        channel: Its channel.
        silence: Samples between two spans.
        gain: Change of level, dB.
    """

    path: str
    spans: Sequence[tuple[int, int]]
    channel: int = 0
    silence: int = 0
    gain: float | None = None


def noise(frames: int, channels: int = 1, *, seed: int = 0, bits: int = 16) -> NDArray[np.int32]:
    """Samples whose small values all occur, as of a recording; left-justified in 32 bits, shape (frames, channels)."""
    random = np.random.default_rng([seed, frames, channels])
    loud = 1200 * np.sin(np.arange(frames) / 1500)[:, None] ** 2
    samples = np.rint(random.laplace(0, 1, (frames, channels)) * loud * 2 ** (bits - 16))
    full = 1 << (bits - 1)
    held: NDArray[np.int32] = np.clip(samples, -full, full - 1).astype(np.int32) << (32 - bits)
    return held


def write(file: Path, samples: NDArray[np.int32], *, rate: int = RATE, subtype: str = "PCM_16") -> None:
    """Write a file of the corpus."""
    file.parent.mkdir(parents=True, exist_ok=True)
    soundfile.write(file, samples, rate, subtype=subtype)


def cut_by_hand(root: Path, spec: Spec) -> tuple[NDArray[np.int32], int, int]:
    """A clip by its recipe, the slow and plain way: samples left-justified in 32 bits, rate, bits."""
    samples, rate = soundfile.read(root / spec.path, dtype="int32", always_2d=True)
    bits = 16 if soundfile.info(root / spec.path).subtype == "PCM_16" else 24
    parts: list[NDArray[np.int32]] = []
    for start, end in spec.spans:
        parts += [np.zeros(spec.silence, np.int32), samples[start:end, spec.channel]]
    whole = np.concatenate(parts[1:])
    if spec.gain is not None:
        step = 1 << (32 - bits)
        whole = (np.rint(whole / step * 10 ** (spec.gain / 20)) * step).astype(np.int32)
    return whole, rate, bits


def publish_by_hand(root: Path, specs: Sequence[Spec], out: Path, *, shipped: Sequence[int] = ()) -> Release:
    """A published release of the clips, with recipes of all but those that are shipped, and their native FLAC in no folder.

    Args:
        root: The corpus, as its publisher has it.
        specs: The clips.
        out: The release to be made; `OUT.audio` gets what a release that ships all has in `public/audio`.
        shipped: Which of the clips are shipped.
    """
    from earmark.audio.hashes import samples_hash

    rows = tiny_rows(items=len(specs))
    audio = out.with_name(f"{out.name}.audio")
    audio.mkdir(parents=True)
    recipes: list[dict[str, object]] = []
    clips = {str(row["clip_id"]): row for row in rows["clips"]}
    for n, (source, spec) in enumerate(zip(rows["sources"], specs, strict=True)):
        samples, rate, bits = cut_by_hand(root, spec)
        id = str(source["clip_id"])
        clips[id].update(duration=len(samples) / rate, rate=rate)
        starts, ends = map(list, zip(*spec.spans, strict=True))
        cut: dict[str, object] = {
            "path": spec.path,
            "channel": spec.channel,
            "rate": rate,
            "starts": starts,
            "ends": ends,
            "joining_silence": spec.silence,
            "pcm_hash": samples_hash(samples, rate),
        }
        source.update(cut)
        soundfile.write(audio / f"{id}.flac", samples, rate, subtype=f"PCM_{bits}")
        if n not in shipped:
            said = {"clip_id": id, "corpus": "Toy", "corpus_version": "1.0", "gain": spec.gain}
            recipes.append({**said, **cut})
    key = out.with_name(f"{out.name}.key")
    key.write_bytes(TINY_KEY)
    media = MediaEntry(rate=None, files=len(specs), hash=folder_hash(audio))
    with building(out, STANCE, key=key) as work:
        for name, table in rows.items():
            work.write_table(name, table)
        entry = write_recipes(recipes, work.partial / "public" / "recipes.parquet")
        manifest = msgspec.structs.replace(tiny_manifest(work, rows), media=media, recipes=entry, gold="derivable")
        work.write_manifest(manifest)
    for path in (out / "private").iterdir():
        path.unlink()
    (out / "private").rmdir()
    if shipped:
        folder = out / "public" / "audio"
        folder.mkdir()
        for n in shipped:
            name = f"{rows['sources'][n]['clip_id']}.flac"
            (folder / name).write_bytes((audio / name).read_bytes())
    return open_release(out)


def with_recipes(release: Release, change: dict[str, object], out: Path) -> Release:
    """A copy of a published release whose first recipe says something else, as its manifest then does too."""
    import shutil

    from earmark.manifests.declarations import RECIPES
    from earmark.manifests.parquet.stored import read_stored

    shutil.copytree(release.path, out)
    rows = read_stored(out / "public" / RECIPES.filename, rows=1).to_pylist()
    rows[0] = {**rows[0], **change}
    entry = write_recipes(rows, out / "public" / RECIPES.filename)
    manifest = msgspec.structs.replace(release.manifest, recipes=entry)
    (out / MANIFEST).write_text(json_text(manifest.as_json()), encoding="utf-8", newline="\n")
    return replace(release, path=out, manifest=manifest)
