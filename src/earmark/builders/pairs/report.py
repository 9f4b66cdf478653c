"""What came of a pairing: the section that the manifest keeps, and what people are told."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

import msgspec

from earmark.builders.pairing.balance import Balance
from earmark.builders.pairing.cells import Cell as EngineCell
from earmark.builders.pairing.feasibility import most_pairs
from earmark.builders.pairs.balance_report import worst_differences
from earmark.builders.pairs.cells import Wanted, sorts
from earmark.builders.pairs.choosing import Chosen
from earmark.builders.pairs.recipe import PairsRecipe
from earmark.builders.pairs.selections import Stratum
from earmark.manifests.canonical import Json
from earmark.manifests.families.pairs import KINDS, TRANSCRIPTS
from earmark.manifests.families.pairs_recipe import Cell, Criterion, Pairing, Rules


def pairing_section(recipe: PairsRecipe, chosen: Sequence[Chosen]) -> dict[str, Json]:
    """What the manifest keeps: every cell and what came of it, the caps, and the rules as they were followed."""
    cells = [cell for group in chosen for cell in stored_cells(group)]
    caps = {group.criterion: recipe.caps[group.criterion] for group in chosen if group.criterion in recipe.caps}
    section: dict[str, Json] = msgspec.to_builtins(
        Pairing(cells=tuple(cells), caps=caps, rules=followed(recipe.rules, chosen))
    )
    return section


def followed(rules: Rules, chosen: Sequence[Chosen]) -> Rules:
    """The rules that hold of every pair: a rule of who speaks does not where the recipe or an equal share overrode it."""
    speakers: dict[str, set[str]] = {
        group.criterion: {cell.stratum.speakers for cell in group.cells} for group in chosen
    }

    def held(criteria: tuple[Criterion, ...], wanted: str) -> tuple[Criterion, ...]:
        return tuple(name for name in criteria if speakers.get(name, {wanted}) <= {wanted})

    return msgspec.structs.replace(
        rules,
        same_speaker=held(rules.same_speaker, "same"),
        different_speakers=held(rules.different_speakers, "different"),
        equal_speaker_share=rules.equal_speaker_share and all(map(_one_share, chosen)),
    )


def _one_share(group: Chosen) -> bool:
    """Whether the pairs of a variant and transcript have one share of one-speaker pairs: each block has its own, "all" none."""
    shares: dict[tuple[str, str], set[Fraction | None]] = defaultdict(set)
    alone = {"same": Fraction(1), "different": Fraction(0), "any": None}
    for cell in group.cells:
        own = group.shares.get(cell.block) if cell.demand is not None else None
        share = alone[cell.stratum.speakers] if own is None else own[cell.transcript]
        shares[cell.variant, cell.transcript].add(share)
    return all(len(found) == 1 and None not in found for found in shares.values())


def stored_cells(group: Chosen) -> list[Cell]:
    """The cells of a criterion as the manifest keeps them: those that differ in the foil alone are one; no pair is of two."""
    merged: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for number, sort in enumerate(sorts(group.cells)):
        merged[sort].append(number)
    stored = []
    for (*_, speakers, sex), numbers in merged.items():
        reports = [group.allocation.cells[number] for number in numbers]
        cell = group.cells[numbers[0]]
        demands = [report.demand for report in reports]
        bindings = sorted({report.binding for report in reports if report.binding is not None})
        feasible, candidates = reports[0].feasible, reports[0].candidates
        if len(numbers) > 1:
            apart = _apart([group.cells[n] for n in numbers], numbers)
            candidates = sum(group.allocation.cells[n].candidates for n in apart)
            parts = [group.engine_cells[n] for n in apart]
            selections = tuple(selection for part in parts for selection in part.selections)
            whole = EngineCell(parts[0].key, group.criterion, selections, None, parts[0].most_per_target)
            feasible = most_pairs(group.pool, whole, group.caps).pairs
        value = {
            "criterion": group.criterion,
            "target": cell.target,
            "kind": cell.kind,
            "transcript": cell.transcript,
            "speakers": speakers,
            "sex": sex,
            "variant": cell.variant,
            "demand": None if None in demands else sum(demand or 0 for demand in demands),
            "candidates": candidates,
            "feasible": feasible,
            "filled": sum(report.filled for report in reports),
            "binding": ", ".join(bindings) or None,
        }
        stored.append(msgspec.convert(value, Cell))
    return stored


def _apart(cells: Sequence[Wanted], numbers: Sequence[int]) -> list[int]:
    """The numbers of cells without those of women or men beside one of either sex, which has all their pairs."""
    either = {replace(cell, stratum=Stratum(cell.stratum.speakers), demand=None) for cell in cells if cell.of_either}
    return [
        number
        for cell, number in zip(cells, numbers, strict=True)
        if cell.of_either or replace(cell, stratum=Stratum(cell.stratum.speakers), demand=None) not in either
    ]


def summary(chosen: Sequence[Chosen], found: Sequence[Balance], utterances: Mapping[str, int]) -> dict[str, Json]:
    """What people are told at the end of a build.

    Args:
        chosen: What was chosen for each criterion.
        found: The balance of each.
        utterances: How many were read, by corpus.
    """
    pairs: dict[str, Json] = {}
    shares: dict[str, Json] = {}
    solved: dict[str, Json] = {}
    for group in chosen:
        asked = {(cell.kind, cell.transcript) for cell in group.cells}
        sorts = [(kind, transcript) for kind in KINDS for transcript in TRANSCRIPTS]
        filled = Counter({f"{kind} {transcript}": 0 for kind, transcript in sorts if (kind, transcript) in asked})
        for cell, report in zip(group.cells, group.allocation.cells, strict=True):
            filled[f"{cell.kind} {cell.transcript}"] += report.filled
        pairs[group.criterion] = dict(filled)
        for block, transcripts in group.shares.items():
            shares[block] = {transcript: f"{share}" for transcript, share in transcripts.items()}
        for solve in group.allocation.solves:
            solved[group.criterion] = {"pairs considered": solve.edges, "nearest": solve.nearest, "gap": solve.gap}
    cells = [(group, report) for group in chosen for report in group.allocation.cells]
    short = [report for _, report in cells if report.demand is not None and report.filled < report.demand]
    return {
        "utterances": dict(utterances),
        "pairs": pairs,
        "cells": {"all": len(cells), "short": len(short)},
        "share of one-speaker pairs": shares,
        "solved": solved,
        "balance": worst_differences(chosen, found),
    }
