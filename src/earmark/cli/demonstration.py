"""The story that the demo tells, step by step, with what a person sees at the end."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from earmark.builders.making import Order, make
from earmark.builders.miniatures.seamless import make_seamless
from earmark.builders.recipes import read_toml
from earmark.cli.tables import table
from earmark.manifests.errors import DestinationExists
from earmark.manifests.release import Release, open_release
from earmark.manifests.report import OVERALL, MetricEntry, Report
from earmark.scoring.baselines import write_predictions
from earmark.scoring.decisions import owed_presentations
from earmark.scoring.face import family_marks, score, write_report
from earmark.validation.invariants import validate

if TYPE_CHECKING:
    from earmark.builders.media import Progress

SEED, RATE, SCALE = 2026, 16_000, 0.75

MARK = "earmark-demo"
"""Name of the file that says that a folder is a demo's, so that `--force` removes nothing else."""

RECIPE = """\
# The recipe of the demo: earmark build stance --recipe recipe.toml --out release --media
[release]
name = "demo-stance"
version = "1.0.0"
seed = 2026
licence = "CC0-1.0"

[corpus]
root = "corpus"
version = "miniature"
licence = "CC0-1.0"
assignments = "corpus/assignment.csv"
prompts = "corpus/interactions.csv"
filelist = "corpus/filelist.csv"

[sample]
share = 1.0
floor = 1
"""


def tell(out: Path, *, force: bool, keep_corpus: bool, dyads: int, progress: Progress) -> str:
    """Run the demo.

    Args:
        out: Folder to write.
        force: Remove an earlier demo's folder first.
        keep_corpus: Leave the corpus where it was synthesised, so that the recipe can be built again.
        dyads: Conversations to synthesise.
        progress: Told how far it is.

    Returns:
        What was done and where to look, for people.

    Raises:
        DestinationExists: If the folder exists and is no demo's, or `force` was not given.
        MissingExtra: If the voice or the audio packages are not installed.
    """
    if out.exists():
        if not force or not (out / MARK).is_file():
            hint = "give --force to replace it" if (out / MARK).is_file() else "it is no demo's; choose another"
            raise DestinationExists(f"{out} exists; {hint}")
        shutil.rmtree(out)
    out.mkdir(parents=True)
    (out / MARK).write_text("This folder was written by `earmark demo` and may be removed.\n", encoding="utf-8")
    jobs = min(8, os.cpu_count() or 1)
    progress("synthesising speech", 0, 1)
    make_seamless(out / "corpus", seed=SEED, dyads=dyads, scale=SCALE, jobs=jobs)
    progress("synthesising speech", 1, 1)
    (out / "recipe.toml").write_text(RECIPE, encoding="utf-8", newline="\n")
    order = Order(
        family="stance",
        recipe=read_toml(out / "recipe.toml"),
        base=out,
        out=out / "release",
        media=True,
        media_rate=RATE,
        jobs=jobs,
    )
    made = make(order, progress)
    kept = str(out / "corpus")
    if not keep_corpus:
        shutil.rmtree(out / "corpus")
        kept = "removed, --keep-corpus keeps it"
    release = open_release(out / "release")
    checked = validate(release)
    pages = _mark_baselines(release, out, progress)
    lines = [
        f"corpus    {dyads} conversations in the layout of Seamless Interaction, spoken by eSpeak NG ({kept})",
        f"release   {out / 'release'}: {_sizes(release)}",
        f"build     {made.findings.summary()} (small strata, as in any small corpus)",
        f"validate  {checked.summary()}",
        "",
        table(
            ["judge that does not listen", "balanced accuracy", "AUROC", "AUROC S3", "AUROC S7"],
            [_row(name, report) for name, report, _ in pages],
        ),
        "",
        "Loudness tells assertiveness (S3) and misleads on deference (S7); a judge that listens must do better than that.",
        "",
        *(f"report    {page}" for _, _, page in pages),
        "",
        f"Open {pages[-1][2]} in a browser.",
    ]
    return "\n".join(lines)


def _mark_baselines(release: Release, out: Path, progress: Progress) -> list[tuple[str, Report, Path]]:
    """Write, check and mark every baseline."""
    (out / "predictions").mkdir()
    owed = owed_presentations(release, release.protocol())
    rules = family_marks(release).BASELINES
    pages = []
    for done, rule in enumerate(rules):
        progress("marking judges", done, len(rules))
        file = out / "predictions" / f"{rule.name.replace(' ', '-')}.jsonl"
        write_predictions(rule, release, owed, file)
        scored = score(release, file)
        pages.append((rule.name, scored.report, write_report(release, scored, out / "reports" / file.stem)))
    progress("marking judges", len(rules), len(rules))
    return pages


def _sizes(release: Release) -> str:
    manifest = release.manifest
    items = sum(facet.items for facet in manifest.facets)
    presentations = sum(protocol.presentations for protocol in manifest.protocols)
    clips = manifest.tables["clips"].rows
    return f"{items} items over {len(manifest.facets)} dimensions, {clips} clips, {presentations} presentations"


def _row(name: str, report: Report) -> list[str]:
    places = (("balanced_accuracy", OVERALL), ("auroc", OVERALL), ("auroc", "S3"), ("auroc", "S7"))
    found = [report.find(metric, facet) for metric, facet in places]
    return [name, *(_shown(entry) for entry in found)]


def _shown(entry: MetricEntry | None) -> str:
    if entry is None or entry.value is None:
        return "—"
    first = entry.intervals[0]
    if first.low is None or first.high is None:
        return f"{entry.value:.2f}"
    return f"{entry.value:.2f} [{first.low:.2f}, {first.high:.2f}]"
