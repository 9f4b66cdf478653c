"""What is no report, or none that came of marking, is a finding; whatever is in the file, nothing else happens."""

from __future__ import annotations

import copy
import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.golden import GOLDENS
from tests.support.leaderboards import outcomes, report, write, write_json

from earmark.manifests.errors import EarmarkError
from earmark.manifests.findings import Findings
from earmark.pages.leaderboard_page import leaderboard_html
from earmark.scoring.leaderboard import merge, possible, read_reports
from earmark.scoring.leaderboard.csv_table import leaderboard_csv

PLAIN: dict[str, Any] = json.loads(json.dumps(report().as_json()))


def changed(*place: str | int, to: object) -> dict[str, Any]:
    """The plain report with something else in one place; a place that is not there is made."""
    value = copy.deepcopy(PLAIN)
    inner: Any = value
    for step in place[:-1]:
        inner = inner[step]
    inner[place[-1]] = to
    return value


def codes(tmp_path: Path, value: object) -> list[str]:
    findings = Findings()
    read = read_reports([write_json(tmp_path / "report.json", value)], findings)
    assert (read == ()) == findings.failed
    return sorted(findings.counts)


def test_what_marking_writes_is_taken(tmp_path: Path) -> None:
    files = [golden.path / "report.json" for golden in GOLDENS.values()]
    findings = Findings()
    read = read_reports([*files, *write(tmp_path, report())], findings)
    assert [one.file for one in read] == [*map(str, files), str(tmp_path / "report-0")]
    assert len(findings) == 0


@pytest.mark.parametrize(
    ("place", "to", "code"),
    [
        (("metrics", 0, "value"), 1.2, "impossible"),
        (("metrics", 0, "value"), -0.1, "impossible"),
        (("metrics", 1, "value"), 7, "impossible"),
        (("metrics", 0, "n"), -1, "impossible"),
        (("metrics", 0, "n"), 0, "impossible"),
        (("metrics", 0, "p"), 1.5, "impossible"),
        (("metrics", 0, "value"), None, "impossible"),
        (("metrics", 0, "chance"), 2, "impossible"),
        (("metrics", 0, "intervals", 0, "high"), 1.7, "impossible"),
        (("metrics", 0, "intervals", 0, "low"), 0.9, "impossible"),
        (("metrics", 0, "intervals", 0, "level"), 95, "impossible"),
        (("metrics", 0, "facet"), "S0", "impossible"),  # then it stands twice, and the headline is gone
        (("baselines", 0, "value"), 1.01, "impossible"),
        (("headline",), "charm", "no-headline"),
        (("counts", "overall", "owed"), 81, "bad-counts"),
        (("counts", "overall"), outcomes(82, 78), "bad-counts"),
        (("counts", "S0", "ok"), 39, "bad-counts"),
        (("counts", "S0", "ok"), -1, "bad-counts"),
        (("counts",), {}, "bad-counts"),
        (("counts", "S1"), {}, "bad-counts"),
        (("signature", "content_hash"), "blake2b-256:0", "bad-signature"),
        (("signature", "answers_hash"), None, "bad-signature"),
        (("signature", "release"), "mini", "bad-signature"),
        (("signature", "scorer"), "mine", "bad-signature"),
        (("signature", "resamples"), True, "bad-signature"),
        (("signature", "level"), 95, "bad-signature"),
        (("signature", "norms"), {}, "bad-signature"),
        (("signature", "protocol"), "p" * 1000, "bad-signature"),
        (("submission", "judge", "access"), "free", "bad-submission"),
        (("submission", "judge", "rank"), 1, "bad-submission"),
        (("submission", "judge"), "ears", "bad-submission"),
        (("submission", "run", "serving"), 3, "bad-submission"),
        (("metrics",), {}, "no-report"),
        (("metrics", 0, "n"), 2.5, "no-report"),
        (("more",), 1, "no-report"),
    ],
    ids=str,
)
def test_what_no_marking_writes_is_found(tmp_path: Path, place: tuple[str | int, ...], to: object, code: str) -> None:
    assert f"leaderboard.{code}" in codes(tmp_path, changed(*place, to=to))


def test_a_number_that_no_file_can_hold_is_found(tmp_path: Path) -> None:
    for number in ("NaN", "Infinity", "1e999"):
        text = json.dumps(changed("metrics", 0, "value", to=77)).replace("77", number)
        (tmp_path / "report.json").write_text(text, encoding="utf-8", newline="\n")
        findings = Findings()
        assert read_reports([tmp_path], findings) == ()
        assert list(findings.counts) == ["leaderboard.no-report"]


