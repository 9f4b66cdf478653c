"""A fourth family, in somebody else's package: every verb works with it, and nothing in Earmark was edited for it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import earmark
from earmark.builders.making import Order, builder, make, plan_only
from earmark.builders.presenting import present
from earmark.builders.recipes import read_toml
from earmark.manifests import registry
from earmark.manifests.findings import Findings
from earmark.manifests.release import Release
from earmark.manifests.summary import EVERY, summarise
from earmark.scoring.baselines import write_predictions
from earmark.scoring.decisions import owed_presentations
from earmark.scoring.face import write_report
from earmark.scoring.families import family_marks, human_marks
from earmark.scoring.measuring import Options
from earmark.validation.invariants import validate

PACKAGE = Path(__file__).resolve().parents[1] / "support" / "toy_family"


@pytest.fixture(scope="module", autouse=True)
def installed() -> Iterator[None]:
    """The package where Python finds packages, as after `pip install`."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(PACKAGE)
        yield
    for name in [name for name in sys.modules if name.split(".")[0] == "toy_bench"]:
        del sys.modules[name]


@pytest.fixture(scope="module")
def recipe(tmp_path_factory: pytest.TempPathFactory, installed: None) -> Path:
    path = tmp_path_factory.mktemp("toy") / "toy.toml"
    path.write_text(builder("toy").DEFAULT_RECIPE, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def release(recipe: Path) -> Release:
    order = Order(family="toy", recipe=read_toml(recipe), base=recipe.parent, out=recipe.parent / "release")
    made = make(order, lambda *_: None)
    assert made.findings.counts == {}
    assert made.report == {"pairs": 6}
    assert made.release is not None
    return made.release


def silent(what: str, done: int, total: int) -> None:
    """Progress that nobody hears."""


def test_it_is_found_beside_ours() -> None:
    assert registry.family_names() == ("dialogues", "pairs", "stance", "toy")
    assert registry.family("toy").title == "Toy: which clip asks?"


def test_a_release_is_planned_built_and_sound(release: Release, recipe: Path) -> None:
    assert plan_only(
        Order(family="toy", recipe=read_toml(recipe), base=recipe.parent, out=Path("unused")), silent
    ).report
    assert release.manifest.family == "toy"
    assert [(entry.name, entry.presentations) for entry in release.manifest.protocols] == [
        ("both-orders", 12),
        ("one-order", 6),
    ]
    assert validate(release).counts == {}
    cells = summarise(release).cells
    assert [cells["asking", gold, EVERY].items for gold in ("one", "other", "tie")] == [2, 2, 2]


def test_its_own_invariant_is_asked(release: Release, monkeypatch: pytest.MonkeyPatch) -> None:
    from earmark.validation import contents

    monkeypatch.setattr(contents.Contents, "item_clips", {})
    assert validate(release).counts["toy.pair"] == 6


def test_it_is_presented(release: Release, tmp_path: Path) -> None:
    present(release, tmp_path / "judge", protocol=None, modality=None, roots={}, progress=silent)
    requests = [
        json.loads(line) for line in (tmp_path / "judge" / "requests.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    assert len(requests) == 12
    assert requests[0]["clips"] == [{"label": "Audio A", "text": "It is."}, {"label": "Audio B", "text": "It is."}]
    assert requests[0]["answer"] == {"marks": {"[[A]]": "A", "[[B]]": "B", "[[Tie]]": "Tie"}}


def answers(release: Release, path: Path) -> Path:
    """A judge that is always right, in its own words, but for one presentation and a row that is not asked for."""
    gold = {row["item_id"]: row["gold"] for row in release.table("answers").to_pylist()}
    says = {"AB": {"one": "A", "other": "B", "tie": "Tie"}, "BA": {"one": "B", "other": "A", "tie": "Tie"}}
    owed = owed_presentations(release, release.protocol())
    rows = [
        {"presentation_id": id, "response": f"I heard both.\n[[{says[order][gold[item]]}]]"}
        for id, item, order in zip(owed.ids, owed.item, owed.order, strict=True)
    ]
    rows[0]["response"] = "[[A]] or [[B]]"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_predictions_are_checked_and_marked(release: Release, tmp_path: Path) -> None:
    file = answers(release, tmp_path / "judge.jsonl")
    assert earmark.check(release, file).counts == {"submission.unparsable": 1}
    scored = earmark.score(release, file, options=Options(resamples=100))
    accuracy = scored.report.find("accuracy")
    assert accuracy is not None
    assert accuracy.value == pytest.approx(11 / 12)
    assert (accuracy.n, accuracy.chance) == (12, 1 / 3)
    assert scored.report.counts["asking"]["unparsable"] == 1
    assert [entry.name for entry in scored.report.baselines] == ["uniform", "always Tie"]
    assert scored.report.baselines[1].value == pytest.approx(1 / 3)
    page = write_report(release, scored, tmp_path / "out").read_text(encoding="utf-8")
    assert "Intended use" not in page, "the family does not say, and so nobody does"
    assert "Made up." in page
    assert "[[A]] or [[B]]" in page
    one = earmark.score(release, file, protocol="one-order", options=Options(resamples=100))
    assert one.report.counts["overall"]["owed"] == 6
    assert one.findings.counts["submission.not-owed"] == 6


def test_human_ratings_are_not_its_business(release: Release) -> None:
    with pytest.raises(
        earmark.manifests.errors.EarmarkError, match="the family toy has no comparison with human ratings"
    ):
        human_marks(release)


def test_baselines_are_files_that_can_be_marked(release: Release, tmp_path: Path) -> None:
    owed = owed_presentations(release, release.protocol())
    for rule in family_marks(release).BASELINES:
        file = tmp_path / f"{rule.name}.jsonl"
        assert write_predictions(rule, release, owed, file) is None
        scored = earmark.score(release, file, options=Options(resamples=100))
        assert scored.findings.counts == {}
        assert "probability" not in file.read_text(encoding="utf-8")  # toys have none
        [beside] = [entry.value for entry in scored.report.baselines if entry.name == rule.name]
        headline = scored.report.find("accuracy")
        assert headline is not None
        assert headline.value == pytest.approx(beside)


def test_from_the_command_line(recipe: Path, tmp_path: Path) -> None:
    """Each verb in a process of its own that knows nothing but where the package is."""
    env = {**os.environ, "PYTHONPATH": str(PACKAGE)}

    def run(*words: str | Path, code: int = 0) -> str:
        command = [sys.executable, "-m", "earmark", *map(str, words)]
        done = subprocess.run(command, env=env, cwd=tmp_path, capture_output=True, text=True, encoding="utf-8")
        assert done.returncode == code, done.stderr
        assert "Traceback" not in done.stderr
        return done.stdout

    assert run("build", "toy", "--print-recipe") == builder("toy").DEFAULT_RECIPE
    run("build", "toy", "--recipe", recipe, "--out", "release")
    run("validate", "release")
    assert "Toy: which clip asks?" in run("info", "release")
    run("present", "release", "--out", "judge")
    rules = json.loads(run("baseline", "release", "--out", "rules", "--no-reports", "--json"))["baselines"]
    reasons = {entry["name"]: entry["reason"] for entry in rules}
    assert reasons.keys() == {"uniform", "always Tie", "majority", "oracle"}
    assert reasons["uniform"] is None
    assert "does not say which choice stands for" in reasons["oracle"], "this family maps its choices by itself"
    assert json.loads(run("check", "rules/uniform.jsonl", "--release", "release", "--json"))["counts"] == {}
    run("score", "rules/always-Tie.jsonl", "--release", "release", "--out", "marks", "--resamples", "100")
    report = json.loads((tmp_path / "marks" / "report.json").read_text(encoding="utf-8"))
    assert "use" not in report
    [accuracy] = [row for row in report["metrics"] if (row["facet"], row["slice"]) == ("overall", "all")]
    assert accuracy["value"] == pytest.approx(1 / 3, abs=1e-6)
    # What a judge was given, sent back unanswered, is a submission of the right form.
    told = json.loads(run("check", "judge/sample_submission.jsonl", "--release", "release", "--json"))
    assert told["summary"]["error"] == 0


def test_findings_of_a_recipe_for_it_name_its_sections() -> None:
    from earmark.manifests.errors import Refused

    with pytest.raises(Refused) as refused:
        builder("toy").plan(
            {"release": {"name": "toy", "version": "1.0.0"}, "toys": {}}, Path(), bytes(32), Findings(), silent
        )
    assert refused.value.findings.counts == {"recipe.unknown-section": 1}


def test_its_judges_are_compared(release: Release, tmp_path: Path) -> None:
    from earmark.scoring.comparing import compare

    owed, files = owed_presentations(release, release.protocol()), []
    for rule in family_marks(release).BASELINES:
        files.append(tmp_path / f"{rule.stem}.jsonl")
        write_predictions(rule, release, owed, files[-1])
    found = compare(release, files, options=Options(resamples=100), only_matched=True).comparison
    [overall] = [entry for entry in found.differences if entry.facet == "overall"]
    values = {entry.judge: entry.value for entry in found.figures if entry.facet == "overall"}
    assert overall.value == pytest.approx(values["uniform"] - values["always Tie"])  # type: ignore[operator]
    assert (overall.metric, overall.test) == ("accuracy", "sign_flip")
    assert found.leading == ("accuracy",)
    assert found.matched is not None
    assert found.matched.kept == found.matched.items == 6
