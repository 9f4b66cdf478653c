"""The chapter on dialogues: written by rules, spoken by eSpeak NG, and judged by what can be measured of an option."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from earmark.cli.demonstration.beside import Among, letters_told
from earmark.cli.demonstration.chapter import Chapter, Marked, build, release_fact, shown
from earmark.cli.tables import table
from earmark.scoring.norms import shipped_norm

if TYPE_CHECKING:
    from earmark.builders.media import Progress
    from earmark.manifests.report import MetricEntry

ACCURACIES = {"acc_1": "Acc1, turn 4", "acc_2": "Acc2, turn 6", "acc_traj": "Acc_traj, both"}
"""Accuracies of the table, and what they are called in it."""

MEASURING = ("quieter", "longer", "lower")
"""Rules that take an option by what can be measured of it."""

COMPARED = Among(MEASURING, ["acc_traj", "acc_1", "acc_2"])
"""What each of them gets by measuring, and whether it differs."""

WORK = "work"
"""Folder in which clips are made, as the recipe names it."""

RECIPE = """\
# The recipe of the demo's dialogues release, from the demo's folder:
# earmark build dialogues --recipe dialogues/recipe.toml --out again --media --rate 16000 --key demo.key
[release]
name = "synthetic-dialogues"
version = "1.0.0"
seed = 2026
published = "2026-12-01"
creators = ["The Earmark developers"]
url = "https://example.org/synthetic-dialogues"
licence = "CC0-1.0"

[dialogues]                    # of all 15 subscales; who writes, reads and speaks is not said, so it is done offline
per_subscale = 2

[presentations]
chains = ["sequential-2"]      # both turns in one conversation, twice: each option stands first once
modalities = ["audio", "transcript", "oracle"]

[work]                         # what is rendered; the demo removes it
folder = "work"
"""


class _Counted(msgspec.Struct):
    """Turns that the gate passed, of all that were spoken."""

    turns: int
    passed: int = msgspec.field(name="passed in the end")
    profile: str


class _Clips(msgspec.Struct):
    clips: int


class _Summary(msgspec.Struct):
    gate: _Counted
    attempts: _Clips


class _BuildReport(msgspec.Struct):
    """What the chapter tells of the build's own report."""

    summary: _Summary


def tell_dialogues(folder: Path, key: Path, *, keep_corpus: bool, jobs: int, progress: Progress) -> Chapter:
    """Write and speak dialogues, and build and judge a release of them.

    Args:
        folder: Folder to write; must not exist.
        key: The release line's key.
        keep_corpus: Whether the work folder with every clip stays.
        jobs: Processes to cut with.
        progress: Told how far it is.
    """
    folder.mkdir()
    made = build(
        "dialogues",
        folder,
        RECIPE,
        key,
        keep_corpus=keep_corpus,
        jobs=jobs,
        progress=progress,
        among=COMPARED,
        sources=WORK,
    )
    private = made.release.path / "private"
    facts = [
        ("family", "dialogues: which of two renderings of the same words fits the moment, at turn 4 and at turn 6?"),
        ("author", "Earmark's own: offline, no language model; spoken by eSpeak NG"),
        release_fact(made.release),
        ("gate", gate_fact(private / "build.json")),
        (
            "making",
            f"{private / 'build.html'}: the gate, every attempt, and whether a rule tells the options apart",
        ),
        ("build", f"{made.built.summary()} (tones are written by rules, and a reader of tones knows them)"),
    ]
    apart = letters_told(made.beside.comparison, "acc_traj", "Acc_traj")
    return Chapter("dialogues", facts, *figures(made.judges), apart, folder / WORK if keep_corpus else None, made)


def gate_fact(report: Path) -> str:
    """How many pairs of options sound different enough, as the build's own report counts them."""
    summary = msgspec.json.decode(report.read_bytes(), type=_BuildReport).summary
    gate = summary.gate
    passed = f"{gate.passed} of {gate.turns} pairs of options differ enough by profile {gate.profile}"
    return f"{passed}; {summary.attempts.clips} clips were spoken"


def figures(judges: Sequence[Marked]) -> tuple[str, str]:
    """The judges' figures, and what they teach."""
    header = ["judge that does not listen", *ACCURACIES.values(), "SEQ"]
    rows = [
        [
            judge.name,
            *(shown(judge.report.find(metric)) for metric in ACCURACIES),
            _points(judge.report.find("seq")),
        ]
        for judge in judges
    ]
    return table(header, rows), _lesson({judge.name: judge for judge in judges})


def _points(entry: MetricEntry | None) -> str:
    """SEQ with its interval, in whole points."""
    if entry is None or entry.value is None:
        return "—"
    for interval in entry.intervals[:1]:
        if interval.low is not None and interval.high is not None:
            return f"{entry.value:.0f} [{interval.low:.0f}, {interval.high:.0f}]"
    return f"{entry.value:.0f}"


def _lesson(judges: dict[str, Marked]) -> str:
    """Whether a rule that measures is surely off chance, in trajectories."""
    found = {name: judges[name].report.find("acc_traj") for name in MEASURING if name in judges}
    sure = {name: verdict for name, entry in found.items() if entry and (verdict := _verdict(entry))}
    chance = next((entry.chance for entry in found.values() if entry and entry.chance is not None), None)
    norm = f"SEQ is against the systems of SpeechEQ's Table 3 ({shipped_norm().name}), which heard other dialogues."
    if chance is None:
        return norm
    if sure:
        told = ", ".join(f"{name} {verdict}" for name, verdict in sure.items())
        return f"Without listening, trajectories are told apart from chance, {chance:.2f}: {told}. {norm}"
    return (
        f"Whether an option is {_either(list(found))} tells nothing sure of both turns: chance, {chance:.2f}, lies in each "
        f"interval.\n{norm}"
    )


def _verdict(entry: MetricEntry) -> str:
    """Where a figure surely lies; empty where chance is within its interval, or there is none."""
    low, high = next(((one.low, one.high) for one in entry.intervals), (None, None))
    if low is None or high is None or entry.chance is None or low <= entry.chance <= high:
        return ""
    return "above it" if low > entry.chance else "below it"


def _either(names: Sequence[str]) -> str:
    *first, last = names
    return f"{', '.join(first)} or {last}" if first else last
