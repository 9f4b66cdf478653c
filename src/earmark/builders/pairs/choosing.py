"""Choosing the pairs of every criterion: its quotas, filled exactly or as far as can be, at the least cost.

Where a criterion's pairs are spoken by one speaker by rule, some kinds cannot be: Expresso has no two takes of one sentence in
one style. If the others were, then different voices would mean Tie. So within a criterion and transcript every kind has the
same share of one-speaker pairs, the largest that all of them can have.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations

import numpy as np

from earmark.builders.pairing import cells as engine
from earmark.builders.pairing.allocation import Allocation, allocate
from earmark.builders.pairing.candidates import count_pairs
from earmark.builders.pairing.feasibility import tally_of
from earmark.builders.pairing.levelling import Levelled, level
from earmark.builders.pairing.pool import Bools, Pool
from earmark.builders.pairs.cells import Wanted, engine_cell, wanted
from earmark.builders.pairs.columns import Columns
from earmark.builders.pairs.quotas import whole_share
from earmark.builders.pairs.recipe import ALL, Block, PairsRecipe
from earmark.builders.pairs.selections import Selector, Stratum, block_pool
from earmark.builders.pairs.sound import DEFAULTS, NUISANCES, standardised, unheard_paces
from earmark.manifests import keys
from earmark.manifests.families.pairs import TRANSCRIPTS
from earmark.manifests.families.pairs_recipe import Criterion
from earmark.manifests.findings import Findings, Severity, declare

NO_TARGET = declare("pairs.empty-target", Severity.ERROR, "a target has no clip that satisfies it")
NO_TARGET_ALLOWED = declare(
    "pairs.empty-target-allowed", Severity.WARNING, "a target has no clip that satisfies it, and so no pair"
)
TOTAL = declare("pairs.quota-total", Severity.ERROR, "the quotas of a block do not add up to its total")
TWICE = declare("pairs.cell-twice", Severity.ERROR, "two blocks have quotas for the same pairs")
NUISANCE = declare("pairs.nuisance", Severity.ERROR, "there is no such nuisance")
SHARED_NUISANCES = declare(
    "pairs.nuisances-differ", Severity.ERROR, "blocks of one criterion share its caps and must name the same nuisances"
)

REPEATED = declare(
    "pairs.pair-twice", Severity.ERROR, "two cells have the same two clips for one target, which would be one item"
)

TOO_MANY = declare(
    "pairs.too-many", Severity.ERROR, "a cell that asks for all pairs would have more than can be listed"
)

MOST_LISTED = 2_000_000
"""The most pairs that a cell without a number may have under its caps."""

EQUAL_SHARE = "equal"
"""Who speaks the two clips of pairs whose share of one-speaker pairs is equal over kinds."""


@dataclass(frozen=True, eq=False)
class Planned:
    """A block that is ready to be filled.

    Args:
        name: Its name.
        block: Its quotas.
        criterion: What it asks about.
        selector: The pairs that it may have.
        targets: What it asks for.
        speakers: Who speaks the two clips: "same", "different", "any" or "equal".
        same_sex: Whether two speakers must be of one sex.
    """

    name: str
    block: Block
    criterion: Criterion
    selector: Selector
    targets: tuple[str, ...]
    speakers: str
    same_sex: bool

    def cells(self, shares: Mapping[str, Fraction]) -> Iterator[Wanted]:
        """Its cells under shares of one-speaker pairs."""
        return wanted(
            self.name, self.block, self.criterion, self.targets, self.speakers, shares, same_sex=self.same_sex
        )

    def engine_cell(self, cell: Wanted) -> engine.Cell:
        """One of them as the pairing takes it."""
        return engine_cell(cell, self.selector, self.block, self.targets)


@dataclass(frozen=True, eq=False)
class Chosen:
    """The pairs of one criterion.

    Args:
        criterion: What they ask about.
        columns: The clips that could be in them.
        pool: The same as the pairing has them.
        nuisances: Names of the pool's nuisances.
        cells: What was wanted, in the order of the reports.
        engine_cells: The same as the pairing has them.
        caps: The caps.
        allocation: What was chosen, and the reports.
        levelled: What levelling did to it; None where it was not asked for.
        shares: By block and transcript, the share of one-speaker pairs in every kind; only where it is held equal.
    """

    criterion: Criterion
    columns: Columns
    pool: Pool
    nuisances: tuple[str, ...]
    cells: tuple[Wanted, ...]
    engine_cells: tuple[engine.Cell, ...]
    caps: engine.Caps
    allocation: Allocation
    levelled: Levelled | None
    shares: Mapping[str, Mapping[str, Fraction]]


def plan_blocks(
    recipe: PairsRecipe, columns: Columns, names: Sequence[str], findings: Findings
) -> dict[Criterion, list[Planned]]:
    """The blocks to fill, by criterion.

    Args:
        recipe: The recipe.
        columns: All utterances.
        names: Names of the blocks.
        findings: Told of a target without clips, a total that is not the sum, a nuisance that does not exist.
    """
    by_criterion: dict[Criterion, list[Planned]] = defaultdict(list)
    for name in sorted(names):
        block = recipe.blocks[name]
        criterion = block.named(name)
        pool = block_pool(
            columns, criterion, block.variant, recipe.rules, corpora=block.corpora, substyles=block.substyles
        )
        if recipe.rules.label_by_sound:
            pool = pool & ~unheard_paces(columns, criterion, pool, findings)
        selector = Selector(criterion, block.variant, recipe.rules, columns, pool)
        found = selector.targets()
        targets = found if block.targets is None else block.targets
        empty = NO_TARGET_ALLOWED if recipe.pairing.allow_shortfall else NO_TARGET
        expected = f"one of {', '.join(found)}" if found else f"clips from {', '.join(block.corpora)}"
        for target in sorted(set(targets) - set(found)) if targets else ("any",):
            findings.add(empty, id=f"[blocks.{name}]", found=target, expected=expected)
        _check_total(name, block, criterion, targets, findings)
        for nuisance in sorted(set(block.nuisances or ()) - set(NUISANCES)):
            findings.add(NUISANCE, id=f"[blocks.{name}]", found=nuisance, expected=f"one of {', '.join(NUISANCES)}")
        speakers = _speakers(recipe, block, criterion)
        same_sex = criterion in recipe.rules.same_sex
        by_criterion[criterion].append(Planned(name, block, criterion, selector, targets, speakers, same_sex))
    for asked, blocks in by_criterion.items():
        if len({entry.block.nuisances for entry in blocks}) > 1:
            said = "; ".join(f"{entry.name}: {entry.block.nuisances}" for entry in blocks)
            findings.add(SHARED_NUISANCES, id=asked, found=said)
    return by_criterion


def choose(
    criterion: Criterion, blocks: Sequence[Planned], recipe: PairsRecipe, key: bytes, findings: Findings
) -> Chosen:
    """Choose the pairs of one criterion.

    Args:
        criterion: Which.
        blocks: Its blocks; they share its caps.
        recipe: The recipe.
        key: The release key: equal costs are told apart with it, since what is chosen follows the gold.
        findings: Told where two blocks want the same cell.
    """
    within = np.logical_or.reduce([block.selector.pool for block in blocks])
    blocks = [_within(block, within) for block in blocks]
    columns = blocks[0].selector.columns
    everything = np.ones(len(columns), dtype=np.bool_)
    said = [name for name in blocks[0].block.nuisances or DEFAULTS[criterion] if name in NUISANCES]
    nuisances, values = standardised(columns, everything, said)
    seed = recipe.release.seed
    ranks = [keys.rank(key, seed, f"pairing {criterion}", id) for id in columns.ids]
    pool = Pool(columns.ids, columns.speaker, values, np.array(ranks, dtype=np.uint64))
    caps = recipe.caps.get(criterion)
    limits = (
        engine.Caps() if caps is None else engine.Caps(clip=caps.clip, clip_pair=caps.clip_pair, speaker=caps.speaker)
    )
    nearest = max(block.block.nearest or recipe.pairing.nearest for block in blocks)
    shares = {block.name: _first_shares(block, pool) for block in blocks}
    _check_twice(blocks, findings)
    while True:  # a share that is lowered is lowered by a whole pair at least
        cells = {cell.key: (block, cell) for block in blocks for cell in block.cells(shares[block.name])}
        asked = {name: block.engine_cell(cell) for name, (block, cell) in cells.items()}
        _refuse_too_many(pool, asked, limits, {name: cell.name for name, (_, cell) in cells.items()}, findings)
        allocation = allocate(pool, list(asked.values()), {criterion: limits}, nearest=nearest)
        lower = {block.name: _lower_shares(block, shares[block.name], allocation) for block in blocks}
        if lower == shares:
            break
        shares = lower
    levelled = None
    if recipe.pairing.level:
        reach = max((solve.nearest for solve in allocation.solves), default=nearest)
        levelled = level(pool, list(asked.values()), {criterion: limits}, allocation, nearest=reach)
        allocation = levelled.allocation
    ordered = [report.key for report in allocation.cells]
    _check_repeated(criterion, allocation, [cells[name][1] for name in ordered], findings)
    return Chosen(
        criterion,
        columns,
        pool,
        nuisances,
        tuple(cells[name][1] for name in ordered),
        tuple(asked[name] for name in ordered),
        limits,
        allocation,
        levelled,
        {block.name: shares[block.name] for block in blocks if block.speakers == EQUAL_SHARE},
    )


def _within(block: Planned, keep: Bools) -> Planned:
    """A block over fewer clips."""
    old = block.selector
    selector = Selector(old.criterion, old.variant, old.rules, old.columns.taken(keep), old.pool[keep])
    return Planned(block.name, block.block, block.criterion, selector, block.targets, block.speakers, block.same_sex)


def _speakers(recipe: PairsRecipe, block: Block, criterion: Criterion) -> str:
    """Who speaks the two clips; that age and sex are asked of two people gives way to nothing but the block itself."""
    if block.speakers not in (None, "rule"):
        return block.speakers
    if criterion in recipe.rules.different_speakers:
        return "different"
    if recipe.pairing.speakers != "rule" and block.speakers is None:
        return recipe.pairing.speakers
    if criterion in recipe.rules.same_speaker:
        return EQUAL_SHARE if recipe.rules.equal_speaker_share else "same"
    return "any"


def _first_shares(block: Planned, pool: Pool) -> dict[str, Fraction]:
    """By transcript, the largest share of one-speaker pairs of which every quota has as many candidates, caps aside.

    A quota that has no candidate of any speakers says nothing. Where only one kind is asked for, there is nothing to be equal to.
    """
    shares = dict.fromkeys(TRANSCRIPTS, Fraction(1))
    if block.speakers != EQUAL_SHARE:
        return shares
    for transcript in TRANSCRIPTS:
        quotas = _quotas(block, transcript)
        if len(quotas) < 2:
            continue
        possible = [Fraction(1)]
        for cells in _by_quota(block, transcript, shares).values():
            quota = sum(cell.demand or 0 for cell in cells)
            had = [_candidates(block, pool, cell) for cell in cells]
            others = replace(cells[0], stratum=Stratum("different"), foil=None)
            if not any(had) and not _candidates(block, pool, others):
                continue
            least = sum(min(n, cell.demand or 0) for n, cell in zip(had, cells, strict=True))
            possible.append(Fraction(least, quota))
        shares[transcript] = whole_share(min(possible), quotas)
    return shares


def _lower_shares(block: Planned, shares: Mapping[str, Fraction], allocation: Allocation) -> dict[str, Fraction]:
    """The same shares, or lower ones where a quota did not get its one-speaker pairs."""
    lower = dict(shares)
    if block.speakers != EQUAL_SHARE:
        return lower
    filled = {report.key: report.filled for report in allocation.cells}
    for transcript in TRANSCRIPTS:
        quotas = _quotas(block, transcript)
        if len(quotas) < 2 or not shares[transcript]:
            continue
        for cells in _by_quota(block, transcript, shares).values():
            same = [cell for cell in cells if cell.stratum.speakers == "same"]
            got, asked = sum(filled[cell.key] for cell in same), sum(cell.demand or 0 for cell in same)
            if got < asked:
                quota = sum(cell.demand or 0 for cell in cells)
                lower[transcript] = min(lower[transcript], whole_share(Fraction(got, quota), quotas))
    return lower


def _quotas(block: Planned, transcript: str) -> list[int]:
    """The quotas of a transcript that are numbers, one for each kind that has any."""
    return [int(quota) for (_, of), quota in block.block.quotas.items() if of == transcript and quota != ALL]


def _by_quota(
    block: Planned, transcript: str, shares: Mapping[str, Fraction]
) -> dict[tuple[str | None, str], list[Wanted]]:
    """The cells into which each quota of a transcript is split, by target and kind."""
    split: dict[tuple[str | None, str], list[Wanted]] = defaultdict(list)
    for cell in block.cells(shares):
        if cell.transcript == transcript and cell.demand is not None:
            split[cell.target, cell.kind].append(cell)
    return split


def _candidates(block: Planned, pool: Pool, cell: Wanted) -> int:
    return sum(count_pairs(pool, selection) for selection in block.engine_cell(cell).selections)


def _check_total(name: str, block: Block, criterion: Criterion, targets: tuple[str, ...], findings: Findings) -> None:
    if block.total is None:
        return
    numbers = [int(quota) for quota in block.quotas.values() if quota != ALL]
    found = sum(numbers) * (1 if criterion == "emphasis" else len(targets))
    if found != block.total or len(numbers) < len(block.quotas):
        per = "" if criterion == "emphasis" else f" for each of {len(targets)} targets"
        expected = f"{block.total}: change the quotas or the total"
        findings.add(TOTAL, id=f"[blocks.{name}]", found=f"{sum(numbers)}{per}, {found} in all", expected=expected)


def _refuse_too_many(
    pool: Pool,
    asked: dict[tuple[str, ...], engine.Cell],
    limits: engine.Caps,
    names: Mapping[tuple[str, ...], str],
    findings: Findings,
) -> None:
    """Tells, by counting alone, of every cell without a number that would have too many pairs, and asks none of it."""
    for key, cell in asked.items():
        if cell.demand is None and (found := tally_of(pool, cell, limits).limit) > MOST_LISTED:
            expected = f"at most {MOST_LISTED:,}: a number in place of {ALL!r}, fewer targets, or a cap"
            findings.add(TOO_MANY, id=names[key], found=f"{found:,} pairs", expected=expected)
            asked[key] = replace(cell, demand=0)


def _check_twice(blocks: Sequence[Planned], findings: Findings) -> None:
    """Two blocks of the same clips that ask for the same kind of pair could choose one pair twice."""
    for one, other in combinations(blocks, 2):
        both = set(one.block.quotas) & set(other.block.quotas)
        targets = sorted(set(one.targets) & set(other.targets))
        clips = set(one.block.corpora) & set(other.block.corpora)
        if both and targets and clips and one.block.variant == other.block.variant:
            found = f"[blocks.{one.name}] and [blocks.{other.name}]"
            findings.add(
                TWICE, id=one.criterion, found=found, expected="one block, or two with other targets or variants"
            )


def _check_repeated(criterion: Criterion, allocation: Allocation, cells: Sequence[Wanted], findings: Findings) -> None:
    """Variants may overlap, and the last pair of an odd quota is of either sex: only a cap of one keeps a pair out of both."""
    pairs = allocation.pairs
    having: dict[tuple[str, frozenset[int]], list[int]] = defaultdict(list)
    for cell, left, right, target in zip(
        pairs.cell.tolist(), pairs.left.tolist(), pairs.right.tolist(), pairs.target, strict=True
    ):
        having[target, frozenset((left, right))].append(cell)
    for both in sorted({tuple(found) for found in having.values() if len(found) > 1}):
        expected = f"[caps.{criterion}] clip_pair = 1"
        findings.add(REPEATED, id=criterion, found=" and ".join(cells[n].name for n in both), expected=expected)
