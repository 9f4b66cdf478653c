"""Prediction rows of StanceBench's sheets, which say of every item what was chosen in either order of the poles.

Variant 0 defines the positive pole first, variant 1 the negative one. A speaker's items of a dimension are those of the release
in which the recording that the sheet names is judged; what the speaker was asked to play, which the sheet says too, tells no
more than which dimension is meant. The answers of the release are not read.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

import msgspec

from earmark.builders.converting.conversion import NOT_IN_RELEASE, Account, Conversion, Row, Wanted, judge_name
from earmark.builders.converting.saying import Said
from earmark.builders.converting.stancebench.cells import Answer, NotCells, heard_in
from earmark.builders.converting.stancebench.matching import Match, Owned, matched, owned_items
from earmark.builders.converting.stancebench.readings import chosen, scored
from earmark.builders.converting.stancebench.sheet import Side, read_sheet
from earmark.manifests.errors import UnknownName
from earmark.manifests.families.stance_recipe import stored_mapping
from earmark.manifests.findings import Findings, Severity, declare
from earmark.manifests.release import Release

BAD_CELL = declare("convert.bad-cell", Severity.ERROR, "a cell is none that the runner writes; the speaker is left out")
NO_FACET = declare(
    "convert.no-facet", Severity.ERROR, "nothing tells which dimension a speaker was judged in; the speaker is left out"
)
OTHER_CLIP = declare(
    "convert.other-clip",
    Severity.WARNING,
    "no clip of the release shares more than half of its time with what was heard; the answers are left out",
)
OTHER_CUT = declare(
    "convert.other-cut",
    Severity.WARNING,
    "clips were cut otherwise than the release's; each is taken for the nearest one",
)
AVERAGE_ONLY = declare(
    "convert.average-only", Severity.ERROR, "a speaker has an average and no answers; the speaker is left out"
)
NO_PROBABILITY = declare(
    "convert.no-probability", Severity.WARNING, "a choice has no probability in [0, 1]; it is written as failed"
)
NO_SCORE = declare("convert.no-score", Severity.WARNING, "there is no score in [-2, 2]; it is written as failed")

ORDERS = ("PN", "NP")
"""The order that each variant asked in."""

Reading = Callable[[Answer], Said]


@dataclass
class _Reader:
    """Reads sheets onto one protocol of a release."""

    release: Release
    wanted: Wanted
    account: Account
    owned: dict[str, dict[str, list[Owned]]]
    facets: dict[str, set[str]]
    shares: list[float]

    def items(self, side: Side, file: str, count: int) -> list[Owned] | None:
        """The release's items of a speaker; None, and so many answers left out, where there are none."""
        here = self.owned.get(side.file_id)
        place = f"{side.file_id} ({side.label})"
        if not here:
            self.account.leave(
                NOT_IN_RELEASE, count=count, file=file, row=side.row, id=place, expected="a recording of it"
            )
            return None
        meant = {self.wanted.facet} if self.wanted.facet else self.facets.get(side.role, set())
        if not meant and len(here) == 1:
            meant = set(here)
        if len(meant) != 1:
            found = side.role or "no role"
            self.account.leave(
                NO_FACET, count=count, file=file, row=side.row, id=place, found=found, expected="--facet"
            )
            return None
        items = here.get(meant.pop() or "")
        if not items:
            self.account.leave(
                NOT_IN_RELEASE, count=count, file=file, row=side.row, id=place, expected="items of its dimension"
            )
            return None
        return items

    def take(self, owned: Owned, order: str, said: Said, side: Side, file: str) -> None:
        """Write a row."""
        self.account.take(Row(owned.presentations[order], 0, said, f"{file} line {side.row} {side.label}"))

    def told(self) -> None:
        """Say how much of their time the clips have in common."""
        other = [share for share in self.shares if share < 0.99]
        if other:
            found = f"{len(other)} of {len(self.shares)} items, {fmean(other):.0%} of their time shared on average"
            self.account.findings.add(OTHER_CUT, found=found, expected="clips of the release")


def read_choices(files: Sequence[Path], release: Release, wanted: Wanted, findings: Findings) -> Conversion:
    """Read what was chosen of each item, with its probability.

    Args:
        files: Sheets of one judge, of one dimension or several.
        release: A stance release with `private/sources.parquet`.
        wanted: What the user settles.
        findings: Told of everything that is wrong.

    Raises:
        Refused: If a file is no sheet.
        PrivateSideMissing: If this copy does not say where clips are from.
        UnknownName: If the release has no such protocol or facet.
    """
    return _read_items(files, release, wanted, findings, chosen)


