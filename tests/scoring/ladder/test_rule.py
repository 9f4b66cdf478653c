"""The rule: nothing but a clear improvement releases a score, and nothing is told of what does not improve."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm

from earmark.scoring.ladder.credit import Credits, of_groups
from earmark.scoring.ladder.rule import FIRST, LUCK, MOST_SPREAD, Standing, advanced, first_errors, start, step


def even(credit: list[float] | np.ndarray, chance: float = 0.5) -> Credits:
    """Credits of units that weigh the same."""
    found = of_groups(
        [str(n) for n in range(len(credit))], [""] * len(credit), np.array(credit), np.full(len(credit), chance)
    )
    assert found is not None
    return found


def share(right: int, of: int) -> Credits:
    """A file that gets the first units right."""
    return even((np.arange(of) < right).astype(np.float64))


COLUMNS = st.integers(2, 30).flatmap(
    lambda n: st.tuples(*[st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0]), min_size=n, max_size=n)] * 2)
)


@settings(max_examples=50)
@given(COLUMNS)
def test_a_step_is_the_standard_error_of_equal_weights(columns: tuple[list[float], list[float]]) -> None:
    difference = np.subtract(*map(np.array, columns))
    n = len(difference)
    published = difference.std() / np.sqrt(n)
    assert step(np.full(n, 1 / n), difference) == pytest.approx(max(published, 0.5 / np.sqrt(n)))


@settings(max_examples=50)
@given(COLUMNS, st.lists(st.sampled_from("abc"), min_size=30, max_size=30))
def test_a_score_never_falls_and_is_a_multiple_of_a_unit(
    columns: tuple[list[float], list[float]], groups: list[str]
) -> None:
    files = []
    for column in columns:
        file = of_groups(
            [str(n) for n in range(len(column))], groups[: len(column)], np.array(column), np.full(len(column), 0.5)
        )
        assert file is not None
        files.append(file)
    standing = start(files[0])
    for file in (*files, *files):
        after = advanced(standing, file)
        if after is not standing:
            assert after.score is not None
            assert after.score * len(file.units) == pytest.approx(round(after.score * len(file.units)))
            assert abs(after.score - file.headline) <= 0.5 / len(file.units) + 1e-12
            assert standing.score is None or after.score > standing.score
            assert after.credit is file.credit
        standing = after
    assert advanced(standing, files[1]) is standing or files[1].headline > (standing.score or 0)


def test_the_first_score_beats_chance_by_three_errors_of_a_coin() -> None:
    n = 900
    least = n // 2 + round(FIRST * MOST_SPREAD * np.sqrt(n))
    assert least == 495
    assert advanced(start(share(least, n)), share(least, n)).score is None
    assert advanced(start(share(least + 1, n)), share(least + 1, n)).score == pytest.approx(496 / 900)


def test_whoever_guesses_is_told_nothing_with_the_chance_that_is_promised() -> None:
    errors = [first_errors(tries) for tries in range(1, 20_000)]
    assert errors == sorted(errors)
    assert min(errors) == FIRST
    assert sum(norm.sf(errors)) < LUCK
    n, errors_of_100 = 900, first_errors(100)
    least = n // 2 + round(errors_of_100 * MOST_SPREAD * np.sqrt(n))
    assert advanced(start(share(least - 1, n)), share(least - 1, n), 100).score is None
    assert advanced(start(share(least + 1, n)), share(least + 1, n), 100).score is not None


def test_a_later_score_beats_the_best_by_one_error_and_never_by_less_than_that_of_a_coin() -> None:
    n = 900
    best = advanced(start(share(600, n)), share(600, n))
    assert best.score == pytest.approx(600 / 900)
    assert advanced(best, share(615, n)) is best  # alike but for fifteen: half of √900
    assert advanced(best, share(616, n)).score == pytest.approx(616 / 900)
    # A file that is right elsewhere differs in more units, so it must be better by more.
    other = even(share(616, n).credit[::-1].copy())
    assert advanced(best, other) is best


def test_units_that_weigh_more_make_more_noise() -> None:
    one_of_ten = of_groups([str(n) for n in range(11)], ["a"] * 10 + ["b"], np.ones(11), np.full(11, 0.5))
    assert one_of_ten is not None
    assert step(one_of_ten.weight, np.zeros(11)) == pytest.approx(0.5 * np.sqrt(10 * 0.05**2 + 0.5**2))


def test_what_is_released_is_of_the_file_alone() -> None:
    best = Standing(0.5, np.zeros(400))
    file = share(300, 400)
    assert advanced(best, file).score == advanced(replace(best, score=0.25), file).score == 0.75
