"""The paper mode of SpeechEQ: votes against plain counting, and the authors' own verdicts on their own predictions."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from tests.scoring.dialogues.slow_dialogues import OneDialogue, option
from tests.scoring.dialogues.studies import Said, Study, decisions_of, perfect, release_of, studies
from tests.support.dialogue_releases import Spoken, some_dialogues

from earmark.manifests.report import MetricEntry
from earmark.scoring.decisions import Outcome
from earmark.scoring.measuring import Options
from earmark.scoring.papers import PAPERS, apply_paper

FEW = Options(resamples=20)
Entries = dict[tuple[str, str], MetricEntry]


def entries_of(study: Study) -> Entries:
    found = apply_paper("speecheq", release_of(study), decisions_of(study), [], FEW)
    assert {entry.slice for entry in found} == {PAPERS["speecheq"].slice}
    assert all(entry.p is None and (entry.value is not None or entry.reason) for entry in found)
    return {(entry.metric, entry.facet): entry for entry in found}


def vote(one: OneDialogue, turn: int) -> bool:
    """Whether more than half of the answers that were given are right."""
    chosen = [option(each, said) for each in one.asked[turn] for said in one.said[each.id]]
    return 2 * chosen.count(one.dialogue.gold[turn]) > len(chosen)


def swaps(one: OneDialogue) -> list[bool]:
    """Of the turns whose second run is in the other order than their first, whether both have one verdict."""
    found = []
    for turn in (0, 1):
        rows = [(said.run, each.order, option(each, said)) for each in one.asked[turn] for said in one.said[each.id]]
        runs = sorted({run for run, *_ in rows})[:2]
        answers = [[row for row in rows if row[0] == run] for run in runs]
        orders = [{order for _, order, _ in those} for those in answers]
        if len(runs) == 2 and sorted(map(sorted, orders)) == [["12"], ["21"]]:
            found.append(len({chosen == one.dialogue.gold[turn] for those in answers for *_, chosen in those}) == 1)
    return found


@settings(max_examples=20)
@given(studies())
def test_votes_and_swaps_are_counted(study: Study) -> None:
    entries = entries_of(study)
    every = [OneDialogue(n, study) for n in range(len(study.dialogues))]
    for facet in {"overall", *(dialogue.facet for dialogue in study.dialogues)}:
        here = [one for one in every if facet in ("overall", one.dialogue.facet)]
        votes = [(vote(one, 0), vote(one, 1)) for one in here]
        count = Counter(votes)
        right = {
            "acc_1": count[True, True] + count[True, False],
            "acc_2": count[True, True] + count[False, True],
            "acc_traj": count[True, True],
        }
        assert {metric: entries[metric, facet].value for metric in right} == pytest.approx(
            {metric: value / len(here) for metric, value in right.items()}
        )
        alike = [verdict for one in here for verdict in swaps(one)]
        assert entries["swap_consistency", facet].value == (pytest.approx(sum(alike) / len(alike)) if alike else None)


def test_seq_is_that_of_the_voted_trajectories() -> None:
    study = Study(some_dialogues(20), "unlinked").saying(lambda s, each, run: perfect(s, each, run) if run else "1", 3)
    entries = entries_of(study)
    assert entries["acc_traj", "overall"].value == 1
    assert entries["seq", "overall"].value == 160
    assert {facet for metric, facet in entries if metric == "seq"} == {"overall"}


def read_study(file: Path) -> tuple[Study, list[dict[str, object]]]:
    """The authors' predictions as a study: the high option is stored first, and the order of a run is where it was."""
    responses = json.loads(file.read_bytes())["responses"]
    study = Study(tuple(Spoken(row["subscale_slug"], ("first", "first")) for row in responses), "unlinked")
    ids = {(each.dialogue, each.turn, each.order): each.id for each in study.presented}
    said = []
    for n, row in enumerate(responses):
        for turn, name in enumerate(("sentence_4", "sentence_6")):
            for run, answer in enumerate(row[name]["individual_results"]):
                order = "12" if answer["high_eq_option"] == "option1" else "21"
                choice = {"option1": "1", "option2": "2"}.get(answer["selected_option"], "-")
                outcome = Outcome.OK if choice != "-" else Outcome.UNPARSABLE
                said.append(Said(ids[n, turn, order], run, choice, outcome))
    return replace(study, said=tuple(said)), responses


@pytest.mark.parametrize(
    ("name", "swap", "right"),  # as measured, and the counts behind Table 4
    [
        ("gpt-audio-1.5", (8, 21), (7, 9, 3)),
        ("qwen2.5-omni-7b_001", (13, 30), (7, 5, 2)),
        ("qwen3-omni-30b-a3b-instruct_001_ser_raw_llm", (25, 30), (9, 7, 5)),
    ],
)
def test_the_authors_predictions_have_the_authors_verdicts(
    shared_data: Path, name: str, swap: tuple[int, int], right: tuple[int, int, int]
) -> None:
    study, responses = read_study(shared_data / "speecheq_predictions" / f"{name}.json")
    entries = entries_of(study)
    assert entries["swap_consistency", "overall"].value == pytest.approx(swap[0] / swap[1])
    for n, row in enumerate(responses):
        one = OneDialogue(n, study)
        theirs = [row[name]["correct"] for name in ("sentence_4", "sentence_6")]  # type: ignore[index]  # JSON
        assert [vote(one, 0), vote(one, 1)] == theirs
    shares = [entries[metric, "overall"].value for metric in ("acc_1", "acc_2", "acc_traj")]
    assert shares == pytest.approx([count / 15 for count in right])
