"""Invariants of all pairs together: caps, quotas, which one is stored first, and who speaks in which kind."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction

import msgspec

from earmark.manifests.families.pairs import FIRST, NON_TIE, SECOND
from earmark.manifests.families.pairs_recipe import Caps, Cell, Pairing
from earmark.validation.pairing.invariant import Fault, invariant
from earmark.validation.pairing.rules import sex_of
from earmark.validation.pairing.tables import Pair, PairTables


@invariant("pairs.clip-cap", "an utterance is used in more pairs of a criterion than its cap allows")
def clip_cap(tables: PairTables, pairing: Pairing) -> Iterator[Fault]:
    """No utterance is used in more pairs of a criterion than its cap."""
    for criterion, caps, pairs in _capped(tables, pairing):
        used = Counter(name for pair in pairs for name in set(pair.names))
        yield from _over(used, caps.clip, criterion)


@invariant("pairs.clip-pair-cap", "two utterances are paired more often within a criterion than their cap allows")
def clip_pair_cap(tables: PairTables, pairing: Pairing) -> Iterator[Fault]:
    """No two utterances are paired more often within a criterion than their cap, in whichever order."""
    for criterion, caps, pairs in _capped(tables, pairing):
        used = Counter(" and ".join(sorted(pair.names)) for pair in pairs)
        yield from _over(used, caps.clip_pair, criterion)


@invariant("pairs.speaker-cap", "a speaker is heard in more pairs of a criterion than their cap allows")
def speaker_cap(tables: PairTables, pairing: Pairing) -> Iterator[Fault]:
    """No speaker is heard in more pairs of a criterion than their cap; a pair of one speaker counts once."""
    for criterion, caps, pairs in _capped(tables, pairing):
        used = Counter(speaker for pair in pairs for speaker in pair.speakers)
        yield from _over(used, caps.speaker, criterion)


@invariant("pairs.in-one-cell", "a pair is not in exactly one of the cells")
def in_one_cell(tables: PairTables, pairing: Pairing) -> Iterator[Fault]:
    """Where there are cells, every pair is in exactly one."""
    for pair in tables.asked if pairing.cells else ():
        cells = cells_of(pair, pairing.cells)
        if len(cells) != 1:
            found = "; ".join(pairing.cells[n].name for n in cells) or _sort(pair)
            yield Fault(found, "one cell" if cells else "a cell that asks for such pairs", pair)


@invariant("pairs.quotas", "a cell's numbers do not fit its pairs or each other")
def quotas(tables: PairTables, pairing: Pairing) -> Iterator[Fault]:
    """Each cell has the pairs that it says, at most what was feasible and wanted, and says what bound where it has fewer."""
    filled = Counter(n for pair in tables.asked for n in cells_of(pair, pairing.cells))
    for n, cell in enumerate(pairing.cells):
        if filled[n] != cell.filled:
            yield Fault(f"{filled[n]} pairs", f"{cell.filled}", id=cell.name)
        wanted = cell.candidates if cell.demand is None else cell.demand
        if not 0 <= cell.filled <= cell.feasible <= cell.candidates or cell.filled > wanted:
            numbers = f"{cell.candidates} candidates, {cell.feasible} feasible, {wanted} wanted, {cell.filled} filled"
            yield Fault(numbers, "filled to be at most feasible and wanted, feasible at most candidates", id=cell.name)
        if cell.demand is not None and cell.filled < cell.demand and not cell.binding:
            yield Fault(f"{cell.filled} of {cell.demand} and no reason", "all, or what bound", id=cell.name)


@invariant("pairs.first-balanced", "the preferred utterance is stored first more often, or less, than chance would")
def first_balanced(tables: PairTables, pairing: Pairing) -> Iterator[Fault]:
    """Within a cell the preferred utterance is stored first as often as second, to within one.

    Without cells, pairs of one criterion, target, transcript and variant are taken for one.
    """
    stored: dict[str, Counter[str]] = defaultdict(Counter)
    for pair in tables.asked:
        if pair.kind == NON_TIE and pair.preferred is not None:
            cells = [pairing.cells[n].name for n in cells_of(pair, pairing.cells)]
            name = " / ".join((pair.criterion, pair.target, pair.transcript, pair.variant))
            for cell in cells if pairing.cells else (name,):
                stored[cell][pair.preferred] += 1
    for cell, counts in sorted(stored.items()):
        if abs(counts[FIRST] - counts[SECOND]) > 1:
            yield Fault(f"{counts[FIRST]} first, {counts[SECOND]} second", "equally many, or one more", id=cell)


@invariant("pairs.speaker-share", "one speaker speaks both sides more often in one kind than in the others")
def speaker_share(tables: PairTables, pairing: Pairing) -> Iterator[Fault]:
    """Within criterion, transcript and variant, the share of same-speaker pairs is equal over the kinds, to within one pair.

    Else two voices mean a tie, or that there is none. Only where `equal_speaker_share` is on, and not where a cell is short: its
    report says so.
    """
    short = {
        (cell.criterion, cell.transcript, cell.variant)
        for cell in pairing.cells
        if cell.demand is not None and cell.filled < cell.demand
    }
    sizes: dict[tuple[str, str, str], Counter[str]] = defaultdict(Counter)
    same: dict[tuple[str, str, str], Counter[str]] = defaultdict(Counter)
    for pair in tables.asked if pairing.rules.equal_speaker_share else ():
        place = pair.criterion, pair.transcript, pair.variant
        if place not in short:
            sizes[place][pair.kind] += 1
            same[place][pair.kind] += len(pair.speakers) == 1
    for place, kinds in sorted(sizes.items()):
        share = Fraction(same[place].total(), kinds.total())
        for kind, size in sorted(kinds.items()):
            if abs(same[place][kind] - share * size) >= 1:
                found = f"{same[place][kind]} of {size} by one speaker"
                yield Fault(found, f"about {float(share * size):.1f}", id=" / ".join((*place, kind)))


def without_withdrawn(pairing: Pairing, tables: PairTables, withdrawn: int) -> Pairing:
    """The terms of a release of which pairs were withdrawn, whose cells say what was built.

    A manifest that counted anew would tell everybody of which kind a withdrawn pair was, and so whether it was a tie.

    Args:
        pairing: The terms as they are stored.
        tables: The pairs that are left.
        withdrawn: How many items were withdrawn.

    Returns:
        The terms with the cells that are left, or as they are if cells lack more than was withdrawn, or have more than they say.
    """
    filled = Counter(n for pair in tables.asked for n in cells_of(pair, pairing.cells))
    lost = [cell.filled - filled[n] for n, cell in enumerate(pairing.cells)]
    if min(lost, default=0) < 0 or sum(lost) > withdrawn:
        return pairing
    cells = (
        msgspec.structs.replace(cell, filled=cell.filled - count, binding=cell.binding or "withdrawn")
        if count
        else cell
        for cell, count in zip(pairing.cells, lost, strict=True)
    )
    return msgspec.structs.replace(pairing, cells=tuple(cells))


def cells_of(pair: Pair, cells: Sequence[Cell]) -> list[int]:
    """Which cells ask for such a pair, by their place."""
    sex, speakers = sex_of(pair), "same" if len(pair.speakers) == 1 else "different"
    return [
        n
        for n, cell in enumerate(cells)
        if (cell.criterion, cell.kind, cell.transcript, cell.variant)
        == (pair.criterion, pair.kind, pair.transcript, pair.variant)
        and cell.target in (None, pair.target)
        and cell.speakers in ("any", speakers)
        and (cell.sex in ("any", sex) or (cell.sex == "either" and sex in ("female", "male")))
    ]


def _sort(pair: Pair) -> str:
    parts = (pair.criterion, pair.target, pair.kind, pair.transcript, *pair.speakers, sex_of(pair) or "sex undisclosed")
    return " / ".join((*parts, pair.variant))


def _capped(tables: PairTables, pairing: Pairing) -> Iterator[tuple[str, Caps, list[Pair]]]:
    for criterion, caps in pairing.caps.items():
        yield criterion, caps, [pair for pair in tables.asked if pair.criterion == criterion]


def _over(used: Mapping[str, int], cap: int | None, criterion: str) -> Iterator[Fault]:
    over: Iterable[tuple[str, int]] = () if cap is None else sorted(used.items())
    for name, count in over:
        if cap is not None and count > cap:
            yield Fault(f"{count} pairs of {criterion}", f"at most {cap}", id=name)
