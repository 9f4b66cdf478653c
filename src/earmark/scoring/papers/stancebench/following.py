"""What each of StanceBench's filters does to a figure, on anybody's submissions and on a small one made here.

The small one is drawn by hash, so it is the same everywhere: a judge that hears a stance through noise, says so more surely when
it hears it clearly, is swayed now and then by which pole is defined first, and sometimes gives no valid answer. Beside it stands
a second judge that fails more often, whose only part is the row intersection.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from earmark.manifests.families.stance import STANCE
from earmark.manifests.keys import rank
from earmark.scoring.decisions import Decisions, Outcome, Owed
from earmark.scoring.papers.records import Step, Walk
from earmark.scoring.papers.stancebench.accuracy import accuracy
from earmark.scoring.papers.stancebench.filters import apply_filters
from earmark.scoring.papers.stancebench.judged import judged_dimensions
from earmark.scoring.stance.gold import Gold, read_gold
from earmark.scoring.stance.marks import mark
from earmark.statistics.ranking import Auroc

if TYPE_CHECKING:
    from earmark.manifests.release import Release
    from earmark.scoring.papers.stancebench.judged import Bools, Floats

SPEAKERS, SEED, SKIPPING = 120, 5, 0.04
"""Size and seed of the small submission, and the share of speakers whom a judge was never asked about."""


def follow_submissions(release: Release, submissions: Sequence[tuple[str, Decisions]]) -> tuple[Walk, ...]:
    """What each filter does to each submission, the others being those that it is intersected with.

    Raises:
        EarmarkError: If a submission's protocol does not owe both pole orders.
        PrivateSideMissing: If this copy has no answers.
    """
    return follow(read_gold(release), submissions)


def follow(gold: Gold, submissions: Sequence[tuple[str, Decisions]]) -> tuple[Walk, ...]:
    """The same from the gold."""
    walks: list[Walk] = []
    for at, (name, decisions) in enumerate(submissions):
        others = [other for n, (_, other) in enumerate(submissions) if n != at]
        default = mark(gold, decisions).score
        for dimension in judged_dimensions(gold, decisions, others):
            speakers = dimension.speakers
            owed = len(speakers.positive)
            score = default[dimension.unit]
            steps = [
                Step(
                    "by default",
                    "every speaker owed, s(2p − 1), what has no answer at its worst, 0 wrong",
                    owed,
                    0,
                    Auroc.of_rows(score, speakers.positive, np.arange(owed), owed).value(),
                    _share(((score > 0) == speakers.positive) & (score != 0)),
                )
            ]
            for found in apply_filters(speakers):
                # Before failed speakers are out there is no score to take a figure of.
                kept = found.kept & speakers.scored
                auroc = accuracy("auroc", speakers.score[kept], speakers.positive[kept])
                consistency = accuracy("pole_consistency", speakers.score[kept], speakers.positive[kept])
                whole = bool(speakers.scored[found.kept].all())
                steps.append(
                    Step(
                        found.filter.name,
                        found.filter.means,
                        int(found.kept.sum()),
                        found.removed,
                        auroc if whole else None,
                        consistency if whole else None,
                    )
                )
            walks.append(Walk(name, dimension.facet, tuple(steps)))
    return tuple(walks)


def example() -> tuple[Walk, ...]:
    """What each filter does to the small submission."""
    gold = _gold()
    answered = [("example judge", _decisions(gold, "judge", 0.04)), ("failing judge", _decisions(gold, "other", 0.3))]
    return follow(gold, answered)[:1]


def _share(flags: Bools) -> float | None:
    return float(flags.mean()) if flags.size else None


def _gold() -> Gold:
    """Half the speakers of a P role, one to six clips each."""
    speakers = np.arange(SPEAKERS)
    clips = 1 + (6 * _uniform("clips", SPEAKERS)).astype(np.int64)
    return Gold(
        items=tuple(f"{speaker:03d}/{clip}" for speaker in speakers for clip in range(clips[speaker])),
        unit=np.repeat(speakers, clips),
        facet=np.full(SPEAKERS, "S0"),
        positive=speakers % 2 == 0,
        role=np.where(speakers % 2 == 0, "Friendly", "Aloof"),
        levels=dict.fromkeys(("speaker", "conversation", "prompt", "unit"), speakers),
    )


def _decisions(gold: Gold, judge: str, failing: float) -> Decisions:
    items, orders = len(gold.items), len(STANCE.orders)
    owed = Owed(
        protocol="both-orders",
        ids=tuple(f"{item} {order}" for item in gold.items for order in STANCE.orders),
        item=tuple(item for item in gold.items for _ in STANCE.orders),
        order=STANCE.orders * items,
    )
    # What is heard: the pole, a speaker's manner, a clip's moment, and the pole that was named first.
    pole = np.where(gold.positive, 0.5, -0.5)
    manner = 3 * _uniform(f"{judge} manner", SPEAKERS) - 1.5
    moment = 2 * _uniform(f"{judge} moment", items) - 1
    swayed = np.tile([0.25, -0.25], items) * np.repeat(_uniform(f"{judge} sway", items), orders)
    heard = np.repeat((pole + manner)[gold.unit] + moment, orders) + swayed
    failed = _uniform(f"{judge} failure", items * orders) < failing
    skipped = np.repeat((_uniform(f"{judge} skips", SPEAKERS) < SKIPPING)[gold.unit], orders)
    silent = failed | skipped
    return Decisions(
        owed=owed,
        presentation=np.arange(items * orders, dtype=np.int64),
        run=np.zeros(items * orders, np.int64),
        outcome=np.select([skipped, failed], [Outcome.MISSING, Outcome.UNPARSABLE], Outcome.OK).astype(np.int64),
        choice=np.where(silent, -1, (heard < 0).astype(np.int64)),
        probability=np.where(silent, np.nan, np.round(0.5 + np.minimum(np.abs(heard), 1) / 2, 2)),
        choices=STANCE.choices,
    )


def _uniform(what: str, count: int) -> Floats:
    """(count,) in [0, 1), by hash: no library's random numbers, so the same in every version."""
    return np.array([(rank(b"", SEED, what, str(n)) >> 11) / 2**53 for n in range(count)])
