"""First lines that describe the run and are hostile: other releases, bad forms, names of judges that would run somewhere."""

from __future__ import annotations

import json
from collections.abc import Mapping

from tests.hostile.case import Case, lines, row, sound


def _file(name: str, data: bytes, codes: Mapping[str, int], why: str, *, exit: int = 1) -> Case:
    return Case(name, ".jsonl", data, codes, exit, why)


def _header(name: str, header: object, codes: Mapping[str, int], why: str, *, exit: int = 1) -> Case:
    return _file(f"header-{name}", lines(json.dumps({"earmark": header}), *sound()), codes, why, exit=exit)


JUDGE = (
    "<script>alert(1)</script><img src=x onerror=alert(2)>\"'&amp;",
    '=HYPERLINK("http://127.0.0.1","click")',
    "[x](javascript:alert(1)) | **b** `c` \\",
    "\x1b[31mred\x1b[0m\x1b]0;title\x07\r\nerror: none",
    "\u202egnp.exe\u200b\ufeff\x85\u2028",
    "{{ 7*7 }} {% raw %} ${7*7} %(x)s {0}",
)
"""Names of judges that are markup, a formula, Markdown, terminal escapes, direction marks and templates."""

HEADERS = (
    _header("plain", {"release": "tiny", "judge": {"name": "J"}}, {}, "as it should be", exit=0),
    _header("other-release", {"release": "tiny@9.0.0"}, {"other-release": 1}, "marked on other items"),
    _header(
        "other-hash", {"content_hash": "blake2b-256:" + "0" * 64}, {"other-release": 1}, "the same name, other items"
    ),
    _header("other-protocol", {"protocol": "one-order"}, {"other-protocol": 1}, "a denominator of its own"),
    _header(
        "all-three",
        {"release": "x", "content_hash": "y", "protocol": "z"},
        {"other-release": 2, "other-protocol": 1},
        "all at once",
    ),
    _header("unknown-field", {"score": 1.0}, {"bad-header": 1}, "it brings its own mark"),
    _header("unknown-in-judge", {"judge": {"rank": 1}}, {"bad-header": 1}, "and its own rank"),
    _header("null", None, {"bad-header": 1}, "nothing said of the run"),
    _header("list", [], {"bad-header": 1}, "a list"),
    _header(
        "types", {"release": 1, "judge": "J", "run": [], "protocol": True}, {"bad-header": 4}, "all of another type"
    ),
    _header(
        "access", {"judge": {"access": "stolen", "modality": "smell"}}, {"bad-header": 2}, "none of the valid values"
    ),
    _header("long-name", {"judge": {"name": "J" * 4097}}, {"bad-header": 1}, "a page that is one name"),
    _header(
        "many-settings",
        {"judge": {"decoding": {f"k{n}": n for n in range(65)}}},
        {"bad-header": 1},
        "a page of settings",
    ),
    *(
        _header(f"judge-{n}", {"judge": {"name": name, "template": name}}, {}, "to be escaped", exit=0)
        for n, name in enumerate(JUDGE)
    ),
    _file(
        "header-second",
        lines(sound()[0], '{"earmark":{"judge":{"name":"J"}}}', *sound(1)),
        {"header-misplaced": 1, "no-id": 1},
        "late",
    ),
    _file(
        "header-twice",
        lines('{"earmark":{}}', '{"earmark":{}}', *sound()),
        {"header-misplaced": 1, "no-id": 1},
        "which one?",
    ),
    _file(
        "header-in-a-row",
        lines(row(0, earmark={"release": "x"}), *sound(1)),
        {"header-misplaced": 1},
        "row and header in one",
    ),
    _file(
        "header-key-twice",
        lines('{"earmark":{"release":"x","release":"tiny"}}', *sound()),
        {"duplicate-key": 1},
        "which one?",
    ),
    _file(
        "header-nan",
        lines('{"earmark":{"judge":{"decoding":{"temperature":NaN}}}}', *sound()),
        {"nan": 1},
        "in the report",
    ),
    _file(
        "header-surrogate",
        lines(r'{"earmark":{"judge":{"name":"\ud800"}}}', *sound()),
        {"lone-surrogate": 1},
        "no encoding holds it",
    ),
    _file(
        "header-after-bom",
        ("\ufeff" + '{"earmark":{}}\n').encode() + lines(*sound()),
        {"bom": 1},
        "a mark before it",
        exit=0,
    ),
)


CASES: tuple[Case, ...] = HEADERS
