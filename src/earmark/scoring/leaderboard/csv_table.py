"""A leaderboard as one flat table for spreadsheets: a row per submission, facet and figure, every row complete in itself.

What figures are not for stands in every row too, in one sentence, since rows are copied one by one.

RFC 4180: commas, quotes doubled, lines that end with CR LF. What a stranger wrote has its control characters made visible, and
an apostrophe before it where a spreadsheet would take it for a formula; `leaderboard.json` has it as it came.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from typing import TypeAlias

from earmark.manifests.leaderboard import Board, Leaderboard, Standing
from earmark.manifests.report import OVERALL, BaselineEntry, MetricEntry, rounded_floats
from earmark.pages.purposes import out_of_scope_line
from earmark.pages.shown import shown

FILE = "leaderboard.csv"
"""Name of the table, beside the leaderboard."""

JUDGE = ("revision", "api_date", "access", "architecture", "persona", "template", "decoding")
COLUMNS = (
    "release", "content_hash", "answers_hash", "scorer", "protocol", "modality", "kind", "judge", *JUDGE,
    "owed", "ok", "missing", "failed", "unparsable", "abstained", "conflicting",
    "facet", "metric", "is_headline", "value", "unit", "n", "chance", "p", "p_adjusted", "reason",
    "interval_by", "interval_clusters", "interval_method", "interval_level", "interval_low", "interval_high", "interval_reason",
    "resamples", "seed", "report", "use",
)  # fmt: skip

STARTS = frozenset("=+-@\t\r\n＝＋－＠")
"""How a cell begins that some spreadsheet takes for a formula."""

_LONGEST = 1000

_Value: TypeAlias = str | float | None


def leaderboard_csv(leaderboard: Leaderboard) -> str:
    """The table; floats to six significant digits, nothing where there is nothing."""
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, lineterminator="\r\n")
    writer.writeheader()
    for board in leaderboard.boards:
        for row in _rows(board):
            writer.writerow(row)
    return text.getvalue()


def harmless(text: str) -> str:
    r"""A stranger's text as a cell that no spreadsheet computes.

    >>> harmless("=1+1"), harmless(" @x"), harmless("plain"), harmless("two\nlines")
    ("'=1+1", "' @x", 'plain', 'two\\nlines')
    """
    visible = shown(text, _LONGEST)
    if len(visible) > 2 * _LONGEST:  # mostly characters that are not seen, each of which takes up to ten to be spelt
        visible = shown(text, _LONGEST // 10)
    bare = visible.lstrip(" \u00a0\"'")  # some strip these before they look
    return f"'{visible}" if bare[:1] in STARTS and bare else visible


def _cells(of: Mapping[str, _Value]) -> dict[str, _Value]:
    return {name: harmless(value) if isinstance(value, str) else rounded_number(value) for name, value in of.items()}


def rounded_number(value: float | None) -> float | None:
    """A number to six significant digits, whole ones exact."""
    rounded = rounded_floats(value)
    return rounded if isinstance(rounded, int | float) else None


def _rows(board: Board) -> Iterator[dict[str, _Value]]:
    named = {name: str(board.ground.get(name)) for name in ("release", "content_hash", "answers_hash", "scorer")}
    use = out_of_scope_line(board.use) or None
    ground = _cells({**named, "protocol": board.protocol, "modality": board.modality, "use": use})
    for one in board.standings:
        # Spelt once: a stranger's settings may be as long as a stranger's list of figures.
        submission = _cells(_submission(one))
        for entry in one.metrics:
            figure = _cells({**_counts(one, entry.facet), **_figure(entry, board.headline)})
            yield {**ground, **submission, **figure}
    for rule in board.baselines:
        yield {**ground, **_cells({"kind": "rule", "judge": rule.name, **_baseline(rule, board.headline)})}


def _submission(one: Standing) -> dict[str, _Value]:
    said = {name: one.said(name) if one.judge.get(name) is not None else None for name in JUDGE}
    draws = {name: value for name, value in one.draws.items() if isinstance(value, int)}
    return {"kind": one.kind.value, "judge": one.name, **said, **draws, "report": one.report}


def _counts(one: Standing, facet: str) -> dict[str, _Value]:
    names = ("owed", "ok", "missing", "failed", "unparsable", "abstained", "conflicting")
    return {name: one.counts.get(facet, {}).get(name) for name in names}


def _figure(entry: MetricEntry, headline: str) -> dict[str, _Value]:
    first = entry.intervals[0] if entry.intervals else None
    return {
        "facet": entry.facet,
        "metric": entry.metric,
        "is_headline": "yes" if (entry.metric, entry.facet) == (headline, OVERALL) else "no",
        "value": entry.value,
        "unit": entry.unit,
        "n": entry.n,
        "chance": entry.chance,
        "p": entry.p,
        "p_adjusted": entry.p_adjusted,
        "reason": entry.reason,
        "interval_by": first.by if first else None,
        "interval_clusters": first.clusters if first else None,
        "interval_method": first.method if first else None,
        "interval_level": first.level if first else None,
        "interval_low": first.low if first else None,
        "interval_high": first.high if first else None,
        "interval_reason": first.reason if first else None,
    }


def _baseline(rule: BaselineEntry, headline: str) -> dict[str, _Value]:
    return {
        "facet": OVERALL,
        "metric": headline,
        "is_headline": "yes",
        "value": rule.value,
        "unit": "1",
        "reason": rule.reason,
    }
