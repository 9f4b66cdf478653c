"""Report and page of a synthesis against a recount from the rows of its attempts."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping

import numpy as np
import pytest
from tests.builders.dialogues.tones import CALM, HARSH, Sound, ToneVoice, dialogues, spoken
from tests.pages.samples import parsed

from earmark.builders.contrast.profile import check_profile, shipped
from earmark.builders.dialogues.makers import Cell, Commission, LineToSpeak
from earmark.builders.dialogues.records import TARGET_TURNS
from earmark.builders.dialogues.voiced import Voiced
from earmark.builders.dialogues.voicing.page import PAGE
from earmark.builders.dialogues.voicing.report import MACHINE
from earmark.manifests.attempts import ATTEMPTS, CONTEXT, DISSONANT, OPTIONS, RESONANT, WRITTEN
from earmark.manifests.canonical import Json
from earmark.manifests.findings import Findings
from earmark.pages.dialogues_record import FATES
from earmark.validation.schemas import check_table

pytest.importorskip("parselmouth")
pytest.importorskip("pyloudnorm")

DIALOGUES = 6


def plan(line: LineToSpeak) -> Sound | str:
    """Either option may be the harsh one; some turns take two attempts, one is never spoken, and one never passes."""
    number = int(line.dialogue[-1])
    if line.option == CONTEXT:
        return CALM
    if (number, line.turn) == (4, 6):
        return CALM
    if (number, line.turn, line.option) == (5, 4, RESONANT):
        return "refused"
    harsh = DISSONANT if (number + line.turn // 2) % 3 else RESONANT
    if (number, line.turn) == (2, 4) and line.attempt == 0:
        return CALM
    return HARSH if line.option == harsh else CALM


@pytest.fixture(scope="module")
def voiced(tmp_path_factory: pytest.TempPathFactory) -> Voiced:
    asked = [Commission("boxes-9", Cell("interpersonal_empathy", "Positive", "workplace"))]
    return spoken(
        dialogues(DIALOGUES), ToneVoice(plan), tmp_path_factory.mktemp("clips"), asked=asked, most=1, with_pages=True
    )


def section(voiced: Voiced, *names: str) -> Mapping[str, Json]:
    found: object = voiced.report
    for name in names:
        assert isinstance(found, Mapping)
        found = found[name]
    assert isinstance(found, Mapping)
    return found


def used(voiced: Voiced, name: str, turn: int, option: str) -> Mapping[str, object]:
    [row] = [
        row
        for row in voiced.attempts
        if row["used"] and (row["dialogue"], row["turn"], row["option"]) == (name, turn, option)
    ]
    return row


def test_counts_add_up(voiced: Voiced) -> None:
    assert section(voiced, "dialogues") == {"asked": 1, "written": 6, "voiced": 4, "discarded": 2}
    attempts = section(voiced, "attempts")
    assert attempts["clips"] == len(voiced.attempts)
    assert attempts["used"] == 8 * 4 == sum(bool(row["used"]) for row in voiced.attempts)
    assert attempts["rejected"] == {"unspoken": 2}
    remade = Counter(str(row["remade"]) for row in voiced.attempts if row["remade"])
    assert attempts["made again"] == remade
    gate = section(voiced, "gate")
    assert (gate["turns"], gate["passed at the first attempt"]) == (12, 9)
    # The one that was made again passed as soon as one of its options was harsh.
    assert gate["passed in the end"] == 10
    assert sum(int(str(count)) for count in section(voiced, "gate", "turns by regenerations").values()) == 12


def test_pass_rates_are_those_of_the_rows(voiced: Voiced) -> None:
    pass_at = shipped("default").pass_at
    passed: dict[tuple[object, object], bool] = {}
    for row in voiced.attempts:
        if row["option"] in OPTIONS:
            points = row["points"]
            key = row["dialogue"], row["turn"]
            passed[key] = passed.get(key, False) or (isinstance(points, float) and points >= pass_at)
    valences = {row["dialogue"]: row["valence"] for row in voiced.attempts}
    rates = rows(section(voiced, "pass rates")["valence"])
    assert [row["valence"] for row in rates] == sorted({str(value) for value in valences.values()})
    for row in rates:
        mine = [value for (name, _), value in passed.items() if valences[name] == row["valence"]]
        assert (row["turns"], row["in the end"]) == (len(mine), pytest.approx(np.mean(mine)))
    assert [row["voice"] for row in rows(section(voiced, "pass rates")["voice"])] == ["high", "higher"]


def rows(value: object) -> list[Mapping[str, Json]]:
    assert isinstance(value, list)
    return value


def _plain(rates: object) -> Mapping[str, Json]:
    assert isinstance(rates, Mapping)
    return rates


def test_signs_and_rules_are_those_of_the_clips_that_stand_in_the_release(voiced: Voiced) -> None:
    turns = [(one.name, turn) for one in voiced.dialogues for turn in TARGET_TURNS]
    for sign, measure, rule in (
        ("louder", "level", "louder"),
        ("higher", "f0", "higher"),
        ("longer", "seconds", "longer"),
    ):
        above = [
            np.sign(
                float(str(used(voiced, *turn, RESONANT)[measure])) - float(str(used(voiced, *turn, DISSONANT)[measure]))
            )
            for turn in turns
        ]
        [counted] = [row for row in rows(voiced.report["signs"]) if row["sign"] == sign]
        assert (counted["resonant"], counted["dissonant"]) == (above.count(1), above.count(-1))
        [found] = [row for row in rows(voiced.report["shortcuts"]) if row["rule"] == rule]
        assert found["turns"] == pytest.approx(np.mean([(value + 1) / 2 for value in above]))
    assert len(rows(voiced.report["shortcuts"])) == 9


def test_rows_fit_their_tables(voiced: Voiced) -> None:
    for table, rows in ((ATTEMPTS, voiced.attempts), (WRITTEN, voiced.dropped)):
        made = table.from_rows(rows)
        assert made.num_rows == len(rows) > 0
        assert check_table(table, made, Findings(strict=True))
        assert sorted(made.to_pylist(), key=str) == sorted(rows, key=str), "a row was rounded when it was stored"
    record = json.loads(str(voiced.dropped[0]["record"]))
    assert record["name"] == voiced.dropped[0]["dialogue"]


def test_the_page_and_the_file_for_machines_say_the_same(voiced: Voiced) -> None:
    assert json.loads(voiced.pages[MACHINE])["summary"] == json.loads(json.dumps(voiced.report))
    text = " ".join("".join(parsed(voiced.pages[PAGE]).itertext()).split())
    assert "4of 7 dialogues voiced" in text
    assert "Of 12 target turns 9 passed the gate at the first attempt and 10 in the end" in text
    for row in voiced.dropped:
        assert str(row["dropped"]) in text
    # One was given up for want of contrast, one for want of a clip, and one was never written.
    assert all(means in text for means in FATES.values())
    gate = _plain(json.loads(json.dumps(voiced.recipe["gate"])))
    assert (gate["most"], check_profile(_plain(gate["profile"]))) == (1, shipped("default"))
