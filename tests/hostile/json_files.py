"""Hostile JSON Lines files as a whole: structure, line ends, marks, encodings, sizes, rows that repeat or disagree."""

from __future__ import annotations

import json
from collections.abc import Mapping

from tests.hostile.case import IDS, MOST_BYTES, MOST_ROWS, SOME, Case, in_a_line, lines, row, sound

BOM = "\ufeff"


def _file(name: str, data: bytes, codes: Mapping[str, int], why: str, *, exit: int = 1) -> Case:
    return Case(name, ".jsonl", data, codes, exit, why)


STRUCTURE = (
    in_a_line("brackets-open", "[" * 100_000, {"too-deep": 1}, "a parser that recurses dies", missing=True),
    in_a_line("brackets-closed", "[" * 50_000 + "]" * 50_000, {"too-deep": 1}, "sound JSON, and deep", missing=True),
    in_a_line(
        "braces-deep", '{"a":' * 20_000 + "1" + "}" * 20_000, {"too-deep": 1}, "the same with objects", missing=True
    ),
    in_a_line(
        "nested-66",
        '{"presentation_id":"<id>","choice":"P","x":' + "[" * 65 + "]" * 65 + "}",
        {"too-deep": 1},
        "just too deep",
    ),
    in_a_line(
        "nested-40",
        '{"presentation_id":"<id>","choice":"P","x":' + "[" * 39 + "]" * 39 + "}",
        {"unknown-field": 1},
        "not too deep, and no field",
    ),
    in_a_line("row-list", '["<id>","P"]', {"not-an-object": 1}, "zip() would align it", missing=True),
    in_a_line("row-text", '"<id>"', {"not-an-object": 1}, "a text has no fields", missing=True),
    in_a_line("row-number", "1", {"not-an-object": 1}, "a label alone", missing=True),
    in_a_line("row-null", "null", {"not-an-object": 1}, "nothing", missing=True),
    in_a_line("row-nan", "NaN", {"nan": 1}, "json.loads() takes it", missing=True),
    in_a_line("row-empty", "{}", {"no-id": 1}, "FieldWorkArena marked it 100 %", missing=True),
    in_a_line("two-in-a-line", row(0) + row(0), {"not-json": 1}, "raw_decode() reads the first"),
    in_a_line("two-with-space", f"{row(0)} {row(1)}", {"not-json": 1}, "the same", missing=True),
    in_a_line("comma-after", row(0) + ",", {"not-json": 1}, "a list without brackets"),
    in_a_line("trailing-comma", '{"presentation_id":"<id>","choice":"P",}', {"not-json": 1}, "JavaScript reads it"),
    in_a_line("comment", row(0) + " // sure", {"not-json": 1}, "JSON5 reads it"),
    in_a_line("single-quotes", "{'presentation_id':'<id>','choice':'P'}", {"not-json": 1}, "eval()", missing=True),
    in_a_line("no-quotes", "{presentation_id:<id>,choice:P}", {"not-json": 1}, "YAML reads it", missing=True),
    in_a_line("yaml-tag", "!!python/object/apply:os.system ['id']", {"not-json": 1}, "YAML runs it", missing=True),
    in_a_line("path", "/etc/passwd", {"not-json": 1}, "a path to follow", missing=True),
    in_a_line("address", "http://169.254.169.254/latest/meta-data", {"not-json": 1}, "to fetch", missing=True),
    in_a_line("cut", '{"presentation_id":"<id>","choice":"P', {"not-json": 1}, "a disk ran full"),
    _file(
        "list-pretty",
        json.dumps([json.loads(text) for text in sound()], indent=1).encode(),
        {"other-format": 1, "missing": 4},
        "json.dump() of a list",
    ),
    _file(
        "list-in-a-line",
        json.dumps([json.loads(text) for text in sound()]).encode(),
        {"not-an-object": 1, "missing": 4},
        "json.dump() of a list",
    ),
    _file(
        "mapping",
        json.dumps(dict.fromkeys(IDS, "P")).encode(),
        {"unknown-field": 4, "no-id": 1, "missing": 4},
        "ids as keys",
    ),
    _file("last-line-open", lines(*sound())[:-1], {}, "no line end at the end", exit=0),
    _file("last-line-cut", lines(*sound())[:-4], {"not-json": 1}, "an upload broke off"),
)

NOTHING = (
    _file("empty", b"", {"empty": 1, "missing": 4}, "perfect elsewhere"),
    _file("only-bom", BOM.encode(), {"bom": 1, "empty": 1, "missing": 4}, "not empty by its size"),
    _file("only-line-end", b"\n", {"blank-line": 1, "empty": 1, "missing": 4}, "one line, no row"),
    _file("only-blank", b"\n \n\t\n\r\n", {"blank-line": 4, "mixed-line-ends": 1, "empty": 1, "missing": 4}, "no row"),
    _file("only-header", lines('{"earmark":{}}'), {"empty": 1, "missing": 4}, "a header is no row"),
    _file("blank-between", lines(*sound(2), "", *sound()[:2], ""), {"blank-line": 2}, "as editors leave them", exit=0),
    _file("three-of-four", lines(*sound(1)), {"missing": 1}, "coverage of what was answered is 1", exit=0),
)

