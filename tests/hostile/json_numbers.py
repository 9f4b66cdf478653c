"""Hostile numbers in a line of JSON, and values of another type than their field."""

from __future__ import annotations

from tests.hostile.case import Case, in_a_line

_START = '{"presentation_id":"<id>","choice":"P",'


def _number(name: str, field: str, spelling: str, codes: dict[str, int], why: str, *, exit: int = 1) -> Case:
    return in_a_line(f"number-{name}", f'{_START}"{field}":{spelling}}}', codes, why, exit=exit)


NUMBERS = (
    _number("nan", "probability", "NaN", {"nan": 1}, "Python's json reads it, and every comparison with it is false"),
    _number("minus-nan", "probability", "-NaN", {"not-json": 1}, "a spelling of C's"),
    _number("nan-lower", "probability", "nan", {"not-json": 1}, "float() reads it"),
    _number("nan-text", "probability", '"NaN"', {"wrong-type": 1}, "float() reads the text"),
    _number("infinity", "cost_usd", "Infinity", {"infinity": 1}, "Python's json reads it"),
    _number("minus-infinity", "latency_s", "-Infinity", {"infinity": 1}, "it drags a mean down without end"),
    _number("inf", "latency_s", "inf", {"not-json": 1}, "float() reads it"),
    _number("infinity-text", "latency_s", '"Infinity"', {"wrong-type": 1}, "float() reads the text"),
    _number("1e999", "probability", "1e999", {"number-overflow": 1}, "Python's json makes Infinity of it"),
    _number("minus-1e999", "latency_s", "-1e999", {"number-overflow": 1}, "and −Infinity of this"),
    _number("1e-999", "probability", "1e-999", {}, "it is 0 and no error", exit=0),
    _number("least", "probability", "5e-324", {}, "the least double is a number", exit=0),
    _number("minus-zero", "probability", "-0.0", {}, "equal to 0.0, though its bytes are not", exit=0),
    _number("minus-zero-whole", "run", "-0", {}, "run 0, spelt oddly", exit=0),
    _number("400-digits", "run", "9" * 400, {"number-overflow": 1}, "Python would make it, C would wrap it"),
    _number("5000-digits", "input_tokens", "1" * 5000, {"number-overflow": 1}, "Python itself refuses to convert it"),
    _number("two-to-63", "run", str(1 << 63), {"number-overflow": 1}, "one beyond 64 bits"),
    _number("below-two-to-63", "run", str((1 << 63) - 1), {"out-of-range": 1}, "64 bits hold it, no run has it"),
    _number("least-of-64-bits", "run", str(-(1 << 63)), {"out-of-range": 1}, "64 bits hold it, no run has it"),
    _number("run-31-bits", "run", str((1 << 31) - 1), {}, "the highest run there is", exit=0),
    _number("run-32-bits", "run", str(1 << 31), {"out-of-range": 1}, "one more"),
    _number("run-minus-one", "run", "-1", {"out-of-range": 1}, "an index from the end"),
    _number("run-fraction", "run", "0.5", {"wrong-type": 1}, "int() makes 0 of it"),
    _number("run-text", "run", '"0"', {"wrong-type": 1}, "int() reads the text"),
    _number("tokens-huge", "output_tokens", str(10**12 + 1), {"out-of-range": 1}, "it would swamp a mean"),
    _number("probability-above-one", "probability", "1.0000001", {"out-of-range": 1}, "a score beyond all others"),
    _number("probability-percent", "probability", "87", {"out-of-range": 1}, "percent for a share"),
    _number("probability-negative", "probability", "-0.1", {"out-of-range": 1}, "a score that turns the choice round"),
    _number("probability-1e308", "probability", "1e308", {"out-of-range": 1}, "finite, and its double is not"),
    _number("probability-text", "probability", '"0.5"', {"wrong-type": 1}, "float() reads the text"),
    _number("plus", "run", "+1", {"not-json": 1}, "int() reads it"),
    _number("no-leading-zero", "probability", ".5", {"not-json": 1}, "float() reads it"),
    _number("no-fraction", "probability", "1.", {"not-json": 1}, "float() reads it"),
    _number("hexadecimal", "run", "0x0", {"not-json": 1}, "other languages read it"),
    _number("octal", "run", "010", {"not-json": 1}, "8 for some and 10 for others"),
    _number("underscore", "run", "1_0", {"not-json": 1}, "int() reads it"),
    _number("arabic-digit", "run", "\u0663", {"not-json": 1}, "int() reads it as 3"),
    _number("long-fraction", "probability", "0." + "1" * 9000, {}, "long, and only that", exit=0),
)

TYPES = (
    _number("true", "probability", "true", {"bool-as-number": 1}, "Python takes it for 1"),
    _number("false", "latency_s", "false", {"bool-as-number": 1}, "Python takes it for 0"),
    _number("run-true", "run", "true", {"bool-as-number": 1}, "run 1 to Python"),
    _number("list", "probability", "[0.5]", {"wrong-type": 1}, "NumPy would broadcast it"),
    _number("object", "cost_usd", '{"usd":1}', {"wrong-type": 1}, "a nested price"),
    in_a_line("choice-true", '{"presentation_id":"<id>","choice":true}', {"wrong-type": 1}, "truth for a pole"),
    in_a_line("choice-number", '{"presentation_id":"<id>","choice":1}', {"wrong-type": 1}, "an index for a pole"),
    in_a_line("choice-list", '{"presentation_id":"<id>","choice":["P"]}', {"wrong-type": 1}, "`in` is true of it"),
    in_a_line(
        "response-object", '{"presentation_id":"<id>","response":{"choice":"P"}}', {"wrong-type": 1}, "parsed once"
    ),
    in_a_line("status-true", _START + '"status":true}', {"wrong-type": 1}, "truth for a status"),
    in_a_line(
        "evidence-text", _START + '"evidence":"loud"}', {"wrong-type": 1}, "a text is a list of letters to Python"
    ),
    in_a_line("evidence-null-entry", _START + '"evidence":[null]}', {"wrong-type": 1}, "nothing in a list of texts"),
    in_a_line("evidence-nested", _START + '"evidence":[["loud"]]}', {"wrong-type": 1}, "a list in a list"),
    in_a_line("evidence-five", _START + '"evidence":["a","b","c","d","e"]}', {"too-long": 1}, "one more than allowed"),
    in_a_line("evidence-empty", _START + '"evidence":[]}', {}, "no evidence is no fault", exit=0),
    in_a_line("id-number", '{"presentation_id":1,"choice":"P"}', {"wrong-type": 1}, "a row number", missing=True),
    in_a_line("id-null", '{"presentation_id":null,"choice":"P"}', {"no-id": 1}, "an outer join's null", missing=True),
    in_a_line("id-empty", '{"presentation_id":"","choice":"P"}', {"no-id": 1}, "an empty text", missing=True),
    in_a_line("id-absent", '{"choice":"P"}', {"no-id": 1}, "aligned by order elsewhere", missing=True),
    in_a_line("id-list", '{"presentation_id":["<id>"],"choice":"P"}', {"wrong-type": 1}, "not hashable", missing=True),
)

CASES: tuple[Case, ...] = (
    *NUMBERS,
    *TYPES,
)
