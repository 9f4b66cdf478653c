"""The page of the format says everything that the declarations say."""

from __future__ import annotations

import runpy
from collections.abc import Callable, Iterable

import pyarrow as pa
import pytest
from tests.docs.reading import DOCS

from earmark.manifests.declarations import TABLES
from earmark.manifests.findings import Code, Severity
from earmark.manifests.registry import family
from earmark.manifests.tables import Column, Side, Table
from earmark.validation.invariants import Invariant

PAGE = runpy.run_path(str(DOCS / "_ext" / "format_page.py"))
tables_page: Callable[[Iterable[Table]], str] = PAGE["tables_page"]
families_page: Callable[[Iterable[object]], str] = PAGE["families_page"]
layout_page: Callable[[Iterable[Table]], str] = PAGE["layout_page"]
invariants_page: Callable[[Iterable[Invariant]], str] = PAGE["invariants_page"]
findings_page: Callable[[Iterable[Code]], str] = PAGE["findings_page"]


@pytest.mark.parametrize("table", TABLES, ids=lambda table: str(table.name))
def test_every_declared_column_has_a_line(table: Table) -> None:
    lines = tables_page([table]).splitlines()
    for column in table.columns:
        (line,) = [line for line in lines if line.startswith(f"| `{column.name}` |")]
        assert column.means in line
        assert (column.unit or "") in line
        assert ("may be absent" in line) == column.nullable
        assert ("tells the answer" in line) == column.gold


def test_tree_shows_every_table_on_its_side() -> None:
    lines = layout_page(TABLES).splitlines()
    public, private = lines.index("  public/"), lines.index("  private/")
    for table in TABLES:
        at = lines.index(f"    {table.filename}")
        assert (public < at < private) == (table.side is Side.PUBLIC)
    assert lines.index("    key") > private


def test_rules_of_a_column_are_all_told() -> None:
    column = Column(
        name="pace",
        type=pa.list_(pa.float64()),
        means="How fast.",
        unit="Hz",
        choices=("a", "b"),
        pattern="a|b",
        refers_to="clips.clip_id",
        low=-1.5,
        high=2.0,
        step=0.01,
        gold=True,
        nullable=True,
    )
    table = Table(name="t", means="T.", side=Side.PRIVATE, key=("pace",), columns=(column,))
    assert tables_page([table]).splitlines()[-1] == (
        "| `pace` | list of real numbers, Hz | `a`, `b`; found in `clips.clip_id`; matches `a\\|b`; ≥ -1.5; ≤ 2; "
        "rounded to 0.01, outside the content hash; tells the answer; may be absent | How fast. |"
    )


def test_family_tells_where_its_labels_are_from() -> None:
    stance = family("stance")
    page = families_page([stance])
    assert stance.label_source in page
    assert all(f"`{protocol.name}`" in page for protocol in stance.protocols)
    assert all(f"| `{column.name}` |" in page for column in stance.answer_columns)


def test_invariant_says_what_it_needs() -> None:
    page = invariants_page(
        [
            Invariant("a", "All is well.", False, lambda contents, findings: None),
            Invariant("b", "Nothing leaks.", True, lambda contents, findings: None),
        ]
    )
    assert page.splitlines()[-2:] == [
        "| `a` | All is well. | the public side |",
        "| `b` | Nothing leaks. | both sides |",
    ]


def test_finding_has_code_severity_and_meaning() -> None:
    page = findings_page([Code("room.wrong", Severity.WARNING, "Something is odd.")])
    assert page.splitlines()[-1] == "| `room.wrong` | warning | Something is odd. |"
