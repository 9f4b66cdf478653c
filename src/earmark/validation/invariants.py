"""Registered invariants: what must hold in every release, each with the codes it can find.

A family adds its own in its module of this room (`INVARIANTS`). `validate` runs all of them and stops at nothing.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

import pyarrow as pa

from earmark.manifests import keys, registry
from earmark.manifests.errors import ReleaseError
from earmark.manifests.findings import Findings, Severity, declare
from earmark.manifests.hashes import content_hash, file_hash, folder_hash
from earmark.manifests.release import MANIFEST, Release, canary
from earmark.manifests.rows import Row, optional_text, text, texts, whole, wholes
from earmark.manifests.tables import Side
from earmark.validation.schemas import check_table, distinct

if TYPE_CHECKING:
    from earmark.manifests.family import Family


@dataclass(frozen=True)
class Invariant:
    """Something that must hold.

    Args:
        name: Short stable name.
        means: What must hold, one sentence.
        needs_private: Whether it can only be checked with the private side at hand.
        check: Looks and adds findings.
    """

    name: str
    means: str
    needs_private: bool
    check: Callable[[Contents, Findings], None]


class Contents:
    """The tables of a release as rows, read once for all invariants."""

    def __init__(self, release: Release, tables: Mapping[str, pa.Table]) -> None:
        self.release = release
        self.tables = tables
        self._rows: dict[str, list[dict[str, object]]] = {}

    def rows(self, name: str) -> list[dict[str, object]]:
        """A table as rows; empty where this copy lacks it."""
        if name not in self._rows:
            self._rows[name] = self.tables[name].to_pylist() if name in self.tables else []
        return self._rows[name]

    @property
    def family(self) -> Family:
        """The release's family."""
        return self.release.family

    @cached_property
    def item_clips(self) -> Mapping[str, Sequence[str]]:
        """The clips of each item."""
        clips: dict[str, list[str]] = defaultdict(list)
        for row in self.rows("item_clips"):
            clips[text(row, "item_id")].append(text(row, "clip_id"))
        return clips

    @cached_property
    def sources(self) -> Mapping[str, Row]:
        """The source of each clip."""
        return {text(row, "clip_id"): row for row in self.rows("sources")}


UNREADABLE = declare("release.unreadable", Severity.ERROR, "a table cannot be read")
PUBLIC_EXTRA = declare("release.public-extra", Severity.ERROR, "something on the public side that does not belong")
PRIVATE_EXTRA = declare("release.private-extra", Severity.WARNING, "something on the private side that does not belong")
NO_PRIVATE = declare(
    "release.no-private-side", Severity.NOTE, "this copy has no private side; only the public one was checked"
)
UNRESOLVED = declare("release.unresolved", Severity.ERROR, "an id points to nothing")
ORPHAN = declare("release.orphan", Severity.ERROR, "a row that nothing refers to")
FILE_HASH = declare("release.file-hash", Severity.ERROR, "a file's bytes are not those that the manifest names")
CONTENT_HASH = declare("release.content-hash", Severity.ERROR, "a table says something else than the manifest's hash")
ROW_COUNT = declare("release.row-count", Severity.ERROR, "a table has another number of rows than the manifest says")
FAKE_ID = declare("release.id-not-remade", Severity.ERROR, "an id is not what the key makes of its parts")
DURATION = declare("release.duration", Severity.ERROR, "a clip's duration is not that of its spans")
PROTOCOL_GAP = declare("protocol.gap", Severity.ERROR, "a protocol lacks a presentation of an item")
PROTOCOL_REPEAT = declare("protocol.repeat", Severity.ERROR, "a protocol owes an item twice in one order")
PROTOCOL_STRANGE = declare(
    "protocol.strange", Severity.ERROR, "a presentation stands in a protocol of another order or modality"
)
PROTOCOL_COUNT = declare("protocol.count", Severity.ERROR, "a protocol owes another number than the manifest says")
LABELS = declare(
    "presentation.labels", Severity.ERROR, "a presentation's labels and clips do not fit each other or the item"
)
ANSWER_GAP = declare("answers.gap", Severity.ERROR, "items and answers are not the same")
FACETS = declare("release.facets", Severity.ERROR, "the manifest's facets are not those of the items")
CANARY = declare("release.canary", Severity.ERROR, "the canary is not that of the release line")
LEAK = declare("release.leak", Severity.ERROR, "the public side repeats something that only the private side may say")
SPANS = declare("sources.spans", Severity.ERROR, "a clip's spans are empty, out of order or overlapping")
MEDIA = declare("media.files", Severity.ERROR, "the audio on the public side is not what the manifest says")


