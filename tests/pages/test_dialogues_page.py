"""The page of a synthesis: every figure stands in it, it needs nothing else, and strangers' names do no harm."""

from __future__ import annotations

from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest
from tests.pages.samples import parsed
from tests.pages.whole_pages import check_headings_and_links, check_needs_nothing_else, rows_of, section, words

from earmark.manifests.report import IntervalEntry, MetricEntry
from earmark.pages.dialogues_page import FEW_DIALOGUES, MOST_ROWS, dialogues_html
from earmark.pages.dialogues_record import (
    NO_CONTRAST,
    UNSPOKEN,
    VOICED,
    DialoguesRecord,
    FateRow,
    GateDimension,
    RatePair,
    RemadeRow,
    RuleRow,
    SignRow,
)

HOSTILE = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)> &amp; {{ 7*7 }} \u202e\x00\ud800"


def share(value: float | None, low: float, high: float, chance: float | None = None) -> MetricEntry:
    interval = IntervalEntry(by="dialogue", clusters=30, method="percentile", level=0.95, low=low, high=high)
    reason = "no rows" if value is None else None
    return MetricEntry(
        metric="accuracy", facet="x", value=value, n=60, chance=chance, p=0.25, reason=reason, intervals=(interval,)
    )


REMADE = RemadeRow("boxes-1", 4, "dissonant", 0, 2.5, None, "nearer-to-neutral")
RECORD = DialoguesRecord(
    name="toy-tones",
    speaker="tones, tones 1",
    words=(("heard by", "parrot 1"), ("limit", "0.25")),
    profile="default",
    pass_at=4.0,
    most=3,
    fates={
        "subscale": (FateRow("Empathy", {VOICED: 20, NO_CONTRAST: 2}), FateRow("Optimism", {VOICED: 9, UNSPOKEN: 1})),
        "valence": (FateRow("Conflict", {VOICED: 29, NO_CONTRAST: 2, UNSPOKEN: 1}),),
    },
    clips=1234,
    used=232,
    first_points=(8.0, 3.5, None, 4.0),
    best_points=(8.0, 4.0, None, 4.0),
    regenerations={0: 2, 1: 1, 3: 1},
    dimensions=(
        GateDimension("pitch", "f0", "share", ((0.05, 1.0), (0.1, 2.0)), (0.01, 0.07, None, 0.2)),
        GateDimension("level", "level", "dB", ((1.3, 0.5), (2.1, 1.0)), (0.5, 1.5, 3.0, 2.0)),
    ),
    rates={"voice": (RatePair("alto", share(0.5, 0.4, 0.6), share(0.75, 0.6, 0.9)),), "failure": ()},
    remade=(REMADE, replace(REMADE, points=None, rejected="unspoken: silent", reason="missing")),
    reasons={"missing": "the option has no clip that can be used", "nearer-to-neutral": "it moved less"},
    dropped=(("boxes-2", "turn 6 has no contrast after 5 clips"),),
    signs=(SignRow("louder", 10, 15, 4), SignRow("higher", 14, 15, 0)),
    with_a_choice=3,
    imbalance=(6, 5, 22),
    rules=(
        RuleRow("quieter", share(0.6, 0.5, 0.7, 0.5), share(0.3, 0.2, 0.4, 0.25)),
        RuleRow("louder", share(0.4, 0.3, 0.5, 0.5), share(0.2, 0.1, 0.3, 0.25)),
        RuleRow("probe", share(0.55, 0.45, 0.65, 0.5), share(0.27, 0.2, 0.4, 0.25)),
    ),
)


@pytest.fixture(scope="module")
def whole() -> str:
    return dialogues_html(RECORD)


@pytest.fixture(scope="module")
def root(whole: str) -> ET.Element:
    return parsed(whole)


def test_it_needs_nothing_else_and_is_the_same_each_time(whole: str) -> None:
    check_needs_nothing_else(whole)
    assert whole == dialogues_html(RECORD)


def test_headings_and_links(root: ET.Element) -> None:
    check_headings_and_links(root)


def test_the_head_adds_up(root: ET.Element) -> None:
    text = words(section(root, "release"))
    assert text.startswith("toy-tones 29of 32 dialogues voiced")
    assert "Of 4 target turns 2 passed the gate at the first attempt and 3 in the end" in text
    assert "1,234 clips were made; 232 of them stand in the release" in text
    assert "Words: heard by parrot 1; limit 0.25." in text
    assert "probe0.550[0.450, 0.650] quieter0.600" in text.replace("\xa0", " ")
    unchecked = words(section(parsed(dialogues_html(replace(RECORD, words=()))), "release"))
    assert "Words: unchecked." in unchecked


