"""How clips are cut, as a release says it: read from a stranger's table, and held to what can be before any file is opened."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from earmark.manifests.canonical import Json
from earmark.manifests.declarations import CLIPS, RECIPES, SOURCES
from earmark.manifests.findings import Findings, Severity, declare
from earmark.manifests.hashes import content_hash, json_hash
from earmark.manifests.release import MANIFEST, Release
from earmark.manifests.rows import Row, optional_real, optional_text, text, whole, wholes
from earmark.validation.schemas import check_table

if TYPE_CHECKING:
    import pyarrow as pa

    from earmark.manifests.tables import Table

MOST_SAMPLES = 1 << 26
"""Longest clip that is cut, in samples, native or as written: 23 minutes at 48 kHz."""

MOST_SPANS = 4096
MOST_PATH = 1024
LEAST_RATE, MOST_RATE = 1_000, 655_350
"""Rates of media, Hz; the upper one is FLAC's."""

UNREADABLE = declare("recipes.unreadable", Severity.ERROR, "the table that says how clips are cut cannot be read")
HASH = declare("recipes.hash", Severity.ERROR, "the table of recipes is not the one that the manifest names")
ABSENT = declare("recipes.absent", Severity.ERROR, "the release neither has a clip's audio nor says how it is cut")
PATH = declare("recipes.path", Severity.ERROR, "a path could lead out of the corpus")
SPANS = declare("recipes.spans", Severity.ERROR, "a clip's spans are none that can be cut")
TOO_LONG = declare("recipes.too-long", Severity.ERROR, "a clip is longer than any that is cut")
DISAGREES = declare(
    "recipes.disagrees", Severity.ERROR, "a recipe and what the release says elsewhere are not the same"
)
MEDIA_RATE = declare("recipes.media-rate", Severity.ERROR, "the rate of the release's audio is none that FLAC has")

_DRIVE = re.compile(r"[A-Za-z]:")


@dataclass(frozen=True)
class Recipe:
    """How one clip is cut.

    Args:
        row: Its row in the table of recipes, or in the sources.
    """

    row: Row

    @property
    def clip(self) -> str:
        """Id of the clip."""
        return text(self.row, "clip_id")

    @property
    def corpus(self) -> str:
        """Name of the corpus."""
        return text(self.row, "corpus")

    @property
    def path(self) -> str:
        """POSIX path within the corpus."""
        return text(self.row, "path")

    @property
    def rate(self) -> int:
        """Native rate in Hz."""
        return whole(self.row, "rate")

    @property
    def channel(self) -> int:
        """Channel, from 0."""
        return whole(self.row, "channel")

    @property
    def joining_silence(self) -> int:
        """Samples of silence between two spans."""
        return whole(self.row, "joining_silence")

    @property
    def gain(self) -> float | None:
        """Change of level in dB."""
        return optional_real(self.row, "gain")

    @property
    def pcm_hash(self) -> str | None:
        """Hash of the native samples; None where nobody has read them yet."""
        return optional_text(self.row, "pcm_hash")

    @cached_property
    def spans(self) -> list[tuple[int, int]]:
        """First sample of each span and the one behind it."""
        return list(zip(wholes(self.row, "starts"), wholes(self.row, "ends"), strict=True))

    @property
    def last(self) -> int:
        """The sample behind the last one that is needed of the file."""
        return max(end for _, end in self.spans)

    @property
    def length(self) -> int:
        """Native samples of the clip."""
        return sum(end - start for start, end in self.spans) + (len(self.spans) - 1) * self.joining_silence

    def digest(self) -> str:
        """One hash over all that decides what is cut, for the journal."""
        said: dict[str, Json] = {column.name: self.row.get(column.name) for column in RECIPES.columns}  # type: ignore[misc]  # cells are
        return json_hash(said)


def media_rate(release: Release) -> int | None:
    """Rate of a release's audio in Hz, None for each clip's own."""
    return release.manifest.media.rate if release.manifest.media else None


def read_recipes(release: Release, clips: Collection[str], findings: Findings) -> Mapping[str, Recipe]:
    """The recipes of some clips: those that were published, and where there are none, the sources of the private side.

    Args:
        release: The release.
        clips: Ids of the clips whose audio it has not.
        findings: Told of all that is wrong; with an error among them nothing may be cut.

    Returns:
        By clip, in no order; only clips of `clips`, and none that cannot be used.

    Raises:
        ReleaseError: If the table of clips is damaged.
    """
    rate = media_rate(release)
    if rate is not None and not LEAST_RATE <= rate <= MOST_RATE:
        expected = f"{LEAST_RATE} to {MOST_RATE} Hz, or null"
        findings.add(MEDIA_RATE, file=MANIFEST, found=f"{rate} Hz", expected=expected)
        return {}
    if not clips:
        return {}
    tables = list(_stored(release, findings))
    if findings.failed:
        return {}  # a cell may be anything
    known = {row["clip_id"]: row for row in release.table("clips").select(["clip_id", "rate", "duration"]).to_pylist()}
    recipes: dict[str, Recipe] = {}
    for table, stored in tables:
        columns = [column.name for column in RECIPES.columns if column.name in stored.column_names]
        for row in stored.select(columns).to_pylist():
            clip = row["clip_id"]
            # What cannot be used is kept until all of it was looked at: the clip has a recipe, if a bad one.
            if clip in clips and clip not in recipes:
                recipes[clip] = Recipe(row)
                if _is_possible(recipes[clip], table, rate, findings):
                    _compare(recipes[clip], known[clip], release, table, findings)
    for clip in sorted(set(clips) - recipes.keys()):
        findings.add(ABSENT, id=clip, expected="its audio, a recipe, or its row of the sources")
    return recipes


