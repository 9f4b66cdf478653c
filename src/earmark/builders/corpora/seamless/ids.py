"""File ids of Seamless Interaction: who, in which session, at which prompt.

`V00_S1047_I00000634_P0092A` is vendor 00, session 1047, interaction 634 and participant 0092A. Session and participant
numbers start anew with each vendor, and the interaction number is that of the prompt, which many sessions share; so only the
keys below name one thing. Some participants carry a letter, which the corpus's own pattern drops; whether 0092 and 0092A are
one person is not known, so they are kept apart.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from earmark.manifests.findings import Findings, Severity, declare

BAD_ID = declare("corpus.bad-id", Severity.ERROR, "this is no file id of Seamless Interaction; dropped")
UNSAFE_ID = declare("corpus.unsafe-id", Severity.ERROR, "the id could lead out of the corpus's folder; dropped")

FORM = "V<digits>_S<digits>_I<digits>_P<digits, a letter or none>"

_ID = re.compile(r"(V[0-9]{1,9})_(S[0-9]{1,9})_(I[0-9]{1,9})_(P[0-9]{1,9}[A-Z]?)")
_UNSAFE = re.compile(r"[/\\:\x00-\x1f]|\.\.|^[~.]")


@dataclass(frozen=True, order=True, slots=True)
class FileId:
    """A file id, in its four parts, each with its letter.

    >>> id = FileId.parse("V00_S1047_I00000634_P0092A")
    >>> id.speaker, id.session, id.conversation, id.prompt_hash
    ('V00_P0092A', 'V00_S1047', 'V00_S1047_I00000634', '00000634')
    """

    vendor: str
    session_code: str
    interaction: str
    participant: str

    @classmethod
    def parse(cls, text: str) -> FileId:
        """The id that a text spells.

        Raises:
            ValueError: If it is none.
        """
        match = _ID.fullmatch(text)
        if match is None:
            raise ValueError(f"{text!r} is no file id, which is {FORM}")
        return cls(*match.groups())

    def __str__(self) -> str:
        return f"{self.vendor}_{self.session_code}_{self.interaction}_{self.participant}"

    @property
    def speaker(self) -> str:
        """The participant, qualified by the vendor."""
        return f"{self.vendor}_{self.participant}"

    @property
    def session(self) -> str:
        """The session, qualified by the vendor."""
        return f"{self.vendor}_{self.session_code}"

    @property
    def conversation(self) -> str:
        """What both members of a dyad share: vendor, session and interaction."""
        return f"{self.session}_{self.interaction}"

    @property
    def prompt_hash(self) -> str:
        """Number of the prompt, digits as they stand."""
        return self.interaction[1:]


def parse_id(text: str, findings: Findings, *, file: str, row: int, column: str) -> FileId | None:
    """The id in a cell; None, and a finding, if there is none."""
    try:
        return FileId.parse(text)
    except ValueError:
        code = UNSAFE_ID if _UNSAFE.search(text) else BAD_ID
        findings.add(code, file=file, row=row, column=column, found=text, expected=FORM)
        return None
