"""`earmark demo`: the whole story, small."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from tests.cli.conftest import Earmark
from tests.support.console import run_process
from tests.support.miniature import files_of
from tests.support.tiny import write_tiny_release

from earmark.builders.miniatures import seamless
from earmark.cli import demonstration
from earmark.cli.console import COULD_NOT_RUN, FINE, INTERRUPTED
from earmark.cli.demonstration import MARK, Marked, Story
from earmark.manifests.findings import Findings
from earmark.manifests.release import open_release
from earmark.manifests.report import IntervalEntry, MetricEntry, Report
from earmark.scoring import stance
from earmark.validation.invariants import validate

pytest.importorskip("espeakng_loader", reason="the demo speaks with eSpeak NG")


@pytest.fixture
def without_speech(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tones in place of the voice, and short conversations: the story is the same and told sooner."""

    def tones(root: Path, *, seed: int, dyads: int, scale: float, jobs: int) -> object:
        return seamless.make_seamless(root, seed=seed, dyads=dyads, scale=min(scale, 0.5), jobs=jobs, speech=False)

    monkeypatch.setattr(demonstration, "make_seamless", tones)


def test_a_small_demo_tells_the_whole_story(earmark: Earmark, tmp_path: Path) -> None:
    out = tmp_path / "demo"
    said = earmark("demo", "--dyads", 4, "--out", out)
    assert (said.code, said.err) == (FINE, "")
    lines = said.out.splitlines()
    assert [line.split()[0] for line in lines[:4]] == ["corpus", "release", "build", "validate"]
    assert lines[0].startswith("corpus    4 conversations ")
    assert lines[3] == "validate  no findings"
    names = [rule.name for rule in stance.BASELINES]
    table = lines.index(next(line for line in lines if line.startswith("judge that does not listen")))
    assert [line.split("  ")[0] for line in lines[table + 1 : table + 1 + len(names)]] == names
    pages = [Path(line.split("  ")[1]) for line in lines if line.startswith("report  ")]
    assert len(pages) == len(names)
    assert all(page.is_file() for page in pages)
    assert lines[-1] == f"Open {pages[-1]} in a browser."
    assert not validate(open_release(out / "release")).failed
    assert sorted(path.name for path in out.iterdir()) == sorted(
        [MARK, "demo.key", "predictions", "recipe.toml", "release", "reports"]
    )
    for file in (out / "predictions").iterdir():
        assert earmark("check", file, "--release", out / "release").code == FINE


@pytest.mark.usefixtures("without_speech")
def test_a_demo_is_replaced_only_when_asked_and_nothing_else_ever(earmark: Earmark, tmp_path: Path) -> None:
    out = tmp_path / "demo"
    words = ("demo", "--dyads", 2, "--out", out)
    assert earmark(*words, "--quiet") == (FINE, "", "")
    first = files_of(out)
    said = earmark(*words)
    assert said == (COULD_NOT_RUN, "", f"earmark: {out} exists; give --force to replace it\n")
    assert files_of(out) == first
    said = earmark(*words, "--force", "--json", "--keep-corpus")
    assert (said.code, said.err) == (FINE, "")
    value = json.loads(said.out)
    assert value["content_hash"] == open_release(out / "release").manifest.content_hash
    assert value["corpus"] == str(out / "corpus")
    assert value["validate"]["summary"] == {"error": 0, "warning": 0, "note": 0}
    assert [judge["name"] for judge in value["judges"]] == [rule.name for rule in stance.BASELINES]
    assert (out / "corpus" / "assignment.csv").is_file()
    again = ("build", "stance", "--recipe", out / "recipe.toml", "--out", tmp_path / "again", "--quiet")
    assert earmark(*again).code == FINE
    (out / MARK).unlink()
    said = earmark(*words, "--force")
    assert said == (COULD_NOT_RUN, "", f"earmark: {out} exists; it is no demo's; choose another\n")
    assert (out / "corpus" / "assignment.csv").is_file()


