"""The slow, obviously right twin of the figures of pairs: exact fractions over lists, in the words of the definitions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction

from tests.scoring.pairs.studies import Said, Study, right_letter

Value = Fraction | None
Values = dict[tuple[str, str, str], Value]


def mean(values: Iterable[Fraction | int | bool | None]) -> Value:
    """The mean; None of nothing, or where one is None."""
    every = list(values)
    if not every or None in every:
        return None
    return sum((Fraction(value) for value in every if value is not None), Fraction(0)) / len(every)


def less(one: Value, other: Value) -> Value:
    return None if one is None or other is None else one - other


def over(one: Value, other: Value) -> Value:
    return None if one is None or not other else one / other


def decision(said: Said) -> str | None:
    """Which clip, or neither; None where nothing valid was said."""
    if said.choice in ("Tie", "-"):
        return {"Tie": "tie", "-": None}[said.choice]
    return "first" if (said.choice == "A") == (said.order == "12") else "second"


class OnePair:
    """What was said of one pair."""

    def __init__(self, number: int, study: Study) -> None:
        self.pair = study.pairs[number]
        rows = [said for said in study.said if said.pair == number]
        self.rows = {order: [said for said in rows if said.order == order] for order in ("12", "21")}
        self.runs = {said.run for said in rows}
        if not all(self.rows.values()):
            self.runs |= {0}  # a missing presentation is missing in run 0
        self.at = {"a": "21" if self.pair.gold == "second" else "12"}
        self.at["b"] = "12" if self.at["a"] == "21" else "21"

    def share(self, order: str, holds: Sequence[bool]) -> Fraction:
        return Fraction(sum(holds), len(holds)) if holds else Fraction(0)

    def right(self, order: str) -> Fraction:
        return self.share(order, [decision(said) == self.pair.gold for said in self.rows[order]])

    def said(self, letter: str) -> Fraction:
        return (
            sum((self.share(o, [s.choice == letter for s in rows]) for o, rows in self.rows.items()), Fraction(0)) / 2
        )

    def by_run(self, holds: str) -> Fraction:
        count = 0
        for run in self.runs:
            rows = [said for each in self.rows.values() for said in each if said.run == run]
            decisions, letters = {decision(said) for said in rows}, {said.choice for said in rows}
            if len(rows) == 2:
                count += {
                    "alike": len(decisions) == 1 and None not in decisions,
                    "right": decisions == {self.pair.gold},
                    "stuck": letters in ({"A"}, {"B"}),
                }[holds]
        return Fraction(count, len(self.runs))

    def vote(self, orders: Sequence[str], equal: str | None) -> str | None:
        counts = Counter(d for o in orders for said in self.rows[o] if (d := decision(said)) is not None)
        leaders = [which for which, count in counts.items() if count == max(counts.values())]
        return leaders[0] if len(leaders) == 1 else equal if leaders else None

    def failed(self) -> Fraction:
        return Fraction(sum(not rows or any(s.choice == "-" for s in rows) for rows in self.rows.values()), 2)


def expected(study: Study) -> Values:
    """Every figure by metric, facet and slice."""
    every = [OnePair(n, study) for n in range(len(study.pairs))]
    values: Values = {}
    for facet in {pair.facet for pair in study.pairs}:
        here = [one for one in every if one.pair.facet == facet]
        for metric, value in whole(here).items():
            values[metric, facet, "all"] = value
        for name in ("variant", "sex", "speakers"):
            for label in {getattr(one.pair, name) for one in here}:
                chosen = [one for one in here if getattr(one.pair, name) == label]
                found = whole(chosen)
                for metric in SLICED:
                    values[metric, facet, f"{name}:{label or 'undisclosed'}"] = found[metric]
    criteria = [one for one in every if one.pair.facet != "control"]
    for metric, name in {(metric, name) for metric, facet, name in values if facet != "control"}:
        found = [v for (m, f, n), v in values.items() if (m, n) == (metric, name) and f != "control" and v is not None]
        values[metric, "overall", name] = mean(found)
    values.pop(("tie_precision", "overall", "all"), None)  # undefined where a criterion with ties is never called Tie
    values["accuracy_micro", "overall", "all"] = mean(accuracy(one) for one in criteria)
    values["failure_rate", "overall", "all"] = mean(one.failed() for one in every)
    return {
        place: value
        for place, value in values.items()
        if place[1] != "overall" or place[0] != "failure_rate" or place[2] == "all"
    }


SLICED = (
    "accuracy",
    "accuracy_non_tie",
    "accuracy_tie",
    "accuracy_a",
    "accuracy_b",
    "position_gap",
    "position_gap_non_tie",
    "consistency",
    "failure_rate",
)


def accuracy(one: OnePair) -> Fraction:
    return (one.right("12") + one.right("21")) / 2


def whole(here: list[OnePair]) -> dict[str, Value]:
    """Every figure of some pairs."""
    ties = [one for one in here if one.pair.kind != "non_tie"]
    sure = [one for one in here if one.pair.kind == "non_tie"]

    def of(pairs: Iterable[OnePair], **asked: str) -> Value:
        return mean(accuracy(one) for one in pairs if all(getattr(one.pair, k) == v for k, v in asked.items()))

    def at(pairs: Iterable[OnePair], condition: str) -> Value:
        return mean(one.right(one.at[condition]) for one in pairs)

    hits = sum((one.said("Tie") for one in ties), Fraction(0))
    called = sum((one.said("Tie") for one in here), Fraction(0))
    recalls = [value for value in (at(sure, "a"), at(sure, "b"), of(ties)) if value is not None]
    found = {
        "accuracy": of(here),
        "accuracy_a": at(here, "a"),
        "accuracy_b": at(here, "b"),
        "position_gap": less(at(here, "a"), at(here, "b")),
        "position_gap_non_tie": less(at(sure, "a"), at(sure, "b")),
        "accuracy_non_tie": of(sure),
        "accuracy_tie": of(ties),
        "accuracy_both_good": of(here, kind="both_good"),
        "accuracy_both_bad": of(here, kind="both_bad"),
        "kind_gap": less(of(sure), of(ties)),
        "consistency": mean(one.by_run("alike") for one in here),
        "consistent_accuracy": mean(one.by_run("right") for one in here),
        "letter_stickiness": mean(one.by_run("stuck") for one in here),
        "tie_share_a": mean(one.said("A") for one in ties),
        "tie_share_b": mean(one.said("B") for one in ties),
        "tie_precision": over(hits, called) if ties else None,
        "tie_recall": of(ties),
        "tie_f1": over(2 * hits, called + len(ties)) if ties else None,
        "class_balanced_accuracy": mean(recalls),
        "vote_accuracy": mean(one.vote(("12", "21"), None) == one.pair.gold for one in here),
        "vote_accuracy_equal_is_tie": mean(one.vote(("12", "21"), "tie") == one.pair.gold for one in here),
        "vote_accuracy_by_order": mean(one.vote((o,), None) == one.pair.gold for one in here for o in ("12", "21")),
        "failure_rate": mean(one.failed() for one in here),
    }
    for suffix, pairs in (("", here), ("_non_tie", sure), ("_tie", ties)):
        same, cross = of(pairs, transcript="same"), of(pairs, transcript="cross")
        found |= {f"accuracy{suffix}_same": same, f"accuracy{suffix}_cross": cross}
        found[f"transcript_gap{suffix}"] = less(same, cross)
    return found


def letters(study: Study) -> tuple[list[str], list[str]]:
    """What is right and what was said of every presentation in its one run, for outside implementations."""
    right, said = [], []
    for row in study.said:
        right.append(right_letter(study.pairs[row.pair], row.order))
        said.append(row.choice)
    return right, said


def swapped(study: Study, *, stored: bool) -> Study:
    """A and B exchanged in every presentation and in what was said: every pair is stored, or else shown, the other way round."""
    letter = {"A": "B", "B": "A", "Tie": "Tie", "-": "-"}
    order = {"12": "12", "21": "21"} if stored else {"12": "21", "21": "12"}
    said = [Said(s.pair, order[s.order], s.run, letter[s.choice], s.outcome) for s in study.said]
    return Study(tuple(pair.swapped() if stored else pair for pair in study.pairs), tuple(said), study.measures)
