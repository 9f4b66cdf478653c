"""What systems said to the presentations of a protocol, taken from their prediction files for people to rank.

Systems that were given something else than audio are ranked beside those that listened: what is shown is what they said to the
same item in the same order and place of a conversation. Of several runs the lowest is shown. Reasons are the system's own words:
its evidence, or what its response says under "reasoning", or else the response as it is. They are cut to a length that people
read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from earmark.manifests.errors import EarmarkError
from earmark.manifests.hashes import file_hash
from earmark.manifests.panel_forms import Said, System
from earmark.manifests.strict import NotStrictJson, strict_json
from earmark.scoring.decisions import owed_presentations
from earmark.scoring.face import read

if TYPE_CHECKING:
    from earmark.manifests.canonical import Json
    from earmark.manifests.findings import Findings
    from earmark.manifests.release import Release
    from earmark.scoring.submissions import Submission
    from earmark.scoring.submissions.rows import Row

_Place: TypeAlias = tuple[str, str, str | None]  # item, order, and the order of what it follows on

LONGEST_NAME = 60
LONGEST_REASONS = 2000
"""Most characters of a system's name, and of its reasons for one choice."""

REASONING = "reasoning"
"""The key of a response that holds the reasons."""


def systems_of(release: Release, files: Sequence[Path], protocol: str | None, findings: Findings) -> list[System]:
    """The systems of some prediction files, in their order, and what each said to every presentation.

    Args:
        release: The release that the files are for.
        files: One file for each system; each follows the protocol that it names, or else this one.
        protocol: The protocol whose presentations are shown; the release's first one without.
        findings: Where problems go.

    Raises:
        EarmarkError: If a file is not there, or follows a protocol of other conversations.
        UnknownName: If the release has no such protocol.
    """
    for file in files:
        if not file.is_file():
            raise EarmarkError(f"cannot read {file}: no such file")
    places = _places(release)
    name = release.protocol(protocol).name
    shown = {places[id]: id for id in owed_presentations(release, release.protocol(name)).ids}
    systems: list[System] = []
    for file in files:
        submission, decisions = read(release, file, None, findings, unnamed=name)
        owed = {places[id] for id in decisions.owed.ids}
        if not shown.keys() <= owed:
            raise EarmarkError(
                f"{file} follows {decisions.owed.protocol}, whose conversations are not those of {name}, which the panel shows"
            )
        reasons = _reasons(submission)
        said: dict[str, Said] = {}
        # The rows of a presentation come by run.
        for at, run, choice in zip(
            decisions.presentation.tolist(), decisions.run.tolist(), decisions.choice.tolist(), strict=True
        ):
            own = decisions.owed.ids[at]
            id = shown.get(places[own])
            if id is not None and id not in said:
                label = None if choice < 0 else decisions.choices[choice]
                words = "" if label is None else reasons.get((own, run), "")
                said[id] = Said(presentation=id, choice=label, reasons=words)
        called = _name(submission, [system.name for system in systems])
        systems.append(System(name=called, file=file_hash(file), said=tuple(said.values())))
    return systems


def _places(release: Release) -> Mapping[str, _Place]:
    """Where each presentation stands, whatever stands for a clip in it."""
    table = release.table("presentations")
    rows = list(
        zip(*(table[name].to_pylist() for name in ("presentation_id", "item_id", "order", "after")), strict=True)
    )
    orders = {id: order for id, _, order, _ in rows}
    return {id: (item, order, None if after is None else orders[after]) for id, item, order, after in rows}


def reasons_in(row: Row) -> str:
    r"""What a row says for its choice, in the system's own words.

    >>> from earmark.scoring.submissions.rows import Row
    >>> reasons_in(Row("p", response='Sure: {"reasoning": "A calm voice.", "selected": "Option 1"}'))
    'A calm voice.'
    >>> reasons_in(Row("p", choice="1", evidence=("slow", "low")))
    'slow\nlow'
    """
    words = "\n".join(row.evidence) or _reasoning(row.response or "")
    return words if len(words) <= LONGEST_REASONS else f"{words[:LONGEST_REASONS]}…"


def _reasoning(response: str) -> str:
    """What stands under the key in the object of a response; the whole of it where none does."""
    begin, end = response.find("{"), response.rfind("}") + 1
    try:
        value: Json = strict_json(response[begin:end].encode("utf-8", "surrogatepass")) if 0 <= begin < end else None
    except NotStrictJson:
        value = None
    said = value.get(REASONING) if isinstance(value, Mapping) else None
    return said if isinstance(said, str) else response


def _reasons(submission: Submission) -> Mapping[tuple[str, int], str]:
    return {
        (row.presentation_id, row.run): reasons_in(row)
        for row in submission.rows
        if row.response is not None or row.evidence
    }


def _name(submission: Submission, taken: Sequence[str]) -> str:
    """What a file calls its judge, or its own name; numbered where another one is called so."""
    called = submission.header.judge.name or Path(submission.name).stem
    name = "".join(letter for letter in " ".join(called.split()) if letter.isprintable())[:LONGEST_NAME] or "system"
    number = 1
    while (numbered := name if number == 1 else f"{name} ({number})") in taken:
        number += 1
    return numbered
