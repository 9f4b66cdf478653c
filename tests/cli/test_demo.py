"""`earmark demo`: the whole story, small, and the tutorial, which begins with it."""

from __future__ import annotations

import dataclasses
import json
import statistics
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import NamedTuple

import msgspec
import pytest
from tests.cli.conftest import Earmark
from tests.docs.following import blocks, follow
from tests.docs.reading import DOCS, ROOT
from tests.support.console import run_process
from tests.support.miniature import files_of

from earmark.builders.miniatures import seamless
from earmark.cli import demonstration
from earmark.cli.console import COULD_NOT_RUN, FINE, INTERRUPTED
from earmark.cli.demo import Family
from earmark.cli.demonstration import FAMILIES, MARK, Story, chapter, reader, tell
from earmark.cli.demonstration import dialogues as dialogues_chapter
from earmark.cli.demonstration import pairs as pairs_chapter
from earmark.cli.demonstration import stance as stance_chapter
from earmark.cli.demonstration.beside import Among, letters_told, matched_told
from earmark.cli.demonstration.chapter import Marked
from earmark.cli.demonstration.dialogues import gate_fact
from earmark.cli.demonstration.pairs import cells_of, filled
from earmark.manifests.comparison import Comparison, DifferenceEntry, GroupsEntry, MatchedEntry
from earmark.manifests.copies.published import CHECKSUMS
from earmark.manifests.release import Release, open_release
from earmark.manifests.report import IntervalEntry, MetricEntry, Report, read_report
from earmark.scoring import dialogues, pairs, stance
from earmark.scoring.baselines import Baseline
from earmark.validation.invariants import validate

pytest.importorskip("espeakng_loader", reason="the demo speaks with eSpeak NG")


class Told(NamedTuple):
    """What a chapter has.

    Args:
        rules: The family's rules.
        facts: The facts that it begins with.
        sources: The folder that `--keep-corpus` keeps.
    """

    rules: Sequence[Baseline]
    facts: Sequence[str]
    sources: str = "corpus"


ENDS = ("validate", "reports", "compared", "board", "copy")
"""The facts that every chapter ends with."""

CHAPTERS = {
    "stance": Told(stance.BASELINES, ["family", "corpus", "release", "build", *ENDS]),
    "pairs": Told(pairs.BASELINES, ["family", "corpora", "release", "quotas", "pairing", "build", *ENDS]),
    "dialogues": Told(
        dialogues.BASELINES,
        ["family", "author", "release", "gate", "making", "build", *ENDS],
        sources="work",
    ),
}
"""By family what its chapter has."""

FEW_DIALOGUES = dialogues_chapter.RECIPE.replace(
    "per_subscale = 2", 'per_subscale = 2\nsubscales = ["interpersonal_empathy"]'
)
"""The recipe of dialogues for runs in which their number says nothing."""

QUICK = 2
"""Rules that a run marks where the marks are not looked at."""

FEW = {
    stance_chapter: Among(["uniform", reader.STEM], ["auroc"], matched=True),
    pairs_chapter: Among(["uniform", "always-Tie"], ["accuracy"]),
    dialogues_chapter: Among(["uniform", "always-first"], ["acc_traj"]),
}
"""By chapter what is compared where it is not looked at closely: those that are always marked, in one metric."""


def compare_few(patch: pytest.MonkeyPatch) -> None:
    """Compare few judges in one metric."""
    for told, among in FEW.items():
        patch.setattr(told, "COMPARED", among)


