"""The tables that follow: their rows are the figures, spelt out."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.scoring.papers.parapair.printed import TABLES, conflicting, sizes

from earmark.scoring.papers.parapair.derived import counts_section, effect_section, sections, verdicts_section
from earmark.scoring.papers.parapair.tables import Sizes


def test_every_section_is_rectangular_and_has_a_note() -> None:
    for section in sections():
        assert {len(row) for row in section.rows} == {len(section.head)}
        assert section.note
        assert max(section.right) < len(section.head)


def test_counts_are_said_where_a_figure_is_printed() -> None:
    rows = {row[:2]: row[2:] for row in counts_section(sizes()).rows}
    assert rows["Human", "style"] == ("257 of 300", "129 of 150", "128 of 150", "129 of 150", "128 of 150")
    assert rows["Gemini 2.5 Flash", "rate"] == ("667 of 750", "-", "-", "-", "-")
    assert len(rows) == 30


def test_style_is_told_for_all_non_ties_and_emphasis_only_bounded() -> None:
    style, emphasis = (effect_section(sizes(), criterion) for criterion in ("style", "emphasis"))
    assert dict(zip(style.head, style.rows[-1], strict=True)) == {
        "judge": "Qwen2.5-Omni-7B",
        "printed": "+11.7",
        "within, at least": "-58.4",
        "within, at most": "+25.4",
        "same, if all 362": "44.6",
        "cross, if all 362": "63.5",
        "within, if all 362": "-18.9",
    }
    assert "226 to 362 of the 362 pairs" in style.note
    assert "People's digits suggest that all are" in style.note
    assert len(emphasis.head) == 4
    assert "no effect of the words is established" in emphasis.note


def test_people_whose_digits_differ_suggest_nothing() -> None:
    place = ("Human", "style", "same")
    cells = tuple(replace(cell, tenths=853) if cell.place == place else cell for cell in TABLES.cells)
    changed = Sizes(replace(TABLES, cells=cells), sizes().same)
    assert "People's digits" not in effect_section(changed, "style").note


def test_no_division_is_said_and_not_raised() -> None:
    section = effect_section(conflicting(), "style")
    assert section.rows == ()
    assert "no division" in section.note


def test_the_verdicts_that_do_not_last_are_counted() -> None:
    section = verdicts_section(sizes())
    assert len(section.rows) == 9
    assert section.note.startswith("Of 102 cells 69 above, 21 below, 12 not significant; 85 are of models")


@pytest.mark.parametrize("criterion", ["style", "emphasis"])
def test_printed_gaps_are_those_of_table_4(criterion: str) -> None:
    for row in effect_section(sizes(), criterion).rows:
        same, cross = (TABLES.by_place[row[0], criterion, part].tenths for part in ("same", "cross"))
        assert row[1] == f"{(same - cross) / 10:+.1f}"
