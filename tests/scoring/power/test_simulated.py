"""The power that is stated is what simulated judges get on copies of a release's own units, speakers and weights."""

from __future__ import annotations

from math import ceil
from statistics import NormalDist
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pytest
from scipy.sparse import block_diag, csr_array
from tests.support.golden import FOLDER

from earmark.manifests.release import open_release
from earmark.manifests.report import OVERALL
from earmark.scoring.baselines import uniform
from earmark.scoring.decisions import owed_presentations
from earmark.scoring.families import family_marks
from earmark.scoring.guesses import guessed
from earmark.scoring.ladder.credit import CreditedMarks
from earmark.scoring.power.dependence import facets_of, speakers_of
from earmark.scoring.power.units_needed import power
from earmark.statistics.flips import sign_flip_p

if TYPE_CHECKING:
    from earmark.statistics.statistic import Bools, Floats, Ints

DELTA, DISCORDANCE, LEVEL = 0.1, 0.3, 0.05
STUDIES = 4000
THREE_ERRORS = 3 * (0.8 * 0.2 / STUDIES) ** 0.5


class Units(NamedTuple):
    """Units of a release: whose they are, (n, 2), what each weighs, (n,), and who shares a speaker, (n, n)."""

    members: Ints
    weight: Floats
    share: Bools


def units_of(family: str, facet: str) -> Units:
    release = open_release(FOLDER / family / "release")
    marks: object = family_marks(release)
    assert isinstance(marks, CreditedMarks)
    owed = owed_presentations(release, release.protocol())
    credits = marks.credited(release, guessed(owed, uniform(release, owed), release.family.choices))
    assert credits is not None
    here = np.full(len(credits.units), True) if facet == OVERALL else facets_of(release, credits.units) == facet
    members, weight = speakers_of(release, credits.units)[here], credits.weight[here]
    share = (members[:, None, :, None] == members[None, :, None, :]).any(axis=(2, 3))
    return Units(members, weight / weight.sum(), share)


def drawn(units: Units, copies: int, copied: float, delta: float, random: np.random.Generator) -> Floats:
    """(units, studies) which judge alone is right: a unit's own, or what is drawn for either of its speakers.

    Two units are alike with probability `copied`² for each speaker that they have in common.
    """

    def differences(many: int) -> Floats:
        u = random.random((many, STUDIES))
        found: Floats = np.where(u < (DISCORDANCE + delta) / 2, 1.0, np.where(u < DISCORDANCE, -1.0, 0.0))
        return found

    width = int(units.members.max()) + 1
    members = (units.members[None] + width * np.arange(copies)[:, None, None]).reshape(-1, 2)
    two = (members[:, 0] != members[:, 1])[:, None]
    of_speaker, own, u = differences(width * copies), differences(len(members)), random.random((len(members), STUDIES))
    second = (u < 2 * copied) & two
    return np.where(u < copied, of_speaker[members[:, 0]], np.where(second, of_speaker[members[:, 1]], own))


def correlation(units: Units, copied: float) -> float:
    """The intraclass correlation of what is drawn, over those who share, as they weigh."""
    holds = np.zeros((len(units.weight), int(units.members.max()) + 1))
    holds[np.arange(len(holds))[:, None], units.members] = copied
    pairs = np.outer(units.weight, units.weight) * (units.share & ~np.eye(len(holds), dtype=bool))
    return float((pairs * (holds @ holds.T)).sum() / pairs.sum()) if pairs.any() else 0.0


def rejected(units: Units, copies: int, differences: Floats) -> float:
    """How often the difference is more than 1.96 of its standard errors, who shares a speaker being known."""
    weighed = np.tile(units.weight, copies)[:, None] / copies * differences
    share = csr_array(block_diag([csr_array(units.share.astype(np.float64))] * copies))
    variance = (weighed * (share @ weighed)).sum(axis=0)
    limit = NormalDist().inv_cdf(1 - LEVEL / 2)
    return float((np.abs(weighed.sum(axis=0)) > limit * np.sqrt(np.maximum(variance, 1e-300))).mean())


def power_of(pairs: float) -> float:
    """The power of McNemar's test (Connor 1987) on so many pairs that share nothing."""
    of_level = NormalDist().inv_cdf(1 - LEVEL / 2)
    return NormalDist().cdf((DELTA * pairs**0.5 - of_level * DISCORDANCE**0.5) / (DISCORDANCE - DELTA**2) ** 0.5)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("family", "facet", "copied"),
    [
        ("stance", OVERALL, 0.45),
        ("stance", "S5", 0.55),
        ("pairs", OVERALL, 0.4),
        ("pairs", "gender", 0.4),
        ("dialogues", OVERALL, 0.0),
    ],
    ids=lambda value: str(value),
)
def test_stated_power_is_what_simulated_judges_get(family: str, facet: str, copied: float) -> None:
    units, random = units_of(family, facet), np.random.default_rng(5)
    alike = correlation(units, copied)
    found = power(open_release(FOLDER / family / "release"), DELTA, discordance=DISCORDANCE, icc=alike)
    [cell] = [cell for cell in (*found.cells, found.overall) if cell.facet == facet]
    assert cell.needed is not None
    copies = ceil(cell.needed / len(units.weight))
    stated = power_of(copies * len(units.weight) / cell.design_effect)
    assert power_of((copies - 1) * len(units.weight) / cell.design_effect) < 0.802 <= stated + 0.002
    differences = drawn(units, copies, copied, DELTA, random)
    assert rejected(units, copies, differences) == pytest.approx(stated, abs=THREE_ERRORS)
    level_errors = 3 * (LEVEL * (1 - LEVEL) / STUDIES) ** 0.5
    assert rejected(units, copies, drawn(units, copies, copied, 0.0, random)) == pytest.approx(LEVEL, abs=level_errors)
    if alike:  # as many units as if nobody shared a speaker do not do
        few = ceil(cell.needed / cell.design_effect / len(units.weight))
        assert rejected(units, few, drawn(units, few, copied, DELTA, random)) < stated - 2 * THREE_ERRORS
    if family != "pairs":  # the exact test that comparisons have there errs on the side of caution
        speakers = np.tile(units.members[:, 0], copies) + (units.members.max() + 1) * np.repeat(
            np.arange(copies), len(units.weight)
        )
        weighed = np.tile(units.weight, copies)[:, None] * differences[:, :1000]
        of_speaker = np.stack([np.bincount(speakers, one) for one in weighed.T])
        exact = np.mean([(sign_flip_p(one) or 1.0) < LEVEL for one in of_speaker])
        assert stated - 0.03 - 2 * THREE_ERRORS < exact < stated + 2 * THREE_ERRORS
