"""Criteria as raters answered them: shares, kappas and failures against walks over ratings, scikit-learn and scipy."""

from __future__ import annotations

import json
import warnings
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom, binomtest
from sklearn.metrics import cohen_kappa_score
from tests.support.dialogue_panels import draw, fill, right_choices, write_release

from earmark.manifests.findings import Findings
from earmark.manifests.panel_forms import RIGHT_CHOICES
from earmark.manifests.panels import Asked, Panel
from earmark.manifests.release import Release
from earmark.scoring.measuring import Options
from earmark.scoring.panels.agreement import measure_agreement
from earmark.scoring.panels.criteria import GLOSSARY, NO_GOLD, NO_ROUND_2, Criteria, golds_of, measure_criteria, met
from earmark.scoring.panels.failures import ALL_SEEN, ANY, NONE_SEEN, withdrawals_csv, withdrawals_text
from earmark.scoring.panels.rounds import disputed, reconciled
from earmark.scoring.panels.sheets import Labels, Rated, read_sheets
from earmark.statistics.kappa import MISSING
from earmark.statistics.upper_limits import failing_at_most

FEW = Options(resamples=100)
NAMES = ("words", "scene", RIGHT_CHOICES)


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Release:
    return write_release(tmp_path_factory.mktemp("criteria") / "release", 30)


@pytest.fixture(scope="module")
def panel(release: Release) -> Panel:
    """One dialogue of each of 15 subscales, of two each."""
    return draw(release).panel


def rated_of(panel: Panel, labels: Labels, answers: Labels) -> Rated:
    units = tuple(panel.units)
    raters = panel.raters[: len(labels)]
    counts = {"owed": 60, "ok": 60}
    return Rated(raters, panel.entries, labels, dict.fromkeys(raters, counts), units, tuple(panel.topics), answers)


@st.composite
def ratings(draw_: st.DrawFn) -> tuple[Labels, Labels]:
    """What two raters say of 30 entries and of 15 units by two criteria; much of it alike, some of it missing."""
    often = draw_(st.sampled_from([0.0, 0.1, 0.5, 1.0]))
    rng = np.random.default_rng(draw_(st.integers(0, 10**6)))
    labels, answers = ((rng.random(shape) < often).astype(np.int64) for shape in ((2, 30), (2, 15, 2)))
    for table in (labels, answers):
        table[rng.random(table.shape) < draw_(st.sampled_from([0.0, 0.2, 1.0]))] = MISSING
    return labels, answers


def slow_met(panel: Panel, gold: dict[str, int], rated: Rated) -> dict[tuple[str, str, str], bool]:
    """Whether somebody says that a unit meets a criterion, for whatever was said."""
    said = {}
    for (r, rater), (u, unit) in product(enumerate(rated.raters), enumerate(rated.units)):
        for t, topic in enumerate(rated.topics):
            if rated.answers[r, u, t] != MISSING:
                said[rater, unit, topic] = bool(rated.answers[r, u, t] == 0)
        chosen = [(rated.labels[r, n], e.item) for n, e in enumerate(panel.entries) if e.group == unit]
        if any(label not in (MISSING, gold[item]) for label, item in chosen):
            said[rater, unit, RIGHT_CHOICES] = False
        elif all(label == gold[item] for label, item in chosen):
            said[rater, unit, RIGHT_CHOICES] = True
    return said


def same(found: float | None, right: float | None) -> bool:
    return found == right or (found is not None and right is not None and abs(found - right) < 1e-12)


def slow_kappa(pairs: list[tuple[bool, bool]]) -> float | None:
    if len({label for pair in pairs for label in pair}) < 2:
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return float(cohen_kappa_score(*zip(*pairs, strict=True)))


