"""Comparisons of synthetic judges: what they are made of, and what does not move them."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.scoring.comparing.judges import judge
from tests.support.dialogue_releases import some_dialogues, write_dialogue_release
from tests.support.tiny import write_tiny_release

from earmark.manifests.comparison import BOOTSTRAP, SIGN_FLIP, Comparison, DifferenceEntry, FigureEntry, JudgeEntry
from earmark.manifests.errors import EarmarkError, UnknownName
from earmark.manifests.release import Release, open_release
from earmark.manifests.report import ALL, OVERALL
from earmark.scoring.comparing import MOST_JUDGES, compare
from earmark.scoring.comparing.standing import LEVEL, Standings
from earmark.scoring.face import score
from earmark.scoring.families import figured_marks
from earmark.scoring.measuring import Options
from earmark.statistics.significance import holm
from earmark.statistics.weights import cluster_weights

GOLDEN = Path(__file__).resolve().parents[2] / "golden"
FAMILIES = ("dialogues", "pairs", "stance")
FEW = Options(resamples=200, seed=3)
SKILLS = {"owl": 0.9, "lark": 0.7, "wren": 0.5}
SOME = ("balanced_accuracy", "auroc", "pole_consistency", "order_disagreement", "failure_rate")


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Release:
    """Forty-eight items of two facets, with speakers of two items each, by audio and by transcript."""
    return write_tiny_release(tmp_path_factory.mktemp("tiny") / "release", items=48, facets=2, transcripts=True)


@pytest.fixture(scope="module")
def files(tiny: Release, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("judges")
    return [judge(tiny, folder, name, skill=skill, fails=0.05) for name, skill in SKILLS.items()]


@pytest.fixture(scope="module")
def reader(tiny: Release, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("reader")
    return judge(tiny, folder, "reader", skill=0.8, protocol="both-orders-transcript", access="commercial")


@pytest.fixture(scope="module")
def three(tiny: Release, files: list[Path]) -> Comparison:
    return compare(tiny, files, options=FEW, metrics=SOME).comparison


def of(comparison: Comparison, first: str, second: str) -> dict[tuple[str, str], DifferenceEntry]:
    return {
        (one.metric, one.facet): one for one in comparison.differences if (one.first, one.second) == (first, second)
    }


@pytest.mark.parametrize("family", FAMILIES)
def test_every_family_compares_and_adding_a_judge_moves_nothing(family: str, tmp_path: Path) -> None:
    release = open_release(GOLDEN / family / "release")
    files = [judge(release, tmp_path, name, skill=skill, fails=0.1) for name, skill in SKILLS.items()]
    one_more = {"stance": ("eer",), "pairs": ("tie_f1", "kind_gap"), "dialogues": ("history_gap",)}[family]
    metrics = (release.family.headline, "failure_rate", *one_more)
    two, three = (
        compare(release, some, options=Options(100), metrics=metrics).comparison for some in (files[:2], files)
    )
    assert [one for one in three.figures if one.judge in ("owl", "lark")] == list(two.figures)
    before, after = of(two, "owl", "lark"), of(three, "owl", "lark")
    assert set(before) == {(one.metric, one.facet) for one in two.figures}
    for key, entry in before.items():
        assert replace(after[key], p_adjusted=None) == replace(entry, p_adjusted=None)
        values = {one.judge: one.value for one in two.figures if (one.metric, one.facet) == key}
        if None in values.values():
            assert (entry.value, entry.p) == (None, None)
            assert entry.reason
        else:
            assert entry.value == pytest.approx(values["owl"] - values["lark"], abs=1e-9)  # type: ignore[operator]


@pytest.mark.slow
@pytest.mark.parametrize("family", FAMILIES)
def test_every_figure_is_compared_and_is_that_of_the_report(family: str, tmp_path: Path) -> None:
    release = open_release(GOLDEN / family / "release")
    files = [judge(release, tmp_path, name, skill=skill, fails=0.1) for name, skill in SKILLS.items()]
    two, three = (compare(release, some, options=Options(100)).comparison for some in (files[:2], files))
    for name, file in zip(SKILLS, files, strict=True):
        scored = score(release, file, options=Options(100))
        known = figured_marks(release).figured(release, scored.decisions)
        mine = {(one.metric, one.facet): one for one in three.figures if one.judge == name}
        wanted = {(one.metric, one.facet) for one in known.figures if one.slice == ALL}
        assert set(mine) == wanted
        for entry in scored.report.metrics:
            if entry.slice == ALL and (entry.metric, entry.facet) in wanted:
                here = mine[entry.metric, entry.facet]
                assert (here.value, here.n, here.reason) == (entry.value, entry.n, entry.reason)
                assert here.intervals == entry.intervals
        assert set(known.leading) | set(known.better) <= {metric for metric, _ in wanted}
        assert known.leading[0] == release.family.headline
    before, after = of(two, "owl", "lark"), of(three, "owl", "lark")
    assert {key: replace(entry, p_adjusted=None) for key, entry in before.items()} == {
        key: replace(entry, p_adjusted=None) for key, entry in after.items()
    }
    alone = compare(release, files, options=Options(100), metrics=known.leading).comparison
    for first, second in combinations(SKILLS, 2):
        whole = of(three, first, second)
        for key, entry in of(alone, first, second).items():
            assert entry == whole[key]


def test_a_judge_of_another_protocol_moves_nothing_either(
    tiny: Release, files: list[Path], reader: Path, three: Comparison
) -> None:
    more = compare(tiny, [files[0], reader, *files[1:]], options=FEW, metrics=SOME).comparison
    for first, second in combinations(SKILLS, 2):
        here, there = of(more, first, second), of(three, first, second)
        assert {k: replace(v, p_adjusted=None) for k, v in here.items()} == {
            k: replace(v, p_adjusted=None) for k, v in there.items()
        }
    assert [one for one in more.figures if one.judge in SKILLS] == list(three.figures)


def test_names_do_not_hang_on_who_comes_first(tiny: Release, files: list[Path], reader: Path) -> None:
    names = [
        {
            judge.file: judge.name
            for judge in compare(tiny, some, options=FEW, metrics=["failure_rate"]).comparison.judges
        }
        for some in ([files[0], reader], [reader, files[0]], [reader, files[1], files[0]])
    ]
    assert names[0] == names[1] == {"owl.jsonl": "owl", "reader.jsonl": "reader, both-orders-transcript"}
    assert names[2] == {**names[0], "lark.jsonl": "lark"}


def test_the_other_way_round_is_the_negative(tiny: Release, files: list[Path], three: Comparison) -> None:
    back = compare(tiny, files[1::-1], options=FEW, metrics=SOME).comparison
    there = of(three, "owl", "lark")
    for key, entry in of(back, "lark", "owl").items():
        assert (entry.first_value, entry.second_value) == (there[key].second_value, there[key].first_value)
        assert (entry.p, entry.test, entry.units) == (there[key].p, there[key].test, there[key].units)
        if entry.value is not None:
            assert entry.value == pytest.approx(-there[key].value, abs=1e-12)  # type: ignore[operator]
        for one, other in zip(entry.intervals, there[key].intervals, strict=True):
            if one.low is not None:
                assert (one.low, one.high) == pytest.approx((-other.high, -other.low), abs=1e-9)  # type: ignore[operator]
        if entry.cell is not None:
            assert (entry.cell.first_only, entry.cell.p) == (there[key].cell.second_only, there[key].cell.p)  # type: ignore[union-attr]


def units(release: Release, file: Path) -> dict[tuple[str, str, str], tuple[float, bool]]:
    """Of each facet, speaker and pole the mean signed score and whether the pole is P, row by row from the file."""
    gold = {row["item_id"]: row["gold"] for row in release.table("answers").to_pylist()}
    facet = {row["item_id"]: row["facet"] for row in release.table("items").to_pylist()}
    speaker = {row["clip_id"]: row["speaker"] for row in release.table("sources").to_pylist()}
    clip = {row["item_id"]: row["clip_id"] for row in release.table("item_clips").to_pylist()}
    item = {row["presentation_id"]: row["item_id"] for row in release.table("presentations").to_pylist()}
    scores: dict[tuple[str, str, str], list[float]] = {}
    for line in file.read_text(encoding="utf-8").splitlines()[1:]:
        row = json.loads(line)
        which = item[row["presentation_id"]]
        worst = -1.0 if gold[which] == "P" else 1.0
        said = {"P": 1, "N": -1}.get(row.get("choice"), 0) * (2 * row.get("probability", 1) - 1)
        key = (facet[which], speaker[clip[which]], gold[which])
        scores.setdefault(key, []).append(said if "choice" in row else worst)
    return {key: (round(float(np.mean(one)), 12), key[2] == "P") for key, one in sorted(scores.items())}


def consistency(rows: list[tuple[float, bool]]) -> float:
    return float(np.mean([score > 0 if positive else score < 0 for score, positive in rows]))


def auroc(rows: list[tuple[float, bool]]) -> float:
    ups, downs = ([score for score, positive in rows if positive == pole] for pole in (True, False))
    return float(np.mean([(up > down) + (up == down) / 2 for up in ups for down in downs])) if ups and downs else np.nan


@pytest.mark.parametrize(("metric", "slow"), [("pole_consistency", consistency), ("auroc", auroc)])
def test_a_difference_and_its_interval_are_those_of_rows_repeated(
    tiny: Release, files: list[Path], three: Comparison, metric: str, slow: object
) -> None:
    """Speakers are drawn with replacement, and with each all of its rows, for both judges alike."""
    entry = of(three, "owl", "wren")[metric, "S0"]
    one, other = ({k: v for k, v in units(tiny, file).items() if k[0] == "S0"} for file in (files[0], files[2]))
    speakers = sorted({speaker for _, speaker, _ in one})
    assert (entry.intervals[0].by, entry.intervals[0].clusters) == ("speaker", len(speakers))
    assert callable(slow)
    assert entry.value == pytest.approx(slow(list(one.values())) - slow(list(other.values())))
    draws = []
    for weights in np.concatenate(list(cluster_weights(len(speakers), FEW.resamples, FEW.seed))).astype(int):
        drawn = [speaker for speaker, times in zip(speakers, weights.tolist(), strict=True) for _ in range(times)]
        mine, theirs = ([v for who in drawn for k, v in side.items() if k[1] == who] for side in (one, other))
        draws.append(slow(mine) - slow(theirs))
    ends = np.quantile(draws, [0.025, 0.975])
    assert (entry.intervals[0].low, entry.intervals[0].high) == pytest.approx(tuple(ends))
    if entry.test == BOOTSTRAP:
        beyond = min(np.sum(np.array(draws) <= 0), np.sum(np.array(draws) >= 0))
        assert entry.p == pytest.approx(min(1, 2 * (beyond + 1) / (FEW.resamples + 1)))


def test_p_is_of_places_changed_within_speakers_and_mcnemar_s_of_units(
    tiny: Release, files: list[Path], three: Comparison
) -> None:
    entry = of(three, "lark", "wren")["pole_consistency", "S1"]
    one, other = ({k: v for k, v in units(tiny, file).items() if k[0] == "S1"} for file in files[1:])
    right, theirs = ({k: consistency([v]) for k, v in side.items()} for side in (one, other))
    gaps = [sum(right[k] - theirs[k] for k in one if k[1] == who) for who in {k[1] for k in one}]
    moving = [gap for gap in gaps if gap]
    ways = np.array(np.meshgrid(*[[-1, 1]] * len(moving))).reshape(len(moving), -1)
    shares = np.abs(np.array(moving) @ ways) >= abs(sum(moving)) - 1e-9
    assert (entry.test, entry.units) == (SIGN_FLIP, len(gaps))
    assert entry.p == pytest.approx(shares.mean())
    assert entry.cell is not None
    assert entry.cell.first_only == sum(right[k] > theirs[k] for k in one)
    assert entry.cell.second_only == sum(right[k] < theirs[k] for k in one)
    assert entry.cell.both + entry.cell.neither == sum(right[k] == theirs[k] for k in one)
    assert of(three, "lark", "wren")["auroc", "S1"].test == BOOTSTRAP
    assert of(three, "lark", "wren")["auroc", "S1"].cell is None


def test_holm_is_over_all_comparisons_of_a_metric(three: Comparison) -> None:
    for overall in (True, False):
        entries = [d for d in three.differences if d.metric == "pole_consistency" and (d.facet == OVERALL) == overall]
        assert len(entries) == (3 if overall else 6)
        assert [entry.p_adjusted for entry in entries] == holm([entry.p for entry in entries])


def test_groups_say_exactly_who_differs_and_never_mix_modalities(
    tiny: Release, files: list[Path], reader: Path
) -> None:
    found = compare(tiny, [*files, reader], options=FEW, metrics=SOME).comparison
    assert {entry.modality for entry in found.groups} == {"audio"}
    assert {entry.modality for entry in found.standings} == {"audio", "transcript"}
    assert {(p.first, p.second) for p in found.pairs if not p.ranked} == {
        (n, "reader, both-orders-transcript") for n in SKILLS
    }
    for entry in found.groups:
        assert set(entry.judges) <= set(SKILLS)
        shared = dict(zip(entry.judges, map(set, entry.letters), strict=True))
        for one, other in combinations(entry.judges, 2):
            pair = of(found, one, other) or of(found, other, one)
            p = pair[entry.metric, entry.facet].p_adjusted
            assert bool(shared[one] & shared[other]) == (p is None or p >= LEVEL)
    best = next(one for one in found.groups if (one.metric, one.facet) == ("balanced_accuracy", OVERALL))
    assert best.judges == ("owl", "lark", "wren")
    assert max(len(entry.groups or ()) for entry in found.groups) > 1
    one = next(s for s in found.standings if (s.judge, s.metric) == ("owl", "balanced_accuracy"))
    assert (one.facets, one.best) == (2, 2)
    assert one.low is not None
    assert one.high is not None
    assert one.low <= one.high
    alone = [s for s in found.standings if s.modality == "transcript" and s.metric == "balanced_accuracy"]
    assert [(s.judge, s.best, s.facets) for s in alone] == [("reader, both-orders-transcript", 2, 2)]
    taus = {
        one.modality: {a.reason for a in found.agreements if a.modality == one.modality} for one in found.agreements
    }
    assert taus["transcript"] == {"fewer than 3 judges have both"}
    kinds = {(one.by, one.kind, one.modality, one.judges) for one in found.gathered}
    assert kinds == {
        ("access", "commercial", "transcript", 1),
        ("access", "not said", "audio", 3),
        ("architecture", "not said", "transcript", 1),
        ("architecture", "not said", "audio", 3),
    }


@pytest.mark.parametrize("third", [1 / 3, 0.33333333333325, np.nextafter(1 / 3, 1), np.nextafter(1 / 3, 0)])
def test_figures_that_differ_by_rounding_alone_are_level(third: float) -> None:
    """Kendall's tau, and the order of judges that are level, see no difference in the last bits."""
    said: dict[str, Any] = {"protocol": "", "access": None, "architecture": None, "judge": {}, "counts": {}}
    judges = [JudgeEntry(name=name, file="", file_hash="", modality="audio", **said) for name in "xyz"]
    values = {"one": (0.2, third, 1 / 3), "other": (0.1, 0.3, 0.2)}
    figures = [
        FigureEntry(judge=judge.name, metric=metric, facet=OVERALL, value=float(value), unit="1", n=1, coverage=1.0)
        for metric, of_judges in values.items()
        for judge, value in zip(judges, of_judges, strict=True)
    ]
    found = Standings.of(judges, {"one": 1, "other": 1}, figures, ())
    assert found.ordered("xyz", "one", OVERALL) == ["y", "z", "x"]
    assert [one.tau for one in found.agreements()] == [pytest.approx(2 / 6**0.5)]


