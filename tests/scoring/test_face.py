"""`check` and `score`: one file against one release, and the report that comes of it."""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.tiny import write_tiny_release

import earmark
from earmark.manifests.errors import EarmarkError, PrivateSideMissing, ReleaseError, UnknownName
from earmark.manifests.families.stance import STANCE
from earmark.manifests.findings import Findings
from earmark.manifests.hashes import content_hash, file_hash
from earmark.manifests.release import Release, open_release
from earmark.manifests.report import EFFICIENCY, read_report
from earmark.scoring.baselines import Baseline, uniform, write_predictions
from earmark.scoring.decisions import owed_presentations
from earmark.scoring.face import check, score, write_report
from earmark.scoring.guesses import guessed
from earmark.scoring.measuring import Options
from earmark.scoring.stance import headline
from earmark.scoring.stance.baselines import BASELINES, coin

QUICK = Options(resamples=100)
Line = dict[str, object]


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Release:
    """Two dimensions of 24 items each, 24 speakers, both modalities."""
    return write_tiny_release(tmp_path_factory.mktemp("releases") / "tiny", items=48, facets=2, transcripts=True)


@pytest.fixture
def public(release: Release, tmp_path: Path) -> Release:
    """The same without its private side."""
    shutil.copytree(release.path, tmp_path / "public")
    shutil.rmtree(tmp_path / "public" / "private")
    return open_release(tmp_path / "public")


def hearing(release: Release, protocol: str | None = None) -> list[Line]:
    """A judge that hears the stance in most items, unsure in some."""
    gold = {row["item_id"]: row["gold"] for row in release.table("answers").to_pylist()}
    owed = owed_presentations(release, release.protocol(protocol))
    lines: list[Line] = []
    for n, (id, item) in enumerate(zip(owed.ids, owed.item, strict=True)):
        right = n % 5 > 0
        choice = gold[item] if right else {"P": "N", "N": "P"}[gold[item]]
        lines.append({"presentation_id": id, "choice": choice, "probability": [0.6, 0.75, 0.9, 1.0][n % 4]})
    return lines


def write(path: Path, lines: list[Line], **header: object) -> Path:
    head: list[Line] = [{"earmark": header}] if header else []
    path.write_text("".join(json.dumps(line) + "\n" for line in [*head, *lines]), encoding="utf-8")
    return path


def test_a_report_has_the_schema_that_is_promised(release: Release, tmp_path: Path) -> None:
    judge = {"name": "somebody", "access": "open_weights"}
    scored = score(release, write(tmp_path / "f.jsonl", hearing(release), judge=judge), options=QUICK)
    assert scored.findings.counts == {}
    write_report(release, scored, tmp_path / "out")
    report = json.loads((tmp_path / "out" / "report.json").read_bytes())
    assert list(report) == sorted(report)
    assert {"signature", "submission", "counts", "metrics", "baselines"} <= report.keys()
    assert report["signature"] == {
        "release": "tiny@1.0.0",
        "content_hash": release.manifest.content_hash,
        "answers_hash": release.manifest.answers_hash,
        "family": "stance",
        "protocol": "both-orders",
        "scorer": f"earmark {earmark.__version__}",
        "resamples": 100,
        "seed": 0,
        "level": 0.95,
        "paper": None,
        "paper_beside": [],
    }
    assert report["submission"]["judge"] == judge
    assert report["label_source"] == STANCE.label_source
    assert report["use"] == {"intended": STANCE.intended_use, "out_of_scope": STANCE.out_of_scope}
    fields = {"metric", "facet", "slice", "value", "unit", "n", "chance", "p", "p_adjusted", "reason", "intervals"}
    of_interval = {"by", "clusters", "method", "level", "low", "high", "reason"}
    for row in report["metrics"]:
        assert row.keys() == fields
        assert (row["value"] is None) == (row["reason"] is not None)
        assert len(row["intervals"]) == (0 if row["slice"] == EFFICIENCY else 2)
        for interval in row["intervals"]:
            assert interval.keys() == of_interval
            assert (interval["low"] is None) == (interval["high"] is None)
            assert interval["low"] is not None or interval["reason"]
    names = [(row["metric"], row["facet"], row["slice"]) for row in report["metrics"]]
    assert len(set(names)) == len(names)
    assert {row["facet"] for row in report["metrics"]} == {"S0", "S1", "overall"}
    assert (report["headline"], "overall", "all") in names
    for number in re.findall(rb"[\d.]+(?:e-?\d+)?", (tmp_path / "out" / "report.json").read_bytes()):
        assert len(number.split(b"e")[0].replace(b".", b"").lstrip(b"0")) <= 6 or b"." not in number
    assert read_report(tmp_path / "out" / "report.json").as_json() == scored.report.as_json()


