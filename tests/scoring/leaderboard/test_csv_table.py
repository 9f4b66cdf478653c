"""The flat table: a row for each figure, and nothing in it that a spreadsheet would compute."""

from __future__ import annotations

import csv
import io
from dataclasses import replace

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.scoring.leaderboard.test_merging import merged
from tests.support.leaderboards import report

from earmark.manifests.report import UseEntry
from earmark.scoring.leaderboard import csv_table
from earmark.scoring.leaderboard.csv_table import COLUMNS, harmless, leaderboard_csv

NUMBERS = {"value", "chance", "p", "p_adjusted", "interval_low", "interval_high"}
FORMULA = set("=+-@\t\r\n＝＋－＠")
ANY = st.text(st.sampled_from("=+-@\t\r\n\"', ;|aA1\u202e\x00\x1b＝\u00a0")) | st.text(max_size=20)


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text, newline="")))


@settings(max_examples=25)
@given(ANY, ANY, ANY)
@example("=cmd|' /C calc'!A0", "\t=1", " @SUM(1)")
@example('"=1', "＝1", "x" * 10_000)
def test_no_cell_of_a_stranger_is_a_formula(name: str, persona: str, reason: str) -> None:
    board, _ = merged(report(name, judge={"persona": persona, "decoding": {reason: reason}}))
    text = leaderboard_csv(board)
    assert text.endswith("\r\n")
    read = rows(text)
    assert len(read) == 6 + 2
    for row in read:
        assert None not in row.values()
        for column, cell in row.items():
            if column not in NUMBERS:
                assert cell[:1] not in FORMULA
                assert cell.lstrip(' \u00a0"')[:1] not in FORMULA
                assert cell.isprintable()
                assert len(cell) < 1100


@pytest.mark.parametrize("text", ["plain", "-", "a=b", "Qwen/Qwen2-Audio", "", "'"])
def test_what_is_harmless_stays_as_it_is(text: str) -> None:
    assert harmless(text) == (text if text != "-" else "'-")


def test_what_cannot_be_seen_is_not_spelt_ten_times_as_long() -> None:
    assert harmless("\U000e0001" * 4000).endswith("… (4,000 characters)")
    assert len(harmless("\U000e0001" * 4000)) < 1100
    assert harmless("\u0651" * 1000) == "\u0651" * 1000


def test_what_is_said_of_a_judge_is_spelt_once_for_all_of_its_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    spelt: list[str] = []

    def noted(text: str, most: int) -> str:
        spelt.append(text)
        return text[:most]

    monkeypatch.setattr(csv_table, "shown", noted)
    board, _ = merged(report("ears", judge={"persona": "patient"}), report("eyes", judge={"persona": "hasty"}))
    assert {row["persona"] for row in rows(leaderboard_csv(board))} == {"patient", "hasty", ""}
    assert spelt.count("patient") == spelt.count("hasty") == 1


def test_every_row_is_complete_in_itself() -> None:
    board, _ = merged(report("a", 2 / 3, judge={"access": "commercial"}), report("b", None))
    read = rows(leaderboard_csv(board))
    assert tuple(read[0]) == COLUMNS
    assert {(row["release"], row["protocol"], row["modality"]) for row in read} == {
        ("mini@1.0.0", "both-orders", "audio")
    }
    headlines = {row["judge"]: row for row in read if row["is_headline"] == "yes"}
    assert set(headlines) == {"a", "b", "uniform", "louder"}
    assert (headlines["a"]["value"], headlines["a"]["interval_low"], headlines["a"]["owed"]) == (
        "0.666667",
        "0.566667",
        "80",
    )
    assert (headlines["b"]["value"], headlines["b"]["reason"]) == ("", "one pole is absent")
    assert (headlines["louder"]["kind"], headlines["louder"]["reason"]) == ("rule", "no level")
    assert (headlines["a"]["access"], headlines["b"]["access"]) == ("commercial", "")


def test_what_figures_are_not_for_stands_in_every_row() -> None:
    use = UseEntry("For judges.", "No hiring, and no \u202ediagnosis. Parts were played.")
    board, _ = merged(replace(report("ears"), use=use), report("eyes"))
    read = rows(leaderboard_csv(board))
    assert {row["kind"] for row in read} == {"judge", "rule"}
    assert {row["use"] for row in read} == {harmless("Out of scope: No hiring, and no \\u202ediagnosis.")}
    board, _ = merged(report("ears"))
    assert {row["use"] for row in rows(leaderboard_csv(board))} == {""}
