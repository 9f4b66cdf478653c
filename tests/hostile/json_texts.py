"""Hostile texts in a line of JSON: characters, encodings, and answers that are nearly one."""

from __future__ import annotations

from tests.hostile.case import Case, in_a_line

_START = '{"presentation_id":"<id>","choice":"P",'

TEXTS = (
    in_a_line(
        "surrogate-high", r'{"presentation_id":"<id>","response":"\ud800"}', {"lone-surrogate": 1}, "half a character"
    ),
    in_a_line(
        "surrogate-low", r'{"presentation_id":"<id>","response":"\udc00 {}"}', {"lone-surrogate": 1}, "the other half"
    ),
    in_a_line(
        "surrogates-reversed",
        r'{"presentation_id":"<id>","response":"\ude00\ud83d"}',
        {"lone-surrogate": 1},
        "both halves, the wrong way round",
    ),
    in_a_line(
        "surrogate-in-key",
        r'{"presentation_id":"<id>","choice":"P","\ud800":1}',
        {"lone-surrogate": 1, "unknown-field": 1},
        "in a key",
    ),
    in_a_line("surrogate-in-evidence", _START + r'"evidence":["\udfff"]}', {"lone-surrogate": 1}, "two levels down"),
    in_a_line("surrogate-pair", _START + r'"evidence":["\ud83d\ude00"]}', {}, "a whole pair is one character", exit=0),
    in_a_line(
        "surrogate-raw",
        b'{"presentation_id":"<id>","response":"\xed\xa0\x80"}',
        {"not-utf8": 1},
        "half a character in bytes, which some decoders pass",
    ),
    in_a_line(
        "overlong-slash", b'{"presentation_id":"<id>","response":"\xc0\xaf"}', {"not-utf8": 1}, "a slash in two bytes"
    ),
    in_a_line("overlong-nul", b'{"presentation_id":"<id>","response":"\xc0\x80"}', {"not-utf8": 1}, "Java's NUL"),
    in_a_line(
        "beyond-unicode", b'{"presentation_id":"<id>","response":"\xf4\x90\x80\x80"}', {"not-utf8": 1}, "U+110000"
    ),
    in_a_line("latin-1", b'{"presentation_id":"<id>","response":"\xe9t\xe9"}', {"not-utf8": 1}, "another encoding"),
    in_a_line("cut-character", b'{"presentation_id":"<id>","response":"\xe2\x82"}', {"not-utf8": 1}, "cut at 2 of 3"),
    in_a_line("nul-escaped", r'{"presentation_id":"<id>","response":"a\u0000b"}', {"nul": 1}, "C ends the text there"),
    in_a_line("nul-in-evidence", _START + r'"evidence":["\u0000"]}', {"nul": 1}, "deeper down"),
    in_a_line(
        "nul-in-id", r'{"presentation_id":"<id>\u0000","choice":"P"}', {"nul": 1}, "the right id to C", missing=True
    ),
    in_a_line("nul-raw", b'{"presentation_id":"<id>","response":"a\0b"}', {"nul": 1}, "the byte itself"),
    in_a_line(
        "line-separator",
        '{"presentation_id":"<id>","response":"{\\"choice\\":\\"P\\"}\u2028 then \u2029"}',
        {},
        "str.splitlines() would cut the row in three",
        exit=0,
    ),
    in_a_line(
        "next-line-and-feeds",
        '{"presentation_id":"<id>","response":"\x85{\\"choice\\":\\"P\\"}\\u000b\\u000c"}',
        {},
        "str.splitlines() would cut here too",
        exit=0,
    ),
    in_a_line(
        "vertical-tab-raw", '{"presentation_id":"<id>",\x0b"choice":"P"}', {"not-json": 1}, "str.strip() drops it"
    ),
    in_a_line("no-break-space", '{"presentation_id":"<id>",\xa0"choice":"P"}', {"not-json": 1}, "str.strip() drops it"),
    in_a_line("line-separator-between", "{}\u2028{}", {"not-json": 1}, "two rows by str.splitlines()", missing=True),
    in_a_line("escape-unknown", r'{"presentation_id":"<id>","response":"\x41"}', {"not-json": 1}, "C's escape"),
    in_a_line(
        "tab-raw", '{"presentation_id":"<id>","response":"a\tb"}', {"not-json": 1}, "a control character in a text"
    ),
)

