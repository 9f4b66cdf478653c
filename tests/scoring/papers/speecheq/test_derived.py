"""The tables that follow: their figures are those of the counts, and what must be known to read them is said."""

from __future__ import annotations

from earmark.scoring.norms import shipped_norm
from earmark.scoring.papers.records import Section
from earmark.scoring.papers.speecheq.derived import sections
from earmark.scoring.papers.speecheq.printed import printed_figures

FOUND = sections()


def section(beginning: str) -> Section:
    return next(one for one in FOUND if one.title.startswith(beginning))


def test_every_table_is_whole() -> None:
    assert len(FOUND) == 6
    for one in FOUND:
        assert one.rows
        assert {len(row) for row in one.rows} == {len(one.head)}
        assert all(0 <= at < len(one.head) for at in one.right)


def test_the_norm_is_named_by_its_id_and_ten_rows_lie_within_half_a_hundredth() -> None:
    one = section("SEQ against the norm")
    assert shipped_norm().id in one.title
    apart = [abs(float(row[-1])) for row in one.rows]
    assert len(apart) == 11
    assert max(apart) < 0.005
    assert "40 is out of reach" in one.note
    assert "without it Qwen3-Omni-30B would have 137.54" in one.note


def test_both_caveats_of_the_ranks_are_printed() -> None:
    note = section("Spearman").note
    assert "the order reverses" in note
    assert "the printed one is the best (0.943; the others 0.714 to 0.886)" in note
    assert "people blind" in note


def test_two_personas_have_a_seq_that_is_not_printed() -> None:
    rows = {row[0]: row for row in section("SEQ of Qwen3").rows}
    assert [name for name, row in rows.items() if row[-1] == "-"] == ["Interpersonal", "Decision Making"]
    assert (rows["Interpersonal"][2], rows["Decision Making"][2]) == ("95.84", "92.16")
    assert all(row[2] == row[3] for row in rows.values() if row[3] != "-")
    assert "1,776 of 2,264, which is 0.784; Table 3 prints 0.785" in section("SEQ of Qwen3").note


def test_counts_that_are_not_single_stand_as_a_range() -> None:
    rows = {row[:2]: row[3] for row in section("Counts").rows}
    assert rows["Table 2, experts", "semantic relevance"] == "139-140"
    assert rows["Table 2, experts", "audio quality"] == "147"
    assert rows["Table 1, Qwen3-30B", "Acc2"] == "2,265"


def test_printed_figures_of_eleven_rows() -> None:
    assert len(printed_figures()) == 44
    best = [one.low for one in printed_figures() if one.judge == "Qwen3-Omni-30B"]
    assert best == [0.785, 0.708, 0.583, 147.26]
