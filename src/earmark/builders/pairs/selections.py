"""Which pairs may be asked about a target: one class of pairs per criterion, target, kind and the rules in force.

A selection is two sets of clips and what must be equal or differ between them. What `satisfies` says of a clip decides on which
side it stands; the rules decide which clips stand on any (reference: ParaPairAudioBench, section 3.2 and 3.3).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from earmark.builders.pairing.cells import Selection
from earmark.builders.pairing.pool import Bools, Codes
from earmark.builders.pairs.columns import ABSENT, Columns, Labels
from earmark.manifests.criteria import LABEL_OF, satisfies
from earmark.manifests.families.pairs import BOTH_GOOD, NON_TIE, SAME
from earmark.manifests.families.pairs_recipe import HARD, Criterion, Rules
from earmark.manifests.pairing import ADULT, AGE_GROUPS, BORDER_YEARS, CHILD_MOST, ELDER_LEAST, PACES, SEXES

DEFAULT_STYLE = "default"
"""The style of a speaker who was asked for none; no target, since "speak in the default style" is no instruction."""


@dataclass(frozen=True)
class Stratum:
    """What the two speakers of a pair are.

    Args:
        speakers: "same", "different" or "any".
        sex: "female", "male", "mixed", "either" or "any".
    """

    speakers: str = "any"
    sex: str = "any"


@dataclass(frozen=True, eq=False)
class Selector:
    """The selections of one block of quotas.

    Args:
        criterion: What is asked about.
        variant: "hard" for age pairs of near groups.
        rules: The rules in force.
        columns: The utterances.
        pool: (n,) which of them the block may use.
    """

    criterion: Criterion
    variant: str
    rules: Rules
    columns: Columns
    pool: Bools
    _answered: dict[str, tuple[Bools, Bools]] = field(default_factory=dict, init=False)

    def targets(self) -> tuple[str, ...]:
        """Every target that the pool has, in the order in which they are spoken of; words ascending."""
        labels = self._labels
        here = {labels[i] for i in np.flatnonzero(self.pool)} - {None}
        match self.criterion:
            case "style":
                return tuple(sorted(here - {DEFAULT_STYLE}))
            case "rate":
                return tuple(pace for pace in PACES if pace in here)
            case "age":
                return tuple(group for group in AGE_GROUPS if group in here)
            case "gender":
                return tuple(sex for sex in SEXES if sex in here)
            case "emphasis":
                return tuple(sorted(self._words))

    def has(self, target: str) -> bool:
        """Whether any clip of the pool satisfies a target."""
        return bool(self._satisfying(target).any())

    def selections(
        self,
        target: str,
        kind: str,
        transcript: str,
        stratum: Stratum,
        *,
        foil: str | None = None,
        targets: frozenset[str],
    ) -> Iterator[Selection]:
        """The pairs of a target, kind, transcript and stratum.

        Args:
            target: What is asked for.
            kind: How many clips satisfy it.
            transcript: Whether their texts are equal.
            stratum: What their speakers are.
            foil: Of style, whether the foil is in the "default" style or in one of the "other" targets.
            targets: All targets of the block.
        """
        columns = self.columns
        for left, right in self._sides(target, kind, foil, targets):
            equal: list[Codes] = [columns.text] if transcript == SAME else []
            differ: list[Codes] = [] if transcript == SAME else [columns.text]
            if stratum.speakers != "any":
                (equal if stratum.speakers == "same" else differ).append(columns.speaker)
            if self.rules.one_corpus:
                equal.append(columns.corpus)
            one = left is right
            if stratum.sex in SEXES:
                of_sex = columns.sex == SEXES.index(stratum.sex)
                left = left & of_sex
                right = left if one else right & of_sex
            elif stratum.sex != "any":
                known = columns.sex != ABSENT
                left = left & known
                right = left if one else right & known
                (differ if stratum.sex == "mixed" else equal).append(columns.sex)
            yield Selection(target, left, right, tuple(equal), tuple(differ))

    def _sides(
        self, target: str, kind: str, foil: str | None, targets: frozenset[str]
    ) -> Iterator[tuple[Bools, Bools]]:
        """The clips of either side; the very same array where the sides are the same."""
        good, bad = self._satisfying(target), self._failing(target)
        if kind == BOTH_GOOD:
            yield good, good
        elif self.criterion == "age":
            yield from self._age_sides(target, kind, good)
        elif kind == NON_TIE:
            yield good, bad & self._foils(foil, targets) if foil is not None else bad
        else:
            yield bad, bad

    def _age_sides(self, target: str, kind: str, good: Bools) -> Iterator[tuple[Bools, Bools]]:
        distance = np.abs(self.columns.age_group - AGE_GROUPS.index(target))
        near = self.rules.min_group_distance
        far = (distance < near) if self.variant == "hard" else (distance >= near)
        bad = self.pool & (self.columns.age_group != ABSENT) & (distance > 0) & far
        if kind == NON_TIE:
            yield good, bad
        elif self.rules.both_bad_equal_distance:
            for d in range(1, len(AGE_GROUPS)):
                both = bad & (distance == d)
                yield both, both
        else:
            yield bad, bad

    def _foils(self, foil: str, targets: frozenset[str]) -> Bools:
        wanted = {DEFAULT_STYLE} if foil == DEFAULT_STYLE else targets
        return np.array([label in wanted for label in self._labels], dtype=np.bool_)

    @cached_property
    def _labels(self) -> Labels:
        """(n,) what each clip's corpus says of it in this criterion; words have no such column."""
        column = LABEL_OF.get(self.criterion)
        return np.full(len(self.columns), None) if column is None else self.columns.labels(column)

    @cached_property
    def _labelled(self) -> Bools:
        return np.array([label is not None for label in self._labels], dtype=np.bool_)

    def _satisfying(self, target: str) -> Bools:
        return self._answers(target)[0]

    def _failing(self, target: str) -> Bools:
        """Clips that do not satisfy a target; of words, those that have it in them and emphasise another one."""
        return self._answers(target)[1]

    def _answers(self, target: str) -> tuple[Bools, Bools]:
        """(n,) and (n,): which clips satisfy a target, and which do not; those of which it cannot be said are in neither."""
        known = self._answered.get(target)
        if known is None:
            known = self._answered[target] = self._answer(target)
        return known

    def _answer(self, target: str) -> tuple[Bools, Bools]:
        if self.criterion != "emphasis":
            good = self.pool & (self._labels == target)
            return good, self.pool & ~good & self._labelled
        good, bad = np.zeros((2, len(self.columns)), dtype=np.bool_)
        for i in self._holders.get(target, ()):
            satisfied = satisfies(self.columns.rows[i], self.criterion, target)
            good[i], bad[i] = satisfied is True, satisfied is False
        return good, bad

    @cached_property
    def _words(self) -> frozenset[str]:
        """Every word that is marked alone somewhere in the pool."""
        marked = (phrase for i in np.flatnonzero(self.pool) for phrase in self.columns.marked[i])
        return frozenset(phrase for phrase in marked if " " not in phrase)

    @cached_property
    def _holders(self) -> dict[str, list[int]]:
        """For each such word, the clips of the pool that can be asked about it."""
        holders: dict[str, list[int]] = {word: [] for word in self._words}
        for i in np.flatnonzero(self.pool):
            marked = self.columns.marked[i]
            if not marked or (self.rules.single_mark and len(marked) > 1):
                continue
            for word, times in Counter(self.columns.words[i]).items():
                if word in holders and (times == 1 or not self.rules.single_occurrence):
                    holders[word].append(int(i))
        return holders


