"""Registered invariants: what must hold in every release, each with the codes it can find.

A family adds its own in its module of this room (`INVARIANTS`). `validate` runs all of them and stops at nothing. What must hold
of pairs that are no release is `PAIR_INVARIANTS`, which `check_pairs` asks of anybody's tables.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

import pyarrow as pa

from earmark.manifests import keys, registry
from earmark.manifests.clip_audio import recipe_rows
from earmark.manifests.copies.published import SHIPPED
from earmark.manifests.copies.shipped import Shipped, shipped
from earmark.manifests.declarations import RECIPES
from earmark.manifests.errors import EarmarkError, ReleaseError
from earmark.manifests.findings import Findings, Severity, declare
from earmark.manifests.release import MANIFEST, Release
from earmark.manifests.rows import optional_real, optional_text, text, whole, wholes
from earmark.manifests.tables import Side
from earmark.validation.contents import Contents, Invariant
from earmark.validation.on_disk import AUDIO, CUTTING, HASHES, SIDES
from earmark.validation.pairing import PAIR_INVARIANTS, PairInvariant, PairTables, check_pairs
from earmark.validation.protocols import LABELLED, PROTOCOLS
from earmark.validation.schemas import check_table, distinct
from earmark.validation.withdrawals import WITHDRAWALS

if TYPE_CHECKING:
    from earmark.manifests.family import Family

__all__ = [
    "COMMON",
    "PAIR_INVARIANTS",
    "SIDES",
    "Contents",
    "Invariant",
    "PairInvariant",
    "PairTables",
    "check_pairs",
    "family_invariants",
    "validate",
]

UNREADABLE = declare("release.unreadable", Severity.ERROR, "a table cannot be read")
NO_PRIVATE = declare(
    "release.no-private-side", Severity.NOTE, "this copy has no private side; only the public one was checked"
)
PUBLISHED_SIDE = declare(
    "release.published-private-side",
    Severity.NOTE,
    "this copy has of the private side what was published of it; only that it is unchanged was checked",
)
NO_KEY = declare("release.key", Severity.ERROR, "the private side has no usable key, so ids could not be checked")
UNRESOLVED = declare("release.unresolved", Severity.ERROR, "an id points to nothing")
ORPHAN = declare("release.orphan", Severity.ERROR, "a row that nothing refers to")
FAKE_ID = declare("release.id-not-remade", Severity.ERROR, "an id is not what the key makes of its parts")
DURATION = declare("release.duration", Severity.ERROR, "a clip's duration is not that of its spans")
ANSWER_GAP = declare("answers.gap", Severity.ERROR, "items and answers are not the same")
FACETS = declare("release.facets", Severity.ERROR, "the manifest's facets are not those of the items")
LEAK = declare("release.leak", Severity.ERROR, "the public side repeats something that only the private side may say")
SPANS = declare("sources.spans", Severity.ERROR, "a clip's spans are empty, out of order or overlapping")


def validate(release: Release, *, building: bool = False, hears: bool = True) -> Findings:
    """Every finding about a release, all at once; whatever is wrong with it, nothing is raised.

    Args:
        release: A release, with or without its private side.
        building: Whether it is still being built, so that the builder's own files may stand beside it.
        hears: Whether the bytes of audio are hashed; it takes as long as all else together, and whoever copies them hashes them.

    Returns:
        The findings; `exit_code` 0 where nothing is an error.
    """
    findings = Findings()
    tables: dict[str, pa.Table] = {}
    # A private side that lacks its answers is a broken one, not an absent one.
    private = release.side(Side.PRIVATE).is_dir()
    if not private:
        findings.add(NO_PRIVATE, file=release.path.name)
    published = _shipped(release, findings) if private else None
    kept = frozenset() if published is None else published.tables.keys()
    wanted = {
        name: table
        for name, table in release.family.tables().items()
        if table.side is Side.PUBLIC or (private and published is None) or name in kept
    }
    for name, table in wanted.items():
        try:
            rows = release.stored_table(name)
            rows.validate(full=True)
        except (ReleaseError, pa.ArrowException, UnicodeDecodeError) as error:  # the last: of a name in the schema
            findings.add(UNREADABLE, file=table.filename, found=error)
            continue
        if check_table(table, rows, findings):
            tables[name] = rows
    contents = Contents(release, tables, recipes=_recipes(release, findings), shipped=published, hears=hears)
    private = private and published is None
    if private and contents.key is None:
        findings.add(NO_KEY, file="private/key", expected=f"a file of {keys.KEY_BYTES} bytes")
    # What compares tables with each other would only echo that one of them is missing or misshapen.
    whole_release = tables.keys() == wanted.keys()
    for invariant in (*COMMON, *family_invariants(release.family)) if whole_release else (SIDES,):
        if (private or not invariant.needs_private) and not (building and invariant is SIDES):
            invariant.check(contents, findings)
    return findings


def _shipped(release: Release, findings: Findings) -> Shipped | None:
    """What a private side that was published says of itself; one that cannot be read is a whole one that lacks much."""
    try:
        said = shipped(release)
    except EarmarkError as error:
        findings.add(UNREADABLE, file=f"private/{SHIPPED}", found=error)
        return None
    if said is not None:
        findings.add(PUBLISHED_SIDE, file=release.path.name)
    return said


def _recipes(release: Release, findings: Findings) -> pa.Table | None:
    try:
        rows = recipe_rows(release)
    except ReleaseError as error:
        findings.add(UNREADABLE, file=RECIPES.filename, found=error)
        return None
    return rows if rows is not None and check_table(RECIPES, rows, findings) else None


def family_invariants(family: Family) -> tuple[Invariant, ...]:
    """What a family adds."""
    module = registry.family_module("validation", family.name)
    invariants: tuple[Invariant, ...] = module.INVARIANTS
    return invariants


def _ids_resolve(contents: Contents, findings: Findings) -> None:
    declared = {name: table for name, table in contents.family.tables().items() if name in contents.tables}
    for name, table in declared.items():
        for column in table.columns:
            if column.refers_to is None:
                continue
            there, key = column.refers_to.split(".")
            known = distinct(contents.tables[there][key])
            for lost in sorted(map(str, distinct(contents.tables[name][column.name]) - known)):
                findings.add(UNRESOLVED, file=table.filename, column=column.name, id=lost, expected=f"an id of {there}")
    used = {
        "items": [("item_clips", "item_id"), ("presentations", "item_id")],
        "clips": [("item_clips", "clip_id"), *([("sources", "clip_id")] if "sources" in contents.tables else [])],
        "prompts": [("presentations", "prompt_id")],
    }
    for name, users in used.items():
        ids = distinct(contents.tables[name][declared[name].key[0]])
        for user, user_column in users:
            for orphan in sorted(map(str, ids - distinct(contents.tables[user][user_column]))):
                findings.add(ORPHAN, file=f"{name}.parquet", id=orphan, expected=f"a row of {user} that names it")


def _ids_are_remade(contents: Contents, findings: Findings) -> None:
    key, family = contents.key, contents.family.name
    if key is None:
        return
    for clip, row in contents.sources.items():
        remade = keys.clip_id(
            key,
            corpus=text(row, "corpus"),
            version=text(row, "corpus_version"),
            path=text(row, "path"),
            channel=whole(row, "channel"),
            rate=whole(row, "rate"),
            spans=list(zip(wholes(row, "starts"), wholes(row, "ends"), strict=False)),
            joining_silence=whole(row, "joining_silence"),
            gain=optional_real(row, "gain"),
        )
        if remade != clip:
            findings.add(FAKE_ID, file="sources.parquet", id=clip, expected=remade)
    for row in contents.rows("items"):
        item = text(row, "item_id")
        clips = contents.item_clips.get(item, ())
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
        if source is None or whole(source, "rate") < 1:
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
            found, right = f"{row['duration']} s at {row['rate']} Hz", f"{expected} s at {source['rate']} Hz"
            findings.add(DURATION, file="clips.parquet", id=text(row, "clip_id"), found=found, expected=right)


def _answers_are_those_of_the_items(contents: Contents, findings: Findings) -> None:
    answered = {text(row, "item_id") for row in contents.rows("answers")}
    for item in sorted(contents.facets.keys() ^ answered):
        findings.add(ANSWER_GAP, file="answers.parquet", id=item, expected="one answer for each item")


def _facets_are_counted(contents: Contents, findings: Findings) -> None:
    counts = Counter(text(row, "facet") for row in contents.rows("items"))
    said = Counter[str]()
    for entry in contents.release.manifest.facets:
        said[entry.id] += entry.items
    for facet in sorted(counts.keys() | said.keys()):
        if counts[facet] != said[facet]:
            findings.add(FACETS, file=MANIFEST, id=facet, found=counts[facet], expected=str(said[facet]))


def _public_side_repeats_nothing(contents: Contents, findings: Findings) -> None:
    """No cell of the public tables and no text of the manifest may be, or have in it, where a clip is from."""
    secret: set[str] = set()
    for row in contents.rows("sources"):
        secret |= {str(row[name]) for name in ("path", "speaker", "conversation", "prompt", "script") if row[name]}
    # A name of one to three characters would be found in any prose and tells nothing.
    secret = {name for name in secret if len(name) > 3}

    def tells(value: object) -> bool:
        return isinstance(value, str) and any(part in secret for part in (value, *value.split()))

    for name, table in contents.family.tables().items():
        for column in table.columns if table.side is Side.PUBLIC else ():
            for value in sorted(filter(tells, distinct(contents.tables[name][column.name])), key=str):
                findings.add(LEAK, file=table.filename, column=column.name, found=value)
    for value in sorted(set(filter(tells, _texts(contents.release.manifest.as_json())))):
        findings.add(LEAK, file=MANIFEST, found=value)


def _texts(value: object) -> Iterator[str]:
    """Every text in a JSON value, names of keys included."""
    match value:
        case str():
            yield value
        case Mapping():
            for name, entry in value.items():
                yield from (*_texts(name), *_texts(entry))
        case list():
            for entry in value:
                yield from _texts(entry)


COMMON: tuple[Invariant, ...] = (
    SIDES,
    Invariant("references", "Every id resolves, and every row is referred to.", False, _ids_resolve),
    HASHES,
    Invariant("ids", "Every id is what the key makes of its parts.", True, _ids_are_remade),
    Invariant("durations", "Spans are in order and durations are theirs.", True, _durations_are_true),
    PROTOCOLS,
    LABELLED,
    Invariant("answers", "Each item has one answer.", True, _answers_are_those_of_the_items),
    Invariant("facets", "The manifest counts the items of each facet.", False, _facets_are_counted),
    Invariant("leaks", "The public side repeats no source.", True, _public_side_repeats_nothing),
    AUDIO,
    CUTTING,
    WITHDRAWALS,
)
"""The invariants of every family."""
