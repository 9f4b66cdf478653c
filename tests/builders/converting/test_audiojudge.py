"""AudioJudge's results: who was preferred comes back, whatever the paths are called and in whichever file an order stands."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.builders.converting.conftest import Convert
from tests.support.foreign_files import LABELS, Known, audiojudge_results, decided, expected, golden, known_of

from earmark.manifests.errors import Refused
from earmark.manifests.release import open_release

RELEASE = golden("pairs")
ASKED = [row for row in RELEASE.table("presentations").to_pylist() if "both-orders" in row["protocols"]]
CLIPS = {row["presentation_id"]: tuple(row["clips"]) for row in ASKED}
PLAIN = sorted(id for id, clips in CLIPS.items() if list(CLIPS.values()).count(clips) == 1)
"""Presentations that their clips and order tell from all others."""
PATHS = {row["clip_id"]: row["path"] for row in RELEASE.table("sources").to_pylist()}
WHOLE = [id for id in PLAIN if all(list(PATHS.values()).count(PATHS[clip]) == 1 for clip in CLIPS[id])]
"""Of those, presentations of clips that are the only ones of their file."""


def write(path: Path, results: Sequence[object]) -> Path:
    text = json.dumps(results) if path.suffix == ".json" else "\n".join(map(json.dumps, results))
    path.write_text(text, encoding="utf-8")
    return path


@settings(max_examples=8, deadline=None)
@given(data=st.data(), corpus=st.booleans(), suffix=st.sampled_from([".json", ".jsonl"]))
def test_results_come_back_as_they_were_said(
    convert_onto: Convert, folder: Path, data: st.DataObject, corpus: bool, suffix: str
) -> None:
    plain = set(WHOLE if corpus else PLAIN)
    drawn = data.draw(known_of(RELEASE, "both-orders", lost=("failed",)))
    known = [entry for entry in drawn if entry.presentation in plain] or [Known(WHOLE[0], 0, "B")]
    cut = data.draw(st.integers(0, len(known)))
    files = [
        write(folder / f"{name}{suffix}", audiojudge_results(RELEASE, part, corpus=corpus))
        for name, part in (("one", known[:cut]), ("two", known[cut:]))
    ]
    written, findings = convert_onto("audiojudge", files, RELEASE)
    assert findings.counts == {}
    assert decided(RELEASE, folder / "out.jsonl") == expected(known)
    assert (written.judge, written.read) == ("gpt-toy-audio", len(known))


def experiment(presentation: str, choice: str) -> dict[str, Any]:
    """A record of AudioJudge's experiments: the clips as they are stored, whatever was played."""
    row = next(row for row in ASKED if row["presentation_id"] == presentation)
    stored = row["clips"] if row["order"] == "12" else row["clips"][::-1]
    data = [{"path": f"audio/{clip}.flac", "text": "..."} for clip in stored]
    return {"data_path": "x", "data": data, "prompt_text": "...", "response": f"[[{choice}]]"}


@pytest.mark.parametrize("control", [False, True])
def test_the_name_of_a_file_of_experiments_tells_the_order(convert_onto: Convert, folder: Path, control: bool) -> None:
    """A control pair plays one clip twice, so that nothing but the file's name can tell its two orders apart."""
    rows = [row for row in ASKED if (row["clips"][0] == row["clips"][1]) == control]
    item = next(row["item_id"] for row in rows if control or row["presentation_id"] in PLAIN)
    of_order = {row["order"]: row["presentation_id"] for row in rows if row["item_id"] == item}
    files = [
        write(folder / "gpt.jsonl", [experiment(of_order["12"], "A")]),
        write(folder / "gpt_BA.jsonl", [experiment(of_order["21"], "Tie")]),
    ]
    convert_onto("audiojudge", files, RELEASE)
    known = [Known(of_order["12"], 0, "A"), Known(of_order["21"], 0, "Tie")]
    assert decided(RELEASE, folder / "out.jsonl") == expected(known)


@pytest.mark.parametrize(
    ("response", "right"),
    [
        ({"label": 1}, ("ok", "A")),
        ('{"label": " Tie "}', ("ok", "Tie")),
        ('{"label": "2", "reasoning": 7}', ("ok", "B")),
        ('{"match": true}', ("unparsable", None)),
        ('{"label": "3"}', ("unparsable", None)),
        ('I say {"label": "1"}', ("unparsable", None)),
        ('{"label": "1", "label": "2"}', ("unparsable", None)),
        ("[[b]]", ("ok", "B")),
        ('{"label": "1"}\n[[B]]', ("ok", "B")),
        ("", ("failed", None)),
        (None, ("failed", None)),
    ],
)
def test_a_label_is_read_only_where_nothing_else_is_said(
    convert_onto: Convert, folder: Path, response: object, right: tuple[str, str | None]
) -> None:
    (result,) = audiojudge_results(RELEASE, [Known(PLAIN[0], 0, "A")])
    convert_onto("audiojudge", [write(folder / "r.json", [result | {"response": response}])], RELEASE)
    assert decided(RELEASE, folder / "out.jsonl") == {(PLAIN[0], 0): (*right, None)}