def validate(release: Release, *, building: bool = False) -> Findings:
    """Every finding about a release, all at once.

    Args:
        release: A release, with or without its private side.
        building: Whether it is still being built, so that the builder's own files may stand beside it.

    Returns:
        The findings; `exit_code` 0 where nothing is an error.
    """
    findings = Findings()
    tables: dict[str, pa.Table] = {}
    private = release.has_private_side
    if not private:
        findings.add(NO_PRIVATE, file=str(release.path.name))
    for name, table in release.family.tables().items():
        if table.side is Side.PRIVATE and not private:
            continue
        try:
            rows = release.table(name)
        except ReleaseError as error:
            findings.add(UNREADABLE, file=table.filename, found=error)
            continue
        if check_table(table, rows, findings):
            tables[name] = rows
    contents = Contents(release, tables)
    if set(tables) != {n for n, t in release.family.tables().items() if private or t.side is Side.PUBLIC}:
        # What follows compares tables with each other and would only echo that one of them is missing or misshapen.
        return findings
    for invariant in (*COMMON, *family_invariants(release.family)):
        if (private or not invariant.needs_private) and not (building and invariant is SIDES):
            invariant.check(contents, findings)
    return findings


def family_invariants(family: Family) -> tuple[Invariant, ...]:
    """What a family adds."""
    module = registry.family_module("validation", family.name)
    invariants: tuple[Invariant, ...] = module.INVARIANTS
    return invariants


def _sides_are_clean(contents: Contents, findings: Findings) -> None:
    release = contents.release
    tables = release.family.tables().values()
    allowed = {Side.PUBLIC: {"audio"}, Side.PRIVATE: {"key", "attempts.parquet"}}
    for side in Side:
        folder = release.path / side.value
        names = {table.filename for table in tables if table.side is side} | allowed[side]
        code = PUBLIC_EXTRA if side is Side.PUBLIC else PRIVATE_EXTRA
        for path in sorted(folder.iterdir()) if folder.is_dir() else []:
            if path.name not in names:
                findings.add(code, file=f"{side.value}/{path.name}", expected=f"only {', '.join(sorted(names))}")
    for path in sorted(release.path.iterdir()):
        if path.name not in {MANIFEST, *(side.value for side in Side)}:
            findings.add(PUBLIC_EXTRA, file=path.name, expected=f"only {MANIFEST}, public and private")


def _ids_resolve(contents: Contents, findings: Findings) -> None:
    for name, table in contents.family.tables().items():
        if name not in contents.tables:
            continue
        for column in table.columns:
            if column.refers_to is None:
                continue
            there, key = column.refers_to.split(".")
            known = distinct(contents.tables[there][key])
            for lost in sorted(map(str, distinct(contents.tables[name][column.name]) - known)):
                findings.add(UNRESOLVED, file=table.filename, column=column.name, id=lost, expected=f"an id of {there}")
    used = {
        "items": [("item_clips", "item_id"), ("presentations", "item_id")],
        "clips": [("item_clips", "clip_id")],
        "prompts": [("presentations", "prompt_id")],
    }
    for name, users in used.items():
        ids = distinct(contents.tables[name][contents.family.tables()[name].key[0]])
        for user, user_column in users:
            for orphan in sorted(map(str, ids - distinct(contents.tables[user][user_column]))):
                findings.add(ORPHAN, file=f"{name}.parquet", id=orphan, expected=f"a row of {user} that names it")


def _hashes_are_true(contents: Contents, findings: Findings) -> None:
    release = contents.release
    for name, rows in contents.tables.items():
        table = release.family.tables()[name]
        entry = release.manifest.tables.get(name)
        if entry is None:
            findings.add(CONTENT_HASH, file=table.filename, expected=f"an entry in {MANIFEST}")
            continue
        if entry.rows != rows.num_rows:
            findings.add(ROW_COUNT, file=table.filename, found=rows.num_rows, expected=str(entry.rows))
        salt = b"" if table.side is Side.PUBLIC else release.key
        found = content_hash(table, rows, salt=salt)
        if found != entry.content_hash:
            findings.add(CONTENT_HASH, file=table.filename, found=found, expected=entry.content_hash)
        if entry.file_hash is not None and (found := file_hash(release.file(name))) != entry.file_hash:
            findings.add(FILE_HASH, file=table.filename, found=found, expected=entry.file_hash)
    if release.manifest.canary != canary(release.manifest.name, release.manifest.version):
        expected = canary(release.manifest.name, release.manifest.version)
        findings.add(CANARY, file=MANIFEST, found=release.manifest.canary, expected=expected)


