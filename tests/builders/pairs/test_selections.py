"""Selections: exactly the pairs that the definitions and rules allow, counted by going through all pairs one by one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.true_sizes import row

from earmark.builders.pairing.candidates import count_pairs
from earmark.builders.pairing.cells import Selection
from earmark.builders.pairing.pool import Pool
from earmark.builders.pairs.columns import Columns, words_of
from earmark.builders.pairs.selections import Selector, Stratum, block_pool
from earmark.builders.pairs.sound import measures
from earmark.manifests.criteria import kind_of, satisfies, transcript_of
from earmark.manifests.families.pairs import CRITERIA, KINDS, TRANSCRIPTS
from earmark.manifests.families.pairs_recipe import Criterion, Rules
from earmark.manifests.pairing import AGE_GROUPS
from earmark.validation import strategies

Row = Mapping[str, object]

STRATA = [
    Stratum(speakers, sex)
    for speakers in ("same", "different", "any")
    for sex in ("female", "male", "mixed", "either", "any")
]


def columns_of(rows: list[dict[str, object]]) -> Columns:
    rows = sorted(rows, key=lambda entry: str(entry["utterance"]))
    return Columns(rows, measures(rows, [None] * len(rows)))


def selector(columns: Columns, criterion: Criterion, *, variant: str = "main", rules: Rules | None = None) -> Selector:
    rules = rules or Rules()
    corpora = tuple({str(entry["corpus"]) for entry in columns.rows})
    pool = block_pool(columns, criterion, variant, rules, corpora=corpora, substyles=None)
    return Selector(criterion, variant, rules, columns, pool)


def pairs_of(columns: Columns, selections: Iterator[Selection]) -> set[tuple[int, int]]:
    """The pairs of selections, preferred first where the sides differ, by trying all of them."""
    found: set[tuple[int, int]] = set()
    for part in selections:
        tried = combinations if part.left is part.right else permutations
        for a, b in tried(range(len(columns)), 2):
            inside = part.left[a] and part.right[b]
            equal = all(codes[a] == codes[b] >= 0 for codes in part.equal)
            differ = all(-1 not in (codes[a], codes[b]) and codes[a] != codes[b] for codes in part.differ)
            if inside and equal and differ:
                assert (a, b) not in found
                found.add((a, b))
    return found


def may_stand(entry: Row, criterion: str, variant: str) -> bool:
    """The rules on single clips, spelled out."""
    age, group = entry["age"], entry["age_group"]
    if not words_of(entry):
        return False
    if criterion == "style":
        return entry["style"] is not None and entry["style"] == entry["substyle"]
    if criterion == "gender":
        return group != "9-16" and not (isinstance(age, int) and age < 17)
    if criterion == "age":
        if group is None or age in (16, 17, 28, 29, 41, 42, 54, 55):
            return False
        if variant == "main" and isinstance(age, int):
            return not (group == "9-16" and age > 12) and not (group == "55-100" and age < 60)
    return True


def asked(entry: Row, target: str) -> bool:
    """Whether a clip can be asked about a word."""
    marked = entry["emphasised"]
    assert isinstance(marked, list)
    return len(marked) == 1 and words_of(entry).count(target) == 1


def pair_may_stand(a: Row, b: Row, criterion: str, variant: str, target: str, kind: str) -> bool:
    """The rules on pairs, spelled out."""
    if a["corpus"] != b["corpus"]:
        return False
    if criterion == "emphasis":
        return asked(a, target) and asked(b, target)
    if criterion == "age":
        away = [abs(AGE_GROUPS.index(str(entry["age_group"])) - AGE_GROUPS.index(target)) for entry in (a, b)]
        far = [distance == 1 if variant == "hard" else distance >= 2 for distance in away if distance]
        return all(far) and (kind != "both_bad" or away[0] == away[1])
    return True


def in_stratum(a: Row, b: Row, stratum: Stratum) -> bool:
    same = a["speaker"] == b["speaker"]
    if stratum.speakers != "any" and same != (stratum.speakers == "same"):
        return False
    sexes = (a["sex"], b["sex"])
    match stratum.sex:
        case "any":
            return True
        case "mixed":
            return set(sexes) == {"female", "male"}
        case "either":
            return sexes in {("female", "female"), ("male", "male")}
        case sex:
            return sexes == (sex, sex)


def allowed(
    columns: Columns, criterion: str, variant: str, target: str, kind: str, transcript: str, stratum: Stratum
) -> set[tuple[int, int]]:
    found = set()
    for a, b in combinations(range(len(columns)), 2):
        one, other = columns.rows[a], columns.rows[b]
        if not (may_stand(one, criterion, variant) and may_stand(other, criterion, variant)):
            continue
        good = satisfies(one, criterion, target), satisfies(other, criterion, target)
        if None in good or kind_of(bool(good[0]), bool(good[1])) != kind:
            continue
        if transcript_of(str(one["text"]), str(other["text"])) != transcript or not in_stratum(one, other, stratum):
            continue
        if pair_may_stand(one, other, criterion, variant, target, kind):
            found.add((b, a) if good == (False, True) else (a, b))
    return found


@pytest.mark.parametrize("criterion", CRITERIA)
@settings(max_examples=12)
@given(st.data())
def test_selections_are_the_pairs_that_definitions_and_rules_allow(criterion: Criterion, data: st.DataObject) -> None:
    rows = data.draw(strategies.utterances(least=2, most=40))
    columns = columns_of(rows)
    variant = data.draw(st.sampled_from(["main", "hard"] if criterion == "age" else ["main"]))
    chosen = selector(columns, criterion, variant=variant)
    targets = chosen.targets()
    for target in targets:
        stratum = data.draw(st.sampled_from(STRATA))
        for kind in KINDS:
            for transcript in TRANSCRIPTS:
                parts = list(chosen.selections(target, kind, transcript, stratum, targets=frozenset(targets)))
                found = pairs_of(columns, iter(parts))
                assert found == allowed(columns, criterion, variant, target, kind, transcript, stratum)
                pool = Pool(
                    columns.ids, columns.speaker, np.zeros((len(columns), 0)), np.arange(len(columns), dtype=np.uint64)
                )
                assert sum(count_pairs(pool, part) for part in parts) == len(found)


def test_a_target_is_what_some_clip_of_the_pool_satisfies() -> None:
    rows = [
        row("toy/a", "s1", seconds=1, rate=8000, text="go *now*", style="sad", substyle="sad", emphasised=["now"]),
        row(
            "toy/b",
            "s1",
            seconds=1,
            rate=8000,
            text="*right now*",
            style="default",
            substyle="default",
            emphasised=["right now"],
        ),
        row(
            "toy/c",
            "s2",
            seconds=1,
            rate=8000,
            text="stay",
            style="default",
            substyle="default_essentials",
            pace="slow",
        ),
    ]
    columns = columns_of(rows)
    assert selector(columns, "style").targets() == ("sad",)
    assert selector(columns, "rate").targets() == ("slow",)
    assert selector(columns, "emphasis").targets() == ("now",)
    assert selector(columns, "age").targets() == ()
    assert selector(columns, "gender").targets() == ()
    assert selector(columns, "style").has("sad")
    assert not selector(columns, "style").has("happy")


def test_foils_are_default_or_one_of_the_other_targets() -> None:
    styles = ("sad", "happy", "whisper", "default")
    rows = [
        row(f"toy/{style}", "s", seconds=1, rate=8000, text="words", style=style, substyle=style) for style in styles
    ]
    columns = columns_of(rows)
    chosen = selector(columns, "style")
    names = [str(entry["style"]) for entry in columns.rows]

    def foils(foil: str | None) -> set[str]:
        parts = chosen.selections("sad", "non_tie", "same", Stratum(), foil=foil, targets=frozenset({"happy"}))
        return {names[b] for _, b in pairs_of(columns, parts)}

    assert foils("default") == {"default"}
    assert foils("other") == {"happy"}
    assert foils(None) == {"happy", "whisper", "default"}


def test_switches_switch() -> None:
    ages = [(10, "9-16"), (15, "9-16"), (16, "9-16"), (30, "29-41"), (29, "29-41"), (20, "17-28")]
    rows = [
        row(f"toy/{n}", f"s{n}", seconds=1, rate=8000, text="words", sex="female", age=age, age_group=group)
        for n, (age, group) in enumerate(ages)
    ]
    columns = columns_of(rows)

    def count(kind: str, rules: Rules, variant: str = "main") -> int:
        chosen = selector(columns, "age", variant=variant, rules=rules)
        return len(pairs_of(columns, chosen.selections("9-16", kind, "same", Stratum(), targets=frozenset())))

    assert count("non_tie", Rules()) == 1  # 10 and 30
    assert count("non_tie", Rules(drop_border_years=False)) == 2  # 10 with 29 and 30
    assert count("non_tie", Rules(clear_ages=False)) == 2  # 10 and 15 with 30
    assert count("non_tie", Rules(), "hard") == 2  # 10 and 15 with 20
    assert count("non_tie", Rules(min_group_distance=1, clear_ages=False)) == 2 * 2  # 10 and 15 with 20 and 30
    assert count("both_bad", Rules(min_group_distance=1)) == 0  # 20 is nearer than 30
    assert count("both_bad", Rules(min_group_distance=1, both_bad_equal_distance=False)) == 1
    adults = selector(columns, "gender", rules=Rules())
    assert int(adults.pool.sum()) == 3
    assert int(selector(columns, "gender", rules=Rules(adults_only=())).pool.sum()) == 6