def test_equal_input_is_equal_bytes(release: Release, tmp_path: Path) -> None:
    lines = hearing(release)
    pages = []
    for n, rows in enumerate((lines, lines, lines[::-1])):
        write_report(release, score(release, write(tmp_path / "f.jsonl", rows), options=QUICK), tmp_path / f"out{n}")
        pages.append([(tmp_path / f"out{n}" / name).read_bytes() for name in ("report.json", "report.html")])
    assert pages[0] == pages[1]
    assert pages[2] == pages[0]
    assert b"\r" not in b"".join(pages[0])


def test_the_seed_moves_intervals_and_no_value(release: Release, tmp_path: Path) -> None:
    file = write(tmp_path / "f.jsonl", hearing(release))
    one, other = (score(release, file, options=replace(QUICK, seed=seed)).report for seed in (0, 1))
    assert [m.value for m in one.metrics] == [m.value for m in other.metrics]
    assert [m.intervals for m in one.metrics] != [m.intervals for m in other.metrics]
    assert score(release, file).report.signature["resamples"] == 2000


def test_the_page_is_well_formed_and_needs_no_network(release: Release, tmp_path: Path) -> None:
    lines = hearing(release)
    owed = [str(line["presentation_id"]) for line in lines]
    lines[0] = {"presentation_id": owed[0], "response": "<b>I & you</b> cannot say"}
    lines[1] = {"presentation_id": owed[1], "response": '{"choice": "None"}'}
    lines[2] = {"presentation_id": owed[2], "status": "failed"}
    scored = score(release, write(tmp_path / "f.jsonl", lines[:-1]), options=QUICK)
    assert [(row.presentation, row.response) for row in scored.decisions.unparsed] == [
        (owed[0], "<b>I & you</b> cannot say"),
        (owed[1], '{"choice": "None"}'),
    ]
    path = write_report(release, scored, tmp_path / "deep" / "out")
    text = path.read_text(encoding="utf-8")
    root = ET.fromstring(text.replace("<!DOCTYPE html>", "", 1))  # noqa: S314 - our own page
    shown = " ".join(" ".join(root.itertext()).split())
    for words in ("<b>I & you</b> cannot say", "choice is 'None', not one of P, N", STANCE.label_source, STANCE.limits):
        assert words in shown
    for name in [rule.name for rule in BASELINES]:
        assert name in shown
    assert "submission.missing" in shown
    assert not re.search(r"<(script|link|iframe|img)\b", text)
    assert not [link for link in re.findall(r"(?:href|src)=[\"']([^\"']+)", text) if not link.startswith("#")]
    assert "url(http" not in text
    assert scored.report.counts["overall"] == {
        "owed": 96,
        "ok": 92,
        "abstained": 0,
        "failed": 1,
        "unparsable": 2,
        "conflicting": 0,
        "missing": 1,
        "repeated_rows": 0,
        "unknown_rows": 0,
        "not_owed_rows": 0,
    }


def test_baselines_stand_beside_the_headline(release: Release, tmp_path: Path) -> None:
    report = score(release, write(tmp_path / "f.jsonl", hearing(release)), options=QUICK).report
    by_name = {entry.name: entry for entry in report.baselines}
    assert list(by_name) == ["uniform", "coin", "always P", "always N", "louder is positive"]
    assert by_name["always P"].value == by_name["always N"].value == 0.5
    assert by_name["uniform"].value is not None
    assert abs(by_name["uniform"].value - 0.5) < 0.3
    assert by_name["louder is positive"].value is not None  # the tiny release has levels
    for rule in BASELINES:
        assert (
            write_predictions(rule, release, owed_presentations(release, release.protocol()), tmp_path / "b.jsonl")
            is None
        )
        headline = score(release, tmp_path / "b.jsonl", options=QUICK).report.find("balanced_accuracy")
        assert headline is not None
        assert headline.value == pytest.approx(by_name[rule.name].value)


