"""The page of a report: self-contained, strictly well-formed, escaped, and it leaves nothing out."""

from __future__ import annotations

import re
from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.pages.samples import (
    DIMENSIONS,
    METRICS,
    NAMES,
    findings,
    parsed,
    stance_figures,
    stance_page,
    stance_report,
    unparsed,
)
from tests.pages.whole_pages import check_headings_and_links, check_needs_nothing_else, section, tags, words

from earmark.manifests.findings import Findings
from earmark.manifests.report import BaselineEntry, IntervalEntry, MetricEntry, Report, UseEntry
from earmark.pages.report_page import MOST_EXAMPLES, MOST_REASONS, UnparsedRow, report_html

HOSTILE = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)> &amp; {{ 7*7 }} \u202e\x00\ud800"


def page(report: Report, **further: object) -> str:
    settings: dict[str, object] = {
        "title": "Report",
        "figures": (),
        "findings": None,
        "unparsed": (),
        "facet_names": NAMES,
    }
    return report_html(report, **(settings | further))  # type: ignore[arg-type]  # tests vary one at a time


@pytest.fixture(scope="module")
def whole() -> str:
    return stance_page()


@pytest.fixture(scope="module")
def root(whole: str) -> ET.Element:
    return parsed(whole)


def test_it_needs_nothing_else(whole: str) -> None:
    check_needs_nothing_else(whole)


def test_it_is_as_large_as_promised(whole: str) -> None:
    assert 100 < len(whole.encode()) / 1024 < 300
    assert len(stance_page(each=300).encode()) / 1024 < 300


def test_landmarks_headings_and_links(root: ET.Element) -> None:
    for landmark in ("header", "nav", "main", "footer", "aside"):
        assert len(list(root.iter(landmark))) == 1
    check_headings_and_links(root)


def test_every_drawing_is_described_and_tabled(root: ET.Element) -> None:
    drawings = [one for one in root.iter() if one.tag.endswith("}svg")]
    assert len(drawings) == 3 + len(DIMENSIONS)
    assert all(one.get("role") == "img" and one.get("aria-label") for one in drawings)
    for figure in root.iter("figure"):
        assert len(list(figure.iter("figcaption"))) == 1
        assert len(list(figure.iter("table"))) == 1


def test_the_headline_then_the_label_source(root: ET.Element) -> None:
    hero = section(root, "judge")
    text = words(hero)
    entry = stance_report().find("balanced_accuracy")
    assert entry is not None
    low, high = entry.intervals[0].low, entry.intervals[0].high
    assert f"qwen2.5-omni-7b gets {entry.value:.3f} in balanced accuracy over 3,708 units" in text
    assert f"95 % interval {low:.3f} to {high:.3f} by speaker (121)" in text
    assert "Chance level 0.500" in text
    assert "uessing" not in words(root)
    paragraphs = [one.get("class") for one in hero.iter("p")]
    assert paragraphs == ["big", "sentence", "source"]
    assert "not what was heard" in words(list(hero.iter("p"))[2])
    assert "louder is positive 0.611" in re.sub(r"(\D)(0\.)", r"\1 \2", text).replace("  ", " ")
    assert "no transcript in this release" in text


def test_the_headline_is_explained_where_it_stands() -> None:
    means = {"balanced_accuracy": "Mean over both poles.", "auroc": "Something else."}
    text = page(stance_report(), glossary=means)
    hero = words(section(ET.fromstring(text.replace("<!DOCTYPE html>", "", 1)), "judge"))  # noqa: S314 - our own page
    assert "balanced accuracy: Mean over both poles." in hero
    assert "Something else." not in hero