def test_each_fate_is_counted_by_each_kind_of_group(root: ET.Element) -> None:
    rows = rows_of(section(root, "fates"))
    assert ["Empathy", "22", "20", "2", "0", "0"] in rows
    assert ["Conflict", "32", "29", "2", "0", "1"] in rows
    assert ["boxes-2", "turn 6 has no contrast after 5 clips"] in rows


def test_points_and_differences_stand_in_the_tables(root: ET.Element) -> None:
    rows = rows_of(section(root, "gate"))
    first = [row for row in rows if row[0].startswith("At the first attempt") and row[1] != "0"]
    assert first == [
        ["At the first attempt: 3.5 to 4 points", "1"],
        ["At the first attempt: 4 to 4.5 points", "1"],
        ["At the first attempt: 7.5 to 8 points", "1"],
        ["At the first attempt: undefined", "1"],
    ]
    assert ["Pitch: mean F0: undefined", "1"] in rows


def test_rates_and_regenerations(root: ET.Element) -> None:
    rows = rows_of(section(root, "attempts"))
    [rate] = [row for row in rows if row[0] == "alto"]
    assert (rate[1], rate[3], rate[5]) == ("0.750", "0.500", "+0.250")
    assert rows[-3:] == [["0", "2", "50 %"], ["1", "1", "25 %"], ["3", "1", "25 %"]]


def test_signs_and_rules(root: ET.Element) -> None:
    assert ["louder (RMS level)", "29", "10", "15", "4"] in rows_of(section(root, "signs"))
    assert "Imbalance, summed over the five: 6 turns. No choice among these clips has less than 5" in words(
        section(root, "signs")
    )
    assert "Of the 58 turns 3 had more than one pair that passed" in words(section(root, "signs"))
    assert ["quieter", "0.600", "0.250", "0.300"] in rows_of(section(root, "rules"))


def test_what_was_made_again_says_why_and_is_capped(root: ET.Element) -> None:
    rows = rows_of(section(root, "remade"))
    assert rows == [
        ["boxes-1", "4", "dissonant", "0", "2.5", "nearer-to-neutral", "—"],
        ["boxes-1", "4", "dissonant", "0", "—", "missing", "unspoken: silent"],
    ]
    many = tuple(replace(REMADE, attempt=number) for number in range(MOST_ROWS + 7))
    part = section(parsed(dialogues_html(replace(RECORD, remade=many))), "remade")
    assert len(rows_of(part)) == MOST_ROWS
    assert "And 7 more" in words(part)
    assert f"{MOST_ROWS + 7} clips" in words(part)


def test_few_dialogues_are_warned_of(root: ET.Element) -> None:
    said = f"over fewer than {FEW_DIALOGUES} of them they are too narrow"
    assert said not in words(section(root, "attempts"))
    few = replace(RECORD, fates={"subscale": (FateRow("Empathy", {VOICED: FEW_DIALOGUES - 1}),)})
    assert said in words(section(parsed(dialogues_html(few)), "attempts"))


def test_a_build_in_which_nothing_came_about_has_a_page() -> None:
    nothing = replace(
        RECORD,
        fates={"subscale": (FateRow("Empathy", {UNSPOKEN: 2}),)},
        first_points=(),
        best_points=(),
        regenerations={},
        dimensions=(),
        rates={},
        remade=(),
        dropped=(),
        signs=(),
        rules=(),
    )
    text = words(parsed(dialogues_html(nothing)))
    assert "0of 2 dialogues voiced" in text
    assert "No pair was chosen." in text
    assert "None: every clip was made once." in text


def test_strangers_names_do_no_harm() -> None:
    hostile = replace(
        RECORD,
        name=HOSTILE,
        speaker=HOSTILE,
        words=((HOSTILE, HOSTILE),),
        fates={HOSTILE: (FateRow(HOSTILE, {VOICED: 1}),)},
        rates={HOSTILE: (RatePair(HOSTILE, share(0.5, 0.4, 0.6), share(None, 0.6, 0.9)),)},
        remade=(replace(REMADE, dialogue=HOSTILE, rejected=HOSTILE),),
        dropped=((HOSTILE, HOSTILE),),
    )
    page = dialogues_html(hostile)
    root = parsed(page)
    assert not [one for one in root.iter() if one.tag in {"script", "img"}]
    for letter in ("\u202e", "\x00", "\ud800"):
        assert letter not in page
