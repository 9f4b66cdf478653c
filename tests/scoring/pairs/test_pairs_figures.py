"""Figures of pairs against a slow twin in plain Python, scikit-learn and what must hold of any judge."""

from __future__ import annotations

import pytest
from tests.scoring.pairs.studies import Pair, Study, decisions_of, release_of, right_letter

from earmark.scoring.measuring import Options
from earmark.scoring.pairs import GLOSSARY, evaluate, headline

CLIPS = ((0, 0), (1, 0))


def test_a_perfect_judge_is_right_everywhere() -> None:
    pairs = [
        Pair("style", CLIPS, gold, "non_tie" if gold != "tie" else "both_bad") for gold in ("first", "second", "tie")
    ]
    study = Study(tuple(pairs)).saying(lambda pair, order, _: right_letter(pair, order))
    entries = evaluate(release_of(study), decisions_of(study), Options(resamples=20))
    found = {entry.metric: entry.value for entry in entries if (entry.facet, entry.slice) == ("style", "all")}
    assert found["accuracy"] == found["consistency"] == found["consistent_accuracy"] == found["tie_f1"] == 1
    assert found["letter_stickiness"] == found["position_gap"] == found["failure_rate"] == 0
    assert {entry.metric for entry in entries} <= GLOSSARY.keys()
    assert headline(release_of(study), decisions_of(study)) == pytest.approx(1)