def test_every_figure_of_the_report_stands_in_a_table(root: ET.Element) -> None:
    facets = section(root, "all").findall("details")
    assert len(facets) == 1 + len(DIMENSIONS)
    for facet, details in zip(("overall", *DIMENSIONS), facets, strict=True):
        (table,) = (one.find("table") for one in details.findall("div"))
        assert table is not None
        rows = table.findall("tbody/tr")
        assert len(rows) == len(METRICS)
        heads = [words(one) for one in table.findall("thead/tr/th")]
        assert heads == [
            "metric",
            "value",
            "interval by speaker",
            "interval by prompt",
            "n",
            "chance",
            "p",
            "p adjusted",
        ]
        assert all(len(row) == len(heads) for row in rows)
        assert [words(row[1]) for row in rows[-2:]] == ["— no ratings file was given"] * 2
        assert not any("—" in words(row[1]) for row in rows[:-2])
        entry = stance_report().find("auroc", facet)
        assert entry is not None
        assert any(words(row[0]) == "AUROC" and words(row[1]) == f"{entry.value:.3f}" for row in rows)


def test_slices_stand_beneath_their_facet(root: ET.Element) -> None:
    (details,) = [
        inner
        for one in section(root, "all").findall("details")
        if words(one).startswith("S0")
        for inner in one.findall("details")
    ]
    names = [words(row[0]) for row in details.findall(".//tbody/tr")]
    assert names[:3] == ["pole:P", "pole:N", "role:Friendly"]
    assert len(names) == 10
    entry = stance_report().find("score_median", "S0", "role:Friendly")
    assert entry is not None
    assert entry.value is not None
    assert f"{abs(entry.value):.3f}" in words(details.findall(".//tbody/tr")[2][2])


def test_undefined_slices_come_last_with_their_reason() -> None:
    base = {"metric": "accuracy", "facet": "style", "n": 3}
    entries = (
        MetricEntry(**base, slice="old", value=None, reason="no items"),  # type: ignore[arg-type]  # plain keywords
        MetricEntry(**base, slice="young", value=0.5),  # type: ignore[arg-type]  # plain keywords
        MetricEntry(metric="accuracy_valid_only", facet="style", slice="young", value=0.6, n=2),
    )
    text = words(section(parsed(page(replace(stance_report(), metrics=entries))), "all"))
    assert text.index("young0.500 (n 3)") < text.index("old3— no items")
    assert "0.500 (n 3)" in text
    assert "0.600 (n 2)" in text
    assert "— no items" in text


def test_an_interval_says_what_it_is_conditional_on() -> None:
    few = IntervalEntry(
        by="conversation",
        clusters=40,
        method="percentile",
        level=0.95,
        low=0.4,
        high=0.6,
        reason="conditional on 12 speakers",
    )
    entry = MetricEntry(metric="auroc", facet="S0", value=0.5, n=40, intervals=(few,))
    text = words(section(parsed(page(replace(stance_report(), metrics=(entry,)))), "all"))
    assert "interval by conversation" in text
    assert "[0.400, 0.600] conditional on 12 speakers" in text


def test_counts_are_whole(root: ET.Element) -> None:
    rows = [[words(cell) for cell in row] for row in section(root, "coverage").findall(".//tr")]
    assert rows[0] == [
        "facet",
        "ok",
        "missing",
        "failed",
        "unparsable",
        "abstained",
        "conflicting",
        "repeated",
        "unknown",
    ]
    assert rows[1] == ["all dimensions", "3,305", "112", "133", "96", "44", "18", "12", "3"]
    assert rows[6] == ["S4 Sincerity and Honesty", "201", "80", "61", "40", "20", "10", "—", "—"]


def test_what_did_not_parse_is_grouped_by_reason_clipped_and_escaped() -> None:
    rows = [*(replace(row, reason="rare") for row in unparsed(2)), *unparsed(MOST_EXAMPLES + 4)]
    part = section(parsed(page(stance_report(), unparsed=rows)), "unparsed")
    common, rare = part.findall(".//tbody")
    assert words(common[0]) == f"no JSON object with the required keys unparsable × {MOST_EXAMPLES + 4}"
    assert words(rare[0]) == "rare unparsable × 2"
    assert (len(common), len(rare)) == (1 + MOST_EXAMPLES, 1 + 2)
    assert f"{MOST_EXAMPLES + 6} responses could not be read, for 2 reasons." in words(part)
    assert words(common[1][2]).startswith("I think the speaker is <b>warm</b>, &amp; maybe\\nnot.")
    assert words(common[2][2]).endswith("… (1,113 characters)")
    assert not list(part.iter("b"))


