"""The page and the tables of a comparison: whole, needing nothing else, and saying what the numbers say."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest
from tests.pages.whole_pages import check_headings_and_links, check_needs_nothing_else, rows_of, section, words

from earmark.manifests.comparison import (
    BOOTSTRAP,
    SIGN_FLIP,
    AgreementEntry,
    CellEntry,
    Comparison,
    DifferenceEntry,
    FigureEntry,
    GatheredEntry,
    GroupsEntry,
    JudgeEntry,
    MatchedEntry,
    PairEntry,
    StandingEntry,
)
from earmark.manifests.report import OVERALL, IntervalEntry, UseEntry
from earmark.pages.cells import csv_text, latex_text, markdown_text
from earmark.pages.comparison_page import MOST_PAIRS, comparison_html, floor_note, in_words
from earmark.pages.comparison_tables import comparison_tables
from earmark.pages.formats import metric_label, number

HOSTILE = "=cmd|<script>alert(1)</script>\"'> &amp; {{ 7*7 }} \u202e\x00"
COUNTS = {OVERALL: {"owed": 10, "ok": 9}, "S0": {"owed": 10, "ok": 9}}


def interval(value: float) -> tuple[IntervalEntry, ...]:
    return (
        IntervalEntry(by="speaker", clusters=30, method="percentile", level=0.95, low=value - 0.1, high=value + 0.1),
    )


def judge(name: str, modality: str = "audio", access: str | None = None) -> JudgeEntry:
    return JudgeEntry(
        name=name,
        file=f"{name}.jsonl",
        file_hash="sha256:0",
        protocol=f"both-orders-{modality}",
        modality=modality,
        access=access,
        architecture=None,
        judge={"name": name},
        counts=COUNTS,
    )


def figure(name: str, metric: str, facet: str, value: float | None) -> FigureEntry:
    return FigureEntry(
        judge=name,
        metric=metric,
        facet=facet,
        value=value,
        unit="1",
        n=10,
        coverage=0.9,
        reason=None if value is not None else "no rows",
        intervals=() if value is None else interval(value),
    )


def difference(first: str, second: str, metric: str, facet: str, value: float, p: float) -> DifferenceEntry:
    return DifferenceEntry(
        first=first,
        second=second,
        metric=metric,
        facet=facet,
        value=value,
        unit="1",
        first_value=0.5 + value,
        second_value=0.5,
        first_n=10,
        second_n=10,
        first_coverage=0.9,
        second_coverage=1.0,
        p=p,
        test=BOOTSTRAP if metric == "auroc" else SIGN_FLIP,
        units=None if metric == "auroc" else 30,
        p_adjusted=min(1.0, 3 * p),
        intervals=interval(value),
        cell=CellEntry(both=3, first_only=4, second_only=1, neither=2, p=0.375) if facet == "S0" else None,
    )


def comparison(*names: str, hostile: str = "wren") -> Comparison:
    """Three judges that hear and one that reads, the third one's name being anything."""
    heard = ("owl", "lark", hostile, *names)
    places = [(metric, facet) for metric in ("balanced_accuracy", "auroc") for facet in (OVERALL, "S0")]
    everybody = (*heard, "reader")
    differences = tuple(
        difference(one, other, metric, facet, 0.1 * (n - m), 0.001 if n - m > 1 else 0.03)
        for m, one in enumerate(everybody)
        for n, other in enumerate(everybody)
        if m < n
        for metric, facet in places
    )
    figures = tuple(
        figure(name, metric, facet, 0.9 - 0.1 * n if name != "reader" or facet == OVERALL else None)
        for n, name in enumerate(everybody)
        for metric, facet in places
    )
    groups = tuple(
        GroupsEntry(
            modality="audio",
            metric=metric,
            facet=facet,
            judges=heard,
            letters=("a", "ab", *("b" for _ in heard[2:])),
            groups=(heard[:2], heard[1:]),
        )
        for metric, facet in places
    )
    standing = StandingEntry(
        judge="owl",
        modality="audio",
        metric="auroc",
        facets=1,
        low=0.5,
        low_facet="S0",
        high=0.5,
        high_facet="S0",
        best=1,
    )
    return Comparison(
        signature={"resamples": 2000, "release": "tiny@1.0.0"},
        headline="balanced_accuracy",
        leading=("balanced_accuracy", "auroc"),
        facets={"S0": "Warmth"},
        label_source="Labels are made up.",
        judges=(
            *(judge(name, access="commercial" if name == "owl" else None) for name in heard),
            judge("reader", "transcript"),
        ),
        pairs=tuple(
            PairEntry(first=one, second=other, items=5, ranked=other != "reader")
            for m, one in enumerate(everybody)
            for other in everybody[m + 1 :]
        ),
        figures=figures,
        differences=differences,
        groups=groups,
        standings=(standing,),
        agreements=(
            AgreementEntry(modality="audio", first="balanced_accuracy", second="auroc", judges=3, tau=1.0),
            AgreementEntry(
                modality="transcript", first="balanced_accuracy", second="auroc", judges=1, tau=None, reason="too few"
            ),
        ),
        gathered=(
            GatheredEntry(
                by="access",
                kind="commercial",
                modality="audio",
                metric="balanced_accuracy",
                judges=1,
                mean=0.9,
                best=0.9,
                best_judge="owl",
            ),
        ),
        matched=MatchedEntry(
            items=5,
            kept=3,
            lost={"owl": 0, hostile: 2},
            with_group=0,
            figures=figures[:2],
            differences=tuple(replace(one, value=0.05) for one in differences[:2]),
        ),
    )