def test_matched_items_are_those_that_all_answered(tiny: Release, files: list[Path], reader: Path) -> None:
    chosen = [files[1], reader]
    compared = compare(tiny, chosen, options=FEW, metrics=SOME, only_matched=True)
    matched = compared.comparison.matched
    assert matched is not None
    item = {row["presentation_id"]: row["item_id"] for row in tiny.table("presentations").to_pylist()}
    lost = [
        {
            item[row["presentation_id"]]
            for row in map(json.loads, file.read_text(encoding="utf-8").splitlines()[1:])
            if "choice" not in row
        }
        for file in chosen
    ]
    assert (matched.items, matched.kept) == (48, 48 - len(lost[0] | lost[1]))
    assert dict(matched.lost) == {"lark": len(lost[0]), "reader, both-orders-transcript": len(lost[1])}
    rows = list(csv.DictReader(io.StringIO(compared.lost or "")))
    assert {row["item_id"] for row in rows} == lost[0] | lost[1]
    assert all((row["lark"] == "failed") == (row["item_id"] in lost[0]) for row in rows)
    # Nothing fails among what is left, so that what has no valid answer moves nothing any more.
    values = {(one.judge, one.metric, one.facet): one.value for one in matched.figures}
    assert values["lark", "failure_rate", OVERALL] == 0
    kept = _kept_units(tiny, files[1], lost[0] | lost[1])
    assert values["lark", "pole_consistency", "S0"] == pytest.approx(
        consistency([v for k, v in kept.items() if k[0] == "S0"])
    )
    [whole] = [d for d in compared.comparison.differences if (d.metric, d.facet) == ("auroc", OVERALL)]
    [here] = [d for d in matched.differences if (d.metric, d.facet) == ("auroc", OVERALL)]
    assert whole.first_coverage is not None
    assert whole.first_coverage < 1
    assert (here.first_coverage, here.second_coverage) == (1, 1)
    assert here.value != whole.value