def test_many_reasons_are_counted_and_the_most_frequent_shown() -> None:
    rows = [replace(unparsed(1)[0], reason=f"reason {place}") for place in range(MOST_REASONS + 3)]
    part = section(parsed(page(stance_report(), unparsed=rows)), "unparsed")
    assert len(part.findall(".//tbody")) == MOST_REASONS
    assert f"for {MOST_REASONS + 3} reasons; the {MOST_REASONS} most frequent are shown" in words(part)


def alone(entry: MetricEntry, **further: object) -> Report:
    report = stance_report()
    return replace(report, headline=entry.metric, metrics=(entry,), **further)  # type: ignore[arg-type]  # plain keywords


def bar(low: float | None, high: float | None, reason: str | None = None) -> IntervalEntry:
    return IntervalEntry(by="unit", clusters=8, method="percentile", level=0.9, low=low, high=high, reason=reason)


def test_a_headline_without_an_interval_says_why() -> None:
    entry = MetricEntry(metric="auroc", facet="overall", value=0.5, n=8, intervals=(bar(None, None, "one pole"),))
    text = words(section(parsed(page(alone(entry))), "judge"))
    assert "over 8 units: no 90 % interval by unit (8), because one pole." in text
    none = words(section(parsed(page(alone(replace(entry, intervals=())))), "judge"))
    assert "over 8 units: without an interval, for the report has none." in none
    counted = words(section(parsed(page(alone(entry), counted="pairs")), "judge"))
    assert "over 8 pairs: no 90 %" in counted


@pytest.mark.parametrize(
    ("resamples", "p", "said"),
    [
        (2000, 2 / 2001, "(p ≤ 0.001)"),
        (2000, 0.0009995, "(p ≤ 0.001)"),
        (2000, 0.231, "(p = 0.231)"),
        (99, 0.02, "(p ≤ 0.020)"),
        (10000, 0.0007, "(p < 0.001)"),
        (None, 0.02, "(p = 0.020)"),
    ],
)
def test_a_p_at_its_floor_is_a_bound(resamples: int | None, p: float, said: str) -> None:
    entry = MetricEntry(metric="auroc", facet="overall", value=0.9, n=8, chance=0.5, p=p, p_adjusted=min(1, 60 * p))
    root = parsed(page(alone(entry, signature={"resamples": resamples})))
    assert f"Chance level 0.500 {said}" in words(section(root, "judge"))
    cells = [words(cell) for cell in section(root, "all").findall(".//tbody/tr/td")]
    assert cells[-2] in said
    bound = "≤" in said and 60 * p < 1
    assert cells[-1].startswith("≤") is bound


def test_the_method_is_named_once() -> None:
    entry = MetricEntry(
        metric="auroc", facet="overall", value=0.9, n=8, p=0.5, p_adjusted=0.5, intervals=(bar(0.1, 0.2),)
    )
    said = (
        "Brackets are 90 % percentile bootstrap intervals over B = 2,000 replicates; p is two-sided against the chance "
        "level, and p adjusted by Holm’s method stands beside it."
    )
    root = parsed(page(alone(entry, signature={"resamples": 2000})))
    assert said in words(section(root, "summary"))
    assert words(root).count("Holm") == 1
    bare = parsed(page(alone(replace(entry, p=None, p_adjusted=None, intervals=()))))
    assert "Brackets" not in words(section(bare, "summary"))


def test_the_callers_words_stand_where_they_belong() -> None:
    root = parsed(
        page(stance_report(), notes=["The first row is <a mean>."], about=[("licence", "CC0 <1>")], banner="Synth & co")
    )
    assert words(section(root, "summary")).endswith("The first row is <a mean>.")
    assert "licenceCC0 <1>" in words(section(root, "about"))
    sources = [words(one) for one in section(root, "judge").iter("p") if "source" in (one.get("class") or "")]
    assert sources[1] == "Synth & co"
    assert len(sources) == 2


