"""Sound: nuisances in standard deviations, and paces that are not heard."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.true_sizes import ears, row

from earmark.builders.pairs.columns import Columns
from earmark.builders.pairs.sound import DEFAULTS, NUISANCES, measures, standardised, unheard_paces
from earmark.manifests.families.pairs import CRITERIA
from earmark.manifests.findings import Findings

values = st.lists(st.floats(0.1, 60).map(lambda value: round(value, 2)) | st.none(), min_size=1, max_size=12)


def paced(*clips: tuple[str, float], speaker: str = "s") -> Columns:
    rows = [
        row(f"toy/{speaker}{n}", speaker, seconds=seconds, rate=1000, text="words", pace=pace)
        for n, (pace, seconds) in enumerate(clips)
    ]
    return Columns(rows, measures(rows, [None] * len(rows)))


def unheard(columns: Columns) -> tuple[list[int], Findings]:
    findings = Findings()
    everything = np.ones(len(columns), dtype=np.bool_)
    return np.flatnonzero(unheard_paces(columns, "rate", everything, findings)).tolist(), findings


@settings(max_examples=40)
@given(values)
def test_a_nuisance_is_in_standard_deviations_of_those_that_have_it(loudness: list[float | None]) -> None:
    rows = [row(f"toy/{n:02}", "s", seconds=1, rate=8000, text="words") for n in range(len(loudness))]
    columns = Columns(rows, measures(rows, [{"loudness": value} for value in loudness]))
    everything = np.ones(len(rows), dtype=np.bool_)
    names, table = standardised(columns, everything, ("loudness", "seconds"))
    known = [value for value in loudness if value is not None]
    if len(known) < 2 or np.ptp(known) <= 1e-7:
        assert names == ()
        assert table.shape == (len(rows), 0)
        return
    assert names == ("loudness",)
    assert np.isnan(table[:, 0]).tolist() == [value is None for value in loudness]
    assert abs(np.nanmean(table)) < 1e-6
    assert abs(np.nanstd(table) - 1) < 1e-6


def test_silence_around_speech_is_no_speech() -> None:
    columns = paced(("regular", 10.0), ("fast", 11.0))
    assert unheard(columns)[0] == [1]
    rows = columns.rows
    quiet = Columns(rows, measures(rows, [{"lead": 0.5, "trail": 0.1}, {"lead": 1.0, "trail": 1.0}]))
    assert unheard(quiet)[0] == []


def test_a_pace_is_held_against_the_regular_clip_of_its_speaker_and_text() -> None:
    assert unheard(paced(("regular", 10), ("fast", 9), ("slow", 11)))[0] == []
    found, findings = unheard(paced(("regular", 10), ("fast", 10), ("slow", 9)))
    assert found == [1, 2]
    assert findings.counts == {"pairs.label-unheard": 2}
    assert unheard(paced(("fast", 10), ("slow", 9)))[0] == [0, 1]
    assert unheard(paced(("fast", 10)))[0] == []
    assert unheard(paced(("regular", 10), ("regular", 12), ("fast", 11)))[0] == [2]
    assert unheard(paced(("slow", 9), ("regular", 10)))[0] == [0]


def test_the_real_numbers_have_their_paces() -> None:
    rows = ears()
    assert unheard(Columns(rows, measures(rows, [None] * len(rows))))[0] == []


def test_no_other_criterion_has_paces() -> None:
    columns = paced(("regular", 10), ("fast", 12))
    assert not unheard_paces(columns, "style", np.ones(2, dtype=np.bool_), Findings()).any()


def test_every_criterion_has_nuisances_that_exist_and_are_not_its_label() -> None:
    assert set(DEFAULTS) == set(CRITERIA)
    assert all(set(names) <= set(NUISANCES) for names in DEFAULTS.values())
    assert "seconds" not in DEFAULTS["rate"]
    assert not {"loudness", "f0_median"} & set(DEFAULTS["style"])
    assert not {"age", "f0_median"} & set(DEFAULTS["age"])
    assert "f0_median" not in DEFAULTS["gender"]