def test_what_failed_is_failed_whatever_was_said(convert_onto: Convert, folder: Path) -> None:
    results = audiojudge_results(RELEASE, [Known(PLAIN[0], 0, "A"), Known(PLAIN[1], 0, "B")])
    results[0]["success"] = False
    results[1]["error"] = "cut off"
    convert_onto("audiojudge", [write(folder / "r.json", results)], RELEASE)
    assert {said[0] for said in decided(RELEASE, folder / "out.jsonl").values()} == {"failed"}


def test_an_id_beside_the_response_says_more_than_paths(convert_onto: Convert, folder: Path) -> None:
    shared = [id for id, clips in CLIPS.items() if list(CLIPS.values()).count(clips) > 1 and clips[0] != clips[1]]
    (result,) = audiojudge_results(RELEASE, [Known(shared[0], 0, "A")]) if shared else [{}]
    known = [Known(PLAIN[0], 0, "B")]
    results = audiojudge_results(RELEASE, known)
    results[0] |= {"audio1_path": "x.wav", "metadata": {"presentation_id": PLAIN[0]}}
    files = [write(folder / "r.json", [*results, *([result] if shared else [])])]
    _, findings = convert_onto("audiojudge", files, RELEASE)
    assert decided(RELEASE, folder / "out.jsonl") == expected(known)
    assert findings.counts == ({"convert.ambiguous": 1} if shared else {})


FLAWS: list[tuple[object, str]] = [
    ({"audio1_path": "/data/nowhere/x.wav"}, "convert.unknown-clip"),
    ({"audio1_path": f"audio/c{'a' * 26}.flac"}, "convert.unknown-clip"),
    ({"audio1_path": None}, "convert.bad-result"),
    ({"audio2_path": 7}, "convert.bad-result"),
    ({"response": [1]}, "convert.bad-result"),
    ({"presentation_id": f"p{'a' * 26}"}, "convert.not-in-release"),
    (None, "convert.bad-line"),
]


@pytest.mark.parametrize(("flaw", "code"), FLAWS)
def test_each_flaw_is_said_and_costs_nothing_else(convert_onto: Convert, folder: Path, flaw: Any, code: str) -> None:
    one, two = audiojudge_results(RELEASE, [Known(PLAIN[0], 0, "A"), Known(PLAIN[1], 0, "B")])
    spoilt = 3 if flaw is None else two | flaw
    written, findings = convert_onto("audiojudge", [write(folder / "r.json", [one, spoilt])], RELEASE)
    assert (written.rows, written.left_out, findings.counts) == (1, {code: 1}, {code: 1})


def test_clips_that_no_pair_plays_in_this_order_are_left_out(convert_onto: Convert, folder: Path) -> None:
    one, two = audiojudge_results(RELEASE, [Known(PLAIN[0], 0, "A"), Known(PLAIN[1], 0, "B")])
    two["audio2_path"] = one["audio1_path"]
    written, findings = convert_onto("audiojudge", [write(folder / "r.json", [one, two])], RELEASE)
    assert (written.rows, findings.counts) == (1, {"convert.not-in-release": 1})


def test_the_public_side_is_enough_for_files_named_after_clips(
    convert_onto: Convert, folder: Path, tmp_path: Path
) -> None:
    import shutil

    shutil.copytree(RELEASE.path, tmp_path / "public", ignore=shutil.ignore_patterns("private"))
    public, known = open_release(tmp_path / "public"), [Known(WHOLE[0], 0, "A")]
    convert_onto("audiojudge", [write(folder / "r.json", audiojudge_results(RELEASE, known))], public)
    assert decided(RELEASE, folder / "out.jsonl") == expected(known)
    corpus = write(folder / "r.json", audiojudge_results(RELEASE, known, corpus=True))
    with pytest.raises(Refused):
        convert_onto("audiojudge", [corpus], public)


def test_a_file_of_which_several_clips_are_cut_is_that_of_none(convert_onto: Convert, folder: Path) -> None:
    several = sorted(set(PLAIN) - set(WHOLE))
    known = [Known(WHOLE[0], 0, "A"), Known(several[0], 0, "A")]
    results = audiojudge_results(RELEASE, known, corpus=True)
    written, findings = convert_onto("audiojudge", [write(folder / "r.json", results)], RELEASE)
    assert (written.rows, findings.counts) == (1, {"convert.unknown-clip": 1})


def test_labels_are_those_of_all_choices() -> None:
    assert set(LABELS) == set(RELEASE.family.choices)
