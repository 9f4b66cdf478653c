"""Hostile CSV files: headers, quotes, delimiters, cells that a spreadsheet would run."""

from __future__ import annotations

from collections.abc import Mapping

from tests.hostile.case import IDS, SOME, Case

HEAD = "presentation_id,choice,probability"


def sound(first: int = 0) -> list[str]:
    """Sound records for the presentations from `first` on."""
    return [f"{id},P,0.5" for id in IDS[first:]]


def file(*records: str, end: str = "\n") -> bytes:
    """Records, each ended."""
    return "".join(record + end for record in records).encode()


def _case(name: str, data: bytes, codes: Mapping[str, int], why: str, *, exit: int = 1) -> Case:
    return Case(f"csv-{name}", ".csv", data, codes, exit, why)


def _head(name: str, head: str, codes: Mapping[str, int], why: str) -> Case:
    return _case(f"head-{name}", file(head, *sound()), {**codes, "missing": 4}, why)


def _record(
    name: str,
    record: str,
    codes: Mapping[str, int],
    why: str,
    *,
    exit: int = 1,
    missing: bool = False,
    head: str = HEAD,
) -> Case:
    width = head.count(",") - 2
    others = [entry + "," * width for entry in sound(1)]
    owed = {**codes, **({"missing": 1} if missing else {})}
    return _case(name, file(head, record.replace("<id>", IDS[0]), *others), owed, why, exit=exit)


HEADS = (
    _head("none", sound()[0], {"bad-columns": SOME}, "the first row is lost"),
    _head("unknown", f"{HEAD},gold", {"bad-columns": 1}, "a column of answers"),
    _head("twice", f"{HEAD},choice", {"bad-columns": 1}, "pandas calls it choice.1"),
    _head("missing-id", "choice,probability,run", {"bad-columns": 1}, "aligned by order"),
    _head("space", "presentation_id, choice,probability", {"bad-columns": 1}, "skipinitialspace"),
    _head("case", "Presentation_ID,Choice,Probability", {"bad-columns": SOME}, "casefold"),
    _head("semicolon", HEAD.replace(",", ";"), {"bad-columns": SOME}, "a German spreadsheet"),
    _head("tab", HEAD.replace(",", "\t"), {"bad-columns": SOME}, "TSV under another name"),
    _head("index", f",{HEAD}", {"bad-columns": SOME}, "a data frame's index"),
    _head("sep-line", "sep=,", {"bad-columns": SOME}, "a spreadsheet's own line"),
    _head("comment", "# predictions", {"bad-columns": SOME}, "R skips it"),
    _head("blank", "", {"bad-columns": SOME}, "pandas skips it"),
    _head("formula", '=HYPERLINK("http://127.0.0.1"),choice', {"not-csv": 1}, "a spreadsheet follows it"),
    _head("many", HEAD + "".join(f",c{n}" for n in range(2000)), {"bad-columns": 2000}, "two thousand columns"),
    _head("homoglyph", HEAD.replace("choice", "\u0441hoice"), {"bad-columns": 1}, "it looks right"),
    _head("quoted-badly", '"presentation_id,choice', {"not-csv": 1}, "the whole file in one cell"),
    _case("empty", b"", {"bad-columns": 1, "missing": 4}, "nothing at all"),
    _case("only-bom", b"\xef\xbb\xbf", {"bom": 1, "bad-columns": SOME, "missing": 4}, "nothing but a mark"),
    _case("only-head", file(HEAD), {"empty": 1, "missing": 4}, "no row"),
    _case(
        "names-twice",
        file(HEAD, HEAD, *sound()),
        {"unknown-id": 1, "wrong-type": 1, "unknown-value": 1},
        "two files put together",
    ),
    _case("head-last", file(*sound(), HEAD), {"bad-columns": SOME, "missing": 4}, "sorted"),
    _case("bom", b"\xef\xbb\xbf" + file(HEAD, *sound()), {"bom": 1}, "the first column is another", exit=0),
    _case("crlf", file(HEAD, *sound(), end="\r\n"), {}, "as RFC 4180 has it", exit=0),
    _case("cr", file(HEAD, *sound(), end="\r"), {"not-csv": 1, "mixed-line-ends": 1, "missing": 4}, "an old Macintosh"),
    _case(
        "mixed-ends",
        file(HEAD, *sound(1)) + file(sound()[0], end="\r\n"),
        {"mixed-line-ends": 1},
        "two editors",
        exit=0,
    ),
    _case(
        "utf-16",
        file(HEAD, *sound()).decode().encode("utf-16"),
        {"other-format": 1, "missing": 4},
        "a spreadsheet's Unicode text",
    ),
)

