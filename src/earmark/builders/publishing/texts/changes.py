"""CHANGES.md: what every version of the data added, removed and changed, the newest first.

What the last published copy said of earlier versions is kept below, line by line, whoever wrote it: a line that is none of ours
is taken for text.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

import pyarrow.compute as pc

from earmark.builders.publishing.texts.markdown import plain
from earmark.manifests.errors import EarmarkError
from earmark.manifests.revisions import Step, Version, read_withdrawn, smallest_step

if TYPE_CHECKING:
    from earmark.manifests.release import Release
    from earmark.manifests.revisions import Difference

MOST_PREVIOUS = 1 << 20
"""Characters of an earlier CHANGES.md that are read."""

_MOST_FACETS, _MOST_REASONS = 100, 20
_SECTION = re.compile(r"## (?P<version>[0-9]{1,9}\.[0-9]{1,9}\.[0-9]{1,9})( - [0-9]{4}-[0-9]{2}-[0-9]{2})?")
_OURS = re.compile(r"(?P<mark>(?: {0,4}- |### )?)(?P<text>.*)")
_SAFE = re.compile(r"(?![-+#=]|[0-9]{1,9}[.)])(?:[^\\`*_\[\]<>~&$|]|\\[!-/:-@\[-`{-~]|&#124;)*")
_STEPS = {
    Step.PATCH: "the same data, written another way",
    Step.MINOR: "additions alone",
    Step.MAJOR: "not the same data",
}

_NOT_TOLD = frozenset({"recipe.release.published", "gold"})
"""What stands above each version, and what is a matter of the copy."""

_Lines = Iterator[str]


def changes(
    release: Release, difference: Difference | None, previous_text: str | None, canary: str, published: str | None
) -> str:
    """The whole file, as Markdown.

    Args:
        release: The version that is published.
        difference: What it differs in from the version published before; None for the first one.
        previous_text: The CHANGES.md of that version, as it was found.
        canary: The canary of this version.
        published: Date of publication, from the recipe.

    Raises:
        ReleaseError: If the list of what was withdrawn is not the manifest's.
    """
    version = release.manifest.version
    head = [
        f"# Changes of {plain(release.manifest.name)}",
        "",
        f"canary {canary}",
        "",
        "A version's number is about the data: the last part counts the same data written another way, the middle one additions, "
        "the first one whatever was edited or removed.",
        "",
        f"## {version}{f' - {plain(published)}' if published else ''}",
        "",
    ]
    body = _first(release) if difference is None else _later(release, difference)
    kept = [] if previous_text is None else _earlier(previous_text, version)
    return "\n".join([*head, *body, *kept]).rstrip() + "\n"


def _first(release: Release) -> _Lines:
    """What the first version holds."""
    manifest = release.manifest
    items = sum(facet.items for facet in manifest.facets)
    yield from (
        "First version.",
        "",
        "### Added",
        "",
        f"- {items} items, {manifest.tables['presentations'].rows} presentations, {manifest.tables['clips'].rows} clips",
    )
    yield from _by_facet(release, {facet.id: str(facet.items) for facet in manifest.facets})
    yield ""


def _later(release: Release, found: Difference) -> _Lines:
    """What a later version has that the one before it had not."""
    proposal = smallest_step(found)
    made = _taken(found.old.version, found.new.version)
    if proposal.step is Step.NONE:
        yield from (f"Nothing differs from {plain(found.old.version)}.", "")
        return
    says = _STEPS[proposal.step]
    yield from (f"{made.name.capitalize()} step from {plain(found.old.version)}: {says}.", "")
    for title, lines in (
        ("Added", _added(release, found)),
        ("Removed", _removed(release, found)),
        ("Changed", _changed(found)),
    ):
        said = list(lines)
        if said:
            yield from (f"### {title}", "", *said, "")


def _added(release: Release, found: Difference) -> _Lines:
    if found.items.added:
        yield f"- {_many(found.items.added.count, 'item')}"
        yield from _by_facet(release, {facet: str(count) for facet, count in _facets_added(release, found).items()})
    for name in ("presentations", "clips", "prompts"):
        if added := found.table(name).added:
            yield f"- {_many(added.count, name.removesuffix('s'))}"
    if found.audio.files[1] and not found.audio.files[0]:
        yield "- audio"


def _removed(release: Release, found: Difference) -> _Lines:
    if found.items.removed:
        added = _facets_added(release, found)
        net = {
            cell.facet: (cell.new or 0) - (cell.old or 0)
            for cell in found.cells
            if cell.what == "items" and not cell.kind
        }
        removed = {facet: added[facet] - count for facet, count in net.items()}
        yield f"- {_many(found.items.removed.count, 'item')}"
        yield from _by_facet(release, {facet: str(count) for facet, count in removed.items() if count})
        yield from _withdrawn(release, found)
    for name in ("presentations", "clips", "prompts"):
        if gone := found.table(name).removed:
            yield f"- {_many(gone.count, name.removesuffix('s'))}"
    if found.audio.files[0] and not found.audio.files[1]:
        yield "- audio"


def _withdrawn(release: Release, found: Difference) -> _Lines:
    """Why items were withdrawn since the version before."""
    least = _version(found.old.version)
    reasons = Counter(
        tomb.reason for tomb in read_withdrawn(release).withdrawn if least and Version.of(tomb.version) >= least
    )
    for reason, count in sorted(reasons.items(), key=lambda entry: (-entry[1], entry[0]))[:_MOST_REASONS]:
        yield f"  - {count} withdrawn: {plain(reason)}"
    if len(reasons) > _MOST_REASONS:
        yield f"  - more for {len(reasons) - _MOST_REASONS} other reasons"


def _changed(found: Difference) -> _Lines:
    answers = found.table("answers")
    for column, ids in answers.edited.items():
        what = "answers corrected" if column == "gold" else f"answers with another {column}"
        yield f"- {_many(ids.count, 'item')}: {plain(what)}"
    if answers.same is False and answers.why is not None:
        yield "- answers corrected; how many is not known here"
    for table in found.tables:
        for column, ids in table.edited.items() if table.is_data and table is not answers else ():
            if column == "protocols" and table.widened:
                yield f"- {_many(ids.count, 'presentation')} owed by further protocols"
            elif table.table != "sources":  # of which the names of columns say enough to nobody
                yield f"- {plain(f'{table.table}.{column}')}: {_many(ids.count, 'row')}"
    if sources := found.table("sources").edited:
        yield f"- what is known of {_many(max(ids.count for ids in sources.values()), 'clip')}"
    if found.audio.changed:
        yield f"- audio of {_many(found.audio.changed.count, 'clip')}"
    if found.audio.resampled:
        rate = found.audio.rates[1]
        yield f"- audio at {'native rates' if rate is None else f'{rate} Hz'}"
    if found.audio.encoded:
        yield f"- files, not samples, of {_many(found.audio.encoded.count, 'clip')}"
    if any(table.remeasured for table in found.tables):
        yield "- measured values"
    fields = sorted({".".join(change.field.split(".")[:3]) for change in found.metadata} - _NOT_TOLD)
    if fields:
        more = f" and {len(fields) - _MOST_REASONS} more" if len(fields) > _MOST_REASONS else ""
        yield f"- said of the release: {plain(', '.join(fields[:_MOST_REASONS]))}{more}"


def _facets_added(release: Release, found: Difference) -> Counter[str]:
    items = release.table("items")
    added = items.filter(pc.is_in(items["item_id"], value_set=found.items.added.every))
    return Counter(added["facet"].to_pylist())


def _by_facet(release: Release, counts: Mapping[str, str]) -> _Lines:
    names = {facet.id: facet.name for facet in release.manifest.facets}
    for facet in sorted(counts)[:_MOST_FACETS]:
        name = names.get(facet, facet)
        yield f"  - {plain(facet if name == facet else f'{facet} {name}')}: {counts[facet]}"
    if len(counts) > _MOST_FACETS:
        yield f"  - and {len(counts) - _MOST_FACETS} more facets"


def _earlier(text: str, version: str) -> Iterable[str]:
    """What an earlier file says of versions before this one."""
    lines = text[:MOST_PREVIOUS].replace("\r\n", "\n").split("\n")
    if len(text) > MOST_PREVIOUS:
        lines = lines[: max((n for n, line in enumerate(lines) if _SECTION.fullmatch(line)), default=0)]
    keeps = False
    for line in lines:
        if (section := _SECTION.fullmatch(line)) is not None:
            keeps = section["version"] != version
        if keeps:
            yield line if section is not None else _as_ours(line)


def _as_ours(line: str) -> str:
    """A line as it is if it could be one of ours, else as text."""
    found = _OURS.fullmatch(line.rstrip())
    if found is None:
        return plain(line)
    mark, text = found["mark"], found["text"]
    return f"{mark}{text if _SAFE.fullmatch(text) and text.isprintable() else plain(text)}"


def _taken(old: str, new: str) -> Step:
    """The step that the two numbers say."""
    before, now = _version(old), _version(new)
    return Step.NONE if before is None or now is None else before.step_to(now)


def _version(text: str) -> Version | None:
    try:
        return Version.of(text)
    except EarmarkError:
        return None


def _many(count: int, thing: str) -> str:
    return f"{count} {thing}{'s' if count != 1 else ''}"
