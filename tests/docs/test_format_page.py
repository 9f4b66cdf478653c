"""The page of the format says everything that the declarations say."""

from __future__ import annotations

import runpy
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields

import msgspec
import pyarrow as pa
import pytest
from tests.docs.reading import DOCS, table_rows

from earmark.manifests.declarations import RECIPES, TABLES
from earmark.manifests.findings import Code, Severity
from earmark.manifests.registry import family
from earmark.manifests.release import Manifest
from earmark.manifests.report import IntervalEntry, MetricEntry, Report
from earmark.manifests.tables import Column, Side, Table
from earmark.scoring.stance.figures import GLOSSARY
from earmark.scoring.submissions.header import Header, Judge, Run
from earmark.scoring.submissions.rows import FIELDS, STATUSES
from earmark.validation.invariants import Invariant, family_invariants

PAGE = runpy.run_path(str(DOCS / "_ext" / "format_page.py"))
tables_page: Callable[[Iterable[Table]], str] = PAGE["tables_page"]
families_page: Callable[[Iterable[object]], str] = PAGE["families_page"]
layout_page: Callable[[Iterable[Table]], str] = PAGE["layout_page"]
invariants_page: Callable[[Iterable[Invariant]], str] = PAGE["invariants_page"]
family_invariants_page: Callable[[Iterable[object]], str] = PAGE["family_invariants_page"]
rows_page: Callable[[], str] = PAGE["rows_page"]
records_page: Callable[[Iterable[tuple[str, type]]], str] = PAGE["records_page"]
metrics_page: Callable[[Iterable[object]], str] = PAGE["metrics_page"]
documented_fields: Callable[[type], Mapping[str, str]] = PAGE["documented_fields"]
every_code: Callable[[], tuple[Code, ...]] = PAGE["every_code"]
findings_page: Callable[[Iterable[Code]], str] = PAGE["findings_page"]


@pytest.mark.parametrize("table", [*TABLES, RECIPES], ids=lambda table: str(table.name))
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


def test_codes_of_every_room_are_there() -> None:
    rooms = {"recipe.section", "stance.pole", "submission.unknown-id", "ratings.malformed-row", "rubric.unreadable"}
    assert rooms < {code.name for code in every_code()}


def test_family_s_own_invariants_are_told() -> None:
    stance = family("stance")
    page = family_invariants_page([stance])
    assert all(f"| `{entry.name}` | {entry.means} |" in page for entry in family_invariants(stance))


def test_every_field_of_a_prediction_row_has_a_line() -> None:
    lines = rows_page().splitlines()[2:]
    assert [line.split("`")[1] for line in lines] == list(FIELDS)
    assert all(f"`{status}`" in lines[FIELDS.index("status")] for status in STATUSES)


@pytest.mark.parametrize("record", [Header, Judge, Run])
def test_every_field_of_the_first_line_is_documented(record: type[msgspec.Struct]) -> None:
    assert list(documented_fields(record)) == [field.name for field in msgspec.structs.fields(record)]


@pytest.mark.parametrize("record", [Report, MetricEntry, IntervalEntry])
def test_every_field_of_a_report_is_documented(record: type) -> None:
    assert list(documented_fields(record)) == [field.name for field in fields(record)]


def test_records_are_told_in_the_words_of_their_docstrings() -> None:
    page = records_page([("judge", Judge), ("An entry of `metrics`", MetricEntry)])
    assert "| `access` | `open_weights`, `commercial` | Whether the weights are open. |" in page
    assert "The object `judge`:" in page
    assert "| `value` | The figure; null where undefined. |" in page


def test_every_metric_of_a_family_is_told() -> None:
    page = metrics_page([family("stance")])
    assert all(f"| `{name}` | " in page for name in GLOSSARY)


def test_every_field_of_the_manifest_has_a_line() -> None:
    told = [row.code("Field")[0] for row in table_rows(DOCS / "format.md") if row.section == "The manifest"]
    assert sorted(told) == sorted(field.name for field in msgspec.structs.fields(Manifest))
