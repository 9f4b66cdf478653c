"""The first line: typed records, everything wrong said at once, and what is good kept."""

from __future__ import annotations

import json

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from earmark.manifests.findings import Findings
from earmark.scoring.submissions.header import Header, Judge, Run, read_header

FULL = {
    "release": "toy@1.0.0",
    "content_hash": "blake2b-256:0",
    "protocol": "both-orders",
    "canary": "2b1d8a3c-5f0e-5d6b-9a57-3c1f5b0a7e42",
    "judge": {
        "name": "J",
        "revision": "abc",
        "api_date": "2025-01-01",
        "access": "open_weights",
        "architecture": "end_to_end",
        "modality": "audio",
        "persona": "a listener",
        "decoding": {"temperature": 0.0, "greedy": True},
        "template": "…",
    },
    "run": {"hardware": "1 × A100", "serving": "batched", "price": {"usd_per_hour": 2.5}},
}


def read(value: object) -> tuple[Header, Findings]:
    findings = Findings()
    return read_header(value, "f.jsonl", findings), findings  # type: ignore[arg-type]  # JSON


def test_a_full_header() -> None:
    header, findings = read(FULL)
    assert len(findings) == 0
    assert msgspec.to_builtins(header) == FULL
    assert header.judge.access == "open_weights"


@pytest.mark.parametrize("value", [{}, {"judge": None, "run": None, "release": None}, {"judge": {}, "run": {}}])
def test_all_of_it_is_optional(value: object) -> None:
    header, findings = read(value)
    assert header == Header()
    assert len(findings) == 0


def test_everything_wrong_is_said_and_what_is_good_is_kept() -> None:
    header, findings = read(
        {
            "release": 3,
            "protocol": "both-orders",
            "judges": {},
            "judge": {"name": "J", "access": "secret", "persona": ["x"], "template": "x" * 5000, "acess": "commercial"},
            "run": "fast",
        }
    )
    assert header == Header(protocol="both-orders", judge=Judge(name="J"), run=Run())
    assert [finding.column for finding in findings] == [
        "earmark.judge.access",
        "earmark.judge.acess",
        "earmark.judge.persona",
        "earmark.judge.template",
        "earmark.judges",
        "earmark.release",
        "earmark.run",
    ]
    assert {(finding.code.name, finding.row) for finding in findings} == {("submission.bad-header", 1)}


@pytest.mark.parametrize("value", [None, [], "x", 3])
def test_what_is_no_object(value: object) -> None:
    header, findings = read(value)
    assert header == Header()
    assert findings.counts == {"submission.bad-header": 1}


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["name", "judge", "x"]), inner, max_size=2)
    ),
    max_leaves=5,
)


@given(st.dictionaries(st.sampled_from([*FULL, "x"]), JSON) | JSON)
def test_any_value_is_read_or_found(value: object) -> None:
    header, findings = read(value)
    json.dumps(msgspec.to_builtins(header))
    json.dumps(findings.as_json())
    assert findings.failed or isinstance(value, dict)