def read_mapped(files: Sequence[Path], release: Release, wanted: Wanted, findings: Findings) -> Conversion:
    """Read each item's score on the runner's scale, in place of its probability; otherwise as `read_choices`."""
    return _read_items(files, release, wanted, findings, lambda answer: scored(answer.score, answer))


def read_averages(files: Sequence[Path], release: Release, wanted: Wanted, findings: Findings) -> Conversion:
    """Read each speaker's average and give it to all of the speaker's items, in both orders; otherwise as `read_choices`."""
    account = Account(findings)
    reader = _reader(release, wanted, account)
    for file in files:
        for side in read_sheet(file, account):
            items = None if side.silent else reader.items(side, file.name, 1)
            if not items:
                continue
            said = scored(_number(side.average)) if side.scored else Said(status="failed")
            if side.scored and said.status == "failed":
                findings.add(NO_SCORE, file=file.name, row=side.row, id=side.file_id, found=side.average)
            for owned in items:
                for order in ORDERS:
                    reader.take(owned, order, said, side, file.name)
    return _conversion(reader)


def _read_items(
    files: Sequence[Path], release: Release, wanted: Wanted, findings: Findings, reading: Reading
) -> Conversion:
    account = Account(findings)
    reader = _reader(release, wanted, account)
    for file in files:
        for side in read_sheet(file, account):
            if not side.silent:
                _take_side(reader, side, file.name, reading)
    reader.told()
    return _conversion(reader)


def _take_side(reader: _Reader, side: Side, file: str, reading: Reading) -> None:
    account, place = reader.account, f"{side.file_id} ({side.label})"
    try:
        heard = heard_in(side.evidence, side.failures)
    except NotCells as error:
        account.leave(BAD_CELL, file=file, row=side.row, id=place, found=error, expected="a JSON list of its items")
        return
    if not heard:
        if side.scored:
            account.leave(AVERAGE_ONLY, file=file, row=side.row, id=place, expected="--from stancebench-averages")
        return
    items = reader.items(side, file, 2 * len(heard))
    if items is None:
        return
    for match in matched(heard, items):
        if match.owned is None:
            account.leave(OTHER_CLIP, count=2, file=file, row=side.row, id=place, found=match.heard.label)
            continue
        if match.shared is not None:
            reader.shares.append(match.shared)
        _take_match(reader, match, match.owned, side, file, reading)


def _take_match(reader: _Reader, match: Match, owned: Owned, side: Side, file: str, reading: Reading) -> None:
    for order, answer in zip(ORDERS, match.heard.answers, strict=True):
        said = reading(answer)
        if said.status == "failed" and answer.choice is not None:
            code = NO_PROBABILITY if reading is chosen else NO_SCORE
            reader.account.findings.add(
                code, file=file, row=side.row, id=match.heard.label, found=f"{order}: {answer.choice}"
            )
        reader.take(owned, order, said, side, file)


def _number(cell: str) -> float | None:
    try:
        return float(cell)
    except ValueError:
        return None


def _reader(release: Release, wanted: Wanted, account: Account) -> _Reader:
    names = tuple(facet.id for facet in release.manifest.facets)
    if wanted.facet is not None and wanted.facet not in names:
        raise UnknownName("facet", wanted.facet, names)
    owned = owned_items(release, release.protocol(wanted.protocol).name)
    return _Reader(release, wanted, account, owned, _facets_of_roles(release), [])


def _facets_of_roles(release: Release) -> dict[str, set[str]]:
    """By role, the dimensions in which the release's own mapping judges it; none where it has no mapping."""
    facets: dict[str, set[str]] = {}
    try:
        mapping = stored_mapping(release.manifest)
    except msgspec.ValidationError:
        return facets
    for dimension in mapping.dimension:
        for role in (*dimension.positive.roles, *dimension.negative.roles):
            facets.setdefault(role, set()).add(dimension.id)
    return facets


def _conversion(reader: _Reader) -> Conversion:
    protocol = reader.release.protocol(reader.wanted.protocol)
    judge = judge_name(reader.wanted, None)
    return Conversion(
        reader.account, protocol, {"name": judge, "modality": protocol.modality, "template": "the runner's own"}
    )
