"""Logs of frameworks that were given `requests.jsonl` as their samples: the id of each is that of a presentation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from earmark.builders.converting.conversion import Account, Row, Wanted
from earmark.builders.converting.saying import Said
from earmark.manifests.canonical import Json
from earmark.manifests.family import Protocol
from earmark.manifests.findings import Severity, declare
from earmark.manifests.release import Release
from earmark.manifests.rows import text, texts

UNKNOWN_ID = declare(
    "convert.unknown-id", Severity.ERROR, "no presentation of the release has the id of a sample; it is left out"
)
NO_ID = declare("convert.no-id", Severity.ERROR, "a sample has no id that could be a presentation's; it is left out")
OTHER_PROTOCOL = declare(
    "convert.other-protocol", Severity.ERROR, "the presentation belongs to another protocol; the answer is left out"
)

ID = "presentation_id"
"""What `requests.jsonl` calls it."""


class Answered(NamedTuple):
    """An answer to a sample.

    Args:
        id: The sample's own id; None where it has none.
        run: Run, from 0.
        said: What was said.
        file: The file it stands in.
        row: Its line or number, from 1.
    """

    id: str | None
    run: int
    said: Said
    file: str
    row: int


def id_in(candidates: Sequence[Json], holders: Sequence[Json]) -> str | None:
    """The id of a sample: the first `presentation_id` in what holds one, else the first text among the candidates."""
    named = [holder.get(ID) for holder in holders if isinstance(holder, Mapping)]
    return next((entry for entry in (*named, *candidates) if isinstance(entry, str) and entry), None)


def take_presented(answers: Iterable[Answered], release: Release, wanted: Wanted, account: Account) -> Protocol:
    """Find the presentations that samples are of, and the protocol that they answer.

    Args:
        answers: What was read.
        release: The release; its public side is enough.
        wanted: Names the protocol, if the user does.
        account: Takes rows, and what is left out.

    Returns:
        The protocol: the one named, else the one that has most of the samples and, of several, owes least.

    Raises:
        UnknownName: If the release does not offer the protocol that is named.
    """
    protocols = {text(row, ID): texts(row, "protocols") for row in release.table("presentations").to_pylist()}
    kept = list(answers)
    held = Counter(name for answer in kept for name in protocols.get(answer.id or "", ()))
    owed = {entry.name: entry.presentations for entry in release.manifest.protocols}
    most = max(owed, key=lambda name: (held[name], -owed[name]))
    protocol = release.protocol(wanted.protocol or most)
    for answer in kept:
        leave = partial(account.leave, file=answer.file, row=answer.row)
        if answer.id is None:
            leave(NO_ID, expected=f"an id as in requests.jsonl, or a {ID} in its metadata")
        elif answer.id not in protocols:
            leave(UNKNOWN_ID, id=answer.id, expected=f"a {ID} of requests.jsonl")
        elif protocol.name not in protocols[answer.id]:
            found = ", ".join(protocols[answer.id])
            leave(OTHER_PROTOCOL, id=answer.id, found=found, expected=f"{protocol.name}, or --protocol")
        else:
            account.take(Row(answer.id, answer.run, answer.said, f"{answer.file} entry {answer.row}"))
    return protocol
