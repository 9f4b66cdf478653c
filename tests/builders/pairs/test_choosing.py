"""Choosing: quotas exact, kinds spoken by one speaker in equal parts, nothing that depends on order, sex or strangers."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from fractions import Fraction
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.true_sizes import ears, expresso, row, svc

from earmark.builders.pairs import choosing
from earmark.builders.pairs.choosing import Chosen, choose, plan_blocks
from earmark.builders.pairs.columns import Columns
from earmark.builders.pairs.presets import with_preset
from earmark.builders.pairs.recipe import PairsRecipe
from earmark.builders.pairs.sound import measures
from earmark.builders.plan import Rows
from earmark.builders.recipes import check_recipe
from earmark.manifests.canonical import Json
from earmark.manifests.findings import Findings, Severity
from earmark.validation import strategies

KEY = bytes(range(32))


def recipe(**sections: Json) -> PairsRecipe:
    head: dict[str, Json] = {
        "release": {"name": "x", "version": "1.0.0"},
        "corpora": {"expresso": {"root": "e"}},
        "pairing": {"allow_shortfall": True},
    }
    return check_recipe(with_preset({**head, **sections}), PairsRecipe)


def chosen(made: PairsRecipe, rows: Rows, *names: str) -> list[Chosen]:
    rows = sorted(rows, key=lambda entry: str(entry["utterance"]))
    columns = Columns(rows, measures(rows, [None] * len(rows)))
    blocks = plan_blocks(made, columns, names, Findings())
    return [choose(criterion, planned, made, KEY, Findings()) for criterion, planned in blocks.items()]


def pairs_of(group: Chosen) -> set[tuple[str, frozenset[str]]]:
    pairs = group.allocation.pairs
    ids = group.columns.ids
    return {
        (target, frozenset((ids[left], ids[right])))
        for target, left, right in zip(pairs.target, pairs.left.tolist(), pairs.right.tolist(), strict=True)
    }


def one_speaker_shares(group: Chosen) -> dict[str, set[Fraction]]:
    """By transcript, the shares of one-speaker pairs in each target and kind."""
    pairs, speaker = group.allocation.pairs, group.columns.speaker
    tally: dict[tuple[str | None, str, str], Counter[bool]] = defaultdict(Counter)
    for number, left, right in zip(pairs.cell.tolist(), pairs.left.tolist(), pairs.right.tolist(), strict=True):
        cell = group.cells[number]
        tally[cell.target, cell.kind, cell.transcript][bool(speaker[left] == speaker[right])] += 1
    shares: dict[str, set[Fraction]] = defaultdict(set)
    for (_, _, transcript), counted in tally.items():
        shares[transcript].add(Fraction(counted[True], counted.total()))
    return shares


def check_exact(group: Chosen, clip_cap: int) -> None:
    assert all(report.filled == report.demand for report in group.allocation.cells)
    pairs = group.allocation.pairs
    uses = np.bincount(np.concatenate([pairs.left, pairs.right]))
    assert uses.max() <= clip_cap
    unordered = {frozenset(pair) for pair in zip(pairs.left.tolist(), pairs.right.tolist(), strict=True)}
    assert len(unordered) == len(pairs)
    (solve,) = group.allocation.solves
    assert solve.bound <= solve.objective
    assert solve.gap <= 1e-6


def test_emphasis_and_rate_at_their_true_sizes() -> None:
    groups = {group.criterion: group for group in chosen(recipe(), expresso() + ears(), "emphasis", "rate")}
    check_exact(groups["emphasis"], 23)
    check_exact(groups["rate"], 4)
    assert len(groups["emphasis"].allocation.pairs) == 860
    assert {key: len(value) for key, value in one_speaker_shares(groups["emphasis"]).items()} == {"same": 1, "cross": 1}
    assert one_speaker_shares(groups["rate"]) == {"same": {Fraction(1)}}
    assert Counter(groups["rate"].allocation.pairs.target) == {"fast": 60, "regular": 60, "slow": 60}


def test_the_paper_s_rate_pairs_cannot_exist() -> None:
    """Six speakers and ten texts at three paces: 180 unordered pairs, 360 with each used in both roles, never 375."""
    once, twice = (
        chosen(recipe(pairing={"preset": "paper"}, caps={"rate": {"clip_pair": cap}}), ears(), "rate")[0]
        for cap in (1, 2)
    )
    assert (len(once.allocation.pairs), len(twice.allocation.pairs)) == (180, 360)
    for report in (*once.allocation.cells, *twice.allocation.cells):
        assert report.demand == 125
        assert report.candidates == 120
        assert report.binding is not None


@pytest.mark.slow
def test_the_crossed_preset_at_the_corpora_s_true_sizes() -> None:
    groups = chosen(recipe(), expresso() + ears() + svc(), "style", "rate", "emphasis", "age", "gender")
    sizes = {group.criterion: len(group.allocation.pairs) for group in groups}
    assert sizes == {"style": 1440, "rate": 180, "emphasis": 860, "age": 1520, "gender": 1008}
    for group in groups:
        check_exact(group, {"style": 9, "emphasis": 23}.get(group.criterion, 4))
    style = next(group for group in groups if group.criterion == "style")
    assert one_speaker_shares(style) == {"same": {Fraction(0)}, "cross": {Fraction(1)}}


def small() -> Rows:
    """Four speakers, six sentences in four styles: enough for a few pairs of every kind."""
    dice = random.Random(3)  # noqa: S311
    return [
        row(
            f"expresso/ex0{speaker}_{style}_{sentence}",
            f"ex0{speaker}",
            seconds=dice.uniform(1, 5),
            rate=48_000,
            sex=("male", "female")[speaker % 2],
            style=style,
            substyle=style,
            text=f"sentence {sentence}",
        )
        for speaker in range(1, 5)
        for style in ("default", "happy", "sad", "whisper")
        for sentence in range(6)
    ]


STYLE: dict[str, Json] = {
    "targets": ["happy", "sad"],
    "foils": {"default": 1, "other": 1},
    "non_tie": {"same": 12, "cross": 12},
    "both_good": {"same": 6, "cross": 6},
    "both_bad": {"same": 6, "cross": 6},
    "total": None,
}
SMALL = recipe(blocks={"style": STYLE})


def reports(group: Chosen) -> list[tuple[object, ...]]:
    return [
        (report.key, report.candidates, report.feasible, report.filled, report.demand, report.binding)
        for report in group.allocation.cells
    ]


def test_every_kind_has_the_same_share_of_one_speaker_pairs() -> None:
    (group,) = chosen(SMALL, small(), "style")
    check_exact(group, 9)
    assert one_speaker_shares(group) == {"same": {Fraction(0)}, "cross": {Fraction(1)}}


@settings(max_examples=5)
@given(st.randoms(use_true_random=False))
def test_the_order_of_rows_changes_nothing(dice: random.Random) -> None:
    rows = small()
    dice.shuffle(rows)
    (one,), (other,) = chosen(SMALL, small(), "style"), chosen(SMALL, rows, "style")
    assert pairs_of(one) == pairs_of(other)
    assert reports(one) == reports(other)


def test_the_order_in_which_a_recipe_names_things_changes_nothing() -> None:
    turned: dict[str, Json] = {name: STYLE[name] for name in reversed(STYLE)}
    other = recipe(blocks={"style": {**turned, "targets": ["sad", "happy"]}})
    assert pairs_of(chosen(SMALL, small(), "style")[0]) == pairs_of(chosen(other, small(), "style")[0])


def test_with_the_sexes_renamed_every_cell_has_its_counterpart() -> None:
    renamed = {"female": "male", "male": "female", None: None}
    other = [{**entry, "sex": renamed[entry["sex"]]} for entry in small()]  # type: ignore[index]
    (one,), (two,) = chosen(SMALL, small(), "style"), chosen(SMALL, other, "style")

    def by_cell(group: Chosen, names: dict[str, str]) -> dict[tuple[str, ...], tuple[object, ...]]:
        return {tuple(names.get(part, part) for part in key): tuple(rest) for key, *rest in reports(group)}  # type: ignore[attr-defined]

    assert by_cell(one, {}) == by_cell(two, {"female": "male", "male": "female"})


@settings(max_examples=5)
@given(strategies.utterances(most=30, corpora=["toy-acted"]))
def test_strangers_take_nothing_away(rows: Rows) -> None:
    """Clips of other speakers and sentences, of the same corpus, never lower what a cell could have."""
    more = [{**entry, "corpus": "expresso", "utterance": f"expresso/{entry['utterance']}"} for entry in rows]
    (before,), (after,) = chosen(SMALL, small(), "style"), chosen(SMALL, small() + more, "style")
    could = {report.key: (report.candidates, report.feasible) for report in after.allocation.cells}
    for report in before.allocation.cells:
        if report.key in could:
            assert could[report.key][0] >= report.candidates
            assert could[report.key][1] >= report.feasible
    assert sum(r.filled for r in after.allocation.cells) >= sum(r.filled for r in before.allocation.cells)


def test_all_pairs_of_very_many_clips_are_counted_and_refused_before_any_is_listed() -> None:
    rows = small()
    everything = recipe(
        blocks={"style": {**STYLE, **{kind: {"same": "all", "cross": "all"} for kind in ("non_tie", "both_good")}}},
        caps={"style": {"clip": None, "clip_pair": None, "speaker": None}},
    )
    allowed, findings = Findings(), Findings()
    columns = Columns(rows, measures(rows, [None] * len(rows)))
    ((criterion, planned),) = plan_blocks(everything, columns, ("style",), Findings()).items()
    whole = choose(criterion, planned, everything, KEY, allowed)
    most = max(report.candidates for report in whole.allocation.cells if report.demand is None)
    with patch.object(choosing, "MOST_LISTED", most - 1):
        group = choose(criterion, planned, everything, KEY, findings)
    assert allowed.count(Severity.ERROR) == 0
    told = {finding.id: finding for finding in findings if finding.code is choosing.TOO_MANY}
    refused = [
        cell.name for cell, report in zip(whole.cells, whole.allocation.cells, strict=True) if report.filled == most
    ]
    assert set(told) == set(refused)
    for cell, report in zip(group.cells, group.allocation.cells, strict=True):
        if cell.name in told:
            assert report.filled == 0
            assert told[cell.name].found == f"{most:,} pairs"
