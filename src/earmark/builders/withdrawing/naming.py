"""What the lines of a request stand for: items, groups and clips by id; speakers, conversations and recordings by name."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from earmark.builders.withdrawing.request import Wish
from earmark.manifests.findings import Findings, Severity, declare, nearest
from earmark.manifests.rows import Row, optional_text, text

if TYPE_CHECKING:
    from earmark.manifests.release import Release

UNKNOWN = declare("withdraw.unknown-id", Severity.ERROR, "the release has nothing of this id or name")
AMBIGUOUS = declare("withdraw.ambiguous", Severity.ERROR, "the name stands for more than one thing")

_EXPECTED = "the id of an item, group or clip, or a speaker, conversation or path of the sources"
_FEW, _SHARED, _SHOWN = 500, 4, 8
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
        elif found := known.meant(said):
            if len({meant.clips for meant in found}) == 1:
                clips |= found[0].clips
                names |= {meant.name for meant in found}
            else:
                findings.add(AMBIGUOUS, file=file, row=wish.line, found=said, expected=_one_of(found))
        elif said in known.presentations:
            expected = f"the item {known.presentations[said]}, of which this is a presentation"
            findings.add(UNKNOWN, file=file, row=wish.line, found=said, expected=expected)
        else:
            near = known.near(said) if findings.keeps(UNKNOWN, file, wish.line) else _EXPECTED
            findings.add(UNKNOWN, file=file, row=wish.line, found=said, expected=near)
    return Named(frozenset(items), frozenset(clips), frozenset(names))


class _Meant(NamedTuple):
    """Something of the sources that a line may mean.

    Args:
        spelt: What names it and nothing else.
        name: How the sources have it.
        clips: Its clips.
    """

    spelt: str
    name: str
    clips: frozenset[str]


def _one_of(found: Sequence[_Meant]) -> str:
    spelt = sorted(meant.spelt for meant in found)
    more = f" or {len(spelt) - _SHOWN} more" if len(spelt) > _SHOWN else ""
    return " or ".join(spelt[:_SHOWN]) + more


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
        bare: By what stands in a speaker's name behind the corpus and a slash, with the corpus and a colon before it or not:
            corpora and whole names of all such speakers.
    """

    items: frozenset[str]
    groups: Mapping[str, set[str]]
    clips: frozenset[str]
    presentations: Mapping[str, str]
    sources: Mapping[str, Mapping[str, set[str]]]
    qualified: frozenset[str]
    bare: Mapping[str, set[tuple[str, str]]]

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
        bare: dict[str, set[tuple[str, str]]] = defaultdict(set)
        rows: list[Row] = release.table("sources").select(["clip_id", "corpus", *NAMES]).to_pylist()
        for row in rows:
            corpus, clip = text(row, "corpus"), text(row, "clip_id")
            for name in {said for column in NAMES if (said := optional_text(row, column)) is not None}:
                sources[name][corpus].add(clip)
                sources[f"{corpus}:{name}"][corpus].add(clip)
                qualified.add(f"{corpus}:{name}")
            whole = text(row, "speaker")
            if short := whole.partition("/")[2]:
                bare[short].add((corpus, whole))
                bare[f"{corpus}:{short}"].add((corpus, whole))
        return cls(
            items=frozenset(text(row, "item_id") for row in items),
            groups=groups,
            clips=frozenset(release.table("clips")["clip_id"].to_pylist()),
            presentations=dict(zip(sent["presentation_id"].to_pylist(), sent["item_id"].to_pylist(), strict=True)),
            sources=sources,
            qualified=frozenset(qualified),
            bare=bare,
        )

    def meant(self, said: str) -> list[_Meant]:
        """What of the sources a line may mean: who or what is called that, and speakers whom their corpus calls so."""
        found = []
        for corpus, clips in self.sources.get(said, {}).items():
            spelt, name = (said, said.partition(":")[2]) if said in self.qualified else (f"{corpus}:{said}", said)
            found.append(_Meant(spelt, name, frozenset(clips)))
        if said in self.qualified:
            return found
        for corpus, name in sorted(self.bare.get(said, ())):
            of_all = self.sources[name]
            spelt = name if len(of_all) == 1 else f"{corpus}:{name}"
            found.append(_Meant(spelt, name, frozenset(of_all[corpus])))
        return found

    def has(self, said: str) -> bool:
        """Whether something is called that."""
        return any(
            said in some for some in (self.items, self.groups, self.clips, self.sources, self.bare, self.presentations)
        )

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
