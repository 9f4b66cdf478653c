"""Who played which side of a prompt: the table that Seamless Interaction itself does not publish.

Moderators could choose who of a pair got which prompt, so the corpus does not say who played A and who B. Whoever knows, or
has inferred it, says so in a table with StanceBench's columns; what else stands in that table is ignored. Roles are taken as
written: a role in another case, or one that the prompt does not name, is a finding and never mended silently.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from earmark.builders.corpora.csv_rows import Row, drop_conflicting, merge_repeated, read_rows
from earmark.builders.corpora.seamless.ids import FileId, parse_id
from earmark.builders.corpora.seamless.prompts import Prompt
from earmark.manifests.errors import Refused
from earmark.manifests.findings import Code, Findings, Severity, declare, nearest

COLUMNS = ("prompt_id_unique", "a_id", "b_id", "role_a", "role_b")
"""The columns that are read; the others of StanceBench's table are not."""

NO_ASSIGNMENTS = declare(
    "corpus.no-assignments",
    Severity.ERROR,
    "who of a pair played side A of its prompt and who played side B is not public; a table must say it",
)
TWO_CONVERSATIONS = declare(
    "corpus.two-conversations", Severity.ERROR, "the two ids are of different conversations; row dropped"
)
SAME_PARTICIPANT = declare(
    "corpus.same-participant", Severity.ERROR, "one participant stands on both sides; row dropped"
)
BLANK_ROLE = declare("corpus.blank-role", Severity.ERROR, "the row names no role on either side; row dropped")
UNKNOWN_PROMPT = declare("corpus.unknown-prompt", Severity.ERROR, "the prompt table has no such prompt; row dropped")
OTHER_INTERACTION = declare(
    "corpus.prompt-of-other-interaction",
    Severity.WARNING,
    "the prompt's number is not that in the file ids; the table is believed, as it may correct the corpus",
)
ROLE_CASE = declare("corpus.role-case", Severity.ERROR, "the role is the prompt's but for case or space; row dropped")
ROLES_SWAPPED = declare("corpus.roles-swapped", Severity.ERROR, "the two roles stand on the wrong sides; row dropped")
ROLE_NOT_IN_PROMPT = declare(
    "corpus.role-not-in-prompt", Severity.ERROR, "the prompt gives that side another role; row dropped"
)
CONFLICT = declare("corpus.conflicting-assignments", Severity.ERROR, "rows disagree on a conversation; all dropped")


@dataclass(frozen=True, slots=True)
class Assignment:
    """Who played which side of a prompt in one conversation.

    Args:
        prompt_id: `prompt_id_unique` of the prompt.
        a: File id of whoever played side A.
        b: File id of whoever played side B.
        role_a: Role of side A; None where the table leaves it blank.
        role_b: Role of side B; None where the table leaves it blank.
    """

    prompt_id: str
    a: FileId
    b: FileId
    role_a: str | None
    role_b: str | None

    @property
    def conversation(self) -> str:
        """Vendor, session and interaction."""
        return self.a.conversation


def read_assignments(path: Path | None, prompts: Iterable[Prompt] | None, findings: Findings) -> tuple[Assignment, ...]:
    """Read the assignment table.

    Args:
        path: A CSV file with StanceBench's columns; None says that there is none.
        prompts: The prompt table, against which prompts and roles are checked; None leaves them unchecked.
        findings: What is wrong is added to them.

    Returns:
        The sound assignments, one per conversation, by conversation.

    Raises:
        Refused: If there is no table, or it is of no use as a whole.
    """
    if path is None or not path.is_file():
        findings.add(
            NO_ASSIGNMENTS,
            file=None if path is None else str(path),
            found="no table" if path is None else "no such file",
            expected=f"a CSV file with one row per conversation and the columns {', '.join(COLUMNS)}",
        )
        raise Refused(findings)
    rows = read_rows(path, COLUMNS, findings)
    if rows is None:
        raise Refused(findings)
    file = str(path)
    read = [(row.line, found) for row in rows if (found := _assignment(row, file, findings)) is not None]
    # Rows that repeat or contradict one another do so whether or not they fit their prompt, so the prompt is asked last.
    kept = drop_conflicting(
        merge_repeated(read, file, findings),
        lambda assignment: assignment.conversation,
        CONFLICT,
        column="a_id",
        file=file,
        findings=findings,
    )
    if prompts is not None:
        known = {prompt.id: prompt for prompt in prompts}
        kept = [(line, entry) for line, entry in kept if _fits_prompt(entry, known, line, file, findings)]
    return tuple(sorted((entry for _, entry in kept), key=lambda entry: entry.conversation))


