"""Tables of pairs: read alike from lists, pandas and Arrow, and whatever is wrong with their form is found and never raised."""

from __future__ import annotations

import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from earmark.manifests.pairing import PAIRS, UTTERANCES
from earmark.validation import strategies
from earmark.validation.pairing import PairTables, check_pairs
from earmark.validation.strategies import DrawnPairs

WHO = {"utterance": "a/1", "corpus": "a", "speaker": "a/x"}
PAIR = {
    "pair": "p",
    "criterion": "rate",
    "target": "fast",
    "first": "a/1",
    "second": "a/2",
    "kind": "non_tie",
    "preferred": "first",
    "transcript": "same",
}


@settings(max_examples=10)
@given(strategies.pair_tables(), st.sampled_from(strategies.PAIR_FAULTS))
def test_a_table_is_read_alike_whatever_it_comes_as(drawn: DrawnPairs, fault: strategies.PairFault) -> None:
    broken = strategies.put_fault(drawn, fault).drawn
    usual = broken.check().as_json()
    for made in (pd.DataFrame, pa.Table.from_pylist):
        tables = PairTables.of(made(broken.utterances), made(broken.pairs))
        assert check_pairs(tables, broken.rules, caps=broken.caps, cells=broken.cells).as_json() == usual


def test_what_pairing_never_looks_at_may_be_left_out() -> None:
    spoken = [{**WHO, "pace": "fast", "text": "Go."}, {**WHO, "utterance": "a/2", "pace": "slow", "text": "go"}]
    assert not len(check_pairs(PairTables.of(spoken, [PAIR])))
    assert not len(check_pairs(PairTables.of(iter(spoken), iter([PAIR]))))
    assert not len(check_pairs(PairTables.of([], [])))


@pytest.mark.parametrize(
    ("utterances", "pairs", "found"),
    [
        ([{"utterance": "a/1"}], [], {"table.columns": ["utterances"]}),
        ([WHO], [{"pair": "p"}], {"table.columns": ["pairs"]}),
        (pd.DataFrame(), [], {"table.columns": ["utterances"]}),
        ([{**WHO, "age": "old"}], [], {"table.type": ["utterances [age]"]}),
        ([{**WHO, "emphasised": "said"}], [], {"table.type": ["utterances [emphasised]"]}),
        ([{**WHO, "emphasised": ["said", None]}], [], {"table.null": ["utterances:1 [emphasised] a/1"]}),
        ([{**WHO, "speaker": None}], [], {"table.null": ["utterances:1 [speaker] a/1"]}),
        (
            [{**WHO, "sex": "f"}, {**WHO, "pace": "brisk"}],
            [{**PAIR, "kind": "tie"}],
            {"table.value": ["pairs:1 [kind] p", "utterances:1 [sex] a/1", "utterances:2 [pace] a/1"]},
        ),
        ([WHO], [{**PAIR, "criterion": float("nan")}], {"table.null": ["pairs:1 [criterion] p"]}),
    ],
)
def test_a_wrong_form_is_found_at_its_place_and_nothing_else_is_asked(
    utterances: list[dict[str, object]], pairs: list[dict[str, object]], found: dict[str, list[str]]
) -> None:
    findings = check_pairs(PairTables.of(utterances, pairs))
    places: dict[str, list[str]] = {}
    for finding in findings:
        places.setdefault(finding.code.name, []).append(finding.place())
    assert places == found


def test_nan_is_what_pandas_has_for_unknown() -> None:
    frame = pd.DataFrame([{**WHO, "sex": "male", "age": 30}, {**WHO, "utterance": "a/2", "sex": None, "age": None}])
    tables = PairTables.of(frame, [])
    assert not len(tables.shape)
    assert [(row["sex"], row["age"], row["emphasised"]) for row in tables.utterances.values()] == [
        ("male", 30, []),
        (None, None, []),
    ]


@settings(max_examples=50)
@given(strategies.tables(UTTERANCES), strategies.tables(PAIRS), st.data())
def test_no_table_that_the_declaration_allows_makes_an_invariant_raise(
    utterances: list[dict[str, object]], pairs: list[dict[str, object]], data: st.DataObject
) -> None:
    if utterances:
        names = st.sampled_from([row["utterance"] for row in utterances])
        for pair in pairs:
            pair |= {"first": data.draw(names), "second": data.draw(names)}
    tables = PairTables.of(utterances, pairs)
    assert not len(tables.shape)
    findings = check_pairs(tables)
    assert all(name.startswith("pairs.") for name in findings.counts)
    assert utterances or findings.counts.get("pairs.utterances-known", 0) == 2 * len(pairs)
