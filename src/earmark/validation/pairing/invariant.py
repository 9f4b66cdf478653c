"""What an invariant of pairs is: a pure function from tables and terms to what breaks it, with a code and a sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from earmark.manifests.families.pairs_recipe import Caps, Cell, Criterion, Pairing, Rules
from earmark.manifests.findings import Code, Findings, Severity, declare
from earmark.manifests.pairing import PAIRS
from earmark.validation.pairing.tables import Pair, PairTables

RULES = Rules()
"""The rules that are in force unless somebody says otherwise."""


@dataclass(frozen=True)
class Fault:
    """One place where an invariant does not hold.

    Args:
        found: What stands there.
        expected: What would be right.
        pair: The pair, where it is of one.
        id: Name of what it is about, where that is no pair.
        column: The column of the pairs table, where it is of one.
    """

    found: str
    expected: str
    pair: Pair | None = None
    id: str | None = None
    column: str | None = None


Check = Callable[[PairTables, Pairing], Iterator[Fault]]


@dataclass(frozen=True)
class PairInvariant:
    """Something that must hold of pairs; call it on tables and it says where it does not.

    Args:
        code: The code of its findings, `pairs.what-must-hold`.
        means: What must hold, one sentence.
        faults: Yields every fault; it changes nothing and raises nothing.
    """

    code: Code
    means: str
    faults: Check

    @property
    def name(self) -> str:
        """Name of its code."""
        return self.code.name

    def __call__(
        self,
        tables: PairTables,
        rules: Rules = RULES,
        *,
        caps: Mapping[Criterion, Caps] | None = None,
        cells: Sequence[Cell] = (),
    ) -> Findings:
        """Ask this invariant alone."""
        return check_pairs(tables, rules, caps=caps, cells=cells, invariants=(self,))


def invariant(name: str, wrong: str) -> Callable[[Check], PairInvariant]:
    """Make an invariant of a check; the first line of its docstring is what must hold.

    Args:
        name: Name of its code.
        wrong: What is wrong where it does not hold, for the findings.
    """

    def made(check: Check) -> PairInvariant:
        means = (check.__doc__ or "").partition("\n")[0]
        return PairInvariant(declare(name, Severity.ERROR, wrong), means, check)

    return made


def check_pairs(
    tables: PairTables,
    rules: Rules = RULES,
    *,
    caps: Mapping[Criterion, Caps] | None = None,
    cells: Sequence[Cell] = (),
    invariants: Sequence[PairInvariant] | None = None,
) -> Findings:
    """Every finding about anybody's pairs, all at once.

    Args:
        tables: Utterances and pairs, as `PairTables.of` reads them.
        rules: The rules in force; by default all of them.
        caps: Caps of each criterion that has any.
        cells: What was asked for and what came of it; without them nothing is held against quotas.
        invariants: Those to ask; by default every one of `PAIR_INVARIANTS`.

    Returns:
        The findings, the shape of the tables first: where that is wrong, nothing else is asked.
    """
    from earmark.validation.pairing import PAIR_INVARIANTS

    findings = Findings()
    findings.extend(tables.shape)
    if tables.shape.failed:
        return findings
    pairing = Pairing(cells=tuple(cells), caps=dict(caps or {}), rules=rules)
    for entry in PAIR_INVARIANTS if invariants is None else invariants:
        for fault in entry.faults(tables, pairing):
            row, id = (None, fault.id) if fault.pair is None else (fault.pair.at, fault.pair.id)
            findings.add(
                entry.code,
                file=PAIRS.name,
                row=row,
                column=fault.column,
                id=id,
                found=fault.found,
                expected=fault.expected,
            )
    return findings
