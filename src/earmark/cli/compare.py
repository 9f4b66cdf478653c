"""`earmark compare`: what sets prediction files apart, and what does not."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from earmark.cli.console import AsJson, Quiet, named_folder, report_findings, require_file, say
from earmark.cli.score import Interval

if TYPE_CHECKING:
    from earmark.manifests.canonical import Json
    from earmark.manifests.comparison import Comparison
    from earmark.manifests.release import Release
    from earmark.scoring.comparing import Compared

_MOST_LINES, _MOST_METRICS = 60, 4


def compare(
    files: Annotated[
        list[Path], typer.Argument(help="Prediction files, 2 to 50; a difference is the earlier less the later.")
    ],
    release: Annotated[Path, typer.Option(help="Folder of the release, private side included.")],
    out: Annotated[
        Path,
        typer.Option(callback=named_folder, help="Folder for comparison.json and comparison.html; must not exist."),
    ],
    answers: Annotated[Path | None, typer.Option(help="Private side, where it stands elsewhere.")] = None,
    protocol: Annotated[str | None, typer.Option(help="Protocol of files that name none.")] = None,
    metric: Annotated[
        list[str] | None, typer.Option(help="Compare this metric alone; repeatable. All of them without.")
    ] = None,
    matched: Annotated[
        bool,
        typer.Option(
            "--matched", help="Also over those items alone that all of them answered validly; lists the others."
        ),
    ] = False,
    tables: Annotated[
        Path | None,
        typer.Option(callback=named_folder, help="Folder for every table as CSV, Markdown and LaTeX; must not exist."),
    ] = None,
    resamples: Annotated[int, typer.Option(min=100, max=1_000_000, help="Bootstrap replicates.")] = 2000,
    seed: Annotated[int, typer.Option(min=0, max=2**63 - 1, help="Seed of the bootstrap.")] = 0,
    interval: Annotated[
        Interval, typer.Option(help="How intervals are made of the replicates; bca where it is defined.")
    ] = Interval.PERCENTILE,
    force: Annotated[bool, typer.Option("--force", help="Replace the files in existing folders.")] = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Compare prediction files: paired differences with intervals and p, and groups of judges that nothing tells apart."""
    from earmark.manifests.errors import DestinationExists
    from earmark.manifests.release import open_release
    from earmark.scoring.comparing import compare as set_apart
    from earmark.scoring.comparing import write_comparison, write_tables
    from earmark.scoring.measuring import Options

    for file in files:
        require_file(file)
    for folder in (out, tables):
        if folder is not None and folder.exists() and not force:
            raise DestinationExists(f"{folder} exists; choose another folder or replace the files in it with --force")
    opened = open_release(release, private=answers)
    compared = set_apart(
        opened,
        files,
        protocol=protocol,
        options=Options(resamples=resamples, seed=seed, method=interval.value),
        metrics=metric or [],
        only_matched=matched,
    )
    written = [str(out / name) for name in _put(out, lambda scratch: write_comparison(opened, compared, scratch))]
    if tables is not None:
        written += [str(tables / name) for name in _put(tables, lambda scratch: write_tables(compared, scratch))]
    if not (as_json or quiet):
        say(comparison_text(opened, compared))
        say(f"\nreport  {out / 'comparison.html'}")
    extra: dict[str, Json] = {}
    if as_json:
        extra = {"comparison": compared.comparison.as_json(), "written": list(written)}
    report_findings(compared.findings, as_json=as_json, quiet=quiet, extra=extra)


def _put(out: Path, write: Callable[[Path], tuple[str, ...]]) -> tuple[str, ...]:
    """Write files beside their place and put them there when all are whole."""
    from tempfile import TemporaryDirectory

    out.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=out.parent, prefix=f".{out.name}.") as scratch:
        names = write(Path(scratch))
        out.mkdir(exist_ok=True)
        for name in names:
            (Path(scratch) / name).replace(out / name)
    return names


def comparison_text(release: Release, compared: Compared) -> str:
    """The judges with their groups, the differences in the leading metrics, what matching leaves, and what it is not for."""
    from earmark.pages.comparison_page import conditional_words, floor_note, in_words, matched_in_words
    from earmark.pages.formats import NO_BREAK
    from earmark.pages.purposes import out_of_scope_line

    comparison, manifest = compared.comparison, release.manifest
    parts = [f"{manifest.name} {manifest.version}, {len(comparison.judges)} judges", in_words(comparison)]
    parts += [_judges_text(comparison, modality) for modality in comparison.modalities]
    parts.append(_differences_text(comparison))
    if note := floor_note(comparison):
        parts.append(note)
    if comparison.matched is not None:
        parts += [matched_in_words(comparison.matched), _matched_text(comparison)]
    # An interval is kept on one line where lines are broken, as they are not here.
    if words := conditional_words(comparison):
        parts.append(words)
    line = out_of_scope_line(comparison.use)
    parts.append(f"{comparison.label_source}\n{line}" if line else comparison.label_source)
    return "\n\n".join(parts).replace(NO_BREAK, " ")


