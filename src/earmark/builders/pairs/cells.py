"""Cells: the quotas of every block, split over targets, kinds, transcripts, speakers, sexes and foils."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from earmark.builders.pairing.cells import Cell
from earmark.builders.pairs.quotas import apportion, over_sexes
from earmark.builders.pairs.recipe import ALL, Block, Quota
from earmark.builders.pairs.selections import Selector, Stratum
from earmark.manifests.families.pairs import KINDS, NON_TIE, TRANSCRIPTS
from earmark.manifests.families.pairs_recipe import Criterion

Shares = Mapping[str, Fraction]
"""By transcript, the part of a quota that one speaker speaks both clips of."""


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
    def key(self) -> tuple[str, ...]:
        """What tells it from other cells."""
        stratum = (self.stratum.speakers, self.stratum.sex)
        return (self.block, self.target or "", self.kind, self.transcript, *stratum, self.foil or "")


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
        yield Stratum(speakers, "either" if same_sex and speakers != "same" else "any"), count
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
