"""Hostile ids and keys in a line of JSON: what looks like another, and what stands twice."""

from __future__ import annotations

from tests.hostile.case import IDS, Case, in_a_line

_START = '{"presentation_id":"<id>","choice":"P",'

IDENTITIES = (
    in_a_line(
        "id-cyrillic",
        f'{{"presentation_id":"\u0440{IDS[0][1:]}","choice":"P"}}',
        {"homoglyph-id": 1},
        "it looks right",
        missing=True,
    ),
    in_a_line(
        "id-full-width",
        f'{{"presentation_id":"{chr(0xFF00 + ord("p") - 0x20)}{IDS[0][1:]}","choice":"P"}}',
        {"homoglyph-id": 1},
        "NFKC would make it right",
        missing=True,
    ),
    in_a_line(
        "id-zero-width",
        '{"presentation_id":"<id>\u200b","choice":"P"}',
        {"homoglyph-id": 1},
        "nothing to be seen",
        missing=True,
    ),
    in_a_line(
        "id-joiner",
        f'{{"presentation_id":"p\u200d{IDS[0][1:]}","choice":"P"}}',
        {"homoglyph-id": 1},
        "nor here",
        missing=True,
    ),
    in_a_line(
        "id-right-to-left",
        '{"presentation_id":"\u202e<id>","choice":"P"}',
        {"homoglyph-id": 1},
        "shown reversed",
        missing=True,
    ),
    in_a_line(
        "id-bom", '{"presentation_id":"\ufeff<id>","choice":"P"}', {"homoglyph-id": 1}, "a mark within", missing=True
    ),
    in_a_line(
        "id-combining",
        '{"presentation_id":"<id>\u0301","choice":"P"}',
        {"homoglyph-id": 1},
        "an accent on it",
        missing=True,
    ),
    in_a_line(
        "id-upper-case",
        f'{{"presentation_id":"{IDS[0].upper()}","choice":"P"}}',
        {"homoglyph-id": 1},
        "casefold",
        missing=True,
    ),
    in_a_line(
        "id-space-after", '{"presentation_id":"<id> ","choice":"P"}', {"homoglyph-id": 1}, "str.strip()", missing=True
    ),
    in_a_line(
        "id-short",
        f'{{"presentation_id":"{IDS[0][:-1]}","choice":"P"}}',
        {"unknown-id": 1},
        "startswith()",
        missing=True,
    ),
    in_a_line("id-path", '{"presentation_id":"../../<id>","choice":"P"}', {"unknown-id": 1}, "a path", missing=True),
    in_a_line(
        "id-url",
        '{"presentation_id":"http://127.0.0.1/<id>","choice":"P"}',
        {"unknown-id": 1},
        "an address",
        missing=True,
    ),
    in_a_line(
        "id-of-an-item",
        f'{{"presentation_id":"i{IDS[0][1:]}","choice":"P"}}',
        {"unknown-id": 1},
        "an item's",
        missing=True,
    ),
    in_a_line(
        "id-long", f'{{"presentation_id":"{"p" * 65}","choice":"P"}}', {"too-long": 1}, "65 characters", missing=True
    ),
    in_a_line(
        "id-64",
        f'{{"presentation_id":"{"p" * 64}","choice":"P"}}',
        {"unknown-id": 1},
        "as long as allowed",
        missing=True,
    ),
    in_a_line(
        "id-very-long",
        f'{{"presentation_id":"{"p" * 100_000}","choice":"P"}}',
        {"too-long": 1},
        "a message as long as the id",
        missing=True,
    ),
    in_a_line(
        "id-markup",
        '{"presentation_id":"<script>alert(1)</script>","choice":"P"}',
        {"unknown-id": 1},
        "HTML",
        missing=True,
    ),
    in_a_line(
        "id-terminal",
        r'{"presentation_id":"\u001b[2J\u001b]0;x\u0007","choice":"P"}',
        {"unknown-id": 1},
        "it clears the screen",
        missing=True,
    ),
)

_KEY = {"duplicate-key": 1}
KEYS = (
    in_a_line("key-twice", '{"presentation_id":"<id>","choice":"N","choice":"P"}', _KEY, "the last or the first wins"),
    in_a_line("key-twice-same", '{"presentation_id":"<id>","choice":"P","choice":"P"}', _KEY, "the same, yet twice"),
    in_a_line("key-escaped", r'{"presentation_id":"<id>","choice":"N","\u0063hoice":"P"}', _KEY, "one key spelt twice"),
    in_a_line(
        "key-escaped-alone", r'{"presentation_id":"<id>","\u0063hoice":"P"}', {}, "an odd spelling, once", exit=0
    ),
    in_a_line(
        "key-id-twice",
        f'{{"presentation_id":"<id>","presentation_id":"{IDS[1]}","choice":"P"}}',
        _KEY,
        "two ids",
        missing=True,
    ),
    in_a_line("key-null-then-value", '{"presentation_id":"<id>","choice":null,"choice":"P"}', _KEY, "null stands once"),
    in_a_line("key-twice-below", _START + '"evidence":[{"a":1,"a":2}]}', _KEY, "in an object below"),
    in_a_line(
        "key-homoglyph", '{"presentation_id":"<id>","choice":"P","\u0441hoice":"N"}', {"unknown-field": 1}, "Cyrillic"
    ),
    in_a_line("key-space", _START + '"choice ":"N"}', {"unknown-field": 1}, "str.strip() of keys"),
    in_a_line("key-case", _START + '"Choice":"N"}', {"unknown-field": 1}, "a data frame's lower-cased columns"),
    in_a_line("key-empty", _START + '"":1}', {"unknown-field": 1}, "a data frame's index"),
    in_a_line("key-gold", _START + '"gold":"P","label":"P","answer":"P"}', {"unknown-field": 3}, "it asks to be told"),
    in_a_line(
        "key-prototype", _START + '"__proto__":{"polluted":1},"__class__":"x"}', {"unknown-field": 2}, "pollution"
    ),
    in_a_line(
        "key-thousand", _START + ",".join(f'"k{n}":0' for n in range(1000)) + "}", {"unknown-field": 1000}, "many"
    ),
    in_a_line("key-long", _START + f'"{"k" * 50_000}":0}}', {"unknown-field": 1}, "a message as long as the key"),
    in_a_line("key-code", _START + '"!!python/object/apply:os.system":["id"]}', {"unknown-field": 1}, "YAML runs it"),
    in_a_line("key-line", _START + '"line":1}', {"unknown-field": 1}, "a column of our own"),
)

CASES: tuple[Case, ...] = (
    *IDENTITIES,
    *KEYS,
)
