"""Marking a stranger's file with hidden answers: what comes back is one number, and what `check` would say."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from earmark.manifests.canonical import Json, json_text
from earmark.manifests.findings import Findings
from earmark.manifests.report import OVERALL, rounded_floats
from earmark.manifests.tables import Side
from earmark.scoring.decisions.counts import counts
from earmark.scoring.ladder.credit import credited_marks
from earmark.scoring.ladder.state import About, LadderError, Quotas, climb, units_hash

if TYPE_CHECKING:
    from earmark.manifests.release import Release
    from earmark.scoring.decisions import Decisions

FILE = "headline.json"
"""Name of what is written."""

MOST_NAME = 80
"""Longest name of a submitter, in characters."""

_UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
"""Letters and marks that leave nothing to be seen, though Unicode has them printable."""

NO_SCORE = "no file of this submitter has been better than guessing by more than noise"
"""Why there is no score."""


@dataclass(frozen=True, kw_only=True)
class Laddered:
    """What a submitter is told.

    Args:
        release: Name and version of the release.
        protocol: The protocol that was marked.
        submitter: Whose file it was.
        headline: Name of the metric.
        score: The best released score of this submitter, which need not be that of this file; None before the first.
        outcomes: What became of every presentation owed; `check` says the same.
        findings: What `check` finds.
    """

    release: str
    protocol: str
    submitter: str
    headline: str
    score: float | None
    outcomes: Mapping[str, int]
    findings: Findings

    def as_json(self) -> Mapping[str, Json]:
        """The same as plain values."""
        value: Mapping[str, Json] = {
            "release": self.release,
            "protocol": self.protocol,
            "submitter": self.submitter,
            "headline": self.headline,
            "score": rounded_floats(self.score),
            "reason": NO_SCORE if self.score is None else None,
            "outcomes": dict(self.outcomes),
        }
        return value

    def write(self, path: Path) -> None:
        """Write it; equal answers are equal bytes."""
        path.write_text(json_text(self.as_json()), encoding="utf-8", newline="\n")


def score_laddered(
    release: Release,
    file: str | Path,
    *,
    state: str | Path,
    submitter: str,
    protocol: str | None = None,
    quotas: Quotas | None = None,
) -> Laddered:
    """Mark a prediction file with hidden answers.

    Args:
        release: A release with its private side, whose answers are hidden.
        file: JSON Lines, CSV or Parquet.
        state: What the host keeps of this release, an SQLite file; made where there is none.
        submitter: Whose file it is, by the host's own account: 1 to 80 characters.
        protocol: The protocol; None for the release's first one. Never the one that a file names: a state is of one protocol, and
            its first submitter has no say in which.
        quotas: What the host gives out at most; without them there is no limit.

    Raises:
        LadderError: If the answers are not hidden, the name is none, the state is of something else, or a quota is used up.
        PrivateSideMissing: If this copy has no answers.
        EarmarkError: If the family's headline is no sum of credits.
    """
    from earmark.scoring.face import read, require_true_tables  # which imports the families, and they this room

    name = submitter_name(submitter)
    require_hidden(release)
    require_apart(release, Path(state))
    marks = credited_marks(release)
    if not Path(file).is_file():
        raise LadderError(f"cannot read {file}: no such file")
    require_true_tables(release)
    findings = Findings()
    _, decisions = read(release, Path(file), protocol or release.protocol(None).name, findings)
    credits = marks.credited(release, decisions)
    manifest, owed = release.manifest, decisions.owed
    if credits is None:
        raise LadderError(f"{release.family.headline} of {manifest.name}, protocol {owed.protocol}, is undefined")
    about = About(
        f"{manifest.name}@{manifest.version}",
        manifest.content_hash,
        manifest.answers_hash,
        owed.protocol,
        units_hash(credits),
    )
    standing = climb(Path(state), about, name, said(decisions), credits, quotas or Quotas())
    return Laddered(
        release=about.release,
        protocol=owed.protocol,
        submitter=name,
        headline=release.family.headline,
        score=standing.score,
        outcomes=counts(release, decisions)[OVERALL],
        findings=findings,
    )


def submitter_name(given: str) -> str:
    r"""A submitter's name in NFC, so that one name has one spelling.

    Raises:
        LadderError: If it is empty or longer than 80 characters, has spaces at an end, or what cannot be seen.

    >>> submitter_name("Cafe\u0301 Lab")
    'Café Lab'
    """
    name = unicodedata.normalize("NFC", given)
    if not 1 <= len(name) <= MOST_NAME:
        raise LadderError(f"the name of a submitter has 1 to {MOST_NAME} characters, not {len(name)}")
    if name != name.strip() or not name.isprintable() or _UNSEEN.search(name):
        raise LadderError(f"{name!r} is no name of a submitter: it has spaces at an end, or what cannot be seen")
    return name


def require_hidden(release: Release) -> None:
    """Make sure that there is something to hide.

    Raises:
        LadderError: If the answers are published, or can be derived from what is.
    """
    gold, named = release.manifest.gold, f"{release.manifest.name}@{release.manifest.version}"
    why = {"open": "are published", "derivable": "can be derived from the recipes of clips that it publishes"}
    if gold in why:
        raise LadderError(f"the answers of {named} {why[gold]}, so they cannot be hidden; mark it without --ladder")


def require_apart(release: Release, state: Path) -> None:
    """Make sure that the state, which tells the answers, is not put where it is published.

    Raises:
        LadderError: If it stands on the public side.
    """
    if state.resolve().is_relative_to(release.side(Side.PUBLIC).resolve()):
        raise LadderError(f"{state} tells the answers, and that folder is published; keep the state elsewhere")


def said(decisions: Decisions) -> bytes:
    """A hash of what a file says, however it is written."""
    digest = blake2b(digest_size=16)
    for column in (decisions.presentation, decisions.run, decisions.outcome, decisions.choice):
        digest.update(column.astype("<i8").tobytes())
    digest.update(np.nan_to_num(decisions.probability, nan=-1.0).astype("<f8").tobytes())
    return digest.digest()
