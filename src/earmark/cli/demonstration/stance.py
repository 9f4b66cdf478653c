"""The chapter on stance: conversations spoken by eSpeak NG, and what loudness alone tells of them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from earmark.builders.miniatures.seamless import make_seamless
from earmark.cli.demonstration import reader
from earmark.cli.demonstration.beside import Among, matched_told
from earmark.cli.demonstration.chapter import Chapter, Marked, build, release_fact, shown
from earmark.cli.tables import table
from earmark.manifests.report import ALL, OVERALL

if TYPE_CHECKING:
    from earmark.builders.media import Progress

SEED, SCALE = 2026, 0.75

CHANCE = 0.5
"""AUROC of a judge that ignores the clip."""

COMPARED = Among(
    ["louder-is-positive", reader.STEM], ["auroc", "eer", "pole_consistency", "balanced_accuracy"], matched=True
)
"""Who hears only how loud somebody is, and who reads only how much they say."""

RECIPE = """\
# The recipe of the demo's stance release, from the demo's folder:
# earmark build stance --recipe stance/recipe.toml --out again --media --rate 16000 --key demo.key
[release]
name = "synthetic-demo"
version = "1.0.0"
seed = 2026
published = "2026-12-01"
creators = ["The Earmark developers"]
url = "https://example.org/synthetic-demo"
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


def tell_stance(folder: Path, key: Path, *, keep_corpus: bool, dyads: int, jobs: int, progress: Progress) -> Chapter:
    """Synthesise conversations, and build and judge a release of them.

    Args:
        folder: Folder to write; must not exist.
        key: The release line's key.
        keep_corpus: Whether the corpus stays.
        dyads: Conversations to synthesise.
        jobs: Processes to speak and to cut with.
        progress: Told how far it is.
    """
    folder.mkdir()
    progress("synthesising speech", 0, 1)
    make_seamless(folder / "corpus", seed=SEED, dyads=dyads, scale=SCALE, jobs=jobs)
    progress("synthesising speech", 1, 1)
    made = build(
        "stance",
        folder,
        RECIPE,
        key,
        keep_corpus=keep_corpus,
        jobs=jobs,
        progress=progress,
        among=COMPARED,
        others=[(reader.STEM, reader.read_words)],
    )
    corpus = folder / "corpus" if keep_corpus else None
    kept = corpus or "removed; --keep-corpus keeps them"
    facts = [
        ("family", "stance: is a speaker warm or cold, dominant or submissive … to the other?"),
        ("corpus", f"{dyads} conversations as Seamless Interaction has them, spoken by eSpeak NG ({kept})"),
        release_fact(made.release),
        ("build", f"{made.built.summary()} (a small corpus has small strata)"),
    ]
    apart = matched_told(made.beside.comparison, "auroc", "AUROC", "Loudness heard less words read")
    return Chapter("stance", facts, *figures(made.judges), apart, corpus, made)


def figures(judges: Sequence[Marked]) -> tuple[str, str]:
    """The judges' figures, and what they teach where there are enough of them to teach it."""
    telling, misleading = _loudness(judges)
    places = [OVERALL, *dict.fromkeys([*telling[:1], *misleading[-1:]])]
    header = ["judge that does not listen", "balanced accuracy", "AUROC", *(f"AUROC of {id}" for id in places[1:])]
    rows = [
        [
            judge.name,
            shown(judge.report.find("balanced_accuracy")),
            *(shown(judge.report.find("auroc", facet)) for facet in places),
        ]
        for judge in judges
    ]
    return table(header, rows), _lesson(telling, misleading)


def _loudness(judges: Sequence[Marked]) -> tuple[list[str], list[str]]:
    """The facets in which loudness alone is surely better and surely worse than chance, best first."""
    louder = judges[-1].report  # the family's own rule stands last
    found = [
        entry for entry in louder.metrics if (entry.metric, entry.slice) == ("auroc", ALL) and entry.facet != OVERALL
    ]
    ranked = sorted((entry for entry in found if entry.value is not None), key=lambda entry: -(entry.value or 0))
    ends = [(entry.facet, entry.intervals[0].low, entry.intervals[0].high) for entry in ranked]
    return (
        [facet for facet, low, _ in ends if low is not None and low > CHANCE],
        [facet for facet, _, high in ends if high is not None and high < CHANCE],
    )


def _lesson(telling: Sequence[str], misleading: Sequence[str]) -> str:
    if not telling or not misleading:
        return "These are too few conversations to show what loudness tells and where it misleads."
    tells, misleads = ", ".join(telling), ", ".join(misleading)
    return (
        f"Loudness alone beats chance on {tells} and falls below it on {misleads}: this corpus is synthetic and was made so.\n"
        "In a real one nobody knows before looking; a judge that listens must do better than such rules."
    )