def _labels(comparison: Comparison, most: int) -> Mapping[str, str]:
    """Judges' names where there is little room for them."""
    from earmark.pages.shown import briefs

    return briefs([judge.name for judge in comparison.judges], most)


def _judges_text(comparison: Comparison, modality: str) -> str:
    """The judges of a modality, the best first, with the letters of their groups."""
    from earmark.cli.tables import table
    from earmark.manifests.report import OVERALL
    from earmark.pages.formats import marked_ends, metric_label, number

    metric, label = comparison.leading[0], _labels(comparison, 40)
    figures = {entry.judge: entry for entry in comparison.figures if (entry.metric, entry.facet) == (metric, OVERALL)}
    groups = [
        entry
        for entry in comparison.groups
        if (entry.modality, entry.metric, entry.facet) == (modality, metric, OVERALL)
    ]
    letters = dict(zip(groups[0].judges, groups[0].letters, strict=False)) if groups else {}
    names = [judge.name for judge in comparison.judges if judge.modality == modality]
    ordered = [*letters, *(name for name in names if name not in letters)]
    rows = []
    for name in ordered:
        entry = figures.get(name)
        ends = marked_ends(entry.intervals[0]) if entry and entry.intervals else "-"
        share = "-" if entry is None or entry.coverage is None else f"{100 * entry.coverage:.1f} %"
        rows.append([label[name], number(entry.value if entry else None), ends, letters.get(name, "-"), share])
    head = [modality, metric_label(metric), "interval", "group", "coverage"]
    return table(head, rows, right=(1, 2, 4))


def _differences_text(comparison: Comparison) -> str:
    """The differences over all facets in the leading metrics."""
    from earmark.cli.tables import table
    from earmark.manifests.report import OVERALL
    from earmark.pages.comparison_page import signed
    from earmark.pages.formats import marked_ends, metric_label, probability

    label = _labels(comparison, 24)
    entries = [
        entry
        for metric in comparison.leading[:_MOST_METRICS]
        for entry in comparison.differences
        if (entry.metric, entry.facet) == (metric, OVERALL)
    ]
    rows = [
        [
            f"{label[entry.first]} - {label[entry.second]}",
            metric_label(entry.metric),
            signed(entry.value),
            marked_ends(entry.intervals[0]) if entry.intervals else "-",
            probability(entry.p),
            probability(entry.p_adjusted),
        ]
        for entry in entries[:_MOST_LINES]
    ]
    text = table(["all facets", "metric", "difference", "interval", "p", "p adjusted"], rows, right=(2, 3, 4, 5))
    return text if len(entries) <= _MOST_LINES else f"{text}\n{len(entries) - _MOST_LINES} more, which --json prints"


def _matched_text(comparison: Comparison) -> str:
    """Differences over the matched items beside those over all, for all facets."""
    from earmark.cli.tables import table
    from earmark.manifests.report import OVERALL
    from earmark.pages.comparison_page import signed
    from earmark.pages.formats import marked_ends, metric_label, probability

    label = _labels(comparison, 24)
    whole = {(one.first, one.second, one.metric, one.facet): one for one in comparison.differences}
    rows = []
    entries = comparison.matched.differences if comparison.matched else ()
    for metric in comparison.leading[:_MOST_METRICS]:
        for entry in (entry for entry in entries if (entry.metric, entry.facet) == (metric, OVERALL)):
            beside = whole.get((entry.first, entry.second, entry.metric, entry.facet))
            rows.append(
                [
                    f"{label[entry.first]} - {label[entry.second]}",
                    metric_label(entry.metric),
                    signed(entry.value),
                    marked_ends(entry.intervals[0]) if entry.intervals else "-",
                    probability(entry.p),
                    signed(beside.value if beside else None),
                ]
            )
    head = ["matched items", "metric", "difference", "interval", "p", "over all owed"]
    return table(head, rows[:_MOST_LINES], right=(2, 3, 4, 5))