@pytest.mark.parametrize(
    ("error", "code", "says"),
    [
        (KeyboardInterrupt(), INTERRUPTED, "earmark: interrupted\n"),
        (OSError(28, "No space left on device"), COULD_NOT_RUN, "earmark: No space left on device\n"),
    ],
)
def test_a_demo_that_fails_leaves_nothing(
    earmark: Earmark, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException, code: int, says: str
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(demonstration, "make_seamless", fail)
    assert earmark("demo", "--out", tmp_path / "demo") == (code, "", says)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("package", "extra", "name"),
    [("soundfile", "build", "soundfile"), ("soxr", "build", "soxr"), ("espeakng_loader", "voice", "espeakng-loader")],
)
def test_a_missing_extra_is_named_before_a_minutes_work(
    earmark: Earmark, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, package: str, extra: str, name: str
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    said = earmark("demo", "--out", tmp_path / "demo")
    assert said == (COULD_NOT_RUN, "", f"earmark: this needs the package '{name}': pip install 'earmark[{extra}]'\n")
    assert list(tmp_path.iterdir()) == []


def test_an_installation_without_extras_says_which_the_demo_needs(tmp_path: Path) -> None:
    said = run_process("demo", "--out", tmp_path / "demo", without=("soundfile", "soxr", "espeakng_loader", "joblib"))
    assert (said.returncode, said.stdout) == (COULD_NOT_RUN, b"")
    assert said.stderr == b"earmark: this needs the package 'soundfile': pip install 'earmark[build]'\n"


Ends = tuple[float, float | None, float | None]


def test_the_story_is_told_as_the_intervals_have_it(tmp_path: Path) -> None:
    release = write_tiny_release(tmp_path / "release")

    def told(**found: Ends) -> list[str]:
        metrics = tuple(
            MetricEntry(
                metric="auroc",
                facet=facet,
                value=value,
                n=9,
                intervals=(IntervalEntry(by="speaker", clusters=30, method="m", level=0.95, low=low, high=high),),
            )
            for facet, (value, low, high) in found.items()
        )
        report = Report(signature={}, submission={}, label_source="", headline="auroc", counts={}, metrics=metrics)
        story = Story(3, None, release, Findings(), Findings(), [Marked("louder", report, tmp_path / "r.html")])
        return story.text().splitlines()

    sure = {"S3": (0.75, 0.5625, 1.0), "S6": (0.875, 0.75, 1.0), "S7": (0.25, 0.0, 0.375), "S8": (0.125, 0.0, 0.25)}
    unsure = {"S0": (0.625, 0.25, 1.0), "S1": (0.125, None, None)}
    lines = told(**sure, **unsure)
    assert any(
        line.startswith("Loudness alone beats chance on S6, S3 and falls below it on S7, S8: ") for line in lines
    )
    header = next(line for line in lines if line.startswith("judge that does not listen"))
    assert [cell.strip() for cell in header.split("  ") if cell.strip()][-2:] == ["AUROC of S6", "AUROC of S8"]
    row = next(line for line in lines if line.startswith("louder"))
    assert row.split()[-6:] == ["0.88", "[0.75,", "1.00]", "0.12", "[0.00,", "0.25]"]
    for few in (unsure, {"S3": sure["S3"]}, {"S7": sure["S7"]}):
        assert "These are too few conversations to show what loudness tells and where it misleads." in told(**few)


def test_everybodys_demo_is_the_same(without_speech: None, earmark: Earmark, tmp_path: Path) -> None:
    one, other = (json.loads(earmark("demo", "--dyads", 2, "--out", tmp_path / n, "--json").out) for n in "ab")
    assert one["content_hash"] == other["content_hash"]
    assert [judge["report"] for judge in one["judges"]] == [judge["report"] for judge in other["judges"]]


@pytest.mark.parametrize("words", [["--dyads", "1"], ["--dyads", "501"], ["--out", "/"], ["--rate", "8000"]])
def test_wrong_options_are_said(earmark: Earmark, tmp_path: Path, words: list[str]) -> None:
    said = earmark("demo", *words)
    assert (said.code, said.out) == (COULD_NOT_RUN, "")
    assert words[0] in said.err


@pytest.mark.slow
def test_the_demo_shows_what_loudness_tells_and_where_it_misleads(earmark: Earmark, tmp_path: Path) -> None:
    said = earmark("demo", "--out", tmp_path / "demo")
    assert said.code == FINE
    lesson = next(line for line in said.out.splitlines() if line.startswith("Loudness alone beats chance on "))
    tells, misleads = lesson.split(" and falls below it on ")
    assert "S3" in tells
    assert "S7" in misleads
