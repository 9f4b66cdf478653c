"""The prompt table of Seamless Interaction, `interactions.csv`: what each side was asked to do, and as whom.

A role-play prompt names the role in parentheses at the start of a line: `(Warm): As the nurse, …`, with or without a line
`Scenario: …` before it, and with whatever may follow it. Of the 538 role-play prompts one has a side without a role.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from earmark.builders.corpora.csv_rows import Row, drop_conflicting, merge_repeated, read_rows
from earmark.manifests.findings import Findings, Severity, declare

COLUMNS = (
    "prompt_hash",
    "prompt_id_unique",
    "participant_a_prompt_text",
    "participant_b_prompt_text",
    "ipc_a",
    "ipc_b",
    "interaction_type",
)
"""The columns that are read; the unnamed index before them is not."""

BAD_PROMPT_HASH = declare("corpus.bad-prompt-hash", Severity.ERROR, "the prompt's number is malformed; dropped")
BLANK_PROMPT_ID = declare("corpus.blank-prompt-id", Severity.ERROR, "the prompt has no id; dropped")
DUPLICATE_PROMPT = declare(
    "corpus.duplicate-prompt", Severity.ERROR, "several prompts share a number or id; all dropped"
)
PROMPT_WITHOUT_ROLE = declare(
    "corpus.prompt-without-role", Severity.WARNING, "a side of a role-play prompt names no role; that side has no label"
)

_HASH = re.compile(r"[0-9]{8}")
_ROLE = re.compile(r"^\s*\(([^()\n]+)\)", re.MULTILINE)
_ROLE_PLAY_ID = re.compile(r"(?:^|\.)RP[0-9.]*_")


@dataclass(frozen=True, slots=True)
class Prompt:
    """One prompt, its two texts, and the roles that they name.

    Args:
        hash: Eight digits, the interaction number of its recordings.
        id: `prompt_id_unique`, such as `P3355_v3.2.3.RP_AMCN_ANCM`.
        text_a: What side A was asked to do.
        text_b: What side B was asked to do.
        role_a: The role that `text_a` names, if any.
        role_b: The role that `text_b` names, if any.
        ipc_a: Agency and communion of side A, such as `ANCP`, or blank.
        ipc_b: The same of side B.
        interaction_type: Such as `ipc_conversation`.
    """

    hash: str
    id: str
    text_a: str
    text_b: str
    role_a: str | None
    role_b: str | None
    ipc_a: str
    ipc_b: str
    interaction_type: str

    @property
    def is_role_play(self) -> bool:
        """Whether it asks for roles, by its id or because a side names one."""
        named = self.role_a is not None or self.role_b is not None
        return named or _ROLE_PLAY_ID.search(self.id) is not None


def role_of(text: str) -> str | None:
    r"""The role that a prompt text names: what the first line that opens with parentheses has in them.

    >>> role_of("Scenario: Tutoring: Two meet.\n (Unaggressive) - Tutor: As the tutor, ask (gently).")
    'Unaggressive'
    >>> role_of("Actor 2 (Introverted): As the person with a similar diagnosis, …") is None
    True
    """
    match = _ROLE.search(text)
    return (match.group(1).strip() or None) if match else None


def read_prompts(path: Path, findings: Findings) -> tuple[Prompt, ...]:
    """Read the prompt table.

    Args:
        path: `interactions.csv` in its official form.
        findings: What is wrong is added to them.

    Returns:
        The sound prompts by number; none if the table is of no use.
    """
    file = str(path)
    read = [
        (row.line, prompt)
        for row in read_rows(path, COLUMNS, findings) or ()
        if (prompt := _prompt(row, file, findings)) is not None
    ]
    kept = merge_repeated(read, file, findings)
    kept = drop_conflicting(
        kept, lambda prompt: prompt.hash, DUPLICATE_PROMPT, column="prompt_hash", file=file, findings=findings
    )
    kept = drop_conflicting(
        kept, lambda prompt: prompt.id, DUPLICATE_PROMPT, column="prompt_id_unique", file=file, findings=findings
    )
    for line, prompt in kept:
        _require_roles(prompt, line, file, findings)
    return tuple(sorted((prompt for _, prompt in kept), key=lambda prompt: prompt.hash))


def _prompt(row: Row, file: str, findings: Findings) -> Prompt | None:
    hash, id, text_a, text_b, ipc_a, ipc_b, interaction_type = row.cells
    if _HASH.fullmatch(hash) is None:
        findings.add(
            BAD_PROMPT_HASH,
            file=file,
            row=row.line,
            column="prompt_hash",
            id=id,
            found=hash,
            expected="eight digits, the leading zeros that spreadsheets drop among them",
        )
        return None
    if not id.strip():
        findings.add(BLANK_PROMPT_ID, file=file, row=row.line, column="prompt_id_unique", id=hash, found=id)
        return None
    return Prompt(hash, id, text_a, text_b, role_of(text_a), role_of(text_b), ipc_a, ipc_b, interaction_type)


def _require_roles(prompt: Prompt, line: int, file: str, findings: Findings) -> None:
    if not prompt.is_role_play:
        return
    for side, role, text in (("a", prompt.role_a, prompt.text_a), ("b", prompt.role_b, prompt.text_b)):
        if role is None:
            findings.add(
                PROMPT_WITHOUT_ROLE,
                file=file,
                row=line,
                column=f"participant_{side}_prompt_text",
                id=prompt.hash,
                found=text,
                expected="a line that opens with the role in parentheses",
            )