@pytest.fixture(scope="module", autouse=True)
def measured_once(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Every run has the same clips."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("EARMARK_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


class Run(NamedTuple):
    """A demo that was run.

    Args:
        out: Its folder.
        called: The same as it was typed, and stands in what is told.
        text: What was told.
        corpora: Whether its corpora were kept.
    """

    out: Path
    called: Path
    text: str
    corpora: bool


class Tutorial(NamedTuple):
    """The tutorial as it was followed: the demo that it begins with, and what was not as the page says."""

    demo: Run
    problems: list[str]


@pytest.fixture(scope="module")
def tutorial(tmp_path_factory: pytest.TempPathFactory) -> Tutorial:
    """What somebody has who followed the tutorial; its demo is of stance and of pairs."""
    folder, stories = tmp_path_factory.mktemp("reader"), list[Story]()

    def told(*args: Path, **options: object) -> Story:
        stories.append(tell(*args, **options))
        return stories[-1]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(demonstration, "tell", told)
        # Synthesised speech is the same on one platform only, and so is what is measured in it.
        problems = follow(DOCS / "tutorial.md", folder, compare=sys.platform == "linux", apart=False)
    (story,) = stories
    return Tutorial(Run(folder / "demo", Path("demo"), story.text(), corpora=True), problems)


@pytest.fixture(scope="module")
def of_dialogues(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A demo of few dialogues, which the tutorial leaves out."""
    out = tmp_path_factory.mktemp("small") / "demo"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dialogues_chapter, "RECIPE", FEW_DIALOGUES)
        compare_few(patch)
        story = tell(out, force=False, keep_corpus=False, dyads=4, progress=lambda *_: None, families=["dialogues"])
    return Run(out, out, story.text(), corpora=False)


@pytest.fixture(scope="module")
def small(tutorial: Tutorial, of_dialogues: Run) -> Mapping[str, Run]:
    """By family the demo that tells of it, small."""
    return {"stance": tutorial.demo, "pairs": tutorial.demo, "dialogues": of_dialogues}


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tones in place of the voice, short conversations and few judges: the story is the same and told sooner."""

    def tones(root: Path, *, seed: int, dyads: int, scale: float, jobs: int) -> object:
        return seamless.make_seamless(root, seed=seed, dyads=dyads, scale=min(scale, 0.5), jobs=jobs, speech=False)

    def few(release: Release) -> SimpleNamespace:
        return SimpleNamespace(BASELINES=CHAPTERS[release.family.name].rules[:QUICK])

    monkeypatch.setattr(stance_chapter, "make_seamless", tones)
    monkeypatch.setattr(chapter, "family_marks", few)
    monkeypatch.setattr(pairs_chapter, "figures", lambda _: ("", ""))
    monkeypatch.setattr(dialogues_chapter, "RECIPE", FEW_DIALOGUES)
    compare_few(monkeypatch)


def test_the_tutorial_is_true(tutorial: Tutorial) -> None:
    """In one process; `tests/docs/test_following.py` types each of its commands in one of its own."""
    assert tutorial.problems == []


def test_a_small_demo_tells_the_whole_story(earmark: Earmark, small: Mapping[str, Run]) -> None:
    told = [
        chapter_text
        for run in (small["stance"], small["dialogues"])
        for chapter_text in run.text.partition("\n\nOpen in a browser:\n")[0].split("\n\n\n")
    ]
    last = []
    assert [*CHAPTERS] == [*FAMILIES] == [*Family]
    for (family, (rules, facts, sources)), chapter_text in zip(CHAPTERS.items(), told, strict=True):
        out, called, _, corpora = small[family]
        lines = chapter_text.splitlines()
        assert [line.split()[0] for line in lines[: len(facts)]] == facts
        assert lines[0].startswith(f"family    {family}: ")
        assert "validate  no findings" in lines
        names = [rule.name for rule in rules]
        table = lines.index(next(line for line in lines if line.startswith("judge that does not listen")))
        assert [line.split("  ")[0] for line in lines[table + 1 : table + 1 + len(names)]] == names
        pages = [Path(family) / "reports" / rule.stem / "report.html" for rule in rules]
        assert all((out / page).is_file() for page in pages)
        last.append(f"  {called / pages[-1]}")
        release = out / family / "release"
        assert not validate(open_release(release)).failed
        inside = ["comparison", "leaderboard", "predictions", "published", "recipe.toml", "release", "reports"]
        inside += [sources] if corpora else []
        assert sorted(path.name for path in (out / family).iterdir()) == sorted(inside)
        for file in (out / family / "predictions").iterdir():
            assert earmark("check", file, "--release", release).code == FINE
        for fact, page in (("compared", "comparison/comparison.html"), ("board", "leaderboard/leaderboard.html")):
            (line,) = [line for line in lines if line.split()[:1] == [fact]]
            assert line.split()[1] == f"{called / family / page}:"
            assert (out / family / page).is_file()
        board = json.loads((out / family / "leaderboard" / "leaderboard.json").read_text(encoding="utf-8"))
        standing = [row for table in board["boards"] for row in table["standings"]]
        assert len(standing) == len(list((out / family / "reports").iterdir())) == len(rules) + (family == "stance")
    assert "corpus    12 conversations " in told[0]
    assert small["stance"].text.splitlines()[-3:] == ["Open in a browser:", *last[:2]]
    assert small["dialogues"].text.splitlines()[-2:] == ["Open in a browser:", *last[2:]]
    for run in small.values():
        inside = [family for family in CHAPTERS if small[family] is run]
        assert sorted(path.name for path in run.out.iterdir()) == sorted([MARK, "demo.key", *inside])


@pytest.mark.parametrize("family", CHAPTERS)
def test_each_chapter_ends_with_a_copy_that_tells_no_answer(
    earmark: Earmark, small: Mapping[str, Run], family: str
) -> None:
    """The line counts the files as a walk does, all but the list itself."""
    run = small[family]
    copy = run.out / family / "published"
    files = [path for path in copy.rglob("*") if path.is_file() and path.name != CHECKSUMS]
    called = run.called / family / "published"
    told = f"copy      {called}: {len(files)} files, every byte as listed, and no answer among them"
    assert sum(line.startswith(told) for line in run.text.splitlines()) == 1
    said = earmark("verify", copy)
    assert (said.code, said.err) == (FINE, "")
    release = open_release(copy)
    assert release.manifest.content_hash == open_release(copy.parent / "release").manifest.content_hash
    assert not release.has_private_side
    assert not (copy / "private").exists()


def test_the_modalities_of_stance_stand_apart_and_what_words_are_too_few_for_is_left_out(
    small: Mapping[str, Run],
) -> None:
    """The reader's answers are those of a count of words that knows nothing of the program."""
    folder = small["stance"].out / "stance"
    board = json.loads((folder / "leaderboard" / "leaderboard.json").read_text(encoding="utf-8"))
    assert sorted(table["modality"] for table in board["boards"]) == ["audio", "transcript"]
    release = open_release(folder / "release")
    sources = {row["clip_id"]: row["text"] for row in release.table("sources").to_pylist()}
    words = {
        row["item_id"]: len(sources[row["clip_id"]].split())
        for row in release.table("item_clips").to_pylist()
        if row["role"] == "target"
    }
    facet = {row["item_id"]: row["facet"] for row in release.table("items").to_pylist()}
    item = {row["presentation_id"]: row["item_id"] for row in release.table("presentations").to_pylist()}
    lines = (folder / "predictions" / f"{reader.STEM}.jsonl").read_text(encoding="utf-8").splitlines()[1:]
    rows = [json.loads(line) for line in lines]
    assert len(rows) == 2 * len(facet)
    for row in rows:
        mine = item[row["presentation_id"]]
        alike = [words[other] for other in facet if facet[other] == facet[mine]]
        if words[mine] < reader.FEWEST:
            assert row["status"] == "abstained"
        else:
            assert (row["choice"] == "P") == (words[mine] > statistics.median(alike))
            assert 0.5 <= row["probability"] <= 1
    matched = json.loads((folder / "comparison" / "comparison.json").read_text(encoding="utf-8"))["matched"]
    assert matched["items"] == len(facet)
    assert matched["items"] - matched["kept"] == sum(count < reader.FEWEST for count in words.values())


def test_every_quota_of_the_pairs_is_filled(small: Mapping[str, Run]) -> None:
    """The miniatures have what the recipe asks for: 2 x 32 of style, 3 x 8, 18, 3 x 8, 2 x 16 and 2 x 8 of gender."""
    release = open_release(small["pairs"].out / "pairs" / "release")
    cells = cells_of(release)
    assert [cell for cell in cells if cell.filled != cell.demand] == []
    items = {facet.id: facet.items for facet in release.manifest.facets}
    assert items == {"style": 64, "rate": 24, "emphasis": 18, "age": 24, "gender": 48, "control": 15}
    one = 2 * 16 + 24 + 9 + 24 + 2 * 8 + 2 * 4
    said = (
        f"{len(cells)} cells, each filled to the pair: {one} pairs with a better clip, {178 - one} ties, in both orders"
    )
    assert filled(cells) == said
    assert said in small["pairs"].text


def test_a_quota_that_is_short_is_told(small: Mapping[str, Run]) -> None:
    first, *others = cells_of(open_release(small["pairs"].out / "pairs" / "release"))
    short = msgspec.structs.replace(first, filled=first.filled - 1)
    assert filled([short, *others]).startswith(f"{len(others) + 1} cells, 1 of them not filled: 177 of 178 pairs: ")


def test_the_lesson_of_pairs_is_in_the_figures(small: Mapping[str, Run]) -> None:
    """Two criteria have no ties and three have as many as they have pairs with a better clip."""
    lines = small["pairs"].text.splitlines()
    row = {line.split("  ")[0]: line.split()[-7:] for line in lines}
    assert row["always Tie"] == ["0.00", "1.00", "0.50", "0.00", "0.50", "0.00", "0.50"]
    assert row["perfect, never Tie"] == ["1.00", "0.00", "0.50", "1.00", "0.50", "1.00", "0.50"]
    assert "Always saying Tie gets 0.30, and hearing every difference without ever saying Tie gets 0.70." in lines


def test_the_gate_of_the_dialogues_is_told_as_the_attempts_have_it(small: Mapping[str, Run]) -> None:
    release = open_release(small["dialogues"].out / "dialogues" / "release")
    attempts = release.table("attempts").to_pylist()
    chosen = [(row["dialogue"], row["turn"]) for row in attempts if row["option"] != "context" and row["used"]]
    assert len(chosen) == 2 * len(set(chosen)) == 2 * len(release.table("items"))
    told = gate_fact(release.path / "private" / "build.json")
    pairs_told = f"{len(set(chosen))} of {len(set(chosen))} pairs of options differ enough by profile default"
    assert told == f"{pairs_told}; {len(attempts)} clips were spoken"
    assert f"gate      {told}" in small["dialogues"].text.splitlines()


@pytest.mark.parametrize("families", [("stance",), pytest.param(tuple(CHAPTERS), marks=pytest.mark.slow)], ids=len)
@pytest.mark.usefixtures("quick")
def test_everybodys_demo_is_the_same_and_replaces_only_a_demo_and_only_when_asked(
    earmark: Earmark, tmp_path: Path, families: tuple[str, ...]
) -> None:
    out = tmp_path / "demo"
    words = ("demo", "--dyads", 2, "--out", out, *(word for family in families for word in ("--family", family)))
    assert earmark(*words, "--quiet") == (FINE, "", "")
    assert not any((out / family / CHAPTERS[family].sources).exists() for family in families)
    first = files_of(out)
    said = earmark(*words)
    assert said == (COULD_NOT_RUN, "", f"earmark: {out} exists; give --force to replace it\n")
    assert files_of(out) == first
    said = earmark(*words, "--force", "--json", "--keep-corpus")
    assert (said.code, said.err) == (FINE, "")
    again = files_of(out)
    assert {name: again[name] for name in first} == first
    value = json.loads(said.out)
    assert sorted(value) == sorted(families)
    for family in families:
        rules, _, sources = CHAPTERS[family]
        told, folder = value[family], out / family
        assert told["content_hash"] == open_release(folder / "release").manifest.content_hash
        assert told["corpus"] == str(folder / sources)
        assert told["validate"]["summary"] == {"error": 0, "warning": 0, "note": 0}
        assert [judge["name"] for judge in told["judges"]] == [rule.name for rule in rules[:QUICK]]
        pages = [folder / "comparison" / "comparison.html", folder / "leaderboard" / "leaderboard.html"]
        assert [told["comparison"], told["leaderboard"]] == [str(page) for page in pages]
        line = (folder / "recipe.toml").read_text(encoding="utf-8").splitlines()[1].removeprefix("# earmark ")
        typed = line.replace(f"{family}/recipe.toml", str(folder / "recipe.toml"))
        typed = typed.replace("demo.key", str(out / "demo.key")).replace("again", str(tmp_path / family))
        assert earmark(*typed.split(), "--quiet").code == FINE
        assert open_release(tmp_path / family).manifest.content_hash == told["content_hash"]
    (out / MARK).unlink()
    said = earmark(*words, "--force")
    assert said == (COULD_NOT_RUN, "", f"earmark: {out} exists; it is no demo's; choose another\n")
    assert (out / "stance" / "corpus" / "assignment.csv").is_file()


def test_families_that_are_named_are_told_of_in_their_order_and_no_other(
    monkeypatch: pytest.MonkeyPatch, earmark: Earmark, tmp_path: Path
) -> None:
    told = []

    def teller(folder: Path, *_: object, **__: object) -> SimpleNamespace:
        told.append(folder.name)
        judges = [SimpleNamespace(page=folder / page) for page in ("first.html", "last.html")]
        return SimpleNamespace(
            family=folder.name, judges=judges, text=lambda: f"of {folder.name}", as_json=lambda: None
        )

    for family in FAMILIES:
        monkeypatch.setattr(f"earmark.cli.demonstration.tell_{family}", teller)
    words = ("--family", "dialogues", "--family", "stance")
    assert json.loads(earmark("demo", *words, "--out", tmp_path / "demo", "--json").out) == dict.fromkeys(told)
    assert told == ["stance", "dialogues"]
    told.clear()
    out = tmp_path / "every"
    said = earmark("demo", "--out", out)
    assert told == [*FAMILIES]
    pages = "".join(f"  {out / family / 'last.html'}\n" for family in FAMILIES)
    texts = "\n\n\n".join(f"of {family}" for family in FAMILIES)
    assert said == (FINE, f"{texts}\n\nOpen in a browser:\n{pages}", "")
    assert sorted(path.name for path in out.iterdir()) == sorted([MARK, "demo.key"])


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

    monkeypatch.setattr(stance_chapter, "make_seamless", fail)
    assert earmark("demo", "--out", tmp_path / "demo") == (code, "", says)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("package", "extra", "name"),
    [
        ("soundfile", "build", "soundfile"),
        ("soxr", "build", "soxr"),
        ("parselmouth", "build", "praat-parselmouth"),
        ("pyloudnorm", "build", "pyloudnorm"),
        ("sklearn", "build", "scikit-learn"),
        ("espeakng_loader", "voice", "espeakng-loader"),
    ],
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


def compared(**matched: tuple[float | None, float | None]) -> Comparison:
    """A comparison of two judges whose AUROC over matched items differs by a value, with a p."""
    nothing = {"unit": "1", "first_value": None, "second_value": None, "first_n": 9, "second_n": 9}
    differences = [
        DifferenceEntry(
            first="one",
            second="other",
            metric=metric,
            facet="overall",
            value=value,
            p=p,
            first_coverage=None,
            second_coverage=None,
            intervals=(IntervalEntry(by="speaker", clusters=30, method="m", level=0.95, low=-0.25, high=0.125),),
            **nothing,  # type: ignore[arg-type]  # by name, each of its own type
        )
        for metric, (value, p) in matched.items()
    ]
    groups = GroupsEntry(
        modality="audio",
        metric="accuracy",
        facet="overall",
        judges=("one", "other", "third"),
        letters=("a", "ab", "b"),
        groups=(("one", "other"), ("other", "third")),
    )
    return Comparison(
        signature={},
        headline="accuracy",
        leading=("accuracy",),
        facets={},
        label_source="",
        judges=(),
        pairs=(),
        figures=(),
        differences=(),
        groups=(groups, dataclasses.replace(groups, facet="S0"), dataclasses.replace(groups, metric="auroc")),
        standings=(),
        agreements=(),
        gathered=(),
        matched=MatchedEntry(items=9, kept=7, lost={}, with_group=0, figures=(), differences=tuple(differences))
        if matched
        else None,
    )


@pytest.mark.parametrize(
    ("value", "p", "told"),
    [
        (-0.0625, 0.625, "AUROC -0.06 [-0.25, +0.12], p 0.62, so no difference is shown."),
        (0.5, 0.03125, "AUROC +0.50 [-0.25, +0.12], p 0.03, so they differ."),
        (0.5, 0.05, "AUROC +0.50 [-0.25, +0.12], p 0.05, so no difference is shown."),
        (None, None, "AUROC is undefined for one of them."),
    ],
)
def test_what_sets_judges_apart_is_told_as_it_is(value: float | None, p: float | None, told: str) -> None:
    found = compared(auroc=(value, p), eer=(1.0, 0.001))
    head = "Heard less read, over the 7 of 9 items that both judges answered:"
    assert matched_told(found, "auroc", "AUROC", "Heard less read").splitlines() == [head, told]
    assert matched_told(compared(), "auroc", "AUROC", "Heard less read") == ""
    letters = "Judges that share a letter are not told apart in Acc: one (a), other (ab), third (b)."
    assert letters_told(found, "accuracy", "Acc") == letters


Ends = tuple[float, float | None, float | None]


def test_the_story_is_told_as_the_intervals_have_it(tmp_path: Path) -> None:
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
        return "\n".join(stance_chapter.figures([Marked("louder", report, tmp_path / "r.html")])).splitlines()

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


def trajectories(tmp_path: Path, **found: Ends) -> list[str]:
    """What the chapter on dialogues makes of trajectory accuracies."""
    judges = []
    for name, (value, low, high) in found.items():
        entries = [
            MetricEntry(
                metric=metric,
                facet="overall",
                value=value * scale,
                n=9,
                chance=0.25,
                intervals=(
                    IntervalEntry(
                        by="dialogue",
                        clusters=30,
                        method="m",
                        level=0.95,
                        low=None if low is None else low * scale,
                        high=None if high is None else high * scale,
                    ),
                ),
            )
            for metric, scale in (("acc_traj", 1), ("seq", 100))
        ]
        report = Report(
            signature={}, submission={}, label_source="", headline="acc_traj", counts={}, metrics=tuple(entries)
        )
        judges.append(Marked(name, report, tmp_path / "r.html"))
    return "\n".join(dialogues_chapter.figures(judges)).splitlines()


def test_the_story_of_dialogues_is_told_as_the_intervals_have_it(tmp_path: Path) -> None:
    off: dict[str, Ends] = {"uniform": (0.75, 0.5, 1.0), "always-first": (0.0, 0.0, 0.125)}
    unsure: dict[str, Ends] = {"quieter": (0.25, 0.25, 0.5), "longer": (0.125, 0.0, 0.25), "lower": (0.75, None, None)}
    lines = trajectories(tmp_path, **off, **unsure)
    lesson = "Whether an option is quieter, longer or lower tells nothing sure of both turns: "
    assert any(line.startswith(lesson) for line in lines)
    assert [line.split("  ")[0] for line in lines[1:6]] == [*off, *unsure]
    assert lines[1].split() == ["uniform", "—", "—", "0.75", "[0.50,", "1.00]", "75", "[50,", "100]"]
    assert lines[5].split() == ["lower", "—", "—", "0.75", "75"]
    sure: dict[str, Ends] = {"quieter": (0.125, 0.0, 0.1875), "longer": (0.5, 0.375, 0.75), "lower": (0.25, 0.125, 0.5)}
    lines = trajectories(tmp_path, **off, **sure)
    told = "Without listening, trajectories are told apart from chance, 0.25: quieter below it, longer above it. "
    assert lines[-1].startswith(told)
    assert not any(line.startswith("Whether") for line in lines)
    (lesson,) = trajectories(tmp_path, **off)[3:]
    assert lesson == "SEQ is against the systems of SpeechEQ's Table 3 (speecheq-table3), which heard other dialogues."


@pytest.mark.parametrize(
    "words", [["--dyads", "1"], ["--dyads", "501"], ["--out", "/"], ["--rate", "8000"], ["--family", "x"]]
)
def test_wrong_options_are_said(earmark: Earmark, tmp_path: Path, words: list[str]) -> None:
    said = earmark("demo", *words)
    assert (said.code, said.out) == (COULD_NOT_RUN, "")
    assert words[0] in said.err


@pytest.mark.slow
def test_the_demo_tells_what_the_readme_shows(
    earmark: Earmark, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is measured in synthesised speech is the same on one platform only; what it teaches is on all."""
    monkeypatch.chdir(tmp_path)
    said = earmark("demo", "--out", "demo")
    assert said.code == FINE
    lesson = next(line for line in said.out.splitlines() if line.startswith("Loudness alone beats chance on "))
    tells, misleads = lesson.split(" and falls below it on ")
    assert "S3" in tells
    assert "S7" in misleads
    found = read_report(tmp_path / "demo" / "dialogues" / "reports" / "always-first" / "report.json")
    right = [entry and entry.value for entry in map(found.find, ("acc_1", "acc_2", "acc_traj"))]
    assert right == [0.5, 0.5, 0.25]
    lesson = next(
        line for line in said.out.splitlines() if line.startswith("Whether an option is quieter, longer or lower ")
    )
    assert lesson.endswith("chance, 0.25, lies in each interval.")
    if sys.platform == "linux":
        shown = next(
            block for block in blocks((ROOT / "README.md").read_text(encoding="utf-8")) if block.language == "text"
        )
        assert said.out == shown.text
