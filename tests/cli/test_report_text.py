"""What a build reports, for people: nothing of it is lost but the rows of long tables."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from earmark.cli.report_text import MOST_ROWS, report_text
from earmark.manifests.canonical import Json

_NAMES = st.text("abc_", min_size=1, max_size=4)
_FACTS = st.none() | st.booleans() | st.integers(0, 99) | st.floats(0, 1) | st.text("xyz", min_size=1, max_size=3)
_RECORDS = st.lists(st.dictionaries(_NAMES, _FACTS, min_size=1, max_size=3), max_size=MOST_ROWS)
_REPORTS = st.dictionaries(
    _NAMES,
    st.recursive(
        _FACTS | _RECORDS | st.lists(_FACTS, max_size=3), lambda inner: st.dictionaries(_NAMES, inner, max_size=3)
    ),
    max_size=5,
)


def test_facts_are_aligned_lines_and_the_facts_of_a_section_are_one() -> None:
    report: dict[str, Json] = {
        "conversations": 6,
        "sample": {"method": "hash", "share": 0.25, "floor_applied": True, "seed": None, "left": 1 / 3},
        "labels": ["a", "b"],
        "nothing": {},
        "none_of_them": [],
    }
    assert report_text(report).splitlines() == [
        "conversations  6",
        "sample         method hash, share 25 %, floor applied yes, seed —, left 0.3333",
        "labels         a, b",
        "nothing        none",
        "none of them   none",
    ]


def test_records_are_a_table_whose_numbers_stand_right() -> None:
    rows: list[Json] = [
        {"role": "Warm", "taken": 10, "effective_share": 0.5, "whole": False},
        {"role": "Cold", "taken": 9, "effective_share": None},
    ]
    assert report_text({"sample": {"roles": rows}}).splitlines() == [
        "sample roles",
        "  role  taken  effective share  whole",
        "  Warm     10             50 %     no",
        "  Cold      9                —      —",
    ]


def test_records_in_mappings_are_a_table_with_their_names_before_them() -> None:
    counted: dict[str, Json] = {"n": 1, "seconds": 2.5}
    report: dict[str, Json] = {"drops": {"single": {"tail_short": counted}, "interaction": {"no_switch": counted}}}
    assert report_text(report).splitlines() == [
        "drops",
        "                           n  seconds",
        "  single       tail short  1      2.5",
        "  interaction  no switch   1      2.5",
    ]


def test_records_at_several_depths_are_one_table() -> None:
    report: dict[str, Json] = {"drops": {"a": {"n": 1}, "b": {"c": {"n": 2}}}}
    assert report_text(report).splitlines()[2:] == ["  a     1", "  b  c  2"]


def test_a_long_table_is_told_by_its_size() -> None:
    rows: list[Json] = [{"n": n} for n in range(MOST_ROWS + 1)]
    assert report_text({"roles": rows}) == f"roles: {MOST_ROWS + 1} rows, which --json prints"
    assert len(report_text({"roles": rows[1:]}).splitlines()) == MOST_ROWS + 2


@given(_REPORTS)
def test_every_report_can_be_shown_with_all_its_names(report: dict[str, Json]) -> None:
    text = report_text(report)
    for name in report:
        assert name.replace("_", " ").strip() in text
