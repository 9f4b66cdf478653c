"""Samples: exact, stable, independent of order, and of no use to whoever lacks the key."""

from __future__ import annotations

import csv
from collections import Counter
from fractions import Fraction
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from earmark.builders.sampling import confounded_roles, reference_sample, stratified_sample
from earmark.manifests.findings import Findings
from earmark.manifests.keys import rank

KEY = bytes(range(32))

IDS = st.text("abcdef", min_size=1, max_size=3)
STRATA = st.dictionaries(st.sampled_from("RSTUV"), st.sets(IDS, max_size=40), max_size=5)
SHARES = st.decimals("0.01", "1", places=2).map(float)
FLOORS = st.integers(0, 12)
SEEDS = st.integers(0, 2**31)
KEYS = st.binary(min_size=32, max_size=32)


def expected_quota(share: float, size: int) -> int:
    return int(Fraction(str(share)) * size + Fraction(1, 2))


@given(STRATA, SHARES, FLOORS, KEYS, SEEDS)
def test_every_stratum_gets_its_quota_or_its_floor_and_the_sample_is_their_union(strata, share, floor, key, seed):
    sample = stratified_sample(strata, share=share, floor=floor, key=key, seed=seed)
    lowest: set[str] = set()
    for row in sample.report:
        ids = strata[row.stratum]
        assert row.available == len(ids)
        assert row.quota == expected_quota(share, len(ids))
        assert row.drawn == min(len(ids), max(row.quota, floor))
        assert row.floor_applied == (row.drawn > row.quota)
        assert row.taken == len(ids & set(sample.ids)) >= row.drawn
        assert row.effective_share == (row.taken / len(ids) if ids else None)
        lowest.update(sorted(ids, key=lambda id: (rank(key, seed, "sample", id), id))[: row.drawn])
    assert [row.stratum for row in sample.report] == sorted(strata)
    assert sample.ids == tuple(sorted(lowest))


@given(STRATA, SHARES, FLOORS, st.randoms(use_true_random=False))
def test_neither_the_order_of_strata_nor_of_ids_nor_repeats_matter(strata, share, floor, random):
    shuffled = {}
    for stratum in random.sample(sorted(strata), len(strata)):
        ids = [*strata[stratum], *list(strata[stratum])[:2]]
        random.shuffle(ids)
        shuffled[stratum] = ids
    first = stratified_sample(strata, share=share, floor=floor, key=KEY, seed=3)
    assert stratified_sample(shuffled, share=share, floor=floor, key=KEY, seed=3) == first


@given(st.sets(IDS, max_size=40), st.text("xyz", min_size=1, max_size=3), SHARES, FLOORS, KEYS)
def test_a_newcomer_pushes_out_at_most_one_and_only_by_outranking_it(ids, newcomer, share, floor, key):
    def chosen(members: set[str]) -> set[str]:
        return set(stratified_sample({"R": members}, share=share, floor=floor, key=key, seed=1).ids)

    before, after = chosen(ids), chosen(ids | {newcomer})
    out = before - after
    assert len(out) <= 1
    assert all(rank(key, 1, "sample", newcomer) <= rank(key, 1, "sample", id) for id in out)
    assert not out or newcomer in after
    assert len(after - before) <= 1  # read backwards: a leaver is replaced by at most one
    if newcomer not in after:
        assert before <= after


@given(STRATA, SHARES, st.integers(0, 5))
def test_a_stratum_of_its_own_leaves_the_rest_alone(strata, share, floor):
    alone = stratified_sample(strata, share=share, floor=floor, key=KEY, seed=1)
    more = stratified_sample({**strata, "X": {"x1", "x2", "x3"}}, share=share, floor=floor, key=KEY, seed=1)
    assert set(alone.ids) == {id for id in more.ids if not id.startswith("x")}


@given(STRATA, SHARES, FLOORS)
def test_a_greater_share_or_floor_only_adds(strata, share, floor):
    small = stratified_sample(strata, share=share, floor=floor, key=KEY, seed=1)
    for more in ({"share": 1.0, "floor": floor}, {"share": share, "floor": floor + 3}):
        assert set(small.ids) <= set(stratified_sample(strata, **more, key=KEY, seed=1).ids)


def test_key_seed_and_name_of_the_draw_each_change_the_choice():
    strata = {"R": [f"c{n}" for n in range(400)]}
    drawn = {
        stratified_sample(strata, share=0.25, floor=0, key=key, seed=seed, draw=draw).ids
        for key in (KEY, bytes(32))
        for seed in (1, 2)
        for draw in ("sample", "another")
    }
    assert len(drawn) == 8


def test_the_choice_is_this_one_for_ever():
    strata = {"R": [f"c{n}" for n in range(20)], "S": [f"c{n}" for n in range(10, 40)]}
    sample = stratified_sample(strata, share=0.2, floor=5, key=KEY, seed=666)
    assert sample.ids == ("c0", "c15", "c16", "c19", "c20", "c21", "c25", "c4", "c7")