def _kept_units(release: Release, file: Path, lost: set[str], /) -> dict[tuple[str, str, str], tuple[float, bool]]:
    """Units of the items that are kept: here each unit has one item."""
    clip = {row["item_id"]: row["clip_id"] for row in release.table("item_clips").to_pylist()}
    speaker = {row["clip_id"]: row["speaker"] for row in release.table("sources").to_pylist()}
    gold = {row["item_id"]: row["gold"] for row in release.table("answers").to_pylist()}
    facet = {row["item_id"]: row["facet"] for row in release.table("items").to_pylist()}
    gone = {(facet[item], speaker[clip[item]], gold[item]) for item in lost}
    return {key: value for key, value in units(release, file).items() if key not in gone}


@pytest.mark.parametrize(
    "protocols", [pytest.param(("direct", "direct"), marks=pytest.mark.slow), ("direct", "sequential-2")]
)
def test_dialogues_differ_as_score_against_says(protocols: tuple[str, str], tmp_path: Path) -> None:
    release = write_dialogue_release(tmp_path / "release", some_dialogues(22), ("sequential-2", "direct"), ("audio",))
    files = [
        judge(release, tmp_path, name, skill=skill, fails=0.1, protocol=protocol, revision=name)
        for name, skill, protocol in zip(("owl", "wren"), (0.8, 0.6), protocols, strict=True)
    ]
    found = compare(release, files, options=FEW, metrics=("acc_traj", "acc_1", "acc_2", "acc_all")).comparison
    first, second = (one.name for one in found.judges)
    other = "wren" if protocols[0] == protocols[1] else f"wren, {protocols[1]}"  # as seen from the first
    report = score(release, files[0], against=files[1:], options=FEW).report
    for metric in ("acc_traj", "acc_1", "acc_2", "acc_all"):
        for facet in {one.facet for one in found.differences}:
            entry = of(found, first, second)[metric, facet]
            there = report.find(f"difference_{metric}", facet, f"against:{other}")
            assert there is not None
            assert entry.value == pytest.approx(there.value)
            assert [(i.by, i.clusters) for i in entry.intervals] == [(i.by, i.clusters) for i in there.intervals]
            for one, two in zip(entry.intervals, there.intervals, strict=True):
                assert (one.low, one.high) == pytest.approx((two.low, two.high))
            assert there.p is not None
            tolerance = 4 * np.sqrt(0.25 / FEW.resamples) if (entry.units or 0) > 7 else 1e-9
            assert entry.p == pytest.approx(there.p, abs=tolerance)


