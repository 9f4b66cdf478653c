"""Whether the hashes that a manifest names are true of the files beside it, which were hashed already."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from earmark.manifests.clip_audio import ClipAudio, recipe_clips, recipe_rows
from earmark.manifests.copies.published import WITHDRAWN
from earmark.manifests.declarations import RECIPES
from earmark.manifests.errors import EarmarkError
from earmark.manifests.findings import Findings, Severity, declare
from earmark.manifests.hashes import content_hash, files_hash
from earmark.manifests.release import MANIFEST, Release, TableEntry
from earmark.manifests.tables import Side, Table

MISSING = declare("verify.missing", Severity.ERROR, "a file that was published is not there")
TABLE = declare("verify.table", Severity.ERROR, "a table is not what the manifest says")
WITHDRAWALS = declare("verify.withdrawn", Severity.ERROR, "the list of withdrawn items is not what the manifest says")
AUDIO = declare("verify.audio", Severity.ERROR, "the audio is not what the manifest says")
NOT_ALL_AUDIO = declare(
    "verify.not-all-audio",
    Severity.NOTE,
    "clips were not hashed against the manifest, whose one hash is over the audio of all of them",
)


def tables_are_true(release: Release, hashes: Mapping[str, str], findings: Findings, listed: Mapping[str, str]) -> None:
    """Tables: their bytes, and what they say; of private ones the latter alone, where the key is there.

    Args:
        release: The release.
        hashes: The hash of each file that is there, by POSIX path.
        findings: Where problems go.
        listed: What is missed already.
    """
    manifest = release.manifest
    entries = [(table, manifest.tables[name]) for name, table in release.family.tables().items()]
    if manifest.recipes is not None:
        entries.append((RECIPES, manifest.recipes))
    for table, entry in entries:
        if table.side is Side.PRIVATE:
            if f"{Side.PRIVATE}/key" in hashes and f"{Side.PRIVATE}/{table.filename}" in hashes:
                _content_is_true(release, table, entry, findings)
            continue
        path = f"{Side.PUBLIC}/{table.filename}"
        if path not in hashes:
            if path not in listed and not (release.path / path).is_file():
                findings.add(MISSING, file=path, expected=f"a table, as {MANIFEST} says")
        elif hashes[path] != entry.file_hash:
            findings.add(TABLE, file=path, found=hashes[path], expected=entry.file_hash)
        else:
            _content_is_true(release, table, entry, findings)
    path, withdrawn = f"{Side.PUBLIC}/{WITHDRAWN}", manifest.withdrawn
    said = None if withdrawn is None else withdrawn.file_hash
    if hashes.get(path) != said:
        findings.add(WITHDRAWALS, file=path, found=hashes.get(path, "no such file"), expected=said or "no such file")


def _content_is_true(release: Release, table: Table, entry: TableEntry, findings: Findings) -> None:
    import pyarrow as pa

    path = f"{table.side}/{table.filename}"
    try:
        rows = recipe_rows(release) if table is RECIPES else release.table(table.name)
        if rows is None:
            return
        found = content_hash(table, rows, salt=b"" if table.side is Side.PUBLIC else release.key)
    except (EarmarkError, pa.ArrowException, ValueError, LookupError) as error:
        findings.add(TABLE, file=path, found=error, expected="a table that can be read")
        return
    if (rows.num_rows, found) != (entry.rows, entry.content_hash):
        said = f"{entry.rows} rows, {entry.content_hash}"
        findings.add(TABLE, file=path, found=f"{rows.num_rows} rows, {found}", expected=said)


def audio_is_true(
    release: Release,
    hashes: Mapping[str, str],
    findings: Findings,
    progress: Callable[[str, int, int], None],
    *,
    every_clip: bool,
) -> None:
    """Audio: there for every clip that no recipe stands for, and for nothing else; where all is there, its hash.

    Args:
        release: The release.
        hashes: The hash of each file that is there, by POSIX path.
        findings: Where problems go.
        progress: Told how many clips were hashed.
        every_clip: Whether clips in shards are hashed too.
    """
    folder, media = f"{Side.PUBLIC}/audio", release.manifest.media
    of_files = {name.removeprefix(f"{folder}/"): hash for name, hash in hashes.items() if name.startswith(f"{folder}/")}
    try:
        audio = ClipAudio(release)
        there = {f"{clip}.flac" for clip in audio.clips()} | of_files.keys()
        rows = release.table("clips")
        wanted = set() if media is None else {f"{clip}.flac" for clip in rows["clip_id"].to_pylist()}
        for name in audio.doubles:
            findings.add(AUDIO, id=name, found="audio that stands twice", expected="each clip once")
        for name in sorted(there - wanted):
            findings.add(AUDIO, file=f"{folder}/{name}", found="a file of no clip", expected="audio of clips only")
        cut = {f"{clip}.flac" for clip in recipe_clips(release)}
        for name in sorted(wanted - there - cut):
            findings.add(AUDIO, file=f"{folder}/{name}", found="no audio", expected="audio or a recipe of every clip")
        if every_clip and (media is None or there < wanted):
            here = f"audio of {len(there)} of {rows.num_rows} clips"
            findings.add(NOT_ALL_AUDIO, found=here, expected="all of it, as earmark materialize makes it")
        if media is None or there != wanted or (of_files.keys() != wanted and not every_clip):
            return
        made = of_files if of_files.keys() == wanted else _of_every_clip(audio, len(wanted), progress)
    except EarmarkError as error:
        findings.add(AUDIO, found=error, expected="audio that can be read")
        return
    if (found := (len(made), files_hash(made))) != (media.files, media.hash):
        said = f"{media.files} files, {media.hash}"
        findings.add(AUDIO, file=folder, found=f"{found[0]} files, {found[1]}", expected=said)


def _of_every_clip(audio: ClipAudio, clips: int, progress: Callable[[str, int, int], None]) -> dict[str, str]:
    done = 0

    def tell(_: int) -> None:
        nonlocal done
        done += 1
        progress("hashing clips", done, clips)

    return audio.hashes(tell)
