"""Logs of Inspect AI and of lm-evaluation-harness: what a judge said comes back as it was said, whatever stands around it."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.builders.converting.conftest import Convert
from tests.support.foreign_files import Known, decided, expected, golden, inspect_log, known_of, lm_eval_lines

from earmark.builders.converting.conversion import Wanted
from earmark.builders.converting.reading import json_value
from earmark.manifests.errors import Refused, UnknownName
from earmark.manifests.family import Family
from earmark.manifests.release import Release

RELEASES = {family: golden(family) for family in ("stance", "pairs", "dialogues")}
SOME = st.sampled_from(list(RELEASES.values()))


def log(folder: Path, value: object, name: str = "log.json") -> Path:
    (folder / name).write_text(json.dumps(value), encoding="utf-8")
    return folder / name


def lines(folder: Path, value: Sequence[object]) -> Path:
    (folder / "samples_toy.jsonl").write_text("\n".join(map(json.dumps, value)) + "\n\n", encoding="utf-8")
    return folder / "samples_toy.jsonl"


def first(release: Release) -> str:
    rows = release.table("presentations").to_pylist()
    protocol = release.protocol().name
    return str(next(row["presentation_id"] for row in rows if protocol in row["protocols"]))


@settings(max_examples=8, deadline=None)
@given(data=st.data(), release=SOME, in_metadata=st.booleans())
def test_inspect_samples_come_back_as_they_were_said(
    convert_onto: Convert, folder: Path, data: st.DataObject, release: Release, in_metadata: bool
) -> None:
    known = data.draw(known_of(release, runs=3))
    file = log(folder, inspect_log(known, release.family, in_metadata=in_metadata))
    written, findings = convert_onto("inspect", [file], release, Wanted(release.protocol().name))
    assert findings.counts == {}
    assert decided(release, folder / "out.jsonl") == expected(known)
    assert (written.judge, written.rows, written.left_out) == ("toy/judge", len(known), {})
    assert written.owed - written.unanswered == len({entry.presentation for entry in known})


@settings(max_examples=8, deadline=None)
@given(data=st.data(), release=SOME)
def test_lm_eval_documents_come_back_as_they_were_said(
    convert_onto: Convert, folder: Path, data: st.DataObject, release: Release
) -> None:
    known = data.draw(known_of(release, runs=3, lost=("failed",)))
    file = lines(folder, lm_eval_lines(known, release.family))
    written, findings = convert_onto("lm-eval", [file], release, Wanted(release.protocol().name, judge="toy"))
    assert findings.counts == {}
    assert decided(release, folder / "out.jsonl") == expected(known)
    assert (written.judge, written.rows) == ("toy", len(known))


@settings(max_examples=8, deadline=None)
@given(data=st.data())
def test_the_order_of_samples_and_how_they_are_cut_into_files_do_not_matter(
    convert_onto: Convert, folder: Path, data: st.DataObject
) -> None:
    release = RELEASES["pairs"]
    known = data.draw(known_of(release, runs=2))
    cut = data.draw(st.integers(0, len(known)))
    convert_onto("inspect", [log(folder, inspect_log(known, release.family))], release, Wanted("both-orders"))
    whole = (folder / "out.jsonl").read_bytes()
    parts = [data.draw(st.permutations(known[:cut])), data.draw(st.permutations(known[cut:]))]
    files = [log(folder, inspect_log(part, release.family), f"{n}.json") for n, part in enumerate(parts)]
    convert_onto("inspect", data.draw(st.permutations(files)), release, Wanted("both-orders"))
    assert (folder / "out.jsonl").read_bytes() == whole


def test_what_a_call_took_is_kept(convert_onto: Convert, folder: Path) -> None:
    release = RELEASES["pairs"]
    convert_onto("inspect", [log(folder, inspect_log([Known(first(release), 0, "Tie")], release.family))], release)
    row = json.loads((folder / "out.jsonl").read_text("utf-8").splitlines()[1])
    assert (row["latency_s"], row["input_tokens"], row["output_tokens"]) == (0.25, 11, 7)


Change = Callable[[dict[str, Any]], object]

ODD: list[tuple[str, Change, tuple[str, str | None]]] = [
    ("limit", lambda sample: sample.update(limit={"type": "token", "limit": 10}), ("failed", None)),
    ("error", lambda sample: sample.update(error={"message": "x"}), ("failed", None)),
    ("output error", lambda sample: sample["output"].update(error="x"), ("failed", None)),
    ("no output", lambda sample: sample.pop("output"), ("failed", None)),
    ("no completion", lambda sample: sample["output"].update(completion=None), ("ok", "Tie")),
    (
        "parts",
        lambda sample: sample["output"].update(
            completion=None,
            choices=[{"message": {"content": [{"type": "reasoning"}, {"type": "text", "text": "[[A]]"}]}}],
        ),
        ("ok", "A"),
    ),
    ("long", lambda sample: sample["output"].update(completion="x" * 70_000 + "\n[[B]]"), ("ok", "B")),
    ("long and nothing in it", lambda sample: sample["output"].update(completion="x" * 70_000), ("failed", None)),
    ("half a character", lambda sample: sample["output"].update(completion="\ud800\n[[B]]"), ("ok", "B")),
    ("none in it", lambda sample: sample["output"].update(completion="both"), ("unparsable", None)),
]


@pytest.mark.parametrize(("change", "right"), [row[1:] for row in ODD], ids=[row[0] for row in ODD])
def test_what_ended_badly_is_there_all_the_same(
    convert_onto: Convert, folder: Path, change: Change, right: tuple[str, str | None]
) -> None:
    release = RELEASES["pairs"]
    value = inspect_log([Known(first(release), 0, "Tie")], release.family)
    change(value["samples"][0])
    convert_onto("inspect", [log(folder, value)], release)
    assert decided(release, folder / "out.jsonl") == {(first(release), 0): (*right, None)}


def test_strangers_and_samples_without_an_id_are_left_out_and_counted(convert_onto: Convert, folder: Path) -> None:
    release = RELEASES["pairs"]
    value = inspect_log([Known(first(release), 0, "A"), Known("p" * 27, 0, "A"), Known("x", 0, "B")], release.family)
    value["samples"][2]["id"] = 7
    value["samples"] += [{"id": first(release), "epoch": 0}, 3, {"\ud800": "half a character"}]
    value["status"] = "error"
    written, findings = convert_onto("inspect", [log(folder, value)], release)
    assert written.left_out == {"convert.unknown-id": 1, "convert.no-id": 1, "convert.bad-sample": 3}
    assert findings.counts == {**written.left_out, "convert.unfinished": 1}


def test_the_protocol_is_that_of_the_samples(convert_onto: Convert, folder: Path) -> None:
    release = RELEASES["stance"]
    rows = release.table("presentations").to_pylist()
    words = [row["presentation_id"] for row in rows if row["protocols"] == ["both-orders-transcript"]]
    known = [Known(words[0], 0, "P", 0.9), Known(words[1], 0, "N", 0.5), Known(first(release), 0, "P", 0.1)]
    written, findings = convert_onto("inspect", [log(folder, inspect_log(known, release.family))], release)
    assert (written.protocol, findings.counts) == ("both-orders-transcript", {"convert.other-protocol": 1})
    with pytest.raises(UnknownName):
        convert_onto("inspect", [folder / "log.json"], release, Wanted("direct"))


def test_two_answers_to_one_question_conflict_and_two_alike_are_one(convert_onto: Convert, folder: Path) -> None:
    release = RELEASES["pairs"]
    twice = [Known(first(release), 0, "A"), Known(first(release), 0, "A")]
    written, findings = convert_onto("inspect", [log(folder, inspect_log(twice, release.family))], release)
    assert (written.rows, written.repeated, findings.counts) == (1, 1, {"convert.repeated": 1})
    twice[1] = Known(first(release), 0, "B")
    written, findings = convert_onto("inspect", [log(folder, inspect_log(twice, release.family))], release)
    assert (written.rows, findings.counts) == (2, {"convert.conflicting": 1})


def test_two_protocols_of_different_sizes_are_told_apart_by_the_samples(convert_onto: Convert, folder: Path) -> None:
    release = RELEASES["dialogues"]
    rows = release.table("presentations").to_pylist()
    owed = {entry.name: entry.presentations for entry in release.manifest.protocols}
    assert len(set(owed.values())) > 1
    for name in owed:
        known = [Known(row["presentation_id"], 0, "1") for row in rows if name in row["protocols"]]
        written, findings = convert_onto("inspect", [log(folder, inspect_log(known, release.family))], release)
        assert (written.protocol, written.unanswered, findings.counts) == (name, 0, {})


def test_answers_that_conflict_are_written_in_one_order(convert_onto: Convert, folder: Path) -> None:
    release = RELEASES["pairs"]
    known = [Known(first(release), 0, choice) for choice in ("B", "A", "Tie")]
    texts = set()
    for order in (known, known[::-1]):
        convert_onto("inspect", [log(folder, inspect_log(order, release.family))], release)
        texts.add((folder / "out.jsonl").read_bytes())
    assert len(texts) == 1


@pytest.mark.parametrize(
    ("value", "code"),
    [
        (b"PK\x03\x04rest", "convert.archive"),
        (b"\xff\xfe", "convert.not-utf8"),
        (b'{"samples": [], "samples": []}', "convert.not-json"),
        (b"[" * 100_000, "convert.not-json"),
        (b'{"eval": {}}', "convert.not-a-log"),
        (b"[]", "convert.not-a-log"),
        (b'{"samples": []}', "convert.none-in-release"),
        (b'{"samples": [{"id": 9' + b"9" * 5000 + b"}]}", "convert.none-in-release"),
    ],
)
def test_what_is_no_log_is_refused(convert_onto: Convert, folder: Path, value: bytes, code: str) -> None:
    (folder / "log.eval").write_bytes(value)
    with pytest.raises(Refused) as refused:
        convert_onto("inspect", [folder / "log.eval"], RELEASES["pairs"])
    assert code in refused.value.findings.counts
    assert not (folder / "out.jsonl").exists()


def test_a_zipped_log_says_how_to_get_json(convert_onto: Convert, folder: Path) -> None:
    (folder / "log.eval").write_bytes(b"PK\x03\x04")
    with pytest.raises(Refused) as refused:
        convert_onto("inspect", [folder / "log.eval"], RELEASES["pairs"])
    assert "inspect log convert --to json" in str([finding.expected for finding in refused.value.findings])


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999", "9" * 20, "-9223372036854775809"])
def test_numbers_that_nothing_can_hold_are_absent(number: str) -> None:
    assert json_value(f'{{"a": [{number}]}}') == {"a": [None]}
    assert json_value("[9223372036854775807, -9223372036854775808, 0.1]") == [(1 << 63) - 1, -(1 << 63), 0.1]


def likelihoods(presentation: str, family: Family, values: Sequence[str]) -> dict[str, Any]:
    arguments = {f"gen_args_{n}": {"arg_0": "...", "arg_1": f" {choice}"} for n, choice in enumerate(family.choices)}
    return {
        "doc_id": presentation,
        "doc": {},
        "arguments": arguments,
        "resps": [[[value, "False"]] for value in values],
    }


@pytest.mark.parametrize(
    ("values", "right"),
    [
        (["-1.5", "-0.25"], ("ok", "N")),
        (["-0.25", "-1.5"], ("ok", "P")),
        (["-1.0", "-1.0"], ("abstained", None)),
    ],
)
def test_the_likeliest_choice_is_taken(
    convert_onto: Convert, folder: Path, values: Sequence[str], right: tuple[str, str | None]
) -> None:
    release = RELEASES["stance"]
    convert_onto("lm-eval", [lines(folder, [likelihoods(first(release), release.family, values)])], release)
    assert decided(release, folder / "out.jsonl") == {(first(release), 0): (*right, None)}


@pytest.mark.parametrize("change", [{"resps": []}, {"resps": [[["-1", "False"]]]}, {"arguments": {}}, {"resps": [[1]]}])
def test_lines_without_words_or_likelihoods_are_left_out(
    convert_onto: Convert, folder: Path, change: dict[str, Any]
) -> None:
    release = RELEASES["stance"]
    sound = likelihoods(first(release), release.family, ["-1", "-2"])
    written, findings = convert_onto("lm-eval", [lines(folder, [sound, sound | change, 3])], release)
    assert findings.counts == {"convert.no-responses": 1, "convert.bad-line": 1}
    assert written.rows == 1


def test_filters_of_a_task_give_a_document_several_lines_of_one_answer(convert_onto: Convert, folder: Path) -> None:
    release = RELEASES["pairs"]
    (line,) = lm_eval_lines([Known(first(release), 0, "A")], release.family)
    other = {**line, "filter": "strict", "filtered_resps": ["B"]}
    written, findings = convert_onto("lm-eval", [lines(folder, [line, other])], release)
    assert (written.rows, findings.counts) == (1, {"convert.repeated": 1})
    assert decided(release, folder / "out.jsonl") == {(first(release), 0): ("ok", "A", None)}
