"""What strangers who hear nothing can make of the numbers that a host gives out."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
import pytest
from tests.docs.reading import DOCS, ROOT
from tests.scoring.ladder.attacks import (
    Bench,
    Host,
    Laddered,
    by_parts,
    plain,
    rounded,
    stroll,
    vote,
    walk,
    without_floor,
)

HOSTS: dict[str, Callable[[Bench], Host]] = {
    "every score": plain,
    "every score, in percent": rounded,
    "ladder as published": partial(Laddered, advance=without_floor),
    "ladder here": Laddered,
}
SIZES = ((2265, 1), (570, 2))
FILES = (100, 400, 1000)
SHARES = (0.001, 0.02, 0.1, 0.3)
Make = Callable[[Bench, np.random.Generator], np.ndarray]


def marks(make: Make, units: int, together: int, seeds: int) -> np.ndarray:
    """What the file that an attack ends with gets, seed by seed."""
    found = []
    for seed in range(seeds):
        random = np.random.default_rng([seed, units])
        bench = Bench.of(units, random, together)
        found.append(bench.mark(make(bench, random)))
    return np.array(found)


def voting(host: Callable[[Bench], Host], files: int, *, names: bool = False) -> Make:
    return lambda bench, random: vote(host(bench), len(bench.gold), files, random, bench.chance, names=names)


def walking(host: Callable[[Bench], Host], files: int, share: float) -> Make:
    return lambda bench, random: walk(host(bench), len(bench.gold), files, random, share)


def strolling(host: Callable[[Bench], Host], files: int, *, names: bool = False, share: float = 0.005) -> Make:
    """From a judge that is right seven times in ten."""

    def make(bench: Bench, random: np.random.Generator) -> np.ndarray:
        judge = bench.gold ^ (random.random(len(bench.gold)) < 0.3)
        return stroll(host(bench), judge, files, random, share, names=names)

    return make


def luckiest(units: int, together: int) -> float:
    """What the luckiest of a thousand guessers gets, but for one time in a hundred thousand tries of a guess."""
    bench = Bench(np.zeros(units * together, np.int64), together)
    return bench.chance + 4.3 * bench.noise


@pytest.mark.parametrize(("units", "together"), SIZES)
def test_a_thousand_random_files_vote_within_noise_of_chance(units: int, together: int) -> None:
    found = marks(voting(Laddered, 1000), units, together, seeds=2)
    bench = Bench(np.zeros(units * together, np.int64), together)
    assert (np.abs(found - bench.chance) < 3 * bench.noise).all()
    told = marks(voting(rounded, 200), units, together, seeds=1)  # the attack is a good one: fewer files, less told
    assert told[0] > luckiest(units, together)


def test_whoever_turns_a_few_answers_at_a_time_climbs_the_published_rule_and_not_this_one() -> None:
    published = marks(strolling(partial(Laddered, advance=without_floor), 400, share=0.003), 600, 1, seeds=1)
    ours = marks(strolling(Laddered, 400, share=0.003), 600, 1, seeds=1)
    judge = marks(strolling(Laddered, 0), 600, 1, seeds=1)
    assert published[0] > judge[0] + 0.05
    assert ours[0] == judge[0]


def test_nor_does_a_new_name_for_every_guess_help() -> None:
    assert marks(voting(Laddered, 400, names=True), 2265, 1, seeds=1)[0] < luckiest(2265, 1)


def table() -> list[list[str]]:
    """The table of the documentation."""
    rows = []
    for units, together in SIZES:
        what = f"{units:,} questions" if together == 1 else f"{units:,} dialogues"
        for name, host in HOSTS.items():
            voted = [marks(voting(host, files), units, together, 10).mean() for files in FILES]
            walked = max(marks(walking(host, 1000, share), units, together, 10).mean() for share in SHARES)
            rows.append([what, name, *(f"{mark:.2f}" for mark in (*voted, walked))])
    for title, make in (
        (
            "15 scores of 151 questions each",
            lambda host, files: lambda bench, random: by_parts(bench, 15, host, files, random),
        ),
        ("guesses, each under a new name", lambda host, files: voting(host, files, names=True)),
        ("a judge of 0.70 that turns answers", strolling),
        ("the same, each file under a new name", lambda host, files: strolling(host, files, names=True)),
    ):
        for name in ("every score", "ladder here"):
            found = [f"{marks(make(HOSTS[name], files), 2265, 1, 10).mean():.2f}" for files in FILES]
            rows.append([title, name, *found, "–"])
    return rows


@pytest.mark.slow
def test_the_table_of_the_documentation_is_what_comes_out() -> None:
    rows = table()
    shown = "\n".join("| " + " | ".join(row) + " |" for row in rows)
    for page in (DOCS / "how-to" / "hidden-answers.md", ROOT / "benchmarks" / "README.md"):
        assert shown in page.read_text(encoding="utf-8"), page
    for what, name, *found in rows:
        last = float(found[2])
        if name == "ladder here" and found[3] != "–":  # the mean of ten
            chance, noise = (0.25, 0.018) if what.endswith("dialogues") else (0.5, 0.0105)
            assert abs(last - chance) < noise
        elif name == "ladder here" and "guesses" in what:
            assert last < luckiest(*SIZES[0])
        elif name == "ladder here" and what.startswith("a judge"):
            assert last < 0.70 + 4.3 * np.sqrt(0.7 * 0.3 / 2265)
        elif name.startswith("every"):
            assert last > 0.45