def _ids_are_remade(contents: Contents, findings: Findings) -> None:
    key, family = contents.release.key, contents.family.name
    for clip, row in contents.sources.items():
        starts, ends = wholes(row, "starts"), wholes(row, "ends")
        remade = keys.clip_id(
            key,
            corpus=text(row, "corpus"),
            version=text(row, "corpus_version"),
            path=text(row, "path"),
            channel=whole(row, "channel"),
            rate=whole(row, "rate"),
            spans=list(zip(starts, ends, strict=False)),
            joining_silence=whole(row, "joining_silence"),
        )
        if remade != clip:
            findings.add(FAKE_ID, file="sources.parquet", id=clip, expected=remade)
    for row in contents.rows("items"):
        item = text(row, "item_id")
        clips = contents.item_clips[item]
        scripts = {optional_text(contents.sources[clip], "script") for clip in clips if clip in contents.sources}
        script = scripts.pop() if len(scripts) == 1 else None
        target = optional_text(row, "target")
        remade = keys.item_id(key, family=family, facet=text(row, "facet"), target=target, clips=clips, script=script)
        if remade != item:
            findings.add(FAKE_ID, file="items.parquet", id=item, expected=remade)
    for row in contents.rows("presentations"):
        remade = keys.presentation_id(
            key,
            item=text(row, "item_id"),
            order=text(row, "order"),
            after=optional_text(row, "after"),
            modality=text(row, "modality"),
        )
        if remade != row["presentation_id"]:
            findings.add(FAKE_ID, file="presentations.parquet", id=text(row, "presentation_id"), expected=remade)


def _durations_are_true(contents: Contents, findings: Findings) -> None:
    for row in contents.rows("clips"):
        source = contents.sources.get(text(row, "clip_id"))
        if source is None:
            continue
        starts, ends = wholes(source, "starts"), wholes(source, "ends")
        edges = [edge for span in zip(starts, ends, strict=False) for edge in span]
        ordered = all(a < b for a, b in zip(starts, ends, strict=False)) and edges == sorted(edges)
        if not starts or len(starts) != len(ends) or not ordered:
            findings.add(SPANS, file="sources.parquet", id=text(row, "clip_id"), found=f"{starts} to {ends}")
            continue
        silence = whole(source, "joining_silence") * (len(starts) - 1)
        samples = sum(b - a for a, b in zip(starts, ends, strict=True)) + silence
        expected = float(Fraction(samples, whole(source, "rate")))
        if (row["duration"], row["rate"]) != (expected, source["rate"]):
            findings.add(
                DURATION, file="clips.parquet", id=text(row, "clip_id"), found=row["duration"], expected=f"{expected}"
            )


def _protocols_are_complete(contents: Contents, findings: Findings) -> None:
    family = contents.family
    items = [text(row, "item_id") for row in contents.rows("items")]
    owed: Counter[tuple[str, str, str]] = Counter()
    seen: set[tuple[object, ...]] = set()
    sizes: Counter[str] = Counter()
    for row in contents.rows("presentations"):
        for name in texts(row, "protocols"):
            protocol = family.protocol(name)
            sizes[protocol.name] += 1
            if row["modality"] != protocol.modality or row["order"] not in protocol.orders:
                findings.add(
                    PROTOCOL_STRANGE, file="presentations.parquet", id=text(row, "presentation_id"), found=name
                )
            owed[protocol.name, text(row, "item_id"), text(row, "order")] += 1
            what = (protocol.name, row["item_id"], row["order"], row["after"])
            if what in seen:
                findings.add(PROTOCOL_REPEAT, file="presentations.parquet", id=text(row, "presentation_id"), found=name)
            seen.add(what)
    for entry in contents.release.manifest.protocols:
        if entry.presentations != sizes[entry.name]:
            findings.add(
                PROTOCOL_COUNT, file=MANIFEST, id=entry.name, found=sizes[entry.name], expected=f"{entry.presentations}"
            )
        for item in items:
            for order in entry.orders:
                if not owed[entry.name, item, order]:
                    findings.add(
                        PROTOCOL_GAP, file="presentations.parquet", id=item, expected=f"order {order} in {entry.name}"
                    )


