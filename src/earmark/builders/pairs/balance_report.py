"""How balanced the chosen pairs are: in figures for the summary, in full for machines, and as a page to look at."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from earmark.builders.pairing.allocation import CellReport
from earmark.builders.pairing.balance import GOAL, Balance, Difference, Reuse, balance
from earmark.builders.pairs.cells import Wanted
from earmark.builders.pairs.choosing import Chosen
from earmark.builders.pairs.recipe import PairsRecipe
from earmark.builders.pairs.sound import DEFAULTS
from earmark.manifests.acoustics import MEASURES
from earmark.manifests.canonical import Json, json_text
from earmark.manifests.families.pairs import NON_TIE, TRANSCRIPTS
from earmark.pages.build_page import BuildCell, BuildCriterion, BuildRecord, BuildSolve, build_html
from earmark.pages.love_plot import CellDifference, LoveRow
from earmark.pages.reuse_bars import ReuseRow, Uses

MACHINE, PAGE = "build.json", "build.html"
"""Names of the files on the private side."""

MEANS: Mapping[str, str] = {
    "seconds": "Length of the clip.",
    "words": "Number of words in its text.",
    "age": "Age of the speaker in years.",
    **{measure.name: measure.means for measure in MEASURES},
}
"""What each nuisance is."""

_KINDS = {"non_tie": "non-tie", "both_good": "both good", "both_bad": "both bad"}
_TRANSCRIPTS = {"same": "same words", "cross": "other words"}
_WHO: Mapping[tuple[str, str], str] = {
    ("same", "any"): "one speaker",
    ("same", "female"): "one woman",
    ("same", "male"): "one man",
    ("same", "either"): "one woman or man",
    ("different", "any"): "two speakers",
    ("different", "female"): "two women",
    ("different", "male"): "two men",
    ("different", "mixed"): "a woman and a man",
    ("different", "either"): "two of one sex",
    ("any", "either"): "speakers of one sex",
}
"""Who speaks the two clips, by speakers and sex; nothing is said where there is no condition."""


def balances(chosen: Sequence[Chosen]) -> list[Balance]:
    """Balance of every criterion, in its nuisances as they were paired by."""
    return [balance(group.pool, group.engine_cells, group.allocation, group.nuisances) for group in chosen]


def worst_differences(chosen: Sequence[Chosen], found: Sequence[Balance]) -> dict[str, Json]:
    """Per criterion the worst directed difference after matching, and how many cells have one above the goal.

    Args:
        chosen: The criteria.
        found: The balance of each.

    Returns:
        By criterion: the worst difference, its nuisance, cells above the goal and cells that have a directed difference at
        all. The worst is None where there is none.
    """
    summary: dict[str, Json] = {}
    for group, of_group in zip(chosen, found, strict=True):
        differences = [
            (difference.after, difference.nuisance, cell.key)
            for cell in of_group.cells
            for difference in cell.differences
            if difference.directed and difference.after is not None
        ]
        worst, nuisance, _ = max(differences, key=lambda entry: entry[0], default=(None, None, ()))
        summary[group.criterion] = {
            "worst difference, SD": worst,
            "nuisance": nuisance,
            f"cells above {GOAL:g}": len({key for after, _, key in differences if after > GOAL}),
            "cells": len({key for *_, key in differences}),
        }
    return summary


def pages(
    recipe: PairsRecipe, chosen: Sequence[Chosen], found: Sequence[Balance], report: Mapping[str, Json]
) -> dict[str, str]:
    """The files that stand on the private side: everything for machines, and the same to look at.

    Args:
        recipe: The recipe.
        chosen: What was chosen for each criterion.
        found: The balance of each.
        report: What people are told at the end.

    Returns:
        Texts by file name.
    """
    machine: dict[str, Json] = {
        "summary": dict(report),
        "criteria": {
            group.criterion: {
                **group.allocation.as_json(),
                "levelled": None if group.levelled is None else group.levelled.as_json(),
                "nuisances": list(group.nuisances),
                "not compared": dict(_absent(recipe, group)),
                "caps": dict(_caps(group)),
                "clips": len(group.pool.ids),
                "shares": {
                    block: {transcript: f"{share}" for transcript, share in sorted(transcripts.items())}
                    for block, transcripts in sorted(group.shares.items())
                },
                "balance": of_group.as_json(),
            }
            for group, of_group in zip(chosen, found, strict=True)
        },
    }
    return {MACHINE: json_text(machine), PAGE: build_html(record(recipe, chosen, found, report))}


def record(
    recipe: PairsRecipe, chosen: Sequence[Chosen], found: Sequence[Balance], report: Mapping[str, Json]
) -> BuildRecord:
    """A build as its page takes it."""
    corpora = report.get("utterances")
    counts = corpora if isinstance(corpora, Mapping) else {}
    return BuildRecord(
        name=recipe.release.name,
        version=recipe.release.version,
        goal=GOAL,
        corpora={name: count for name, count in sorted(counts.items()) if isinstance(count, int)},
        criteria=tuple(_criterion(recipe, *both) for both in zip(chosen, found, strict=True)),
        nuisances=MEANS,
    )


def cell_names(group: Chosen) -> list[str]:
    """Short names of a criterion's cells for people, no two alike; a block is named where there are several."""
    several = len({cell.block for cell in group.cells}) > 1
    return [" · ".join(_parts(cell, several=several)) for cell in group.cells]


