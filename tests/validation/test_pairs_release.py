"""A release of pairs: sound ones are found without fault, and the faults of pairs anywhere are found in a release too."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from earmark.manifests.families.pairs import CONTROL, CONTROLS, PAIRS
from earmark.manifests.findings import Findings
from earmark.validation import pairs, strategies
from earmark.validation.invariants import validate
from earmark.validation.pairing import PAIR_INVARIANTS
from earmark.validation.strategies import (
    CORRUPTIONS,
    PAIR_FAULTS,
    Broken,
    Drawn,
    PairFault,
    write_broken,
    write_release,
)
from earmark.validation.strategies.pairs import sketch_of
from earmark.validation.strategies.sketches import rows_of

NOT_IN_A_RELEASE = {
    "two pairs of one name": "an item is named by its clips",
    "an utterance stands twice": "a clip is named by where it is from",
    "an utterance that is not there": "nothing can be sketched of it",
    "a pair again, turned round": "it is the same item",
}
KEY = bytes(32)


def release_of(drawn: strategies.DrawnPairs) -> Drawn:
    sketch = sketch_of(drawn)
    return Drawn(PAIRS, KEY, sketch, rows_of(sketch, PAIRS, KEY))


def validated(drawn: Drawn) -> Findings:
    with TemporaryDirectory() as folder:
        return validate(write_release(drawn, Path(folder) / "release"))


@settings(max_examples=5)
@given(drawn=strategies.releases("pairs"))
def test_a_sound_release_is_found_without_fault(drawn: Drawn) -> None:
    assert list(validated(drawn)) == []
    variants = {row["variant"] for row in drawn.rows["answers"]}
    assert variants >= {"main", *CONTROLS}
    assert sum(row["facet"] == CONTROL for row in drawn.rows["items"]) == len(CONTROLS)


@pytest.mark.parametrize(
    "fault", [fault for fault in PAIR_FAULTS if fault.name not in NOT_IN_A_RELEASE], ids=lambda fault: fault.name
)
@settings(max_examples=1, suppress_health_check=[HealthCheck.too_slow])
@given(drawn=strategies.pair_tables())
def test_a_fault_of_pairs_is_found_in_their_release(fault: PairFault, drawn: strategies.DrawnPairs) -> None:
    broken = strategies.put_fault(drawn, fault).drawn
    found = validated(release_of(broken)).counts
    assert fault.code in found
    # That a tie prefers nobody is asked of a release's own words too.
    assert {code: count for code, count in found.items() if code != "pairs.gold"} == broken.check().counts


def test_what_no_release_can_have_is_known() -> None:
    assert {fault.name for fault in PAIR_FAULTS} >= NOT_IN_A_RELEASE.keys()
    names = {invariant.name for invariant in pairs.INVARIANTS}
    assert {entry.name.replace(".", "-") for entry in PAIR_INVARIANTS} <= names


@settings(max_examples=5, suppress_health_check=[HealthCheck.too_slow])
@given(drawn=strategies.releases("pairs"), corruption=st.sampled_from(CORRUPTIONS))
def test_what_can_befall_any_release_is_found_in_one_of_pairs(drawn: Drawn, corruption: strategies.Corruption) -> None:
    if corruption.family not in (None, "pairs"):
        return
    with TemporaryDirectory() as folder:
        findings = validate(write_broken(Broken(drawn, corruption), Path(folder) / "release"))
    assert corruption.code in findings.counts


# Controls, one change at a time.

CHANGES: dict[str, tuple[str, dict[str, object], str]] = {
    "identical clips called a level": ("identical", {"variant": "level"}, "gains [None, None] of level"),
    "a level called identical": ("level", {"variant": "identical"}, "gains [None, -12.0] of identical"),
    "silence preferred": ("silence", {"gold": "second"}, "second of silence"),
    "silence as good as sound": ("silence", {"gold": "tie", "kind": "both_good"}, "tie of silence"),
    "a control of no kind": ("level", {"variant": "main"}, "variant main of facet control"),
}


@pytest.mark.parametrize("name", CHANGES)
@settings(max_examples=1)
@given(drawn=strategies.pair_tables())
def test_a_control_is_what_it_is_called(name: str, drawn: strategies.DrawnPairs) -> None:
    variant, change, found = CHANGES[name]
    release = release_of(drawn)
    next(row for row in release.rows["answers"] if row["variant"] == variant).update(change)
    (finding,) = (finding for finding in validated(release) if finding.code.name == "pairs.control")
    assert finding.found == found


@settings(max_examples=1)
@given(drawn=strategies.pair_tables())
def test_nothing_else_may_be_one(drawn: strategies.DrawnPairs) -> None:
    release = release_of(drawn)
    release.rows["answers"][0]["variant"] = "silence"
    release.rows["sources"][-5]["gain"] = -3.0
    found = [finding.found or "" for finding in validated(release) if finding.code.name == "pairs.control"]
    assert any(text.startswith("variant silence of facet ") for text in found)
    assert any(text.endswith("of what is no control") for text in found)


@settings(max_examples=1)
@given(drawn=strategies.pair_tables())
def test_where_a_tie_is_right_a_tie_is_offered_and_elsewhere_it_need_not_be(drawn: strategies.DrawnPairs) -> None:
    release = release_of(drawn)
    gold = {row["item_id"]: row["gold"] for row in release.rows["answers"]}
    for row in release.rows["prompts"]:
        row["answer"] = '{"marks": {"[[A]]": "A", "[[B]]": "B"}}'
    ties = {item for item, right in gold.items() if right == "tie"}
    findings = validated(release)
    # Each tie lacks it once as audio and once as transcript.
    assert findings.counts["pairs.offered"] == 2 * len(ties)
    assert {finding.id for finding in findings if finding.code.name == "pairs.offered"} <= ties
