"""Invariants of the folder: what lies in it, and that its bytes are those that the manifest names."""

from __future__ import annotations

from earmark.manifests.findings import Findings, Severity, declare
from earmark.manifests.hashes import content_hash, file_hash, folder_hash
from earmark.manifests.published import WITHDRAWN
from earmark.manifests.release import MANIFEST, canary
from earmark.manifests.tables import Side
from earmark.validation.contents import Contents, Invariant

PUBLIC_EXTRA = declare("release.public-extra", Severity.ERROR, "something on the public side that does not belong")
PRIVATE_EXTRA = declare("release.private-extra", Severity.WARNING, "something on the private side that does not belong")
FILE_HASH = declare("release.file-hash", Severity.ERROR, "a file's bytes are not those that the manifest names")
CONTENT_HASH = declare("release.content-hash", Severity.ERROR, "a table says something else than the manifest's hash")
ROW_COUNT = declare("release.row-count", Severity.ERROR, "a table has another number of rows than the manifest says")
TABLE_SIDE = declare("release.table-side", Severity.ERROR, "the manifest puts a table on the wrong side")
CANARY = declare("release.canary", Severity.ERROR, "the canary is not that of the release line")
MEDIA = declare("media.files", Severity.ERROR, "the audio on the public side is not what the manifest says")

PAGES = ("build.json", "build.html", "oracle.jsonl", "costs.json")
"""What builders may tell of a build on the private side besides tables."""


def _sides_are_clean(contents: Contents, findings: Findings) -> None:
    release = contents.release
    tables = release.family.tables().values()
    allowed = {Side.PUBLIC: {"audio", WITHDRAWN}, Side.PRIVATE: {"key", "attempts.parquet", *PAGES}}
    for side in Side:
        folder = release.side(side)
        names = {table.filename for table in tables if table.side is side} | allowed[side]
        code = PUBLIC_EXTRA if side is Side.PUBLIC else PRIVATE_EXTRA
        for path in sorted(folder.iterdir()) if folder.is_dir() else []:
            if path.name not in names:
                findings.add(code, file=f"{side.value}/{path.name}", expected=f"only {', '.join(sorted(names))}")
    for path in sorted(release.path.iterdir()):
        if path.name not in {MANIFEST, *(side.value for side in Side)}:
            findings.add(PUBLIC_EXTRA, file=path.name, expected=f"only {MANIFEST}, public and private")


def _hashes_are_true(contents: Contents, findings: Findings) -> None:
    release, manifest = contents.release, contents.release.manifest
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
        if entry.rows != rows.num_rows:
            findings.add(ROW_COUNT, file=table.filename, found=rows.num_rows, expected=str(entry.rows))
        salt = b"" if table.side is Side.PUBLIC else contents.key
        if salt is not None and (found := content_hash(table, rows, salt=salt)) != entry.content_hash:
            findings.add(CONTENT_HASH, file=table.filename, found=found, expected=entry.content_hash)
        if table.side is Side.PUBLIC and (found := file_hash(release.file(name))) != entry.file_hash:
            findings.add(FILE_HASH, file=table.filename, found=found, expected=entry.file_hash or "a hash")
    if manifest.canary != canary(manifest.name, manifest.version):
        expected = canary(manifest.name, manifest.version)
        findings.add(CANARY, file=MANIFEST, found=manifest.canary, expected=expected)


def _media_is_true(contents: Contents, findings: Findings) -> None:
    release, media = contents.release, contents.release.manifest.media
    folder = release.side(Side.PUBLIC) / "audio"
    found = {path.name for path in folder.iterdir() if path.is_file()} if folder.is_dir() else set()
    others = {path.name for path in folder.iterdir()} - found if folder.is_dir() else set()
    expected = {f"{row['clip_id']}.flac" for row in contents.rows("clips")} if media is not None else set()
    for name in sorted((found ^ expected) | others):
        findings.add(MEDIA, file=f"public/audio/{name}", expected="one file for each clip" if media else "no audio")
    if media is not None and found == expected and not others:
        here = folder_hash(folder) if found else None
        if (len(found), here) != (media.files, media.hash):
            findings.add(
                MEDIA, file="public/audio", found=f"{len(found)} files, {here}", expected=f"{media.files}, {media.hash}"
            )


SIDES = Invariant("sides", "Nothing stands in the folder but what the format names.", False, _sides_are_clean)
HASHES = Invariant("hashes", "Every hash in the manifest is true.", False, _hashes_are_true)
AUDIO = Invariant("media", "Audio is there for every clip or for none, unchanged.", False, _media_is_true)