ANSWERS = (
    in_a_line("both-answers", _START + r'"response":"{\"choice\":\"N\"}"}', {"two-answers": 1}, "which one counts?"),
    in_a_line("no-answer", '{"presentation_id":"<id>"}', {"no-answer": 1}, "a perfect score for {} elsewhere"),
    in_a_line(
        "answers-null", '{"presentation_id":"<id>","choice":null,"response":null}', {"no-answer": 1}, "null for both"
    ),
    in_a_line("failed-with-choice", _START + '"status":"failed"}', {"answer-not-ok": 1}, "failed, and right anyway"),
    in_a_line("abstained-with-choice", _START + '"status":"abstained"}', {"answer-not-ok": 1}, "the same"),
    in_a_line(
        "lone-probability",
        r'{"presentation_id":"<id>","response":"{}","probability":1}',
        {"lone-probability": 1},
        "of what?",
    ),
    in_a_line("status-unknown", _START + '"status":"error"}', {"unknown-value": 1}, "no status of ours"),
    in_a_line("status-case", _START + '"status":"OK"}', {"unknown-value": 1}, "upper case"),
    in_a_line("choice-space", '{"presentation_id":"<id>","choice":"P "}', {"unknown-value": 1}, "a space after"),
    in_a_line("choice-case", '{"presentation_id":"<id>","choice":"p"}', {"unknown-value": 1}, "lower case"),
    in_a_line(
        "choice-language", '{"presentation_id":"<id>","choice":"\u6b63"}', {"unknown-value": 1}, "another language"
    ),
    in_a_line(
        "choice-cyrillic", '{"presentation_id":"<id>","choice":"\u0420"}', {"unknown-value": 1}, "it looks right"
    ),
    in_a_line("choice-word", '{"presentation_id":"<id>","choice":"Positive"}', {"unknown-value": 1}, "begins with P"),
    in_a_line("choice-empty", '{"presentation_id":"<id>","choice":""}', {"unknown-value": 1}, '"" is in every text'),
    in_a_line(
        "choice-both", '{"presentation_id":"<id>","choice":"PN"}', {"unknown-value": 1}, "a substring of the labels"
    ),
    in_a_line(
        "response-empty", '{"presentation_id":"<id>","response":""}', {"unparsable": 1}, "no random guess", exit=0
    ),
    in_a_line(
        "response-none",
        r'{"presentation_id":"<id>","response":"{\"choice\":\"None\"}"}',
        {"unparsable": 1},
        "no N",
        exit=0,
    ),
    in_a_line(
        "response-code",
        '{"presentation_id":"<id>","response":"__import__(\'os\').abort()"}',
        {"unparsable": 1},
        "eval()",
        exit=0,
    ),
    in_a_line(
        "response-braces",
        f'{{"presentation_id":"<id>","response":"{"{" * 60_000}"}}',
        {"unparsable": 1},
        "quadratic to scan",
        exit=0,
    ),
    in_a_line(
        "response-brackets",
        f'{{"presentation_id":"<id>","response":"{"[" * 60_000}"}}',
        {"unparsable": 1},
        "recursion",
        exit=0,
    ),
    in_a_line(
        "response-nan",
        r'{"presentation_id":"<id>","response":"{\"choice\":\"P\",\"probability\":NaN}"}',
        {"unparsable": 1},
        "NaN within",
        exit=0,
    ),
    in_a_line(
        "response-65536",
        f'{{"presentation_id":"<id>","response":"{"x" * 65536}"}}',
        {"unparsable": 1},
        "as long as allowed",
        exit=0,
    ),
    in_a_line(
        "response-65537", f'{{"presentation_id":"<id>","response":"{"x" * 65537}"}}', {"too-long": 1}, "one more"
    ),
    in_a_line("evidence-long", _START + f'"evidence":["{"x" * 4097}"]}}', {"too-long": 1}, "one more than allowed"),
)

CASES: tuple[Case, ...] = (
    *TEXTS,
    *ANSWERS,
)