RECORDS = (
    _record("short", "<id>,P", {"not-csv": 1}, "the last cell is absent"),
    _record("long", "<id>,P,0.5,", {"not-csv": 1}, "one cell too many"),
    _record("semicolons", "<id>;P;0.5", {"not-csv": 1, "unknown-id": 1}, "one cell", missing=True),
    _record("quote-open", '<id>,"P,0.5', {"not-csv": 1, "missing": 4}, "the rest of the file in one cell"),
    _record("quote-within", '<id>,P",0.5', {"not-csv": 1, "missing": 4}, "lenient readers differ"),
    _record("quote-after", '"<id>"x,P,0.5', {"not-csv": 1}, "text after a closing quote", missing=True),
    _record("quote-backslash", '"a\\"b",P,0.5', {"not-csv": 1, "missing": 4}, "MySQL's escape"),
    _record(
        "single-quotes",
        "'<id>','P','0.5'",
        {"unknown-id": 1, "wrong-type": 1, "unknown-value": 1},
        "cells with marks in them",
        missing=True,
    ),
    _record("all-quoted", '"<id>","P","0.5"', {}, "quoted numbers are numbers in CSV", exit=0),
    _record("space-before", "<id>, P,0.5", {"unknown-value": 1}, "a space is part of a cell"),
    _record(
        "line-in-cell",
        '<id>,,,"line one\nline ""two"" {""choice"":""P""}"',
        {},
        "one record of two lines",
        exit=0,
        head=f"{HEAD},response",
    ),
    _record("nul", '<id>,,,"a\0b"', {"nul": 1}, "csv stops at it", head=f"{HEAD},response"),
    _record("nan", "<id>,P,NaN", {"nan": 1}, "float() reads it"),
    _record("infinity", "<id>,P,Infinity", {"infinity": 1}, "float() reads it"),
    _record("1e999", "<id>,P,1e999", {"number-overflow": 1}, "float() makes it infinite"),
    _record("400-digits", "<id>,P,0.5," + "9" * 400, {"number-overflow": 1}, "int() makes it", head=f"{HEAD},run"),
    _record("true", "<id>,P,true", {"bool-as-number": 1}, "a data frame's truth value"),
    _record("comma-decimal", '<id>,P,"0,5"', {"wrong-type": 1}, "a German number"),
    _record("percent", "<id>,P,50%", {"wrong-type": 1}, "a spreadsheet's number"),
    _record("thousands", '<id>,P,0.5,"1,000"', {"wrong-type": 1}, "an English number", head=f"{HEAD},run"),
    _record(
        "run-one-point-zero", "<id>,P,0.5,1.0", {"wrong-type": 1}, "a data frame's whole number", head=f"{HEAD},run"
    ),
    _record(
        "formula",
        '"=HYPERLINK(""http://127.0.0.1"")",P,0.5',
        {"unknown-id": 1},
        "a spreadsheet follows it",
        missing=True,
    ),
    _record("command", "\"=cmd|'/c calc'!A1\",P,0.5", {"unknown-id": 1}, "a spreadsheet runs it", missing=True),
    _record("formula-choice", "<id>,+P,0.5", {"unknown-value": 1}, "a formula for a pole"),
    _record("evidence", '<id>,P,0.5,"[""a"",""b""]"', {}, "a list in a cell", exit=0, head=f"{HEAD},evidence"),
    _record("evidence-nan", '<id>,P,0.5,"[NaN]"', {"wrong-type": 1}, "no strict JSON", head=f"{HEAD},evidence"),
    _record(
        "evidence-deep", f"<id>,P,0.5,{'[' * 5000}", {"wrong-type": 1}, "recursion in a cell", head=f"{HEAD},evidence"
    ),
    _record("evidence-python", "<id>,P,0.5,\"['a']\"", {"wrong-type": 1}, "eval()", head=f"{HEAD},evidence"),
    _record("blank-cells", ",,", {"no-id": 1}, "a row of nothing", missing=True),
    _record("homoglyph", f"\u0440{IDS[0][1:]},P,0.5", {"homoglyph-id": 1}, "it looks right", missing=True),
    _record("repeated", f"<id>,P,0.5\n{IDS[0]},P,0.5", {"repeated": 1}, "counted twice", exit=0),
    _record("conflicting", f"<id>,P,0.5\n{IDS[0]},N,0.5", {"conflicting": 1}, "the last wins"),
    _record(
        "huge-cell",
        f'<id>,P,0.5,"{"x" * 140_000}"',
        {"too-long": 1, "missing": 1},
        "csv's own limit",
        head=f"{HEAD},response",
    ),
)
"""One odd record beside sound ones."""

_LATIN = file(HEAD, *sound(1)) + IDS[0].encode() + b",\xe9,0.5\n"

CASES: tuple[Case, ...] = (
    *HEADS,
    *RECORDS,
    _case("latin-1", _LATIN, {"not-utf8": 1, "missing": 1}, "another encoding"),
)
