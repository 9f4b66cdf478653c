"""Paper modes: a paper's own filters and definitions, opt-in and named, beside the defaults and never instead of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from earmark.manifests.errors import EarmarkError, UnknownName
from earmark.scoring.papers.parapair import PARAPAIR
from earmark.scoring.papers.records import Paper
from earmark.scoring.papers.speecheq import SPEECHEQ
from earmark.scoring.papers.stancebench import STANCEBENCH

if TYPE_CHECKING:
    from earmark.manifests.release import Release
    from earmark.manifests.report import MetricEntry
    from earmark.scoring.decisions import Decisions
    from earmark.scoring.measuring import Options

PAPERS: Mapping[str, Paper] = {paper.name: paper for paper in (STANCEBENCH, PARAPAIR, SPEECHEQ)}
"""Every paper mode, by name."""


def paper_named(name: str) -> Paper:
    """A paper mode.

    Raises:
        UnknownName: If there is none of this name.
    """
    if name not in PAPERS:
        raise UnknownName("paper", name, tuple(PAPERS))
    return PAPERS[name]


def require_family(paper: Paper, release: Release) -> None:
    """Go on only with a release of the family that a paper is about.

    Raises:
        EarmarkError: If it is of another.
    """
    if release.family.name != paper.family:
        raise EarmarkError(f"paper {paper.name} marks releases of family {paper.family}, not {release.family.name}")


def apply_paper(
    name: str, release: Release, decisions: Decisions, others: Sequence[Decisions], options: Options
) -> list[MetricEntry]:
    """The figures that a paper would print of a submission, in the slice `paper:NAME`.

    Args:
        name: The paper mode.
        release: A release with its private side.
        decisions: The submission.
        others: Further submissions for the same items, for a paper that keeps what all of them answered.
        options: How intervals are made.

    Raises:
        UnknownName: If there is no such paper.
        EarmarkError: If the paper is about another family, or needs presentations that the protocol does not owe.
        PrivateSideMissing: If this copy has no answers.
    """
    paper = paper_named(name)
    require_family(paper, release)
    return paper.evaluate(release, decisions, others, options)