@settings(max_examples=25)
@given(ratings())
def test_figures_are_those_of_a_walk(release: Release, panel: Panel, said: tuple[Labels, Labels]) -> None:
    rated = rated_of(panel, *said)
    gold = dict(golds_of(release) or {})
    slow = slow_met(panel, gold, rated)
    found = measure_criteria(release, panel, rated, None, Options(resamples=2))
    for criterion in (None, *NAMES):
        names = NAMES if criterion is None else (criterion,)
        given_ = [ok for (_, _, topic), ok in slow.items() if topic in names]
        entry = found.find("passed", criterion)
        assert entry is not None
        assert same(entry.value, sum(given_) / len(given_) if given_ else None)
        pairs = [
            (slow["ann", unit, topic], slow["ben", unit, topic])
            for unit in rated.units
            for topic in names
            if ("ann", unit, topic) in slow and ("ben", unit, topic) in slow
        ]
        kappa, alike = found.find("cohen_kappa", criterion), found.find("observed_agreement", criterion)
        assert kappa is not None
        assert alike is not None
        assert same(kappa.value, slow_kappa(pairs))
        assert same(alike.value, sum(one == other for one, other in pairs) / len(pairs) if pairs else None)
        later = found.find("cohen_kappa_reconciled", criterion)
        assert later is not None
        assert (later.value, later.reason) == (None, NO_ROUND_2)
    failing = {(unit, topic) for (_, unit, topic), ok in slow.items() if not ok}
    assert {(failure.unit, failure.criterion) for failure in found.failures} == failing
    for failure in found.failures:
        right = [rater for rater in rated.raters if slow.get((rater, failure.unit, failure.criterion)) is False]
        assert list(failure.raters) == right
        assert set(failure.items) == {entry.item for entry in panel.units[failure.unit]}
    for limit in found.limits:
        names = NAMES if limit.criterion == ANY else (limit.criterion,)
        fails = {unit for unit, topic in failing if topic in names}
        asked = {
            unit
            for unit in rated.units
            if unit in fails or all(any((rater, unit, topic) in slow for rater in rated.raters) for topic in names)
        }
        assert (limit.failed, limit.looked_at, limit.population) == (len(fails), len(asked), 30)
        assert limit.unseen == 30 - len(asked)
        if not asked:
            assert (limit.at_most, limit.rate_of_more, limit.reason) == (None, None, NONE_SEEN)
            continue
        assert limit.at_most is not None
        if len(asked) == 15:
            # One of the two of each subscale was looked at: one that fails is found by a coin, and of two one for sure.
            for_sure = [max(0, k - 15) for k in range(16 + len(fails))]
            coins = [min(k, 15) - sure for k, sure in enumerate(for_sure)]
            so_few = binom.cdf(len(fails) - np.array(for_sure), coins, 0.5)
            assert limit.at_most == np.flatnonzero(so_few > 0.05).max() - len(fails)
        assert limit.rate == limit.at_most / limit.unseen
        right_rate = binomtest(len(fails), len(asked), alternative="less").proportion_ci(0.95, method="exact").high
        assert limit.rate_of_more == pytest.approx(right_rate)


def test_intervals_draw_dialogues(release: Release, panel: Panel) -> None:
    answers = np.zeros((2, 15, 2), np.int64)
    answers[:, :5] = 1  # both raters say the same of a dialogue, so there are 15 of them and not 60 ratings
    found = measure_criteria(release, panel, rated_of(panel, np.zeros((2, 30), np.int64), answers), None, Options())
    entry = found.find("passed", "words")
    assert entry is not None
    (interval,) = entry.intervals
    assert (interval.by, interval.clusters, entry.n) == ("group", 15, 30)
    assert interval.low is not None
    assert interval.high is not None
    assert interval.high - interval.low == pytest.approx(2 * 1.96 * (2 / 9 / 15) ** 0.5, rel=0.15)


def test_choices_of_one_dialogue_are_resampled_together(release: Release, panel: Panel) -> None:
    rated = rated_of(panel, np.zeros((2, 30), np.int64), np.zeros((2, 15, 2), np.int64))
    entry = measure_agreement(release, panel, rated, FEW).find("human_accuracy")
    assert entry is not None
    assert (entry.n, entry.intervals[0].by, entry.intervals[0].clusters) == (30, "group", 15)


def test_the_paper_s_shares_are_of_150_ratings(tmp_path: Path) -> None:
    release = write_release(tmp_path / "r", 75)
    panel = draw(release, groups=5).panel
    answers = np.zeros((2, 75, 2), np.int64)
    answers[0, :3, 0] = 1
    answers[0, :9, 1] = 1
    found = measure_criteria(release, panel, rated_of(panel, np.full((2, 150), MISSING), answers), None, FEW)
    passed = [found.find("passed", name) for name in NAMES]
    assert [None if entry is None else entry.value for entry in passed] == [147 / 150, 141 / 150, None]
    # The whole release was looked at, so nothing is left to be said of others.
    assert [(limit.at_most, limit.reason) for limit in found.limits[:2]] == [(None, ALL_SEEN)] * 2