def test_every_id_is_chosen_as_often_as_every_other():
    """Marginal uniformity over 2,000 fixed keys: chi-square below its 99.9 % point at 39 degrees of freedom (72.1)."""
    ids = [f"c{n}" for n in range(40)]
    keys = [n.to_bytes(32, "big") for n in range(2000)]
    counts = Counter(
        id for key in keys for id in stratified_sample({"R": ids}, share=0.25, floor=0, key=key, seed=0).ids
    )
    assert sum(counts.values()) == 20_000
    # Drawn without replacement: the variance of a count is 2000 · p(1 − p) · 40/39 per degree of freedom.
    assert sum((counts[id] - 500) ** 2 for id in ids) / (2000 * 0.25 * 0.75 * 40 / 39) < 72.1


def test_an_id_in_two_strata_has_one_chance_not_two():
    both = [f"b{n}" for n in range(200)]
    strata = {"R": [*both, *(f"r{n}" for n in range(200))], "S": [*both, *(f"s{n}" for n in range(200))]}
    keys = [n.to_bytes(32, "big") for n in range(200)]
    shares = []
    for key in keys:
        sample = stratified_sample(strata, share=0.25, floor=0, key=key, seed=0)
        (union,) = sample.groups({"both": both})
        assert union.available == 200
        shares.append(union.effective_share)
    assert 0.24 < sum(shares) / len(shares) < 0.28  # two chances would make it 0.44


def _guesses(sample: set[str], members: list[str], rank_as: bytes, per_stratum: bool) -> float:
    """Share of right guesses of an attacker who ranks each chosen id in both strata and picks where it ranks better."""
    right = 0
    for id in sample:
        ranks = {name: rank(rank_as, 7, name if per_stratum else "sample", id) for name in ("P", "N")}
        right += min(ranks, key=lambda name: (ranks[name], name)) == ("P" if id in members else "N")
    return right / len(sample)


