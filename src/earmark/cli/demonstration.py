"""The story that the demo tells, step by step, with what a person sees at the end."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from earmark.builders.making import Order, make
from earmark.builders.miniatures.seamless import make_seamless
from earmark.builders.recipes import read_toml
from earmark.cli.info import sizes
from earmark.cli.tables import pairs, table
from earmark.manifests.errors import DestinationExists, MissingExtra
from earmark.manifests.findings import Findings
from earmark.manifests.release import Release, open_release
from earmark.manifests.report import ALL, OVERALL, MetricEntry, Report
from earmark.scoring.baselines import write_predictions
from earmark.scoring.decisions import owed_presentations
from earmark.scoring.face import family_marks, score, write_report
from earmark.validation.invariants import validate

if TYPE_CHECKING:
    from earmark.builders.media import Progress
    from earmark.manifests.canonical import Json

SEED, RATE, SCALE = 2026, 16_000, 0.75

CHANCE = 0.5
"""AUROC of a judge that ignores the clip."""

KEY = hashlib.sha256(b"earmark demo").digest()
"""The key of the demo is no secret, so that everybody's demo is the same."""

MARK = "earmark-demo"
"""Name of the file that says that a folder is a demo's, so that `--force` removes nothing else."""

RECIPE = """\
# The recipe of the demo: earmark build stance --recipe recipe.toml --out release --media --rate 16000 --key demo.key
[release]
name = "synthetic-demo"
version = "1.0.0"
seed = 2026
licence = "CC0-1.0"

[corpus]
root = "corpus"
version = "synthetic miniature"
licence = "CC0-1.0"
assignments = "corpus/assignment.csv"
prompts = "corpus/interactions.csv"
filelist = "corpus/filelist.csv"

[sample]
share = 1.0
floor = 1
"""


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
class Story:
    """What the demo did.

    Args:
        dyads: Conversations synthesised.
        corpus: Where they lie; None where they were removed.
        release: What was built of them.
        built: What the build found.
        checked: What `validate` found.
        judges: The marks.
    """

    dyads: int
    corpus: Path | None
    release: Release
    built: Findings
    checked: Findings
    judges: Sequence[Marked]

    def text(self) -> str:
        """The story for people."""
        kept = self.corpus or "removed; --keep-corpus keeps them"
        facts = [
            ("corpus", f"{self.dyads} conversations as Seamless Interaction has them, spoken by eSpeak NG ({kept})"),
            ("release", f"{self.release.path}: {sizes(self.release.manifest)}"),
            ("build", f"{self.built.summary()} (a small corpus has small strata)"),
            ("validate", self.checked.summary()),
        ]
        telling, misleading = self._loudness()
        places = [OVERALL, *dict.fromkeys([*telling[:1], *misleading[-1:]])]
        header = ["judge that does not listen", "balanced accuracy", "AUROC", *(f"AUROC of {id}" for id in places[1:])]
        return "\n".join(
            [
                pairs(facts),
                "",
                table(header, [[judge.name, *_cells(judge.report, places)] for judge in self.judges]),
                "",
                _lesson(telling, misleading),
                "",
                pairs([("report", str(judge.page)) for judge in self.judges]),
                "",
                f"Open {self.judges[-1].page} in a browser.",
            ]
        )

    def _loudness(self) -> tuple[list[str], list[str]]:
        """The facets in which loudness alone is surely better and surely worse than chance, best first."""
        louder = self.judges[-1].report  # the family's own rule stands last
        found = [
            entry
            for entry in louder.metrics
            if (entry.metric, entry.slice) == ("auroc", ALL) and entry.facet != OVERALL
        ]
        ranked = sorted((entry for entry in found if entry.value is not None), key=lambda entry: -(entry.value or 0))
        ends = [(entry.facet, entry.intervals[0].low, entry.intervals[0].high) for entry in ranked]
        return (
            [facet for facet, low, _ in ends if low is not None and low > CHANCE],
            [facet for facet, _, high in ends if high is not None and high < CHANCE],
        )

    def as_json(self) -> dict[str, Json]:
        """The story for machines."""
        return {
            "release": str(self.release.path),
            "content_hash": self.release.manifest.content_hash,
            "corpus": None if self.corpus is None else str(self.corpus),
            "build": self.built.as_json(),
            "validate": self.checked.as_json(),
            "judges": [
                {"name": judge.name, "report": judge.report.as_json(), "page": str(judge.page)} for judge in self.judges
            ],
        }


