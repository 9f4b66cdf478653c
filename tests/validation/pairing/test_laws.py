"""Laws of pairing: a sound function keeps all of them, and each of four subtle bugs is found by the law that it breaks."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import blake2b
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings

from earmark.manifests.criteria import transcript_of
from earmark.validation import strategies
from earmark.validation.pairing import PairTables, check_pairs, laws

Rows = list[dict[str, Any]]
READ = strategies.utterances(corpora=["toy-read"], most=8)


def gender_pairs(rows: Rows) -> Rows:
    """Every pair of a man and a woman who say the same, once about each sex; a hash says who is stored first."""
    pairs: Rows = []
    for one, other in combinations(sorted(rows, key=lambda row: str(row["utterance"])), 2):
        if one["corpus"] == other["corpus"] and {one["sex"], other["sex"]} == {"female", "male"}:
            for target in ("female", "male"):
                pairs.append(question(one, other, target))
    return [row for row in pairs if row["transcript"] == "same"]


def question(one: dict[str, Any], other: dict[str, Any], target: str) -> dict[str, Any]:
    name = f"{target}-{one['utterance']}-{other['utterance']}"
    first, second = (one, other) if blake2b(name.encode(), digest_size=1).digest()[0] % 2 else (other, one)
    return {
        "pair": name,
        "criterion": "gender",
        "target": target,
        "first": first["utterance"],
        "second": second["utterance"],
        "kind": "non_tie",
        "preferred": "first" if first["sex"] == target else "second",
        "transcript": transcript_of(first["text"], second["text"]),
    }


def as_they_come(rows: Rows) -> Rows:
    """Pairs each utterance with the next one that fits: what comes first decides."""
    left, pairs = list(rows), []
    while left:
        one = left.pop(0)
        fits = [row for row in left if gender_pairs([one, row])]
        if fits:
            left.remove(fits[0])
            pairs += gender_pairs([one, fits[0]])
    return pairs


def at_most_four(rows: Rows) -> Rows:
    """A cap over all corpora together, so that one takes from another."""
    return sorted(gender_pairs(rows), key=lambda row: blake2b(row["pair"].encode()).digest())[:4]


def women_twice(rows: Rows) -> Rows:
    """More is asked about women than about men."""
    twice = [{**row, "pair": f"{row['pair']}-2"} for row in gender_pairs(rows) if row["target"] == "female"]
    return gender_pairs(rows) + twice


@settings(max_examples=15)
@given(strategies.utterances(most=30))
def test_a_sound_function_keeps_every_law(rows: Rows) -> None:
    assert laws.check_laws(gender_pairs, rows).counts == {}


BUGS: list[tuple[Callable[[Rows], Rows], laws.Law, str]] = [
    (as_they_come, laws.order_free, "pairing.order-free"),
    (at_most_four, laws.more_is_no_less, "pairing.more-is-no-less"),
    (women_twice, laws.sexes_alike, "pairing.sexes-alike"),
]


@pytest.mark.parametrize(("bug", "law", "code"), BUGS, ids=lambda value: getattr(value, "__name__", value))
def test_a_bug_is_found_by_its_law(bug: Callable[[Rows], Rows], law: laws.Law, code: str) -> None:
    found: set[str] = set()

    @settings(max_examples=40)
    @given(READ)
    def look(rows: Rows) -> None:
        found.update(law(bug, rows).counts)

    look()
    assert found == {code}
    assert law(gender_pairs, []).counts == {}


@settings(max_examples=10)
@given(strategies.broken_pair_tables())
def test_what_is_unsound_is_as_unsound_the_other_way_round(broken: strategies.BrokenPairs) -> None:
    def found(tables: PairTables) -> dict[str, int]:
        return check_pairs(tables, drawn.rules, caps=drawn.caps, cells=drawn.cells).counts

    drawn = broken.drawn
    tables = drawn.tables()
    assert laws.mirrors(found, tables).counts == {}
    assert tables.mirrored().mirrored().every == tables.every
    for pair, twin in zip(tables.every, tables.mirrored().every, strict=True):
        assert pair.names == twin.names[::-1]
        assert {pair.preferred, twin.preferred} in ({None}, {"first", "second"})


def test_a_figure_that_looks_at_the_first_side_alone_is_told() -> None:
    rows = [
        {"utterance": f"{n}", "corpus": "a", "speaker": f"{n}", "sex": sex, "text": "Yes.", "age": 30 + n}
        for n, sex in enumerate(("female", "male"))
    ]
    tables = PairTables.of(rows, gender_pairs(rows)[:1])

    def both_sides(made: PairTables) -> tuple[int, int]:
        return _age(made.every[0], 0), _age(made.every[0], 1)

    assert laws.mirrors(lambda made: abs(both_sides(made)[0] - both_sides(made)[1]), tables).counts == {}
    assert laws.mirrors(lambda made: both_sides(made)[0], tables).counts == {"pairing.mirrors": 1}
    assert laws.mirrors(both_sides, tables).counts == {"pairing.mirrors": 1}
    assert laws.mirrors(both_sides, tables, lambda ages: (ages[1], ages[0])).counts == {}


def _age(pair: Any, side: int) -> int:
    age: int = pair.sides[side]["age"]
    return age


def test_what_is_no_table_of_pairs_is_found_and_not_raised() -> None:
    findings = laws.check_laws(lambda rows: [{"pair": 1}], [])
    assert set(findings.counts) == {"pairing.shape"}
    assert {finding.id for finding in findings} == {"table.columns"}


def test_a_function_that_changes_its_input_changes_nobody_elses() -> None:
    def spoils(rows: Rows) -> Rows:
        pairs = gender_pairs(rows)
        for row in rows:
            row["sex"] = None
            row["emphasised"].append("x")
        rows.clear()
        return pairs

    rows = [
        {"utterance": f"{n}", "corpus": "a", "speaker": f"{n}", "sex": sex, "text": "Yes.", "emphasised": []}
        for n, sex in enumerate(("female", "male"))
    ]
    assert laws.check_laws(spoils, rows).counts == {}
    assert [row["sex"] for row in rows] == ["female", "male"]
    assert len(gender_pairs(rows)) == 2