def test_a_submitted_rule_does_not_stand_beside_itself() -> None:
    report = stance_report("always P")
    headline = report.find(report.headline)
    assert headline is not None

    def names(value: float | None) -> list[str]:
        rules = (BaselineEntry(name="always P", value=value), BaselineEntry(name="random", value=0.5))
        aside = next(parsed(page(replace(report, baselines=rules))).iter("aside"))
        return [words(item[0]) for item in aside.iter("li")]

    assert names(headline.value) == ["always P", "random", "chance"]
    assert names(0.123) == ["always P", "always P", "random", "chance"]


def test_valid_only_figures_are_left_out_only_where_each_says_the_same() -> None:
    plain = MetricEntry(metric="auroc", facet="S0", value=0.5, n=8, intervals=(bar(0.4, 0.6),))
    same = replace(plain, metric="auroc_valid_only")
    for valid, hidden in [(same, True), (replace(same, value=0.6), False), (replace(same, n=7), False)]:
        text = words(section(parsed(page(replace(stance_report(), metrics=(plain, valid)))), "all"))
        assert ("each equals its plain counterpart" in text) is hidden
        assert ("AUROC valid only" in text) is not hidden
    other = words(section(parsed(page(replace(stance_report(), metrics=(same,)))), "all"))
    assert "AUROC valid only" in other


def test_counts_in_slices_are_whole_and_intervals_say_what_they_are_by() -> None:
    entries = (
        MetricEntry(metric="units_kept", facet="S0", slice="paper:x", value=1234.0, n=8),
        MetricEntry(
            metric="auroc",
            facet="S0",
            slice="paper:x",
            value=0.5,
            n=8,
            intervals=(bar(0.4, 0.6, "conditional on 3 x"),),
        ),
    )
    text = words(section(parsed(page(replace(stance_report(), metrics=entries))), "all"))
    assert "1,2340.500 [0.400, 0.600] † by unit" in text


def test_an_unnamed_overall_row_is_all_facets() -> None:
    report = replace(stance_report(), counts={"overall": {"not_owed_rows": 1}})
    root = parsed(page(report, facet_names={}))
    assert words(section(root, "coverage").findall(".//tbody/tr")[0][0]) == "all facets"
    assert "not owed rows" in words(section(root, "coverage"))
    assert words(section(root, "all").findall("details")[0][0]) == "all facets"


def test_findings_are_listed_and_counted(root: ET.Element) -> None:
    part = section(root, "findings")
    assert "3 errors, 1 warning" in words(part)
    assert "test-pages.not-a-key × 3" in words(part)
    assert len(part.findall(".//tbody/tr")) == 4
    assert "p<script>" in words(part)


@pytest.mark.parametrize(("found", "there"), [(None, False), (Findings(), True)])
def test_no_findings_are_not_the_same_as_none_kept(found: Findings | None, there: bool) -> None:
    text = page(stance_report(), findings=found)
    assert ("No findings." in text) is there
    assert ('href="#findings"' in text) is there


def test_limits_glossary_submission_and_signature() -> None:
    text = page(stance_report(), limits="Not for people.", glossary={"auroc": "Chance that a P outscores an N."})
    root = parsed(text)
    assert "Not for people." in words(section(root, "about"))
    assert "judge.access open_weights" in re.sub(r"(access)", r"\1 ", words(section(root, "about")))
    assert "AUROCChance that a P outscores an N." in words(section(root, "all"))
    (signature,) = root.iter("pre")
    assert '"resamples": 10000' in "".join(signature.itertext())
    assert signature.get("tabindex") == "0"


