"""How many units a release would need to tell two judges apart, and how small a difference those it has can show.

Two judges answer the same units. What counts is how often they differ (*discordance* ψ: the mean square of the difference of
their credits, which for right and wrong is the share that exactly one gets right) and how alike the differences of one
speaker's units are (*ICC*). Both are taken from two prediction files, ψ facet by facet and the ICC over all facets, or
assumed. Units needed are McNemar's (`statistics.power`) times the design effect of the release's own speakers and weights, such
as those of a rare pole (`statistics.clustering`): so many units, if each speaker has as many as now. A unit is what the headline
counts: a speaker in a conversation, a pair, a dialogue.

The headline itself, by which comparisons lead, is a mean over facets: units of a small facet weigh more, and all that a speaker
is in belong together, whatever facet they are of. Its design effect is that of the weights and sharing of all units, its ψ that
of the weighted units: n Σ wᵢ wⱼ √(ψᵢ ψⱼ) rᵢⱼ / Σ w ψ, r being 1, the ICC of those who share, or 0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from earmark.manifests.errors import EarmarkError
from earmark.manifests.findings import Findings
from earmark.manifests.report import OVERALL
from earmark.scoring.baselines import uniform
from earmark.scoring.decisions import owed_presentations
from earmark.scoring.families import family_marks
from earmark.scoring.guesses import guessed
from earmark.scoring.ladder.credit import CreditedMarks
from earmark.scoring.power.dependence import dependent_roles, facets_of, speakers_of
from earmark.statistics.clustering import design_effect, intraclass, sharing
from earmark.statistics.power import detectable_difference, pairs_needed

if TYPE_CHECKING:
    from earmark.manifests.canonical import Json
    from earmark.manifests.release import Release
    from earmark.scoring.decisions import Decisions
    from earmark.scoring.ladder.credit import Credits
    from earmark.statistics.statistic import Floats, Ints

DISCORDANCE, ICC = 0.3, 0.1
"""What is assumed where nothing is known."""

GRID_DISCORDANCE, GRID_ICC = (0.1, 0.2, 0.3, 0.4), (0.0, 0.05, 0.1, 0.3)

NEVER_APART = "the two never differ here"
_ROUNDING = 1e-9  # units; what adding up in another order may come to

TOO_ALIKE = "they differ too seldom for so large a difference"


@dataclass(frozen=True)
class Cell:
    """A facet, or all of them.

    Args:
        facet: Its id; `overall` of all.
        units: How many units it has.
        speakers: How many speakers they depend on; None where each is by itself.
        shared: How many others a unit shares a speaker with, on average.
        discordance: ψ, in [0, 1].
        icc: Intraclass correlation of the differences; of all facets that of all that a speaker is in.
        design_effect: At least 1 of a facet.
        needed: Units needed; None where no number would do.
        detectable: The least difference that is found with those that there are, in [0, 1]; None where none is.
        reason: Why either is None.
    """

    facet: str
    units: int
    speakers: int | None
    shared: float
    discordance: float
    icc: float
    design_effect: float
    needed: int | None
    detectable: float | None
    reason: str | None = None


@dataclass(frozen=True)
class Power:
    """What a release can tell apart.

    Args:
        delta: The difference looked for, in (0, 1].
        level: Level of the test.
        power: With what probability it is to be found.
        icc: Intraclass correlation of the differences.
        assumed: What of `discordance` and `icc` was not measured.
        cells: The facets.
        overall: The mean over them that is the headline.
        wide: Whether units have two speakers, so that the intervals of comparisons err on the wide side and need more than this.
        grid: Units needed of a facet of average sharing, by (discordance, ICC); None where no number would do. Empty where
            nothing was assumed.
    """

    delta: float
    level: float
    power: float
    icc: float
    assumed: tuple[str, ...]
    cells: tuple[Cell, ...]
    overall: Cell
    wide: bool
    grid: Mapping[tuple[float, float], int | None]

    def as_json(self) -> Mapping[str, Json]:
        """The same as plain JSON values."""
        grid: list[Json] = [
            {"discordance": discordance, "icc": icc, "needed": needed}
            for (discordance, icc), needed in self.grid.items()
        ]
        return {
            "delta": self.delta,
            "level": self.level,
            "power": self.power,
            "icc": self.icc,
            "assumed": list(self.assumed),
            "cells": [asdict(cell) for cell in self.cells],
            "overall": asdict(self.overall),
            "wide": self.wide,
            "grid": grid,
        }


def power(
    release: Release,
    delta: float,
    *,
    files: Sequence[str | Path] = (),
    protocol: str | None = None,
    discordance: float | None = None,
    icc: float | None = None,
    level: float = 0.05,
    power: float = 0.8,
) -> Power:
    """What a release can tell apart.

    Args:
        release: With its private side, which knows the speakers.
        delta: The difference looked for, in (0, 1].
        files: Two prediction files, whose discordance and ICC are taken; none to assume them.
        protocol: The protocol; that of the files, or the release's first one, without.
        discordance: To assume, in (0, 1]; goes before what files say.
        icc: To assume, in [0, 1]; the same.
        level: Level of the test, in (0, 1).
        power: With what probability the difference is to be found, in [0.5, 1).

    Raises:
        EarmarkError: If there are not two files or none, they are of different units, or the family has no credits.
        PrivateSideMissing: If this copy has no answers.
    """
    if len(files) not in (0, 2):
        raise EarmarkError(f"{len(files)} prediction file named; name two to measure how they differ, or none")
    marks: object = family_marks(release)
    if not isinstance(marks, CreditedMarks):
        raise EarmarkError(f"the family {release.family.name} does not say what a judge gets of each unit")
    given = [_credits(release, marks, decisions) for decisions in _decisions(release, files, protocol)]
    units = given[0].units
    if any(other.units != units for other in given):
        raise EarmarkError("the two prediction files are of protocols with different units")
    facet, members = facets_of(release, units), speakers_of(release, units)
    difference = given[0].credit - given[-1].credit if files else np.zeros(len(units))
    away = difference.copy()
    for name in np.unique(facet):
        away[facet == name] -= away[facet == name].mean()
    within = np.unique(facet, return_inverse=True)[1].reshape(-1, 1) * (int(members.max(initial=0)) + 1) + members
    alike, alike_in_all = (
        icc if icc is not None else max(0.0, intraclass(away, shared) or 0.0) if files else ICC
        for shared in (within, members)
    )
    weight, psi = given[0].weight, np.full(len(units), DISCORDANCE if discordance is None else discordance)
    asked, dependent = _Asked(delta, level, power), dependent_roles(release) != ()
    cells = []
    for name in np.unique(facet):
        here = facet == name
        if discordance is None and files:
            psi[here] = (difference[here] ** 2).mean()
        cells.append(_cell(str(name), members[here], dependent, psi[here], weight[here], alike, asked))
    overall = _cell(OVERALL, members, dependent, psi, weight, alike_in_all, asked)
    wide = bool((members[:, 0] != members[:, 1]).any())
    said = {"discordance": discordance, "icc": icc}
    assumed = tuple(name for name, value in said.items() if value is not None or not files)
    shared = float(np.mean([cell.shared for cell in cells]))
    grid = {(psi, rho): _needed(asked, psi, 1 + shared * rho) for psi in GRID_DISCORDANCE for rho in GRID_ICC}
    return Power(delta, level, power, alike, assumed, tuple(cells), overall, wide, grid if assumed else {})


@dataclass(frozen=True)
class _Asked:
    """The difference looked for, the level of the test, and the power it is to have."""

    delta: float
    level: float
    power: float


def _cell(facet: str, members: Ints, dependent: bool, psi: Floats, weight: Floats, icc: float, asked: _Asked) -> Cell:
    """What units can tell apart, each with a discordance and a weight."""
    units, mean = len(members), float(np.average(psi, weights=weight))
    effect = design_effect(members, icc, weight)
    if (psi != psi[0]).any():
        spread = weight * np.sqrt(psi)
        effect = design_effect(members, icc, spread) * spread.sum() ** 2 / float(weight @ psi) / weight.sum()
    needed = _needed(asked, mean, effect)
    found = detectable_difference(max(1, int(units / effect)), min(1.0, mean), alpha=asked.level, power=asked.power)
    reason = None
    if mean == 0:
        reason = NEVER_APART
    elif needed is None:
        reason = TOO_ALIKE
    elif found is None:
        reason = "these are too few units for any difference to be found"
    speakers = len(np.unique(members)) if dependent else None
    return Cell(facet, units, speakers, sharing(members), mean, icc, effect, needed, found, reason)


def _needed(asked: _Asked, psi: float, effect: float) -> int | None:
    """Units needed; None where the judges differ less often than by so much."""
    if not 0 < asked.delta <= psi <= 1:
        return None
    many = pairs_needed(asked.delta, psi, alpha=asked.level, power=asked.power) * effect
    return ceil(many - _ROUNDING)


def _decisions(release: Release, files: Sequence[str | Path], protocol: str | None) -> list[Decisions]:
    """What the files decide; without any a guesser, whose units are everybody's."""
    if not files:
        owed = owed_presentations(release, release.protocol(protocol))
        return [guessed(owed, uniform(release, owed), release.family.choices)]
    from earmark.scoring.face import read  # which imports the families, and they this room

    found = []
    for file in files:
        if not Path(file).is_file():
            raise EarmarkError(f"cannot read {file}: no such file")
        found.append(read(release, Path(file), protocol, Findings())[1])
    return found


def _credits(release: Release, marks: CreditedMarks, decisions: Decisions) -> Credits:
    found = marks.credited(release, decisions)
    if found is None:
        raise EarmarkError(f"{release.family.headline} of {release.manifest.name} is undefined, so there is no power")
    return found
