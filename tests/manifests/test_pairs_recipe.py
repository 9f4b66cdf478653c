"""The record of how pairs were made comes back from a manifest as it went in, and nothing else does."""

from __future__ import annotations

import dataclasses
import json
from typing import Any, get_args

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from earmark.manifests.families import pairs
from earmark.manifests.families.pairs_recipe import SECTION, Caps, Cell, Criterion, Pairing, Rules, stored_pairing


@dataclasses.dataclass(frozen=True)
class _Manifest:
    recipe: dict[str, object]


CELLS: st.SearchStrategy[Cell] = st.builds(
    Cell,
    criterion=st.sampled_from(get_args(Criterion)),
    target=st.none() | st.text(min_size=1),
    kind=st.sampled_from(pairs.KINDS),
    transcript=st.sampled_from(pairs.TRANSCRIPTS),
    demand=st.none() | st.integers(0, 999),
    candidates=st.integers(0, 999),
    feasible=st.integers(0, 999),
    filled=st.integers(0, 999),
    binding=st.none() | st.text(),
)
PAIRINGS: st.SearchStrategy[Pairing] = st.builds(
    Pairing,
    cells=st.lists(CELLS, max_size=3).map(tuple),
    caps=st.dictionaries(
        st.sampled_from(get_args(Criterion)), st.builds(Caps, clip=st.none() | st.integers(1, 9)), max_size=2
    ),
    rules=st.builds(Rules, same_speaker=st.lists(st.sampled_from(get_args(Criterion)), unique=True).map(tuple)),
)


def read(value: object) -> Pairing:
    manifest: Any = _Manifest({} if value is None else {SECTION: value})
    return stored_pairing(manifest)


@given(PAIRINGS)
def test_it_survives_json(pairing: Pairing) -> None:
    assert read(json.loads(msgspec.json.encode(pairing))) == pairing


def test_what_is_left_out_is_the_default() -> None:
    assert read({}) == Pairing(cells=(), caps={}, rules=Rules())


def test_its_criteria_are_those_of_the_family() -> None:
    assert get_args(Criterion) == pairs.CRITERIA


@pytest.mark.parametrize(
    "value",
    [
        None,
        {"rule": {}},
        {"rules": {"same_speakers": []}},
        {"rules": {"same_speaker": ["shape"]}},
        {"caps": {"style": {"clips": 3}}},
        {"caps": {"shape": {}}},
        {"cells": [{"criterion": "style"}]},
    ],
)
def test_anything_else_is_refused(value: object) -> None:
    with pytest.raises(msgspec.ValidationError):
        read(value)


def test_cells_are_told_apart_by_their_names() -> None:
    cell = Cell(criterion="age", kind="non_tie", transcript="same", sex="female", candidates=3, feasible=2, filled=1)
    assert cell.name == "age / any / non_tie / same / speakers any / sex female / main"
