"""A table is declared once, and rows that do not fit it are refused."""

from __future__ import annotations

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from earmark.manifests.tables import Column, Side, Table

SMALL = Table(
    name="small",
    means="Rows for tests.",
    side=Side.PUBLIC,
    key=("id", "n"),
    columns=(
        Column(name="id", type=pa.string(), means="Id."),
        Column(name="n", type=pa.int64(), nullable=True, means="Number."),
        Column(name="level", type=pa.float64(), nullable=True, step=0.01, unit="dB", means="Level."),
        Column(name="names", type=pa.list_(pa.string()), means="Names."),
    ),
)
ROWS = st.lists(
    st.fixed_dictionaries(
        {
            "id": st.text(st.characters(exclude_categories=["Cs"]), max_size=3),
            "n": st.none() | st.integers(-5, 5),
            "level": st.none() | st.floats(-100, 100),
            "names": st.lists(st.text("ab", max_size=2), max_size=2),
        }
    ),
    max_size=8,
    unique_by=lambda row: (row["id"], row["n"]),
)


def row(**changed: object) -> dict[str, object]:
    return {"id": "a", "n": 1, "level": None, "names": [], **changed}


@given(ROWS, st.randoms(use_true_random=False))
def test_row_order_leaves_no_trace(rows: list[dict[str, object]], random: object) -> None:
    mixed = list(rows)
    random.shuffle(mixed)  # type: ignore[attr-defined]  # a random.Random
    arrow = SMALL.from_rows(rows)
    assert arrow.equals(SMALL.from_rows(mixed))
    assert arrow.schema.equals(SMALL.arrow_schema(), check_metadata=True)
    keys = [(entry["id"], entry["n"] is not None, entry["n"] or 0) for entry in arrow.to_pylist()]
    assert keys == sorted(keys)


@given(ROWS)
def test_measured_values_lie_on_their_step(rows: list[dict[str, object]]) -> None:
    before = [dict(entry) for entry in rows]
    arrow = SMALL.from_rows(rows)
    assert rows == before, "the caller's rows are the caller's"
    for cell in arrow["level"].to_pylist():
        assert cell is None or (float(f"{cell:.2f}") == cell and str(cell) != "-0.0")
    wanted = sorted(entry["level"] for entry in before if entry["level"] is not None)
    kept = sorted(cell for cell in arrow["level"].to_pylist() if cell is not None)
    assert kept == pytest.approx(wanted, abs=0.005 + 1e-9)


@pytest.mark.parametrize(
    ("step", "cell", "kept"), [(0.1, 0.30000000000000004, 0.3), (1.0, 2.6, 3.0), (10.0, 126.0, 130.0)]
)
def test_steps(step: float, cell: float, kept: float) -> None:
    column = Column(name="x", type=pa.float64(), means="X.", step=step)
    table = Table(name="t", means="T.", side=Side.PRIVATE, key=("x",), columns=(column,))
    assert table.from_rows([{"x": 0}, {"x": cell}])["x"].to_pylist() == [0.0, kept]


@pytest.mark.parametrize("step", [0.05, 2.0, 0.0100001])
def test_a_step_is_a_power_of_ten(step: float) -> None:
    with pytest.raises(ValueError, match="a power of ten"):
        Column(name="x", type=pa.float64(), means="X.", step=step)


@pytest.mark.parametrize(
    ("changed", "error", "says"),
    [
        ({"id": None}, ValueError, r"row \[None, 1\] of 'small' has None in 'id', a string"),
        ({"n": 1.5}, ValueError, r"row \['a', 1.5\] of 'small' has 1.5 in 'n', a int64"),
        ({"level": "x"}, pa.ArrowException, "x"),
        ({"names": [1]}, pa.ArrowException, "int"),
        ({"extra": 1}, ValueError, r"lacks \[\] and has \['extra'\] too many"),
    ],
)
def test_rows_that_do_not_fit(changed: dict[str, object], error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says):
        SMALL.from_rows([row(), row(**changed)])


def test_a_row_without_a_column_is_refused() -> None:
    short = row()
    del short["level"]
    with pytest.raises(ValueError, match=r"lacks \['level'\] and has \[\] too many"):
        SMALL.from_rows([short])


def test_declarations_that_contradict_themselves() -> None:
    column = Column(name="a", type=pa.string(), means="A.")
    gold = Column(name="b", type=pa.string(), means="B.", gold=True)
    with pytest.raises(ValueError, match="declares a column twice"):
        Table(name="t", means="T.", side=Side.PUBLIC, key=("a",), columns=(column, column))
    with pytest.raises(ValueError, match="outside its columns"):
        Table(name="t", means="T.", side=Side.PUBLIC, key=("z",), columns=(column,))
    with pytest.raises(ValueError, match="must not hold a gold column"):
        Table(name="t", means="T.", side=Side.PUBLIC, key=("a",), columns=(column, gold))
    private = Table(name="t", means="T.", side=Side.PRIVATE, key=("a",), columns=(column,)).with_columns([gold])
    assert private.columns == (column, gold)


def test_columns_by_name() -> None:
    assert SMALL.column("names").is_list
    assert not SMALL.column("id").is_list
    assert SMALL.filename == "small.parquet"
    assert SMALL.arrow_schema().field("level").metadata == {b"means": b"Level.", b"unit": b"dB"}
    with pytest.raises(KeyError, match="no column 'x'"):
        SMALL.column("x")
