"""The verbs of this room: `check` a prediction file without the answers, `score` it with them, and `write_report`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from earmark.manifests.copies.shipped import is_as_shipped, shipped
from earmark.manifests.errors import EarmarkError, ReleaseError, UnknownName
from earmark.manifests.findings import Findings, Severity, declare, nearest
from earmark.manifests.hashes import content_hash, file_hash
from earmark.manifests.release import Release
from earmark.manifests.report import Report
from earmark.manifests.revisions.earlier import earlier, whole
from earmark.manifests.revisions.withdrawn import read_withdrawn
from earmark.manifests.summary import EVERY, summarise
from earmark.manifests.tables import Side
from earmark.scoring.against import judged
from earmark.scoring.decisions import Decisions, Outcome, check_declared_release, decide, owed_presentations
from earmark.scoring.decisions.counts import counts
from earmark.scoring.efficiency import efficiency
from earmark.scoring.families import family_marks, human_marks, listed_marks, paired_marks, settled_norms
from earmark.scoring.guesses import remembered_entries
from earmark.scoring.listing import FILE, items_csv
from earmark.scoring.measuring import Options
from earmark.scoring.norms.marking import NormedMarks, norm_notes
from earmark.scoring.ratings import read_ratings
from earmark.scoring.signature import signature
from earmark.scoring.submissions import Limits, Submission, read_submission

if TYPE_CHECKING:
    from earmark.manifests.canonical import Json

OTHER_PROTOCOL = declare(
    "submission.other-protocol", Severity.ERROR, "the file names a protocol that the release does not offer"
)


@dataclass(frozen=True)
class Scored:
    """A report and what it was made from.

    Args:
        report: The figures.
        decisions: What was read, presentation by presentation.
        findings: What was wrong with the file.
    """

    report: Report
    decisions: Decisions
    findings: Findings


def check(release: Release, file: str | Path, *, protocol: str | None = None) -> Findings:
    """Check a prediction file; the private side is not needed and not looked at.

    Args:
        release: The release that the file is for.
        file: JSON Lines, CSV or Parquet.
        protocol: Protocol to hold it against; by default the one that the file names, else the release's first.

    Returns:
        Every finding, all at once.

    Raises:
        UnknownName: If the release has no such protocol.
    """
    findings = Findings()
    read(release, Path(file), protocol, findings)
    return findings


def score(
    release: Release,
    file: str | Path,
    *,
    protocol: str | None = None,
    options: Options | None = None,
    paper: str | None = None,
    beside: Sequence[str | Path] = (),
    human: str | Path | None = None,
    against: Sequence[str | Path] = (),
    norms: Sequence[str | Path] = (),
) -> Scored:
    """Mark a prediction file.

    Args:
        release: A release with its private side.
        file: JSON Lines, CSV or Parquet.
        protocol: As for `check`.
        options: How intervals are made.
        paper: A paper whose own filters and definitions are applied besides, in figures of their own.
        beside: Other prediction files, for a paper that compares only what all of them answered.
        human: Human ratings to correlate with.
        against: Other prediction files that this one is set against, pairwise; each follows the protocol that it names.
        norms: Norm files, in place of the norm that comes with Earmark where one is of the same facet.

    Raises:
        Refused: If a norm file is none.
        PrivateSideMissing: If this copy has no answers.
        ReleaseError: If the answers are not those of the release.
        UnknownName: If the release has no such protocol, or there is no such paper.
    """
    options = options or Options()
    findings = Findings()
    if not Path(file).is_file():
        raise EarmarkError(f"cannot read {file}: no such file")
    if paper is not None:
        # Papers bring the marks of all three families, and most files are marked and checked without one.
        from earmark.scoring.papers import apply_paper, paper_named, require_family

        require_family(paper_named(paper), release)
    if human is not None:
        human_marks(release)
    if against:
        paired_marks(release)
    frozen = settled_norms(release, norms)
    require_true_tables(release)
    submission, decisions = read(release, Path(file), protocol, findings)
    marks = family_marks(release)
    metrics = marks.evaluate(release, decisions, options) + efficiency(submission, decisions, options)
    if human is not None:
        items = frozenset(release.table("items")["item_id"].to_pylist())
        others = {*read_withdrawn(whole(release)).items(), *whole(release).table("items")["item_id"].to_pylist()}
        ratings = read_ratings(Path(human), items, findings, withdrawn=others - items)
        metrics += human_marks(release).evaluate_human(release, decisions, ratings, options)
    if paper is not None:
        # Each follows the protocol that it names, so that audio and transcript judges can be intersected.
        peers = [read(release, Path(other), None, findings)[1] for other in beside]
        metrics += apply_paper(paper, release, decisions, peers, options)
    if against:
        this, *those = judged(
            [(submission, decisions), *(read(release, Path(other), None, findings) for other in against)]
        )
        metrics += paired_marks(release).evaluate_against(release, this, those, options)
    if isinstance(marks, NormedMarks):
        metrics += marks.standardise(metrics, frozen)
    report = Report(
        signature=signature(
            release, decisions.owed.protocol, options, paper=paper, beside=beside, against=against, norms=frozen
        ),
        submission=submission.described(),
        label_source=release.family.label_source,
        headline=release.family.headline,
        counts=counts(release, decisions),
        metrics=tuple(metrics),
        baselines=remembered_entries(release, decisions.owed, marks),
        use=release.family.use,
    )
    return Scored(report, decisions, findings)


def require_true_tables(release: Release) -> None:
    """Make sure that what is marked on is what the manifest names: equal signatures must mean equal releases.

    Raises:
        PrivateSideMissing: If there is no private side.
        ReleaseError: If a table says something else than its hash.
    """
    release = whole(release)
    # Of a published copy whose private side came along the key did not, by which the manifest's hashes are salted.
    copied = shipped(release)
    for name in ("items", "item_clips", "presentations", "prompts", "answers", "sources"):
        table, entry = release.family.tables()[name], release.manifest.tables[name]
        private = table.side is Side.PRIVATE
        rows = release.table(name)
        if entry.file_hash is not None and file_hash(release.file(name)) == entry.file_hash:
            continue  # byte by byte as it was built
        if private and copied is not None:
            if not is_as_shipped(release, name, copied):
                raise ReleaseError(f"table {name} at hand is not the one that was published with {copied.release}")
            continue
        try:
            found = content_hash(table, rows, salt=release.key if private else b"")
        except (KeyError, ValueError, TypeError) as error:
            raise ReleaseError(f"table {name} of {release.path} is damaged: {error}") from error
        if found != entry.content_hash:
            raise ReleaseError(f"table {name} at hand is not that of {release.path}: {found}, not {entry.content_hash}")


def read(
    release: Release, file: Path, protocol: str | None, findings: Findings, *, unnamed: str | None = None
) -> tuple[Submission, Decisions]:
    """Read a file and hold it against a protocol.

    Args:
        release: The release that the file is for.
        file: JSON Lines, CSV or Parquet.
        protocol: The protocol; None for the one that the file names.
        findings: Where problems go.
        unnamed: The protocol where the file names none either; the release's first one without.
    """
    import pyarrow as pa

    family, offered = release.family, release.manifest.protocols
    of_others = earlier(release).presentations
    limits = Limits.owing(max(entry.presentations for entry in offered) + len(of_others))
    submission = read_submission(
        file, choices=family.choices, probability=family.probability, findings=findings, limits=limits
    )
    check_declared_release(release, submission.declared, submission.name, findings)
    named = submission.protocol
    if named is not None and named not in [entry.name for entry in offered]:
        expected = nearest(named[:40], [entry.name for entry in offered])
        findings.add(OTHER_PROTOCOL, file=submission.name, row=1, column="protocol", found=named, expected=expected)
        named = None
    if protocol is not None and protocol not in [entry.name for entry in offered]:
        declares = "the file declares none" if named is None else f"the file declares {named}"
        raise UnknownName("protocol", protocol, tuple(entry.name for entry in offered), declares)
    owed = owed_presentations(release, release.protocol(protocol or named or unnamed))
    elsewhere = release.table("presentations")["presentation_id"]
    withdrawn = pa.chunked_array([of_others])
    return submission, decide(
        owed,
        submission,
        family.grammar,
        family.choices,
        findings,
        elsewhere=elsewhere,
        withdrawn=withdrawn,
    )


def about(release: Release) -> list[tuple[str, str]]:
    """What was marked on, as labels and texts for the page."""
    manifest, summary = release.manifest, summarise(release)
    every = summary.cells[EVERY, EVERY, EVERY]
    within = f" of {every.speakers} speakers" + (
        f" in {every.conversations} conversations" if every.conversations else ""
    )
    if groups := len(set(release.table("items")["group"].drop_null().to_pylist())):
        within = f" in {groups} {release.family.counted}"
    clips = release.table("clips")["duration"].to_pylist()
    return [
        *(("corpus", f"{source.corpus} {source.version}, {source.licence}") for source in manifest.sources),
        ("holds", f"{every.items} items{within}"),
        ("clips", f"{len(clips)}, {sum(clips) / 60:.0f} minutes"),
    ]


def write_report(release: Release, scored: Scored, out: Path) -> Path:
    """Write `report.json` and `report.html`.

    Args:
        release: The release that was marked on.
        scored: What came of it.
        out: Folder; made where it is absent.

    Returns:
        The page.
    """
    from earmark.pages.counts import CountsRow, counts_bar
    from earmark.pages.report_page import UnparsedRow, report_html
    from earmark.pages.summary import facet_label, facets_of

    out.mkdir(parents=True, exist_ok=True)
    scored.report.write(out / "report.json")
    names = {facet.id: facet.name for facet in release.manifest.facets}
    figures = list(family_marks(release).draw(release, scored.decisions, scored.report))
    # As the other figures have them, and not as they were counted.
    ordered = [
        (facet, scored.report.counts[facet]) for facet in facets_of(scored.report) if facet in scored.report.counts
    ]
    rows = [CountsRow(facet_label(facet, names), counts) for facet, counts in ordered]
    figures.append(("What became of every owed presentation.", counts_bar(rows)))
    glossary = {**family_marks(release).GLOSSARY, **_papers_glossary(scored.report.signature["paper"])}
    present = {entry.metric for entry in scored.report.metrics}
    unparsed = [
        UnparsedRow(row.presentation, row.run, Outcome.UNPARSABLE.name.lower(), row.reason, row.response)
        for row in scored.decisions.unparsed
    ]
    page = report_html(
        scored.report,
        title=f"{release.manifest.name} {release.manifest.version}, protocol {scored.decisions.owed.protocol}",
        figures=figures,
        findings=scored.findings,
        unparsed=unparsed,
        facet_names=names,
        limits=release.family.limits,
        counted=release.family.counted,
        # A family need not have any notes.
        notes=(*getattr(family_marks(release), "NOTES", ()), *norm_notes(scored.report, names)),
        about=about(release),
        glossary={metric: means for metric, means in glossary.items() if metric in present},
    )
    target = out / "report.html"
    target.write_text(page, encoding="utf-8", newline="\n")
    return target


def _papers_glossary(paper: Json) -> Mapping[str, str]:
    if not isinstance(paper, str):
        return {}
    from earmark.scoring.papers import paper_named

    return paper_named(paper).glossary


def write_items(release: Release, scored: Scored, out: Path) -> Path:
    """Write `items.csv`: what was got of each item. Whoever knows the predictions reads the answers from it.

    Args:
        release: The release that was marked on.
        scored: What came of it.
        out: Folder; it exists.

    Returns:
        The table.

    Raises:
        EarmarkError: If the family does not list what became of each item.
    """
    target = out / FILE
    target.write_text(items_csv(listed_marks(release).listed(release, scored.decisions)), encoding="utf-8", newline="")
    return target