def block_pool(
    columns: Columns,
    criterion: Criterion,
    variant: str,
    rules: Rules,
    *,
    corpora: tuple[str, ...],
    substyles: tuple[str, ...] | None,
) -> Bools:
    """Which utterances a block may use at all.

    Args:
        columns: The utterances.
        criterion: What is asked about.
        variant: "hard" keeps all ages.
        rules: The rules in force.
        corpora: Names of corpora.
        substyles: Sub-styles; None for all, and of style for those named as the style is.

    Returns:
        (n,) whether each may be used.
    """
    pool = np.isin(columns.labels("corpus").astype(str), corpora)
    substyle = columns.labels("substyle")
    if substyles is not None:
        pool &= np.array([label in substyles for label in substyle], dtype=np.bool_)
    elif criterion == "style":
        pool &= np.array(
            [a is not None and a == b for a, b in zip(columns.labels("style"), substyle, strict=True)], dtype=np.bool_
        )
    pool &= columns.text != ABSENT
    ages, groups = columns.age, columns.age_group
    if criterion in rules.adults_only:
        pool &= ~((ages != ABSENT) & (ages < ADULT)) & (groups != 0)
    if criterion == "age":
        pool &= groups != ABSENT
        if rules.drop_border_years:
            pool &= ~np.isin(ages, sorted(BORDER_YEARS))
        if variant != HARD and rules.clear_ages:
            known, oldest = ages != ABSENT, groups == len(AGE_GROUPS) - 1
            pool &= ~(known & (groups == 0) & (ages > CHILD_MOST)) & ~(known & oldest & (ages < ELDER_LEAST))
    return np.asarray(pool, dtype=np.bool_)