def test_the_public_seed_and_the_whole_corpus_do_not_tell_a_chosen_id_from_which_stratum():
    positives, negatives = [f"c{n}" for n in range(0, 4000, 2)], [f"c{n}" for n in range(1, 4000, 2)]
    strata = {"P": positives, "N": negatives}
    sample = set(stratified_sample(strata, share=0.25, floor=0, key=KEY, seed=7).ids)
    for per_stratum in (True, False):
        assert 0.45 < _guesses(sample, set(positives), b"", per_stratum) < 0.55
    # The same attacker against a public rank per stratum, to show that he would have noticed.
    careless = {
        id for name, ids in strata.items() for id in sorted(ids, key=lambda id: rank(b"", 7, name, id))[: len(ids) // 4]
    }
    assert _guesses(careless, set(positives), b"", True) > 0.8


@pytest.mark.parametrize("bad", [{"share": 0.0}, {"share": 1.01}, {"floor": -1}, {"key": b""}, {"key": bytes(31)}])
def test_what_is_out_of_range_is_refused(bad):
    arguments = {"share": 0.5, "floor": 1, "key": KEY, **bad}
    with pytest.raises(ValueError, match=r"share|floor|key"):
        stratified_sample({"R": ["a"]}, seed=1, **arguments)


def test_the_cutoff_proves_the_choice_to_whoever_has_the_key():
    strata = {"R": [f"c{n}" for n in range(50)], "S": [f"c{n}" for n in range(40, 90)], "empty": []}
    sample = stratified_sample(strata, share=0.3, floor=2, key=KEY, seed=5)
    for row in sample.report:
        below = [
            id
            for id in strata[row.stratum]
            if row.cutoff is not None and rank(KEY, 5, "sample", id) <= int(row.cutoff, 16)
        ]
        assert len(below) == row.drawn
        assert set(below) <= set(sample.ids)
    assert sample.report[2].cutoff is None
    assert sample.report[2].as_json() == {
        "stratum": "empty",
        "available": 0,
        "quota": 0,
        "drawn": 0,
        "floor_applied": False,
        "taken": 0,
        "effective_share": None,
    }


def test_groups_count_an_id_once_and_an_empty_group_has_no_share():
    sample = stratified_sample({"R": ["a", "b"], "S": ["b", "c"]}, share=1, floor=0, key=KEY, seed=1)
    full, nothing = sample.groups({"S0": ["a", "b", "b", "z"], "S1": []})
    assert full.as_json() == {"group": "S0", "available": 3, "taken": 2, "effective_share": 2 / 3}
    assert nothing.effective_share is None


def test_a_stratum_below_its_floor_is_reported_with_what_there_is():
    findings = Findings()
    sample = stratified_sample({"R": ["a", "b"], "S": [f"c{n}" for n in range(9)]}, share=0.1, floor=9, key=KEY, seed=1)
    sample.report_shortfalls(findings)
    (finding,) = findings
    assert (finding.code.name, finding.id, finding.found) == ("sample.stratum-below-floor", "R", "2")
    assert not findings.failed


# The reference's procedure


ROWS = st.lists(
    st.fixed_dictionaries(
        {"id": st.sampled_from("123456789"), "role_a": st.sampled_from("RSTU"), "role_b": st.sampled_from("RSTU")}
    ),
    max_size=60,
)


def with_pandas(rows: list[dict[str, str]], roles: set[str], portion: float, seed: int, floor: int) -> list[int]:
    frame = pd.DataFrame(rows, columns=["id", "role_a", "role_b"])
    if portion == 1:
        return list(frame[frame.role_a.isin(roles) | frame.role_b.isin(roles)].index)
    parts = []
    for role in sorted(roles):
        match = frame[(frame.role_a == role) | (frame.role_b == role)]
        base = round(len(match) * portion)
        size = min(floor, len(match)) if base < floor else base
        parts.append(match.sample(n=size, replace=False, random_state=seed))
    return list(pd.concat(parts).drop_duplicates().index) if parts else []


@settings(deadline=None)  # pandas takes its time on the first call
@given(ROWS, st.sets(st.sampled_from("RST")), SHARES, st.integers(0, 2**32 - 1), st.integers(0, 12))
def test_the_reference_procedure_is_what_pandas_does(rows, roles, portion, seed, floor):
    kept = reference_sample(rows, roles, portion=portion, seed=seed, floor=floor)
    assert kept == with_pandas(rows, roles, portion, seed, floor)


def test_the_reference_rounds_halves_to_even():
    rows = [{"id": str(n), "role_a": "R", "role_b": "S"} for n in range(50)]
    assert len(reference_sample(rows, {"R"}, portion=0.25, seed=1)) == 12  # 12.5
    assert len(reference_sample(rows[:46], {"R"}, portion=0.25, seed=1)) == 12  # 11.5


def test_portion_one_keeps_file_order_and_repeats():
    rows = [{"id": id, "role_a": a, "role_b": "-"} for id, a in [("2", "S"), ("1", "R"), ("1", "R"), ("3", "T")]]
    assert reference_sample(rows, {"R", "S"}, portion=1.0, seed=1) == [0, 1, 2]


@pytest.mark.parametrize("portion", [0.0, -0.5, 1.5])
def test_a_portion_out_of_range_is_refused(portion):
    with pytest.raises(ValueError, match="portion"):
        reference_sample([], {"R"}, portion=portion, seed=1)


@pytest.mark.parametrize(("facet", "kept", "matching"), [("S0", 18, 18), ("S4", 33, 37), ("S7", 29, 29)])
def test_on_the_real_dev_and_test_conversations_the_floor_makes_a_quarter_nearly_all(
    shared_data: Path, facet, kept, matching
):
    from earmark.builders.stance.dimensions import DIMENSIONS

    with (shared_data / "seamless" / "abmapped_proxy_dev_test.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert len(rows) == 241
    (dimension,) = [entry for entry in DIMENSIONS if entry.id == facet]
    roles = {*dimension.positive.roles, *dimension.negative.roles}
    assert len(reference_sample(rows, roles, portion=1.0, seed=666)) == matching
    assert len(reference_sample(rows, roles, portion=0.25, seed=666)) == kept


# Role and scenario


@given(st.lists(st.tuples(st.sampled_from("RSTU"), st.sampled_from("123")), max_size=12))
def test_a_role_is_confounded_exactly_where_all_its_prompts_are_one(assignments):
    findings = Findings()
    confounded = confounded_roles(assignments, findings)
    assert confounded == {
        role: prompt
        for role in sorted({role for role, _ in assignments})
        for prompt in {prompt for at, prompt in assignments if at == role}
        if {at for at in assignments if at[0] == role} == {(role, prompt)}
    }
    assert findings.counts == ({"sample.role-in-one-prompt": len(confounded)} if confounded else {})
    assert not findings.failed


def test_six_selected_roles_stand_in_one_real_prompt(shared_data: Path):
    from earmark.builders.stance.dimensions import DIMENSIONS

    selected = {role for entry in DIMENSIONS for pole in (entry.positive, entry.negative) for role in pole.roles}
    with (shared_data / "seamless" / "roleplay_prompts_roles.csv").open(encoding="utf-8", newline="") as stream:
        sides = [
            (row[side], row["prompt_id_unique"])
            for row in csv.DictReader(stream)
            for side in ("role_a", "role_b")
            if row[side] in selected
        ]
    confounded = confounded_roles(sides, Findings())
    assert sorted(confounded) == ["Alert", "Concerned", "Distracted", "Honest", "Outgoing", "Stable"]
