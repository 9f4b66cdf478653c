"""What sets two submissions apart: its name and sign, paired differences by hand, and p by enumeration."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.scoring.dialogues.slow_dialogues import OneDialogue
from tests.scoring.dialogues.studies import FACETS, Study, coin, decisions_of, mistaken, perfect, studies
from tests.support.dialogue_releases import dialogue_rows, in_memory, some_dialogues

from earmark.manifests.families.dialogues import protocol_name
from earmark.manifests.report import MetricEntry
from earmark.scoring.against import Judged
from earmark.scoring.dialogues import GLOSSARY
from earmark.scoring.dialogues.contrasts import contrast, evaluate_against
from earmark.scoring.measuring import Options

FEW = Options(resamples=300)
Entries = dict[tuple[str, str], MetricEntry]


def judged(study: Study, called: str = "one", /, **judge: str) -> Judged:
    return Judged(called, {"name": "Owl", **judge}, decisions_of(study))


def asked(chain: str = "sequential-2", modality: str = "audio", count: int = 6) -> Study:
    return Study(some_dialogues(count), chain, modality=modality)


def entries_of(one: Judged, other: Judged, study: Study, *further: Study, options: Options = FEW) -> Entries:
    chains = dict.fromkeys(each.chain for each in (study, *further))
    modalities = dict.fromkeys(each.modality for each in (study, *further))
    release = in_memory(dialogue_rows(study.dialogues, tuple(chains), tuple(modalities)))
    found = evaluate_against(release, one, [other], options)
    assert {entry.slice for entry in found} == {f"against:{other.name}"}
    assert {entry.metric for entry in found} <= GLOSSARY.keys()
    return {(entry.metric, entry.facet): entry for entry in found}


@pytest.mark.parametrize(
    ("mine", "theirs", "judge", "name", "sign"),
    [
        (("sequential-2", "oracle"), ("sequential-2", "audio"), {}, "modality_gap", 1),
        (("sequential-2", "audio-text-history"), ("sequential-2", "oracle"), {}, "modality_gap", -1),
        (("direct", "audio"), ("sequential-4", "audio"), {}, "direct_minus_sequential", 1),
        (("sequential-2", "audio"), ("direct", "audio"), {}, "direct_minus_sequential", -1),
        (("direct", "audio"), ("direct", "audio"), {"persona": "Deficit"}, "persona_contrast", 1),
        (("direct", "audio"), ("direct", "audio"), {}, "difference", 1),
        (("direct", "audio"), ("direct", "audio"), {"name": "Lark"}, "difference", 1),
        (("direct", "audio"), ("direct", "audio"), {"persona": "Deficit", "revision": "2"}, "difference", 1),
        (("direct", "oracle"), ("sequential-2", "audio"), {}, "difference", 1),
        (("direct", "oracle"), ("direct", "audio"), {"persona": "Deficit"}, "difference", 1),
        (("sequential-2", "audio"), ("sequential-4", "audio"), {}, "difference", 1),
        (("direct", "audio"), ("unlinked", "audio"), {}, "difference", 1),
        (("direct", "transcript"), ("direct", "audio"), {}, "difference", 1),
    ],
)
def test_a_contrast_is_named_by_what_differs(
    mine: tuple[str, str], theirs: tuple[str, str], judge: dict[str, str], name: str, sign: int
) -> None:
    this, other = judged(asked(*mine)), judged(asked(*theirs), **judge)
    assert this.decisions.owed.protocol == protocol_name(*mine)
    found = contrast(this, other)
    assert (found.name, found.sign) == (name, sign)


@settings(max_examples=12)
@given(studies(least=2, chains=("sequential-2", "direct")), st.data())
def test_differences_are_paired_by_dialogue(study: Study, data: st.DataObject) -> None:
    one = study
    other = Study(study.dialogues, data.draw(st.sampled_from(["sequential-2", "sequential-4"]))).saying(coin, runs=2)
    found = entries_of(judged(one), judged(other, "two", name="Lark"), one, other)
    mine, theirs = ([OneDialogue(n, each) for n in range(len(study.dialogues))] for each in (one, other))
    for facet in {"overall", *(dialogue.facet for dialogue in study.dialogues)}:
        here = [n for n, each in enumerate(study.dialogues) if facet in ("overall", each.facet)]
        gaps = [float(mine[n].paths()[0] - theirs[n].paths()[0]) for n in here]
        entry = found["difference_acc_traj", facet]
        assert entry.value == pytest.approx(np.mean(gaps))
        assert found["other_acc_1", facet].value == pytest.approx(
            float(np.mean([float(theirs[n].right(0)) for n in here]))
        )
        extremes = [abs(np.dot(signs, gaps)) >= abs(sum(gaps)) - 1e-9 for signs in product((-1, 1), repeat=len(gaps))]
        assert entry.p == pytest.approx(np.mean(extremes))
        assert (entry.n, entry.chance) == (len(here), None)
        assert (entry.p_adjusted is None) == (facet == "overall")


def test_signs_and_the_observed_disagreement() -> None:
    hears, reads = asked(count=40).saying(coin), asked(modality="oracle", count=40).saying(perfect)
    gap = entries_of(judged(hears), judged(reads, "two"), hears, reads)
    back = entries_of(judged(reads), judged(hears, "two"), reads, hears)
    assert (gap["modality_gap_acc_traj", "overall"].value or 0) > 0.5
    assert gap["modality_gap_acc_traj", "overall"] == back["modality_gap_acc_traj", "overall"]
    assert gap["other_acc_traj", "overall"].value == 1
    assert 0 < (gap["detectable_difference", "overall"].value or 0) < 0.5
    same = entries_of(judged(hears), judged(hears, "two", persona="twin"), hears)
    assert same["persona_contrast_acc_traj", "overall"].value == 0
    assert same["persona_contrast_acc_traj", "overall"].p == 1
    assert same["detectable_difference", "overall"].reason == "no dialogue would have one of them right alone"


def test_an_interval_of_a_difference_is_of_pairs_and_not_of_two_samples() -> None:
    """Two judges that are wrong together differ by the same everywhere, however much each scatters."""
    dialogues = asked(count=60)
    one = dialogues.saying(lambda s, each, run: (perfect if each.dialogue % 2 else mistaken)(s, each, run))
    found = entries_of(judged(one), judged(one, "two", persona="p"), one)["persona_contrast_acc_1", "overall"]
    assert [(interval.low, interval.high) for interval in found.intervals] == [(0, 0)]
    assert set(FACETS) <= {facet for _, facet in entries_of(judged(one), judged(one, "two"), one)}