def tell(out: Path, *, force: bool, keep_corpus: bool, dyads: int, progress: Progress) -> Story:
    """Run the demo; a run that fails leaves nothing.

    Args:
        out: Folder to write.
        force: Remove an earlier demo's folder first.
        keep_corpus: Leave the corpus where it was synthesised, so that the recipe can be built again.
        dyads: Conversations to synthesise.
        progress: Told how far it is.

    Returns:
        What was done and where to look.

    Raises:
        DestinationExists: If the folder exists and is no demo's, or `force` was not given.
        MissingExtra: If the voice or the audio packages are not installed.
    """
    _require_packages()
    if out.exists():
        if not force or not (out / MARK).is_file():
            hint = "give --force to replace it" if (out / MARK).is_file() else "it is no demo's; choose another"
            raise DestinationExists(f"{out} exists; {hint}")
        shutil.rmtree(out)
    out.mkdir(parents=True)
    try:
        return _tell(out, keep_corpus, dyads, progress)
    except BaseException:
        shutil.rmtree(out, ignore_errors=True)
        raise


def _require_packages() -> None:
    """Say what is missing before a minute's work, not after it."""
    for extra, module, package in (
        ("build", "soundfile", "soundfile"),
        ("build", "soxr", "soxr"),
        ("voice", "espeakng_loader", "espeakng-loader"),
    ):
        try:
            import_module(module)
        except (ImportError, OSError) as error:  # the latter where the library that a package wraps is absent
            raise MissingExtra(extra, package) from error


def _tell(out: Path, keep_corpus: bool, dyads: int, progress: Progress) -> Story:
    told = "This folder was written by `earmark demo` and may be removed.\n"
    (out / MARK).write_text(told, encoding="utf-8", newline="\n")
    jobs = min(8, os.cpu_count() or 1)
    progress("synthesising speech", 0, 1)
    make_seamless(out / "corpus", seed=SEED, dyads=dyads, scale=SCALE, jobs=jobs)
    progress("synthesising speech", 1, 1)
    (out / "recipe.toml").write_text(RECIPE, encoding="utf-8", newline="\n")
    (out / "demo.key").write_bytes(KEY)
    order = Order(
        family="stance",
        recipe=read_toml(out / "recipe.toml"),
        base=out,
        out=out / "release",
        key=out / "demo.key",
        media=True,
        media_rate=RATE,
        jobs=jobs,
    )
    made = make(order, progress)
    if not keep_corpus:
        shutil.rmtree(out / "corpus")
    release = open_release(out / "release")
    return Story(
        dyads=dyads,
        corpus=out / "corpus" if keep_corpus else None,
        release=release,
        built=made.findings,
        checked=validate(release),
        judges=_mark_baselines(release, out, progress),
    )


def _mark_baselines(release: Release, out: Path, progress: Progress) -> list[Marked]:
    """Write, check and mark every baseline."""
    (out / "predictions").mkdir()
    owed = owed_presentations(release, release.protocol())
    rules = family_marks(release).BASELINES
    judges = []
    for done, rule in enumerate(rules):
        progress("marking judges", done, len(rules))
        file = out / "predictions" / f"{rule.name.replace(' ', '-')}.jsonl"
        write_predictions(rule, release, owed, file)
        scored = score(release, file)
        judges.append(Marked(rule.name, scored.report, write_report(release, scored, out / "reports" / file.stem)))
    progress("marking judges", len(rules), len(rules))
    return judges


def _lesson(telling: Sequence[str], misleading: Sequence[str]) -> str:
    """What the figures teach, where there are enough of them to teach it."""
    if not telling or not misleading:
        return "These are too few conversations to show what loudness tells and where it misleads."
    tells, misleads = ", ".join(telling), ", ".join(misleading)
    return (
        f"Loudness alone beats chance on {tells} and falls below it on {misleads}: this corpus is synthetic and was made so.\n"
        "In a real one nobody knows before looking; a judge that listens must do better than such rules."
    )


def _cells(report: Report, facets: Sequence[str]) -> list[str]:
    return [_shown(report.find("balanced_accuracy")), *(_shown(report.find("auroc", facet)) for facet in facets)]


def _shown(entry: MetricEntry | None) -> str:
    if entry is None or entry.value is None:
        return "—"
    first = entry.intervals[0]
    if first.low is None or first.high is None:
        return f"{entry.value:.2f}"
    return f"{entry.value:.2f} [{first.low:.2f}, {first.high:.2f}]"