ENCODINGS = (
    _file("crlf", lines(*sound(), end="\r\n"), {}, "a line end left on the last field", exit=0),
    _file(
        "cr", lines(*sound(), end="\r"), {"not-json": 1, "mixed-line-ends": 1, "missing": 4}, "one line to most readers"
    ),
    _file("mixed-ends", lines(*sound(1)) + lines(row(0), end="\r\n"), {"mixed-line-ends": 1}, "two editors", exit=0),
    _file(
        "lf-cr",
        lines(*sound(), end="\n\r"),
        {"mixed-line-ends": SOME, "blank-line": SOME},
        "the wrong way round",
        exit=0,
    ),
    _file(
        "bom",
        (BOM + sound()[0] + "\n").encode() + lines(*sound(1)),
        {"bom": 1},
        "the first key is another to some",
        exit=0,
    ),
    _file(
        "bom-twice",
        (2 * BOM + sound()[0] + "\n").encode() + lines(*sound(1)),
        {"bom": 1, "not-json": 1},
        "one is dropped",
    ),
    _file("bom-second-line", lines(sound()[0], BOM + sound()[1], *sound(2)), {"not-json": 1}, "files put together"),
    _file("utf-16", lines(*sound()).decode().encode("utf-16"), {"other-format": 1, "missing": 4}, "PowerShell's"),
    _file(
        "utf-16-be",
        b"\xfe\xff" + lines(*sound()).decode().encode("utf-16-be"),
        {"other-format": 1, "missing": 4},
        "the other way",
    ),
    _file(
        "utf-32",
        lines(*sound()).decode().encode("utf-32"),
        {"other-format": 1, "missing": 4},
        "its mark begins as that of UTF-16",
    ),
    _file("utf-7", lines(*sound()).replace(b"{", b"+AHs-"), {"not-json": 4}, "ASCII to look at"),
    _file("ebcdic", lines(*sound()).decode().encode("cp500"), {"not-utf8": SOME, "missing": 4}, "another alphabet"),
)

SIZES = (
    _file("too-large", lines(*sound()) + b" " * MOST_BYTES, {"too-large": 1, "missing": 4}, "all of it in memory"),
    _file(
        "long-line",
        b'{"presentation_id":"' + b"x" * (MOST_BYTES - 100),
        {"not-json": 1, "missing": 4},
        "one line, no end",
    ),
    _file(
        "line-of-spaces",
        b" " * (MOST_BYTES - 1000) + b"\n" + lines(*sound()),
        {"blank-line": 1},
        "stripped slowly",
        exit=0,
    ),
    _file("only-nul", b"\0" * 4096, {"nul": SOME, "missing": 4}, "a sparse file"),
    _file(
        "many-rows",
        lines(*(row(0, run=n) for n in range(MOST_ROWS + 5))),
        {"too-many-rows": 1, "missing": 3},
        "a run each",
    ),
    _file("many-bad", lines(*(["x"] * 1000), *sound()), {"not-json": 1000}, "a line of output each"),
    _file("many-blank", b"\n" * 5000 + lines(*sound()), {"blank-line": 5000}, "a finding each", exit=0),
    _file(
        "many-unknown",
        lines(*(json.dumps({"presentation_id": f"p{n}", "choice": "P"}) for n in range(1000)), *sound()),
        {"unknown-id": 1000},
        "guessing ids",
    ),
)

REPEATS = (
    _file("repeated", lines(*sound(), row(0)), {"repeated": 1}, "counted twice", exit=0),
    _file(
        "repeated-spelt-otherwise",
        lines(*sound(), row(0, run=0, status="ok", latency_s=1)),
        {"repeated": 1},
        "the same answer",
        exit=0,
    ),
    _file("repeated-thrice", lines(*sound(), *sound(), *sound()), {"repeated": 8}, "n is three times as large", exit=0),
    _file("conflicting", lines(*sound(), row(0, choice="N")), {"conflicting": 1}, "the last wins, or the first"),
    _file(
        "conflicting-probability",
        lines(*sound(1), row(0, probability=0.1), row(0, probability=0.9)),
        {"conflicting": 1},
        "one pole, two scores",
    ),
    _file(
        "conflicting-status",
        lines(*sound(), json.dumps({"presentation_id": IDS[0], "status": "failed"})),
        {"conflicting": 1},
        "a retry",
    ),
    _file(
        "conflicting-with-bad",
        lines(*sound(), row(0, choice="p")),
        {"conflicting": 1, "unknown-value": 1},
        "one of two is spoilt",
    ),
    _file("two-of-three-agree", lines(*sound(), row(0, choice="N"), row(0)), {"conflicting": 1}, "no vote is held"),
    _file("runs-agree", lines(*sound(), row(0, run=1)), {}, "another run, no repetition", exit=0),
    _file("runs-disagree", lines(*sound(), row(0, run=1, choice="N")), {}, "runs may", exit=0),
    _file(
        "runs-apart",
        lines(*sound(1), row(0, run=5), row(0, run=(1 << 31) - 1)),
        {},
        "an array as long as the run",
        exit=0,
    ),
    _file(
        "every-combination",
        lines(*sound(), *(row(n, choice="N") for n in range(4))),
        {"conflicting": 4},
        "both answers to each",
    ),
)

CASES: tuple[Case, ...] = (*STRUCTURE, *NOTHING, *ENCODINGS, *SIZES, *REPEATS)
