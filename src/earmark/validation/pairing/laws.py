"""Laws of pairing: what must hold between two runs of a function that makes pairs, whatever it chooses.

A law runs the function on utterances and on a changed copy of them, and compares. No oracle is needed, so it is one line in
anybody's test:

    laws.check_laws(my_pairing, rows).require_none()

or one law alone, `laws.order_free(my_pairing, rows)`. `mirrors` is a law of whatever is computed of pairs. What the function
raises is raised.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import deepcopy
from typing import TypeAlias, TypeVar

from earmark.manifests.findings import Code, Findings, Severity, declare
from earmark.manifests.rows import Row
from earmark.validation.pairing.tables import PairTables, TableLike

PairingFunction: TypeAlias = "Callable[[list[dict[str, object]]], TableLike]"
"""A function that makes pairs of utterances."""

Law: TypeAlias = "Callable[[PairingFunction, Sequence[Row]], Findings]"

_Figure = TypeVar("_Figure")

ORDER = declare("pairing.order-free", Severity.ERROR, "the pairs depend on the order of the utterances")
MORE = declare("pairing.more-is-no-less", Severity.ERROR, "unrelated utterances took pairs away from a cell")
MIRROR = declare(
    "pairing.mirrors", Severity.ERROR, "swapping first and second everywhere does not give the mirror image"
)
SEXES = declare("pairing.sexes-alike", Severity.ERROR, "a cell has another number of pairs once the sexes are renamed")
SHAPE = declare("pairing.shape", Severity.ERROR, "what the function returns is no table of pairs")

_OTHER = {"female": "male", "male": "female"}


def order_free(pairing: PairingFunction, rows: Sequence[Row]) -> Findings:
    """Whether the same utterances in another order, or a second time, make the same pairs; names of pairs may differ.

    Args:
        pairing: The function; it gets a copy of the rows at every run.
        rows: Utterances, of which two or more should make a pair.
    """
    findings = Findings()
    usual = _pairs(pairing, rows, rows, findings)
    for seed in range(3):
        shuffled = list(rows)
        random.Random(seed).shuffle(shuffled)  # noqa: S311  # any order will do
        again = _pairs(pairing, shuffled if seed else rows, rows, findings)
        for lost in sorted(((usual - again) + (again - usual)).elements())[: findings.cap]:
            findings.add(
                ORDER, file="pairs", found=f"{_said(lost)} {'once' if lost in usual else 'then'}", expected="always"
            )
    return findings


def more_is_no_less(pairing: PairingFunction, rows: Sequence[Row]) -> Findings:
    """Whether adding utterances of another corpus, with speakers and texts of its own, leaves every cell as many pairs or more.

    Args:
        pairing: The function.
        rows: Utterances; those that are added are copies of them under other names.
    """
    findings = Findings()
    usual = _cells(_pairs(pairing, rows, rows, findings))
    more = [*rows, *(_elsewhere(row) for row in rows)]
    _compare(MORE, usual, _cells(_pairs(pairing, more, more, findings)), findings, lambda before, now: now >= before)
    return findings


def sexes_alike(pairing: PairingFunction, rows: Sequence[Row]) -> Findings:
    """Whether calling women men and men women leaves every cell as many pairs, the target of a gender pair renamed too.

    Args:
        pairing: The function.
        rows: Utterances; those of undisclosed sex stay so.
    """
    findings = Findings()
    usual = _cells(_pairs(pairing, rows, rows, findings), rename=True)
    renamed = [{**row, "sex": _OTHER.get(str(row.get("sex")))} for row in rows]
    _compare(
        SEXES, usual, _cells(_pairs(pairing, renamed, rows, findings)), findings, lambda before, now: now == before
    )
    return findings


def mirrors(
    figure: Callable[[PairTables], _Figure], tables: PairTables, image: Callable[[_Figure], _Figure] | None = None
) -> Findings:
    """Whether what is computed of pairs is mirrored when first and second are swapped everywhere.

    Args:
        figure: What is computed, such as a count, a balance, or the marks of a rule that answers.
        tables: Pairs.
        image: The mirror image of a figure, such as one in which the accuracies of the two orders have changed
            places; by default a figure is its own.
    """
    findings = Findings()
    here, there = figure(tables), figure(tables.mirrored())
    right = here if image is None else image(here)
    if there != right:
        findings.add(MIRROR, file="pairs", found=there, expected=str(right))
    return findings


LAWS: tuple[Law, ...] = (order_free, more_is_no_less, sexes_alike)
"""Every law of functions that make pairs; `mirrors` is one of what is computed of them."""


def check_laws(pairing: PairingFunction, rows: Sequence[Row], laws: Iterable[Law] = LAWS) -> Findings:
    """Every law that a function breaks on these utterances, all at once."""
    findings = Findings()
    for law in laws:
        findings.extend(law(pairing, rows))
    return findings


def _made(pairing: PairingFunction, rows: Sequence[Row], known: Sequence[Row], findings: Findings) -> PairTables:
    """What the function makes of a copy of the rows; no pairs where that is not a table of pairs."""
    tables = PairTables.of(known, pairing(deepcopy([dict(row) for row in rows])))
    for wrong in tables.shape:
        findings.add(
            SHAPE, file=wrong.file, column=wrong.column, id=wrong.code.name, found=wrong.found, expected=wrong.expected
        )
    return tables


def _pairs(
    pairing: PairingFunction, rows: Sequence[Row], known: Sequence[Row], findings: Findings
) -> Counter[tuple[str, ...]]:
    """The pairs without their names."""
    return Counter(
        (
            pair.criterion,
            pair.target,
            pair.kind,
            pair.transcript,
            pair.variant,
            *pair.names,
            pair.preferred or "neither",
        )
        for pair in _made(pairing, rows, known, findings).every
    )


def _said(pair: tuple[str, ...]) -> str:
    return " / ".join(pair)


def _cells(pairs: Counter[tuple[str, ...]], *, rename: bool = False) -> Counter[str]:
    """How many pairs there are of each criterion, target, kind, transcript and variant."""
    cells: Counter[str] = Counter()
    for (criterion, target, *others), count in pairs.items():
        renamed = _OTHER.get(target, target) if rename and criterion == "gender" else target
        cells[" / ".join((criterion, renamed, *others[:3]))] += count
    return cells


def _compare(
    code: Code, usual: Counter[str], changed: Counter[str], findings: Findings, holds: Callable[[int, int], bool]
) -> None:
    for cell in sorted(usual.keys() | changed.keys()):
        if not holds(usual[cell], changed[cell]):
            findings.add(code, file="pairs", id=cell, found=f"{changed[cell]} pairs", expected=f"{usual[cell]}")


def _elsewhere(row: Mapping[str, object]) -> Row:
    """The same utterance by somebody else, of another text, in another corpus."""
    marks = {
        name: f"{row[name]}-elsewhere"
        for name in ("utterance", "corpus", "speaker", "path", "pcm_hash")
        if row.get(name)
    }
    text = {"text": f"{row['text']} elsewhere"} if row.get("text") else {}
    return {**row, **marks, **text}
