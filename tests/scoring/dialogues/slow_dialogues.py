"""The slow, obviously right twin of the figures of dialogues: exact fractions over lists, in the words of the definitions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import product
from math import comb

from tests.scoring.dialogues.studies import Said, Study
from tests.support.dialogue_releases import Presented, Spoken

from earmark.manifests.eqi import subscale_of

Value = Fraction | None
Values = dict[tuple[str, str, str], Value]
ZERO = Fraction(0)


def mean(values: Iterable[Fraction | int | bool]) -> Value:
    every = [Fraction(value) for value in values]
    return sum(every, ZERO) / len(every) if every else None


def sure(values: Iterable[Fraction | int | bool]) -> Fraction:
    """A mean that is 0 of nothing."""
    return mean(values) or ZERO


def less(one: Value, other: Value) -> Value:
    return None if one is None or other is None else one - other


def over(one: Fraction, other: Fraction) -> Value:
    return one / other if other else None


def option(each: Presented, said: Said) -> str | None:
    """Which option was chosen; None where nothing valid was said."""
    return None if said.choice == "-" else "first" if (said.choice == "1") == (each.order == "12") else "second"


class OneDialogue:
    """What was said of one dialogue."""

    def __init__(self, number: int, study: Study) -> None:
        self.study, self.dialogue = study, study.dialogues[number]
        self.asked = [
            [each for each in study.presented if (each.dialogue, each.turn) == (number, turn)] for turn in (0, 1)
        ]
        self.said = {each.id: [said for said in study.said if said.id == each.id] for each in study.presented}

    def chosen(self, each: Presented) -> list[str | None]:
        """What was decided of a presentation, run by run; a missing one decided nothing once."""
        return [option(each, said) for said in self.said[each.id]] or [None]

    def right(self, turn: int) -> Fraction:
        return sure(
            sure(chosen == self.dialogue.gold[turn] for chosen in self.chosen(each)) for each in self.asked[turn]
        )

    def valid(self, turn: int) -> Fraction:
        return sure(sure(chosen is not None for chosen in self.chosen(each)) for each in self.asked[turn])

    def said_one(self, turn: int) -> Fraction:
        return sure(sure(said.choice == "1" for said in self.said[each.id]) for each in self.asked[turn])

    def vote(self, turn: int) -> bool:
        """Whether less than half of all answers are wrong."""
        answers = [chosen == self.dialogue.gold[turn] for each in self.asked[turn] for chosen in self.chosen(each)]
        return 2 * answers.count(False) < len(answers)

    def vote_chance(self, turn: int) -> Fraction:
        many = sum(len(self.chosen(each)) for each in self.asked[turn])
        return Fraction(sum(comb(many, heads) for heads in range(many + 1) if 2 * heads > many), 2**many)

    def swap(self, turn: int) -> Value:
        """The share of pairs of valid answers in different orders that decide alike."""
        by_order = {
            order: [c for each in self.asked[turn] if each.order == order for c in self.chosen(each) if c is not None]
            for order in ("12", "21")
        }
        return mean(one == other for one, other in product(by_order["12"], by_order["21"]))

    def less_of(self, turn: int, *measures: str) -> str | None:
        """The option that has less of the first measure that both have."""
        for measure in measures:
            one, other = (getattr(each, measure) for each in self.dialogue.options[turn])
            if one is not None and other is not None:
                return None if one == other else "first" if one < other else "second"
        return None

    def pull(self, turn: int, which: str | None) -> tuple[Fraction, Fraction]:
        """By how much an option is chosen more than it is right, and how many valid answers there were; 0 of no option."""
        if which is None:
            return ZERO, ZERO
        chose = sure(sure(chosen == which for chosen in self.chosen(each)) for each in self.asked[turn])
        return chose - self.valid(turn) * (which == self.dialogue.gold[turn]), self.valid(turn)

    def failed(self) -> Fraction:
        return sure(None in self.chosen(each) for turn in self.asked for each in turn)

    def paths(self) -> tuple[Fraction, Fraction, Fraction, Fraction]:
        """Shares of trajectories: right twice; right, wrong before; and right after wrong."""
        found = [self.linked(each) for each in self.asked[1] if each.after] or [self.unlinked()]
        shares = [sure(share) for share in zip(*found, strict=True)]
        return shares[0], shares[1], shares[2], shares[3]

    def linked(self, then: Presented) -> tuple[Fraction, ...]:
        """The shares of one presentation of turn 6 with the presentation of turn 4 that it follows on."""
        [before] = [each for each in self.asked[0] if each.id == then.after]
        first = {said.run: option(before, said) for said in self.said[before.id]}
        second = {said.run: option(then, said) for said in self.said[then.id]}
        rows = []
        for run in first.keys() | second.keys():
            right = first.get(run) == self.dialogue.gold[0]
            wrong = not right and first.get(run) is not None
            rows.append((right, wrong, second.get(run) == self.dialogue.gold[1]))
        return tuple(
            sure(holds(*row) for row in rows)
            for holds in (
                lambda right, _, then: right and then,
                lambda right, *_: right,
                lambda _, wrong, __: wrong,
                lambda _, wrong, then: wrong and then,
            )
        )

    def unlinked(self) -> tuple[Fraction, ...]:
        """Every answer to turn 4 with every answer to turn 6 of the run; what has no answer in any run is wrong in all."""
        runs = {said.run for turn in self.asked for each in turn for said in self.said[each.id]}
        found = []
        for run in runs:
            answers: list[list[str | None]] = [[], []]
            for turn in (0, 1):
                for each in self.asked[turn]:
                    given = [option(each, said) for said in self.said[each.id] if said.run == run]
                    answers[turn] += given if self.said[each.id] else [None]
            pairs = list(product(*answers))
            right = [first == self.dialogue.gold[0] for first in answers[0]]
            wrong = [first not in (None, self.dialogue.gold[0]) for first in answers[0]]
            both = [p == self.dialogue.gold for p in pairs]
            after_wrong = [p[0] not in (None, self.dialogue.gold[0]) and p[1] == self.dialogue.gold[1] for p in pairs]
            found.append((sure(both), sure(right), sure(wrong), sure(after_wrong)))
        return tuple(sure(shares) for shares in zip(*found, strict=True)) if found else (ZERO,) * 4


def expected(study: Study) -> Values:
    """Every figure by metric, facet and slice."""
    every = [OneDialogue(n, study) for n in range(len(study.dialogues))]
    values: Values = {}
    for facet in {dialogue.facet for dialogue in study.dialogues}:
        here = [one for one in every if one.dialogue.facet == facet]
        values |= {(metric, facet, "all"): value for metric, value in whole(here).items()}
    values |= {(metric, "overall", "all"): value for metric, value in whole(every).items()}
    for label, of in (
        ("composite", lambda dialogue: subscale_of(dialogue.facet).composite.slug),
        ("valence", lambda dialogue: dialogue.valence),
        ("scenario_type", lambda dialogue: dialogue.scenario_type),
    ):
        for name in {of(dialogue) for dialogue in study.dialogues} - {None}:
            found = whole([one for one in every if of(one.dialogue) == name])
            for metric in SLICED:
                values[metric, "overall", f"{label}:{name}"] = found[metric]
    for name in {name for dialogue in study.dialogues for name in dialogue.failure} - {None}:
        items = [(one, turn) for one in every for turn in (0, 1) if one.dialogue.failure[turn] == name]
        values["acc_all", "overall", f"failure:{name}"] = mean(one.right(turn) for one, turn in items)
    return values


SLICED = ("acc_traj", "acc_1", "acc_2", "acc_all", "context_loss", "failure_rate")


def whole(here: Sequence[OneDialogue]) -> dict[str, Value]:
    """Every figure of some dialogues."""
    one, two = mean(each.right(0) for each in here), mean(each.right(1) for each in here)
    paths = [sum(column, ZERO) for column in zip(*(each.paths() for each in here), strict=True)]
    given_right, given_wrong = over(paths[0], paths[1]), over(paths[3], paths[2])
    swaps = [[each.swap(turn) for each in here] for turn in (0, 1)]
    found = {
        "acc_traj": paths[0] / len(here),
        "acc_1": one,
        "acc_2": two,
        "acc_all": mean((each.right(0) + each.right(1)) / 2 for each in here),
        "acc_traj_vote": mean(each.vote(0) and each.vote(1) for each in here),
        "acc_1_vote": mean(each.vote(0) for each in here),
        "acc_2_vote": mean(each.vote(1) for each in here),
        "acc_all_vote": mean(each.vote(turn) for each in here for turn in (0, 1)),
        "swap_consistency": mean(value for turn in swaps for value in turn if value is not None),
        "swap_consistency_1": mean(value for value in swaps[0] if value is not None),
        "swap_consistency_2": mean(value for value in swaps[1] if value is not None),
        "swap_coverage": mean(value is not None for turn in swaps for value in turn),
        "position_share": over(
            sum((each.said_one(turn) for each in here for turn in (0, 1)), ZERO),
            sum((each.valid(turn) for each in here for turn in (0, 1)), ZERO),
        ),
        "context_loss": less(one, two),
        "acc_2_given_right": given_right,
        "acc_2_given_wrong": given_wrong,
        "history_gap": less(given_right, given_wrong),
        "failure_rate": mean(each.failed() for each in here),
    }
    for metric, measures in (("flattening", ("arousal",)), ("flattening_level", ("loudness", "level"))):
        pulls = [each.pull(turn, each.less_of(turn, *measures)) for each in here for turn in (0, 1)]
        found[metric] = over(sum((pull for pull, _ in pulls), ZERO), sum((valid for _, valid in pulls), ZERO))
    return found


def chances(here: Sequence[OneDialogue]) -> dict[str, Fraction]:
    """What votes of a guesser that answered as often give."""
    return {
        "acc_traj_vote": sure(each.vote_chance(0) * each.vote_chance(1) for each in here),
        "acc_1_vote": sure(each.vote_chance(0) for each in here),
        "acc_2_vote": sure(each.vote_chance(1) for each in here),
        "acc_all_vote": sure((each.vote_chance(0) + each.vote_chance(1)) / 2 for each in here),
    }


def swapped(study: Study, *, stored: bool) -> Study:
    """1 and 2 exchanged in everything that was said: every dialogue is stored, or else shown, the other way round.

    Presentations keep their ids where options are stored the other way round; else each answer goes to the one of the same
    dialogue that is in the other order, and after the one in the other order.
    """
    number = {"1": "2", "2": "1", "-": "-"}
    if stored:
        dialogues: tuple[Spoken, ...] = tuple(each.stored_otherwise() for each in study.dialogues)
        said = tuple(Said(s.id, s.run, number[s.choice], s.outcome) for s in study.said)
        return Study(dialogues, study.chain, said, study.modality)
    by_id = {each.id: each for each in study.presented}
    other = {"12": "21", "21": "12"}

    def twin(each: Presented) -> str:
        after = None if each.after is None else twin(by_id[each.after])
        [found] = [
            one.id
            for one in study.presented
            if (one.dialogue, one.turn, one.order, one.after) == (each.dialogue, each.turn, other[each.order], after)
        ]
        return found

    said = tuple(Said(twin(by_id[s.id]), s.run, number[s.choice], s.outcome) for s in study.said)
    return Study(study.dialogues, study.chain, said, study.modality)