def test_what_figures_may_be_used_for_stands_on_the_page() -> None:
    use = UseEntry("For comparing judges.", "No inference of anybody's traits.")
    about = section(parsed(page(replace(stance_report(), use=use), limits="Words recur.")), "about")
    titles = [words(title) for title in about.iter("h3")]
    assert titles == ["Intended use", "Out of scope", "Limits"]
    said = words(about)
    places = [said.index(text) for text in (use.intended, use.out_of_scope, "Words recur.")]
    assert places == sorted(places)
    alone = section(parsed(page(replace(stance_report(), use=UseEntry("", "Nothing else.")))), "about")
    assert [words(title) for title in alone.iter("h3")] == ["Out of scope"]
    without = section(parsed(page(replace(stance_report(), use=None), limits="Words recur.")), "about")
    assert not list(without.iter("h3"))


def hostile_report() -> Report:
    entry = MetricEntry(
        metric=HOSTILE,
        facet=HOSTILE,
        slice="all",
        value=0.5,
        unit=HOSTILE,
        n=1,
        intervals=(
            IntervalEntry(by=HOSTILE, clusters=1, method=HOSTILE, level=0.95, low=None, high=None, reason=HOSTILE),
        ),
    )
    return Report(
        signature={HOSTILE: HOSTILE},
        submission={"judge": {"name": HOSTILE, HOSTILE: [HOSTILE, 1]}, HOSTILE: True},
        label_source=HOSTILE,
        headline=HOSTILE,
        counts={HOSTILE: {HOSTILE: 1}},
        metrics=(entry, replace(entry, slice=HOSTILE), replace(entry, facet="overall", value=None, reason=HOSTILE)),
        use=UseEntry(HOSTILE, HOSTILE),
    )


def test_nothing_from_outside_becomes_markup() -> None:
    row = UnparsedRow(presentation=HOSTILE, run=0, outcome=HOSTILE, reason=HOSTILE, response=HOSTILE)
    report = hostile_report()
    text = page(
        report,
        title=HOSTILE,
        figures=[(HOSTILE, stance_figures(stance_report())[0][1])],
        findings=findings(),
        unparsed=[row],
        facet_names={HOSTILE: HOSTILE},
        limits=HOSTILE,
        notes=[HOSTILE],
        about=[(HOSTILE, HOSTILE)],
        banner=HOSTILE,
        glossary={HOSTILE: HOSTILE},
    )
    assert not {"script", "img"} & {tag for tag, _ in tags(text)}
    assert not {"script", "img"} & {one.tag for one in parsed(text).iter()}
    assert not re.search("[\u202e\x00\ud800]", text)
    assert "{{ 7*7 }}" in text
    assert text.encode("utf-8")


@settings(max_examples=30, deadline=None)
@given(st.text(max_size=300), st.text(st.characters(codec=None, categories=["C", "Z"]), max_size=30))
def test_any_name_is_a_well_formed_page(name: str, odd: str) -> None:
    report = replace(stance_report(slices=False), submission={"judge": {"name": name + odd}}, metrics=())
    text = page(report)
    assert parsed(text).tag == "html"
    assert text.encode("utf-8")


def test_a_report_with_nothing_in_it_says_so() -> None:
    empty = Report(signature={}, submission={}, label_source="", headline="acc_traj", counts={}, metrics=())
    root = parsed(page(empty))
    assert "The acc traj of unnamed judge is undefined: the report does not have it" in words(section(root, "judge"))
    assert "Every response parsed." in words(section(root, "unparsed"))
    assert "says nothing" in words(section(root, "about"))


def test_an_undefined_headline_gives_its_reason() -> None:
    null = tuple(
        replace(one, value=None, intervals=(), reason="only one pole", p=None) for one in stance_report().metrics
    )
    root = parsed(page(replace(stance_report(), metrics=null, baselines=())))
    assert "is undefined: only one pole" in words(section(root, "judge"))
    assert "undefined" in words(next(root.iter("p")))


def test_figures_beyond_shares_have_no_bars() -> None:
    def bars(value: float) -> int:
        entry = MetricEntry(metric="balanced_accuracy", facet="overall", value=value, n=2)
        return page(replace(stance_report(), metrics=(entry,))).count('class="bar"')

    assert bars(0.5) == 4
    assert bars(1.5) == 0
