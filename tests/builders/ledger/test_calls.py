"""Keys: two calls have one key if and only if nothing that matters is different."""

from __future__ import annotations

import json
import unicodedata
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.builders.ledger.toys import places, request

from earmark.builders.ledger import CallRequest, Place
from earmark.manifests.canonical import Json

bodies = st.dictionaries(
    st.sampled_from(["input", "voice", "seed", "messages"]),
    st.text('ab1\n"{}[],:', max_size=4)
    | st.integers(-1, 2)
    | st.none()
    | st.booleans()
    | st.lists(st.integers(0, 2), max_size=2),
    max_size=3,
)
requests = st.builds(
    lambda provider, endpoint, body, place: CallRequest(
        provider=provider, endpoint=endpoint, body={**body, "model": "m"}, place=place
    ),
    st.sampled_from(["a", "ab", "a/b"]),
    st.sampled_from(["", "b", "/b"]),
    bodies,
    places(),
)


def said(request: CallRequest) -> str:
    """What matters, by another writer than the key's."""
    return repr(
        (
            request.provider,
            request.endpoint,
            json.dumps(request.body, sort_keys=True),
            unicodedata.normalize("NFC", repr(request.place)),
        )
    )


@given(st.lists(requests, min_size=2, max_size=30))
@settings(max_examples=50)
def test_keys_differ_exactly_where_what_matters_differs(many: list[CallRequest]) -> None:
    assert len({request.key for request in many}) == len({said(request) for request in many})


@given(requests)
@settings(max_examples=30)
def test_each_part_of_a_place_changes_the_key_and_the_order_of_fields_and_the_stage_do_not(one: CallRequest) -> None:
    at = one.place
    others = [
        replace(one, place=place)
        for place in (
            replace(at, dialogue=at.dialogue + "1"),
            replace(at, turn=(at.turn or 0) + 1),
            replace(at, option=(at.option or 0) + 1),
            replace(at, attempt=at.attempt + 1),
        )
    ]
    others += [replace(one, provider=one.provider + "x"), replace(one, body={**one.body, "n": 2})]
    assert len({request.key for request in (one, *others)}) == 7
    turned = replace(one, body=dict(reversed(list(one.body.items()))), stage="another")
    assert turned.key == one.key


def test_a_key_is_the_same_on_every_machine() -> None:
    assert request().key == request().key
    assert len(bytes.fromhex(request().key)) == 32


@pytest.mark.parametrize("number", [{"turn": 0}, {"option": 0}, {"attempt": -1}])
def test_a_place_out_of_range_is_refused(number: dict[str, int]) -> None:
    with pytest.raises(ValueError, match=next(iter(number))):
        Place("d", **number)


@pytest.mark.parametrize(
    "body", [{}, {"model": ""}, {"model": 3}, {"model": "m", "seed": float("nan")}, {"model": "m", "input": "\ud800"}]
)
def test_a_body_without_a_model_or_a_canonical_form_is_refused(body: dict[str, Json]) -> None:
    with pytest.raises(ValueError, match=r"model|JSON|surrogate"):
        CallRequest(provider="p", endpoint="e", body=body, place=Place("d"))
