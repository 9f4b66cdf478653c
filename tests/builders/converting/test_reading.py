"""Other people's JSON: what is read costs no more than its length, whatever stands in it."""

from __future__ import annotations

import json
from typing import Literal

import msgspec
import pytest

from earmark.builders.converting.reading import converted, json_value


class Counted(str):
    """A text that counts how often it is compared."""

    __slots__ = ()
    __hash__ = str.__hash__
    compared = 0

    def __eq__(self, other: object) -> bool:
        Counted.compared += 1
        return str.__eq__(self, other)


def test_a_key_that_stands_twice_is_found_in_one_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    names = [f"k{n}" for n in range(2000)]
    text = "{" + ",".join(f"{json.dumps(name)}:0" for name in [*names, names[-1]]) + "}"
    loads = json.loads

    def counting(text: str, *, object_pairs_hook, **options):  # type: ignore[no-untyped-def]  # as json.loads has it
        return loads(
            text, object_pairs_hook=lambda pairs: object_pairs_hook([(Counted(k), v) for k, v in pairs]), **options
        )

    monkeypatch.setattr(json, "loads", counting)
    Counted.compared = 0
    with pytest.raises(ValueError, match="'k1999' stands twice"):
        json_value(text)
    assert 0 < Counted.compared < 20 * len(names)


class Marked(msgspec.Struct):
    """What is asked for, and one label of it."""

    label: Literal["yes", "no"] = "no"


@pytest.mark.parametrize("text", ['{"\\ud800": 1}', '{"label": "\\udfff"}'])
def test_half_a_character_makes_no_record(text: str) -> None:
    assert converted(json_value('{"other": "\\ud800"}'), Marked) == Marked()
    with pytest.raises(msgspec.ValidationError, match="half a surrogate pair"):
        converted(json_value(text), Marked)