def page_of(one: Comparison) -> ET.Element:
    text = comparison_html(one, title="tiny 1.0.0: judges compared", glossary={"auroc": "What it is."})
    check_needs_nothing_else(text)
    root = ET.fromstring(text.partition("\n")[2])  # noqa: S314 - our own page
    check_headings_and_links(root)
    return root


def test_the_page_says_who_differs() -> None:
    found = comparison()
    root = page_of(found)
    assert in_words(found) == "In balanced accuracy over all facets 3 of 6 pairs of judges differ (adjusted p < 0.05)."
    assert in_words(found) in words(root)
    matrices = [one for one in root.iter("table") if one.get("class") == "matrix"]
    assert len(matrices) == 2
    rows = rows_of(matrices[0])
    assert rows[0] == ["owl", "", "+0.100 △ higher, not after Holm’s method", "+0.200 ▲ higher", "+0.300 ▲ higher"]
    assert rows[2][1] == "−0.200 ▼ lower"
    matched = rows_of(section(root, "matched"))
    assert matched[0][:4] == ["owl − lark", "balanced accuracy", "all facets", "+0.050"]
    assert matched[0][6] == "+0.100"
    assert "3 of the 5 items that all owe are kept. Without a valid answer by wren 2." in words(root)
    assert "What is" not in words(section(root, "judges"))
    assert "no ranking mixes them" in words(section(root, "judges"))
    assert "One judge alone has no ranking." in words(section(root, "judges"))
    assert "4 : 1" in words(section(root, "differences"))


def test_what_figures_may_be_used_for_stands_on_the_page() -> None:
    use = UseEntry("For comparing judges.", HOSTILE)
    text = comparison_html(comparison(), title="two", limits="Words recur.", use=use)
    root = ET.fromstring(text.partition("\n")[2])  # noqa: S314 - our own page
    about = section(root, "about")
    assert [words(title) for title in about.iter("h3")] == ["Intended use", "Out of scope", "Limits"]
    assert "For comparing judges." in words(about)
    assert "<script>alert(1)</script>" in words(about)
    assert not list(root.iter("script"))


def test_hostile_names_stay_text() -> None:
    root = page_of(comparison(hostile=HOSTILE))
    assert not list(root.iter("script"))
    assert "\u202e" not in words(root)
    assert "<script>alert(1)</script>" in words(root)
    for table in comparison_tables(comparison(hostile=HOSTILE)):
        rows = list(csv.reader(io.StringIO(csv_text(table))))
        assert {len(row) for row in rows} == {len(table.head)}
        assert not [cell for row in rows for cell in row if re.match(r"\s*[=+@|%]|-[^\d]", cell)]
        assert "\\{\\{" in latex_text(table) or HOSTILE not in str(table.rows)
        lines = markdown_text(table).splitlines()[2:]
        assert {len(re.findall(r"(?<!\\)\|", line)) for line in lines} == {len(table.head) + 1}