def test_what_is_no_file_is_found_and_what_is_not_there_ends_the_run(tmp_path: Path) -> None:
    findings = Findings()
    (tmp_path / "empty").mkdir()
    assert read_reports([tmp_path / "empty"], findings) == ()
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe")
        assert read_reports([tmp_path / "pipe"], findings) == ()
    assert list(findings.counts) == ["leaderboard.no-report"]
    with pytest.raises(EarmarkError, match="is not there"):
        read_reports([tmp_path / "absent"], findings)


def test_more_facets_than_any_release_has_are_no_columns(tmp_path: Path) -> None:
    many = [{**PLAIN["metrics"][0], "facet": f"F{n}"} for n in range(1000)]
    assert codes(tmp_path, changed("metrics", to=[*PLAIN["metrics"], *many])) == ["leaderboard.bad-counts"]


@pytest.mark.parametrize("part", ["metrics", "intervals", "baselines"])
def test_more_than_any_report_has_is_not_written_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, part: str
) -> None:
    monkeypatch.setattr(possible, "_MOST_FIGURES", 100)
    monkeypatch.setattr(possible, "_MOST_RULES", 100)
    assert codes(tmp_path, PLAIN) == []
    value = copy.deepcopy(PLAIN)
    if part == "metrics":
        value["metrics"] += [{**PLAIN["metrics"][0], "metric": f"m{n}", "intervals": []} for n in range(100)]
    elif part == "intervals":
        value["metrics"][0]["intervals"] *= 100
    else:
        value["baselines"] += [{"name": f"b{n}", "value": None, "reason": "no level"} for n in range(100)]
    assert codes(tmp_path, value) == ["leaderboard.impossible"]


def test_every_problem_is_said_at_once(tmp_path: Path) -> None:
    value = changed("metrics", 0, "value", to=3)
    value["headline"], value["signature"]["seed"], value["counts"]["S0"]["ok"] = "charm", -1, 0
    found = codes(tmp_path, value)
    assert found == [f"leaderboard.{name}" for name in ("bad-counts", "bad-signature", "impossible", "no-headline")]


def places(value: object, place: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """Where something stands in a value."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [place, *(found for step, entry in inner for found in places(entry, (*place, step)))]


PLACES = places(PLAIN)[1:]
ODD = st.sampled_from(
    [
        None,
        True,
        -1,
        0,
        2**63,
        10**30,
        -1e-9,
        0.5,
        1e308,
        "",
        "=1",
        "x" * 5000,
        "\ud800",
        "\u202e\x00",
        [],
        {},
        [[]],
        {"": {}},
    ]
) | st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=4), inner, max_size=2),
    max_leaves=4,
)


CHANGES = st.lists(st.tuples(st.sampled_from(PLACES), ODD), min_size=1, max_size=3)


@settings(max_examples=12)
@given(CHANGES)
def test_whatever_a_stranger_changes_it_is_refused_or_merged(
    tmp_path_factory: pytest.TempPathFactory, changes: list[tuple[tuple[str | int, ...], object]]
) -> None:
    refused_or_merged(tmp_path_factory, changes)


@pytest.mark.slow
@settings(max_examples=1500)
@given(CHANGES)
def test_the_same_for_longer(
    tmp_path_factory: pytest.TempPathFactory, changes: list[tuple[tuple[str | int, ...], object]]
) -> None:
    refused_or_merged(tmp_path_factory, changes)


def refused_or_merged(
    tmp_path_factory: pytest.TempPathFactory, changes: list[tuple[tuple[str | int, ...], object]]
) -> None:
    folder = tmp_path_factory.mktemp("fuzzed")
    value = copy.deepcopy(PLAIN)
    for place, to in changes:
        inner: Any = value
        for step in place[:-1]:
            inner = inner[step] if isinstance(inner, (dict, list)) and step in dict(_steps(inner)) else None
        if isinstance(inner, (dict, list)) and place[-1] in dict(_steps(inner)):
            inner[place[-1]] = to  # type: ignore[index]  # its own kind of step
    findings = Findings()
    read = read_reports([write_json(folder / "a.json", value), *write(folder, report("other"))], findings)
    merged = merge(read, findings, separate=True)
    assert len(read) == 2 or findings.failed
    text = merged.text()
    assert text.isascii()
    assert json.loads(text)["format"] == 1
    if not findings.failed:
        assert leaderboard_csv(merged).count("\r\n") > 2
        assert leaderboard_html(merged).startswith("<!DOCTYPE html>")


def _steps(value: dict[str, Any] | list[Any]) -> list[tuple[Any, Any]]:
    return list(value.items() if isinstance(value, dict) else enumerate(value))
