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
    release: Release, out: Path, *, open_gold: bool, progress: Progress
) -> tuple[PublishedBaseline, ...]:
    """Write the folder of baselines of a published copy, for the release's first protocol.

    Args:
        release: The release as it was built.
        out: Folder; made where it is absent.
        open_gold: Whether the answers are published.
        progress: Told how far it is.

    Raises:
        ReleaseError: If a table is damaged.
    """
    out.mkdir(parents=True, exist_ok=True)
    owed = owed_presentations(release, release.protocol())
    rules = every_baseline(family_marks(release))
    if open_gold:
        return _open(release, owed, rules, out, progress)
    told = _hidden(release, owed, rules, out, progress)
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


def headline_entry(release: Release, decisions: Decisions, options: Options) -> MetricEntry:
    """The headline with its intervals; of a family whose figures can be told apart nothing else is measured.

    Raises:
        LookupError: If the family has no such figure.
    """
    marks, wanted = family_marks(release), (release.family.headline, OVERALL, ALL)
    module: object = marks
    if isinstance(module, FiguredMarks):
        figured = module.figured(release, decisions)
        leading = tuple(each for each in figured.figures if (each.metric, each.facet, each.slice) == wanted)
        entries = replace(figured, figures=leading).measured(options)
    else:
        entries = marks.evaluate(release, decisions, options)
    return next(entry for entry in entries if (entry.metric, entry.facet, entry.slice) == wanted)


def tells_single_answers(release: Release, decisions: Decisions) -> bool:
    """Whether one unit more that is right would move the headline by more than its last decimal that is told."""
    most, module = 1 / max(1, len(set(decisions.owed.item))), family_marks(release)
    if isinstance(module, CreditedMarks):
        credits = module.credited(release, decisions)
        most = 1.0 if credits is None else float(credits.weight.max())
    return most > 10.0**-DECIMALS + 1e-12


def _open(
    release: Release, owed: Owed, rules: tuple[Baseline, ...], out: Path, progress: Progress
) -> tuple[PublishedBaseline, ...]:
    canary, metric = release.manifest.canary, release.family.headline
    told = []
    for done in write_baselines(release, owed, rules, out, reports=True, progress=progress, canary=canary):
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
    release: Release, owed: Owed, rules: tuple[Baseline, ...], out: Path, progress: Progress
) -> tuple[PublishedBaseline, ...]:
    blind = [rule for rule in rules if rule.knows == "nothing"]
    canary = release.manifest.canary
    written = write_baselines(release, owed, blind, out, reports=False, progress=progress, canary=canary)
    files = {done.baseline: done.file for done in written}
    told = []
    for n, rule in enumerate(rules):
        progress("marking what does not listen", n, len(rules))
        told.append(_headline(release, owed, rule, files.get(rule)))
    progress("marking what does not listen", len(rules), len(rules))
    return tuple(told)


def _headline(release: Release, owed: Owed, rule: Baseline, file: str | None) -> PublishedBaseline:
    told = PublishedBaseline(
        baseline=rule, file=file, protocol=owed.protocol, metric=release.family.headline, value=None
    )
    guesses = rule.guess(release, owed)
    if isinstance(guesses, str):
        return replace(told, reason=guesses)
    if (why := why_no_reports(release)) is not None:
        return replace(told, reason=why)
    decisions = guessed(owed, guesses, release.family.choices)
    if tells_single_answers(release, decisions):
        return replace(told, reason=TOO_FEW)
    entry = headline_entry(release, decisions, Options())
    first = entry.intervals[0] if entry.intervals else None
    # Why a figure is undefined may say which answers there are none of.
    reason = "undefined" if entry.value is None else None
    return replace(told, value=_rounded(entry.value), interval=_coarse(first), reason=reason)


def _coarse(interval: IntervalEntry | None) -> IntervalEntry | None:
    """An interval to two decimals that does not say how many clusters it is by."""
    if interval is None:
        return None
    return replace(interval, by="", clusters=0, low=_rounded(interval.low), high=_rounded(interval.high), reason=None)


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, DECIMALS) + 0.0
