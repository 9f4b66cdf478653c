"""Invariants of the folder: what lies in it, and that its bytes are those that the manifest names."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from earmark.manifests.clip_audio import ClipAudio
from earmark.manifests.copies.published import (
    AT_THE_ROOT,
    CLIP_SHARDS,
    DATA,
    DOWNLOADERS_OWN,
    ITEM_SHARDS,
    SHIPPED,
    WITHDRAWN,
    is_published,
)
from earmark.manifests.declarations import RECIPES
from earmark.manifests.errors import ReleaseError
from earmark.manifests.findings import Code, Findings, Severity, declare
from earmark.manifests.hashes import content_hash, file_hash, files_hash
from earmark.manifests.release import MANIFEST, TableEntry, canary
from earmark.manifests.rows import text
from earmark.manifests.tables import Side, Table
from earmark.validation.contents import Contents, Invariant

if TYPE_CHECKING:
    import pyarrow as pa

PUBLIC_EXTRA = declare("release.public-extra", Severity.ERROR, "something on the public side that does not belong")
PRIVATE_EXTRA = declare("release.private-extra", Severity.WARNING, "something on the private side that does not belong")
FILE_HASH = declare("release.file-hash", Severity.ERROR, "a file's bytes are not those that the manifest names")
CONTENT_HASH = declare("release.content-hash", Severity.ERROR, "a table says something else than the manifest's hash")
ROW_COUNT = declare("release.row-count", Severity.ERROR, "a table has another number of rows than the manifest says")
TABLE_SIDE = declare("release.table-side", Severity.ERROR, "the manifest puts a table on the wrong side")
CANARY = declare("release.canary", Severity.ERROR, "the canary is not that of the release line")
RECIPES_FIT = declare("release.recipes", Severity.ERROR, "how clips are cut does not fit the release")
MEDIA = declare("media.files", Severity.ERROR, "the audio on the public side is not what the manifest says")

PAGES = ("build.json", "build.html", "oracle.jsonl", "costs.json")
"""What builders may tell of a build on the private side besides tables."""


def _sides_are_clean(contents: Contents, findings: Findings) -> None:
    release = contents.release
    tables = release.family.tables().values()
    recipes = {RECIPES.filename} if release.manifest.recipes is not None else set()
    allowed = {
        Side.PUBLIC: {"audio", WITHDRAWN, *recipes},
        Side.PRIVATE: {"key", "attempts.parquet", SHIPPED, *PAGES},
    }
    for side in Side:
        names = {table.filename for table in tables if table.side is side} | allowed[side]
        _only(release.side(side), side.value, names, PUBLIC_EXTRA if side is Side.PUBLIC else PRIVATE_EXTRA, findings)
    at_the_root = {MANIFEST, *(side.value for side in Side)}
    if is_published(release.path):
        # `verify` holds each of their files against the list.
        at_the_root |= AT_THE_ROOT | set(DOWNLOADERS_OWN)
        data = {place.removeprefix(f"{DATA}/") for place in (CLIP_SHARDS, ITEM_SHARDS)}
        _only(release.path / DATA, DATA, data, PUBLIC_EXTRA, findings)
    _only(release.path, "", at_the_root, PUBLIC_EXTRA, findings)


def _only(folder: Path, named: str, names: set[str], code: Code, findings: Findings) -> None:
    for path in sorted(folder.iterdir()) if folder.is_dir() else []:
        if path.name not in names:
            file = f"{named}/{path.name}" if named else path.name
            findings.add(code, file=file, expected=f"only {', '.join(sorted(names))}")


def _hashes_are_true(contents: Contents, findings: Findings) -> None:
    release, manifest = contents.release, contents.release.manifest
    shipped = contents.shipped
    for name, table in release.family.tables().items():
        entry = manifest.tables[name]
        if entry.side is not table.side:
            findings.add(TABLE_SIDE, file=MANIFEST, id=name, found=entry.side.value, expected=table.side.value)
        if table.side is Side.PRIVATE and entry.file_hash is not None:
            expected = "null: whoever guesses the answers could compare"
            findings.add(FILE_HASH, file=MANIFEST, id=name, found=entry.file_hash, expected=expected)
        if name not in contents.tables:
            continue
        rows = contents.tables[name]
        if table.side is Side.PUBLIC:
            _table_is_true(table, rows, entry, release.file(name), findings)
        elif shipped is not None and name in shipped.tables:
            _require_hash(release.file(name), table.filename, shipped.tables[name].file_hash, findings)
        else:
            _require_rows(table, rows, entry, findings)
            if contents.key is not None:
                _require_content(table, rows, entry, contents.key, findings)
    if contents.recipes is not None and manifest.recipes is not None:
        path = release.side(Side.PUBLIC) / RECIPES.filename
        _table_is_true(RECIPES, contents.recipes, manifest.recipes, path, findings)
    if manifest.canary != canary(manifest.name, manifest.version):
        expected = canary(manifest.name, manifest.version)
        findings.add(CANARY, file=MANIFEST, found=manifest.canary, expected=expected)


def _table_is_true(table: Table, rows: pa.Table, entry: TableEntry, path: Path, findings: Findings) -> None:
    _require_rows(table, rows, entry, findings)
    _require_content(table, rows, entry, b"", findings)
    _require_hash(path, table.filename, entry.file_hash, findings)


def _require_rows(table: Table, rows: pa.Table, entry: TableEntry, findings: Findings) -> None:
    if entry.rows != rows.num_rows:
        findings.add(ROW_COUNT, file=table.filename, found=rows.num_rows, expected=str(entry.rows))


def _require_content(table: Table, rows: pa.Table, entry: TableEntry, salt: bytes, findings: Findings) -> None:
    if (found := content_hash(table, rows, salt=salt)) != entry.content_hash:
        findings.add(CONTENT_HASH, file=table.filename, found=found, expected=entry.content_hash)


def _require_hash(path: Path, named: str, hash: str | None, findings: Findings) -> None:
    if (found := file_hash(path)) != hash:
        findings.add(FILE_HASH, file=named, found=found, expected=hash or "a hash")


def _media_is_true(contents: Contents, findings: Findings) -> None:
    release, media = contents.release, contents.release.manifest.media
    folder = release.side(Side.PUBLIC) / "audio"
    expected = {text(row, "clip_id") for row in contents.rows("clips")} if media is not None else set()
    files = sorted(folder.iterdir()) if folder.is_dir() else []
    strange = [path for path in files if not path.is_file() or path.suffix != ".flac" or path.stem not in expected]
    for path in strange:
        wanted = "one file for each clip" if media else "no audio"
        findings.add(MEDIA, file=f"public/audio/{path.name}", expected=wanted)
    audio = ClipAudio(release)
    try:
        found, twice = audio.clips(), audio.doubles
        cut = {str(id) for id in contents.recipes["clip_id"].to_pylist()} if contents.recipes is not None else set()
        for clip in twice:
            findings.add(MEDIA, id=clip, found="audio that stands twice", expected="each clip once")
        for clip in sorted(found - expected - {path.stem for path in files}):
            findings.add(MEDIA, file=CLIP_SHARDS, id=clip, expected="one cell for each clip" if media else "no audio")
        for clip in sorted(expected - found - cut):
            findings.add(MEDIA, file=f"public/audio/{clip}.flac", found="no audio", expected="one file for each clip")
        if media is None or found != expected or strange or twice or not contents.hears:
            return
        hashes = audio.hashes() if found else {}
    except ReleaseError as error:
        findings.add(MEDIA, found=error, expected="audio that can be read")
        return
    here = files_hash(hashes) if hashes else None
    if (len(hashes), here) != (media.files, media.hash):
        said = f"{len(hashes)} files, {here}"
        findings.add(MEDIA, file="public/audio", found=said, expected=f"{media.files}, {media.hash}")


def _recipes_fit(contents: Contents, findings: Findings) -> None:
    """Recipes are of clips of the release, and where there are some the gold can be told from them."""
    rows, manifest = contents.recipes, contents.release.manifest
    if rows is None:
        return
    clips = {text(row, "clip_id") for row in contents.rows("clips")}
    for clip in sorted({str(id) for id in rows["clip_id"].to_pylist()} - clips):
        findings.add(RECIPES_FIT, file=RECIPES.filename, id=clip, expected="a clip of the release")
    if manifest.gold == "hidden":
        findings.add(
            RECIPES_FIT, file=MANIFEST, found="gold hidden", expected="derivable: where clips are from tells it"
        )


SIDES = Invariant("sides", "Nothing stands in the folder but what the format names.", False, _sides_are_clean)
HASHES = Invariant("hashes", "Every hash in the manifest is true.", False, _hashes_are_true)
AUDIO = Invariant(
    "media", "Audio, or how it is cut, is there for every clip or for none, unchanged.", False, _media_is_true
)
CUTTING = Invariant("recipes", "Recipes are of clips of the release, whose gold is derivable.", False, _recipes_fit)
