"""Whatever a stranger's file holds, a conversion ends in rows that can be read or in a refusal that says why."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.builders.converting.conftest import Convert
from tests.docs.reading import DOCS
from tests.support.foreign_files import (
    COLUMNS,
    Known,
    audiojudge_results,
    golden,
    inspect_log,
    lm_eval_lines,
    sheet,
    stancebench_rows,
)

from earmark.builders.converting.conversion import Wanted, Written
from earmark.builders.converting.formats import FORMATS, Format, format_named
from earmark.manifests.canonical import Json
from earmark.manifests.errors import Refused, UnknownName
from earmark.manifests.findings import Findings
from earmark.manifests.release import Release
from earmark.scoring.face import read

EXAMPLES = 12

STANCE, PAIRS = golden("stance"), golden("pairs")


def asked(release: Release) -> list[Known]:
    """Both orders of two items, answered."""
    rows = [row for row in release.table("presentations").to_pylist() if release.protocol().name in row["protocols"]]
    items = sorted({row["item_id"] for row in rows})[:2]
    sure = 0.75 if release.family.probability else None
    return [
        Known(row["presentation_id"], 0, release.family.choices[0], sure) for row in rows if row["item_id"] in items
    ]


def _lines(value: Json) -> str:
    return "\n".join(map(json.dumps, value if isinstance(value, list) else [value]))


def _sheet(value: Json) -> str:
    rows = value if isinstance(value, list) else []
    cells = [
        {name: cell if isinstance(cell, str) else json.dumps(cell) for name, cell in row.items() if name in COLUMNS}
        for row in rows
        if isinstance(row, dict)
    ]
    return sheet(cells)


def _unfolded(rows: list[dict[str, str]]) -> Json:
    """Rows with the JSON in their cells unfolded, so that it can be spoilt within."""
    folded = ("evidence", "fail_note")
    return [
        {name: json.loads(cell) if cell and name.startswith(folded) else cell for name, cell in row.items()}
        for row in rows
    ]


Kind = tuple[Release, Json, Callable[[Json], str], str]
SHEET: Kind = (STANCE, _unfolded(stancebench_rows(STANCE, asked(STANCE))), _sheet, "scores.csv")
KINDS: dict[str, Kind] = {
    "stancebench": SHEET,
    "stancebench-mapped": SHEET,
    "stancebench-averages": SHEET,
    "audiojudge": (PAIRS, audiojudge_results(PAIRS, asked(PAIRS)), json.dumps, "r.json"),
    "inspect": (PAIRS, inspect_log(asked(PAIRS), PAIRS.family), json.dumps, "log.json"),
    "lm-eval": (STANCE, lm_eval_lines(asked(STANCE), STANCE.family), _lines, "samples_x.jsonl"),
}

SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=8),
    st.sampled_from(["\ud800", "\0", "P", "A", "x_1_2", "nan", "1e999", "{", 10**40, -1, {}, []]),
)
ANY = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3)
)


@st.composite
def spoilt(draw: st.DrawFn, value: Json) -> Json:
    """A value in which something at some depth is something else, is missing, or stands twice."""
    if not isinstance(value, dict | list) or not value or draw(st.integers(0, 4)) == 0:
        return draw(ANY)
    if isinstance(value, dict):
        name = draw(st.sampled_from(sorted(value)))
        if draw(st.integers(0, 5)) == 0:
            return {key: entry for key, entry in value.items() if key != name}
        return {**value, name: draw(spoilt(value[name]))}
    at = draw(st.integers(0, len(value) - 1))
    if draw(st.integers(0, 5)) == 0:
        return [*value, value[at]]
    return [*value[:at], draw(spoilt(value[at])), *value[at + 1 :]]


def attempt(convert_onto: Convert, name: str, file: Path, release: Release) -> Written | Findings:
    """What was written, or why nothing was."""
    try:
        return convert_onto(name, [file], release)[0]
    except Refused as refused:
        return refused.findings


@pytest.mark.parametrize("name", sorted(KINDS))
@settings(max_examples=EXAMPLES, deadline=None)
@given(data=st.data())
def test_spoilt_files_end_in_rows_or_in_a_refusal(
    convert_onto: Convert, folder: Path, name: str, data: st.DataObject
) -> None:
    release, sound, spelt, file = KINDS[name]
    value = data.draw(spoilt(sound))
    if data.draw(st.booleans()):
        value = data.draw(spoilt(value))
    (folder / file).write_text(spelt(value).encode("utf-8", "replace").decode(), encoding="utf-8")
    written = attempt(convert_onto, name, folder / file, release)
    if isinstance(written, Findings):
        assert written.failed
        assert not (folder / "out.jsonl").exists()
        return
    assert written.rows > 0
    found = Findings()
    submission, decisions = read(release, folder / "out.jsonl", None, found)
    # Conflicts are the file's own; nothing else may be wrong with what we write.
    assert {finding.code.name for finding in found if finding.code.severity == "error"} <= {"submission.conflicting"}
    assert len(submission.table) == written.rows
    assert decisions.unknown == decisions.not_owed == 0


@pytest.mark.parametrize("name", sorted(KINDS))
@settings(max_examples=EXAMPLES // 2, deadline=None)
@given(data=st.data())
def test_spoilt_bytes_end_in_rows_or_in_a_refusal(
    convert_onto: Convert, folder: Path, name: str, data: st.DataObject
) -> None:
    release, sound, spelt, file = KINDS[name]
    raw = spelt(sound).encode()
    at = data.draw(st.integers(0, len(raw)))
    inserted = data.draw(
        st.binary(max_size=4) | st.sampled_from([b'"', b"\n", b"{", b"\xff", b"\0", b",", b"\xef\xbb\xbf"])
    )
    (folder / file).write_bytes(raw[:at] + inserted + raw[at + data.draw(st.integers(0, 20)) :])
    written = attempt(convert_onto, name, folder / file, release)
    assert written.failed if isinstance(written, Findings) else written.rows > 0


def test_a_name_that_is_no_format_says_what_there_is() -> None:
    with pytest.raises(UnknownName, match="stancebench, stancebench-mapped"):
        format_named("csv")


@pytest.mark.parametrize("form", FORMATS, ids=lambda form: str(form.name))
def test_every_format_says_what_is_lost_and_has_a_reader(form: Format) -> None:
    assert form.losses
    assert len(set(form.losses)) == len(form.losses)
    assert all(loss.endswith(".") and loss[0].isupper() for loss in form.losses)
    assert callable(form.reader)


def test_the_page_has_every_loss() -> None:
    page = " ".join((DOCS / "how-to" / "foreign-files.md").read_text("utf-8").split())
    for form in FORMATS:
        assert f"`{form.name}`" in page
        assert [loss for loss in form.losses if loss not in page] == []


def test_the_protocol_that_is_named_is_the_one_that_is_answered(convert_onto: Convert, folder: Path) -> None:
    release, sound, spelt, file = KINDS["audiojudge"]
    (folder / file).write_text(spelt(sound), encoding="utf-8")
    written, _ = convert_onto("audiojudge", [folder / file], release, Wanted("both-orders-transcript"))
    assert written.protocol == "both-orders-transcript"
    found = Findings()
    assert read(release, folder / "out.jsonl", None, found)[1].owed.protocol == "both-orders-transcript"
    assert not found.failed
