"""A chapter of the demo: one family's release, from corpora that were made for it to the marks of judges that do not listen."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from earmark.builders.making import Order, make
from earmark.builders.recipes import read_toml
from earmark.cli.demonstration.beside import Among, Beside, set_beside
from earmark.cli.demonstration.published import Copy, publish_hidden
from earmark.cli.info import sizes
from earmark.cli.tables import pairs
from earmark.manifests.findings import Findings
from earmark.manifests.release import Release, open_release
from earmark.manifests.report import MetricEntry, Report
from earmark.scoring.baselines import write_predictions
from earmark.scoring.decisions import owed_presentations
from earmark.scoring.face import score, write_report
from earmark.scoring.families import family_marks
from earmark.validation.invariants import validate

if TYPE_CHECKING:
    from earmark.builders.media import Progress
    from earmark.manifests.canonical import Json

RATE = 16_000
"""Rate of the audio of a demo's release, Hz."""


@dataclass(frozen=True)
class Marked:
    """One judge that does not listen, and its marks.

    Args:
        name: The rule.
        report: Its marks.
        page: The same to look at.
    """

    name: str
    report: Report
    page: Path


@dataclass(frozen=True)
class Built:
    """A release that was built, checked and judged.

    Args:
        release: The release.
        built: What the build found.
        checked: What `validate` found.
        judges: The marks, in the order of the family's rules.
        beside: The same judges beside each other.
        copy: The release as others get it.
    """

    release: Release
    built: Findings
    checked: Findings
    judges: Sequence[Marked]
    beside: Beside
    copy: Copy


@dataclass(frozen=True)
class Chapter:
    """What the demo did for one family, and what it teaches.

    Args:
        family: Name of the family.
        facts: Names and what they are.
        table: The judges' figures.
        lesson: What they teach.
        apart: What sets some of them apart.
        corpora: Where the corpora lie; None where they were removed.
        made: What was built of them.
    """

    family: str
    facts: Sequence[tuple[str, str]]
    table: str
    lesson: str
    apart: str
    corpora: Path | None
    made: Built

    @property
    def judges(self) -> Sequence[Marked]:
        """The judges and their marks."""
        return self.made.judges

    def text(self) -> str:
        """The chapter for people."""
        made = self.made
        facts = [
            *self.facts,
            ("validate", made.checked.summary()),
            ("reports", f"{self.judges[-1].page.parents[1]}: a page for each judge"),
            ("compared", f"{made.beside.compared}: {'; '.join(judge.name for judge in made.beside.comparison.judges)}"),
            ("board", f"{made.beside.board}: every report beside the others"),
            made.copy.fact(),
        ]
        return "\n\n".join([pairs(facts), self.table, self.lesson, self.apart])

    def as_json(self) -> dict[str, Json]:
        """The chapter for machines."""
        made = self.made
        return {
            "release": str(made.release.path),
            "content_hash": made.release.manifest.content_hash,
            "corpus": None if self.corpora is None else str(self.corpora),
            "build": made.built.as_json(),
            "validate": made.checked.as_json(),
            "comparison": str(made.beside.compared),
            "leaderboard": str(made.beside.board),
            "published": made.copy.as_json(),
            "judges": [
                {"name": judge.name, "report": judge.report.as_json(), "page": str(judge.page)} for judge in self.judges
            ],
        }


def build(
    family: str,
    folder: Path,
    recipe: str,
    key: Path,
    *,
    keep_corpus: bool,
    jobs: int,
    progress: Progress,
    among: Among,
    sources: str = "corpus",
    others: Sequence[tuple[str, Callable[[Release, Path], None]]] = (),
) -> Built:
    """Build a release of what lies in a folder, check it, mark every rule that does not listen, compare them, and publish it.

    Args:
        family: Name of the family.
        folder: Gets `recipe.toml`, `release`, `predictions`, `reports`, `comparison`, `leaderboard` and `published`.
        recipe: The recipe's text; its paths start in the folder.
        key: The release line's key.
        keep_corpus: Whether that folder stays.
        jobs: Processes to cut audio with.
        progress: Told how far it is.
        among: Which judges are compared, and in what.
        sources: Name of the folder in it that the release is cut from.
        others: Names of the files of other judges, and what writes them.
    """
    (folder / "recipe.toml").write_text(recipe, encoding="utf-8", newline="\n")
    order = Order(
        family=family,
        recipe=read_toml(folder / "recipe.toml"),
        base=folder,
        out=folder / "release",
        key=key,
        media=True,
        media_rate=RATE,
        jobs=jobs,
    )
    made = make(order, progress)
    if not keep_corpus:
        shutil.rmtree(folder / sources)
    release = open_release(folder / "release")
    checked = validate(release)
    judges = _mark_baselines(release, folder, progress)
    for stem, write in others:
        write(release, folder / "predictions" / f"{stem}.jsonl")
        _mark(release, folder, stem)
    progress("comparing judges", 0, 1)
    beside = set_beside(release, folder, among)
    progress("comparing judges", 1, 1)
    copy = publish_hidden(release, folder / "published", progress)
    return Built(release, made.findings, checked, judges, beside, copy)


def release_fact(release: Release) -> tuple[str, str]:
    """Where a release is and how large."""
    return "release", f"{release.path}: {sizes(release.manifest)}"


def shown(entry: MetricEntry | None, *, interval: bool = True) -> str:
    """A figure with its first interval, as it stands in a table."""
    if entry is None or entry.value is None:
        return "—"
    if interval and entry.intervals:
        first = entry.intervals[0]
        if first.low is not None and first.high is not None:
            return f"{entry.value:.2f} [{first.low:.2f}, {first.high:.2f}]"
    return f"{entry.value:.2f}"


def _mark_baselines(release: Release, folder: Path, progress: Progress) -> list[Marked]:
    """Write, check and mark every baseline."""
    (folder / "predictions").mkdir()
    owed = owed_presentations(release, release.protocol())
    rules = family_marks(release).BASELINES
    task = f"marking judges of {release.family.name}"
    judges = []
    for done, rule in enumerate(rules):
        progress(task, done, len(rules))
        write_predictions(rule, release, owed, folder / "predictions" / f"{rule.stem}.jsonl")
        judges.append(Marked(rule.name, *_mark(release, folder, rule.stem)))
    progress(task, len(rules), len(rules))
    return judges


def _mark(release: Release, folder: Path, stem: str) -> tuple[Report, Path]:
    """The marks of a prediction file, and the page they were written to."""
    scored = score(release, folder / "predictions" / f"{stem}.jsonl")
    return scored.report, write_report(release, scored, folder / "reports" / stem)