def test_matching_keeps_whole_dialogues(tmp_path: Path) -> None:
    release = write_dialogue_release(tmp_path / "release", some_dialogues(20), ("direct",), ("audio",))
    files = [judge(release, tmp_path, name, skill=0.8, fails=0.15) for name in ("owl", "wren")]
    compared = compare(release, files, options=FEW, metrics=("acc_traj", "failure_rate"), only_matched=True)
    found = compared.comparison.matched
    assert found is not None
    assert found.kept % 2 == 0
    assert 0 < found.kept < found.items == 40
    gone = list(csv.DictReader(io.StringIO(compared.lost or "")))
    assert found.with_group == sum((row["owl"], row["wren"]) == ("ok", "ok") for row in gone) > 0
    assert len(gone) == found.items - found.kept
    assert {one.value for one in found.figures if one.metric == "failure_rate"} == {0}


@pytest.mark.parametrize(
    "family", ["pairs", *(pytest.param(name, marks=pytest.mark.slow) for name in ("dialogues", "stance"))]
)
def test_who_answers_nothing_leaves_nothing(family: str, tmp_path: Path) -> None:
    release = open_release(GOLDEN / family / "release")
    files = [judge(release, tmp_path, name, skill=0.8, fails=fails) for name, fails in (("owl", 1.0), ("lark", 0.2))]
    metrics = (release.family.headline, "failure_rate")
    compared = compare(release, files, options=Options(100), metrics=metrics, only_matched=True)
    found = compared.comparison.matched
    assert found is not None
    assert (found.kept, found.lost["owl"], found.figures, found.differences) == (0, found.items, (), ())
    assert (compared.lost or "").count("\n") == found.items + 1
    assert of(compared.comparison, "owl", "lark")["failure_rate", OVERALL].first_value == 1


