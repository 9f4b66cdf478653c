"""Controls: as many as asked for, spread over criteria, and nothing public that says which sort they are."""

from __future__ import annotations

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.true_sizes import row

from earmark.builders.pairs.controls import controls
from earmark.builders.pairs.prompts import read_templates
from earmark.builders.pairs.recipe import ControlsSection
from earmark.manifests.findings import Findings

TEMPLATES = read_templates(None, Findings())
GOOD = {
    ("style", "sad"): [row(f"toy/s{n}", "s", seconds=1, rate=8000, text="words") for n in range(9)],
    ("style", "happy"): [row(f"toy/h{n}", "s", seconds=1, rate=8000, text="words") for n in range(3)],
    ("rate", "fast"): [row(f"toy/f{n}", "s", seconds=1, rate=8000, text="words") for n in range(12)],
}
counts = st.integers(0, 12)


@settings(max_examples=30)
@given(counts, counts, counts, st.binary(min_size=32, max_size=32))
def test_as_many_as_asked_for(identical: int, level: int, silence: int, key: bytes) -> None:
    section = ControlsSection(identical=identical, level=level, silence=silence)
    findings = Findings()
    made = list(controls(section, GOOD, TEMPLATES, key=key, seed=1, findings=findings))
    assert not len(findings)
    found = Counter(pair.variant for pair in made)
    assert (found["identical"], found["level"], found["silence"]) == (identical, level, silence)
    assert all(pair.criterion == "style" for pair in made if pair.variant != "silence")
    of_silence = Counter(pair.criterion for pair in made if pair.variant == "silence")
    assert abs(of_silence["style"] - of_silence["rate"]) <= 1
    first = Counter(pair.gold for pair in made if pair.variant == "silence")
    assert abs(first["first"] - first["second"]) <= 1
    assert all(pair.variant not in pair.asked for pair in made)
    assert len({(pair.variant, str(pair.first.row["utterance"]), pair.target) for pair in made}) == len(made)


def test_too_few_clips_are_named() -> None:
    findings = Findings()
    section = ControlsSection(identical=20, silence=5)
    made = list(
        controls(section, {("rate", "fast"): GOOD["rate", "fast"][:2]}, TEMPLATES, key=b"", seed=1, findings=findings)
    )
    assert {finding.id: finding.found for finding in findings} == {"identical": "no clip", "silence rate": "2"}
    assert len(made) == 2


def test_which_clip_is_first_does_not_follow_from_the_criterion() -> None:
    golds = set()
    for number in range(16):
        made = list(
            controls(ControlsSection(silence=2), GOOD, TEMPLATES, key=bytes([number]) * 32, seed=1, findings=Findings())
        )
        golds |= {(pair.criterion, pair.gold) for pair in made}
    assert golds == {(criterion, gold) for criterion in ("rate", "style") for gold in ("first", "second")}
