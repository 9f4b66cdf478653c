"""A leaderboard: reports of one release side by side, in tables that hold only what can be compared.

Tables are apart by everything that changes what a figure means: answers, scorer, protocol, and what stood for a clip. There are
no ranks in it, only an order: whoever overlaps is not told apart by it. It is written as deterministic JSON in ASCII, whatever
a stranger calls a judge, with no time stamp and no path.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from pathlib import Path

import msgspec

from earmark.manifests.canonical import Json, json_text
from earmark.manifests.report import (
    ALL,
    OVERALL,
    BaselineEntry,
    MetricEntry,
    UseEntry,
    rounded_floats,
    without_unsaid_use,
)

FORMAT = 1
"""Version of the file's form; a reader refuses what it does not know."""

UNDECLARED = "undeclared"
"""Where a submitter does not say."""

_NOT_ASCII = re.compile(r"[^\x00-\x7e]")


class Kind(StrEnum):
    """What stands in a row."""

    JUDGE = "judge"
    PEOPLE = "people"
    RULE = "rule"


@dataclass(frozen=True, kw_only=True)
class Standing:
    """One submission in a table.

    Args:
        kind: Whether it is a judge, people, or a rule that does not listen.
        name: What the submitter calls it; made from its report's hash where they do not.
        judge: All that they say of the judge.
        run: All that they say of the run.
        draws: What of the signature moves intervals and p by chance alone, such as `seed`.
        report: Hash of the report.
        counts: Per facet and overall, how many owed presentations came to which outcome.
        metrics: Every figure that leaves no part of a facet out.
    """

    kind: Kind
    name: str
    judge: Mapping[str, Json]
    run: Mapping[str, Json]
    draws: Mapping[str, Json]
    report: str
    counts: Mapping[str, Mapping[str, int]]
    metrics: tuple[MetricEntry, ...]

    def find(self, metric: str, facet: str = OVERALL) -> MetricEntry | None:
        """One figure over all of a facet, or None if the report lacks it."""
        return self._by_place.get((metric, facet))

    @cached_property
    def _by_place(self) -> Mapping[tuple[str, str], MetricEntry]:
        return {(entry.metric, entry.facet): entry for entry in self.metrics if entry.slice == ALL}

    def said(self, field: str) -> str:
        """A field of the judge as text; `UNDECLARED` where the submitter does not say.

        Settings are spelt as JSON.
        """
        value = self.judge.get(field)
        if value is None:
            return UNDECLARED
        return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True)

    @property
    def coverage(self) -> float | None:
        """Share of owed presentations with a valid answer; None where nothing is owed."""
        counts = self.counts[OVERALL]
        return counts["ok"] / counts["owed"] if counts["owed"] else None


@dataclass(frozen=True, kw_only=True)
class Board:
    """Submissions that can be compared.

    Args:
        ground: What of the signature they share.
        protocol: The protocol that they followed.
        modality: What stood for a clip.
        headline: Name of the metric that orders them.
        label_source: Where the gold is from.
        standings: The best first, undefined ones last.
        baselines: Rules that do not listen, as every report has them beside its headline.
        use: What the figures may be used for; None, and left out of the file, where no report says.
    """

    ground: Mapping[str, Json]
    protocol: str
    modality: str
    headline: str
    label_source: str
    standings: tuple[Standing, ...]
    baselines: tuple[BaselineEntry, ...]
    use: UseEntry | None = None

    def as_json(self) -> Mapping[str, Json]:
        """The table as plain JSON values, floats to six significant digits; what is not said of its use is left out."""
        value: Json = msgspec.to_builtins(self)
        rounded = rounded_floats(value)
        assert isinstance(rounded, dict)  # noqa: S101 - a dataclass becomes a mapping
        return without_unsaid_use(rounded)

    @property
    def facets(self) -> tuple[str, ...]:
        """Every facet with a headline, by name, without the overall one."""
        named = {entry.facet for one in self.standings for entry in one.metrics if entry.metric == self.headline}
        return tuple(sorted(named - {OVERALL}))


@dataclass(frozen=True, kw_only=True)
class Leaderboard:
    """Every table.

    Args:
        boards: By ground, protocol and modality.
    """

    boards: tuple[Board, ...]

    def as_json(self) -> Mapping[str, Json]:
        """The leaderboard as plain JSON values, floats to six significant digits."""
        return {"format": FORMAT, "boards": [board.as_json() for board in self.boards]}

    def text(self) -> str:
        """The file: equal leaderboards are equal text, all of it ASCII, so that no console can be led astray by it."""
        return _NOT_ASCII.sub(lambda found: json.dumps(found.group())[1:-1], json_text(self.as_json()))

    def write(self, path: Path) -> None:
        """Write the file."""
        path.write_text(self.text(), encoding="utf-8", newline="\n")
