"""Records of Every Eval Ever, held against the form that its schema 0.3.0 and its checker ask for, spelt out here by hand."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.scoring.leaderboard.test_merging import merged
from tests.support.golden import GOLDENS
from tests.support.leaderboards import report

from earmark.manifests.findings import Findings
from earmark.manifests.leaderboard import Leaderboard
from earmark.manifests.report import OVERALL, read_report
from earmark.scoring.leaderboard import merge, read_reports
from earmark.scoring.leaderboard.every_eval_ever import Publisher, Relationship, record_path, write_records

ME = Publisher(organisation="Ours", relationship=Relationship.THIRD_PARTY, retrieved=1_700_000_000)
FILE = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\.json")
PART = re.compile(r"[A-Za-z0-9._+-]{1,101}")
RESERVED = {"con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(10))}

REQUIRED = {
    "": {
        "schema_version",
        "evaluation_id",
        "retrieved_timestamp",
        "source_metadata",
        "model_info",
        "eval_library",
        "evaluation_results",
    },
    "source_metadata": {"source_type", "source_organization_name", "evaluator_relationship"},
    "model_info": {"name", "id", "additional_details"},
    "eval_library": {"name", "version"},
}


def records(board: Leaderboard, out: Path) -> dict[Path, dict[str, Any]]:
    written = write_records(board, ME, out, Findings())
    assert sorted(written) == sorted(out.rglob("*.json"))
    return {path.relative_to(out): json.loads(path.read_text(encoding="utf-8")) for path in written}


def check(path: Path, record: Mapping[str, Any]) -> None:
    """What the schema and the checker ask of a record."""
    first, *parts, file = path.parts
    assert (first, len(parts), bool(FILE.fullmatch(file))) == ("data", 3, True)
    for part in parts:
        assert PART.fullmatch(part)
        assert part.lower() != "data"
        assert not part.endswith((".", " "))
        assert part.split(".")[0].lower() not in RESERVED
    assert set(record) == REQUIRED[""]
    for name, fields in REQUIRED.items():
        assert fields <= set(record[name] if name else record)
    assert record["schema_version"] == "0.3.0"
    assert record["source_metadata"]["source_type"] in ("documentation", "evaluation_run")
    assert record["model_info"]["id"] == "/".join(parts[1:])
    details = record["model_info"]["additional_details"]
    assert details["deployment_type"] in ("self_deployed", "externally_managed", "unknown")
    assert details["model_availability"] in ("open_weights", "closed_weights", "unknown")
    for strings in (
        details,
        record["eval_library"]["additional_details"],
        record["source_metadata"]["additional_details"],
    ):
        assert all(isinstance(value, str) for value in strings.values())
    ids = [result["evaluation_result_id"] for result in record["evaluation_results"]]
    assert 0 < len(ids) == len(set(ids))
    for result in record["evaluation_results"]:
        config, score = result["metric_config"], result["score_details"]
        assert result["source_data"]["source_type"] == "other"
        assert (config["score_type"], type(config["lower_is_better"])) == ("continuous", bool)
        low, high = (
            math.inf if end == "Infinity" else float(end) for end in (config["min_score"], config["max_score"])
        )
        assert low <= score["score"] <= high
        assert type(score["score"]) in (int, float)
        assert all(isinstance(value, str) for value in {**score["details"], **config["additional_details"]}.values())
        interval = score["uncertainty"].get("confidence_interval")
        assert interval is None or (interval["lower"] <= interval["upper"] and 0 < interval["confidence_level"] < 1)
        assert {type(score["uncertainty"][name]) for name in ("num_samples",)} == {int}
        arguments = result.get("generation_config", {}).get("generation_args", {})
        assert set(arguments) <= {"temperature", "top_p", "top_k", "max_tokens"}


@pytest.mark.parametrize("family", list(GOLDENS))
def test_what_families_report_becomes_records(family: str, tmp_path: Path) -> None:
    golden = read_report(GOLDENS[family].path / "report.json")
    (tmp_path / "report.json").write_text(
        json.dumps({**golden.as_json(), "submission": {"judge": {"name": "lab/ears"}, "run": {}}}), encoding="utf-8"
    )
    board = merge(read_reports([tmp_path], Findings()), Findings())
    ((path, record),) = records(board, tmp_path / "out").items()
    check(path, record)
    overall = [
        result["score_details"]["score"]
        for result in record["evaluation_results"]
        if result["evaluation_result_id"] == f"{golden.headline}/{OVERALL}"
    ]
    headline = golden.find(golden.headline)
    assert headline is not None
    assert overall == [headline.value]
    use, said = golden.use, record["source_metadata"]["additional_details"]
    assert use is not None
    assert (said["intended_use"], said["out_of_scope"]) == (use.intended, use.out_of_scope)


def test_a_record_says_what_the_report_says(tmp_path: Path) -> None:
    judge = {
        "access": "commercial",
        "api_date": "2026-01-02",
        "decoding": {"temperature": 0.5, "max_tokens": 9, "beam": 2, "top_k": True},
    }
    board, _ = merged(report("lab/ears:2", 0.75, judge=judge))
    ((path, record),) = records(board, tmp_path).items()
    check(path, record)
    assert path.parts[:-1] == ("data", "mini", "lab", "ears_2")
    assert record["model_info"]["name"] == "lab/ears:2"
    assert record["model_info"]["additional_details"]["model_availability"] == "closed_weights"
    assert record["model_info"]["additional_details"]["deployment_type"] == "externally_managed"
    assert record["eval_library"]["version"] == "0.1.0"
    assert record["retrieved_timestamp"] == "1700000000"
    by_id = {result["evaluation_result_id"]: result for result in record["evaluation_results"]}
    assert set(by_id) == {
        f"{name}/{facet}" for name in ("balanced_accuracy", "failure_rate") for facet in ("S0", "S1", OVERALL)
    }
    headline, rate = by_id["balanced_accuracy/overall"], by_id["failure_rate/overall"]
    assert (headline["metric_config"]["lower_is_better"], rate["metric_config"]["lower_is_better"]) == (False, True)
    assert headline["score_details"]["uncertainty"] == {
        "num_samples": 40,
        "num_bootstrap_samples": 200,
        "confidence_interval": {
            "lower": 0.65,
            "upper": 0.85,
            "confidence_level": 0.95,
            "method": "percentile cluster bootstrap over 25 speakers",
        },
    }
    assert headline["generation_config"] == {
        "generation_args": {"temperature": 0.5, "max_tokens": 9},
        "additional_details": {"beam": "2", "top_k": "true"},
    }


def test_an_undefined_figure_is_named_and_a_rule_has_no_record(tmp_path: Path) -> None:
    board, _ = merged(report("a", None), report("coin", 0.5, judge={"architecture": "rule"}))
    findings = Findings()
    (path,) = write_records(board, ME, tmp_path, findings)
    record = json.loads(path.read_text(encoding="utf-8"))
    check(path.relative_to(tmp_path), record)
    undefined = json.loads(record["source_metadata"]["additional_details"]["undefined"])
    assert undefined["balanced_accuracy/overall"] == "one pole is absent"
    assert "out_of_scope" not in record["source_metadata"]["additional_details"], "the reports say nothing of it"
    assert [(finding.code.name, finding.id) for finding in findings] == [("leaderboard.not-exported", "coin")]


NAMES = st.text(st.sampled_from('aB1./\\:*?<>|" \n\u202e…é-')) | st.text(max_size=30)


@settings(max_examples=25)
@given(NAMES)
@example("../../etc/passwd")
@example("data/data")
@example("nul/COM1.x")
@example("unknown/.")
@example("x" * 10_000)
@example("//")
def test_any_name_has_a_portable_place_within_the_folder(name: str) -> None:
    board, _ = merged(report(name))
    (table,) = board.boards
    (one,) = table.standings
    path = record_path(table, one)
    assert path == record_path(table, one)
    first, *parts, file = path.parts
    assert (first, len(parts)) == ("data", 3)
    assert FILE.fullmatch(file)
    for part in parts:
        assert PART.fullmatch(part)
        assert part.lower() not in ("data", "unknown")
        assert not part.startswith(".")
        assert not part.endswith(".")
        assert part.split(".")[0].lower() not in RESERVED
