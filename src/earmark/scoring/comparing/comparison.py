"""The verb: compare submissions to one release."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from earmark.manifests.comparison import Comparison, FigureEntry, MatchedEntry
from earmark.manifests.errors import EarmarkError, UnknownName
from earmark.manifests.findings import Findings
from earmark.manifests.report import ALL
from earmark.scoring.comparing.differences import differences, pairs_of
from earmark.scoring.comparing.entrants import Entrant, coverage_of, read_entrants
from earmark.scoring.comparing.matching import Matched, lost_csv, matched
from earmark.scoring.comparing.narrowing import narrowed
from earmark.scoring.comparing.standing import Standings
from earmark.scoring.decisions.counts import counts
from earmark.scoring.face import require_true_tables
from earmark.scoring.families import figured_marks
from earmark.scoring.measuring import Options, measure
from earmark.scoring.signature import signature

if TYPE_CHECKING:
    from earmark.manifests.canonical import Json
    from earmark.manifests.release import Release
    from earmark.scoring.decisions import Decisions
    from earmark.scoring.measuring.figured import Figured


_MOST_LEADING = 6  # metrics that come first where a family does not say which do

MOST_DIFFERENCES = 100_000
"""More than this take minutes and make a file that few programs open."""


@dataclass(frozen=True)
class Compared:
    """A comparison and what it was made from.

    Args:
        comparison: The figures.
        findings: What was wrong with the files.
        lost: The table of items that `matched` leaves out, as CSV; None where that was not asked for.
    """

    comparison: Comparison
    findings: Findings
    lost: str | None = None


def compare(
    release: Release,
    files: Sequence[str | Path],
    *,
    protocol: str | None = None,
    options: Options | None = None,
    metrics: Sequence[str] = (),
    only_matched: bool = False,
) -> Compared:
    """Compare prediction files.

    Args:
        release: A release with its private side.
        files: Two to 50 prediction files; each follows the protocol that it names. A difference is the earlier less the later.
        protocol: The protocol of files that name none; the release's first one without.
        options: How intervals are made.
        metrics: Metrics to compare; all of the family's where none is named.
        only_matched: Also the leading figures over the items that all of them answered validly.

    Raises:
        EarmarkError: If there are too few or too many files or differences, a file cannot be read, or the family hands out no
            figures.
        PrivateSideMissing: If this copy has no answers.
        ReleaseError: If the answers are not those of the release.
        UnknownName: If the release has no such protocol, or the family no such metric.
    """
    options = options or Options()
    findings = Findings()
    marks = figured_marks(release)
    require_true_tables(release)
    entrants = read_entrants(release, files, findings, protocol=protocol)
    figured = {one.name: marks.figured(release, one.decisions) for one in entrants}
    better, leading = figured[entrants[0].name].better, figured[entrants[0].name].leading
    known = dict.fromkeys(figure.metric for each in figured.values() for figure in each.figures if figure.slice == ALL)
    if unknown := [metric for metric in metrics if metric not in known]:
        raise UnknownName("metric", unknown[0], tuple(known))
    wanted = frozenset(metrics) or None
    _refuse_too_many(list(figured.values()), wanted)
    figures = [
        entry
        for one in entrants
        for entry in _figures(release, one.name, one.decisions, figured[one.name], options, wanted)
    ]
    found = differences(release, entrants, options, metrics=wanted, known=figured)
    judges = tuple(one.entry for one in entrants)
    ranked = {metric: way for metric, way in better.items() if wanted is None or metric in wanted}
    standings = Standings.of(judges, ranked, figures, found)
    unsaid = () if leading else (release.family.headline, *list(known)[:_MOST_LEADING])
    first = dict.fromkeys([*leading, *metrics, *unsaid])
    leading = tuple(metric for metric in first if metric in known and (wanted is None or metric in wanted))
    kept = matched(release, entrants) if only_matched else None
    comparison = Comparison(
        signature=_signature(release, entrants, options, metrics, only_matched=only_matched),
        headline=release.family.headline,
        leading=leading,
        facets={facet.id: facet.name for facet in release.manifest.facets},
        label_source=release.family.label_source,
        judges=judges,
        pairs=pairs_of(entrants),
        figures=tuple(figures),
        differences=found,
        groups=standings.groups(),
        standings=standings.over_facets(),
        agreements=standings.agreements(),
        gathered=standings.gathered(leading),
        matched=None if kept is None else _matched(release, entrants, kept, options, leading),
        use=release.family.use,
    )
    lost = None if kept is None else lost_csv(release, kept, [one.name for one in entrants])
    return Compared(comparison, findings, lost)


def _refuse_too_many(figured: Sequence[Figured], wanted: frozenset[str] | None) -> None:
    """Make sure that somebody can read what comes.

    Raises:
        EarmarkError: If there would be too many differences.
    """
    each = sum(figure.slice == ALL and (wanted is None or figure.metric in wanted) for figure in figured[0].figures)
    many = each * len(figured) * (len(figured) - 1) // 2
    if many > MOST_DIFFERENCES:
        raise EarmarkError(
            f"{len(figured)} submissions in {each:,} figures have {many:,} differences, and {MOST_DIFFERENCES:,} are the most; "
            f"name some metrics, such as {', '.join(figured[0].leading[:2])}"
        )


def _figures(
    release: Release,
    name: str,
    decisions: Decisions,
    figured: Figured,
    options: Options,
    wanted: frozenset[str] | None,
) -> list[FigureEntry]:
    """A judge's own figures, drawn as its own report draws them."""
    chosen = [
        figure for figure in figured.figures if figure.slice == ALL and (wanted is None or figure.metric in wanted)
    ]
    coverage = {facet: coverage_of(dict(of)) for facet, of in counts(release, decisions).items()}
    return [
        FigureEntry(
            judge=name,
            metric=entry.metric,
            facet=entry.facet,
            value=entry.value,
            unit=entry.unit,
            n=entry.n,
            coverage=coverage.get(entry.facet),
            reason=entry.reason,
            intervals=entry.intervals,
        )
        for entry in measure(chosen, figured.ladders, options, number=figured.whole)
    ]


def _matched(
    release: Release, entrants: Sequence[Entrant], found: Matched, options: Options, leading: Sequence[str]
) -> MatchedEntry:
    """The leading figures over the kept items, and their differences."""
    wanted, marks, kept = frozenset(leading), figured_marks(release), found.kept
    fewer = [Entrant(one.entry, narrowed(one.decisions, kept)) for one in entrants]
    figures = [
        entry
        for one in fewer
        if kept  # of nothing there are no figures
        for entry in _figures(release, one.name, one.decisions, marks.figured(release, one.decisions), options, wanted)
    ]
    return MatchedEntry(
        items=len(found.items),
        kept=len(kept),
        lost={one.name: sum(one.name in by for by in found.lost.values()) for one in entrants},
        with_group=sum(not by for by in found.lost.values()),
        figures=tuple(figures),
        differences=differences(release, fewer, options, metrics=wanted),
    )


def _signature(
    release: Release, entrants: Sequence[Entrant], options: Options, metrics: Sequence[str], *, only_matched: bool
) -> dict[str, Json]:
    """What must be equal for two comparisons to be comparable; which files they are of is part of it."""
    of_one = signature(release, "", options)
    common = {name: of for name, of in of_one.items() if name not in ("protocol", "paper", "paper_beside")}
    return {
        **common,
        "submissions": [{"file_hash": one.entry.file_hash, "protocol": one.entry.protocol} for one in entrants],
        "metrics": sorted(metrics) or None,
        "matched": only_matched,
    }