def test_two_tables_are_spelled_as_papers_have_them() -> None:
    found = comparison()
    tables = {table.name: table for table in comparison_tables(found)}
    for name, table in tables.items():
        if name not in ("overview", "by_facet"):
            continue
        assert [row[0] for row in table.rows] == [judge.name for judge in found.judges]
        for row in table.rows:
            for head, cell in zip(table.head[2:], row[2:], strict=True):
                wanted = [
                    entry
                    for entry in found.figures
                    if entry.judge == row[0]
                    and head
                    == (
                        metric_label(entry.metric) if name == "overview" else found.facets.get(entry.facet, entry.facet)
                    )
                    and (entry.facet == "overall") == (name == "overview")
                    and (name == "overview" or entry.metric == found.headline)
                ]
                [entry] = wanted
                assert str(cell).startswith(number(entry.value, entry.unit))
                assert len(re.findall(r"\[", str(cell))) == min(1, len(entry.intervals))
    letters = {
        (judge, letters)
        for entry in found.groups
        if (entry.metric, entry.facet) == (found.headline, "overall")
        for judge, letters in zip(entry.judges, entry.letters, strict=True)
    }
    overview = tables["overview"]
    place = overview.head.index(metric_label(found.headline))
    assert letters
    assert letters <= {(str(row[0]), str(row[place]).rpartition(" ")[2]) for row in overview.rows}


def test_tables_have_every_number() -> None:
    found = comparison()
    tables = {table.name: table for table in comparison_tables(found)}
    assert set(tables) == {
        "agreements",
        "by_facet",
        "cells",
        "differences",
        "figures",
        "groups",
        "judges",
        "kinds",
        "matched",
        "matched_figures",
        "overview",
        "standings",
    }
    assert len(tables["differences"].rows) == len(found.differences)
    assert len(tables["groups"].rows) == 3 * len(found.groups)
    read = list(csv.DictReader(io.StringIO(csv_text(tables["differences"]))))
    for row, entry in zip(read, found.differences, strict=True):
        assert (row["first"], row["metric"], row["test"]) == (entry.first, entry.metric, entry.test)
        assert float(row["difference"]) == pytest.approx(entry.value, rel=1e-5)
        assert float(row["low"]) == pytest.approx(entry.intervals[0].low, rel=1e-5)
    [first, *_] = list(csv.DictReader(io.StringIO(csv_text(tables["matched"]))))
    assert (first["matched_difference"], first["difference"]) == ("0.05", "0.1")
    undefined = [row for row in csv.DictReader(io.StringIO(csv_text(tables["figures"]))) if not row["value"]]
    assert {row["reason"] for row in undefined} == {"no rows"}
    assert "matched" not in {table.name for table in comparison_tables(replace(found, matched=None))}


def test_too_few_replicates_are_said() -> None:
    found = comparison()
    assert floor_note(found) == ""
    few = floor_note(replace(found, signature={"resamples": 200}))
    assert "With 200 replicates no bootstrap p" in few
    assert "of AUROC nothing shows" in few
    assert "It takes more than 240 replicates." in few


def test_many_judges_are_drawn_in_part_and_counted_whole() -> None:
    root = page_of(replace(comparison(*(f"j{n}" for n in range(6))), signature={"resamples": 100}))
    assert "With 100 replicates no bootstrap p" in words(root)
    assert "Only differences from owl are drawn, 9 of 45; the matrix has all." in words(root)
    assert MOST_PAIRS < 45
    matrices = [one for one in root.iter("table") if one.get("class") == "matrix"]
    assert [len(rows_of(one)) for one in matrices] == [10, 10]


def test_a_long_matrix_keeps_its_heads_in_sight_and_its_drawings_tell_names_apart() -> None:
    def tall(root: ET.Element) -> int:
        return sum((one.get("class") or "").split() == ["scroll", "tall"] for one in root.iter("div"))

    assert tall(page_of(comparison())) == 0
    many = [f"Synthetic-Audio-Judge-{n:02d}" for n in range(12)]
    root = page_of(comparison(*many))
    assert tall(root) == 2  # one for each metric
    drawn = " ".join("".join(one.itertext()) for one in root.iter("{http://www.w3.org/2000/svg}text"))
    assert all(f"…{name[-6:]}" in drawn or f"…{name[-2:]}" in drawn for name in many)