def _assignment(row: Row, file: str, findings: Findings) -> Assignment | None:
    prompt_id, a_text, b_text, role_a, role_b = row.cells
    a = parse_id(a_text, findings, file=file, row=row.line, column="a_id")
    b = parse_id(b_text, findings, file=file, row=row.line, column="b_id")
    if a is None or b is None:
        return None
    if a.conversation != b.conversation:
        findings.add(
            TWO_CONVERSATIONS,
            file=file,
            row=row.line,
            column="b_id",
            id=a_text,
            found=b_text,
            expected=f"an id that begins with {a.conversation}",
        )
        return None
    if a == b:
        findings.add(
            SAME_PARTICIPANT, file=file, row=row.line, column="b_id", found=b_text, expected="the partner's id"
        )
        return None
    if not role_a and not role_b:
        findings.add(BLANK_ROLE, file=file, row=row.line, column="role_a", id=a.conversation, expected="a role")
        return None
    return Assignment(prompt_id, a, b, role_a or None, role_b or None)


def _fits_prompt(entry: Assignment, known: dict[str, Prompt], line: int, file: str, findings: Findings) -> bool:
    id = entry.conversation
    prompt = known.get(entry.prompt_id)
    if prompt is None:
        findings.add(
            UNKNOWN_PROMPT,
            file=file,
            row=line,
            column="prompt_id_unique",
            id=id,
            found=entry.prompt_id,
            expected=_expected_prompt(entry, known),
        )
        return False
    if prompt.hash != entry.a.prompt_hash:
        findings.add(
            OTHER_INTERACTION,
            file=file,
            row=line,
            column="prompt_id_unique",
            id=id,
            found=f"{prompt.hash}, of {prompt.id}",
            expected=entry.a.prompt_hash,
        )
    if (entry.role_a, entry.role_b) == (prompt.role_a, prompt.role_b):
        return True
    if (entry.role_a, entry.role_b) == (prompt.role_b, prompt.role_a):
        findings.add(
            ROLES_SWAPPED,
            file=file,
            row=line,
            column="role_a",
            id=id,
            found=f"{entry.role_a}, {entry.role_b}",
            expected=f"{prompt.role_a} as role_a and {prompt.role_b} as role_b",
        )
        return False
    for column, found, right in (("role_a", entry.role_a, prompt.role_a), ("role_b", entry.role_b, prompt.role_b)):
        if found != right:
            code, expected = _wrong_role(found, right)
            findings.add(code, file=file, row=line, column=column, id=id, found=found or "", expected=expected)
    return False


def _wrong_role(found: str | None, right: str | None) -> tuple[Code, str]:
    if right is None:
        return ROLE_NOT_IN_PROMPT, "a blank, as the prompt names no role on this side"
    if found is not None and _loosely(found) == _loosely(right):
        return ROLE_CASE, nearest(found, [right])
    return ROLE_NOT_IN_PROMPT, right


def _loosely(role: str) -> str:
    return " ".join(role.split()).casefold()


def _expected_prompt(entry: Assignment, known: dict[str, Prompt]) -> str:
    # Prompt ids differ in a digit or two, so that near matches would mislead; the file ids name the prompt themselves.
    by_number = [prompt.id for prompt in known.values() if prompt.hash == entry.a.prompt_hash]
    return f"{by_number[0]} by the file ids" if by_number else f"one of the {len(known)} ids in the prompt table"