def test_uniform_is_at_chance_where_there_is_much_to_answer(tmp_path: Path) -> None:
    release = write_tiny_release(tmp_path / "r", items=1200)
    owed = owed_presentations(release, release.protocol())
    value = headline(release, guessed(owed, uniform(release, owed), ("P", "N")))
    assert value == pytest.approx(0.5, abs=0.06)  # four standard errors of 1,200 units


def test_a_coin_is_below_chance_since_a_tie_of_orders_is_wrong(tmp_path: Path) -> None:
    release = write_tiny_release(tmp_path / "r", items=1200)
    owed = owed_presentations(release, release.protocol())
    value = headline(release, guessed(owed, coin(release, owed), ("P", "N")))
    assert value == pytest.approx(0.25, abs=0.05)  # four standard errors of 1,200 units


def test_a_baseline_that_cannot_answer_is_null_with_a_reason(
    release: Release, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from earmark.scoring import stance

    monkeypatch.setattr(stance, "BASELINES", (Baseline("deaf", "…", lambda *_: "it has no ears"), *BASELINES))
    first, second, *_ = score(release, write(tmp_path / "f.jsonl", hearing(release)), options=QUICK).report.baselines
    assert (first.name, first.value, first.reason) == ("deaf", None, "it has no ears")
    assert (second.name, second.reason) == ("uniform", None)


def test_check_needs_no_private_side_and_does_not_look_at_it(release: Release, public: Release, tmp_path: Path) -> None:
    lines = hearing(release)
    lines[0]["choice"] = "None"
    lines[1] |= {"presentation_id": "p" + "a" * 26}
    file = write(tmp_path / "f.jsonl", lines)
    told = check(public, file)
    assert told.counts == {"submission.missing": 1, "submission.unknown-id": 1, "submission.unknown-value": 1}
    assert told.as_json() == check(release, file).as_json() == score(release, file, options=QUICK).findings.as_json()
    with pytest.raises(PrivateSideMissing):
        score(public, file, options=QUICK)


def test_answers_of_another_release_are_refused(release: Release, tmp_path: Path) -> None:
    shutil.copytree(release.path, tmp_path / "mixed")
    other = write_tiny_release(tmp_path / "other", items=4)
    shutil.copy(other.file("answers"), tmp_path / "mixed" / "private" / "answers.parquet")
    file = write(tmp_path / "f.jsonl", hearing(release))
    with pytest.raises(ReleaseError, match="table answers at hand is not that of"):
        score(open_release(tmp_path / "mixed"), file, options=QUICK)


def test_answers_without_a_column_are_damaged(release: Release, tmp_path: Path) -> None:
    shutil.copytree(release.path, tmp_path / "broken")
    path = tmp_path / "broken" / "private" / "answers.parquet"
    table = pq.read_table(path).drop_columns(["gold"])
    pq.write_table(table, path)
    with pytest.raises(ReleaseError, match=r"table answers of .* is damaged"):
        score(open_release(tmp_path / "broken"), write(tmp_path / "f.jsonl", hearing(release)), options=QUICK)


@pytest.mark.parametrize("name", ["items", "item_clips", "presentations", "sources"])
def test_a_release_that_was_altered_is_not_marked_on(release: Release, tmp_path: Path, name: str) -> None:
    shutil.copytree(release.path, tmp_path / "altered")
    altered = open_release(tmp_path / "altered")
    table = pq.read_table(altered.file(name))
    pq.write_table(table.slice(1), altered.file(name))
    with pytest.raises(ReleaseError, match=f"table {name} at hand is not that of"):
        score(altered, write(tmp_path / "f.jsonl", hearing(release)), options=QUICK)
    pq.write_table(table, altered.file(name), compression="none")  # other bytes that say the same
    assert score(altered, write(tmp_path / "f.jsonl", hearing(release)), options=QUICK).findings.exit_code == 0


def test_a_file_that_is_not_there_gets_no_marks(release: Release, tmp_path: Path) -> None:
    with pytest.raises(EarmarkError, match="no such file"):
        score(release, tmp_path / "nowhere.jsonl", options=QUICK)


def test_the_protocol_is_the_one_asked_for_else_the_file_s_else_the_first(release: Release, tmp_path: Path) -> None:
    words = "both-orders-transcript"
    bare = write(tmp_path / "bare.jsonl", hearing(release, words))
    said = write(tmp_path / "said.jsonl", hearing(release, words), protocol=words)

    def protocol(file: Path, **asked: str) -> tuple[object, dict[str, int]]:
        scored = score(release, file, options=QUICK, **asked)  # type: ignore[arg-type]  # the protocol or nothing
        return scored.report.signature["protocol"], scored.findings.counts

    assert protocol(bare) == ("both-orders", {"submission.missing": 96, "submission.not-owed": 96})
    assert protocol(bare, protocol=words) == (words, {})
    assert protocol(said) == (words, {})
    assert protocol(said, protocol="both-orders")[0] == "both-orders"
    with pytest.raises(UnknownName, match="no protocol named 'one-order'"):
        check(release, said, protocol="one-order")


def test_a_protocol_that_is_not_offered_is_a_finding(release: Release, tmp_path: Path) -> None:
    file = write(tmp_path / "f.jsonl", hearing(release), protocol="both-order", release="large")
    findings = check(release, file)
    assert findings.counts == {"submission.other-protocol": 1, "submission.other-release": 1}
    [protocol, other] = list(findings)
    assert (protocol.row, protocol.column, protocol.found) == (1, "protocol", "both-order")
    assert protocol.expected is not None
    assert protocol.expected.startswith("did you mean both-orders")
    assert (other.column, other.found, other.expected) == ("release", "large", "tiny@1.0.0")
    assert score(release, file, options=QUICK).report.signature["protocol"] == "both-orders"


def test_a_file_is_bounded_by_what_is_owed(tmp_path: Path) -> None:
    release = write_tiny_release(tmp_path / "r", items=1)
    lines: list[Line] = [{**line, "evidence": ["x" * 4000] * 4} for line in hearing(release)]
    assert check(release, write(tmp_path / "f.jsonl", lines)).counts == {}
    many = check(release, write(tmp_path / "f.jsonl", lines * 5))
    assert "submission.too-large" in many.counts


def test_counts_are_per_facet_and_sum_to_what_is_owed(release: Release, tmp_path: Path) -> None:
    lines = hearing(release)
    lines[3] = {"presentation_id": lines[3]["presentation_id"], "status": "abstained"}
    again, differing = lines[4], {**lines[5], "probability": 0.1}
    counts = score(release, write(tmp_path / "f.jsonl", [*lines, again, differing]), options=QUICK).report.counts
    assert list(counts) == ["overall", "S0", "S1"]
    outcomes = ("ok", "abstained", "failed", "unparsable", "conflicting", "missing")
    for facet, found in counts.items():
        assert sum(found[name] for name in outcomes) == found["owed"], facet
    for name in ("owed", *outcomes):
        assert counts["overall"][name] == counts["S0"][name] + counts["S1"][name]
    assert (counts["overall"]["abstained"], counts["overall"]["conflicting"], counts["overall"]["repeated_rows"]) == (
        1,
        1,
        1,
    )
    assert counts["S0"]["owed"] == 48


def test_outcomes_are_drawn_in_the_order_of_the_other_figures(release: Release, tmp_path: Path) -> None:
    scored = score(release, write(tmp_path / "f.jsonl", hearing(release)), options=QUICK)
    turned = replace(scored.report, counts=dict(reversed(list(scored.report.counts.items()))))
    once, again = (
        write_report(release, replace(scored, report=report), tmp_path / name).read_text(encoding="utf-8")
        for name, report in (("once", scored.report), ("again", turned))
    )
    figure = "What became of every owed presentation."
    assert once.split(figure)[1].split("</figure>")[0] == again.split(figure)[1].split("</figure>")[0]


@settings(max_examples=15)
@given(st.data())
def test_what_is_wrong_with_a_file_never_raises(
    release: Release, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    file = tmp_path_factory.mktemp("files") / f"f{data.draw(st.sampled_from(['.jsonl', '.csv', '.parquet', '.txt']))}"
    file.write_bytes(
        data.draw(st.binary(max_size=200) | st.just(b'{"earmark": 1}\n') | st.just(b"presentation_id\nx\n"))
    )
    findings = check(release, file)
    assert findings.failed
    scored = score(release, file, options=QUICK)
    assert scored.report.counts["overall"]["ok"] == 0
    balanced = scored.report.find("balanced_accuracy")
    assert balanced is not None
    assert balanced.value == 0


def test_what_a_protocol_lacks_is_null_with_a_reason(release: Release, tmp_path: Path) -> None:
    """The manifest offers a protocol of which the tables hold nothing: `validate` says so, and marking does not break."""
    shutil.copytree(release.path, tmp_path / "hollow")
    manifest = json.loads((tmp_path / "hollow" / "release.json").read_bytes())
    manifest["protocols"] = [entry for entry in manifest["protocols"] if entry["name"] == "both-orders"]
    (tmp_path / "hollow" / "release.json").write_text(json.dumps(manifest), encoding="utf-8")
    path = tmp_path / "hollow" / "public" / "presentations.parquet"
    table = pq.read_table(path)
    pq.write_table(table.filter([name == ["both-orders-transcript"] for name in table["protocols"].to_pylist()]), path)
    rows = pq.read_table(path)
    manifest["tables"]["presentations"] |= {
        "rows": rows.num_rows,
        "content_hash": content_hash(release.family.tables()["presentations"], rows),
        "file_hash": file_hash(path),
    }
    (tmp_path / "hollow" / "release.json").write_text(json.dumps(manifest), encoding="utf-8")
    hollow = open_release(tmp_path / "hollow")
    scored = score(hollow, write(tmp_path / "f.jsonl", hearing(release)), options=QUICK)
    assert scored.report.counts["overall"]["owed"] == 0
    balanced = scored.report.find("balanced_accuracy")
    assert balanced is not None
    assert (balanced.value, balanced.reason) == (None, "no rows")
    assert {entry.value for entry in scored.report.baselines} == {None}
    assert write_report(hollow, scored, tmp_path / "out").is_file()


def test_findings_are_kept_with_what_was_scored(release: Release, tmp_path: Path) -> None:
    scored = score(release, write(tmp_path / "f.jsonl", hearing(release)[:-2]), options=QUICK)
    assert isinstance(scored.findings, Findings)
    assert scored.findings.counts == {"submission.missing": 2}
    assert scored.findings.exit_code == 0


def test_the_signature_names_the_files_that_a_paper_intersects_with(release: Release, tmp_path: Path) -> None:
    lines = hearing(release)
    file = write(tmp_path / "f.jsonl", lines)
    others = [write(tmp_path / f"{n}.jsonl", lines[n:]) for n in (1, 2)]
    one, other, both, again = (
        score(release, file, options=QUICK, paper="stancebench", beside=beside).report.signature["paper_beside"]
        for beside in (others[:1], others[1:], others, others[::-1])
    )
    assert one != other
    assert both == again == sorted([*map(str, one), *map(str, other)])


def test_human_ratings_add_figures_and_findings_of_their_own(release: Release, tmp_path: Path) -> None:
    file, ratings = write(tmp_path / "f.jsonl", hearing(release)), tmp_path / "ratings.csv"
    items = release.table("items")["item_id"].to_pylist()
    rows = [f"{item},{rater},{(n * 7 % 9 - 4) / 4}" for n, item in enumerate(items) for rater in ("ann", "ben")]
    ratings.write_text("\n".join(["item_id,rater,rating", *rows, "nobody,ann,1"]) + "\n", encoding="utf-8")
    bare, rated = score(release, file, options=QUICK), score(release, file, options=QUICK, human=ratings)
    assert rated.report.metrics[: len(bare.report.metrics)] == bare.report.metrics
    assert len(rated.report.metrics) > len(bare.report.metrics)
    assert bare.findings.counts == {}
    assert sum(rated.findings.counts.values()) == 1


def test_a_paper_s_figures_stand_beside_and_change_nothing(release: Release, tmp_path: Path) -> None:
    file, other = write(tmp_path / "f.jsonl", hearing(release)), write(tmp_path / "g.jsonl", hearing(release)[:50])
    bare = score(release, file, options=QUICK).report
    scored = score(release, file, options=QUICK, paper="stancebench", beside=[other])
    assert scored.report.metrics[: len(bare.metrics)] == bare.metrics
    assert {m.slice for m in scored.report.metrics[len(bare.metrics) :]} == {"paper:stancebench"}
    assert (bare.signature["paper"], scored.report.signature["paper"]) == (None, "stancebench")
    with pytest.raises(UnknownName, match="no paper named 'stance'"):
        score(release, file, options=QUICK, paper="stance")