def _parts(cell: Wanted, *, several: bool) -> Iterator[str]:
    if several:
        yield cell.block
    yield cell.target or "any word"
    yield _KINDS[cell.kind]
    yield _TRANSCRIPTS[cell.transcript]
    who = cell.stratum.speakers, cell.stratum.sex
    if who != ("any", "any"):
        yield _WHO.get(who, f"speakers {' '.join(who)}")
    if cell.foil is not None:
        yield f"{cell.foil} foil"


def _criterion(recipe: PairsRecipe, group: Chosen, found: Balance) -> BuildCriterion:
    names = cell_names(group)
    name = group.criterion.capitalize()
    cells = tuple(
        BuildCell(
            name=label,
            kind=cell.kind,
            transcript=cell.transcript,
            demand=report.demand,
            candidates=report.candidates,
            feasible=report.feasible,
            exact=report.feasible_holds == "exactly",
            filled=report.filled,
            binding=report.binding,
        )
        for label, cell, report in zip(names, group.cells, group.allocation.cells, strict=True)
    )
    solves = tuple(
        BuildSolve(
            edges=solve.edges,
            nearest=solve.nearest,
            complete=solve.complete,
            filled=solve.filled,
            most=solve.most,
            gap=solve.gap,
            blocks=solve.blocks,
            ended=solve.lp if solve.milp is None else f"{solve.lp}, branched: {solve.milp}",
            exchanged=None if group.levelled is None else group.levelled.exchanges,
            dearer=None if group.levelled is None else group.levelled.dearer,
        )
        for solve in group.allocation.solves
    )
    return BuildCriterion(
        name=name,
        caps=tuple(_caps(group)),
        cells=cells,
        differences=tuple(_love_rows(group, names, found)),
        absent=tuple(_absent(recipe, group)),
        shares=tuple(_shares(group)),
        reuse=ReuseRow(name, len(group.pool.ids), _uses(found.clips), _uses(found.speakers)),
        solves=solves,
    )


def _love_rows(group: Chosen, names: Sequence[str], found: Balance) -> Iterator[LoveRow]:
    """Rows in which every cell stands once per nuisance."""
    cells = list(zip(names, group.cells, group.allocation.cells, found.cells, strict=True))
    for place, nuisance in enumerate(group.nuisances):
        for directed in (True, False):
            differences = tuple(
                CellDifference(name, of.before, of.after, _reason(of, report))
                for name, cell, report, balanced in cells
                # A cell that admits no pair has no sides to tell its sort by, but its kind has.
                if ((of := balanced.differences[place]).directed or cell.kind == NON_TIE) is directed
            )
            if differences:
                yield LoveRow(group.criterion.capitalize(), nuisance, directed, differences)


def _reason(of: Difference, report: CellReport) -> str:
    """Why a difference is undefined, the plainest reason first."""
    if of.reason is None:
        return ""
    if report.candidates == 0:
        return "the rules admit no pair"
    return "no pair was chosen" if of.before is not None and report.filled == 0 else of.reason


def _absent(recipe: PairsRecipe, group: Chosen) -> Iterator[tuple[str, str]]:
    """Nuisances that were to be kept from differing and are not in the pool, with why."""
    block = recipe.blocks.get(group.cells[0].block) if group.cells else None
    asked = (None if block is None else block.nuisances) or DEFAULTS[group.criterion]
    for name in asked:
        if name not in group.nuisances:
            known = group.columns.measures.get(name)
            unknown = known is None or bool(np.isnan(known).all())
            yield name, "not known of any clip" if unknown else "the same in every clip"


def _caps(group: Chosen) -> Iterator[tuple[str, int]]:
    caps = group.caps
    for name, most in (("clip", caps.clip), ("clip pair", caps.clip_pair), ("speaker", caps.speaker)):
        if most is not None:
            yield name, most


def _shares(group: Chosen) -> Iterator[tuple[str, str]]:
    """Labels and shares of one-speaker pairs, of the blocks and transcripts that pairs are wanted of."""
    wanted = {(cell.block, cell.transcript) for cell in group.cells}
    several = len(group.shares) > 1
    for block, transcripts in sorted(group.shares.items()):
        for transcript in TRANSCRIPTS:
            if (block, transcript) in wanted and transcript in transcripts:
                label = _TRANSCRIPTS[transcript]
                share = transcripts[transcript]
                text = f"{share} ({float(share):.0%})"
                yield (
                    f"{label} ({block})" if several else label,
                    "none" if share == 0 else "all" if share == 1 else text,
                )


def _uses(found: Reuse) -> Uses:
    return Uses(found.histogram, found.effective)
