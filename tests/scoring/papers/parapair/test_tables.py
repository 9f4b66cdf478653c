"""The printed figures, typed once more and against another copy of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.scoring.papers.parapair.printed import PARTS, TABLES

from earmark.manifests.families.pairs import CRITERIA, CROSS, NON_TIE, SAME, TIE
from earmark.manifests.report import ALL, OVERALL
from earmark.scoring.papers.parapair.tables import TABLES_TOML, Sizes, read_tables


def test_table_1_adds_up() -> None:
    assert list(TABLES.non_tie) == list(TABLES.tie) == list(CRITERIA)
    assert (sum(TABLES.non_tie.values()), sum(TABLES.tie.values())) == (2760, 2415)
    assert [TABLES.pairs("Kimi-Audio-7B", criterion, ALL) for criterion in CRITERIA] == [1440, 375, 860, 1500, 1000]
    assert [TABLES.pairs("Human", criterion, NON_TIE) for criterion in CRITERIA] == [25, 50, 25, 25, 25]


def test_the_tables_have_108_figures_of_six_rows() -> None:
    assert [sum(cell.table == table for cell in TABLES.cells) for table in (2, 3, 4)] == [36, 48, 24]
    assert len(TABLES.by_place) == 108
    assert TABLES.judges[0] == TABLES.humans == "Human"
    assert len(TABLES.models) == 5


def test_first_and_last_row_of_every_table() -> None:
    def row(judge: str, *places: tuple[str, str]) -> list[str]:
        return [TABLES.by_place[judge, criterion, part].text for criterion, part in places]

    table_2 = [*((criterion, ALL) for criterion in CRITERIA), (OVERALL, ALL)]
    assert row("Human", *table_2) == ["85.7", "91.0", "85.7", "52.7", "80.7", "79.2"]
    assert row("Qwen2.5-Omni-7B", *table_2) == ["35.8", "61.9", "36.7", "38.1", "47.4", "44.0"]
    table_3 = [(c, part) for c in ("style", "emphasis", "age", "gender") for part in (NON_TIE, TIE)]
    assert row("Human", *table_3) == ["86.0", "85.3", "95.3", "76.0", "66.7", "38.7", "86.0", "75.3"]
    assert row("Qwen2.5-Omni-7B", *table_3) == ["54.0", "17.6", "65.1", "10.2", "38.0", "38.2", "39.9", "54.9"]
    table_4 = [(criterion, part) for criterion in ("style", "emphasis") for part in (SAME, CROSS)]
    assert row("Human", *table_4) == ["86.0", "85.3", "87.3", "84.0"]
    assert row("Qwen2.5-Omni-7B", *table_4) == ["44.6", "32.9", "39.2", "34.0"]


def test_the_tables_are_those_of_another_copy(shared_data: Path) -> None:
    other = json.loads((shared_data / "parapair" / "parapair_tables.json").read_text(encoding="utf-8"))
    names = {OVERALL: "Avg"} | {criterion: criterion.title() for criterion in CRITERIA}
    part_names = {part: name for name, part in PARTS.items()}
    for cell in TABLES.cells:
        name, part = names[cell.criterion], part_names[cell.part]
        if cell.table == 2:
            printed = other["table2_overall"][cell.judge][name]
        elif cell.table == 3:
            printed = other["table3_nt_t"][cell.judge][name][part]
        else:
            printed = other["table4_same_cross"][name][part][cell.judge]
        assert float(cell.text) == printed, cell
    for part, counts in ((TIE, TABLES.tie), (NON_TIE, TABLES.non_tie)):
        assert {names[criterion]: count for criterion, count in counts.items()} == other["table1"][part]


def test_sizes_of_parts_of_people_and_models() -> None:
    sizes = Sizes(TABLES, {"style": 362, "emphasis": 445})
    assert sizes.pairs("Human", "style", CROSS) == 25
    assert sizes.answers("Human", "style", CROSS) == 150
    assert sizes.answers("Human", "rate", ALL) == 300
    assert sizes.pairs("GPT-4o Audio", "style", CROSS) == 1078
    assert sizes.answers("GPT-4o Audio", "emphasis", SAME) == 890


def test_a_figure_of_two_decimals_is_refused() -> None:
    with pytest.raises(ValueError, match=r"table 2 has 48\.55 for Gemini 2\.5 Flash, style"):
        read_tables(TABLES_TOML.replace("style = 48.5,", "style = 48.55,"))
