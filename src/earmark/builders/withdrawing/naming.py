"""What the lines of a request stand for: items, groups and clips by id; speakers, conversations and recordings by name."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from earmark.builders.withdrawing.request import Wish
from earmark.manifests.findings import Findings, Severity, declare, nearest
from earmark.manifests.rows import Row, optional_text, text

if TYPE_CHECKING:
    from earmark.manifests.release import Release

UNKNOWN = declare("withdraw.unknown-id", Severity.ERROR, "the release has nothing of this id or name")
AMBIGUOUS = declare("withdraw.ambiguous", Severity.ERROR, "the name stands for more than one thing")

_EXPECTED = "the id of an item, group or clip, or a speaker, conversation or path of the sources"
_FEW, _SHARED = 500, 4
NAMES = ("speaker", "conversation", "path")
"""Columns of the sources by whose values clips can be named."""


@dataclass(frozen=True)
class Named:
    """What a request stands for.

    Args:
        items: Ids of items that it names, by themselves or by their group.
        clips: Ids of clips that it names, by themselves or by where they are from.
        names: Names of speakers, conversations and recordings in it.
    """

    items: frozenset[str]
    clips: frozenset[str]
    names: frozenset[str]


def named(release: Release, wishes: Iterable[Wish], file: str, findings: Findings) -> Named:
    """What each line stands for.

    Args:
        release: The release, its private side at hand.
        wishes: The lines.
        file: Name of their file.
        findings: Where lines go that stand for nothing, or for several things.
    """
    known = _Known.of(release)
    items: set[str] = set()
    clips: set[str] = set()
    names: set[str] = set()
    for wish in wishes:
        said = known.spelt(wish.text)
        if said in known.items:
            items.add(said)
        elif said in known.groups:
            items |= known.groups[said]
        elif said in known.clips:
            clips.add(said)
        elif len(found := known.sources.get(said, {})) == 1:
            clips |= next(iter(found.values()))
            names.add(said.partition(":")[2] if said in known.qualified else said)
        elif found:
            expected = " or ".join(sorted(f"{corpus}:{said}" for corpus in found))
            findings.add(AMBIGUOUS, file=file, row=wish.line, found=said, expected=expected)
        elif said in known.presentations:
            expected = f"the item {known.presentations[said]}, of which this is a presentation"
            findings.add(UNKNOWN, file=file, row=wish.line, found=said, expected=expected)
        else:
            near = known.near(said) if findings.keeps(UNKNOWN, file, wish.line) else _EXPECTED
            findings.add(UNKNOWN, file=file, row=wish.line, found=said, expected=near)
    return Named(frozenset(items), frozenset(clips), frozenset(names))


@dataclass(frozen=True)
class _Known:
    """Everything that can be named.

    Args:
        items: Items.
        groups: By group, its items.
        clips: Clips.
        presentations: By presentation, its item.
        sources: By the name of a speaker, conversation or recording, and by corpus, the clips.
        qualified: Those of the names that have the corpus before them.
    """

    items: frozenset[str]
    groups: Mapping[str, set[str]]
    clips: frozenset[str]
    presentations: Mapping[str, str]
    sources: Mapping[str, Mapping[str, set[str]]]
    qualified: frozenset[str]

    @classmethod
    def of(cls, release: Release) -> _Known:
        groups: dict[str, set[str]] = defaultdict(set)
        items = release.table("items").select(["item_id", "group"]).to_pylist()
        for row in items:
            if (group := optional_text(row, "group")) is not None:
                groups[group].add(text(row, "item_id"))
        sent = release.table("presentations").select(["presentation_id", "item_id"])
        sources: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
        qualified: set[str] = set()
        rows: list[Row] = release.table("sources").select(["clip_id", "corpus", *NAMES]).to_pylist()
        for row in rows:
            corpus, clip = text(row, "corpus"), text(row, "clip_id")
            for name in {said for column in NAMES if (said := optional_text(row, column)) is not None}:
                sources[name][corpus].add(clip)
                sources[f"{corpus}:{name}"][corpus].add(clip)
                qualified.add(f"{corpus}:{name}")
        return cls(
            items=frozenset(text(row, "item_id") for row in items),
            groups=groups,
            clips=frozenset(release.table("clips")["clip_id"].to_pylist()),
            presentations=dict(zip(sent["presentation_id"].to_pylist(), sent["item_id"].to_pylist(), strict=True)),
            sources=sources,
            qualified=frozenset(qualified),
        )

    def has(self, said: str) -> bool:
        """Whether something is called that."""
        return any(said in some for some in (self.items, self.groups, self.clips, self.sources, self.presentations))

    def spelt(self, said: str) -> str:
        """A line without the comment behind it, where the whole of it names nothing: a path may have a # in it."""
        before = said.split(" #")[0].strip()
        return before if before and not self.has(said) else said

    def near(self, said: str) -> str:
        """Valid names that share a beginning or an end with one that is none."""
        head, tail = said[:_SHARED], said[-_SHARED:]
        every = (self.items, self.groups, self.clips, self.sources.keys() - self.qualified)
        near = sorted(name for some in every for name in some if name.startswith(head) or name.endswith(tail))
        if not near or len(near) > _FEW:
            return _EXPECTED
        said_so = nearest(said[:200], near)
        return said_so if said_so.startswith("did you mean") else _EXPECTED
