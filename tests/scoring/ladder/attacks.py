"""Strangers who hear nothing and want a good mark: attacks on a host that answers every file with a number.

Every host here goes through the functions that mark files; only what a file gets is made up. Questions have two answers, or come
in twos that count together, as the turns of a dialogue do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from earmark.scoring.ladder.credit import Credits
from earmark.scoring.ladder.rule import Standing, advanced, start

Answers = NDArray[np.int64]
Host = Callable[[Answers, str], float | None]
"""What a file of a submitter is answered with."""


@dataclass(frozen=True, eq=False)
class Bench:
    """Hidden answers to questions of two choices.

    Args:
        gold: (questions,) 0 or 1.
        together: How many questions in a row make a unit, which counts where all of them are right.
    """

    gold: Answers
    together: int = 1

    @classmethod
    def of(cls, units: int, random: np.random.Generator, together: int = 1) -> Bench:
        """Answers by a coin."""
        return cls(random.integers(0, 2, units * together), together)

    @property
    def chance(self) -> float:
        """What a guesser gets on average."""
        return 0.5**self.together

    @property
    def units(self) -> int:
        """What the headline is over."""
        return len(self.gold) // self.together

    @property
    def noise(self) -> float:
        """Standard deviation of what a guesser gets."""
        return float(np.sqrt(self.chance * (1 - self.chance) / self.units))

    def credits(self, file: Answers) -> Credits:
        """What a file gets."""
        right = (file == self.gold).reshape(-1, self.together).all(axis=1).astype(np.float64)
        n = len(right)
        return Credits(tuple(map(str, range(n))), np.full(n, 1 / n), right, np.full(n, self.chance))

    def mark(self, file: Answers) -> float:
        """The headline."""
        return self.credits(file).headline


def plain(bench: Bench) -> Host:
    """A host that says the score of every file."""
    return lambda file, _: bench.mark(file)


def rounded(bench: Bench) -> Host:
    """One that says it in percent."""
    return lambda file, _: round(bench.mark(file), 2)


@dataclass(eq=False)
class Laddered:
    """One that has a ladder for each submitter."""

    bench: Bench
    advance: Callable[[Standing, Credits, int], Standing] = advanced
    standing: dict[str, Standing] = field(default_factory=dict)
    tries: Counter[str] = field(default_factory=Counter)

    def __call__(self, file: Answers, submitter: str) -> float | None:
        credits = self.bench.credits(file)
        self.tries[submitter] += 1
        before = self.standing.get(submitter, start(credits))
        self.standing[submitter] = self.advance(before, credits, self.tries[submitter])
        return self.standing[submitter].score


def without_floor(before: Standing, file: Credits, tries: int) -> Standing:
    """The published rule, which asks no least step, of a first file as of the last."""
    del tries
    difference = file.credit - before.credit
    base = float(file.weight @ file.chance) if before.score is None else before.score
    if file.headline > base + difference.std() / np.sqrt(len(difference)):
        return Standing(round(file.headline * len(difference)) / len(difference), file.credit)
    return before


def vote(
    host: Host, questions: int, files: int, random: np.random.Generator, chance: float, *, names: bool = False
) -> Answers:
    """Random files; those that seem better than chance vote for their answers, those that seem worse against them.

    Args:
        host: What answers.
        questions: How many there are.
        files: How many files are sent.
        random: Where files are from.
        chance: What a guesser gets.
        names: Whether every file comes under a name of its own.

    Returns:
        The file that is voted for.
    """
    votes, told = np.zeros(questions), dict[str, float]()
    for n in range(files):
        submitter = f"s{n}" if names else "s"
        file = random.integers(0, 2, questions)
        before = told.get(submitter)
        score = host(file, submitter)
        if score is not None and score != before:  # of this file: a ladder says the best score again where it is not
            told[submitter] = score
            votes += np.sign(score - chance) * (2 * file - 1)
        elif score is not None and not isinstance(host, Laddered):
            votes += np.sign(score - chance) * (2 * file - 1)
    drawn = random.integers(0, 2, questions)
    return np.where(votes > 0, 1, np.where(votes < 0, 0, drawn)).astype(np.int64)


def walk(host: Host, questions: int, files: int, random: np.random.Generator, share: float) -> Answers:
    """A random file, then again and again the best one with a share of its answers turned round.

    Args:
        host: What answers.
        questions: How many there are.
        files: How many files are sent.
        random: Where files are from.
        share: Of the answers that are turned.
    """
    best, told = random.integers(0, 2, questions), None
    for _ in range(files):
        file = best.copy() if told is not None else random.integers(0, 2, questions)
        if told is not None:
            file[random.choice(questions, max(1, round(share * questions)), replace=False)] ^= 1
        score = host(file, "s")
        if score is not None and (told is None or score > told):
            best, told = file, score
    return best


def stroll(
    host: Host, start: Answers, files: int, random: np.random.Generator, share: float, *, names: bool = False
) -> Answers:
    """The same from a file that is good already, such as that of a judge who listens.

    Args:
        host: What answers.
        start: The file.
        files: How many files are sent.
        random: Which answers are turned.
        share: Of the answers that are.
        names: Whether every file comes under a name of its own.
    """
    best, told = start, host(start, "s")
    for n in range(files):
        file = best.copy()
        file[random.choice(len(file), max(1, round(share * len(file))), replace=False)] ^= 1
        score = host(file, f"s{n}" if names else "s")
        if score is not None and (told is None or score > told):
            best, told = file, score
    return best


def by_parts(
    bench: Bench, parts: int, host_of: Callable[[Bench], Host], files: int, random: np.random.Generator
) -> Answers:
    """The vote where the host says a score of every part of the questions, such as the subscales."""
    size = len(bench.gold) // parts
    places = [slice(n * size, (n + 1) * size) for n in range(parts)]
    found = bench.gold * 0
    for place in places:
        part = Bench(bench.gold[place], bench.together)
        found[place] = vote(host_of(part), size, files, random, part.chance)
    return found