def test_two_rounds(release: Release, panel: Panel, tmp_path: Path) -> None:
    right = right_choices(release)
    units = sorted(panel.units)
    doubted = set(units[:3])

    def ben(asked: Asked) -> str | None:
        if asked.entry is not None:
            return right[asked.entry.presentation]
        return "fail" if asked.unit in doubted and asked.topic == "scene" else "pass"

    def ann(asked: Asked) -> str | None:
        if asked.entry is not None and asked.unit == units[4]:
            return {"1": "2", "2": "1"}[right[asked.entry.presentation]]
        return right[asked.entry.presentation] if asked.entry is not None else "pass"

    findings = Findings()
    files = [fill(tmp_path / "ann.csv", panel, "ann", ann), fill(tmp_path / "ben.csv", panel, "ben", ben)]
    first = read_sheets(release, panel, files, findings)
    asked_again = disputed(panel, first)
    again = {
        (asked.unit, asked.topic)
        for rater in panel.raters
        for asked in panel.questions(rater)
        if asked.id in asked_again
    }
    assert again == {*((unit, "scene") for unit in doubted), (units[4], None)}
    assert len(asked_again) == 2 * (3 + 2)

    def agreed(asked: Asked) -> str | None:
        if asked.id not in asked_again:
            return None
        if asked.entry is not None:
            return right[asked.entry.presentation]
        return "fail" if asked.unit == units[0] else "pass"

    back = [fill(tmp_path / f"{rater}-2.csv", panel, rater, agreed) for rater in panel.raters]
    second = read_sheets(release, panel, back, findings, round_2=True)
    last = reconciled(first, second, findings)
    assert len(findings) == 0
    assert not disputed(panel, last)
    found = measure_criteria(release, panel, first, last, FEW)

    def value(metric: str, criterion: str | None = None) -> float | None:
        entry = found.find(metric, criterion)
        assert entry is not None
        return entry.value

    assert value("passed", "scene") == pytest.approx(27 / 30)
    assert value("passed_reconciled", "scene") == pytest.approx(28 / 30)
    assert value("cohen_kappa", "scene") == 0
    assert value("cohen_kappa_reconciled", "scene") == 1
    assert value("passed", RIGHT_CHOICES) == pytest.approx(29 / 30)
    assert value("passed_reconciled", RIGHT_CHOICES) == 1
    assert value("observed_agreement_reconciled") == 1
    assert [(failure.unit, failure.criterion, failure.raters) for failure in found.failures] == [
        (units[0], "scene", ("ann", "ben"))
    ]
    limits = {limit.criterion: limit for limit in found.limits}
    assert (limits[ANY].failed, limits["words"].failed) == (1, 0)
    assert limits[ANY].at_most == failing_at_most(1, [1] * 15, [2] * 15) - 1

    items = [entry.item for entry in panel.units[units[0]]]
    assert withdrawals_text(found.failures).splitlines() == sorted(items)
    lines = withdrawals_csv(found.failures).splitlines()
    assert lines == ["item_id,unit_id,criterion,raters", *(f"{item},{units[0]},scene,ann ben" for item in items)]


def test_a_second_round_that_changes_what_was_agreed_is_said(panel: Panel) -> None:
    first = rated_of(panel, np.zeros((2, 30), np.int64), np.zeros((2, 15, 2), np.int64))
    labels, answers = np.full((1, 30), MISSING), np.full((1, 15, 2), MISSING)
    labels[0, 3], answers[0, 2, 1], answers[0, 4, 0] = 1, 1, 0
    findings = Findings()
    last = reconciled(first, rated_of(panel, labels, answers), findings)
    assert {(finding.code.name, finding.id) for finding in findings} == {
        ("panel.agreed", panel.entries[3].item),
        ("panel.agreed", f"{list(panel.units)[2]} scene"),
    }
    assert (last.labels[0, 3], last.labels[1, 3], last.answers[0, 2, 1], last.answers.sum()) == (1, 0, 1, 1)


def test_a_second_sheet_without_a_first_is_said(panel: Panel) -> None:
    first = rated_of(panel, np.zeros((1, 30), np.int64), np.zeros((1, 15, 2), np.int64))
    findings = Findings()
    last = reconciled(first, rated_of(panel, np.ones((2, 30), np.int64), np.zeros((2, 15, 2), np.int64)), findings)
    assert [(finding.code.name, finding.id) for finding in findings] == [("panel.no-first-round", "ben")]
    assert last.labels.tolist() == [[1] * 30]


def test_without_answers_no_choice_is_known_to_be_right(release: Release, panel: Panel, tmp_path: Path) -> None:
    rated = rated_of(panel, np.zeros((2, 30), np.int64), np.zeros((2, 15, 2), np.int64))
    public = Release(release.path, release.manifest, tmp_path / "nowhere")
    found = measure_criteria(public, panel, rated, None, FEW)
    assert found.find("passed", RIGHT_CHOICES) is None
    assert found.reason == NO_GOLD
    assert met(panel, rated, None).shape == (2, 15, 2)


def test_nobody_came(release: Release, panel: Panel) -> None:
    none = rated_of(panel, np.zeros((0, 30), np.int64), np.zeros((0, 15, 2), np.int64))
    found = measure_criteria(release, panel, none, None, FEW)
    assert all(entry.value is None and entry.reason for entry in found.metrics)
    assert {limit.reason for limit in found.limits} == {NONE_SEEN}
    assert found.failures == ()


def test_facets_in_unequal_shares_are_said(tmp_path: Path) -> None:
    release = write_release(tmp_path / "r", 20)
    panel = draw(release).panel
    rated = rated_of(panel, np.zeros((2, 30), np.int64), np.zeros((2, 15, 2), np.int64))
    limits = measure_criteria(release, panel, rated, None, FEW).limits
    assert {limit.reason for limit in limits} == {
        "50.0% to 100.0% of a facet was looked at: the limit takes it that facets fail alike"
    }


def test_the_json_has_every_key_and_no_nan(release: Release, panel: Panel) -> None:
    rated = rated_of(panel, np.zeros((2, 30), np.int64), np.zeros((2, 15, 2), np.int64))
    found = measure_criteria(release, panel, rated, None, FEW)
    value = json.loads(json.dumps(found.as_json(), allow_nan=False))
    assert value.keys() == {"metrics", "limits", "failures", "reason", "glossary"}
    assert {entry["metric"] for entry in value["metrics"]} == set(GLOSSARY)
    assert isinstance(found, Criteria)
