"""Cells: the quotas of every block, split over targets, kinds, transcripts, speakers, sexes and foils."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TypeAlias

from earmark.builders.pairing.cells import Cell
from earmark.builders.pairs.quotas import EITHER, apportion, over_sexes
from earmark.builders.pairs.recipe import ALL, Block, Quota
from earmark.builders.pairs.selections import Selector, Stratum
from earmark.manifests.families.pairs import KINDS, NON_TIE, TRANSCRIPTS
from earmark.manifests.families.pairs_recipe import Criterion
from earmark.manifests.pairing import SEXES

Shares = Mapping[str, Fraction]
"""By transcript, the part of a quota that one speaker speaks both clips of."""

Speakers: TypeAlias = tuple[str, str]
"""Whether one speaker speaks both clips, and the sex of the speakers."""


@dataclass(frozen=True)
class Wanted:
    """What a cell is, and how many pairs it shall have.

    Args:
        block: Name of the block.
        criterion: What is asked about.
        variant: Variant of the block.
        target: What is asked for; None where words share the quota.
        kind: How many clips satisfy it.
        transcript: Whether the texts are equal.
        stratum: What the speakers are.
        foil: Style of the foil, of style pairs that say it.
        demand: How many pairs; None for all.
    """

    block: str
    criterion: Criterion
    variant: str
    target: str | None
    kind: str
    transcript: str
    stratum: Stratum
    foil: str | None
    demand: int | None

    @property
    def name(self) -> str:
        """The same for people."""
        parts = (self.target or "any word", self.kind, self.transcript, f"speakers {self.stratum.speakers}")
        foil = () if self.foil is None else (f"{self.foil} foil",)
        return " / ".join((self.block, *parts, f"sex {self.stratum.sex}", *foil))

    @property
    def sort(self) -> tuple[str, ...]:
        """The same without block and foil: what the manifest tells cells of a criterion apart by."""
        return (self.variant, self.target or "", self.kind, self.transcript, self.stratum.speakers, self.stratum.sex)

    @property
    def of_either(self) -> bool:
        """Whether it is of two women or two men, whichever."""
        return self.stratum.sex == EITHER

    @property
    def key(self) -> tuple[str, ...]:
        """What tells it from other cells."""
        stratum = (self.stratum.speakers, self.stratum.sex)
        return (self.block, self.target or "", self.kind, self.transcript, *stratum, self.foil or "")


def sorts(cells: Sequence[Wanted]) -> list[tuple[str, ...]]:
    """The sort of each cell, wide enough that no pair is of two.

    What is left of an odd quota goes to either sex, and blocks of different corpora may split theirs differently. Cells whose
    speakers overlap, and that are alike otherwise, are one sort, which has the speakers of all of them.
    """
    alike: dict[tuple[str, ...], set[Speakers]] = defaultdict(set)
    for cell in cells:
        alike[cell.sort[:-2]].add((cell.stratum.speakers, cell.stratum.sex))
    wide = {about: _widened(speakers) for about, speakers in alike.items()}
    return [(*cell.sort[:-2], *wide[cell.sort[:-2]][cell.sort[-2], cell.sort[-1]]) for cell in cells]


def _widened(speakers: Collection[Speakers]) -> dict[Speakers, Speakers]:
    """For each what covers it, such that no two of those overlap."""
    found = {of: of for of in speakers}
    while True:
        wider = {of: _widest(now, set(found.values())) for of, now in found.items()}
        if wider == found:
            return found
        found = wider


def _widest(of: Speakers, others: Collection[Speakers]) -> Speakers:
    """What covers some speakers and all those that overlap with them."""
    for other in sorted(others):
        if _overlap(of[0], other[0]) and _overlap(of[1], other[1]):
            of = _join(of[0], other[0]), _join(of[1], other[1])
    return of


def _overlap(one: str, other: str) -> bool:
    return one == other or "any" in (one, other) or (EITHER in (one, other) and {one, other} <= {EITHER, *SEXES})


def _join(one: str, other: str) -> str:
    """The least that has both."""
    return one if one == other else EITHER if {one, other} <= {EITHER, *SEXES} else "any"


def wanted(
    name: str,
    block: Block,
    criterion: Criterion,
    targets: tuple[str, ...],
    speakers: str,
    shares: Shares,
    *,
    same_sex: bool,
) -> Iterator[Wanted]:
    """The cells of a block.

    Args:
        name: Its name.
        block: Its quotas.
        criterion: What it asks about.
        targets: What it asks for.
        speakers: "same", "different" or "any"; "equal" splits every quota by the shares.
        shares: By transcript, the part that one speaker speaks both clips of.
        same_sex: Whether two speakers must be of one sex.
    """
    for target in targets if criterion != "emphasis" else (None,):
        for kind in KINDS:
            for transcript in TRANSCRIPTS:
                quota = block.quota(kind, transcript)
                cell = Wanted(name, criterion, block.variant, target, kind, transcript, Stratum(), None, None)
                for of_speakers, count in _over_speakers(quota, speakers, shares[transcript]):
                    for stratum, n in _over_sexes(block, criterion, of_speakers, count, same_sex=same_sex):
                        yield from _over_foils(block, replace(cell, stratum=stratum, demand=n))


def engine_cell(cell: Wanted, selector: Selector, block: Block, targets: tuple[str, ...]) -> Cell:
    """A cell as the pairing takes it: words share one, and every other target has its own.

    A target that no clip satisfies is asked about in no pair, not even in one that neither clip satisfies.
    """
    selections = [
        selection
        for target in ((cell.target,) if cell.target is not None else targets)
        if selector.has(target)
        for selection in selector.selections(
            target, cell.kind, cell.transcript, cell.stratum, foil=cell.foil, targets=frozenset(targets) - {target}
        )
    ]
    most = block.most_per_target if cell.target is None else None
    return Cell(cell.key, cell.criterion, tuple(selections), cell.demand, most)


def _over_speakers(quota: Quota, speakers: str, share: Fraction) -> Iterator[tuple[str, int | None]]:
    if quota == ALL:
        yield ("same" if speakers == "equal" else speakers), None  # the rule itself: no share is equal to all there is
    elif speakers != "equal":
        yield speakers, int(quota)
    else:
        same = int(int(quota) * share)
        yield "same", same
        yield "different", int(quota) - same


def _over_sexes(
    block: Block, criterion: Criterion, speakers: str, count: int | None, *, same_sex: bool
) -> Iterator[tuple[Stratum, int | None]]:
    if count == 0:
        return
    if count is None or block.sexes == "any" or criterion == "gender" or speakers == "any":
        # A gender pair's target and kind leave no choice of sexes.
        yield Stratum(speakers, EITHER if same_sex else "any"), count
        return
    mixed = None if same_sex or speakers == "same" else block.mixed_weight
    for sex, n in over_sexes(count, mixed=mixed):
        yield Stratum(speakers, sex), n


def _over_foils(block: Block, cell: Wanted) -> Iterator[Wanted]:
    if block.foils is None or cell.criterion != "style" or cell.kind != NON_TIE or cell.demand is None:
        yield cell
        return
    for foil, n in apportion(cell.demand, block.foils).items():
        if n:
            yield replace(cell, foil=foil, demand=n)