def _labels_fit(contents: Contents, findings: Findings) -> None:
    for row in contents.rows("presentations"):
        labels, clips = texts(row, "labels"), texts(row, "clips")
        item = contents.item_clips[text(row, "item_id")]
        fits = len(labels) == len(clips) == len(set(labels)) and set(clips) <= set(item)
        if not fits:
            findings.add(
                LABELS, file="presentations.parquet", id=text(row, "presentation_id"), found=f"{labels} for {clips}"
            )


def _answers_are_those_of_the_items(contents: Contents, findings: Findings) -> None:
    items = {text(row, "item_id") for row in contents.rows("items")}
    answered = {text(row, "item_id") for row in contents.rows("answers")}
    for item in sorted(items ^ answered):
        findings.add(ANSWER_GAP, file="answers.parquet", id=item, expected="one answer for each item")


def _facets_are_counted(contents: Contents, findings: Findings) -> None:
    counts = Counter(text(row, "facet") for row in contents.rows("items"))
    said = {facet.id: facet.items for facet in contents.release.manifest.facets}
    for facet in sorted(counts.keys() | said.keys()):
        if counts[facet] != said.get(facet, 0):
            findings.add(FACETS, file=MANIFEST, id=facet, found=counts[facet], expected=str(said.get(facet, 0)))


def _public_side_repeats_nothing(contents: Contents, findings: Findings) -> None:
    """No cell of the public tables may be a source's path, speaker, conversation or prompt, alone or within a longer text."""
    secret: set[str] = set()
    for row in contents.rows("sources"):
        secret |= {str(row[name]) for name in ("path", "speaker", "conversation", "prompt", "script") if row[name]}
    # A name of one or two characters would be found in any prose and tells nothing.
    secret = {name for name in secret if len(name) > 3}
    for name, table in contents.family.tables().items():
        if table.side is not Side.PUBLIC:
            continue
        for column in table.columns:
            for value in distinct(contents.tables[name][column.name]):
                if isinstance(value, str) and any(part in secret for part in (value, *value.split())):
                    findings.add(LEAK, file=table.filename, column=column.name, found=value)


def _media_is_true(contents: Contents, findings: Findings) -> None:
    release, media = contents.release, contents.release.manifest.media
    folder = release.path / Side.PUBLIC.value / "audio"
    found = {path.name for path in folder.iterdir()} if folder.is_dir() else set()
    expected = {f"{row['clip_id']}.flac" for row in contents.rows("clips")} if media is not None else set()
    for name in sorted(found ^ expected):
        findings.add(MEDIA, file=f"public/audio/{name}", expected="one file for each clip" if media else "no audio")
    if media is not None and found == expected:
        here = folder_hash(folder)
        if (len(found), here) != (media.files, media.hash):
            findings.add(
                MEDIA, file="public/audio", found=f"{len(found)} files, {here}", expected=f"{media.files}, {media.hash}"
            )


SIDES = Invariant("sides", "Nothing stands in the folder but what the format names.", False, _sides_are_clean)

COMMON: tuple[Invariant, ...] = (
    SIDES,
    Invariant("references", "Every id resolves, and every row is referred to.", False, _ids_resolve),
    Invariant("hashes", "Every hash in the manifest is true.", False, _hashes_are_true),
    Invariant("ids", "Every id is what the key makes of its parts.", True, _ids_are_remade),
    Invariant("durations", "Spans are in order and durations are theirs.", True, _durations_are_true),
    Invariant("protocols", "Every protocol presents every item once in each order.", False, _protocols_are_complete),
    Invariant("labels", "Labels stand for clips of the item.", False, _labels_fit),
    Invariant("answers", "Each item has one answer.", True, _answers_are_those_of_the_items),
    Invariant("facets", "The manifest counts the items of each facet.", False, _facets_are_counted),
    Invariant("leaks", "The public side repeats no source.", True, _public_side_repeats_nothing),
    Invariant("media", "Audio is there for every clip or for none, unchanged.", False, _media_is_true),
)
"""The invariants of every family."""