def _stored(release: Release, findings: Findings) -> Iterator[tuple[Table, pa.Table]]:
    """The tables that say how clips are cut, the published one first, each held to its declaration."""
    entry = release.manifest.recipes
    if entry is not None:
        rows = _read(release, RECIPES, entry.rows, findings)
        if rows is not None and check_table(RECIPES, rows, findings):
            found = content_hash(RECIPES, rows)
            if found != entry.content_hash or rows.num_rows != entry.rows:
                findings.add(HASH, file=RECIPES.filename, found=found, expected=entry.content_hash)
            yield RECIPES, rows
    if release.file(SOURCES.name).is_file():
        table = release.family.tables()[SOURCES.name]
        rows = _read(release, table, release.manifest.tables[SOURCES.name].rows, findings)
        if rows is not None and check_table(table, rows, findings):
            yield table, rows


def _read(release: Release, table: Table, rows: int, findings: Findings) -> pa.Table | None:
    import pyarrow as pa

    from earmark.manifests.parquet.stored import read_stored

    file = release.side(table.side) / table.filename
    name = f"{table.side.value}/{table.filename}"
    try:
        stored = read_stored(file, rows=rows, table=table)
        stored.validate(full=True)
    except (pa.ArrowException, OSError, ValueError, LookupError) as error:
        found = "no such file" if not file.is_file() else " ".join(str(error).split())[:300]
        findings.add(UNREADABLE, file=name, found=found)
        return None
    return stored


def _is_possible(recipe: Recipe, table: Table, media_rate: int | None, findings: Findings) -> bool:
    """Whether path and spans are such as can be followed; what cannot is a finding."""
    before = len(findings)
    why = unsafe(recipe.path)
    if why is not None:
        found = f"{recipe.path[:200]!r}, {why}"
        findings.add(PATH, file=table.filename, column="path", id=recipe.clip, found=found, expected="a relative path")
    starts, ends = wholes(recipe.row, "starts"), wholes(recipe.row, "ends")
    bad = next(((start, end) for start, end in zip(starts, ends, strict=False) if start >= end), None)
    if len(starts) != len(ends) or not 1 <= len(starts) <= MOST_SPANS:
        found, expected = f"{len(starts)} starts, {len(ends)} ends", f"1 to {MOST_SPANS} of each"
        findings.add(SPANS, file=table.filename, id=recipe.clip, found=found, expected=expected)
    elif bad is not None:
        expected = "an end behind its start"
        findings.add(SPANS, file=table.filename, id=recipe.clip, found=f"{bad[0]}..{bad[1]}", expected=expected)
    else:
        written = recipe.length if media_rate is None else math.ceil(recipe.length * media_rate / recipe.rate)
        if max(recipe.length, written) > MOST_SAMPLES:
            found, expected = f"{max(recipe.length, written)} samples", f"at most {MOST_SAMPLES}"
            findings.add(TOO_LONG, file=table.filename, id=recipe.clip, found=found, expected=expected)
    return len(findings) == before


def _compare(recipe: Recipe, clip: Row, release: Release, table: Table, findings: Findings) -> None:
    """Hold a recipe to what the public side says of the clip."""
    corpora = {(source.corpus, source.version) for source in release.manifest.sources}
    version = text(recipe.row, "corpus_version")
    if (recipe.corpus, version) not in corpora:
        expected = f"{', '.join(sorted(' '.join(corpus) for corpus in corpora)) or 'none'}, as {MANIFEST} says"
        found = f"{recipe.corpus} {version}"
        findings.add(DISAGREES, file=table.filename, column="corpus", id=recipe.clip, found=found, expected=expected)
    found, expected = (
        f"{seconds} s at {rate} Hz"
        for seconds, rate in ((recipe.length / recipe.rate, recipe.rate), (clip["duration"], clip["rate"]))
    )
    if found != expected:
        said = f"{expected}, as {CLIPS.filename} says"
        findings.add(DISAGREES, file=table.filename, column="ends", id=recipe.clip, found=found, expected=said)


def unsafe(path: str) -> str | None:
    """Why a path within a corpus could lead out of it on some system, None where it cannot.

    >>> unsafe("read/ex01/a.wav"), unsafe("../a.wav"), unsafe("C:a.wav")
    (None, 'which has the part ..', 'which names a drive')
    """
    if len(path) > MOST_PATH:
        return f"which has more than {MOST_PATH} characters"
    if "\\" in path:
        return "which has a backslash"
    if any(ord(letter) < 32 or ord(letter) == 127 for letter in path):
        return "which has a control character"
    for part in path.split("/"):
        if part in ("", ".", ".."):
            return f"which has the part {part}" if part else "which has an empty part"
        if _DRIVE.match(part):
            return "which names a drive"
    return None
