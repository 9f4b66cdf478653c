"""Findings: every problem at once, each with a stable code, the place, what was found and what would be right.

A code is declared once, in the module that can find it, and never changes its meaning. `Findings` collects them: it keeps
the first few of each code, by place and not by time, counts them all, and knows the exit code that a command owes.
"""

from __future__ import annotations

import difflib
from bisect import insort
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import chain

from earmark.manifests.canonical import Json
from earmark.manifests.errors import Refused


class Severity(StrEnum):
    """How grave a finding is; only an error changes the exit code."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True)
class Code:
    """A kind of finding.

    Args:
        name: Stable name, `room-or-thing.what-is-wrong`.
        severity: How grave it is.
        means: One sentence for people; findings add the place and the value.
    """

    name: str
    severity: Severity
    means: str


_codes: dict[str, Code] = {}


def declare(name: str, severity: Severity, means: str) -> Code:
    """Declare a code, once in the whole program.

    Raises:
        ValueError: If the name stands for another meaning already.
    """
    code = Code(name, severity, means)
    if _codes.setdefault(name, code) != code:
        raise ValueError(f"the finding code {name!r} is declared twice with different meanings")
    return code


def declared_codes() -> tuple[Code, ...]:
    """Every code declared by the modules imported so far, by name."""
    return tuple(_codes[name] for name in sorted(_codes))


@dataclass(frozen=True)
class Finding:
    """One problem in one place.

    Args:
        code: What kind of problem.
        file: The file or table it stands in, as the user named it.
        row: Row or line, counted from 1 as an editor does.
        column: Column or field.
        id: Id of the thing concerned.
        found: The value found.
        expected: What would be right, valid values first.
        character: Character of the line, from 1, from which on it cannot be read.
    """

    code: Code
    file: str | None = None
    row: int | None = None
    column: str | None = None
    id: str | None = None
    found: str | None = None
    expected: str | None = None
    character: int | None = None

    def place(self) -> str:
        """Where it is: `file:row:character [column] id`, as far as known."""
        row = "".join(f":{number}" for number in (self.row, self.character) if number is not None)
        parts = [f"{self.file or ''}{row}", f"[{self.column}]" if self.column else "", self.id or ""]
        return " ".join(part for part in parts if part)

    def text(self) -> str:
        """One line for people."""
        place = self.place()
        detail = "; ".join(["", *self._found_and_expected()])
        return f"{self.code.severity} {self.code.name}{' ' if place else ''}{place}: {self.code.means}{detail}"

    def detail(self) -> str:
        """The line without what all of its code have in common."""
        place, said = self.place(), "; ".join(self._found_and_expected())
        return ": ".join(part for part in (place, said) if part)

    def _found_and_expected(self) -> list[str]:
        found = [] if self.found is None else [f"found {_clipped(self.found)}"]
        if self.expected is None:
            return found
        # Of two bare values nobody sees which is the right one.
        bare = bool(found) and " " not in self.expected
        return [*found, f"expected {self.expected}" if bare else self.expected]

    def as_json(self) -> dict[str, Json]:
        """The same for machines."""
        return {
            "code": self.code.name,
            "severity": self.code.severity.value,
            "means": self.code.means,
            "file": self.file,
            "row": self.row,
            "character": self.character,
            "column": self.column,
            "id": self.id,
            "found": self.found,
            "expected": self.expected,
        }

    def _order(self) -> tuple[object, ...]:
        return (
            list(Severity).index(self.code.severity),
            self.code.name,
            self.file or "",
            self.row or 0,
            self.character or 0,
            self.column or "",
            self.id or "",
            self.found or "",
            self.expected or "",
        )


@dataclass(repr=False)
class Findings:
    """All findings of one check: the first `cap` of each code by place are kept, every one is counted.

    What is kept does not depend on the order in which it was found.

    Args:
        cap: How many findings of one code are kept.
        strict: Stop at the first error instead of collecting them.
    """

    cap: int = 50
    strict: bool = False
    _kept: dict[str, list[Finding]] = field(default_factory=dict)
    _counts: Counter[str] = field(default_factory=Counter)

    def add(
        self,
        code: Code,
        *,
        file: str | None = None,
        row: int | None = None,
        character: int | None = None,
        column: str | None = None,
        id: str | None = None,
        found: object = None,
        expected: str | None = None,
    ) -> None:
        """Record one finding.

        Raises:
            Refused: If `strict` is set and the finding is an error.
        """
        if row is not None and not self.keeps(code, file, row):
            self._counts[code.name] += 1  # millions may be: no more is made of them
            return
        self._record(
            Finding(
                code,
                _sayable(file),
                row,
                _sayable(column),
                _sayable(id),
                _sayable(found),
                _sayable(expected),
                character,
            )
        )
        if self.strict and code.severity is Severity.ERROR:
            raise Refused(self)

    def keeps(self, code: Code, file: str | None, row: int) -> bool:
        """Whether a finding in a row would be kept, for all that is known of it: not where it stands behind all that are."""
        kept = self._kept.get(code.name)
        if not kept or len(kept) < self.cap:
            return True
        last = kept[-1]
        return last.row is None or row <= last.row or file != last.file

    def count_more(self, code: Code, more: int) -> None:
        """Count findings of a code that were not added, since `cap` that were stand before them; `more` may be 0."""
        if more:
            self._kept.setdefault(code.name, [])
            self._counts[code.name] += more

    def extend(self, other: Findings) -> None:
        """Take over what another check found."""
        for name, count in other._counts.items():
            for finding in other._kept[name]:
                self._record(finding)
            self._counts[name] += count - len(other._kept[name])
        if self.strict and other.failed:
            raise Refused(self)

    def _record(self, finding: Finding) -> None:
        name = finding.code.name
        self._counts[name] += 1
        kept = self._kept.setdefault(name, [])
        # A file is read from its top, so most of what comes after the cap stands behind all that is kept.
        if len(kept) < self.cap or (kept and finding._order() < kept[-1]._order()):
            insort(kept, finding, key=Finding._order)
            del kept[self.cap :]

    def __iter__(self) -> Iterator[Finding]:
        """The kept findings, gravest first, then by code and place."""
        return iter(sorted(chain.from_iterable(self._kept.values()), key=Finding._order))

    def __repr__(self) -> str:
        return f"<Findings: {self.summary()}>"

    def __len__(self) -> int:
        return sum(self._counts.values())

    def count(self, severity: Severity) -> int:
        """How many findings of this severity there are, kept or not."""
        return sum(count for name, count in self._counts.items() if _codes[name].severity is severity)

    @property
    def counts(self) -> dict[str, int]:
        """Exact count of each code, by name."""
        return dict(sorted(self._counts.items()))

    @property
    def failed(self) -> bool:
        """Whether there is an error among them."""
        return self.count(Severity.ERROR) > 0

    @property
    def exit_code(self) -> int:
        """0 where nothing is wrong or all is a warning, 1 where something is an error."""
        return int(self.failed)

    def require_none(self, error: type[Refused] = Refused) -> None:
        """Go on only if nothing is an error.

        Args:
            error: What is raised.

        Raises:
            Refused: If something is.
        """
        if self.failed:
            raise error(self)

    def summary(self) -> str:
        """One line: how many of each severity."""
        counted = [(self.count(severity), severity.value) for severity in Severity]
        return (
            ", ".join(f"{count} {name}{'s' if count != 1 else ''}" for count, name in counted if count) or "no findings"
        )

    def as_json(self) -> dict[str, Json]:
        """Counts and kept findings for machines."""
        return {
            "summary": {severity.value: self.count(severity) for severity in Severity},
            "counts": dict(self.counts),
            "findings": [finding.as_json() for finding in self],
            "kept_of_each_code": self.cap,
        }


_LEAST_PART = 3
"""Fewest letters that a part of a name must have to stand for it."""


def nearest(name: str, valid: Iterable[str], *, most: int = 3) -> str:
    """Near matches of a mistyped name, or of a part of one, as a phrase for `expected`.

    >>> nearest("Freindly", ["Friendly", "Warm"])
    'did you mean Friendly?'
    >>> nearest("empathy", ["interpersonal_empathy", "stress_management_optimism"])
    'did you mean interpersonal_empathy?'
    >>> nearest("x", ["Friendly", "Warm"])
    'one of Friendly, Warm'
    """
    known = list(valid)
    folded = {entry.casefold(): entry for entry in known}
    wanted = name.casefold()
    matches = difflib.get_close_matches(wanted, folded, n=most, cutoff=0.7)
    if not matches and len(wanted) >= _LEAST_PART:
        having = [entry for entry in folded if wanted in entry]
        matches = having if len(having) <= most else []
    if matches:
        return f"did you mean {' or '.join(folded[match] for match in matches)}?"
    shown = ", ".join(known[:12])
    return f"one of {shown}{', …' if len(known) > 12 else ''}"


def _sayable(value: object, most: int = 1000) -> str | None:
    """A stranger's value as text that can be written anywhere: no lone surrogate, and not megabytes of it."""
    if value is None:
        return None
    text = str(value)
    shown = text if len(text) <= most else f"{text[:most]}… ({len(text)} characters)"
    return shown.encode("utf-8", "backslashreplace").decode("utf-8")


def _clipped(text: str, most: int = 120) -> str:
    """A value short enough for one line, control characters made visible, whatever a stranger put in it."""
    shown = text if len(text) <= most else f"{text[:most]}… ({len(text)} characters)"
    return repr(shown) if not shown.isprintable() else f"'{shown}'" if " " in shown or not shown else shown