def test_another_seed_moves_only_the_draws(tiny: Release, files: list[Path], three: Comparison) -> None:
    again = compare(tiny, files, options=Options(resamples=200, seed=4), metrics=SOME).comparison
    assert [one.value for one in again.differences] == [one.value for one in three.differences]
    for one, other in zip(again.differences, three.differences, strict=True):
        if one.test == SIGN_FLIP:
            assert one.p == other.p
    moved = [
        abs(a.intervals[0].low - b.intervals[0].low)
        for a, b in zip(again.differences, three.differences, strict=True)
        if (a.metric, b.facet) == ("balanced_accuracy", OVERALL)
        and a.intervals[0].low is not None
        and b.intervals[0].low is not None
    ]
    assert len(moved) == 3
    assert 0 < max(moved) < 0.05


def test_equal_comparisons_are_equal_bytes_and_name_what_they_are_of(
    tiny: Release, files: list[Path], three: Comparison, tmp_path: Path
) -> None:
    from earmark.manifests.hashes import file_hash

    again = compare(tiny, files, options=FEW, metrics=SOME).comparison
    for name, one in (("one", three), ("two", again)):
        one.write(tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    assert three.signature["submissions"] == [
        {"file_hash": file_hash(file), "protocol": "both-orders"} for file in files
    ]
    assert three.signature["answers_hash"] == tiny.manifest.answers_hash
    text = (tmp_path / "one").read_text(encoding="utf-8")
    assert not [item for item in tiny.table("items")["item_id"].to_pylist() if item in text]


def test_metrics_can_be_chosen(tiny: Release, files: list[Path], three: Comparison) -> None:
    some = compare(tiny, files[:2], options=FEW, metrics=["order_disagreement"]).comparison
    assert {one.metric for one in (*some.figures, *some.differences, *some.groups)} == {"order_disagreement"}
    assert some.leading == ("order_disagreement",)
    key = (
        "order_disagreement",
        "S1",
    )  # over fewer rows than other figures of its facet, with which it is drawn all the same
    assert of(some, "owl", "lark")[key].intervals == of(three, "owl", "lark")[key].intervals
    more = compare(tiny, files[:2], options=FEW, metrics=["f1_at_zero", "eer"], only_matched=True).comparison
    assert more.leading == ("eer", "f1_at_zero")
    assert more.matched is not None
    assert {one.metric for one in more.matched.differences} == {"eer", "f1_at_zero"}
    with pytest.raises(UnknownName, match="balanced_acc"):
        compare(tiny, files, metrics=["balanced_acc"])


def test_what_cannot_be_compared_says_so(
    tiny: Release, files: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for some in (files[:1], files[:1] * (MOST_JUDGES + 1)):
        with pytest.raises(EarmarkError, match=f"a comparison is of 2 to 50 submissions, not of {len(some)}"):
            compare(tiny, some)
    with monkeypatch.context() as patch:
        patch.setattr(
            "earmark.scoring.comparing.comparison.MOST_DIFFERENCES", 8
        )  # EER of two facets and overall, three pairs
        with pytest.raises(EarmarkError, match="3 submissions in 3 figures have 9 differences, and 8 are the most"):
            compare(tiny, files, options=FEW, metrics=["eer"])
        assert len(compare(tiny, files[:2], options=FEW, metrics=["eer"]).comparison.differences) == 3
    with pytest.raises(EarmarkError, match="no such file"):
        compare(tiny, [files[0], tmp_path / "none.jsonl"])


def test_one_file_twice_differs_in_nothing(tiny: Release, files: list[Path]) -> None:
    found = compare(tiny, [files[0], files[0]], options=FEW, metrics=SOME).comparison
    assert [one.name for one in found.judges] == ["owl", "owl (2)"]
    assert {entry.value for entry in found.differences} <= {0, None}
    assert {entry.p for entry in found.differences if entry.value is not None and entry.p is not None} == {1}
    assert {len(entry.groups or ()) for entry in found.groups if entry.judges} == {1}


def test_a_family_need_not_say_what_comes_first(
    tiny: Release, files: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    from earmark.scoring import stance

    whole = stance.figured
    monkeypatch.setattr(stance, "figured", lambda *of: replace(whole(*of), leading=(), better={}))
    found = compare(tiny, files[:2], options=FEW, metrics=["auroc"]).comparison
    assert (found.leading, found.groups, found.standings) == (("auroc",), (), ())
    assert {one.cell for one in found.differences} == {None}
