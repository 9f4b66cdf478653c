"""StanceBench's sheets: every item's two answers come back, failures as failures, and no answer of the release is looked at."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.builders.converting.conftest import Convert
from tests.support.foreign_files import (
    Known,
    decided,
    expected,
    golden,
    mapped,
    sheet,
    stance_items,
    stancebench_rows,
)

from earmark.builders.converting.conversion import Wanted
from earmark.builders.converting.stancebench.readings import scored
from earmark.manifests.errors import EarmarkError, PrivateSideMissing, Refused, UnknownName
from earmark.manifests.release import open_release

RELEASE = golden("stance")
ITEMS = sorted(stance_items(RELEASE))
OF_ORDER = {
    (row["item_id"], row["order"]): row["presentation_id"]
    for row in RELEASE.table("presentations").to_pylist()
    if "both-orders" in row["protocols"]
}


def write(folder: Path, rows: Sequence[dict[str, str]], name: str = "scores.csv") -> Path:
    (folder / name).write_text(sheet(rows), encoding="utf-8")
    return folder / name


@st.composite
def judged(draw: st.DrawFn) -> list[Known]:
    """Both orders of some items; a choice with its probability, or a failure of both."""
    known = []
    for item in draw(st.lists(st.sampled_from(ITEMS), min_size=1, max_size=6, unique=True)):
        failed = draw(st.booleans()) and draw(st.booleans())
        for order in ("PN", "NP"):
            presentation = OF_ORDER[item, order]
            if failed:
                known.append(Known(presentation, 0, "failed"))
            else:
                known.append(Known(presentation, 0, draw(st.sampled_from("PN")), draw(st.integers(0, 1000)) / 1000))
    return known


@settings(max_examples=8, deadline=None)
@given(known=judged(), moved=st.integers(-40, 40))
def test_items_come_back_as_they_were_said(convert_onto: Convert, folder: Path, known: list[Known], moved: int) -> None:
    file = write(folder, stancebench_rows(RELEASE, known, moved_ms=moved))
    written, findings = convert_onto("stancebench", [file], RELEASE, Wanted(judge="toy"))
    found = decided(RELEASE, folder / "out.jsonl")
    # Where all of a speaker's single clips failed, nothing says which they were; how many there are does.
    answered = {key: said for key, said in expected(known).items() if said[0] == "ok"}
    assert {key: said for key, said in found.items() if said[0] == "ok"} == answered
    assert len(found) == len(known) == written.read
    assert set(findings.counts) <= {"convert.other-cut"}


@settings(max_examples=8, deadline=None)
@given(known=judged(), data=st.data())
def test_neither_the_order_of_rows_nor_the_files_matter(
    convert_onto: Convert, folder: Path, known: list[Known], data: st.DataObject
) -> None:
    rows = stancebench_rows(RELEASE, known)
    convert_onto("stancebench", [write(folder, rows)], RELEASE)
    whole = (folder / "out.jsonl").read_bytes()
    shuffled = data.draw(st.permutations(rows))
    cut = data.draw(st.integers(0, len(rows)))
    files = [write(folder, part, f"{n}.csv") for n, part in enumerate((shuffled[:cut], shuffled[cut:]))]
    convert_onto("stancebench", files, RELEASE)
    assert (folder / "out.jsonl").read_bytes() == whole


@settings(max_examples=6, deadline=None)
@given(known=judged())
def test_mapped_scores_are_the_runners_own(convert_onto: Convert, folder: Path, known: list[Known]) -> None:
    convert_onto("stancebench-mapped", [write(folder, stancebench_rows(RELEASE, known))], RELEASE)
    found = decided(RELEASE, folder / "out.jsonl")
    for entry in known:
        if entry.probability is not None:
            outcome, choice, probability = found[entry.presentation, 0]
            assert outcome == "ok"
            assert probability is not None
            signed = (1 if choice == "P" else -1) * (2 * probability - 1)
            assert 2 * signed == mapped(entry.choice, entry.probability)
            assert choice == entry.choice


@settings(max_examples=6, deadline=None)
@given(known=judged())
def test_an_average_is_given_to_all_items_of_its_speaker(
    convert_onto: Convert, folder: Path, known: list[Known]
) -> None:
    rows = stancebench_rows(RELEASE, known)
    convert_onto("stancebench-averages", [write(folder, rows)], RELEASE)
    found = decided(RELEASE, folder / "out.jsonl")
    items = stance_items(RELEASE)
    for row in rows:
        side = "a" if row["avg_score_a"] else "b"
        own = [item for item in ITEMS if items[item][:2] == (row[f"{side}_id"], row[f"role_{side}"])]
        said = {found[OF_ORDER[item, order], 0] for item in own for order in ("PN", "NP")}
        assert len(said) == 1
        ((outcome, choice, probability),) = said
        average = float(row[f"avg_score_{side}"])
        if average != average:
            assert outcome == "failed"
        elif average == 0:
            assert outcome == "abstained"
        else:
            assert choice == ("P" if average > 0 else "N")
            assert probability == pytest.approx((1 + abs(average) / 2) / 2)


def test_the_answers_are_not_looked_at(convert_onto: Convert, folder: Path, tmp_path: Path) -> None:
    known = [Known(OF_ORDER[ITEMS[0], order], 0, "P", 0.75) for order in ("PN", "NP")]
    file = write(folder, stancebench_rows(RELEASE, known))
    convert_onto("stancebench", [file], RELEASE)
    whole = (folder / "out.jsonl").read_bytes()
    shutil.copytree(RELEASE.path, tmp_path / "copy")
    (tmp_path / "copy" / "private" / "answers.parquet").unlink()
    convert_onto("stancebench", [file], open_release(tmp_path / "copy"))
    assert (folder / "out.jsonl").read_bytes() == whole
    shutil.rmtree(tmp_path / "copy" / "private")
    with pytest.raises(PrivateSideMissing):
        convert_onto("stancebench", [file], open_release(tmp_path / "copy"))


def side_of(item: str, **cells: str) -> dict[str, str]:
    """A row that says of one recording what the cells say, as side A."""
    known = [Known(OF_ORDER[item, order], 0, "P", 0.75) for order in ("PN", "NP")]
    (row,) = stancebench_rows(RELEASE, known)
    return row | {"a_id" if name == "id" else f"{name}_a": cell for name, cell in cells.items()}


def entry_of(row: dict[str, str]) -> dict[str, object]:
    (entry,) = json.loads(row["evidence_a"])
    return dict(entry)


ITEM = ITEMS[0]
OTHER = next(item for item in ITEMS if stance_items(RELEASE)[item].recording != stance_items(RELEASE)[ITEM].recording)


@pytest.mark.parametrize(
    ("cells", "left_out"),
    [
        ({"evidence": "[]", "avg_score": "0.5"}, {"convert.average-only": 1}),
        ({"evidence": "[{]"}, {"convert.bad-cell": 1}),
        ({"evidence": "{}"}, {"convert.bad-cell": 1}),
        ({"evidence": '[{"item_type": 1}]'}, {"convert.bad-cell": 1}),
        ({"fail_note": '[{"item_type": "single", "item_type": "x"}]'}, {"convert.bad-cell": 1}),
        ({"id": "V00_S0000_I00000000_P0000"}, {"convert.not-in-release": 2}),
        ({"evidence": '[{"item_type": "single", "item_label": "x_1_5000"}]'}, {"convert.other-clip": 2}),
    ],
)
def test_what_cannot_be_used_is_counted_and_the_rest_written(
    convert_onto: Convert, folder: Path, cells: dict[str, str], left_out: dict[str, int]
) -> None:
    bad = side_of(ITEM, **cells)
    written, findings = convert_onto("stancebench", [write(folder, [bad, side_of(OTHER)])], RELEASE)
    assert (written.rows, written.left_out) == (2, left_out)
    assert findings.counts == dict.fromkeys(left_out, 1)


def test_numbers_that_are_no_probabilities_are_failures(convert_onto: Convert, folder: Path) -> None:
    row = side_of(ITEM)
    cell = json.dumps([entry_of(row) | {"prob_v0": float("nan"), "prob_v1": 85}])
    assert "NaN" in cell
    written, findings = convert_onto("stancebench", [write(folder, [row | {"evidence_a": cell}])], RELEASE)
    assert (written.failed, findings.counts) == (2, {"convert.no-probability": 2})
    written, findings = convert_onto("stancebench-mapped", [folder / "scores.csv"], RELEASE)
    assert (written.failed, findings.counts) == (0, {})


def test_a_note_that_scores_could_not_be_mapped_still_has_the_answers(convert_onto: Convert, folder: Path) -> None:
    row = side_of(ITEM)
    note = json.dumps([entry_of(row) | {"variant": "map", "error": "x"}])
    convert_onto("stancebench", [write(folder, [row | {"evidence_a": "[]", "fail_note_a": note}])], RELEASE)
    assert set(decided(RELEASE, folder / "out.jsonl").values()) == {("ok", "P", 0.75)}


def test_what_was_said_in_a_failure_is_kept(convert_onto: Convert, folder: Path) -> None:
    row = side_of(ITEM)
    entry = {name: value for name, value in entry_of(row).items() if not name.endswith(("_v0", "_v1"))}
    notes = [entry | {"variant": 0, "raw_output": "None of them."}, entry | {"variant": 1, "raw_output": "x" * 70_000}]
    cells = {"evidence_a": "[]", "avg_score_a": "nan", "fail_note_a": json.dumps(notes)}
    convert_onto("stancebench", [write(folder, [row | cells])], RELEASE)
    lines = [json.loads(line) for line in (folder / "out.jsonl").read_text("utf-8").splitlines()[1:]]
    assert {line["presentation_id"]: line.get("response") for line in lines} == {
        OF_ORDER[ITEM, "PN"]: "None of them.",
        OF_ORDER[ITEM, "NP"]: None,
    }
    assert {line["status"] for line in lines} == {"failed"}


def test_clips_of_ours_are_known_by_their_ids(convert_onto: Convert, folder: Path) -> None:
    clip = next(
        row["clip_id"]
        for row in RELEASE.table("item_clips").to_pylist()
        if (row["item_id"], row["role"]) == (ITEM, "target")
    )
    row = side_of(ITEM)
    plain = entry_of(row) | {"item_label": f"audio/{clip}.flac", "source_ipus": [], "target_ipu_id": ""}
    written, findings = convert_onto(
        "stancebench", [write(folder, [row | {"evidence_a": json.dumps([plain])}])], RELEASE
    )
    assert set(decided(RELEASE, folder / "out.jsonl")) == {(OF_ORDER[ITEM, order], 0) for order in ("PN", "NP")}
    assert (written.rows, findings.counts) == (2, {})


def test_the_dimension_is_that_of_the_role_or_the_one_named(convert_onto: Convert, folder: Path) -> None:
    facet = {row["item_id"]: row["facet"] for row in RELEASE.table("items").to_pylist()}
    strange = write(folder, [side_of(ITEM, role="Jovial"), side_of(OTHER)])
    written, _ = convert_onto("stancebench", [strange], RELEASE, Wanted(facet=facet[ITEM]))
    assert written.rows >= 2
    with pytest.raises(UnknownName):
        convert_onto("stancebench", [strange], RELEASE, Wanted(facet="S9"))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a_id,b_id\n1,2\n",
        "a_id,b_id,evidence_a,avg_score_a,evidence_b,avg_score_b,a_id\n",
        'a_id,b_id,evidence_a,avg_score_a,evidence_b,avg_score_b\n1,2,"[,,,\n',
    ],
)
def test_what_is_no_sheet_is_refused(convert_onto: Convert, folder: Path, text: str) -> None:
    (folder / "scores.csv").write_text(text, encoding="utf-8")
    with pytest.raises(Refused) as refused:
        convert_onto("stancebench", [folder / "scores.csv"], RELEASE)
    assert refused.value.findings.counts == {"convert.not-a-sheet": 1}


def test_ragged_rows_cost_themselves_and_cells_may_be_long(convert_onto: Convert, folder: Path) -> None:
    import csv

    before = csv.field_size_limit()
    row = side_of(ITEM)
    long = entry_of(row) | {"evidence_v0": ["x" * 200_000]}
    file = write(folder, [row | {"evidence_a": json.dumps([long])}])
    with file.open("a", encoding="utf-8") as stream:
        stream.write("\n1,2\n")
    written, findings = convert_onto("stancebench", [file], RELEASE)
    assert (written.rows, findings.counts) == (2, {"convert.bad-row": 1})
    assert csv.field_size_limit() == before


@pytest.mark.parametrize(
    ("score", "choice", "signed"), [(2, "P", 1.0), (1, "P", 0.5), (0.25, "P", 0.125), (-0.5, "N", -0.25), (-2, "N", -1)]
)
def test_half_the_score_is_the_signed_score(score: float, choice: str, signed: float) -> None:
    said = scored(score)
    assert said.choice == choice
    assert said.probability is not None
    assert (1 if choice == "P" else -1) * (2 * said.probability - 1) == pytest.approx(signed)


@pytest.mark.parametrize("score", [None, 2.5, -3, float("nan"), float("inf")])
def test_what_lies_off_the_scale_is_a_failure(score: float | None) -> None:
    assert scored(score).status == "failed"


def test_sheets_answer_stance_alone(convert_onto: Convert, folder: Path) -> None:
    with pytest.raises(EarmarkError, match="answer stance"):
        convert_onto("stancebench", [write(folder, [side_of(ITEM)])], golden("pairs"))
