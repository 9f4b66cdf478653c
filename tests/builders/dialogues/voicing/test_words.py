"""Word error rates against an edit distance of our own, numbers in words, and limits that let pass what they promise."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from earmark.builders.dialogues.voicing.words import FLOOR, calibrate, rate_between, spoken_words, word_error_rate

pytest.importorskip("jiwer")
pytest.importorskip("inflect")

WORDS = st.lists(st.sampled_from(["so", "it", "is", "Monday", "then"]), max_size=7)


def distance(one: list[str], other: list[str]) -> int:
    """Edits from one list to another, by the table of Wagner and Fischer, cell by cell."""
    table = {(i, 0): i for i in range(len(one) + 1)} | {(0, j): j for j in range(len(other) + 1)}
    for i, j in product(range(1, len(one) + 1), range(1, len(other) + 1)):
        same = table[i - 1, j - 1] + (one[i - 1] != other[j - 1])
        table[i, j] = min(same, table[i - 1, j] + 1, table[i, j - 1] + 1)
    return table[len(one), len(other)]


@settings(max_examples=60)
@given(script=WORDS, heard=WORDS)
def test_a_rate_is_edits_over_words(script: list[str], heard: list[str]) -> None:
    edits = distance([word.casefold() for word in script], [word.casefold() for word in heard])
    rate = word_error_rate(", ".join(script).upper(), "  ".join(heard))
    if script:
        assert rate == pytest.approx(edits / len(script), abs=0.00006)
    else:
        assert rate == (1 if heard else 0)
    between = rate_between(" ".join(script), " ".join(heard))
    assert between == rate_between(" ".join(heard), " ".join(script))
    assert between == pytest.approx(edits / max(len(script), len(heard), 1), abs=0.00006)
    assert 0 <= between <= 1


@settings(max_examples=25)
@given(words=WORDS)
def test_punctuation_case_and_tags_are_no_errors(words: list[str]) -> None:
    spoken = " ".join(words)
    assert word_error_rate(spoken, f"<laugh> {spoken.title()}…!") == 0


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("the 3rd of 12", "the third of twelve"),
        ("the 21st", "the twenty-first"),
        ("1,204 boxes", "one thousand two hundred four boxes"),
        ("5% of $40", "five percent of forty dollars"),
        ("at 10:30, or 9:05, or 7:00", "at ten thirty, or nine oh five, or seven o'clock"),
        ("100", "one hundred"),
    ],
)
def test_numbers_are_compared_in_words(written: str, said: str) -> None:
    assert word_error_rate(said, written) == 0
    assert word_error_rate(written, said) == 0


@pytest.mark.parametrize("text", ["in 2019", "3.5", "B2B", "4.50"])
def test_what_is_said_in_more_than_one_way_stays(text: str) -> None:
    assert any(letter.isdigit() for letter in "".join(spoken_words(text)))


RATES = st.lists(st.integers(0, 40).map(lambda n: n / 20), min_size=1, max_size=60)


@settings(max_examples=60)
@given(rates=RATES, acceptance=st.sampled_from([0.5, 0.8, 0.9, 0.95, 1.0]))
def test_a_limit_lets_its_share_pass_and_no_lower_one_does(rates: list[float], acceptance: float) -> None:
    found = calibrate(rates, acceptance=acceptance)
    passed = sum(rate <= found.limit for rate in rates)
    assert passed >= acceptance * len(rates) - 1e-9
    assert found.rejects == pytest.approx(1 - passed / len(rates))
    assert found.limit == max(FLOOR, found.quantile or 0)
    lower = [rate for rate in rates if rate < (found.quantile or 0)]
    assert len(lower) < acceptance * len(rates) - 1e-9
    assert found == calibrate(rates[::-1], acceptance=acceptance)
    assert found.clips == len(rates)


def test_a_limit_of_nothing_is_the_floor_and_says_so() -> None:
    found = calibrate([])
    assert (found.limit, found.clips, found.quantile, found.rejects) == (FLOOR, 0, None, None)
    for acceptance, floor in ((0.0, 0.1), (1.1, 0.1), (0.9, -0.1)):
        with pytest.raises(ValueError, match="must be in"):
            calibrate([0.1], acceptance=acceptance, floor=floor)


def test_a_share_that_binary_fractions_miss_lets_no_more_pass() -> None:
    """0.56 × 25 is 14, and a little above it in floating point."""
    assert 0.56 * 25 > 14
    rates = [0.2 + n / 100 for n in range(25)]
    assert calibrate(rates, acceptance=0.56).limit == rates[13]
