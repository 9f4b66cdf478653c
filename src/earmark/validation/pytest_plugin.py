"""The pytest plugin: fixtures that fail a test with every finding about somebody's pairs, or every law that their pairing breaks.

pytest loads this at its start wherever Earmark is installed, so nothing else of it is imported before a fixture is asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from earmark.manifests.families.pairs_recipe import Caps, Cell, Criterion, Rules
    from earmark.manifests.findings import Findings
    from earmark.manifests.rows import Row
    from earmark.validation.pairing import PairInvariant
    from earmark.validation.pairing.laws import Law, PairingFunction
    from earmark.validation.pairing.tables import TableLike


class CheckPairs(Protocol):
    """What the fixture `check_pairs` is; see `earmark.validation.pairing.check_pairs` for the terms."""

    def __call__(
        self,
        utterances: TableLike,
        pairs: TableLike,
        rules: Rules | None = None,
        *,
        caps: Mapping[Criterion, Caps] | None = None,
        cells: Sequence[Cell] = (),
        invariants: Sequence[PairInvariant] | None = None,
    ) -> None:
        """Fail the test if anything is wrong with the pairs."""


class PairingLaws(Protocol):
    """What the fixture `pairing_laws` is."""

    def __call__(self, pairing: PairingFunction, rows: Sequence[Row], laws: Iterable[Law] | None = None) -> None:
        """Fail the test if the function breaks a law on these utterances."""


# Both are the same for all tests, so that a test may have many examples.
@pytest.fixture(scope="session")
def check_pairs() -> CheckPairs:
    """`check_pairs(utterances, pairs)` fails the test with every finding about the pairs."""
    from earmark.validation import pairing

    def check(
        utterances: TableLike,
        pairs: TableLike,
        rules: Rules | None = None,
        *,
        caps: Mapping[Criterion, Caps] | None = None,
        cells: Sequence[Cell] = (),
        invariants: Sequence[PairInvariant] | None = None,
    ) -> None:
        __tracebackhide__ = True
        tables = pairing.PairTables.of(utterances, pairs)
        terms = pairing.RULES if rules is None else rules
        _require_none(pairing.check_pairs(tables, terms, caps=caps, cells=cells, invariants=invariants))

    return check


@pytest.fixture(scope="session")
def pairing_laws() -> PairingLaws:
    """`pairing_laws(function, utterances)` fails the test with every law that the function breaks on them."""
    from earmark.validation.pairing import laws as every

    def check(pairing: PairingFunction, rows: Sequence[Row], laws: Iterable[Law] | None = None) -> None:
        __tracebackhide__ = True
        _require_none(every.check_laws(pairing, rows, every.LAWS if laws is None else laws))

    return check


def _require_none(findings: Findings) -> None:
    # The test itself is shown, and with it the utterances that Hypothesis found; the plugin's own frames say nothing.
    __tracebackhide__ = True
    if findings.failed:
        told = "\n".join(finding.text() for finding in findings)
        fail: Callable[..., object] = pytest.fail
        fail(f"{findings.summary()}\n{told}")
