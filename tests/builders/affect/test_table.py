"""Tables of affect: what is written is read, and what cannot be used is named by its row."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from earmark.audio.affect import Affect
from earmark.builders.affect.table import AffectTable, Key, read_affect, write_affect
from earmark.manifests.errors import EarmarkError, Refused

UNIT = st.floats(0, 1)
HEARD = st.dictionaries(st.text(min_size=1, max_size=5), st.none() | st.builds(Affect, UNIT, UNIT, UNIT), max_size=5)


@given(key=st.sampled_from(("clip_id", "path")), heard=HEARD)
@settings(max_examples=25)
def test_what_is_written_is_read(
    key: Key, heard: dict[str, Affect | None], tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("affect") / "affect.parquet"
    write_affect(path, AffectTable(key, heard, "toy"))
    back = read_affect(path)
    assert (back.key, back.model, set(back.heard)) == (key, "toy", set(heard))
    for name, found in heard.items():
        read = back.heard[name]
        assert (read is None) is (found is None)
        assert read is None or read == pytest.approx(found, abs=0.00005001)
    assert list(path.parent.iterdir()) == [path]


def written(file: Path, /, **columns: list[object]) -> Path:
    pq.write_table(pa.table(columns), file)
    return file


GOOD: dict[str, list[object]] = {"clip_id": ["a", "b"], "valence": [0.5, 1], "arousal": [0, 0.25], "dominance": [1, 1]}


def test_anybodys_table_is_read(tmp_path: Path) -> None:
    found = read_affect(written(tmp_path / "a", **GOOD, note=["x", "y"]))
    assert found == AffectTable("clip_id", {"a": Affect(0.5, 0, 1), "b": Affect(1, 0.25, 1)})


@pytest.mark.parametrize(
    ("changed", "row", "said"),
    [
        ({"valence": [0.5, 1.5]}, 2, "1.5"),
        ({"valence": [-0.1, 1.0]}, 1, "-0.1"),
        ({"arousal": [float("nan"), 0.0]}, 1, "nan"),
        ({"arousal": [None, 0.0]}, 1, "None"),
        ({"arousal": ["loud", "low"]}, 1, "loud"),
        ({"clip_id": ["a", "a"]}, 2, "stands above"),
        ({"clip_id": [None, "a"]}, 1, "None"),
    ],
)
def test_a_row_that_cannot_be_used_is_named(
    changed: dict[str, list[object]], row: int, said: str, tmp_path: Path
) -> None:
    with pytest.raises(Refused) as refused:
        read_affect(written(tmp_path / "a", **{**GOOD, **changed}))
    first = next(iter(refused.value.findings))
    assert (first.code.name, first.row) == ("affect.row", row)
    assert said in (first.found or "")


@pytest.mark.parametrize("lacking", ["clip_id", "arousal"])
def test_a_column_that_is_missing_is_named(lacking: str, tmp_path: Path) -> None:
    with pytest.raises(Refused) as refused:
        read_affect(written(tmp_path / "a", **{name: column for name, column in GOOD.items() if name != lacking}))
    assert refused.value.findings.counts == {"affect.table": 1}


@pytest.mark.parametrize("kind", [pa.list_(pa.float64()), pa.timestamp("s"), pa.binary()], ids=str)
def test_a_column_of_no_numbers_is_named(kind: pa.DataType, tmp_path: Path) -> None:
    pq.write_table(pa.table({**GOOD, "arousal": pa.nulls(2, kind)}), tmp_path / "a")
    with pytest.raises(Refused) as refused:
        read_affect(tmp_path / "a")
    (finding,) = refused.value.findings
    assert finding.code.name == "affect.table"
    assert (finding.found or "").startswith("arousal of type ")


def test_a_few_bytes_are_not_taken_for_millions_of_clips(tmp_path: Path) -> None:
    columns = {name: pa.repeat(column[0], 1 << 18) for name, column in GOOD.items()}
    pq.write_table(pa.table(columns), tmp_path / "a", compression="zstd")
    before = pa.total_allocated_bytes()
    with pytest.raises(EarmarkError, match=f"{1 << 18} rows in"):
        read_affect(tmp_path / "a")
    note = pa.DictionaryArray.from_arrays(pa.array([0] * 2000, pa.int32()), pa.array(["x" * (1 << 16)]))
    columns = {name: column.slice(0, 2000) for name, column in columns.items()}
    pq.write_table(pa.table({**columns, "note": note}), tmp_path / "a", store_schema=False)
    with pytest.raises(EarmarkError, match="bytes once it is read"):
        read_affect(tmp_path / "a")
    assert pa.total_allocated_bytes() - before < 1 << 24


def test_what_a_table_says_of_its_model_may_be_anything(tmp_path: Path) -> None:
    for about in (b"[" * 100_000, b"{", b"7", b'{"model": 7}', b"\xff"):
        pq.write_table(pa.table(GOOD).replace_schema_metadata({b"earmark": about}), tmp_path / "a")
        assert read_affect(tmp_path / "a").model == "unknown"


def test_two_names_are_refused(tmp_path: Path) -> None:
    with pytest.raises(Refused):
        read_affect(written(tmp_path / "a", **GOOD, path=["x", "y"]))


def test_what_is_no_parquet_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("clip_id,valence\n", encoding="utf-8")
    for path in (tmp_path / "a", tmp_path / "b"):
        with pytest.raises(EarmarkError, match="cannot read"):
            read_affect(path)
