"""What a published copy has of baselines: with open gold all with their reports, with hidden gold nothing that tells an answer.

With hidden gold these are the predictions of rules that know no answer, and one value of each rule with an interval, both to
two decimals. A whole report would tell single answers, since some of its figures are over few items. Even one value would where
the headline is over so few units that one more that is right shows in its second decimal; there it is not told. A rule that
follows what was measured tells only what anybody can measure who has the audio.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from earmark.manifests.canonical import Json, json_text
from earmark.manifests.report import ALL, OVERALL
from earmark.pages.formats import number, percent
from earmark.scoring.baselines.every import every_baseline
from earmark.scoring.baselines.predictions import write_guesses
from earmark.scoring.baselines.writing import Progress, why_no_reports, write_baselines
from earmark.scoring.decisions import owed_presentations
from earmark.scoring.families import FiguredMarks, family_marks
from earmark.scoring.guesses import guessed
from earmark.scoring.ladder.credit import CreditedMarks
from earmark.scoring.measuring import Options

if TYPE_CHECKING:
    from pathlib import Path

    from earmark.manifests.release import Release
    from earmark.manifests.report import IntervalEntry, MetricEntry
    from earmark.scoring.baselines.rule import Baseline
    from earmark.scoring.decisions import Decisions, Owed

HEADLINES = "headlines.json"
"""With hidden gold: one value of each rule."""

DECIMALS = 2
"""Of a value whose gold is hidden."""

TOO_FEW = "the answers are hidden, and over so few units two decimals would tell single ones"


@dataclass(frozen=True, kw_only=True)
class PublishedBaseline:
    """What is told of a rule.

    Args:
        baseline: The rule.
        file: Name of its prediction file; None where it could not answer, or would tell answers.
        protocol: The protocol whose presentations it answered.
        metric: Name of the headline.
        value: Its value; None where it is undefined or not told.
        interval: Its first interval.
        reason: Why there is no value.
    """

    baseline: Baseline
    file: str | None
    protocol: str
    metric: str
    value: float | None
    interval: IntervalEntry | None = None
    reason: str | None = None

    @property
    def interval_text(self) -> str | None:
        """The interval in words, such as "95 % interval 0.410 to 0.590"; None if there is none."""
        found = self.interval
        if self.value is None or found is None or found.low is None or found.high is None:
            return None
        return f"{percent(found.level)} interval {number(found.low)} to {number(found.high)}"

    def as_json(self) -> Mapping[str, Json]:
        """The same as plain values."""
        found = self.interval if self.value is not None else None
        return {
            "name": self.baseline.name,
            "means": self.baseline.means,
            "file": self.file,
            "value": self.value,
            "level": None if found is None else found.level,
            "low": None if found is None else found.low,
            "high": None if found is None else found.high,
            "reason": self.reason,
        }


def published_baselines(
    release: Release, out: Path, *, open_gold: bool, progress: Progress, options: Options | None = None
) -> tuple[PublishedBaseline, ...]:
    """Write the folder of baselines of a published copy, for the release's first protocol.

    Args:
        release: The release as it was built.
        out: Folder; made where it is absent.
        open_gold: Whether the answers are published.
        progress: Told how far it is.
        options: How intervals are made.

    Raises:
        ReleaseError: If a table is damaged.
    """
    out.mkdir(parents=True, exist_ok=True)
    options = options or Options()
    owed = owed_presentations(release, release.protocol())
    rules = every_baseline(family_marks(release))
    if open_gold:
        return _open(release, owed, rules, out, progress, options)
    told = _hidden(release, owed, rules, out, progress, options)
    manifest = release.manifest
    said: Mapping[str, Json] = {
        "canary": manifest.canary,
        "release": f"{manifest.name}@{manifest.version}",
        "content_hash": manifest.content_hash,
        "protocol": owed.protocol,
        "metric": release.family.headline,
        "decimals": DECIMALS,
        "baselines": [entry.as_json() for entry in told],
    }
    (out / HEADLINES).write_text(json_text(said), encoding="utf-8", newline="\n")
    return told


def headline_entry(release: Release, decisions: Decisions, options: Options) -> MetricEntry | None:
    """The headline with its intervals, None if there is none.

    Of a family whose figures can be told apart nothing else is measured.
    """
    marks, wanted = family_marks(release), (release.family.headline, OVERALL, ALL)
    module: object = marks
    if isinstance(module, FiguredMarks):
        figured = module.figured(release, decisions)
        leading = tuple(each for each in figured.figures if (each.metric, each.facet, each.slice) == wanted)
        entries = replace(figured, figures=leading, number=figured.whole).measured(options)
    else:
        entries = marks.evaluate(release, decisions, options)
    return next((entry for entry in entries if (entry.metric, entry.facet, entry.slice) == wanted), None)


def tells_single_answers(release: Release, decisions: Decisions) -> bool:
    """Whether one unit more that is right would move the headline by more than its last decimal that is told."""
    most, module = 1 / max(1, len(set(decisions.owed.item))), family_marks(release)
    if isinstance(module, CreditedMarks):
        credits = module.credited(release, decisions)
        most = 1.0 if credits is None else float(credits.weight.max())
    return most > 10.0**-DECIMALS + 1e-12


def _open(
    release: Release, owed: Owed, rules: tuple[Baseline, ...], out: Path, progress: Progress, options: Options
) -> tuple[PublishedBaseline, ...]:
    canary, metric = release.manifest.canary, release.family.headline
    told = []
    written = write_baselines(
        release, owed, rules, out, reports=True, progress=progress, canary=canary, options=options
    )
    for done in written:
        found = done.report.find(metric) if done.report is not None else None
        told.append(
            PublishedBaseline(
                baseline=done.baseline,
                file=done.file,
                protocol=owed.protocol,
                metric=metric,
                value=found.value if found is not None else None,
                interval=found.intervals[0] if found is not None and found.intervals else None,
                reason=done.reason if found is None else found.reason,
            )
        )
    return tuple(told)


def _hidden(
    release: Release, owed: Owed, rules: tuple[Baseline, ...], out: Path, progress: Progress, options: Options
) -> tuple[PublishedBaseline, ...]:
    manifest, unmarked, choices = release.manifest, why_no_reports(release), release.family.choices
    told = []
    for n, rule in enumerate(rules):
        progress("answering without listening", n, len(rules))
        entry = PublishedBaseline(
            baseline=rule, file=None, protocol=owed.protocol, metric=release.family.headline, value=None
        )
        guesses = rule.guess(release, owed)
        if isinstance(guesses, str):
            told.append(replace(entry, reason=guesses))
            continue
        if rule.knows == "nothing":
            entry = replace(entry, file=f"{rule.stem}.jsonl")
            write_guesses(rule, guesses, release, owed, out / f"{rule.stem}.jsonl", canary=manifest.canary)
        decisions = guessed(owed, guesses, choices)
        if unmarked is None and tells_single_answers(release, decisions):
            unmarked = TOO_FEW  # as it is of every other rule
        told.append(
            _with_headline(entry, release, decisions, options) if unmarked is None else replace(entry, reason=unmarked)
        )
    progress("answering without listening", len(rules), len(rules))
    return tuple(told)


def _with_headline(
    entry: PublishedBaseline, release: Release, decisions: Decisions, options: Options
) -> PublishedBaseline:
    found = headline_entry(release, decisions, options)
    if found is None or found.value is None:
        # Why a figure is undefined may say which answers there are none of.
        return replace(entry, reason="undefined")
    first = _coarse(found.intervals[0]) if found.intervals else None
    return replace(entry, value=_rounded(found.value), interval=first)


def _coarse(interval: IntervalEntry) -> IntervalEntry:
    """An interval to two decimals that does not say how many clusters it is by."""
    return replace(interval, by="", clusters=0, low=_rounded(interval.low), high=_rounded(interval.high), reason=None)


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, DECIMALS) + 0.0
