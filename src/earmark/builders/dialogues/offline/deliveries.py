"""How the lines of a dialogue are said: a resonant delivery by subscale and valence, and two failures that are heard against it.

The selected dissonant tone has pace, pitch and force all the other way. A delivery and its opposite are equally frequent over a
release, so the resonant option is as often the quicker, higher or louder one as not; which it is depends on what happens.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, permutations

from earmark.builders.dialogues.makers import Cell
from earmark.builders.dialogues.offline.draws import Draws
from earmark.builders.dialogues.offline.material import plots_of, tone_material
from earmark.builders.dialogues.records import TARGET_TURNS, Selection, TargetTones, Tone, Tones
from earmark.manifests.eqi import FAILURES, failure_of

_TURNED = 2
"""Of pace, pitch and force, how many the dissonant candidate that is not selected has the other way; the selected one has all."""

_SAID = (("quicker", "slower"), ("higher", "lower"), ("louder", "quieter"))


@dataclass(frozen=True)
class Target:
    """A target turn before its tones are put into words.

    Args:
        turn: 4 or 6.
        resonant: Delivery of the resonant candidate.
        dissonant: Failure and delivery of candidates 2 and 3.
        selected: Number of the dissonant candidate that is taken, 2 or 3.
    """

    turn: int
    resonant: str
    dissonant: tuple[tuple[str, str], tuple[str, str]]
    selected: int

    @property
    def failures(self) -> tuple[str, str]:
        """Slugs of the failures of candidates 2 and 3."""
        return self.dissonant[0][0], self.dissonant[1][0]


def draw_targets(cell: Cell, draws: Draws, *, apathetic: bool) -> tuple[Target, Target]:
    """Draw the deliveries of both target turns, and two failures that both turns share.

    Args:
        cell: What the dialogue must be.
        draws: Its draws.
        apathetic: Whether one of the failures may be the apathetic one, which is never the one that is taken.
    """
    choice = plots_of(cell.subscale).deliveries[cell.valence]
    before = draws.pick(range(len(choice)), "delivery")
    resonant = choice[before], choice[draws.pick(_followings(choice), "following")[before]]
    pairs = failure_pairs(resonant)
    seldom = [pair for pair in pairs if any(failure_of(slug).seldom for slug in pair)]
    plain = [pair for pair in pairs if pair not in seldom]
    pair = draws.pick(seldom if apathetic and seldom else plain, "failures")
    first, second = (_target(turn, name, pair, draws) for turn, name in zip(TARGET_TURNS, resonant, strict=True))
    return first, second


@lru_cache(maxsize=128)
def _followings(choice: tuple[str, ...]) -> tuple[tuple[int, ...], ...]:
    """The ways to put another delivery of a cell at turn 6 for each at turn 4 that have them least alike.

    Each delivery is as frequent at turn 6 as at turn 4. A cell's deliveries have much in common, since they suit one situation:
    were both drawn freely, the resonant option of a dialogue would be the lower one at both turns too often, and so a rule that
    is right half of the time at each turn would be right at both far more than a quarter of the time.
    """
    signs = [tone_material().deliveries[name].signs for name in choice]
    ways = list(permutations(range(len(choice))))
    alike = [sum(a == b for n, m in enumerate(way) for a, b in zip(signs[n], signs[m], strict=True)) for way in ways]
    return tuple(way for way, count in zip(ways, alike, strict=True) if count == min(alike))


@lru_cache(maxsize=128)
def failure_pairs(resonant: tuple[str, str]) -> tuple[tuple[str, str], ...]:
    """The pairs of failures that fit a dialogue.

    Args:
        resonant: Deliveries of turns 4 and 6.

    Returns:
        Pairs of which, at each turn, an active one is heard as the very opposite and the other one as another thing.
    """
    return tuple(
        (one.slug, other.slug)
        for one, other in combinations(FAILURES, 2)
        if all(_opposing((one.slug, other.slug), name) for name in resonant)
        and all(_apart(failure.slug, name) for failure in (one, other) for name in resonant)
    )


def tones_of(cell: Cell, targets: tuple[Target, Target], draws: Draws) -> Tones:
    """The tones of all lines."""
    material = tone_material()
    context = material.context[cell.valence]
    first, second, third, fifth = (
        Tone(instruction=draws.pick(wording.sentences(), f"tone {turn}"))
        for turn, wording in ((1, context.first), (2, context.second), (3, context.third), (5, context.fifth))
    )
    four, six = (_candidates(target, draws) for target in targets)
    return Tones(context=(first, second, third, fifth), targets=(four, six))


def selection_of(target: Target, intent: str) -> Selection:
    """Which candidates are taken, and why."""
    failure, delivery = target.dissonant[target.selected - 2]
    deliveries = tone_material().deliveries
    turned = [said[sign < 0] for said, sign in zip(_SAID, deliveries[delivery].signs, strict=True)]
    aim = intent.rstrip(".")
    return Selection(
        turn=target.turn,
        resonant=1,
        dissonant=target.selected,
        reasoning=(
            f"Candidate 1 serves the aim ({aim[0].lower()}{aim[1:]}); candidate {target.selected}, the "
            f"{failure_of(failure).name}, is {turned[0]}, {turned[1]} and {turned[2]} than it and so the farther one from it."
        ),
    )


def _target(turn: int, resonant: str, pair: tuple[str, str], draws: Draws) -> Target:
    taken = draws.pick(_opposing(pair, resonant), f"dissonant {turn}")
    opposite = tone_material().deliveries[resonant].opposite
    dissonant = [
        (slug, opposite if slug == taken else draws.pick(_apart(slug, resonant), f"delivery {turn} {slug}"))
        for slug in pair
    ]
    # Which of the two stands first tells nothing about which is taken.
    ordered = draws.pick((dissonant, dissonant[::-1]), f"order {turn}")
    selected = 2 if ordered[0][0] == taken else 3
    return Target(turn, resonant, (ordered[0], ordered[1]), selected)


def _candidates(target: Target, draws: Draws) -> TargetTones:
    material, turn = tone_material(), target.turn
    wordings = [
        (material.resonant(target.resonant), None),
        *((material.dissonant(slug, delivery), slug) for slug, delivery in target.dissonant),
    ]
    one, two, three = (
        Tone(instruction=draws.pick(sentences, f"tone {turn} {slug}"), failure=slug) for sentences, slug in wordings
    )
    return TargetTones(turn=turn, candidates=(one, two, three))


def _opposing(pair: tuple[str, str], resonant: str) -> tuple[str, ...]:
    """Those of a pair that can be heard, actively, as the opposite of a delivery."""
    material = tone_material()
    opposite = material.deliveries[resonant].opposite
    return tuple(slug for slug in pair if opposite in material.failures[slug] and not failure_of(slug).seldom)


def _apart(failure: str, resonant: str) -> tuple[str, ...]:
    """The deliveries of a failure that are away from a resonant one and not its opposite, which the selected one has."""
    material = tone_material()
    signs = material.deliveries[resonant].signs
    return tuple(
        name
        for name in material.failures[failure]
        if sum(a != b for a, b in zip(signs, material.deliveries[name].signs, strict=True)) == _TURNED
    )
